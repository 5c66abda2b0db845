/** Headings and fences of Markdown: what belongs to which, and what only looks like one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { markdownBlocks } from '../../../core/src/embedded/markdown-blocks.ts'
import { assertLinear } from './growth.ts'

const limits = { sections: 100 }

/** One line per section: level, title, and the lines it covers. */
function sectionsOf(text: string): readonly string[] {
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1
  return markdownBlocks(text, limits).sections.map(
    ({ level, title, start, end }) => `${level} ${title} ${lineOf(start)}-${lineOf(end)}`,
  )
}

test('a section ends where the next one of its level or above begins', () => {
  assert.deepEqual(sectionsOf('# A\n## B\nx\n### C\n## D\n# E\n'), [
    '1 A 0-5',
    '2 B 1-4',
    '3 C 3-4',
    '2 D 4-5',
    '1 E 5-6',
  ])
})

test('headings by underline, with several lines, and closed ones', () => {
  assert.deepEqual(sectionsOf('Title\n===\n\ntwo\nlines\n---\n## closed ##\n#\n# C#'), [
    '1 Title 0-7',
    '2 two\nlines 3-6',
    '2 closed 6-7',
    '1  7-8',
    '1 C# 8-8',
  ])
})

test('what only looks like a heading', () => {
  for (const text of [
    '#hashtag',
    '####### seven',
    '    # code',
    '\t# code',
    '- item\n---',
    '> quote\n===',
    '1. one\n---',
    '| a |\n---',
    '\n---\n',
    'text\n\n---',
    '```\n# code\n```',
    '~~~\n# code\n```\n~~~',
  ]) {
    assert.deepEqual(sectionsOf(text), [], JSON.stringify(text))
  }
})

test('fences with their ends, and one without', () => {
  const text = 'a\n```js\nb\n```\n`` `c` ``\n````\n```\n````\n~~~\nopen'
  assert.deepEqual(
    markdownBlocks(text, limits).fences.map(({ start, end }) => text.slice(start, end)),
    ['```js\nb\n```', '````\n```\n````', '~~~\nopen'],
  )
})

test('any text has sections in order, each within the text, and no more than wanted', () => {
  const line = fc.constantFrom('# a', '## b', 'text', '', '---', '===', '```', '~~~~', '- x', '\r', '    c')
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', '\r'), (lines, lineBreak) => {
      const text = lines.join(lineBreak)
      const { sections } = markdownBlocks(text, { sections: 5 })
      assert.ok(sections.length <= 5)
      let last = 0
      for (const { start, titleEnd, end } of sections) {
        assert.ok(last <= start && start <= titleEnd && titleEnd <= end && end <= text.length)
        last = start
      }
    }),
  )
})

test('the cost is linear, whatever the lines look like', () => {
  for (const line of ['# a\n', 'a\n', '```\n', '-', '#', '`', '---\n', '> a\n']) {
    const text = (size: number) => line.repeat(size / line.length)
    assertLinear(JSON.stringify(line), 100_000, text, (it) => void markdownBlocks(it, limits))
  }
})
