/** The engine for expressions of tokenizers, compared with the platform's. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { boundedPattern } from '../../core/src/training/bounded-pattern.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const sources = [
  String.raw`'s|'t| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
  String.raw`(?:a+)+(?![\s\S])`,
  String.raw`\p{N}{1,3}(?=(?:\p{N}{3})*(?:\P{N}|(?![\s\S])))`,
  '(?<=a+b)c|a*?b',
  '(?:a|b*)*c|x{2,3}?',
  String.raw`(?<![\s\S])a|\u{1F600}+|(?<!\n|ab)b`,
  '(?<name>a?){2,4}|',
  String.raw`[\]a-b]+|\/|\ud83d\ude00`,
]
const texts = fc
  .array(fc.constantFrom(...'abcx 12é', "'", 's', ']', '/', '\n', '😀', '\ud83d'), { maxLength: 16 })
  .map((it) => it.join(''))

const found = (text: string, pattern: unknown) =>
  [...text.matchAll(pattern as RegExp)].map(({ 0: match, index }) => [index, match])

describe('a bounded pattern', () => {
  for (const source of sources)
    it(`matches ${source} as the platform does`, () => {
      const bounded = boundedPattern(source)
      assert.ok(bounded)
      const platform = new RegExp(source, 'gu')
      fc.assert(
        fc.property(texts, (text) => {
          assert.deepEqual(found(text, bounded), found(text, platform))
          assert.deepEqual(text.match(bounded as never), text.match(platform))
          assert.equal(text.replaceAll(bounded as never, '-'), text.replaceAll(platform, '-'))
        }),
        { numRuns: propertyRuns },
      )
    })

  it('splits a text at its matches', () => {
    assert.deepEqual('1a22b'.split(boundedPattern(String.raw`(\d)+`) as never), ['', 'a', 'b'])
  })

  it('looks at each place of a text a few times at most', () => {
    for (const source of [
      '(?:a+)+(?![\\s\\S])',
      'a*b|a',
      'a*a*a*b|(?=a*b)a|a',
      '(?=(?:aaa)*b)a',
      '(?<=ba*)a',
    ]) {
      // With fewer letters, the platform would need hours.
      const matches = `${'a'.repeat(50_000)}!`.match(boundedPattern(source) as never) as string[] | null
      assert.equal(matches?.length ?? 0, source.endsWith('|a') ? 50_000 : 0)
    }
  })

  it('does not refer back to groups, and is not too large', () => {
    for (const source of [String.raw`(a)\1`, String.raw`(?<n>a)\k<n>`, 'a{5000}', '(?:a{1,99}){1,99}'])
      assert.equal(boundedPattern(source), undefined, source)
    assert.equal(boundedPattern(`${'(?:'.repeat(5000)}a${')'.repeat(5000)}`), undefined)
  })
})
