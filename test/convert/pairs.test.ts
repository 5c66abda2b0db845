/** Which reply answers which call is the same before and after a conversion, in every form, or it is a loss (D12). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  convert,
  factsOf,
  type LossKind,
  sourceForms,
  Transcript,
  targetForms,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

interface Turn {
  readonly kind: 'call' | 'reply' | 'named' | 'user'
  readonly tool: string
  readonly id: string | undefined
}

const turn: fc.Arbitrary<Turn> = fc.record({
  kind: fc.constantFrom('call', 'call', 'reply', 'reply', 'named', 'user'),
  tool: fc.constantFrom('f', 'f', 'g'),
  id: fc.constantFrom(undefined, undefined, 'c1', 'c2', 'call_1'),
})

const exchange = fc.array(turn, { minLength: 2, maxLength: 5 })

/** A transcript whose bodies number the messages. */
function transcriptOf(turns: readonly Turn[]): string {
  const messages = turns.map(({ kind, tool, id }, index) => {
    const callId = id === undefined ? '' : ` call_id=${id}`
    const body = `<|message|>{"n":${index}}`
    switch (kind) {
      case 'call':
        return `<|start|>assistant to=functions.${tool}${callId}<|channel|>commentary<|constrain|>json${body}<|call|>`
      case 'reply':
        return `<|start|>tool name=functions.${tool}${callId} to=assistant<|channel|>commentary${body}<|end|>`
      case 'named':
        return `<|start|>${tool}.x${callId} to=assistant<|channel|>commentary${body}<|end|>`
      case 'user':
        return `<|start|>user${body}<|end|>`
      default:
        return kind satisfies never
    }
  })
  return `version: 2.2\n${messages.join('\n')}\n`
}

/** The pairs as `call-reply`, by the numbers in the bodies. */
function pairsIn(text: string): readonly string[] {
  const { exchanges } = analyze(Transcript.parse(text))
  const number = (segment: { readonly text: string }) => /"n":(\d+)/.exec(segment.text)?.[1]
  const pairs: string[] = []
  for (const reply of exchanges.segments()) {
    const it = exchanges.exchange(reply)
    if (it?.kind === 'reply' && it.partner) pairs.push(`${number(it.partner)}-${number(reply)}`)
  }
  return pairs.sort()
}

/** Without a prompt, an answer is not read again from every form. */
const asked: Turn = { kind: 'user', tool: '', id: undefined }
const forms = targetForms.filter((it) => sourceForms.some((form) => form === it))
/** Losses that say that a reply or its call is another message, or none. */
const noPair: ReadonlySet<LossKind> = new Set<LossKind>(['pairing', 'role', 'not-a-message'])

for (const to of forms) {
  test(`${to}: pairs before are pairs after, or it is told`, () => {
    fc.assert(
      fc.property(exchange, (turns) => {
        const source = transcriptOf([asked, ...turns])
        const { text, losses } = convert(source, { from: 'ocm', to })
        const back = to === 'ocm' ? { text, losses } : convert(text, { from: to as 'json', to: 'ocm' })
        const after = pairsIn(back.text)
        const told = [...losses, ...back.losses].map(({ kind }) => kind)
        if (told.some((it) => noPair.has(it))) assert.notEqual(to, 'ocm')
        else assert.deepEqual(after, pairsIn(source), `${source}\n${text}`)
      }),
      { numRuns: Math.ceil(propertyRuns / 2) },
    )
  })
}

test('what is converted once has the same pairs and ids when it is converted again', () => {
  fc.assert(
    fc.property(exchange, (turns) => {
      const once = convert(transcriptOf(turns), { from: 'ocm', to: 'ocm' })
      assert.equal(convert(once.text, { from: 'ocm', to: 'ocm' }).text, once.text)
    }),
    { numRuns: propertyRuns },
  )
})

/** The ids of the messages of `turns` in a form; undefined for none. */
function idsAfter(turns: readonly Turn[], to: 'ocm'): readonly (string | undefined)[] {
  const ids: (string | undefined)[] = []
  Transcript.parse(convert(transcriptOf(turns), { from: 'ocm', to }).text).forEachSegment((segment) => {
    const facts = factsOf(segment)
    if (facts) ids.push(facts.callId)
  })
  return ids
}

const call = (tool: string, id?: string): Turn => ({ kind: 'call', tool, id })
const reply = (tool: string, id?: string): Turn => ({ kind: 'reply', tool, id })

test('a call without id takes the id of its reply', () => {
  assert.deepEqual(idsAfter([call('f'), reply('f', 'c2')], 'ocm'), ['c2', 'c2'])
  const { text, losses } = convert(transcriptOf([call('f'), reply('f', 'c2')]), {
    from: 'ocm',
    to: 'messages',
  })
  const { messages } = JSON.parse(text)
  assert.deepEqual([messages[0].tool_calls[0].id, messages[1].tool_call_id], ['c2', 'c2'])
  assert.deepEqual(losses, [])
})

test('replies that share an id get others where their calls had none, and that is told', () => {
  const turns = [call('f'), call('f'), reply('f', 'c2'), reply('f', 'c2')]
  assert.deepEqual(idsAfter(turns, 'ocm'), ['call_1', 'call_2', 'call_1', 'call_2'])
  const { losses } = convert(transcriptOf(turns), { from: 'ocm', to: 'ocm' })
  assert.deepEqual(
    losses.map(({ kind }) => kind),
    ['call-id', 'call-id'],
  )
})

test('calls that share an id get others in a request, and that is told', () => {
  const { text, losses } = convert(
    transcriptOf([call('f', 'c1'), call('g', 'c1'), reply('f', 'c1'), reply('g', 'c1')]),
    {
      from: 'ocm',
      to: 'messages',
    },
  )
  const { messages } = JSON.parse(text)
  assert.deepEqual(
    messages.slice(1).map((it: { tool_call_id: string }) => it.tool_call_id),
    ['c1', 'call_1'],
  )
  assert.ok(losses.some(({ kind, range }) => kind === 'call-id' && range))
})

test('where Harmony pairs another call, it is told', () => {
  const source = transcriptOf([call('f', 'c1'), call('f', 'c2'), reply('f', 'c2')])
  const { losses } = convert(source, { from: 'ocm', to: 'harmony' })
  assert.equal(losses.filter(({ kind }) => kind === 'pairing').length, 1)
})
