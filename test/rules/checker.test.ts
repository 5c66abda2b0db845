/** The checker while it is at work: edits in between lead where checking anew leads, and cost no second beginning. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  Checker,
  type Rule,
  rules,
  type Segment,
  selfCheck,
  Transcript,
} from '../../core/src/internal.ts'
import { placeEdit, propertyRuns, relativeEdit, transcriptText } from '../helpers/arbitraries.ts'
import { probeRule } from '../helpers/probe-rule.ts'

describe('a checker whose work is interrupted by edits', () => {
  it('finds what a fresh one finds', () => {
    const step = fc.record({ edit: relativeEdit, checked: fc.nat({ max: 6 }) })
    fc.assert(
      fc.property(transcriptText, fc.array(step, { minLength: 1, maxLength: 6 }), (text, steps) => {
        const analysis = analyze(Transcript.parse(text))
        const checker = new Checker(analysis)
        for (const { edit, checked } of steps) {
          checker.advance(checked)
          checker.update(analysis.edit([placeEdit(edit, analysis.transcript.text())]))
        }
        checker.advance()
        assert.equal(selfCheck(analysis, checker), undefined)
      }),
      { numRuns: propertyRuns },
    )
  })

  it('finds what a fresh one finds after several edits at once', () => {
    fc.assert(
      fc.property(
        transcriptText,
        fc.array(relativeEdit, { minLength: 2, maxLength: 4 }),
        fc.nat({ max: 6 }),
        (text, relatives, checked) => {
          const analysis = analyze(Transcript.parse(text))
          const checker = new Checker(analysis)
          checker.advance(checked)
          let current = text
          const edits = relatives.map((relative) => {
            const edit = placeEdit(relative, current)
            current = current.slice(0, edit.start) + edit.text + current.slice(edit.end)
            return edit
          })
          checker.update(analysis.edit(edits))
          checker.advance()
          assert.equal(selfCheck(analysis, checker), undefined)
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  it('finds what a fresh one finds when the last sign of version 2 goes', () => {
    const text =
      '<|start|>functions.f to=assistant<|message|>1<|end|>\n<|start|>functions.g<|message|>2<|end|>\n'
    const analysis = analyze(Transcript.parse(text))
    const checker = new Checker(analysis)
    checker.advance()
    const start = text.indexOf(' to=assistant')
    checker.update(analysis.edit([{ start, end: start + ' to=assistant'.length, text: '' }]))
    assert.equal(selfCheck(analysis, checker), undefined)
  })

  it('goes on where it was', () => {
    const message = '<|start|>user<|message|>Hi<|end|>\n'
    const text = `version: 2.2\n${message.repeat(1000)}`
    const seen: Segment[] = []
    const analysis = analyze(Transcript.parse(text))
    const checker = new Checker(analysis, { rules: [probeRule(seen)] })
    checker.advance(500)
    for (const index of [10, 499, 500, 501, 990]) {
      const at = analysis.transcript.segment(index).start + message.indexOf('Hi')
      checker.update(analysis.edit([{ start: at, end: at, text: 'x' }]))
      checker.advance(10)
    }
    checker.advance()
    assert.ok(seen.length >= 1000 && seen.length <= 1050, `${seen.length} messages were checked`)
  })
})

describe('an edit that changes what is said of very many messages', () => {
  it('checks a few of them at once, and the others in slices', () => {
    const count = 1000
    const call =
      '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n'
    const text = `version: 2.2\n${call.repeat(count)}`
    const seen: Segment[] = []
    const analysis = analyze(Transcript.parse(text))
    const checker = new Checker(analysis, { rules: [probeRule(seen)] })
    checker.advance()
    seen.length = 0
    const at = text.indexOf('call_id=') + 'call_id='.length
    checker.update(analysis.edit([{ start: at, end: at, text: 'x' }]))
    assert.ok(seen.length < 50, `${seen.length} messages were checked at once`)
    while (!checker.advance(100)) assert.ok(checker.isPending)
    assert.equal(seen.length, count)
    assert.equal(new Set(seen).size, count)
  })
})

describe('the header', () => {
  it('is checked again only if something changes that its rules look at', () => {
    let nChecked = 0
    const headerProbe: Rule = {
      ...probeRule([]),
      scope: 'header',
      check() {
        nChecked++
        return []
      },
    }
    const text = 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n'
    const analysis = analyze(Transcript.parse(text))
    const checker = new Checker(analysis, { rules: [headerProbe] })
    checker.advance()
    const type = (at: number) => {
      checker.update(analysis.edit([{ start: at, end: at, text: 'x' }]))
      checker.advance()
      return nChecked
    }
    assert.equal(nChecked, 1)
    assert.equal(type(text.indexOf('Hi')), 1)
    assert.equal(type('version: 2.2'.length), 2)
  })
})

describe('text beside the definition of a tool', () => {
  it('is edited without a look at the calls that are in order', () => {
    const definitions =
      '<|start|>developer<|message|>Be kind.\n# Tools\n## functions\nnamespace functions {\ntype f = (_: { a: number }) => any;\n} // namespace functions<|end|>\n'
    const call = (id: number, value: string) =>
      `<|start|>assistant to=functions.f call_id=c${id}<|channel|>commentary<|constrain|>json<|message|>{"a":${value}}<|call|>\n` +
      `<|start|>tool name=functions.f call_id=c${id} to=assistant<|message|>1<|end|>\n`
    const calls = Array.from({ length: 500 }, (_, id) => call(id, id === 250 ? '"1"' : '1')).join('')
    const analysis = analyze(Transcript.parse(`version: 2.2\n${definitions}${calls}`))
    const checker = new Checker(analysis)
    checker.advance()
    assert.deepEqual(
      checker.problems().problems.map(({ code }) => code),
      ['E-CALL-SCHEMA'],
    )
    let nLookedAt = 0
    const { exchanges } = analysis
    for (const name of ['exchange', 'toolOf', 'ofTool'] as const) {
      const own = exchanges[name].bind(exchanges) as (argument: never) => never
      exchanges[name] = (argument: never) => {
        nLookedAt++
        return own(argument)
      }
    }
    const at = analysis.transcript.text().indexOf('kind')
    checker.update(analysis.edit([{ start: at, end: at, text: 'very ' }]))
    assert.ok(!checker.isPending)
    assert.ok(nLookedAt > 0 && nLookedAt < 20, `${nLookedAt} looks at calls`)
    assert.equal(selfCheck(analysis, checker), undefined)
  })
})

describe('a text with more broken messages than anybody reads', () => {
  const broken = '<|start|>nobody<|message|>x<|end|>\n'
  const count = 10_500
  const unknownRole = rules.filter(({ name }) => name === 'unknown-role')

  function opened() {
    const analysis = analyze(Transcript.parse(`version: 2.2\n${broken.repeat(count)}`))
    const checker = new Checker(analysis)
    checker.advance()
    return { analysis, checker }
  }

  const { analysis, checker } = opened()
  const { problems } = opened().checker.problems()

  it('has all of its problems counted, and found again where one asks', () => {
    assert.equal(checker.totalSoFar, count)
    const last = analysis.transcript.segment(count)
    const [problem] = checker.problemsOf(last)
    assert.equal(problem?.rule, 'unknown-role')
    assert.equal(problem.range.start, last.start + '<|start|>'.length)
    assert.equal(checker.problems().problems.length, count)
    assert.equal(checker.totalSoFar, count)
  })

  it('has its problems made one after the other, and again whenever one asks, and keeps none of them', () => {
    const seen: Segment[] = []
    const probed = new Checker(analysis, { rules: [probeRule(seen), ...unknownRole] })
    probed.advance()
    for (const round of [1, 2]) {
      seen.length = 0
      assert.equal([...probed.eachProblem()].length, count)
      assert.equal(seen.length, 500, `messages that are checked again in round ${round}`)
      assert.deepEqual([...checker.eachProblem()], problems)
    }
  })

  it('is checked once where all of its problems are asked for first, and where checking was begun', () => {
    for (const nBefore of [0, 1, 10_200]) {
      const seen: Segment[] = []
      const checker = new Checker(analysis, { rules: [probeRule(seen), ...unknownRole] })
      if (nBefore > 0) checker.advance(nBefore)
      const found = [...checker.eachProblem()].filter(({ rule }) => rule === 'unknown-role')
      assert.deepEqual(
        found.map(({ range }) => range),
        problems.map(({ range }) => range),
      )
      assert.equal(seen.length, count + Math.max(0, nBefore - 1 - 10_000), `after ${nBefore}`)
      assert.equal(checker.problems().total, found.length)
    }
  })

  it('is as a fresh one after edits of what was only counted', () => {
    const { analysis, checker } = opened()
    const edit = (index: number, role: string) => {
      const { start } = analysis.transcript.segment(index)
      const from = start + '<|start|>'.length
      checker.update(analysis.edit([{ start: from, end: from + 'nobody'.length, text: role }]))
    }
    const { revision } = checker
    edit(count - 100, 'user')
    assert.equal(checker.totalSoFar, count - 1)
    assert.notEqual(checker.revision, revision)
    edit(count - 50, 'anyone')
    assert.equal(checker.totalSoFar, count - 1)
    assert.equal(selfCheck(analysis, checker), undefined)
  })
})
