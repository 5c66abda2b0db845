/** What the outline says of long bodies: headings, members of JSON, tools; and how much of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, outlineBlocks, outlineSizes, Transcript } from '../../core/src/internal.ts'
import { outline } from './outline.ts'

/** One line per entry below the first message, indented by depth. */
function partsOf(text: string): readonly string[] {
  const entries = [...outline(analyze(Transcript.parse(text)))]
  return entries
    .slice(1 + entries.findIndex(({ kind }) => kind !== 'turn' && kind !== 'header'))
    .map(({ depth, kind, name, detail, selection }) =>
      [`${'  '.repeat(depth)}${kind} ${name}`, detail, text.slice(selection.start, selection.end)].join(
        ' | ',
      ),
    )
}

const answer = (body: string) => `<|start|>assistant<|channel|>final<|message|>${body}<|end|>`
const call = (body: string) =>
  `<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>${body}<|call|>`

test('headings of Markdown are nested, and not looked for in code and literal blocks', () => {
  assert.deepEqual(
    partsOf(answer('# One\na\n## Two\n```\n# no\n```\n# Three\n<|literal|># no<|endliteral|>')),
    ['  heading One |  | # One', '    heading Two |  | ## Two', '  heading Three |  | # Three'],
  )
})

test('members of JSON are nested, with their values', () => {
  assert.deepEqual(partsOf(call('{"a": {"b": [1, {"c": null}]}, "d": "x\\n<<|end|>y"}')), [
    '  object a |  | "a"',
    '    array b |  | "b"',
    '      object 1 |  | {',
    '  value d | "x\\n<|end|>y" | "d"',
  ])
})

test('a message has at most a hundred parts, on three levels', () => {
  const wide = Array.from({ length: 1000 }, (_, index) => `"k${index}": ${index}`)
  assert.equal(partsOf(call(`{${wide.join(', ')}}`)).length, 100)
  assert.equal(partsOf(call(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)).length, 3)
  assert.equal(partsOf(answer('# a\n'.repeat(1000))).length, 100)
  assert.deepEqual(partsOf(call('[1, 2')), [])
})

test('tools stand below the headings of their message', () => {
  const tools = '# Tools\n## functions\nnamespace functions {\n// Adds.\ntype add = (_: {}) => any;\n}'
  assert.deepEqual(partsOf(`<|start|>developer<|message|>${tools}<|end|>`), [
    '  heading Tools |  | # Tools',
    '    heading functions |  | ## functions',
    '      tool add | Adds. | add',
  ])
})

test('an outline of a smaller scope leaves messages out, and its size is known before', () => {
  const text = [
    'version: 2.2',
    '<|start|>system<|message|>s<|end|>',
    '<|start|>user<|message|>a<|end|>',
    '<|start|>assistant<|channel|>analysis<|message|>b<|end|>',
    answer('# c'),
    '<|start|>user<|message|>d<|end|>',
  ].join('\n')
  const analysis = analyze(Transcript.parse(text))
  const namesOf = (scope: 'messages' | 'visible' | 'turns') =>
    [...outlineBlocks(analysis, scope)].map(({ item }) => item.name)
  assert.deepEqual(namesOf('turns'), ['Header', 'Turn 1', 'Turn 2'])
  assert.deepEqual(namesOf('visible'), ['Header', 'Turn 1', 'user: a', 'assistant: # c', 'Turn 2', 'user: d'])
  assert.equal(namesOf('messages').length, 8)
  assert.deepEqual(outlineSizes(analysis), { messages: 8, visible: 6, turns: 3 })
})

test('what is known of a message is kept when another one is edited', () => {
  const text = `${answer('# a')}\n${answer('# b')}\n`
  const analysis = analyze(Transcript.parse(text))
  const spansOf = () =>
    [...outlineBlocks(analysis, 'messages')].flatMap(({ item, parts }) => [item.span, parts()])
  const before = spansOf()
  analysis.edit([{ start: text.length - 8, end: text.length - 8, text: 'x' }])
  assert.deepEqual(
    spansOf().map((it, index) => it === before[index]),
    [true, true, false, false],
  )
})
