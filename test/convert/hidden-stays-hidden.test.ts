/**
 * What users do not see comes out nowhere: not in what a form shows, not in a list of losses, not on a screen. The texts of forms
 * are read by `JSON.parse` and by the reference of Harmony, never by our own readers.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { JsHarmonyEncoding } from 'openai-harmony'
import { htmlDocument } from '../../client/render/html-document.ts'
import { markdownDocument } from '../../client/render/markdown-document.ts'
import {
  analyze,
  ConversionError,
  convert,
  type DialectName,
  detectForm,
  hover,
  type Loss,
  type SourceForm,
  sourceForms,
  type TargetForm,
  Transcript,
  targetForms,
  visibleMessages,
  visibleTexts,
} from '../../core/src/internal.ts'
import { shownTexts, streamed } from '../core/streaming/streamed.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { parsedByReference, reference } from './reference.ts'

const canary = /SECRET/

/** Forms that keep the messages of a request word for word. */
const asItWas: ReadonlySet<TargetForm> = new Set([
  'messages',
  'prompt-completion',
  'preference',
  'openai-dpo',
])
let encoding: JsHarmonyEncoding
before(async () => {
  encoding = await reference()
})

type Value = Readonly<Record<string, unknown>>

/** What a text of each form shows by the definition of the form: the texts that are neither reasoning nor for the model or a tool. */
const shownBy: Readonly<Record<TargetForm, (text: string) => readonly unknown[]>> = {
  ocm: () => [], // what a transcript shows is judged by the screens
  markdown: (text) => [text],
  messages: (text) => JSON.parse(text).messages.flatMap((it: Value) => (isPerson(it) ? [it.content] : [])),
  responses: (text) =>
    JSON.parse(text).input.flatMap((it: Value) =>
      it.type === 'message' && isPerson(it) ? [it.content] : [],
    ),
  harmony: (text) => shownByHarmony(parsedByReference(encoding, text)),
  'harmony-json': (text) => shownByHarmony(JSON.parse(text).messages),
  json: (text) => JSON.parse(text).messages.flatMap((it: Value) => (isShownJson(it) ? [it.content] : [])),
  anthropic: (text) =>
    JSON.parse(text).messages.flatMap((it: Value) => (isPerson(it) ? textParts(it.content, 'text') : [])),
  gemini: (text) =>
    JSON.parse(text).contents.flatMap(({ parts }: { parts: readonly Value[] }) =>
      parts.filter(({ thought }) => thought !== true).map((it) => it.text),
    ),
  sharegpt: (text) =>
    JSON.parse(text).conversations.flatMap(({ from, value }: Value) =>
      from === 'human' || from === 'gpt' ? [afterThought(value)] : [],
    ),
  alpaca: (text) => {
    const { instruction, input, output, history = [] } = JSON.parse(text)
    return [instruction, input, output, ...history.flat()].map(afterThought)
  },
  'prompt-completion': (text) => {
    const { prompt, completion } = JSON.parse(text)
    if (typeof prompt === 'string') return [prompt, afterThought(completion)]
    return [...prompt, ...completion].flatMap((it: Value) => (isPerson(it) ? [it.content] : []))
  },
  preference: (text) => {
    const { prompt = [], chosen, rejected, completions = [chosen, rejected] } = JSON.parse(text)
    return [prompt, ...completions].flatMap((it) => (typeof it === 'string' ? [afterThought(it)] : seen(it)))
  },
  'openai-dpo': (text) => {
    const { input, preferred_output, non_preferred_output } = JSON.parse(text)
    return seen([...input.messages, ...preferred_output, ...non_preferred_output])
  },
  xlam: (text) => [JSON.parse(text).query],
  otel: (text) => {
    const { 'gen_ai.input.messages': input, 'gen_ai.output.messages': output = [] } = JSON.parse(text)
    return [...input, ...output].flatMap((it: Value) => (isPerson(it) ? textParts(it.parts, 'text') : []))
  },
  inspect: (text) =>
    JSON.parse(text).messages.flatMap((it: Value) => (isPerson(it) ? textParts(it.content, 'text') : [])),
  atif: (text) =>
    JSON.parse(text).steps.flatMap((it: Value) =>
      it.source === 'user' || it.source === 'agent' ? [it.message] : [],
    ),
}

