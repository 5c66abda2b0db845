/** Tokens message by message: they add up to what is counted of the whole. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import {
  type Analysis,
  analyze,
  countTokens,
  openEnd,
  readConversation,
  Transcript,
  tokenParts,
} from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

function countsOf(text: string): readonly number[] {
  const analysis = analyze(Transcript.parse(text))
  const end = openEnd(analysis)
  return [...analysis.transcript.segments()].map(({ segment }) => {
    const { specials, header, body } = tokenParts(analysis, segment, { isOpenEnd: segment === end })
    return [...header, ...body].reduce((sum, it) => sum + o200k.encode(it).length, specials)
  })
}

function totalOf(text: string): number {
  return countTokens(readConversation(text, { from: 'ocm' }).conversation, o200k).total
}

function sum(counts: readonly number[]): number {
  return counts.reduce((one, other) => one + other, 0)
}

test('special tokens count one each, and the header counts', () => {
  assert.deepEqual(countsOf('version: 2.2\n<|start|>user<|message|>Hi<|end|>\n<|start|>assistant'), [0, 5, 2])
  // What is no part of Harmony does not count: the id of a call, and marks of a literal block.
  assert.deepEqual(
    countsOf('<|start|>user<|message|><|literal|><|end|><|endliteral|><|end|>'),
    countsOf('<|start|>user<|message|><<|end|><|end|>'),
  )
})

test('a message that is cut off has no terminator, but at the end only', () => {
  assert.deepEqual(countsOf('<|start|>user<|message|>Hi<|start|>user<|message|>Hi').slice(-2), [5, 4])
})

test('the samples have the tokens that `ocm tokens` counts', () => {
  for (const name of readdirSync('samples').filter((it) => it.endsWith('.ocm'))) {
    const text = readFileSync(`samples/${name}`, 'utf8')
    assert.equal(sum(countsOf(text)), totalOf(text), name)
  }
})

test('the messages of any transcript add up to the whole', () => {
  fc.assert(
    fc.property(transcriptText, (text) => assert.equal(sum(countsOf(text)), totalOf(text))),
    { numRuns: propertyRuns },
  )
})

test('an edit changes what is counted of the edited message alone', () => {
  const message = (text: string) => `<|start|>user<|message|>${text}<|end|>\n`
  const text = `version: 2.2\n${message('a').repeat(50)}`
  const analysis: Analysis = analyze(Transcript.parse(text))
  const segments = () => [...analysis.transcript.segments()].map(({ segment }) => segment)
  const before = new Set(segments())
  const at = text.indexOf('>a<', 700) + 2
  analysis.edit([{ start: at, end: at, text: 'b' }])
  assert.equal(segments().filter((it) => !before.has(it)).length, 1)
})
