/** Excerpts never exceed the width, and the carets stand below what they mark. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { excerptOf } from '../../cli/src/reporters/excerpt.ts'
import { displayable, displayableLine, safeJson } from '../../cli/src/terminal/displayable.ts'
import { cellsOf, widthOf } from '../../cli/src/terminal/text-width.ts'
import { Transcript } from '../../core/src/internal.ts'
import { codePoint } from '../helpers/arbitraries.ts'

const line = fc
  .array(fc.constantFrom('a', 'b c', '\t', '日', '👩‍👩‍👧', 'e\u0301', '\u001b', '\u202e', '\u200b', '한'), {
    maxLength: 120,
  })
  .map((parts) => parts.join(''))

test('an excerpt fits, and shows the place', () => {
  fc.assert(
    fc.property(line, line, line, fc.integer({ min: 40, max: 120 }), (before, marked, after, columns) => {
      const text = `first\n${before}${marked}${after}\nlast`
      const start = 6 + before.length
      const { gutter, source, carets } = excerptOf(
        Transcript.parse(text),
        { start, end: start + marked.length },
        columns,
      )
      const room = columns - gutter.length - 2
      assert.ok(widthOf(cellsOf(source)) <= room, source)
      assert.match(carets, /^ *\^+$/)
      assert.ok(carets.length <= room + 1, 'a place behind the last character may stand one further')
      assert.equal(source, displayableLine(source))
    }),
    { numRuns: 300, verbose: 1 },
  )
})

test('a range over several lines is marked to the end of its first line', () => {
  const excerpt = excerptOf(Transcript.parse('one\ntwo three\nfour'), { start: 8, end: 16 }, 80)
  assert.deepEqual(excerpt, { gutter: ' 2 ', source: 'two three', carets: '    ^^^^^' })
})

test('an empty range at the end of the text', () => {
  const excerpt = excerptOf(Transcript.parse('one\n'), { start: 4, end: 4 }, 80)
  assert.deepEqual(excerpt, { gutter: ' 2 ', source: '', carets: '^' })
})

test('what could steer a terminal becomes visible', () => {
  assert.equal(
    displayable('a\u001b[0m\r\u007f\u0085\u202e\ufeff\ud800'),
    'a␛[0m␍␡<U+0085><U+202E><U+FEFF><U+D800>',
  )
  assert.equal(displayable('tab\tline\n👩‍👧 fa\u200dr'), 'tab\tline\n👩‍👧 fa\u200dr')
  assert.equal(displayableLine('a\tb\nc'), 'a    b␊c')
})

test('safe JSON has the same value', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (value) => {
      const json = safeJson(JSON.stringify(value))
      assert.equal(JSON.parse(json), value)
      assert.equal(displayable(json), json)
    }),
    { verbose: 1 },
  )
})

test('of a long mark, only what can be shown is looked at', () => {
  const transcript = Transcript.parse(`a${'\u200b'.repeat(100_000)}b`)
  let nLooked = 0
  const counted: Pick<Transcript, 'text' | 'positionAt' | 'offsetAt'> = {
    positionAt: (offset) => transcript.positionAt(offset),
    offsetAt: (position) => transcript.offsetAt(position),
    text: (range) => {
      const text = transcript.text(range)
      nLooked += text.length
      return text
    },
  }
  const { source } = excerptOf(counted as Transcript, { start: 1, end: 100_001 }, 80)
  assert.ok(source.startsWith('a'))
  assert.ok(nLooked < 3 * 80, `${nLooked} characters`)
})
