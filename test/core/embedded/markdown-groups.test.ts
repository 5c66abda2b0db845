/** Items of Markdown lists and regions: where they begin and end, and what only looks like one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownBlocks } from '../../../core/src/embedded/markdown-blocks.ts'
import { markdownGroups } from '../../../core/src/embedded/markdown-groups.ts'
import { assertLinear } from './growth.ts'

const limits = { groups: 100 }

/** The groups with the lines that they cover, in order. */
function groupsOf(text: string): readonly string[] {
  const lineOf = (offset: number) => text.slice(0, offset).split(/\r\n|\n|\r/).length - 1
  const groups = markdownGroups(text, markdownBlocks(text, { sections: 100 }).fences, limits)
  return [...groups]
    .sort((one, other) => one.start - other.start)
    .map(({ kind, start, end }) => `${kind} ${lineOf(start)}-${lineOf(end)}`)
}

const rows: readonly (readonly [text: string, groups: readonly string[]])[] = [
  ['- one\n- two\n  more\n\n  still\n\nbehind', ['item 1-4']],
  ['1. a\n   - b\n     c\n2) d\n   e', ['item 0-2', 'item 1-2', 'item 3-4']],
  ['\t- no list, code\n', []],
  ['- a\n\t- b\n\n\t  c\n', ['item 0-3', 'item 1-3']],
  ['- a\r\n  b\r\n\r\n- c', ['item 0-1']],
  ['-no\n*em*\n  x\n1.5\n  y', []],
  ['- a\n  ```\nout of it\n  ```\n  b\n', ['item 0-4']],
  ['```\n- a\n  b\n<!-- #region -->\n```\n', []],
  [
    '<!-- #region A -->\na\n<!-- region -->\nb\n<!--#endregion-->\n<!-- endregion -->',
    ['region 0-5', 'region 2-4'],
  ],
  ['<!-- #endregion -->\n<!-- #region -->\n<!-- regional -->', []],
]

for (const [text, groups] of rows) {
  test(JSON.stringify(text), () => assert.deepEqual(groupsOf(text), groups))
}

test('there are as many as are wanted', () => {
  const found = markdownGroups('- a\n  b\n'.repeat(1000), [], limits)
  assert.equal(found.length, limits.groups)
})

test('long texts take time in proportion', () => {
  for (const line of ['- a\n', '- a\n  b\n', '<!-- #region -->\n', '- a\n  ```\n  x\n  ```\n', '\t']) {
    const text = (size: number) => line.repeat(size / line.length)
    assertLinear(JSON.stringify(line), 100_000, text, (it) => {
      markdownGroups(it, markdownBlocks(it, { sections: 100 }).fences, { groups: it.length })
    })
  }
})
