/** Calls and replies: an edited index says the same as a fresh one, and tells whose answer became another. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { type Analysis, analyze, type Segment, Transcript } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const header = 'version: 2.2\n'

const messages = [
  '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>',
  '<|start|>assistant to=functions.g<|channel|>commentary<|message|>{}<|call|>',
  '<|start|>tool name=functions.f<|message|>{}<|end|>',
  '<|start|>functions.g to=assistant<|message|>{}<|end|>',
  '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>',
  '<|start|>assistant to=functions.g call_id=c2<|channel|>commentary<|message|>{}<|call|>',
  '<|start|>tool name=functions.f call_id=c1<|message|>{}<|end|>',
  '<|start|>tool name=functions.g call_id=c2<|message|>{}<|end|>',
  '<|start|>tool name=functions.g call_id=c9<|message|>{}<|end|>',
  '<|start|>assistant to=functions.g call_id=c1<|channel|>commentary<|message|>{}<|call|>',
  '<|start|>functions.g call_id=c1<|message|>{}<|end|>',
  '<|start|>assistant to=container.exec<|channel|>commentary<|message|>{}<|call|>',
  '<|start|>container.exec to=assistant<|message|>{}<|end|>',
  '<|start|>container call_id=c2<|message|>{}<|end|>',
  '<|start|>tool<|message|>x<|end|>',
  '<|start|>user<|message|>hi<|end|>',
]

const someMessages = (maxLength: number) => fc.array(fc.constantFrom(...messages), { maxLength, size: 'max' })

/** Replaces whole messages, or types a character into the body of one. */
const change = fc.record({
  at: fc.nat(13),
  deleted: fc.nat(2),
  inserted: someMessages(2),
  isTyping: fc.boolean(),
})

it('says the same after edits as after reading the text, and tells what it changed', () => {
  fc.assert(
    fc.property(someMessages(14), fc.array(change, { minLength: 1, maxLength: 5 }), (texts, changes) => {
      const current = [...texts]
      const analysis = analyze(Transcript.parse(header + current.join('')))
      for (const { at, deleted, inserted, isTyping } of changes) {
        const index = Math.min(at, current.length)
        const start = header.length + current.slice(0, index).join('').length
        const typed = current[index]
        const count = isTyping && typed !== undefined ? 1 : deleted
        const replacement =
          isTyping && typed !== undefined ? [typed.replace('<|message|>', '<|message|> ')] : inserted
        const end = start + current.slice(index, index + count).join('').length
        const before = answersOf(analysis)
        const { exchanges } = analysis.edit([{ start, end, text: replacement.join('') }])
        for (const [segment, answer] of answersOf(analysis)) {
          if (!exchanges.has(segment)) assert.equal(answer, before.get(segment), 'a changed answer is told')
        }
        current.splice(index, count, ...replacement)
      }
      const fresh = analyze(Transcript.parse(header + current.join('')))
      assert.deepEqual(indexOf(analysis), indexOf(fresh))
    }),
    { numRuns: propertyRuns },
  )
})

function answersOf(analysis: Analysis) {
  const { exchanges } = analysis
  return new Map([...exchanges.segments()].map((it) => [it, exchanges.exchange(it)] as const))
}

/** The whole index, with places instead of segments. */
function indexOf({ transcript, exchanges }: Analysis) {
  const place = (segment: Segment | undefined) => segment && transcript.locate(segment)?.index
  return {
    exchanges: [...transcript.segments()].map(({ segment }) => {
      const { kind, partner, problem } = exchanges.exchange(segment) ?? {}
      const others = Object.entries(problem ?? {}).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : place(value),
      ])
      return { kind, partner: place(partner), problem: Object.fromEntries(others) }
    }),
    unanswered: [...exchanges.unanswered].map(place).sort(),
    withId: [...exchanges.ids()].sort().map((id) => [id, exchanges.withId(id).map(place)]),
    withTool: [...exchanges.tools()].sort().map((tool) => [tool, exchanges.withTool(tool).map(place)]),
    isCalled: ['f', 'functions.g'].map((tool) => exchanges.isCalled(tool)),
  }
}

it('pairs a reply with a call behind another reply that had none', () => {
  const [call, , reply] = messages
  const { exchanges, transcript } = analyze(Transcript.parse([header, reply, call, reply].join('')))
  const segmentAt = (index: number) => transcript.segment(index).segment
  assert.equal(exchanges.exchange(segmentAt(1))?.partner, undefined)
  assert.equal(exchanges.exchange(segmentAt(3))?.partner, segmentAt(2))
})
