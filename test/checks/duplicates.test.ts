/** Duplicates, exact and near, among many samples: each planted one is found, and no other. `SAMPLES=100000` takes as many. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatasetCheck } from '../../core/src/checks/dataset-check.ts'
import { DuplicateIndex, type SampleMark } from '../../core/src/checks/duplicate-index.ts'
import { TextDigest } from '../../core/src/checks/text-digest.ts'
import { datasetMark, readJsonConversation } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'

const nSamples = Number(process.env.SAMPLES ?? 12_000)
const nPlanted = 1000 // of each kind
const nWords = 120

/** A generator of Lehmer: the same samples in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let it = seed; ; ) {
    it = (it * 48_271) % 0x7fffffff
    yield it
  }
}

function words(chance: Generator<number, never>): string[] {
  // Common words are common, as in any language.
  return Array.from(
    { length: nWords },
    () => `w${Math.floor(5000 * (chance.next().value / 0x7fffffff) ** 2)}`,
  )
}

function markOf(text: string): SampleMark {
  const digest = new TextDigest()
  digest.begin()
  digest.addSaid(text)
  return { hash: digest.hash, signature: digest.signature() }
}

describe('an index of duplicates', () => {
  it('finds all that were planted, and no others', () => {
    const chance = numbers(7)
    const index = new DuplicateIndex()
    const originals: string[][] = []
    const found = { same: 0, near: 0, wrong: 0 }
    for (let number = 0; number < nSamples - 2 * nPlanted; number++) {
      const sample = words(chance)
      if (originals.length < 2 * nPlanted) originals.push(sample)
      if (index.add(markOf(sample.join(' ')))) found.wrong++
    }
    for (const [number, sample] of originals.entries()) {
      const isSame = number < nPlanted
      const copy = isSame ? sample : sample.with(40, 'changed').with(90, 'also')
      const result = index.add(markOf(copy.join(' ')))
      assert.equal(result?.earlier, number)
      if (result?.kind === (isSame ? 'same' : 'near')) found[result.kind]++
    }
    assert.deepEqual(found, { same: nPlanted, near: nPlanted, wrong: 0 })
  })

  nightly('holds at most 300 bytes a sample', () => {
    const chance = numbers(11)
    const index = new DuplicateIndex()
    const count = 10_000
    const signature = new Uint16Array(80)
    for (let number = 0; number < count; number++) {
      for (let nth = 0; nth < signature.length; nth++) signature[nth] = chance.next().value
      index.add({ hash: [chance.next().value, chance.next().value], signature })
    }
    assert.ok(index.bytes / count < 300, `${index.bytes / count} bytes a sample`)
  })

  it('takes any number of samples that are alike in part', () => {
    const index = new DuplicateIndex()
    const head = Array.from({ length: 60 }, (_, nth) => `same${nth}`)
    for (let number = 0; number < 3000; number++) {
      const tail = Array.from({ length: 60 }, (_, nth) => `other${number}x${nth}`)
      assert.equal(index.add(markOf([...head, ...tail].join(' '))), undefined)
    }
  })
})

describe('the samples of a run', () => {
  const mark = (sample: object) => {
    const value = JSON.parse(JSON.stringify(sample))
    return datasetMark(value, readJsonConversation(value, { rest: 'source' }))
  }

  it('are the same in any form, whatever their other fields and call IDs', () => {
    const check = new DatasetCheck()
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ]
    check.add(mark({ id: 1, messages }), 'a.jsonl', 1)
    check.add(mark({ id: 2, source: 'web', messages }), 'a.jsonl', 2)
    const conversations = [
      { from: 'human', value: 'Hi' },
      { from: 'gpt', value: 'Hello' },
    ]
    check.add(mark({ conversations }), 'b.jsonl', 7)
    assert.deepEqual(
      check.problems().map(({ code, message }) => `${code}: ${message}`),
      [
        'W-DATA-DUPLICATE: Samples that repeat an earlier one: 2 (`a.jsonl:2 = a.jsonl:1`, `b.jsonl:7 = a.jsonl:1`)',
      ],
    )
    assert.deepEqual(
      check.problems().map((it) => check.fileOf(it)),
      ['a.jsonl'],
    )
  })

  it('are summed up with the first ten', () => {
    const check = new DatasetCheck()
    for (let number = 1; number <= 1201; number++)
      check.add(mark({ prompt: 'a', completion: 'b' }), 'x', number)
    const [problem, ...others] = check.problems()
    assert.deepEqual(others, [])
    assert.match(
      problem?.message ?? '',
      /^Samples that repeat an earlier one: 1,200 \(`x:2 = x:1`, (?:[^,]+, ){8}[^,]+\)$/,
    )
  })

  it('are reported for the file with the first of those that a problem is about', () => {
    const check = new DatasetCheck()
    const asked = (number: number) => `Which color has number ${number}?`
    check.add(mark({ prompt: 'Hi', completion: 'Hello' }), 'plain.jsonl', 1)
    for (let number = 1; number <= 20; number++)
      check.add(
        mark({ prompt: asked(number), chosen: 'Blue, always', rejected: 'Red' }),
        'pairs.jsonl',
        number,
      )
    const thought = { role: 'assistant', content: '<think>Why?</think>Yes' }
    check.add(mark({ messages: [{ role: 'user', content: 'One?' }, thought] }), 'tags.jsonl', 1)
    const field = { role: 'assistant', reasoning_content: 'Why?', content: 'Yes' }
    check.add(mark({ messages: [{ role: 'user', content: 'Two?' }, field] }), 'field.jsonl', 1)
    assert.deepEqual(
      check.problems().map((it) => [it.rule, check.fileOf(it)]),
      [
        ['mixed-reasoning', 'tags.jsonl'],
        ['length-bias', 'pairs.jsonl'],
      ],
    )
  })

  it('have reasoning in tags or in a field of any name, and tags in code are neither', () => {
    const check = new DatasetCheck()
    const answers = [
      { content: 'Use `<think>` and `</think>`.' },
      { content: '```json\n{"end": "</think>"}\n```' },
      { content: '[THINK]Why?[/THINK]Yes' },
      { content: '<thinking>Why?</thinking>Yes' },
      { content: 'Yes', reasoning: 'Why?' },
      { content: 'Yes', thinking: 'Why?' },
    ]
    for (const [index, answer] of answers.entries())
      check.add(
        mark({
          messages: [
            { role: 'user', content: `Nr. ${index}?` },
            { role: 'assistant', ...answer },
          ],
        }),
        'x',
        index,
      )
    assert.deepEqual(
      check.problems().map(({ message }) => message),
      ['Samples have reasoning in tags (2: `x:2`, `x:3`) and in a field (2: `x:4`, `x:5`)'],
    )
  })

  it('are not judged by rules that are off', () => {
    const check = new DatasetCheck()
    for (const number of [1, 2]) check.add(mark({ prompt: 'a', completion: 'b' }), 'x', number)
    assert.deepEqual(check.problems([new Map([['W-DATA-DUPLICATE', 'off']])]), [])
  })
})
