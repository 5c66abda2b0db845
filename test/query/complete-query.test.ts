/** What is proposed in a query, and what is shown of the places that a query found. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  compileQuery,
  completeQuery,
  hiddenHits,
  hitExcerpt,
  queryValue,
  readSample,
  viewOfSample,
} from '../../core/src/internal.ts'

const known = {
  fields: ['source', 'meta.lang', 'prompt length', 'score'],
  isNumber: (name: string) => name === 'score',
  valuesOf: (name: string) => {
    if (name === 'prompt length') return ['short']
    return name === 'source' ? ['wiki', 'Web forum', 'a..b'] : []
  },
}

const proposed: readonly (readonly [query: string, proposals: readonly string[], rest?: string])[] = [
  ['tur$0', ['turns>=']],
  ['-(tur$0', ['turns>=']],
  ['turns>=$0', []],
  ['sco$0', ['score>=']],
  ['score>$0', ['score>=']],
  ['score:$0', []],
  ['x -sou$0 y', ['source:']],
  ['SOU$0', ['source:']],
  ['meta.$0', ['meta.lang:']],
  ['has:$0', ['reasoning', 'calls', 'images', 'pair', 'note']],
  ['has:re$0', ['reasoning']],
  ['has:reasoning$0', []],
  ['problem:W-DATA-SEC$0', ['W-DATA-SECRET']],
  ['problem:duplicate-s$0', ['duplicate-sample', 'near-duplicate-sample']],
  ['problem:duplicate-sample$0', []],
  ['source:$0', ['wiki', '"Web forum"', '"a..b"']],
  ['source:"web f$0', ['"Web forum"']],
  ['source=W$0', ['wiki', '"Web forum"']],
  ['prom$0', ['"prompt length":']],
  ['"prom$0', ['"prompt length":']],
  ['"prompt length":$0', ['short']],
  ['user:x$0', []],
  ['"in quotation marks tur$0', []],
  ['nothing-like-it$0', []],
]

describe('proposals for', () => {
  for (const [marked, expected] of proposed)
    test(marked, () => {
      const offset = marked.indexOf('$0')
      const text = marked.replace('$0', '')
      const { span, proposals } = completeQuery(text, offset, known)
      assert.deepEqual(
        proposals.map((it) => it.text),
        expected,
      )
      for (const { text: it } of proposals) {
        const query = text.slice(0, span.from) + it + (/[:=]$/.test(it) ? '1' : '') + text.slice(span.to)
        const closed = query + ')'.repeat(query.split('(').length - 1)
        assert.equal(compileQuery(closed).kind, 'matcher', closed)
      }
    })
})

test('any value can be written in a query', () => {
  for (const value of ['wiki', 'two words', 'with "quotes"', 'back\\slash', '/path/', '(x)', '1..2', '-x']) {
    const compiled = compileQuery(`source:${queryValue(value)}`)
    assert.ok(compiled.kind === 'matcher', value)
    const json = JSON.stringify({ messages: [], source: value })
    const view = viewOfSample(readSample(new TextEncoder().encode(json), {}), 1)
    assert.ok(compiled.matcher.matches(view), value)
  }
})

function hits(query: string, content: string, reasoning = '') {
  const compiled = compileQuery(query)
  assert.ok(compiled.kind === 'matcher')
  const messages = [{ role: 'assistant', content, ...(reasoning && { reasoning_content: reasoning }) }]
  const sample = readSample(new TextEncoder().encode(JSON.stringify({ messages })), {})
  return compiled.matcher.hitsIn(viewOfSample(sample, 1))
}

const excerpts: readonly (readonly [query: string, content: string, excerpt: string | undefined])[] = [
  ['sky', 'Why is the sky\n\nblue?', 'Why is the [sky] blue?'],
  ['sky', `${'far away '.repeat(20)}the sky ends`, '…far away far away far away far away the [sky] ends'],
  ['"the sky" sky', 'the sky', '[the sky]'],
  ['/s.y/ blue', 'sky sxy blue', '[sky] [sxy] [blue]'],
  ['-sky', 'blue', undefined],
  ['reasoning:sky', 'sky', undefined],
]

describe('the excerpt of', () => {
  for (const [query, content, expected] of excerpts)
    test(`${query} in ${content.slice(0, 30)}`, () => {
      const found = hitExcerpt(hits(query, content), 240)
      let marked = found?.text
      for (const { from, to } of [...(found?.marks ?? [])].reverse())
        marked = `${marked?.slice(0, from)}[${marked?.slice(from, to)}]${marked?.slice(to)}`
      assert.equal(marked, expected)
    })
})

test('an excerpt has its length, and names hidden kinds without their text', () => {
  const found = hits('sky', `sky ${'x'.repeat(1000)} sky`, 'the sky')
  assert.equal(hitExcerpt(found, 240)?.text.length, 240)
  assert.deepEqual(hiddenHits(found), ['reasoning'])
})
