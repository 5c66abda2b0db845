/** From a call to its reply and back: definition, references, highlights, rename; `$0` is the cursor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  analyze,
  applyEdits,
  definition,
  documentHighlights,
  linkedRanges,
  type Range,
  references,
  referencesAtMost,
  rename,
  renameRange,
  Transcript,
} from '../../core/src/internal.ts'
import { withCursor } from '../helpers/marked-text.ts'

const exchange = (call: string, reply: string) =>
  `<|start|>assistant to=functions.f ${call}<|channel|>commentary<|message|>{}<|call|>\n` +
  `<|start|>tool name=functions.f ${reply}<|channel|>commentary<|message|>1<|end|>\n`

function at(marked: string) {
  const { text, offset } = withCursor(marked)
  const analysis = analyze(Transcript.parse(text))
  const shown = ({ start, end }: Range) =>
    `${analysis.transcript.positionAt(start).line}: ${text.slice(start, end)}`
  return { text, offset, analysis, shown }
}

test('the definition of a reply is its call, and the other way round', () => {
  for (const [marked, line] of [
    [exchange('call_id=c1', 'call_id=c$01'), '0: c1'],
    [exchange('call_$0id=c1', 'call_id=c1'), '1: c1'],
    [exchange('call_id=c1$0', 'call_id=c1'), '1: c1'],
  ] as const) {
    const { analysis, offset, shown } = at(marked)
    const found = definition(analysis, offset)
    assert.equal(found && shown(found.selection), line)
    assert.ok(found && found.origin.start <= offset && offset <= found.origin.end, marked)
  }
})

test('without ids, the tool leads to the other end', () => {
  const { analysis, offset, shown } = at(
    '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>\n<|start|>func$0tions.f<|message|>1<|end|>\n',
  )
  const found = definition(analysis, offset)
  assert.equal(found && shown(found.selection), '0: <|start|>assistant')
  assert.equal(found && shown(found.origin), '1: functions.f')
})

test('the name of a tool leads to its declaration', () => {
  const { analysis, offset, shown } = at(
    `<|start|>developer<|message|>namespace functions {\n// Says.\ntype f = (_: {x: string}) => any;\n} // namespace functions<|end|>\n${exchange('call_id=c1', 'call_id=c1').replace('to=func', 'to=fu$0nc')}`,
  )
  const found = definition(analysis, offset)
  assert.equal(found && shown(found.selection), '2: f')
})

test('no definition elsewhere, or of a call without reply', () => {
  for (const marked of [
    '<|start|>assistant to=functions.f call_id=c$01<|message|>{}<|call|>',
    exchange('call_id=c1', 'call_id=c1').replace('{}', '{$0}'),
  ]) {
    const { analysis, offset } = at(marked)
    assert.equal(definition(analysis, offset), undefined)
  }
})

test('references and highlights are every place of the id', () => {
  const { analysis, offset, shown } = at(
    exchange('call_id=c$01', 'call_id=c1') + exchange('call_id=c2', 'call_id=c2'),
  )
  assert.deepEqual(references(analysis, offset, { includeDeclaration: true }).map(shown), ['0: c1', '1: c1'])
  assert.deepEqual(references(analysis, offset, { includeDeclaration: false }).map(shown), ['1: c1'])
  assert.deepEqual(documentHighlights(analysis, offset).map(shown), ['0: c1', '1: c1'])
})

test('both ends of messages and literal blocks are highlighted', () => {
  const { analysis, offset, shown } = at('<|st$0art|>user<|message|>a<|end|>')
  assert.deepEqual(documentHighlights(analysis, offset).map(shown), [
    '0: <|start|>',
    '0: <|message|>',
    '0: <|end|>',
  ])
  const literal = at('<|start|>user<|message|><|literal|>a<|endl$0iteral|><|end|>')
  assert.deepEqual(documentHighlights(literal.analysis, literal.offset).map(literal.shown), [
    '0: <|literal|>',
    '0: <|endliteral|>',
  ])
})

test('renaming changes call and reply', () => {
  const { analysis, offset, text, shown } = at(exchange('call_id=c1', 'call_id=c1$0'))
  const range = renameRange(analysis, offset)
  assert.equal(range && shown(range), '1: c1')
  const renaming = rename(analysis, offset, 'weather')
  assert.ok(renaming.kind === 'edits')
  assert.equal(applyEdits(text, renaming.edits), exchange('call_id=weather', 'call_id=weather'))
})

test('a name that cannot be is refused with the reason', () => {
  const { analysis, offset } = at(
    exchange('call_id=c1', 'call_id=c$01') + exchange('call_id=c2', 'call_id=c2'),
  )
  for (const [name, reason] of [
    ['', /not be empty/],
    ['a b', /whitespace/],
    ['a<|end|>', /cannot contain <\|end\|>/],
    ['c2', /already has this ID/],
  ] as const) {
    const renaming = rename(analysis, offset, name)
    assert.match(renaming.kind === 'refused' ? renaming.reason : '', reason)
  }
  assert.equal(renameRange(analysis, 3), undefined)
  // The name of the attribute stays.
  const name = at(exchange('call$0_id=c1', 'call_id=c1'))
  assert.equal(renameRange(name.analysis, name.offset), undefined)
  assert.equal(rename(name.analysis, name.offset, 'c3').kind, 'refused')
})

test('of an id that very many messages have, the nearest places are found, and none is renamed', () => {
  const call = '<|start|>assistant to=functions.f call_id=c<|message|>{}<|call|>\n'
  const messages = referencesAtMost + 1000
  const text = call.repeat(messages)
  const analysis = analyze(Transcript.parse(text))
  for (const name of ['functions.f', 'call_id=c']) {
    const offset = 500 * call.length + call.indexOf(name) + name.length
    const found = references(analysis, offset, { includeDeclaration: true })
    assert.equal(found.length, referencesAtMost)
    assert.ok(found.some(({ end }) => end === offset))
    const highlighted = documentHighlights(analysis, offset)
    assert.ok(highlighted.length < referencesAtMost && highlighted.some(({ end }) => end === offset))
    assert.deepEqual(rename(analysis, offset, 'g'), {
      kind: 'refused',
      reason: 'More than 20000 messages may have this name; replace it with Find and Replace',
    })
    assert.deepEqual(linkedRanges(analysis, offset), [])
  }
})