/** What people say of `messages`. */
function seen(messages: readonly Value[]): readonly unknown[] {
  return messages.flatMap((it) => (isPerson(it) ? [it.content] : []))
}

/** A text, or the parts of one type. */
function textParts(content: unknown, type: string): readonly unknown[] {
  return Array.isArray(content) ? content.filter((it) => it.type === type) : [content]
}

/** What is outside of reasoning in tags for readers that end it at the first end. */
function afterThought(text: unknown): string {
  return String(text).replaceAll(/<think>[\s\S]*?<\/think>/g, '')
}

/** Roles are read as generously as anyone might. */
function isPerson({ role }: Value): boolean {
  return !['system', 'developer', 'tool', 'function'].includes(String(role))
}

/** Harmony shows what is final, and commentary of the assistant to nobody (HARMONY c). What the reference refuses is shown to no one. */
function shownByHarmony(messages: readonly Value[] | string): readonly unknown[] {
  if (typeof messages === 'string') return []
  return messages.filter(isShownByHarmony).map((it) => it.content)
}

function isShownByHarmony({ role, channel, recipient }: Value): boolean {
  const isFinal = channel === undefined || channel === null || channel === 'final'
  if (role !== 'assistant') return role === 'user' && isFinal
  const isToNobody =
    recipient === undefined || recipient === null || recipient === 'all' || recipient === 'user'
  return isToNobody && (isFinal || channel === 'commentary')
}

/** The JSON of 2.2 §10 has the words of a transcript: channels hide messages, and blocks of thought stay in the content. */
function isShownJson(it: Value): boolean {
  if (it.role !== 'user' && it.role !== 'assistant') return false
  if (it.tool_call !== undefined || JSON.stringify(it.content).includes('<|start_')) return false
  if (it.role === 'assistant' && (it.to !== undefined || it.terminator === '<|call|>')) return false
  const channel = it.channel ?? 'final'
  return channel === 'final' || (channel === 'commentary' && it.intent === 'preamble')
}

/** Fails if a word that is hidden in `text` comes out anywhere. */
function checkHidden(text: string, dialect: DialectName | 'auto' = 'auto'): void {
  checkShown(text, dialect)
  const form = dialect === 'harmony' ? 'harmony' : 'ocm'
  for (const from of detectForm(text) === form ? (['auto'] as const) : (['auto', form] as const)) {
    if (from === 'harmony' && text.includes('commentary')) continue // whoever says so sees preambles (D21)
    checkConverted(text, from)
  }
}

/** Fails if a word that is hidden in `text` comes out of a conversion into any form. */
function checkConverted(text: string, from: SourceForm | 'auto'): void {
  for (const to of targetForms) {
    if (from === 'messages' && asItWas.has(to)) continue // it comes back as it was
    let result: { readonly text: string; readonly losses: readonly Loss[] }
    try {
      result = convert(text, { from, to })
    } catch (error) {
      assert.ok(error instanceof ConversionError)
      assert.doesNotMatch(error.message, canary)
      continue
    }
    const where = `${from} → ${to}: ${text}\n${result.text}`
    assert.doesNotMatch(JSON.stringify(shownBy[to](result.text)), canary, where)
    assert.doesNotMatch(JSON.stringify(result.losses), canary, where)
    if (to === 'ocm') checkShown(result.text, 'auto')
  }
}

/** Fails if a word that is hidden in `text` comes out of its conversion by way of `through`. */
function checkThrough(text: string, through: SourceForm & TargetForm, to: TargetForm): void {
  let there: string
  try {
    there = convert(text, { from: 'ocm', to: through }).text
    const result = convert(there, { from: through, to })
    const where = `${through} → ${to}: ${text}\n${there}\n${result.text}`
    assert.doesNotMatch(JSON.stringify(shownBy[to](result.text)), canary, where)
    assert.doesNotMatch(JSON.stringify(result.losses), canary, where)
    if (to === 'ocm') checkShown(result.text, 'auto')
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    assert.doesNotMatch(error.message, canary)
  }
}

