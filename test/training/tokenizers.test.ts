/** Tokens of `tokenizer.json` and their places, compared with the reference in Rust. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import type { JsonObject } from '../../core/src/embedded/yaml-header.ts'
import { type BytePairModel, partsOfWord } from '../../core/src/training/byte-pairs.ts'
import { tokenizerOfJson } from '../../core/src/training/tokenizer-json.ts'
import { boundModel, boundSplitters } from '../../core/src/training/tokenizer-limits.ts'
import { forEachPrefix, type UnigramModel, withSortedPieces } from '../../core/src/training/unigram.ts'
import { nightly } from '../helpers/nightly.ts'

interface Expected {
  readonly text: string
  readonly ids: readonly number[]
  readonly offsets: readonly (readonly [number, number])[]
}

/** What the tokenizer `sentence` does if its space comes from elsewhere. */
interface Variant {
  readonly normalizer: JsonObject | null
  readonly pre_tokenizer: JsonObject | null
  readonly rows: readonly Expected[]
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
          [...tokens].map(({ id }) => id),
          ids,
        )
        // Lower case and accents that are dropped leave some places open; that is said.
        assert.ok(isExact || name === 'words', 'places are exact')
        if (isExact)
          assert.deepEqual(
            [...tokens].map(({ start, end }) => [start, end]),
            unitsOf(text, offsets),
          )
      })
    }
  }

  for (const { rows, normalizer, pre_tokenizer } of read('leading-space.expected') as readonly Variant[]) {
    const name = JSON.stringify(normalizer ?? pre_tokenizer)
    it(`puts a space that the text does not have where the reference does: ${name}`, () => {
      const tokenizer = tokenizerOfJson({ ...read('sentence'), normalizer, pre_tokenizer })
      assert.ok(typeof tokenizer !== 'string', String(tokenizer))
      for (const { text, ids, offsets } of rows) {
        const { tokens, isExact } = tokenizer.cut(text)
        assert.deepEqual(
          [text, [...tokens].map(({ id }) => id), isExact, [...tokens].map(({ start, end }) => [start, end])],
          [text, ids, true, unitsOf(text, offsets)],
        )
      }
    })
  }

  it('says that places are open if another spelling of the text was cut, as that of Qwen does', () => {
    const tokenizer = tokenizerOfJson({ ...read('byte-level'), normalizer: { type: 'NFC' } })
    assert.ok(typeof tokenizer !== 'string', String(tokenizer))
    assert.deepEqual(
      ['N\u0301 ', 'Ń ', 'N '].map((text) => tokenizer.cut(text).isExact),
      [false, true, true],
    )
  })

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

  it('as that of Gemma 3 lists runs of spaces as added tokens, and has `##` for two signs', () => {
    const json = read('sentence')
    const ids = { '▁▁': 100_000, '##': 100_001 }
    const tokenizer = tokenizerOfJson({
      ...json,
      model: {
        ...json.model,
        vocab: { ...json.model.vocab, ...ids, '#': 100_002 },
        merges: [...json.model.merges, ['▁', '▁'], ['#', '#']],
      },
      added_tokens: [
        ...json.added_tokens,
        { id: ids['▁▁'], content: '▁▁', normalized: false, special: false },
      ],
    })
    assert.ok(typeof tokenizer !== 'string', String(tokenizer))
    const { tokens, isExact } = tokenizer.cut('##  x')
    assert.ok(isExact)
    assert.deepEqual(
      [...tokens].map(({ id, start, end, isSpecial }) => [id, start, end, isSpecial]).slice(0, 2),
      [
        [ids['##'], 0, 2, false],
        [ids['▁▁'], 2, 4, false],
      ],
    )
  })

  it('of an unknown kind is refused with the words of the library', () => {
    assert.match(String(tokenizerOfJson({ model: { type: 'Nonsense' } })), /\w/)
  })

  it('needs no parts but a model', () => {
    const {
      added_tokens: _added,
      decoder: _decoder,
      post_processor: _processor,
      ...bare
    } = read('byte-level')
    const { added_tokens: added, ...rest } = read('byte-level')
    for (const json of [
      bare,
      { ...bare, added_tokens: null, decoder: null, post_processor: null },
      { ...rest, added_tokens: null },
      { model: bare.model },
    ]) {
      const tokenizer = tokenizerOfJson(json)
      assert.ok(typeof tokenizer !== 'string', String(tokenizer))
      assert.ok(tokenizer.cut('abc').tokens.length > 0)
    }
    assert.ok(added.length > 0)
    assert.match(String(tokenizerOfJson({})), /model/)
  })

  it('has the same tokens if an unknown expression is equivalent to a known one', () => {
    const json = read('byte-level')
    const [split, bytes] = json.pre_tokenizer.pretokenizers
    const pattern = { Regex: `(?:${split.pattern.Regex})` }
    const pretokenizers = [{ ...split, pattern }, bytes]
    const tokenizer = tokenizerOfJson({ ...json, pre_tokenizer: { type: 'Sequence', pretokenizers } })
    assert.ok(typeof tokenizer !== 'string', String(tokenizer))
    for (const { text, ids } of read('byte-level.expected') as readonly Expected[])
      assert.deepEqual(
        [...tokenizer.cut(text).tokens].map(({ id }) => id),
        ids,
      )
  })

  /** Tokens of 1,000 characters each that begin differently. */
  const tokensOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `${index}-`.padEnd(1000, 'x'))

  nightly('may have many tokens that begin alike', () => {
    const { added_tokens: own, ...rest } = read('byte-level')
    const more = Array.from({ length: 100_000 }, (_, index) => ({
      id: 1000 + index,
      content: `<|${'a part of a sound that a model can hear and say '.repeat(4)}${index}|>`,
    }))
    assert.ok(typeof tokenizerOfJson({ ...rest, added_tokens: [...own, ...more] }) !== 'string')
  })

  for (const [part, json] of [
    ['model', { model: null }],
    ['model', { model: [] }],
    ['added_tokens', { added_tokens: { length: 1e9 } }],
    ['added_tokens', { added_tokens: [null] }],
    ['added_tokens', { added_tokens: [{ id: 1, content: 5 }] }],
    ['added_tokens', { added_tokens: [{ id: 1e300, content: 'a' }] }],
    ['added_tokens', { added_tokens: [{ content: 'a' }] }],
    ['model.vocab', { model: { type: 'BPE', vocab: { a: -1 }, merges: [] } }],
    ['model.vocab', { model: { type: 'BPE', vocab: { a: '__proto__' }, merges: [] } }],
    ['model.vocab', { model: { type: 'Unigram', unk_id: 0, vocab: [['a', null]] } }],
    ['model.vocab', { model: { type: 'BPE', vocab: 'x', merges: [] } }],
    ['model.merges', { model: { type: 'BPE', vocab: { a: 0 }, merges: { length: 5 } } }],
    ['model.merges', { model: { type: 'BPE', vocab: { a: 0 }, merges: [null] } }],
    ['model.merges', { model: { type: 'BPE', vocab: { a: 0 }, merges: ['a b', ['a', 'b']] } }],
    ['model.merges', { model: { type: 'BPE', vocab: { a: 0 }, merges: [['a', 'b', 'c']] } }],
  ] as const)
    it(`is refused with the name of what is malformed: ${JSON.stringify(json)}`, () => {
      const message = tokenizerOfJson({ ...read('byte-level'), ...json } as JsonObject)
      assert.equal(message, `\`${part}\` is missing or malformed`)
    })

  const refusals: readonly (readonly [why: RegExp, parts: object])[] = [
    [
      /`\(a\)\\1` can't be matched/,
      { pre_tokenizer: { type: 'Split', pattern: { Regex: '(a)\\1' }, behavior: 'Isolated' } },
    ],
    [
      /`\(a\+\)\+b` can't be matched/,
      {
        normalizer: {
          type: 'Sequence',
          normalizers: [{ type: 'Replace', pattern: { Regex: '(a+)+b' }, content: '' }],
        },
      },
    ],
    [/more than 20,?000/, { pre_tokenizer: { type: 'Split', pattern: { Regex: 'a'.repeat(20_001) } } }],
    [/less than 1/, { pre_tokenizer: { type: 'FixedLength', length: 0 } }],
    [
      /16 times/,
      {
        normalizer: {
          type: 'Sequence',
          normalizers: Array(40).fill({ type: 'Replace', pattern: { String: 'a' }, content: 'aa' }),
        },
      },
    ],
    [/replacement/, { normalizer: { type: 'Replace', pattern: { String: 'a' }, content: '$`' } }],
    [/greater than 200/, { model: { type: 'WordPiece', vocab: { a: 0 }, max_input_chars_per_word: 1e9 } }],
    [/more than 1,?000/, { added_tokens: [{ id: 1, content: 'a'.repeat(1001) }] }],
    [/16 times/, { normalizer: { type: 'Prepend', prepend: 'x'.repeat(16) } }],
    [/too many tokens/, { added_tokens: tokensOf(450).map((content, id) => ({ id, content })) }],
    [
      /too many tokens/,
      { model: { type: 'Unigram', unk_id: 0, vocab: Array.from({ length: 2 ** 20 + 1 }, () => ['a', -1]) } },
    ],
  ]
  for (const [why, parts] of refusals)
    it(`is refused for what takes too long: ${why.source}`, () => {
      assert.match(String(tokenizerOfJson({ ...read('byte-level'), ...parts })), why)
    })

  const unknownTexts = ['', 'é', 'éa', 'aéèa', 'éé ég', 'aa', 'g<unk>éa']
  for (const model of [
    {
      type: 'Unigram',
      unk_id: 0,
      vocab: [
        ['<unk>', 0],
        ['a', -1],
        ['g', -2],
      ],
    },
    { type: 'BPE', unk_token: '<unk>', fuse_unk: true, vocab: { '<unk>': 0, a: 1, g: 2 }, merges: [] },
    { type: 'BPE', unk_token: '<unk>', fuse_unk: false, vocab: { '<unk>': 0, a: 1 }, merges: [] },
    { type: 'BPE', fuse_unk: true, vocab: { a: 1 }, merges: [] },
  ])
    it(`joins unknown tokens as the library does: ${JSON.stringify(model)}`, () => {
      const parts = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null }
      const json = { ...parts, added_tokens: [], model }
      const own = tokenizerOfJson(json as never)
      assert.ok(typeof own !== 'string', String(own))
      const library = new HuggingFaceTokenizer(json, {})
      for (const text of unknownTexts)
        assert.deepEqual(
          [...own.cut(text).tokens].map(({ id }) => id),
          library.encode(text, { add_special_tokens: false }).ids,
        )
    })

  it('looks up each unknown token a few times at most, however many are joined', () => {
    let looked = 0
    const tokens_to_ids = new Map<string, number>()
    tokens_to_ids.get = (key) => {
      looked += key.length
      return undefined
    }
    const words = Array.from({ length: 1000 }, () => 'é')
    const model = { tokens_to_ids, unk_token_id: 0, fuse_unk: true, encode: () => words }
    boundModel(model)
    assert.deepEqual(model.encode(), [words.join('')])
    assert.ok(looked <= 3 * words.length, String(looked))
  })

  it('looks for a token that the text does not spell once', (t) => {
    const model = { type: 'BPE', unk_token: '<unk>', vocab: { '<unk>': 0, a: 1 }, merges: [] }
    const added = { added_tokens: [{ id: 0, content: '<unk>', special: true }] }
    const tokenizer = tokenizerOfJson({ model, decoder: { type: 'ByteLevel' }, ...added } as never)
    assert.ok(typeof tokenizer !== 'string', String(tokenizer))
    const search = t.mock.method(String.prototype, 'indexOf')
    const { tokens, isExact } = tokenizer.cut('é'.repeat(1000))
    search.mock.restore()
    assert.equal(isExact, false)
    assert.equal(tokens.length, 1000)
    assert.ok(search.mock.calls.filter(({ arguments: [sought] }) => sought === '<unk>').length <= 2)
  })

  it('finds the pieces of Unigram that a text begins with, the shortest first', () => {
    const pieces = ['a', 'ab', 'abc', 'é', 'éa', '😀', '😀a', '\ud83d', '\uffff', '\uffffa']
    const texts = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'é', '😀', '\ud83d', '\uffff'),
      maxLength: 5,
    })
    fc.assert(
      fc.property(fc.subarray(pieces), texts, (some, text) => {
        const prefixes = Array.from(text).map((_, index, all) => all.slice(0, index + 1).join(''))
        const found: string[] = []
        forEachPrefix([...some].sort(), `b${text}`, 1, (it) => found.push(it))
        assert.deepEqual(
          found,
          prefixes.filter((it) => some.includes(it)),
        )
      }),
    )
  })

  it('keeps a piece once, however often a model has it', () => {
    const vocab = [['<unk>', 0], ...Array.from({ length: 1000 }, () => ['a', -1])]
    const json = {
      normalizer: null,
      pre_tokenizer: null,
      post_processor: null,
      decoder: null,
      added_tokens: [],
    }
    const model = { type: 'Unigram', unk_id: 0, vocab }
    const library = withSortedPieces(() => new HuggingFaceTokenizer({ ...json, model }, {}))
    assert.deepEqual((library.model as unknown as UnigramModel).trie.sorted, ['<unk>', 'a'])
  })

  it('cuts words by scores as the library does', () => {
    const letters = fc.constantFrom('a', 'b', 'c', 'é', '😀', '\ud83d')
    const pieces = fc.string({ unit: letters, minLength: 1, maxLength: 3 })
    const scored = fc.uniqueArray(fc.tuple(pieces, fc.integer({ min: -9, max: 0 })), {
      selector: ([piece]) => piece,
      maxLength: 12,
    })
    const words = fc.string({ unit: letters, maxLength: 20 })
    fc.assert(
      fc.property(scored, words, (vocab, word) => {
        const model = { type: 'Unigram', unk_id: 0, vocab: [['<unk>', 0], ...vocab] }
        const parts = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null }
        const json = { ...parts, added_tokens: [], model }
        const own = tokenizerOfJson(json as never)
        assert.ok(typeof own !== 'string', String(own))
        const library = new HuggingFaceTokenizer(json, {})
        assert.deepEqual(
          [...own.cut(word).tokens].map(({ id }) => id),
          library.encode(word, { add_special_tokens: false }).ids,
        )
      }),
    )
  })

  it('merges the parts of long words as the library does', () => {
    const pairs = ['ab', 'bc', 'ab c', 'a bc', 'aa', 'aa a', 'aa aa', 'c</w>', 'b c</w>', '😀a', 'é😀']
    const merges = pairs.map((it) =>
      it.includes(' ') ? it.split(' ') : [it.slice(0, it.match(/^./u)?.[0].length), it.replace(/^./u, '')],
    )
    const words = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'é', '😀', '\ud83d'),
      minLength: 2,
      maxLength: 30,
    })
    const suffixes = fc.constantFrom({}, { end_of_word_suffix: '</w>' }, { continuing_subword_suffix: '@@' })
    fc.assert(
      fc.property(fc.shuffledSubarray(merges), words, suffixes, (some, word, suffix) => {
        const model = { type: 'BPE', vocab: {}, merges: some, ...suffix }
        const parts = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null }
        const library = new HuggingFaceTokenizer({ ...parts, added_tokens: [], model }, {})
          .model as unknown as BytePairModel
        assert.deepEqual(partsOfWord(word, library), library.bpe(word))
      }),
    )
  })

  it('cuts a text of more tokens than a call has arguments', () => {
    const vocab = [
      ['<unk>', 0],
      ['a', -1],
    ]
    const tokenizer = tokenizerOfJson({ model: { type: 'Unigram', unk_id: 0, vocab } } as never)
    assert.ok(typeof tokenizer !== 'string', String(tokenizer))
    assert.equal(tokenizer.cut('a'.repeat(200_000)).tokens.length, 200_000)
  })

  const contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
  const spaces = String.raw`\s*[\r\n]+|\s+(?!\S)|\s+`
  const o200k = String.raw`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+${contractions}?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*${contractions}?`
  const expressions: Readonly<Record<string, string>> = {
    'GPT-2': String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
    'Llama 3': String.raw`${contractions}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|${spaces}`,
    Qwen: String.raw`${contractions}|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|${spaces}`,
    o200k: String.raw`${o200k}|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|${spaces}`,
    'white space': String.raw`\s+`,
    digits: String.raw`\p{N}{1,3}`,
  }
  for (const [name, Regex] of Object.entries(expressions))
    it(`has the platform match the expression of ${name}`, () => {
      const pattern = /x/u
      const splitter = { config: { pattern: { Regex } }, pattern }
      assert.equal(boundSplitters(splitter), undefined)
      assert.equal(splitter.pattern, pattern)
    })

  it('does not have the platform match what looks like a known expression', () => {
    for (const Regex of [
      String.raw`\s*[\r\n]+`,
      String.raw`(a+)+|\s+(?!\S)|\s+`,
      String.raw`\s+$`,
      `${expressions.o200k}+`,
      '[a]+[a]+',
    ]) {
      const pattern = /x/u
      const splitter: { readonly config: object; pattern: unknown } = {
        config: { pattern: { Regex } },
        pattern,
      }
      assert.equal(boundSplitters(splitter), undefined)
      assert.notEqual(splitter.pattern, pattern, Regex)
    }
  })
})
