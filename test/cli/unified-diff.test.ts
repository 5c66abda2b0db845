/** The difference of two texts, applied to the first, gives the second. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DiffLine, unifiedDiff } from '../../cli/src/check/unified-diff.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', '', 'c\r', 'long line'), { maxLength: 40 })
  .chain((lines) => fc.constantFrom('', '\n').map((end) => lines.join('\n') + end))

test('applying the difference gives the other text', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      assert.equal(applied(before, unifiedDiff('x', before, after)), after)
    }),
    { numRuns: 500, verbose: 1 },
  )
})

test('equal texts do not differ', () => assert.deepEqual(unifiedDiff('x', 'a\n', 'a\n'), []))

test('changes far apart are apart', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  const changed = lines.with(5, 'five').with(30, 'thirty').join('\n')
  const places = unifiedDiff('x', lines.join('\n'), changed).filter(({ kind }) => kind === 'place')
  assert.deepEqual(
    places.map((it) => it.text),
    ['@@ -3,7 +3,7 @@', '@@ -28,7 +28,7 @@'],
  )
})

test('names', () => {
  const names = (path: string) =>
    unifiedDiff(path, 'a', 'b')
      .slice(0, 2)
      .map((it) => it.text)
  assert.deepEqual(names('a/b.ocm'), ['--- a/a/b.ocm', '+++ b/a/b.ocm'])
  assert.deepEqual(names('./a/../b.ocm'), ['--- a/b.ocm', '+++ b/b.ocm'])
  assert.deepEqual(names('/tmp/x'), ['--- a/tmp/x', '+++ b/tmp/x'])
  assert.deepEqual(names('C:\\a b'), ['--- a/a b\t', '+++ b/a b\t'])
})

/** A patch program, strict about places and context. */
function applied(before: string, diff: readonly DiffLine[]): string {
  const lines = before.split(/(?<=\n)/)
  const result: string[] = []
  let at = 0
  for (const [index, { kind, text: line }] of diff.entries()) {
    const next = diff[index + 1]?.text
    if (line.startsWith('\\')) continue
    const content = line.slice(1) + (next?.startsWith('\\') ? '' : '\n')
    if (kind === 'place') {
      const [, start = '', count] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? []
      const target = count === '0' ? Number(start) : Number(start) - 1
      while (at < target) result.push(lines[at++] ?? '')
    } else if (kind === 'same' || kind === 'removed') {
      assert.equal(content, lines[at++])
      if (kind === 'same') result.push(content)
    } else if (kind === 'added') result.push(content)
  }
  return [...result, ...lines.slice(at)].join('')
}
