/** Folding and outline of a whole transcript, as text that a reader can judge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, folds, outline, Transcript } from '../../core/src/index.ts'

const transcript = `---
version: 2.2
profiles:
  harmony:
    enabled: false
---
<|start|>developer<|message|># Tools
namespace functions {
type f = (_: {
a: string,
}) => any;
}<|end|>
<|start|>user<|message|>What is it?
Tell me.<|end|>
<|start|>assistant<|channel|>analysis<|message|>Look it up.<|end|>
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{
  "a": "}",
  "b": [
    1
  ]
}<|call|>
<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>{}<|end|>
<|start|>assistant<|channel|>final<|message|>It is <|literal|>
<|end|>
<|endliteral|> here.<|return|>
<|start|>user<|message|>Thanks<|end|>
<|start|>assistant
`

/** One line per fold: what it is and which lines it covers. */
function foldsOf(text: string): readonly string[] {
  const parsed = Transcript.parse(text)
  return [...folds(analyze(parsed))].map(
    ({ kind, start, end }) => `${kind} ${parsed.positionAt(start).line}-${parsed.positionAt(end).line}`,
  )
}

/** One line per entry, indented by depth. */
function outlineOf(text: string): readonly string[] {
  return [...outline(analyze(Transcript.parse(text)))].map(
    ({ depth, kind, name, detail }) => `${'  '.repeat(depth)}${name} | ${detail} (${kind})`,
  )
}

test('folds, outer before inner', () => {
  assert.deepEqual(foldsOf(transcript), [
    'header 0-5',
    'key 2-4',
    'key 3-4',
    'message 6-11',
    'section 6-11',
    'brackets 7-10',
    'brackets 8-9',
    'message 12-13',
    'turn 13-24',
    'run 14-21',
    'message 15-20',
    'brackets 15-19',
    'brackets 17-18',
    'message 22-24',
    'literal 22-24',
    'turn 25-26',
  ])
})

test('a header that goes over several lines leaves the body a fold of its own', () => {
  assert.deepEqual(foldsOf('<|start|>user\n name=x<|message|>a\nb<|end|>\n'), ['message 0-2', 'body 1-2'])
})

test('sections and code of Markdown fold, and what a tool says does not', () => {
  const body = 'Hi\n# One\na\n\n## Two\n```\n# x\n```\n\n# Three'
  assert.deepEqual(foldsOf(`<|start|>assistant<|channel|>final<|message|>${body}<|end|>`), [
    'message 0-9',
    'section 1-7',
    'section 4-7',
    'code 5-7',
  ])
  const reply = '<|start|>tool name=python<|channel|>commentary'
  assert.deepEqual(foldsOf(`${reply}<|message|>${body}<|end|>`), ['message 0-9'])
  assert.equal(foldsOf(`${reply} content_type=markdown<|message|>${body}<|end|>`).length, 4)
})

test('a turn folds behind the last message of the user, so that the question stays', () => {
  const text = '<|start|>user<|message|>a\nb<|end|>\n<|start|>assistant<|message|>c<|end|>\n'
  assert.deepEqual(foldsOf(text + text), ['message 0-1', 'turn 1-2', 'message 3-4', 'turn 4-5'])
  assert.deepEqual(foldsOf('<|start|>user<|message|>a<|end|>\n<|start|>user<|message|>b<|end|>\n'), [])
})

test('nothing folds within a line, and every line break counts', () => {
  assert.deepEqual(foldsOf('<|start|>user<|message|>a<|end|> <|start|>user<|message|>b<|end|>\n'), [])
  assert.deepEqual(foldsOf('<|start|>user<|message|>a\rb<|end|>'), ['message 0-1'])
})

test('the outline', () => {
  assert.deepEqual(outlineOf(transcript), [
    'Header | OpenChatML 2.2 (header)',
    '  version | 2.2 (number)',
    '  profiles |  (object)',
    '    harmony |  (object)',
    '      enabled | false (boolean)',
    'developer: # Tools namespace functions { type f = (_: { a: string, })… | final · hidden (instructions)',
    '  Tools |  (heading)',
    '    f |  (tool)',
    'Turn 1 | What is it? Tell me. (turn)',
    '  user: What is it? Tell me. | final (user)',
    '  assistant: Look it up. | analysis · hidden (reasoning)',
    '  assistant → functions.f: { "a": "}", "b": [ 1 ] } | commentary · hidden (call)',
    '    a | "}" (value)',
    '    b |  (array)',
    '  tool functions.f: {} | commentary · hidden (reply)',
    '  assistant: It is <|literal|> <|end|> <|endliteral|> here. | final (answer)',
    'Turn 2 | Thanks (turn)',
    '  user: Thanks | final (user)',
    '  assistant … | generation prompt (other)',
  ])
})

test('both are lazy: the beginning costs the beginning', () => {
  const parsed = Transcript.parse('<|start|>user<|message|>a\nb<|end|>\n'.repeat(1000))
  const analysis = analyze(parsed)
  assert.equal(folds(analysis).next().value?.start, 0)
  assert.equal(outline(analysis).next().value?.name, 'Turn 1')
})
