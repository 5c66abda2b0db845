/** Private thoughts nest, of one kind as of several (D3): what a user sees does not depend on the way a text is read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyze, type DialectName, Transcript, visibleTexts } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { shownTexts, streamed } from './streaming/streamed.ts'

const dialects: readonly { readonly dialect: DialectName; readonly wrap: (body: string) => string }[] = [
  { dialect: '2.2', wrap: (body) => `version: 2.2\n<|start|>assistant<|message|>${body}<|end|>\n` },
  { dialect: 'harmony', wrap: (body) => `<|start|>assistant<|channel|>final<|message|>${body}<|end|>` },
  { dialect: '1.x', wrap: (body) => `<|im_start|>assistant\n${body}<|im_end|>\n` },
]

for (const { dialect, wrap } of dialects) {
  const shown = (body: string) => visibleTexts(analyze(Transcript.parse(wrap(body), { dialect })))
  const shownInChunks = (body: string, lengths: readonly number[]) =>
    shownTexts(streamed(wrap(body), lengths, { dialect }))

  for (const [body, seen] of [
    ['<|start_reason|>a<|start_reason|>b<|end_reason|>SECRET<|end_reason|>Hi', ['Hi']],
    ['<|start_reason|>a<|start_reason|>b<|end_reason|>SECRET', []],
    ['Hi<|start_reason|><|start_reflect|>a<|end_reason|>SECRET<|end_reflect|>', ['Hi']],
    ['<|start_reflect|>a<|start_reason|><|start_reason|>b<|end_reason|><|end_reflect|>SECRET', []],
    ['Hi<|end_reason|><|start_reason|>SECRET', ['Hi<|end_reason|>']],
  ] as const) {
    test(`${dialect}: ${body}`, () => {
      assert.deepEqual(shown(body), seen)
      for (const length of [1, 2, 7, 1000]) assert.deepEqual(shownInChunks(body, [length]), seen)
    })
  }

  const piece = fc.constantFrom(
    ...['reason', 'reflect', 'introspect'].flatMap((kind) => [`<|start_${kind}|>`, `<|end_${kind}|>`]),
    'word',
    ' ',
    '<|',
    '<',
  )
  test(`${dialect}: words are seen where as many blocks are closed as opened`, () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (pieces, lengths) => {
          const body = `answer ${pieces.join('')}.`
          const texts = shown(body)
          assert.deepEqual(texts, [seenOf(['answer ', ...pieces, '.'])])
          assert.deepEqual(shownInChunks(body, lengths), texts)
        },
      ),
      { numRuns: propertyRuns },
    )
  })
}

/** The pieces outside of blocks, by counting alone. A marker that closes nothing is text. */
function seenOf(pieces: readonly string[]): string {
  const open = new Map<string, number>()
  let seen = ''
  for (const it of pieces) {
    const [, edge, kind = ''] = /^<\|(start|end)_(\w+)\|>$/.exec(it) ?? []
    const depth = open.get(kind) ?? 0
    const isOpen = [...open.values()].some((count) => count > 0)
    if (edge === 'start') open.set(kind, depth + 1)
    else if (edge === 'end' && depth > 0) open.set(kind, depth - 1)
    else if (!isOpen) seen += it
  }
  return seen
}
