/** Calls and replies as readers see them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { callBlocks, replyCard } from '../../core/src/internal.ts'
import { lineDiff } from '../../core/src/preview/line-diff.ts'

/** Blocks as `kind name: text`. */
const calls: readonly (readonly [body: string, blocks: readonly string[]])[] = [
  ['', []],
  ['{}', []],
  ['ls -l', ['text: ls -l']],
  ['{"path":"a.ts","lines":[1,2]}', ['text path: a.ts', 'json lines: [1,2]']],
  ['{"n":12345678901234567890.10}', ['json n: 12345678901234567890.10']],
  ['{"text":"one\\n\\"two\\""}', ['text text: one\n"two"']],
  ['{"a":1,"a":2}', ['json: {"a":1,"a":2}']],
  ['{"a":', ['text: {"a":']],
  [
    '{"path":"a.ts","old_string":"x\\ny\\nz","new_string":"x\\nY\\nz"}',
    ['text path: a.ts', 'diff:  x\n-y\n+Y\n z'],
  ],
  ['{"edits":[{"oldText":"a","newText":"b"},{"oldText":"c","newText":"c"}]}', ['diff: -a\n+b', 'diff: ⋯']],
  ['{"edits":[{"oldText":"a"}]}', ['json edits: [{"oldText":"a"}]']],
  ['{"old_str":"a","new_str":null}', ['text old_str: a', 'json new_str: null']],
  ['*** Begin Patch\n*** Add File: a\n+b', ['diff: *** Begin Patch\n*** Add File: a\n+b']],
  [`{"list":[${'"a long item",'.repeat(6)}1]}`, [`json list: [\n${'  "a long item",\n'.repeat(6)}  1\n]`]],
]

for (const [body, expected] of calls) {
  test(`arguments ${body.slice(0, 60)}`, () => {
    const blocks = callBlocks(body).map(
      ({ name, kind, text }) => `${kind}${name === undefined ? '' : ` ${name}`}: ${text}`,
    )
    assert.deepEqual(blocks, expected)
  })
}

const replies: readonly (readonly [
  body: string,
  texts: readonly string[],
  isFailed: boolean,
  ms?: number,
])[] = [
  ['done', ['done'], false],
  ['{"ok":true,"content":"a\\nb","error":null}', ['a\nb'], false],
  ['{"ok":true,"content":{"passed":6}}', ['6'], false],
  ['{"ok":false,"content":null,"error":{"code":"NOT_FOUND","message":"none"}}', ['NOT_FOUND', 'none'], true],
  ['{"ok":false,"error":"none"}', ['none'], true],
  ['{"ok":true,"content":1,"error":"ignored by its ok"}', ['1', 'ignored by its ok'], false],
  ['{"error":"none"}', ['none'], true],
  ['{"error":""}', [''], false],
  ['{"isError":true,"content":[{"type":"text","text":"no"}]}', ['true', 'no'], true],
  ['[{"type":"text","text":"one"},{"type":"text","text":"two"}]', ['one\ntwo'], false],
  [
    '{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.5}}',
    ['x', '{"exit_code":1,"duration_seconds":0.5}'],
    true,
    500,
  ],
  ['{"ok":true,"content":"x","duration_ms":12}', ['x'], false, 12],
  ['{"ok":true,"content":"x","duration_ms":-12}', ['x', '-12'], false],
  ['{"duration_ms":12}', ['12'], false, 12],
  ['{"duration_ms":-1}', ['-1'], false],
]

for (const [body, texts, isFailed, duration] of replies) {
  test(`reply ${body.slice(0, 60)}`, () => {
    const card = replyCard(body)
    assert.deepEqual(
      [card.blocks.map(({ text }) => text), card.isFailed, card.duration],
      [texts, isFailed, duration],
    )
  })
}

test('a diff has all lines of both texts that differ, in order', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = lineDiff(before.join('\n'), after.join('\n')).split('\n')
      if (lines.includes('⋯')) return
      const side = (mark: string) =>
        lines.filter((it) => it[0] === ' ' || it[0] === mark).map((it) => it.slice(1))
      assert.deepEqual(side('-'), before)
      assert.deepEqual(side('+'), after)
    }),
  )
})

test('a diff of long texts without a common line is bounded', () => {
  const lines = (word: string) => Array.from({ length: 5000 }, (_, index) => word + index).join('\n')
  assert.equal(lineDiff(lines('a'), lines('b')).split('\n').length, 10_000)
})
