/** What streaming costs: work that grows with the text only, and memory that does not grow with what was reported. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StreamingParser } from '../../../core/src/internal.ts'
import { hostileTexts } from '../../helpers/hostile-texts.ts'
import { mixedCorpus } from './bench-corpus.mjs'

const size = 20_000
const atMost = 80 // a start token in a body keeps up to 64 code units, which single code units look at again

const texts = new Map([
  ['a conversation', mixedCorpus(size).ocm],
  ['unclosed front matter', `---\n${'"<|start|>" <|start|>x\n'.repeat(size / 20)}`],
  ['openers inside lines', 'x <|start|>user'.repeat(size / 15)],
  ['openers of a sequence inside lines', 'x [BOS'.repeat(size / 6)],
  ['a sequence that never begins', `[BOS]${'x <|start|>[BOS]'.repeat(size / 16)}`],
  ['thoughts in a body', `<|start|>user<|message|>${'<|start_reason|>x<|end_reason|>'.repeat(size / 31)}`],
  ['white space', `<|start|>user<|message|>${' '.repeat(size)}`],
  ['a JSON answer', `<|start|>assistant<|message|>${'{'.repeat(size)}`],
  ['literal blocks', `<|start|>user<|message|>${'<|literal|>x<|endliteral|>'.repeat(size / 26)}`],
  ...hostileTexts(size),
])

function workOf(text: string, length: number): number {
  const parser = new StreamingParser()
  for (let at = 0; at < text.length; at += length) parser.push(text.slice(at, at + length))
  parser.end()
  return parser.work
}

describe('work', () => {
  for (const [name, text] of texts) {
    it(`is linear for ${name}`, () => {
      for (const length of [1, 7, 300, text.length]) {
        const ratio = workOf(text, length) / text.length
        assert.ok(ratio <= atMost, `${ratio} times the text in chunks of ${length}`)
      }
    })
  }

  it('looks at ordinary text once per part of the parser, whatever the chunks', () => {
    const text = `<|start|>assistant<|channel|>final<|message|>${'Just some words. '.repeat(1000)}<|return|>`
    for (const length of [1, 7, 300, text.length]) assert.ok(workOf(text, length) < text.length * 3.1)
  })
})

describe('memory', () => {
  it('is free of text that has been reported', () => {
    const parser = new StreamingParser({ prefix: '<|start|>assistant<|channel|>final<|message|>' })
    let shown = 0
    const chunk = 'word '.repeat(200)
    for (let count = 0; count < 100; count++) {
      for (const event of parser.push(chunk)) if (event.type === 'response.delta') shown += event.text.length
      assert.equal(shown, (count + 1) * chunk.length, 'nothing is held back')
    }
  })
})
