/** Help while typing: the end of a literal block, ids that change together, and names that are found from anywhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyze, linkedRanges, literalEndAt, Transcript, workspaceSymbols } from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'
import { withCursor } from '../helpers/marked-text.ts'

const user = '<|start|>user<|message|>'

function endAt(marked: string): string | undefined {
  const { text, offset } = withCursor(marked)
  return literalEndAt(analyze(Transcript.parse(text)), offset)
}

test('a literal block that was just opened gets its end', () => {
  assert.equal(endAt(`${user}a <|literal|>$0<|end|>\n`), '<|endliteral|>')
  assert.equal(
    endAt(`${user}a <|literal|>$0<|end|>\n${user}<|literal|>b<|endliteral|><|end|>\n`),
    '<|endliteral|>',
  )
  assert.equal(endAt(`${user}a <|literal|>$0 b <|endliteral|><|end|>\n`), undefined)
})

test('nowhere else is anything added', () => {
  for (const text of [
    `${user}a <<|literal|>$0<|end|>\n`,
    `${user}a <|literal|> $0<|end|>\n`,
    `${user}$0<|end|>\n`,
    '<|start|>user<|literal|>$0',
    '$0',
    '<|im_start|>user\n<|literal|>$0<|im_end|>\n',
  ]) {
    assert.equal(endAt(text), undefined, text)
  }
})

const exchange = `version: 2.2
<|start|>developer<|message|>namespace functions { type look_up = () => any; }<|end|>
<|start|>assistant to=functions.look_up call_id=ca$0ll_1<|channel|>commentary<|message|>{}<|call|>
<|start|>tool name=functions.look_up call_id=call_1<|channel|>commentary<|message|>{}<|end|>
`

test('the id of a call changes in its reply too', () => {
  const { text, offset } = withCursor(exchange)
  const analysis = analyze(Transcript.parse(text))
  const linked = (at: number) => linkedRanges(analysis, at).map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(linked(offset), ['call_1', 'call_1'])
  assert.deepEqual(linked(text.indexOf('call_id')), [])
  assert.deepEqual(linked(0), [])
  const alone = analyze(Transcript.parse(text.replace(/<\|start\|>tool.*\n/, '')))
  assert.deepEqual(linkedRanges(alone, offset), [])
})

test('tools and calls are found by parts of their names', () => {
  const { text } = withCursor(exchange)
  const analysis = analyze(Transcript.parse(text))
  const found = (query: string) =>
    [...workspaceSymbols(analysis, query)].map(
      ({ kind, name, detail, range }) => `${kind} ${name} ${detail} at ${text.slice(range.start, range.end)}`,
    )
  const tool = 'tool functions.look_up  at look_up'
  const call = 'call call_1 functions.look_up at call_1'
  assert.deepEqual(found(''), [tool, call])
  assert.deepEqual(found('LKUP'), [tool])
  assert.deepEqual(found('c1'), [call])
  assert.deepEqual(found('none'), [])
})

test('any text at any offset has an answer', () => {
  fc.assert(
    fc.property(transcriptText, fc.nat(1000), (text, at) => {
      const analysis = analyze(Transcript.parse(text))
      const offset = Math.round((at / 1000) * text.length)
      literalEndAt(analysis, offset)
      for (const { start, end } of linkedRanges(analysis, offset))
        assert.ok(start < end && end <= text.length)
      for (const { range } of workspaceSymbols(analysis, '')) {
        assert.ok(range.start <= range.end && range.end <= text.length)
      }
    }),
    { numRuns: Math.ceil(propertyRuns / 2) },
  )
})
