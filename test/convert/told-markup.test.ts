/**
 * Text that the readers of a form take for reasoning, calls, or replies (F20) is reported when that form is written, and no other
 * text is.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { convert, forms, type Loss, type SourceForm, type TargetForm } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

type Said = Readonly<Record<string, unknown>>

/** The forms that are read and written. */
const names = forms.flatMap((form) =>
  'write' in form && 'read' in form ? [form.name as SourceForm & TargetForm] : [],
)

/** Who says what, and who sees it, of a conversation in the JSON of 2.2 §10. */
function saidIn(json: string): readonly string[] {
  const { messages } = JSON.parse(json) as { readonly messages: readonly Said[] }
  return messages.map(({ role, channel = 'final', content = '', tool_call: call, thinking }) =>
    JSON.stringify([role, channel, content, call !== undefined, thinking]),
  )
}

/** A conversation, as a transcript and in JSON. */
function conversationOf(messages: readonly Said[]): string {
  return JSON.stringify({ header: { version: 2.2 }, messages })
}

/** Losses that change texts for other reasons: what has no place in the form, or only one that is shared. */
const changing: ReadonlySet<string> = new Set(['not-a-message', 'message-boundary', 'content-part'])

interface Checked {
  readonly isTold: boolean
  readonly isSame: boolean
  readonly losses: readonly Loss[]
}

/** Writes `source` as a form and reads it again; undefined if the form can't hold it. */
function throughForm(source: string, form: SourceForm & TargetForm): Checked | undefined {
  const there = convert(source, { from: 'json', to: form })
  if (there.losses.some(({ kind }) => changing.has(kind))) return undefined
  const back = convert(there.text, { from: form, to: 'json' })
  const after = saidIn(back.text)
  const before = saidIn(convert(source, { from: 'json', to: 'json' }).text)
  return {
    isTold: there.losses.some(({ kind }) => kind === 'markup'),
    isSame: JSON.stringify(after) === JSON.stringify(before),
    losses: there.losses,
  }
}

const tool = 'functions.f'
const call = {
  role: 'assistant',
  channel: 'commentary',
  tool_call: { id: 'c1', recipient: tool, arguments: '{}' },
}
const replied = { role: 'tool', channel: 'commentary', to: 'assistant', name: tool, call_id: 'c1' }

const fragment = fc.constantFrom(
  ...['<think>', '</think>', '<thinking a="b">', '</thinking>', '[THINK]', '[/THINK]', '◁think▷', '◁/think▷'],
  ...['<tool_call>', '</tool_call>', '{"name":"f","arguments":{}}', '<tool_response>', '</tool_response>'],
  ...[
    '<|start|>assistant',
    '<|channel|>analysis',
    '<|channel|>final',
    '<|message|>',
    '<|end|>',
    '<|return|>',
  ],
  ...[
    'analysis',
    'We add.',
    'assistantfinal',
    'assistant',
    '`',
    '``',
    '```\n',
    '\n',
    ' ',
    'x',
    '<',
    'a < b',
    '[think]',
  ],
)
const words = fc.array(fragment, { minLength: 1, maxLength: 6 }).map((it) => it.join(''))
const spoken = fc
  .record({
    asked: words,
    reply: fc.option(words, { freq: 2 }),
    thought: fc.option(words, { freq: 3 }),
    answer: words,
  })
  // After reasoning in tags, reasoning without tags is not looked for.
  .filter(
    ({ thought, answer }) => thought === null || !/^\s*(?:(?:assistant)?\s*analysis|Here is)/.test(answer),
  )

describe('markup in texts is reported where it is read, and only there', () => {
  for (const form of names.filter((it) => it !== 'harmony')) {
    test(form, () => {
      fc.assert(
        fc.property(spoken, ({ asked, reply, thought, answer }) => {
          const source = conversationOf([
            { role: 'user', content: asked },
            ...(reply === null ? [] : [call, { ...replied, content: reply }]),
            ...(thought === null ? [] : [{ role: 'assistant', channel: 'analysis', content: thought }]),
            { role: 'assistant', channel: 'final', content: answer },
          ])
          const checked = throughForm(source, form)
          if (!checked) return
          assert.notEqual(
            checked.isTold,
            checked.isSame,
            JSON.stringify({ source, ...checked }, undefined, 1),
          )
        }),
        { numRuns: propertyRuns },
      )
    })
  }
})

const asked = { role: 'user', content: 'U' }

function toldBy(form: TargetForm, ...messages: readonly Said[]): readonly string[] {
  const { losses } = convert(conversationOf(messages), { from: 'json', to: form })
  return losses.filter(({ kind }) => kind === 'markup').map(({ message }) => message)
}

describe('the report', () => {
  test('names the tag, and has the position of the message', () => {
    const text = 'version: 2.2\n<|start|>assistant<|channel|>final<|message|><think>R</think>Hi<|end|>\n'
    for (const to of ['messages', 'responses', 'sharegpt', 'anthropic'] as const) {
      const [told, ...others] = convert(text, { from: 'ocm', to }).losses
      assert.deepEqual(others, [], to)
      assert.equal(
        told?.message,
        '`<think>` in an answer is read back as reasoning or a call, not as text',
        to,
      )
      assert.deepEqual(told?.range, { start: 13, end: text.length - 1 }, to)
    }
  })

  test('is of a reply where replies are messages, and of a user everywhere', () => {
    const content = '<tool_response>x</tool_response>'
    const told = ['`<tool_response>` in a message is read back as a tool reply, not as text']
    for (const form of names) {
      const reads = ['messages', 'sharegpt', 'inspect', 'prompt-completion', 'preference', 'openai-dpo']
      assert.deepEqual(
        toldBy(form, asked, call, { ...replied, content }),
        reads.includes(form) ? told : [],
        form,
      )
      const exact = ['ocm', 'json', 'harmony', 'harmony-json']
      assert.deepEqual(toldBy(form, { role: 'user', content }), exact.includes(form) ? [] : told, form)
    }
  })

  test('is of line breaks at the ends of reasoning only where tags take them', () => {
    const thought = { role: 'assistant', channel: 'analysis', content: 'R\n' }
    for (const form of names) {
      const told = form === 'sharegpt' || form === 'alpaca'
      const message = 'Line breaks next to the tags of reasoning are not read back'
      const answer = { role: 'assistant', channel: 'final', content: 'A' }
      assert.deepEqual(toldBy(form, asked, thought, answer), told ? [message] : [], form)
    }
  })

  test('is not of code, of samples that come back as they were, and of what is left out', () => {
    const code = { role: 'assistant', channel: 'final', content: 'Write `<think>` or\n```\n</think>\n```\n' }
    for (const form of names) assert.deepEqual(toldBy(form, asked, code), [], form)
    const sample = { messages: [asked, { role: 'assistant', content: '<think>R</think>Hi' }] }
    for (const to of ['ocm', 'messages'] as const)
      assert.deepEqual(convert(JSON.stringify(sample), { to }).losses, [], to)
    assert.deepEqual(toldBy('xlam', asked, { role: 'assistant', content: '<think>R</think>Hi' }), [])
  })
})
