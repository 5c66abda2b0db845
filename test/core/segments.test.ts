/** The invariants I2 and I5: what is known of a segment comes from the segment, and leads back to it alone. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  bodySpan,
  Checker,
  eachToken,
  factsOf,
  messageView,
  type Segment,
  Transcript,
  tokensOf,
} from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

const dialects = fc.constantFrom('2.2', '1.x', 'harmony') as fc.Arbitrary<'2.2' | '1.x' | 'harmony'>

/** Names of what is the same for all segments, or says nothing of the place: the chunk is one of any list's. */
const shared: ReadonlySet<string> = new Set(['framing', 'home'])

/**
 * Everything that can be reached from `value`, getters included, as plain data. A segment other than `own` that is
 * reached fails the test.
 */
function reachable(value: unknown, own: Segment, seen = new Set<object>()): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'function' : value
  if (seen.has(value)) return 'seen'
  seen.add(value)
  assert.ok(value === own || !isSegment(value, own), 'another segment is reached')
  if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]
  if (value instanceof Map || value instanceof Set) return [...value].map((it) => reachable(it, own, seen))
  return namesOf(value)
    .filter((name) => !shared.has(name))
    .map((name) => [name, reachable((value as Record<string, unknown>)[name], own, seen)])
}

function isSegment(value: object, other: Segment): boolean {
  return Object.getPrototypeOf(value) === Object.getPrototypeOf(other)
}

/** The names of fields and of getters. */
function namesOf(value: object): string[] {
  const names = Object.keys(value)
  for (let of = Object.getPrototypeOf(value); of && of !== Object.prototype; of = Object.getPrototypeOf(of)) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(of))) {
      if (get && name !== '__proto__') names.push(name)
    }
    if (of === Array.prototype || ArrayBuffer.isView(value)) break
  }
  return names.sort()
}

/** What is known of `segment`, by itself and by the functions that remember what they made of it. */
function knownOf(segment: Segment): unknown {
  const view = segment.kind === 'message' ? messageView(segment) : undefined
  return reachable({ segment, facts: factsOf(segment), view, tokens: tokensOf(segment) }, segment)
}

/** The segments of `text`, after everything was asked that an editor asks. */
function usedSegments(text: string, dialect: '2.2' | '1.x' | 'harmony'): readonly Segment[] {
  const transcript = Transcript.parse(text, { dialect })
  const checker = new Checker(analyze(transcript))
  checker.advance()
  for (const { range } of checker.problems().problems) transcript.positionAt(range.end)
  return [...transcript.segments()].map(({ segment }) => segment)
}

describe('a segment', () => {
  it('has its body where the view of the message has it', () => {
    fc.assert(
      fc.property(transcriptText, dialects, (text, dialect) => {
        for (const { segment } of Transcript.parse(text, { dialect }).segments()) {
          const { body } = segment.kind === 'message' ? messageView(segment) : {}
          assert.deepEqual(bodySpan(segment), body)
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('is self-contained: its tokens and syntax problems are those of its own text (I2)', () => {
    let nCompared = 0
    fc.assert(
      fc.property(transcriptText, dialects, fc.nat(), (text, dialect, nth) => {
        const segments = usedSegments(text, dialect)
        const messages = segments.slice(1).filter(({ kind }) => kind === 'message')
        const segment = messages[nth % Math.max(1, messages.length)]
        if (!segment) return
        const isTurn = segment.framing.name === 'chatml'
        const before = isTurn
          ? '<|im_start|>user\nHi<|im_end|>\n'
          : '<|start|>user<|message|>Hi<|literal|><|endliteral|><|end|>\n'
        const behind = isTurn ? before : '<|start|>user<|message|>x<|endliteral|><|end|>'
        // An end behind an open literal would close it, and then it would not be this segment (I4).
        for (const around of segment.hasOpenLiteral ? [''] : ['', behind]) {
          const moved: Segment | undefined = usedSegments(before + segment.text + around, dialect)[2]
          if (moved?.framing !== segment.framing || moved.text !== segment.text) continue
          nCompared++
          assert.deepEqual([...eachToken(tokensOf(moved))], [...eachToken(tokensOf(segment))])
          assert.deepEqual(messageView(moved).problems, messageView(segment).problems)
          assert.deepEqual(factsOf(moved), factsOf(segment))
        }
      }),
      { numRuns: propertyRuns },
    )
    assert.ok(nCompared > propertyRuns / 4, `only ${nCompared} segments were compared`)
  })

  it('is relative: nothing that is reached from it tells where it stands, or leads to another one (I5)', () => {
    let nCompared = 0
    fc.assert(
      fc.property(transcriptText, dialects, (text, dialect) => {
        const segments = usedSegments(text, dialect)
        const [preamble] = segments
        if (!preamble || segments.length < 2) return
        const isTurn = segments[1]?.framing.name === 'chatml'
        const before = isTurn
          ? '<|im_start|>user\nSome\nlines<|im_end|>\n'.repeat(3)
          : '<|start|>user<|message|>Some\nlines<|end|>\n'.repeat(3)
        const moved = usedSegments(preamble.text + before + text.slice(preamble.length), dialect).slice(4)
        if (moved.length !== segments.length - 1) return // what stood first goes on otherwise behind a message
        for (const [index, segment] of moved.entries()) {
          const unmoved = segments[index + 1]
          if (unmoved?.text !== segment.text) return
          nCompared++
          assert.deepEqual(knownOf(segment), knownOf(unmoved))
        }
      }),
      { numRuns: propertyRuns },
    )
    assert.ok(nCompared > propertyRuns / 4, `only ${nCompared} segments were compared`)
  })
})