/** As {@link checkHidden}, for screens and files that people read. */
function checkShown(text: string, dialect: DialectName | 'auto'): void {
  const analysis = analyze(Transcript.parse(text, { dialect }))
  const seen = visibleTexts(analysis)
  assert.doesNotMatch(JSON.stringify(seen), canary, text)
  for (const lengths of [[text.length || 1], [1], [3, 5, 2]])
    assert.deepEqual(shownTexts(streamed(text, lengths, { dialect })), seen, text)
  const messages = [...visibleMessages(analysis)]
  const items = messages.map((message) => ({ kind: 'seen' as const, message }))
  const options = { title: 'a.ocm', isDebug: false }
  assert.doesNotMatch([...htmlDocument(items, options)].join(''), canary, text)
  assert.doesNotMatch([...markdownDocument(items, options)].join(''), canary, text)
  for (const { offset } of messages)
    assert.doesNotMatch(hover(analysis, offset + 2)?.markdown ?? '', canary, text)
}

const hiddenHeaders = [
  'system',
  'developer',
  'asistant',
  'Assistant',
  'user:',
  'user:Ann',
  'assistant<|channel|>analysis',
  'user<|channel|>analysis',
  'user<|channel|>commentary',
  'assistant<|channel|>anlysis',
  'assistant<|channel|>',
  'assistant<|channel|>comm intent=preamble',
  'assistant<|channel|>commentary',
  'assistant<|channel|>commentary intent=status',
  'assistant<|channel|>analysis<|channel|>final',
  'assistant to=assistant<|channel|>final',
  'assistant to=system intent=preamble<|channel|>commentary',
  'assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json',
  'assistant to=functions.f<|channel|>final',
  'tool name=functions.f call_id=c1 to=assistant<|channel|>commentary',
  'tool name=system',
  'tool name=assistant<|channel|>final',
  'tool name=user',
  // a word says otherwise than the channel
  'assistant Analysis',
  'user Analysis<|channel|>final',
  'assistant Channel=analysis',
  'assistant channel="analysis"<|channel|>final',
  'assistant <|chanel|>analysis',
  'assistant name=Ann<|chanel|>analysis',
  'assistant name=Ann|channel|>analysis',
  'assistant ana\u200blysis<|channel|>final',
  'assistant ａｎａｌｙｓｉｓ',
  'assistant functions.x<|channel|>final',
  'assistant To=functions.x<|channel|>final',
  'assistant<|channel|>final functions.x',
  'assistant<|channel|>final<|constrain|>analysis',
  'assistant intent=analysis<|channel|>final',
]

const shownHeaders = [
  'user',
  'user name=Ann<|channel|>final',
  'assistant',
  'assistant<|channel|>final',
  'assistant to=user<|channel|>final',
  'assistant intent=preamble<|channel|>commentary',
  'assistant foo=bar<|channel|>final',
]

/** Bodies in which nothing but blocks hold the word. */
const blocks = [
  '<|start_reason|>SECRET<|end_reason|>Hi',
  'Hi<|start_reflect|>SECRET',
  'a<|start_reason|>b<|start_reason|>c<|end_reason|>SECRET<|end_reason|>d',
  '<|start_introspect|>a<|start_reason|>SECRET<|end_introspect|>SECRET<|end_reason|> ok',
  '<|start_reason|>SECRET',
  '<|start_reason|>a<|literal|><|end_reason|><|endliteral|>SECRET<|end_reason|>b',
  '<|start_reason|>a<|literal|><<|endliteral|>|end_reason|>SECRET<|end_reason|>b',
  '<|start_reason|>a<<|end|>SECRET<|end_reason|>b',
  '<|start_reason|>a</think>SECRET<think>SECRET<|end_reason|>Hi',
  '<|start_reflect|>a[/THINK]SECRET</THINK>b<think>SECRET<|end_reflect|>Hi',
  'Hi',
  'Hi <|literal|><|start_reason|><|endliteral|> there',
]

const hiddenBodies = ['SECRET', 'a SECRET b', '{"a":"SECRET"}', 'x<|literal|>SECRET<|endliteral|>', ...blocks]

const cutMessages = [
  '<|start|>assistant<|channel|>final functions.x {"a":"SECRET"}<|call|>',
  '<|start|>assistant<|channel|>final SECRET<|call|>',
  '<|start|>assistant<|channel|>final analysis SECRET<|end|>',
  '<|start|>assistant SECRET<|end|>',
  '<|start|>assistant<|message|>{"a":"SECRET"}<|call|>',
]

