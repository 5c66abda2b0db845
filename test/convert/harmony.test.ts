/** The mapping between Harmony and OpenChatML, topic by topic, and what the reference's other mode does. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseHarmony } from '../../core/src/forms/harmony/harmony-parser.ts'
import {
  ConversionError,
  convert,
  detectForm,
  type LossKind,
  parseToJson,
  readConversation,
  tokenIds,
} from '../../core/src/internal.ts'

const header = 'version: 2.2\nprofiles:\n  harmony:\n    enabled: true\n\n'

/** Harmony becomes this transcript, whose header goes without saying. */
function checkImport(harmony: string, ocm: string): void {
  const result = convert(harmony, { from: 'harmony', to: 'ocm' })
  assert.equal(result.text, header + ocm)
}

/** A transcript becomes this Harmony, and loses what is named. */
function checkExport(ocm: string, harmony: string, ...losses: LossKind[]): void {
  const result = convert(`version: 2.2\n${ocm}`, { from: 'ocm', to: 'harmony' })
  assert.equal(result.text, harmony)
  assert.deepEqual(
    result.losses.map(({ kind }) => kind),
    losses,
  )
}

describe('Harmony → OpenChatML', () => {
  test('a call behind the channel, its reply, and their id', () => {
    checkImport(
      '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>1<|end|>',
      '<|start|>assistant to=functions.f call_id=call_1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n<|start|>tool name=functions.f call_id=call_1 to=assistant<|channel|>commentary<|message|>1<|end|>\n',
    )
  })
  test('commentary to nobody is a preamble', () => {
    checkImport(
      '<|start|>assistant<|channel|>commentary<|message|>Plan<|end|>',
      '<|start|>assistant intent=preamble<|channel|>commentary<|message|>Plan<|end|>\n',
    )
  })
  test('control tokens in bodies are escaped, also those of OpenChatML only', () => {
    checkImport(
      '<|start|>user<|message|><|start|><|literal|><<|channel|><<|return|>',
      '<|start|>user<|message|><<|start|><<|literal|><<<|channel|><|literal|><<|endliteral|><|end|>\n',
    )
  })
  test('a hint at a type is no constraint', () => {
    checkImport(
      '<|start|>assistant to=f<|channel|>commentary json<|message|>{}<|call|>',
      '<|start|>assistant to=f call_id=call_1 content_type=json<|channel|>commentary<|message|>{}<|call|>\n',
    )
  })
  test('a constraint that the reference takes for a recipient is one', () => {
    checkImport(
      '<|start|>assistant<|channel|>final <|constrain|>json<|message|>{}<|return|>',
      '<|start|>assistant<|channel|>final<|constrain|>json<|message|>{}<|return|>\n',
    )
  })
  test('open calls of one tool are answered in order', () => {
    const call = '<|start|>assistant to=f<|channel|>commentary<|message|>{}<|call|>'
    const reply = '<|start|>f to=assistant<|channel|>commentary<|message|>1<|end|>'
    const { messages } = parseToJson(
      convert(call + call + reply + reply, { from: 'harmony', to: 'ocm' }).text,
    )
    assert.deepEqual(
      messages.map(({ call_id }) => call_id),
      ['call_1', 'call_2', 'call_1', 'call_2'],
    )
  })
  test('a prompt stays one', () => {
    checkImport(
      '<|start|>user<|message|>Hi<|end|><|start|>assistant',
      '<|start|>user<|message|>Hi<|end|>\n<|start|>assistant',
    )
  })
  test('what the reference refuses is read as far as it goes, and told', () => {
    const text =
      '<|start|>user:ann<|message|>Hi<|end|>\n<|start|>assistant<|channel|>final<|message|>Yo<|end|>'
    const result = convert(text, { from: 'harmony', to: 'ocm' })
    assert.match(
      result.text,
      /<\|start\|>user name=ann<\|message\|>Hi<\|end\|>\n<\|start\|>assistant<\|channel\|>final/,
    )
    assert.deepEqual(result.losses[0]?.kind, 'malformed-header')
    assert.throws(() => convert(text, { from: 'harmony', to: 'ocm', isStrict: true }), ConversionError)
  })
})

