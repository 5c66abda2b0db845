/** What holds of the problems of any text. The seed of a failure is in its message. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Problem } from '../../core/src/rules/problem.ts'
import { rules } from '../../core/src/rules/rule-registry.ts'
import { plausible, propertyRuns, transcriptText } from '../helpers/arbitraries.ts'
import { fixed, problemsIn } from './check-rules.ts'

/** Transcripts of the examples, bent a little: they reach every rule but those on samples. */
const nearlyExamples = fc
  .tuple(
    fc.constantFrom(...rules.flatMap(({ bad, good }) => [bad, good]).filter((it) => !it.startsWith('{"'))),
    fc.nat(),
    fc.nat({ max: 6 }),
    fc.constantFrom(
      '',
      ' ',
      '<|end|>',
      '<|message|>',
      '<|channel|>',
      'x',
      '=',
      '"',
      '\n',
      '<|call|>',
      'json',
    ),
  )
  .map(([text, at, length, inserted]) => {
    const from = at % (text.length + 1)
    return text.slice(0, from) + inserted + text.slice(from + length)
  })

const texts = fc.oneof(transcriptText, plausible, nearlyExamples)

describe('the problems of any text', () => {
  it('never come from a rule that throws, and mark text of the document', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { range, related, fixes } of problemsIn(text)) {
          const ranges = [range, ...related.map((it) => it.range), ...fixes.flatMap(({ edits }) => edits)]
          for (const { start, end } of ranges) assert.ok(0 <= start && start <= end && end <= text.length)
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('have messages of one short line', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { message, fixes } of problemsIn(text)) {
          for (const line of [message, ...fixes.map(({ title }) => title)]) {
            assert.ok(!/[\r\n]/.test(line) && line.length < 250, JSON.stringify(line))
          }
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('have edits in order that do not overlap', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { fixes } of problemsIn(text)) {
          for (const { edits } of fixes) {
            for (let index = 1; index < edits.length; index++) {
              assert.ok((edits[index - 1]?.end ?? 0) <= (edits[index]?.start ?? 0))
            }
          }
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('are gone after a safe fix, which brings no others', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const before = problemsIn(text)
        for (const problem of before) {
          for (const fix of problem.fixes.filter(({ isSafe }) => isSafe)) {
            const after = counts(problemsIn(fixed(text, fix)))
            const allowed = counts(before.filter((it) => it !== problem))
            for (const [rule, count] of after) {
              assert.ok(count <= (allowed.get(rule) ?? 0), `${problem.rule} leaves or brings ${rule}`)
            }
          }
        }
      }),
      { numRuns: propertyRuns },
    )
  })
})

/** How often each rule reports. */
function counts(problems: readonly Problem[]): ReadonlyMap<string, number> {
  const counted = new Map<string, number>()
  for (const { rule } of problems) counted.set(rule, (counted.get(rule) ?? 0) + 1)
  return counted
}