describe('a hidden message', () => {
  for (const header of hiddenHeaders) {
    test(header, () => {
      const message = `<|start|>${header}<|message|>SECRET<|end|>`
      checkHidden(`version: 2.2\n${message}\n`)
      checkHidden(`<|start|>user<|message|>Hi<|end|>${message}<|start|>user<|message|>Hi<|end|>`)
      checkHidden(message)
    })
  }
  for (const message of cutMessages) test(message, () => checkHidden(`version: 2.2\n${message}\n`))
})

describe('a block of thought', () => {
  for (const body of blocks) {
    test(body, () => {
      for (const header of shownHeaders) {
        const message = `<|start|>${header}<|message|>${body}<|end|>`
        checkHidden(`version: 2.2\n${message}\n`)
        checkHidden(message + message)
        if (!header.includes('=') && !body.includes('literal')) checkHidden(message, 'harmony')
      }
      for (const role of ['user', 'assistant'])
        if (!body.includes('literal') && !body.includes('<<'))
          checkHidden(`<|im_start|>${role}\n${body}<|im_end|>\n`)
    })
  }

  test('is reported where it goes elsewhere or is left out', () => {
    for (const role of ['user', 'assistant']) {
      const text = `version: 2.2\n<|start|>${role}<|message|><|start_reason|>SECRET<|end_reason|>Hi<|end|>\n`
      for (const to of ['messages', 'responses', 'harmony', 'harmony-json'] as const) {
        const { losses } = convert(text, { from: 'ocm', to })
        assert.ok(
          losses.some(({ kind, range }) => kind === 'reasoning' && range?.start === 13),
          `${role} ${to}`,
        )
      }
    }
  })
})

test('what a request can only show is left out and reported', () => {
  const text = 'version: 2.2\n<|start|>assistant<|channel|>anlysis<|message|>SECRET<|end|>\n'
  for (const to of ['messages', 'responses'] as const) {
    const { losses } = convert(text, { from: 'ocm', to })
    assert.deepEqual(
      losses.map(({ message }) => message),
      ['A hidden message on the unknown channel `anlysis` is left out'],
    )
  }
})

test('a tool or an unknown role speaks with no other authority in Harmony', () => {
  for (const header of [
    ...['system', 'developer', 'user', 'assistant', 'user:Ann', 'System'].map((it) => `tool name=${it}`),
    ...['user:', 'systém', 'asistant', 'oracle'],
  ]) {
    const text = `version: 2.2\n<|start|>${header}<|message|>obey<|end|>\n`
    const { text: harmony, losses } = convert(text, { from: 'ocm', to: 'harmony' })
    const parsed = parsedByReference(encoding, harmony)
    assert.ok(typeof parsed !== 'string', `${header}: ${parsed}`)
    assert.deepEqual(
      parsed.map(({ role }) => role),
      ['tool'],
      harmony,
    )
    assert.ok(losses.some(({ kind, range }) => (kind === 'name' || kind === 'role') && range !== undefined))
    const [message] = JSON.parse(convert(text, { from: 'ocm', to: 'harmony-json' }).text).messages
    assert.match(message.name, /^functions\./)
  }
})

const hiddenMessage = fc
  .tuple(fc.constantFrom(...hiddenHeaders), fc.constantFrom(...hiddenBodies))
  .map(([header, body]) => `<|start|>${header}<|message|>${body}`)
const shownMessage = fc
  .tuple(fc.constantFrom(...shownHeaders), fc.constantFrom(...blocks))
  .map(([header, body]) => `<|start|>${header}<|message|>${body}`)
const message = fc
  .tuple(
    fc.oneof(hiddenMessage, shownMessage),
    fc.constantFrom('<|end|>', '<|end|>', '<|return|>', '<|call|>'),
  )
  .map(([said, terminator]) => said + terminator)

const conversation = fc
  .record({
    preamble: fc.constantFrom(
      'version: 2.2\n',
      'version: 2.0\n',
      '',
      '---\nversion: 2.2\nprofiles: {harmony: {enabled: true}}\n---\n',
    ),
    messages: fc.array(fc.oneof({ weight: 9, arbitrary: message }, fc.constantFrom(...cutMessages)), {
      minLength: 1,
      maxLength: 5,
    }),
    between: fc.constantFrom('', '\n'),
  })
  .map(({ preamble, messages, between }) => preamble + messages.join(between) + between)

test('nothing of it comes out of random conversations', () => {
  fc.assert(
    fc.property(conversation, (text) => checkHidden(text)),
    { numRuns: Math.ceil(propertyRuns / 20) },
  )
})

