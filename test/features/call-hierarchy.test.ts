/** Turns call tools, and tools are called from turns. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  analyze,
  hierarchyItemAt,
  incomingCalls,
  outgoingCalls,
  Transcript,
} from '../../core/src/internal.ts'

const call = (tool: string, id: string) =>
  `<|start|>assistant to=${tool} call_id=${id}<|channel|>commentary<|message|>{}<|call|>\n`
const text = `version: 2.2
<|start|>developer<|message|>namespace functions {\ntype f = () => any;\n}<|end|>
<|start|>user<|message|>First<|end|>
${call('functions.f', 'c1')}${call('browser.search', 'c2')}<|start|>user<|message|>Second<|end|>
<|start|>user<|message|>and more<|end|>
${call('f', 'c3')}${call('functions.f', 'c4')}`

const analysis = analyze(Transcript.parse(text))
const marked = ({ start, end }: { readonly start: number; readonly end: number }) => text.slice(start, end)

test('a tool is called from turns', () => {
  const tool = hierarchyItemAt(analysis, text.indexOf('functions.f') + 3)
  assert.ok(tool)
  assert.deepEqual(
    [tool.kind, tool.name, tool.detail, marked(tool.selection)],
    ['tool', 'functions.f', 'f()', 'f'],
  )
  assert.deepEqual(
    incomingCalls(analysis, tool).map(({ item, calls }) => [item.name, item.detail, calls.map(marked)]),
    [
      ['Turn 1', 'First', ['functions.f']],
      ['Turn 2', 'Second', ['f', 'functions.f']],
    ],
  )
  assert.deepEqual(outgoingCalls(analysis, tool), [])
})

test('a turn calls tools, and begins with the first of its user messages', () => {
  const turn = hierarchyItemAt(analysis, text.indexOf('and more'))
  assert.ok(turn)
  assert.deepEqual([turn.kind, turn.detail], ['turn', 'Second'])
  assert.deepEqual(
    outgoingCalls(analysis, turn).map(({ item, calls }) => [item.name, calls.length]),
    [['f', 2]],
  )
  const first = hierarchyItemAt(analysis, text.indexOf('First'))
  assert.deepEqual(first && outgoingCalls(analysis, first).map(({ item }) => item.name), [
    'functions.f',
    'browser.search',
  ])
  assert.deepEqual(incomingCalls(analysis, turn), [])
})

test('before the first turn there is nothing', () => {
  assert.equal(hierarchyItemAt(analysis, 0), undefined)
})

test('a call that no user message precedes is made from the beginning', () => {
  const before = analyze(Transcript.parse(call('functions.f', 'c1')))
  const tool = hierarchyItemAt(before, 25)
  assert.ok(tool)
  assert.deepEqual(
    incomingCalls(before, tool).map(({ item, calls }) => [item.kind, item.range.start, calls.length]),
    [['turn', 0, 1]],
  )
})

test('turns have the numbers of the outline', () => {
  const before = `${call('f', 'c0')}${text.slice(text.indexOf('<|start|>user'))}`
  const other = analyze(Transcript.parse(before))
  const tool = hierarchyItemAt(other, before.indexOf('to=f') + 3)
  assert.ok(tool)
  assert.deepEqual(
    incomingCalls(other, tool).map(({ item }) => item.name),
    ['Before turn 1', 'Turn 1', 'Turn 2'],
  )
  assert.equal(hierarchyItemAt(other, before.indexOf('and more'))?.name, 'Turn 2')
})
