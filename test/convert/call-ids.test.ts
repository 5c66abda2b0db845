/** Ids that calls and replies get where they have none: each reply answers the call that the analysis pairs it with (D12). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, convert, factsOf, Transcript } from '../../core/src/internal.ts'

/** Calls and replies in short: `call f`, `call f=a`, `reply f`, `reply f=a`. */
function transcriptOf(turns: string): string {
  return `version: 2.2\n${turns
    .split(', ')
    .map((it) => {
      const [, kind, tool, id] = /^(call|reply) (\w+)(?:=(\w+))?$/.exec(it) ?? []
      const callId = id === undefined ? '' : ` call_id=${id}`
      return kind === 'call'
        ? `<|start|>assistant to=functions.${tool}${callId}<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n`
        : `<|start|>tool name=functions.${tool}${callId} to=assistant<|channel|>commentary<|message|>x<|end|>\n`
    })
    .join('')}`
}

/** The ids in order of the text; `-` for none. */
function idsIn(text: string): string {
  const ids: string[] = []
  Transcript.parse(text).forEachSegment((segment) => {
    const facts = factsOf(segment)
    if (facts) ids.push(facts.callId ?? '-')
  })
  return ids.join(' ')
}

const cases: readonly (readonly [turns: string, ids: string])[] = [
  ['call f, reply f', 'call_1 call_1'],
  ['call f, call f, reply f, reply f', 'call_1 call_2 call_1 call_2'],
  ['call f, call g, reply g, reply f', 'call_1 call_2 call_2 call_1'],
  ['call f=a, reply f', 'a a'],
  ['call f=call_1, call f, reply f, reply f', 'call_1 call_2 call_1 call_2'],
  ['call f, reply f, reply f', 'call_1 call_1 -'],
  ['reply f, call f', '- call_1'],
  ['call f, reply f, reply f, call f, reply f', 'call_1 call_1 - call_2 call_2'],
  // The reply that names the call is its reply, wherever another one stands.
  ['call f=a, reply f, reply f=a', 'a - a'],
  ['call f=a, call f, reply f, reply f=a', 'a call_1 call_1 a'],
  ['reply f=a, call f=a, reply f', 'a a a'],
  ['call f=a, call f=a, reply f, reply f', 'a a a -'],
]

for (const [turns, ids] of cases) {
  test(turns, () => {
    const { text } = convert(transcriptOf(turns), { from: 'ocm', to: 'ocm' })
    assert.equal(idsIn(text), ids)
    assert.equal(convert(text, { from: 'ocm', to: 'ocm' }).text, text)
  })
}

test('a reply gets the id of the call it was paired with', () => {
  for (const [turns] of cases) {
    if (turns.includes('call f=a, call f=a')) continue // which of two is its call no id can tell
    const before = partners(transcriptOf(turns))
    const after = partners(convert(transcriptOf(turns), { from: 'ocm', to: 'ocm' }).text)
    for (const [reply, call] of before) if (call !== undefined) assert.equal(after.get(reply), call, turns)
  }
})

/** For each reply, by its place among the messages, the place of its call. */
function partners(text: string): ReadonlyMap<number, number | undefined> {
  const { transcript, exchanges } = analyze(Transcript.parse(text))
  const found = new Map<number, number | undefined>()
  transcript.forEachSegment((segment) => {
    const exchange = exchanges.exchange(segment)
    const place = transcript.locate(segment)?.index
    if (exchange?.kind !== 'reply' || place === undefined) return
    found.set(place, exchange.partner && transcript.locate(exchange.partner)?.index)
  })
  return found
}