describe('OpenChatML → Harmony', () => {
  test('an answer without a channel is final, and others stay without', () => {
    checkExport(
      '<|start|>user<|message|>Hi<|end|>\n\n<|start|>assistant<|message|>Yo<|end|>\n',
      '<|start|>user<|message|>Hi<|end|><|start|>assistant<|channel|>final<|message|>Yo<|end|>',
    )
  })
  test('earlier ends of sampling are ends, the last one stays', () => {
    const answer = '<|start|>assistant<|channel|>final<|message|>Yo<|return|>'
    checkExport(answer + answer, `${answer.replace('return', 'end')}${answer}`, 'terminator')
  })
  test('a reply gets a recipient, so that it can be read', () => {
    checkExport(
      '<|start|>functions.f<|message|>1<|end|>',
      '<|start|>functions.f to=assistant<|message|>1<|end|>',
    )
  })
  test('names, ids, hints', () => {
    checkExport('<|start|>user name=ann<|message|>Hi<|end|>', '<|start|>user<|message|>Hi<|end|>', 'name')
    checkExport(
      '<|start|>assistant to=f call_id=c content_type=json<|channel|>commentary<|constrain|>json<|message|>{}<|call|>',
      '<|start|>assistant to=f<|channel|>commentary <|constrain|>json<|message|>{}<|call|>',
      'call-id',
      'content-type',
    )
  })
  test('hidden commentary does not become a preamble', () => {
    checkExport(
      '<|start|>assistant intent=status<|channel|>commentary<|message|>x<|end|>',
      '<|start|>assistant<|channel|>analysis<|message|>x<|end|>',
      'intent',
      'channel',
    )
    checkExport(
      '<|start|>assistant intent=preamble<|channel|>commentary<|message|>x<|end|>',
      '<|start|>assistant<|channel|>commentary<|message|>x<|end|>',
    )
  })
  test('literal blocks are text', () => {
    checkExport(
      '<|start|>user<|message|>a <|literal|>b<|endliteral|><|end|>',
      '<|start|>user<|message|>a b<|end|>',
      'literal-block',
    )
  })
  test('replies of one tool go in the order of its calls', () => {
    const call = (id: string) =>
      `<|start|>assistant to=f call_id=${id}<|channel|>commentary<|message|>{}<|call|>`
    const reply = (id: string) =>
      `<|start|>tool to=assistant call_id=${id} name=f<|channel|>commentary<|message|>${id}<|end|>`
    const { text, losses } = convert(`version: 2.2\n${call('a')}${call('b')}${reply('b')}${reply('a')}`, {
      to: 'harmony',
    })
    assert.match(text, /<\|message\|>a<\|end\|>.*<\|message\|>b<\|end\|>$/)
    assert.ok(losses.some(({ kind }) => kind === 'order'))
  })
  test('a body that spells a token is refused as text, and encoded as characters', () => {
    const text = 'version: 2.2\n<|start|>user<|message|><<|end|><|end|>'
    assert.throws(() => convert(text, { to: 'harmony' }), /token IDs/)
    const { conversation } = readConversation(text)
    const ids = tokenIds(conversation, {
      encode: (it) => [...it].map((character) => character.charCodeAt(0)),
    })
    assert.equal(ids.filter((id) => id === 200007).length, 1)
  })
  test('what a prompt drops (a.7)', () => {
    const say = (channel: string, end = 'end') =>
      `<|start|>assistant<|channel|>${channel}<|message|>${channel}<|${end}|>`
    const prompt = (text: string) =>
      convert(`version: 2.2\n${text}`, { to: 'harmony', purpose: 'history' }).text
    assert.equal(prompt(say('analysis') + say('final')), say('final'))
    assert.equal(
      prompt(say('analysis') + say('final') + say('analysis') + say('final')),
      say('final') + say('analysis') + say('final'),
    )
    const open = `${say('analysis')}<|start|>assistant to=f<|channel|>commentary<|message|>{}<|call|>`
    assert.equal(prompt(open), open)
  })
  test('reasoning that a training sample loses is reported, with its place', () => {
    const thought = '<|start|>assistant<|channel|>analysis<|message|>T<|end|>'
    const answer = '<|start|>assistant<|channel|>final<|message|>A<|end|>'
    const source = `version: 2.2\n${thought}${answer}${thought}`
    const of = (text: string) => {
      const { losses } = convert(text, { to: 'harmony', purpose: 'training' })
      return losses.map(({ kind, range }) => [kind, range?.start])
    }
    assert.deepEqual(of(`${source}${answer}`), [['reasoning', source.indexOf(thought)]])
    assert.deepEqual(of(`version: 2.2\n${answer}${thought}${answer}`), [])
    const { losses } = convert(`${source}${answer}`, { to: 'harmony' })
    assert.deepEqual(losses, [])
  })
})

describe('the reference without strictness', () => {
  const parse = (text: string, role?: string) =>
    parseHarmony(text, { isStrict: false, ...(role !== undefined && { role }) }).map(
      ({ range: _range, ...rest }) => rest,
    )
  test('a header that a terminator ends is refused, so that its text is kept otherwise (P18, P19)', () => {
    const good = '<|start|>user<|message|>Hi<|end|>'
    assert.throws(() => parse(`${good}<|start|>assistant oops<|end|>${good}`), ConversionError)
    assert.throws(() => parse('<|channel|>final I must  refuse<|end|>', 'assistant'), ConversionError)
  })
  test('everything else still raises (P20)', () => {
    assert.throws(() => parse('x<|start|>user<|message|>Hi<|end|>'), ConversionError)
    assert.throws(() => parse('<|start|>a<|message|>Hi<|end|>'), ConversionError)
  })
})

describe('detection', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['version: 2.2\n<|start|>user<|message|>Hi<|end|>', 'ocm'],
    ['<|im_start|>user\nHi<|im_end|>', 'ocm'],
    ['[BOS]<|im_start|>user\nHi<|im_end|>', 'ocm'],
    ['<|start|>user<|message|>Hi<|end|><|start|>assistant', 'harmony'],
    ['<|start|>user<|message|>Hi<|end|>\n<|start|>assistant<|message|>Yo<|end|>', 'ocm'],
    ['<|start|>tool name=f<|message|>1<|end|><|start|>assistant', 'ocm'],
    ['{"messages":[{"role":"user","content":"Hi"}]}', 'messages'],
    ['[{"role":"user","content":"Hi"}]', 'messages'],
    ['[{"role":"assistant","content":null,"tool_calls":[]}]', 'messages'],
    ['[{"role":"assistant","channel":"final","content":"Hi","thinking":"x"}]', 'json'],
    ['{"header":{"version":2.2},"messages":[]}', 'json'],
    [
      '{"messages":[{"role":"user","content":[{"type":"text","text":"x"}],"channel":"final"}]}',
      'harmony-json',
    ],
    ['{"messages":[{"role":"system","content":[{"type":"system_content"}]}]}', 'harmony-json'],
    ['{"input":"Hi"}', 'responses'],
    ['[{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]', 'responses'],
    ['{"messages": [{"role" "x"}]}', 'messages'],
    ['', 'ocm'],
  ]
  for (const [text, form] of cases) test(text.slice(0, 60), () => assert.equal(detectForm(text), form))
})
