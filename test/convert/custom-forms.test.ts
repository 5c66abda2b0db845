/** Forms: what the registry says of the built-in ones, and forms that a caller brings along. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ConversionError,
  convert,
  detectForm,
  type Form,
  type FormDescription,
  forms,
  type JsonForm,
  readConversation,
  readJsonConversation,
  sourceForms,
  type TextForm,
  targetForms,
  transcriptOfConversation,
  writeConversation,
} from '../../core/src/internal.ts'

const listed: readonly (Form & FormDescription)[] = forms

/** Lines `Q: …` and `A: …`. */
const script = {
  name: 'script',
  holds: 'text',
  recognizedBy: { question: (text: string, start: number) => text.startsWith('Q: ', start) },
  read: (text: string) => ({
    messages: text
      .trim()
      .split('\n')
      .map((line) => ({
        role: line.startsWith('A: ') ? 'assistant' : 'user',
        content: [{ kind: 'text', text: line.slice(3) }],
        ending: 'end',
      })),
  }),
  write: ({ messages }, { losses }) =>
    messages
      .map(({ role, channel, content, range }) => {
        if (channel === 'analysis') losses.add('reasoning', 'Reasoning has no place', range)
        return channel === 'analysis' ? '' : `${role === 'user' ? 'Q' : 'A'}: ${content[0]?.text}\n`
      })
      .join(''),
} satisfies TextForm

/** An object of two texts, which is only read. */
const pair = {
  name: 'pair',
  holds: 'json',
  recognizedBy: { ask: (sample) => sample.has('ask', 'reply') },
  read(value, { losses }) {
    const { ask, reply, ...rest } = value as Readonly<Record<string, string>>
    for (const key of Object.keys(rest)) losses.addAt('field', `\`${key}\` is not read`, value as object, key)
    const text = (it = '') => [{ kind: 'text' as const, text: it }]
    return {
      messages: [
        { role: 'user', content: text(ask), ending: 'end' },
        { role: 'assistant', channel: 'final', content: text(reply), ending: 'end' },
      ],
    }
  },
} satisfies JsonForm

test('the forms of the registry have names, titles, and documentation of their own', () => {
  for (const key of ['name', 'title', 'summary', 'documentation'] as const)
    assert.equal(new Set(listed.map((form) => form[key])).size, listed.length, key)
  const names = (has: (form: Form) => boolean) => listed.filter(has).map(({ name }) => name)
  assert.deepEqual(
    sourceForms,
    names(({ read }) => read !== undefined),
  )
  assert.deepEqual(
    targetForms,
    names(({ write }) => write !== undefined),
  )
})

test('what a form writes is recognized as that form', () => {
  const source = `version: 2.2
<|start|>user<|message|>Weather?<|end|>
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
<|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>mild<|end|>
<|start|>assistant<|channel|>final<|message|>Mild.<|end|>
`
  for (const form of targetForms.filter((it) => it !== 'markdown')) {
    const { text } = convert(source, { to: form })
    assert.equal(detectForm(text), form, text)
  }
})

test('a custom form is read, recognized, and written by its name', () => {
  const text = 'Q: Hi\nA: Hello\n'
  const options = { forms: [script] }
  assert.equal(detectForm(text), 'ocm')
  assert.equal(detectForm(text, [script]), 'script')
  const messages = convert(text, { ...options, to: 'messages', isCompact: true })
  assert.equal(messages.from, 'script')
  const chat = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}'
  assert.equal(messages.text, chat)
  assert.equal(convert(text, { ...options, from: 'script', to: 'messages', isCompact: true }).text, chat)
  assert.equal(convert(chat, { ...options, to: 'script' }).text, text)
  const thought = '{"messages":[{"role":"assistant","reasoning":"hm","content":"Hello"}]}'
  const written = convert(thought, { ...options, to: 'script' })
  assert.deepEqual([written.text, written.losses.map(({ kind }) => kind)], ['A: Hello\n', ['reasoning']])
})

test('a custom form of JSON reports what it does not read, with its place', () => {
  const text = '{"ask": "Hi", "reply": "Hello", "score": 3}'
  const { from, losses, text: ocm } = convert(text, { forms: [pair], to: 'ocm' })
  assert.equal(from, 'pair')
  assert.deepEqual(
    losses.map(({ kind, range }) => [kind, range && text.slice(range.start, range.end)]),
    [['field', '3']],
  )
  assert.match(ocm, /^version: 2.2\n\n?<\|start\|>user<\|message\|>Hi<\|end\|>/)
  const value = JSON.parse(text)
  const reading = readJsonConversation(value, { forms: [pair] })
  assert.equal(writeConversation(reading, { forms: [pair], to: 'ocm' }).text, ocm)
  assert.equal(transcriptOfConversation(reading, [pair]).text(), ocm)
})

test('a custom form comes before the built-in ones, also under the name of one', () => {
  const own: JsonForm = { ...pair, name: 'messages', recognizedBy: { list: (sample) => sample.hasMessages } }
  const { conversation, from } = readConversation('{"messages": [], "ask": "Hi"}', { forms: [own] })
  assert.equal(from, 'messages')
  assert.equal(conversation.messages[0]?.content[0]?.text, 'Hi')
})

test('a form that is unknown, or used for what it cannot do, is a mistake of the caller', () => {
  assert.throws(() => convert('Q: Hi', { to: 'script' as 'ocm' }), new TypeError('Unknown form script'))
  assert.throws(() => convert('{"ask": "Hi"}', { forms: [pair], to: 'pair' }), TypeError)
  assert.throws(() => readJsonConversation({}, { from: 'ocm' }), TypeError)
  assert.throws(() => readConversation('# Hi', { from: 'markdown' as 'ocm' }), TypeError)
  const { conversation } = readConversation('Q: Hi', { forms: [script] })
  const reading = { conversation, from: 'ask', losses: [] }
  assert.throws(() => writeConversation(reading, { to: 'ocm', forms: [pair] }), TypeError)
})

test('a custom reader that runs out of the stack refuses its source', () => {
  const deep: JsonForm = { ...pair, read: () => deep.read?.({}, {} as never) as never }
  assert.throws(() => convert('{"ask": "Hi"}', { forms: [deep], to: 'ocm' }), ConversionError)
})
