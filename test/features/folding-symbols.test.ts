/** Folding and outline of a whole transcript, as text that a reader can judge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, type Fold, folds, lineFolds, Transcript } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { outline } from './outline.ts'

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
  return [...folds(analyze(Transcript.parse(text)))].map(shown)
}

/** The same for the folds that an editor shows. */
function lineFoldsOf(text: string, limit = 5000): readonly string[] {
  return lineFolds([...folds(analyze(Transcript.parse(text)))], limit).map(shown)
}

function shown({ kind, startLine, endLine }: Fold): string {
  return `${kind} ${startLine}-${endLine}`
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
    'channel 15-21',
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

test('items of lists and regions fold in Markdown', () => {
  const body = 'Hi\n- a\n  b\n- c\n<!-- #region -->\nx\n<!-- #endregion -->'
  assert.deepEqual(foldsOf(`<|start|>user<|message|>${body}<|end|>`), [
    'message 0-6',
    'item 1-2',
    'region 4-6',
  ])
})

nightly('a body may have very many folds', () => {
  const lines = (body: string) => foldsOf(`<|start|>user<|message|>${body}<|end|>`).length
  assert.ok(lines('```\nx\n```\n'.repeat(150_000)) > 150_000)
  assert.ok(lines('- a\n  b\n'.repeat(150_000)) > 1000)
})

test('a turn folds behind the last message of the user, so that the question stays', () => {
  const text = '<|start|>user<|message|>a\nb<|end|>\n<|start|>assistant<|message|>c<|end|>\n'
  assert.deepEqual(foldsOf(text + text), ['message 0-1', 'turn 1-2', 'message 3-4', 'turn 4-5'])
  assert.deepEqual(foldsOf('<|start|>user<|message|>a<|end|>\n<|start|>user<|message|>b<|end|>\n'), [])
})

const user = '<|start|>user<|message|>a<|end|>\n'
const analysis = '<|start|>assistant<|channel|>analysis<|message|>b\nc<|end|>\n'
const final = '<|start|>assistant<|channel|>final<|message|>d<|end|>\n'
const preamble = '<|start|>assistant<|channel|>commentary intent=preamble<|message|>e<|end|>\n'
const call = '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>\n'
const reply = '<|start|>tool name=functions.f<|channel|>commentary<|message|>{}<|end|>\n'
const runsOf = (text: string) => foldsOf(text).filter((fold) => /^(?:run|channel)/.test(fold))

test('messages of one channel in a row fold, within a run of hidden messages or beside it', () => {
  assert.deepEqual(runsOf(user + final + final + '<|start|>assistant<|message|>f<|return|>'), ['channel 1-3'])
  assert.deepEqual(runsOf(user + analysis + call + reply + analysis + analysis + final), [
    'run 1-8',
    'channel 3-4',
    'channel 5-8',
  ])
  assert.deepEqual(runsOf(preamble + preamble + call + reply + call + analysis), [
    'channel 0-1',
    'run 2-6',
    'channel 2-4',
  ])
})

test('a run that is all of one channel is one fold, and single messages are none', () => {
  assert.deepEqual(runsOf(user + call + reply + final), ['run 1-2'])
  assert.deepEqual(runsOf(user + analysis + final + user + final), [])
  assert.deepEqual(runsOf(user + analysis + call + final), ['run 1-3'])
})

test('those who ask and instruct are in no run, nor is a channel that is in doubt', () => {
  const system = '<|start|>system<|message|>a<|end|>\n'
  assert.deepEqual(runsOf(system + system + user + user + final + user + final), [])
  const unknown = '<|start|>assistant<|channel|>other<|message|>a<|end|>\n'
  assert.deepEqual(runsOf(user + unknown + unknown), ['run 1-2'])
  assert.deepEqual(runsOf(analysis + unknown + unknown), ['run 0-3'])
  const both = '<|start|>assistant<|channel|>analysis<|channel|>final<|message|>a<|end|>\n'
  assert.deepEqual(runsOf(call + both + both), ['run 0-2'])
})

test('long runs fold in parts', () => {
  assert.deepEqual(runsOf(final.repeat(2500)), ['channel 0-999', 'channel 1000-1999', 'channel 2000-2499'])
})

test('in a line there is room for one fold, and the outermost has it', () => {
  const args = '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{\n"a": 1\n}<|call|>\n'
  assert.deepEqual(lineFoldsOf(user + analysis + args + reply + final), [
    'turn 0-7',
    'run 1-6',
    'channel 3-6',
  ])
  assert.deepEqual(lineFoldsOf(user + final + final), ['turn 0-2', 'channel 1-2'])
})

test('a question of several lines leaves its last line to the answers', () => {
  const question = '<|start|>user<|message|>a\nb\nc<|end|>\n'
  assert.deepEqual(lineFoldsOf(question + analysis + final), ['message 0-1', 'turn 2-5', 'message 3-4'])
  assert.deepEqual(lineFoldsOf('<|start|>user<|message|>a\nb<|end|>\n' + final), ['turn 1-2'])
})

test('a fold ends before the line in which the next message begins', () => {
  const text = (user + analysis + call + final).replaceAll('|>\n<', '|><')
  assert.deepEqual(lineFoldsOf(text), ['turn 0-1'])
  assert.deepEqual(lineFoldsOf(text.replace('c', 'c\nc')), ['turn 0-2'])
  const raw = (analysis + analysis + analysis).replaceAll('\nc', '\nc\nd').replaceAll('|>\n<', '|><')
  assert.deepEqual(foldsOf(raw), ['run 0-6', 'message 0-1', 'message 2-3', 'message 4-6'])
})

test('where there are too many folds, inner kinds are given up, and the longest of the last kind stay', () => {
  const answer = '<|start|>assistant<|channel|>final<|message|>d\n```\na\n```<|end|>\n'
  const text = user + answer + user + answer.replace('\na', '\na\na')
  const turns = ['turn 0-4', 'turn 5-10']
  assert.deepEqual(lineFoldsOf(text), [
    'turn 0-4',
    'message 1-4',
    'code 2-4',
    'turn 5-10',
    'message 6-10',
    'code 7-10',
  ])
  assert.deepEqual(lineFoldsOf(text, 4), ['turn 0-4', 'message 1-4', 'turn 5-10', 'message 6-10'])
  assert.deepEqual(lineFoldsOf(text, 3), [...turns, 'message 6-10'])
  assert.deepEqual(lineFoldsOf(text, 2), turns)
  assert.deepEqual(lineFoldsOf(text, 1), ['turn 5-10'])
  assert.deepEqual(lineFoldsOf(text, 0), [])
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
    'developer: # Tools namespace functions { type… | final · hidden (instructions)',
    '  Tools |  (heading)',
    '    f |  (tool)',
    'Turn 1 | What is it? Tell me. (turn)',
    '  user: What is it? Tell me. | final (user)',
    '  assistant: Look it up. | analysis · hidden (reasoning)',
    '  → f | commentary · hidden (call)',
    '    a | "}" (value)',
    '    b |  (array)',
    '  ← f | commentary · hidden (reply)',
    '  assistant: It is <|end|> here. | final (answer)',
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
