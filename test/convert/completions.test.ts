/** Harmony text that is cut, or begins behind its prompt: all of it is in every conversion, or is a loss with its place. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { textOf } from '../../core/src/conversation/conversation.ts'
import {
  analyze,
  convert,
  detectForm,
  readConversation,
  type TargetForm,
  Transcript,
  visibleTexts,
} from '../../core/src/internal.ts'

const cut = '<|start|>user<|message|>hi<|end|><|start|>assistant<|channel|>final The answer is 4.<|return|>'

describe('a message whose header is cut off', () => {
  for (const to of [
    'ocm',
    'json',
    'harmony',
    'harmony-json',
    'messages',
    'responses',
  ] satisfies TargetForm[]) {
    test(`stays in ${to}`, () => {
      const { text, losses } = convert(cut, { to })
      assert.match(text, /The answer is 4\./)
      assert.ok(losses.some(({ kind, range }) => kind === 'malformed-header' && range?.start === 33))
    })
  }
  test('is counted', () => {
    const { messages } = readConversation(cut).conversation
    assert.deepEqual(messages.map(textOf), ['hi', 'The answer is 4.'])
  })
  test('without a channel it is hidden, as it stands', () => {
    const { conversation } = readConversation(
      '<|start|>assistant I  must\nrefuse<|end|><|start|>user<|message|>x<|end|>',
    )
    assert.deepEqual(
      conversation.messages.map((it) => [it.channel, textOf(it)]),
      [
        ['analysis', 'I  must\nrefuse'],
        [undefined, 'x'],
      ],
    )
  })
})

const call = {
  role: 'assistant',
  channel: 'commentary',
  to: 'functions.f',
  constraint: 'json',
  ending: 'call',
}
const rest = '<|start|>assistant<|channel|>final<|message|>4<|return|>'

/** What models write behind `<|start|>assistant`, and what is read. */
const completions: readonly (readonly [text: string, first: object, body: string, role?: string])[] = [
  [' to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}<|call|>', call, '{}'],
  ['to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}<|call|>', call, '{}'],
  ['<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>', call, '{}'],
  ['\n<|channel|>analysis<|message|>x<|end|>', { channel: 'analysis' }, 'x'],
  ['<|message|>x<|end|>', { role: 'assistant' }, 'x'],
  ['assistant<|channel|>analysis<|message|>x<|end|>', { channel: 'analysis' }, 'x'],
  ['analysis<|message|>x<|end|>', { role: 'assistant', channel: 'analysis' }, 'x'],
  ['We need  to think.<|end|>', { role: 'assistant', channel: 'analysis' }, 'We need  to think.'],
  ['<|message|>Why?<|end|>', { role: 'user' }, 'Why?', 'user'],
  ['Why?<|end|>', { role: 'user' }, 'Why?', 'user'],
]

describe('a completion', () => {
  for (const [text, first, body, role] of completions) {
    for (const source of [text, text + rest]) {
      test(`${role ?? ''} ${JSON.stringify(source)}`, () => {
        assert.equal(detectForm(source), 'harmony')
        const { conversation, losses } = readConversation(source, { role })
        const [message] = conversation.messages
        assert.ok(message)
        assert.deepEqual({ ...message, ...first }, message)
        assert.equal(textOf(message), body)
        assert.equal(conversation.messages.length, source === text ? 1 : 2)
        assert.equal(message.range?.start, 0)
        assert.deepEqual(losses, [])
      })
    }
  }

  test('with a mistake loses nothing before it', () => {
    const source =
      '<|channel|>analysis<|message|>first<|end|>\nstray<|start|>assistant<|channel|>final<|message|>x<|return|>'
    const { conversation, losses } = readConversation(source)
    assert.deepEqual(conversation.messages.map(textOf), ['first', 'stray', 'x'])
    assert.equal(conversation.messages[0]?.channel, 'analysis')
    for (const { range } of losses) assert.ok(range && range.start >= source.indexOf('\n'))
  })

  test('a header with words between stays a header of that message', () => {
    const { text } = convert('<|channel|>analysis We think<|message|>x<|end|>', { to: 'ocm' })
    assert.match(text, /x/)
  })

  test('commentary of raw output is hidden by all commands alike, unless the form is given', () => {
    const text =
      '<|channel|>commentary<|message|>Hidden<|end|><|start|>assistant<|channel|>final<|message|>Seen<|return|>'
    assert.equal(detectForm(text), 'ocm')
    assert.deepEqual([...visibleTexts(analyze(Transcript.parse(text)))], ['Seen'])
    assert.doesNotMatch(convert(text, { to: 'markdown' }).text, /Hidden/)
    assert.match(convert(text, { from: 'harmony', to: 'markdown' }).text, /Hidden/)
  })

  test('headers and lists of tokens are no completions', () => {
    for (const text of [
      'version: 2.2\n<|start|>user<|message|>Hi<|end|>',
      'stop: ["<|return|>", "<|call|>"]\n<|start|>user<|message|>Hi<|end|>',
      'tokens:\n  - <|channel|>\n  - <|end|>\n<|start|>user<|message|>Hi<|end|>',
      'model: x\nassistant<|message|>Hi<|end|>',
      ' to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|>',
      'Some text',
      '<|end|>x<|end|>',
      '',
    ])
      assert.equal(detectForm(text), 'ocm', text)
  })
})
