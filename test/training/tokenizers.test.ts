/** Tokens of `tokenizer.json` and their places, compared with the reference in Rust. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { tokenizerOfJson } from '../../core/src/training/tokenizer-json.ts'

interface Expected {
  readonly text: string
  readonly ids: readonly number[]
  readonly offsets: readonly (readonly [number, number])[]
}

const read = (name: string) => JSON.parse(readFileSync(`test/training/tokenizers/${name}.json`, 'utf8'))

/** The reference counts characters; a place here is in code units. */
function unitsOf(text: string, offsets: Expected['offsets']): readonly (readonly [number, number])[] {
  const units = [0]
  for (const character of text) units.push((units.at(-1) ?? 0) + character.length)
  return offsets.map(([start, end]) => [units[start] ?? -1, units[end] ?? -1] as const)
}

describe('a tokenizer.json', () => {
  for (const name of ['byte-level', 'sentence', 'words']) {
    const tokenizer = tokenizerOfJson(read(name))
    assert.ok(typeof tokenizer !== 'string')
    for (const { text, ids, offsets } of read(`${name}.expected`) as readonly Expected[]) {
      it(`of the kind ${name} cuts ${JSON.stringify(text)} as the reference does`, () => {
        const { tokens, isExact } = tokenizer.cut(text)
        assert.deepEqual(
          tokens.map(({ id }) => id),
          ids,
        )
        // Lower case and accents that are dropped leave some places open; that is said.
        assert.ok(isExact || name === 'words', 'places are exact')
        if (isExact)
          assert.deepEqual(
            tokens.map(({ start, end }) => [start, end]),
            unitsOf(text, offsets),
          )
      })
    }
  }

  it('says what the library is known to cut differently', () => {
    const json = read('sentence')
    const split = { ...json.pre_tokenizer, behavior: 'MergedWithNext', pattern: { String: '▁' } }
    const tokenizer = tokenizerOfJson({ ...json, pre_tokenizer: split })
    assert.equal(
      typeof tokenizer === 'string' ? '' : tokenizer.doubt,
      '`Split` with the behavior `MergedWithNext`',
    )
    const own = tokenizerOfJson(json)
    assert.equal(typeof own === 'string' ? '' : own.doubt, undefined)
  })

  it('of an unknown kind is refused with the words of the library', () => {
    assert.match(String(tokenizerOfJson({ model: { type: 'Nonsense' } })), /\w/)
  })
})
