/** The tools of a document after edits are those of a fresh reading, and only the calls concerned are judged again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyze, Checker, type Rule, rules, Transcript } from '../../../core/src/internal.ts'
import { propertyRuns } from '../../helpers/arbitraries.ts'

const pieces = [
  '<|start|>developer<|message|>namespace functions {\ntype f = (_: {\na: string,\n}) => any;\n}<|end|>\n',
  '<|start|>developer<|message|>namespace functions {\ntype f = (_: {\na: number,\n}) => any;\ntype g = () => any;\n}<|end|>\n',
  '<|start|>system<|message|>namespace browser {\ntype search = (_: {\nquery: string,\n}) => any;\n}<|end|>\n',
  '<|start|>developer<|message|># Response Formats\n\n## x\n\n{"type":"object","required":["a"]}<|end|>\n',
  '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{"a":"x"}<|call|>\n',
  '<|start|>assistant to=functions.f call_id=c2<|channel|>commentary<|message|>{"a":1}<|call|>\n',
  '<|start|>assistant to=functions.ff call_id=c3<|channel|>commentary<|message|>{}<|call|>\n',
  '<|start|>assistant to=g call_id=c4<|channel|>commentary<|message|>{"b":1}<|call|>\n',
  '<|start|>assistant to=browser.search call_id=c5<|channel|>analysis<|message|>{}<|call|>\n',
  '<|start|>assistant<|channel|>final<|message|>{"b":1}<|return|>\n',
  'type f',
  'number',
  'string',
  '}',
  'namespace functions {',
  'a',
  '"a"',
  ' ',
  '<|end|>',
  '<|literal|>',
  '<|endliteral|>',
  '# ',
]

const edits = fc.array(fc.tuple(fc.nat(), fc.nat(40), fc.constantFrom('', ...pieces)), { maxLength: 6 })

test('edits give what a fresh reading gives', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), edits, (parts, changes) => {
      const analysis = analyze(Transcript.parse(`version: 2.2\n${parts.join('')}`))
      const checker = new Checker(analysis)
      checker.advance()
      for (const [at, length, text] of changes) {
        const start = at % (analysis.transcript.length + 1)
        const end = Math.min(analysis.transcript.length, start + length)
        checker.update(analysis.edit([{ start, end, text }]))
        checker.advance()
      }
      const fresh = analyze(Transcript.parse(analysis.transcript.text()))
      const freshChecker = new Checker(fresh)
      freshChecker.advance()
      assert.deepEqual(checker.problems(), freshChecker.problems())
      const names = (it: typeof fresh) =>
        [...it.tools.tools()].map(({ definition }) => definition.name).sort()
      assert.deepEqual(names(analysis), names(fresh))
    }),
    { numRuns: 2 * propertyRuns },
  )
})

/** Counts how often each segment is checked. */
function counting(): { readonly rules: readonly Rule[]; count(): number } {
  let count = 0
  const counter = rules.find((it) => it.name === 'unknown-tool')
  assert.ok(counter?.scope === 'message')
  const counted: Rule = {
    ...counter,
    check(context: Parameters<typeof counter.check>[0]) {
      count++
      return counter.check(context)
    },
  }
  return {
    rules: [counted],
    count: () => {
      const before = count
      count = 0
      return before
    },
  }
}

test('an edit in a call judges that call, an edit of a definition its calls, in slices', () => {
  const tools = ['f', 'g'].map((it) => `type ${it} = (_: {\na: string,\n}) => any;\n`).join('\n')
  const call = (tool: string, id: number) =>
    `<|start|>assistant to=functions.${tool} call_id=${tool}${id}<|channel|>commentary<|constrain|>json<|message|>{"a":"x"}<|call|>\n`
  const calls = (tool: string) => Array.from({ length: 500 }, (_, id) => call(tool, id)).join('')
  const text = `version: 2.2\n<|start|>developer<|message|>namespace functions {\n${tools}}<|end|>\n${calls('f')}${calls('g')}`
  const analysis = analyze(Transcript.parse(text))
  const counter = counting()
  const checker = new Checker(analysis, { rules: counter.rules })
  checker.advance()
  counter.count()

  const inCall = text.indexOf('"x"') + 1
  checker.update(analysis.edit([{ start: inCall, end: inCall, text: 'y' }]))
  assert.ok(counter.count() <= 3)
  assert.equal(checker.isPending, false)

  const inDefinition = text.indexOf('a: string')
  checker.update(analysis.edit([{ start: inDefinition, end: inDefinition + 1, text: 'b' }]))
  assert.ok(counter.count() <= 3)
  assert.equal(checker.isPending, true)
  assert.equal(checker.advance(100), false)
  assert.equal(counter.count(), 100)
  assert.equal(checker.advance(), true)
  assert.equal(counter.count(), 400)
})

test('the last definition before a call counts, else the first behind it', () => {
  const definition = (type: string) =>
    `<|start|>developer<|message|>namespace functions {\ntype f = (_: {\na: ${type},\n}) => any;\n}<|end|>\n`
  const call = (id: string) =>
    `<|start|>assistant to=functions.f call_id=${id}<|channel|>commentary<|message|>{"a":"x"}<|call|>\n`
  const text = `version: 2.2\n${call('c0')}${definition('string')}${call('c1')}${definition('number')}${call('c2')}`
  const checker = new Checker(analyze(Transcript.parse(text)))
  checker.advance()
  const found = checker.problems().problems.filter(({ code }) => code === 'E-CALL-SCHEMA')
  assert.equal(found.length, 1)
  assert.ok(found[0]!.range.start > text.indexOf('c2'))
})

test('what a definition refers to counts as its own', () => {
  const tools = (type: string) =>
    `[{"type":"function","function":{"name":"f","parameters":{"$ref":"#/1/x"}}},{"x":{"type":"object","properties":{"a":{"type":"${type}"}}}}]`
  const text = (type: string) =>
    `version: 2.2\n<|start|>developer<|message|>${tools(type)}<|end|>\n<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{"a":1}<|call|>\n`
  const analysis = analyze(Transcript.parse(text('number')))
  const checker = new Checker(analysis)
  checker.advance()
  const found = () => checker.problems().problems.map(({ code }) => code)
  assert.deepEqual(found(), [])
  const start = analysis.transcript.text().indexOf('number')
  checker.update(analysis.edit([{ start, end: start + 'number'.length, text: 'string' }]))
  checker.advance()
  assert.equal(analysis.transcript.text(), text('string'))
  assert.deepEqual(found(), ['E-CALL-SCHEMA'])
})