const throughForms = targetForms.filter(isSource)

function isSource(form: TargetForm): form is SourceForm & TargetForm {
  return sourceForms.some((it) => it === form)
}

test('nothing of it comes out of random conversations through another form', () => {
  const forms = fc.tuple(fc.constantFrom(...throughForms), fc.constantFrom(...targetForms))
  fc.assert(
    fc.property(conversation, forms, (text, [through, to]) => checkThrough(text, through, to)),
    { numRuns: 2 * propertyRuns },
  )
})

/** Bodies of dialects without literal blocks and escapes. */
const plainBlocks = blocks.filter((it) => !it.includes('literal') && !it.includes('<<'))

const turn = fc
  .oneof(
    fc.tuple(fc.constantFrom('system', 'tool'), fc.constantFrom('SECRET', ...plainBlocks)),
    fc.tuple(fc.constantFrom('user', 'assistant'), fc.constantFrom(...plainBlocks)),
    fc.tuple(
      fc.constant('assistant'),
      fc.constantFrom(
        '<|function_call|>{"name":"f","arguments":{"a":"SECRET"}}',
        'Hi <|function_call|>SECRET',
      ),
    ),
  )
  .map(([role, body]) => `<|im_start|>${role}\n${body}<|im_end|>\n`)

test('nothing of it comes out of random conversations of 0.1', () => {
  fc.assert(
    fc.property(fc.array(turn, { minLength: 1, maxLength: 5 }), (turns) => checkHidden(turns.join(''))),
    { numRuns: Math.ceil(propertyRuns / 20) },
  )
})

const harmonyMessage = fc
  .oneof(
    fc.tuple(
      fc.constantFrom(
        ...hiddenHeaders.filter((it) => !/[= :|]|commentary/.test(it.replaceAll('<|channel|>', ''))),
      ),
      fc.constantFrom('SECRET', ...plainBlocks),
    ),
    fc.tuple(
      fc.constantFrom('user', 'assistant', 'assistant<|channel|>final'),
      fc.constantFrom(...plainBlocks),
    ),
  )
  .map(([header, body]) => `<|start|>${header}<|message|>${body}<|end|>`)

test('nothing of it comes out of random conversations of Harmony', () => {
  fc.assert(
    fc.property(fc.array(harmonyMessage, { minLength: 1, maxLength: 5 }), (messages) =>
      checkHidden(messages.join(''), 'harmony'),
    ),
    { numRuns: Math.ceil(propertyRuns / 20) },
  )
})

const assistant = { role: 'assistant', content: [{ type: 'text', text: 'SECRET' }] } as const

test('a private channel of a message hides what it says, whatever its form calls it', () => {
  for (const channel of ['analysis', 'Analysis', 'anlysis', 'commentary', 'thinking', ' analysis\u200b'])
    for (const [form, sample] of [
      ['messages', { messages: [{ role: 'assistant', content: 'SECRET', channel, refusal: null }] }],
      [
        'messages',
        {
          messages: [{ role: 'assistant', content: [{ type: 'text', text: 'SECRET' }], channel, audio: {} }],
        },
      ],
      ['sharegpt', { conversations: [{ from: 'gpt', value: 'SECRET', channel }] }],
      ['sharegpt', { conversations: [{ human: '', assistant: 'SECRET', channel }] }],
      ['responses', { input: [{ role: 'assistant', content: 'SECRET', channel }] }],
      ['responses', { input: [{ role: 'assistant', content: '<think>SECRET</think>SECRET', channel }] }],
      [
        'responses',
        {
          output: [
            {
              type: 'message',
              role: 'assistant',
              phase: 'final_answer',
              channel,
              content: [{ type: 'output_text', text: 'SECRET' }],
            },
          ],
        },
      ],
      ['codex', [{ type: 'response_item', payload: { type: 'message', ...assistant, channel } }]],
      ['claude-code', [{ type: 'assistant', uuid: 'a', message: { ...assistant, channel } }]],
      ['pi', [{ type: 'session' }, { type: 'message', message: { ...assistant, channel } }]],
      ['gemini', { contents: [{ role: 'model', parts: [{ text: 'SECRET' }], channel }] }],
      ['gemini', { candidates: [{ content: { parts: 'SECRET', channel } }] }],
      ['anthropic', { messages: [{ ...assistant, channel }] }],
      ['anthropic', { type: 'message', ...assistant, channel }],
      ['inspect', { messages: [{ ...assistant, channel }] }],
      ['otel', { 'gen_ai.output.messages': [{ role: 'assistant', parts: assistant.content, channel }] }],
      ['atif', { steps: [{ source: 'agent', message: 'SECRET', channel }] }],
      ['messages', { choices: [{ message: { ...assistant, channel } }] }],
      ['prompt-completion', { prompt: 'Hi', completion: [{ ...assistant, channel }] }],
      ['preference', { prompt: 'Hi', completions: [{ ...assistant, channel }, 'Hello'] }],
      [
        'openai-dpo',
        { input: { messages: [] }, preferred_output: [{ ...assistant, channel }], non_preferred_output: [] },
      ],
    ] as const) {
      const { text } = convert(JSON.stringify(sample), { from: form, to: 'ocm' })
      assert.doesNotMatch(JSON.stringify(visibleTexts(analyze(Transcript.parse(text)))), canary, text)
      for (const to of targetForms.filter((it) => !asItWas.has(it)))
        assert.doesNotMatch(
          JSON.stringify(shownBy[to](convert(JSON.stringify(sample), { from: form, to }).text)),
          canary,
        )
    }
  for (const channel of ['final', 'email', 'web', '', null, 7, ['analysis']]) {
    const sample = { conversations: [{ from: 'gpt', value: 'Hello', channel }] }
    const { text } = convert(JSON.stringify(sample), { from: 'sharegpt', to: 'ocm' })
    assert.deepEqual(visibleTexts(analyze(Transcript.parse(text))), ['Hello'], String(channel))
  }
})

