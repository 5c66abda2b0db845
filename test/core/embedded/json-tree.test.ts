/** The tree of JSON is the one of the library that reads it, in less memory, and has limits. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Node, parseTree } from 'jsonc-parser'
import { jsonBody, jsonValue } from '../../../core/src/embedded/json-body.ts'
import { jsonValuesAtMost, longestJson, sizeProblem } from '../../../core/src/embedded/json-size.ts'
import { type JsonNode, jsonTree } from '../../../core/src/embedded/json-tree.ts'
import { Document } from '../../../core/src/internal.ts'
import { propertyRuns } from '../../helpers/arbitraries.ts'
import { nightly } from '../../helpers/nightly.ts'

/** A tree as data, without the way back up. */
function plain(node: JsonNode | Node | undefined): unknown {
  if (!node) return undefined
  const { type, offset, length, value, children } = node
  return { type, offset, length, value, children: children?.map(plain) }
}

const pieces = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"a"',
  '"b\\n"',
  '"\\x',
  '"',
  '"\\u00e4"',
  '1',
  '-1.5e3',
  '0.',
  'true',
]
const brokenJson = fc
  .array(
    fc.constantFrom(
      ...pieces,
      'false',
      'null',
      'none',
      ' ',
      '\n',
      '//',
      '/*',
      '*/',
      '\\',
      "'",
      'é',
      '\u0001',
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''))

describe('the tree of JSON', () => {
  it('is the same as that of the library, also where the text is broken', () => {
    fc.assert(
      fc.property(fc.oneof(brokenJson, fc.json()), (text) => {
        assert.deepEqual(plain(jsonTree(text).root), plain(parseTree(text)))
      }),
      { numRuns: 3 * propertyRuns },
    )
  })

  it('gives each node once, and leads back to its parent', () => {
    const { root } = jsonTree('{"a":[1,{"b":null}]}')
    const list = root?.children?.[0]?.children?.[1]
    assert.equal(list, root?.children?.[0]?.children?.[1])
    assert.equal(list?.parent?.parent, root)
    assert.equal(root?.parent, undefined)
  })

  it('remembers the last text only', () => {
    const { root } = jsonTree('[1]')
    assert.equal(jsonTree('[1]').root, root)
    assert.notEqual(jsonTree('[2]').root, root)
  })
})

describe('JSON of very many values', () => {
  const most = `[${'0,'.repeat(jsonValuesAtMost - 2)}0]`
  const more = `[${'0,'.repeat(jsonValuesAtMost - 1)}0]`
  const message = 'JSON of more than 1000000 values is not examined'

  nightly('is examined up to the limit', () => {
    assert.equal(sizeProblem(most), undefined)
    assert.equal(jsonTree(most).problem, undefined)
    assert.ok(Array.isArray(jsonValue(most)))
  })

  it('is not examined beyond it, which a message says', () => {
    assert.equal(sizeProblem(more)?.message, message)
    assert.equal(jsonTree(more).problem?.message, message)
    assert.equal(jsonValue(more), undefined)
    assert.equal(jsonBody(more).problem?.message, message)
    const call =
      '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>'
    const { problems } = new Document(`version: 2.2\n${call}${more}<|call|>`).problems()
    const said = problems.filter((it) => it.message === message)
    assert.deepEqual(
      said.map(({ severity }) => severity),
      ['information'],
    )
    assert.ok(problems.every(({ severity }) => severity !== 'error'))
  })

  it('counts no commas in strings, and keys and words once each', () => {
    const prose = `{"a":"${'a, "b\\" [c]: {} '.replaceAll('"', '\\"').repeat(jsonValuesAtMost / 8)}"}`
    assert.ok(prose.length > jsonValuesAtMost)
    assert.equal(sizeProblem(prose), undefined)
    const members = (count: number) => `{${'"k" :1,'.repeat(count)}"k":true}`
    assert.equal(sizeProblem(members(jsonValuesAtMost / 2 - 2)), undefined)
    assert.equal(sizeProblem(members(jsonValuesAtMost / 2))?.message, message)
  })

  it('is not examined if it is too long, unless it is long only because of its strings', () => {
    const rows = `[${'"some words of text",'.repeat(longestJson / 20)}0]`
    const said = sizeProblem(rows)?.message
    assert.equal(said, 'JSON of more than 4000000 characters is not examined')
    assert.equal(jsonBody(rows).problem?.message, said)
    assert.equal(sizeProblem(`{"a":"${'0123456789abcdef'.repeat(longestJson / 16)}"}`), undefined)
  })
})
