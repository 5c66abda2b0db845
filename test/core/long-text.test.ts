/** Replacing in long text gives what replacing at once gives, wherever a piece ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { escapedHtml, inLines, inPieces, withLineFeeds } from '../../core/src/internal.ts'

const length = 1 << 16 // of a piece

test('a piece ends neither within a character nor within a line break', () => {
  for (const pair of ['\r\n', '🙂']) {
    for (let before = length - 3; before <= length; before++) {
      const text = `${'a'.repeat(before)}${pair}${'b'.repeat(length)}`
      const pieces: string[] = []
      assert.equal(
        inPieces(text, (piece) => {
          pieces.push(piece)
          return piece
        }),
        text,
      )
      assert.equal(pieces.filter((it) => it.includes(pair)).length, 1)
      assert.ok(pieces.every((it) => it.length <= length + 1))
    }
  }
})

test('pieces of lines end after a line feed', () => {
  const text = `${'a'.repeat(length - 1)}\n${'b\n'.repeat(length)}${'c'.repeat(2 * length)}\nd`
  const pieces: string[] = []
  const result = inLines(text, (lines) => {
    pieces.push(lines)
    return lines
  })
  assert.equal(result, text)
  assert.ok(pieces.slice(0, -1).every((it) => it.endsWith('\n')))
  assert.ok(pieces.length > 3)
})

test('long text is replaced as short text is', () => {
  for (const unit of ['&<>"', '\r\n', '\r', '\n\r\n\r', 'a&lt;\r'])
    for (const shift of ['', 'x']) {
      const text = shift + unit.repeat(length)
      assert.equal(withLineFeeds(text), text.replaceAll(/\r\n?/g, '\n'))
      const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
      assert.equal(
        escapedHtml(text),
        text.replaceAll(/[&<>"]/g, (it) => `&${names[it]};`),
      )
    }
})