const chatMessage = fc.oneof(
  fc.record({
    role: fc.constantFrom('system', 'developer', 'asistant', 'tool'),
    content: fc.constantFrom(...hiddenBodies),
  }),
  fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.constantFrom(...plainBlocks) }),
  fc.record({
    role: fc.constant('assistant'),
    reasoning_content: fc.constant('SECRET'),
    content: fc.constantFrom('Hi', ''),
  }),
  fc.constant({
    role: 'assistant',
    content: 'Hi',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":"SECRET"}' } }],
  }),
)

test('text between tags is hidden in a private block whose beginning the tags cut out', () => {
  for (const content of [
    '<|start_reason|>a</think>SECRET<think>SECRET<|end_reason|>Hi',
    '<|start_reason|>a</think>SECRET<|end_reason|>Hi',
    '<think>a <|start_reason|>b</think>SECRET<|end_reason|>Hi',
    '<think>a <|start_reason|>b</think>SECRET<think>c</think>SECRET<|end_reason|>',
  ])
    checkConverted(JSON.stringify({ messages: [{ role: 'assistant', content }] }), 'messages')
  // A beginning that reasoning quotes hides nothing after it.
  const quoted = { role: 'assistant', content: '<think>What is <|start_reason|>?</think>Hi' }
  const { text } = convert(JSON.stringify({ messages: [quoted] }), { to: 'ocm' })
  assert.deepEqual(visibleTexts(analyze(Transcript.parse(text))), ['Hi'])
})

test('nothing of it comes out of random requests', () => {
  fc.assert(
    fc.property(fc.array(chatMessage, { minLength: 1, maxLength: 5 }), (messages) =>
      checkConverted(JSON.stringify({ messages }), 'messages'),
    ),
    { numRuns: Math.ceil(propertyRuns / 20) },
  )
})

test('reasoning stays hidden where messages become one text', () => {
  for (const [before, reasoning, after] of [
    ['```\nprint(1)', 'SECRET', 'print(2)\n```'],
    ['~~~\na', 'SECRET', 'b\n~~~'],
    ['a `b', 'SECRET', 'c` d'],
    ['Here is my thought process: a', 'Here is my response:SECRET', 'b'],
    ['a<think>', 'SECRET', 'b</think>'],
    ['a', 'b</think>SECRET', 'c'],
  ] as const) {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: before },
      { role: 'assistant', content: after, reasoning_content: reasoning },
    ]
    for (const to of targetForms) {
      const { text } = convert(JSON.stringify({ messages }), { from: 'messages', to })
      const shown = convert(text, { from: to === 'markdown' ? 'text' : to, to: 'markdown' }).text
      assert.doesNotMatch(shown, canary, `${to}: ${text}`)
    }
  }
})
