/** Hidden text in visible text: what counts, what it costs, and that edits anywhere in the turn are followed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Transcript } from '../../core/src/document/transcript.ts'
import { selfCheck } from '../../core/src/features/self-check.ts'
import { Checker } from '../../core/src/rules/checker.ts'
import { commonRun } from '../../core/src/rules/common-run.ts'
import { analyze } from '../../core/src/semantics/analysis.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { problemsIn } from './check-rules.ts'

const secret =
  'They ask for the launch date again, and I must not tell them that it is the ninth of May, 2031.'
const header = 'version: 2.2\n'
const message = (role: string, channel: string, body: string) =>
  `<|start|>${role}<|channel|>${channel}<|message|>${body}<|end|>\n`
const thought = message('assistant', 'analysis', `Hm. ${secret} Hm.`)
const answer = message('assistant', 'final', `Well: ${secret} Bye.`)

function found(text: string): readonly string[] {
  return problemsIn(text)
    .filter(({ rule }) => rule === 'repeated-thought')
    .map(({ range }) => text.slice(range.start, range.end))
}

describe('hidden text in visible text', () => {
  it('is marked as far as it reaches, with where it comes from', () => {
    const text = header + thought + answer
    const [problem] = problemsIn(text)
    assert.equal(problem?.severity, 'hint')
    assert.equal(text.slice(problem?.range.start, problem?.range.end), ` ${secret} `)
    const [related] = problem?.related ?? []
    assert.equal(text.slice(related?.range.start, related?.range.end), ` ${secret} `)
    assert.ok((related?.range.start ?? 0) < text.indexOf('final'))
  })

  it('counts in the same turn only, also behind calls and replies', () => {
    const call = '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|>\n'
    const reply = '<|start|>tool name=functions.f call_id=c<|channel|>commentary<|message|>1<|end|>\n'
    assert.equal(found(header + thought + call + reply + answer).length, 1)
    assert.equal(found(header + thought + message('user', 'final', 'And?') + answer).length, 0)
    assert.equal(found(header + answer + thought).length, 0)
    assert.equal(found(header + message('tool', 'commentary', secret) + answer).length, 0)
  })

  it('is no name, no line of dashes, and not what the user wrote', () => {
    const short = secret.slice(0, 70)
    assert.deepEqual(
      found(header + message('assistant', 'analysis', short) + message('assistant', 'final', short)),
      [],
    )
    const line = '-'.repeat(200)
    assert.deepEqual(
      found(header + message('assistant', 'analysis', line) + message('assistant', 'final', line)),
      [],
    )
    assert.deepEqual(found(header + message('user', 'final', secret) + answer), [])
  })

  it('is looked for again after any edit in the turn', () => {
    const pieces = [
      thought,
      answer,
      message('user', 'final', 'And?'),
      message('assistant', 'analysis', 'Well.'),
    ]
    const indexes = fc.array(fc.nat(pieces.length - 1), { maxLength: 6 })
    const textOf = (list: readonly number[]) => list.map((index) => pieces[index]).join('')
    const edit = fc.tuple(indexes, indexes)
    fc.assert(
      fc.property(indexes, fc.array(edit, { minLength: 1, maxLength: 4 }), (before, edits) => {
        const analysis = analyze(Transcript.parse(header + textOf(before)))
        const checker = new Checker(analysis)
        checker.advance()
        let list = before
        for (const [at, inserted] of edits) {
          const from = at.length % (list.length + 1)
          const to = Math.min(list.length, from + at.length)
          const start = header.length + textOf(list.slice(0, from)).length
          const end = header.length + textOf(list.slice(0, to)).length
          checker.update(analysis.edit([{ start, end, text: textOf(inserted) }]))
          checker.advance()
          list = [...list.slice(0, from), ...inserted, ...list.slice(to)]
          assert.equal(analysis.transcript.text(), header + textOf(list))
          assert.equal(selfCheck(analysis, checker), undefined)
        }
      }),
      { numRuns: propertyRuns },
    )
  })
})

describe('a common run', () => {
  it('is found wherever it begins', () => {
    // In text that repeats itself the search may give up.
    const varied = fc
      .string({ unit: fc.constantFrom(...'abcdefghijklmnop'), minLength: 20, maxLength: 60 })
      .filter((it) => !/(.{1,4})\1\1/.test(it))
    fc.assert(
      fc.property(varied, varied, varied, varied, varied, (run, a, b, c, d) => {
        const result = commonRun(`${a}${run}${b}`, ['', `${c}${run}${d}`], 20)
        if (new Set(run).size < 12) return
        assert.ok(result)
        const { range, sourceRange, source } = result
        assert.equal(source, 1)
        assert.equal(
          `${a}${run}${b}`.slice(range.start, range.end),
          `${c}${run}${d}`.slice(sourceRange.start, sourceRange.end),
        )
        assert.ok(range.end - range.start >= 20)
      }),
      { numRuns: propertyRuns },
    )
  })

  it('is found in long texts too', () => {
    const noise = (seed: number) =>
      Array.from({ length: 3000 }, (_, index) => ((index * seed) % 9973).toString(36)).join(' ')
    const run = commonRun(
      `${noise(7919)}${secret}${noise(104_729)}`,
      [noise(1299), `${noise(31)}${secret}`],
      80,
    )
    assert.ok(run)
    assert.equal(run.source, 1)
    assert.ok(run.range.end - run.range.start >= secret.length)
  })

  it('is not made up', () => {
    assert.equal(commonRun('a'.repeat(1000), ['a'.repeat(1000)], 80), undefined)
    assert.equal(commonRun(secret, [], 80), undefined)
    assert.equal(commonRun(secret, [[...secret].reverse().join('')], 80), undefined)
  })
})
