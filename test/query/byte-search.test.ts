/** What a search rejects by its bytes alone is never what the query finds: compared with the query itself, on samples of every form. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  compileQuery,
  mappedTags,
  readSample,
  type SampleMatcher,
  type SampleView,
  viewOfSample,
} from '../../core/src/internal.ts'
import { jsonSamplesOf, wordsOf } from '../convert/sample-arbitraries.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { nightly } from '../helpers/nightly.ts'

const encoder = new TextEncoder()

function viewOf(json: string): SampleView {
  return viewOfSample(readSample(encoder.encode(json), { rest: 'source' }), 1)
}

function matcher(query: string): SampleMatcher {
  const compiled = compileQuery(query)
  assert.equal(compiled.kind, 'matcher', query)
  return compiled.kind === 'matcher' ? compiled.matcher : assert.fail()
}

const user = { role: 'user', content: 'Hello' }

/** Samples whose texts are not in their bytes as they are. */
const joined: readonly unknown[] = [
  {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'refu' },
          { type: 'text', text: 'nding' },
        ],
      },
    ],
  },
  { messages: [{ role: 'user', content: ['refu', 'nding'] }, user] },
  {
    messages: JSON.stringify([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'refu' },
          { type: 'text', text: 'nding' },
        ],
      },
    ]),
  },
  { messages: JSON.stringify([{ role: 'user', content: ['refu', 'nding'] }], undefined, 2) },
  { messages: [user, { role: 'assistant', content: 'refu<think></think>nding' }] },
  { messages: [user, { role: 'assistant', content: 'refu[THINK]x[/THINK]nding' }] },
  { messages: [user, { role: 'assistant', content: '<think>x\n</think>refunding' }] },
  { text: '<s>[INST] refun</s>ding [/INST] Yes</s>' },
  { text: 'refu<bos>nding<|im_start|>user\nHi<|im_end|>' },
  { text: 'version: 2.2\n<|start|>user<|message|>refu<|literal|>nding<|endliteral|><|end|>\n' },
  { prompt: '<|im_start|>user\nrefu', completion: 'nding<|im_end|>' },
  { contents: [{ role: 'user', parts: [{ text: 'refu' }, { text: 'nding' }] }] },
  { prompt: 'Why?', completions: ['refu', 'nding'], labels: [true, false] },
  { instruction: 'refu', input: 'nding', output: 'Yes' },
  {
    messages: [
      user,
      {
        role: 'assistant',
        tool_calls: [{ function: { name: 'refunding', arguments: { x: 'refu\nnding', y: [1e3, 'Köln'] } } }],
      },
    ],
  },
  {
    messages: [
      user,
      {
        role: 'assistant',
        tool_calls: [{ function: { name: 'f', arguments: '{"x":"refu\\u006eding\\u005cu0061"}' } }],
      },
    ],
  },
  {
    messages: [{ role: 'user', content: 'Kelvin, ſoft, İstanbul, 東京タワー, straße' }, user],
    source: 'Kiſſ',
  },
]

const formSamples = jsonSamplesOf(wordsOf(7)).map(([, sample]) => sample)
const samples = [...formSamples, ...jsonSamplesOf(wordsOf(12)).map(([, sample]) => sample), ...joined]

/** Tags, and their ends. */
const tags = [
  '',
  ...['think', 'thought', 'reasoning', 'tool_call', 'tool_response', 'scratchpad', 's', '<SYS>'].flatMap(
    (it) => [`<${it}>`, `</${it}>`],
  ),
  ...[
    '[INST]',
    '[/INST]',
    '[THINK]',
    '[/THINK]',
    '<bos>',
    '<start_of_turn>model\n',
    '<end_of_turn>',
    '<｜Assistant｜>',
  ],
  ...['<|im_start|>assistant\n', '<|im_end|>', '<|assistant|>', '<|begin_of_thought|>', '<|end_of_thought|>'],
  ...[
    '<|start|>assistant<|channel|>analysis<|message|>',
    '<|start|>assistant<|channel|>final<|message|>',
    '<|end|>',
  ],
  ...[
    '<|literal|>',
    '<|endliteral|>',
    '<|start_reason|>',
    '<|end_reason|>',
    '<details><summary>Thinking</summary>',
  ],
]

/** Samples with a text that may be in two columns. */
const shapes: readonly ((one: string, other: string) => unknown)[] = [
  (one, other) => ({ messages: [user, { role: 'assistant', content: one + other }] }),
  (one, other) => ({ messages: [user, { role: 'assistant', reasoning_content: one + other, content: 'x' }] }),
  (one, other) => ({ messages: [user, { role: 'assistant', reasoning_content: one, content: other }] }),
  (one, other) => ({
    conversations: [
      { from: 'human', value: one },
      { from: 'gpt', value: one + other },
    ],
  }),
  (one, other) => ({ text: one + other }),
  (one, other) => ({ text: `version: 2.2\n<|start|>user<|message|>Hi<|end|>${one}${other}` }),
  (one, other) => ({ prompt: one, completion: other }),
  (one, other) => ({ question: one, answer: other }),
  (one, other) => ({ prompt: 'Hi', chosen: one + other, rejected: other }),
]

/** The same sample as other programs write it. */
const writers: readonly ((sample: unknown) => string)[] = [
  (sample) => JSON.stringify(sample),
  (sample) => JSON.stringify(sample, undefined, 2),
  // As Python does by default.
  (sample) => JSON.stringify(sample).replaceAll(/[^ -~]/g, escaped),
  // As Go does by default.
  (sample) => JSON.stringify(sample).replaceAll(/[<>&]/g, escaped),
  (sample) => JSON.stringify(sample).replaceAll('/', '\\/'),
  (sample) => JSON.stringify(sample).replaceAll(/n(?=ding)/g, escaped),
  (sample) => JSON.stringify(JSON.stringify(sample)).replaceAll(/[^ -~]/g, escaped),
]

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Runs of letters in all texts that the query may look at. */
function runsIn(view: SampleView): ReadonlySet<string> {
  const runs = new Set<string>()
  const note = (text: string) => {
    for (const [run] of text.matchAll(/[\p{L}]{3,}/gu)) runs.add(run)
    return false
  }
  view.someText(note)
  for (const { text } of view.texts) note(text)
  return runs
}

describe('bytes that are rejected', () => {
  test('have no word that a text of the sample has, in any form, as any program writes it', () => {
    for (const sample of [...formSamples, ...joined]) {
      // Programs write the same words, and a matcher is costly to make.
      const matchers = new Map<string, ReturnType<typeof bound>>()
      for (const write of writers) {
        const json = write(sample)
        const view = viewOf(json)
        for (const run of runsIn(view)) {
          for (const word of new Set([
            run,
            run.toUpperCase(),
            run.slice(0, 4),
            run.slice(-4),
            run.slice(1, 6),
          ])) {
            const { matches, mayMatch } = matchers.get(word) ?? bound(matcher(`"${word}"`))
            matchers.set(word, { matches, mayMatch })
            if (matches(view)) assert.ok(mayMatch(encoder.encode(json)), `${word}: ${json}`)
          }
        }
      }
    }
  })

  test('match no query that is put together from any terms', () => {
    const word = fc.constantFrom(
      'refunding',
      'weather',
      'place',
      'Kelvin',
      'soft',
      'istanbul',
      '東京',
      'web',
      'nowhere',
      'CANARY',
    )
    const term = fc.oneof(
      word,
      word.map((it) => `user:${it}`),
      word.map((it) => `assistant:${it}`),
      word.map((it) => `reasoning:${it}`),
      word.map((it) => `call:${it}`),
      word.map((it) => `calls:${it}*`),
      word.map((it) => `source:${it}`),
      word.map((it) => `source:*${it.slice(0, 3)}*`),
      word.map((it) => `/${it.slice(0, 4)}[a-z]*${it.slice(-1)}?/i`),
      word.map((it) => `/(${it}|x)y*${it.slice(0, 3)}/`),
      word.map((it) => `/${it}|hello/`),
      fc.constantFrom('has:calls', 'form:messages', 'is:broken', 'turns>=1', 'line:1..9', 'problem:*'),
    )
    const query = fc
      .array(fc.tuple(fc.constantFrom('', '-'), term, fc.constantFrom(' ', ' OR ')), {
        minLength: 1,
        maxLength: 4,
      })
      .map((all) =>
        all.map(([sign, it, next], at) => `${sign}${it}${at < all.length - 1 ? next : ''}`).join(''),
      )
    fc.assert(
      fc.property(query, fc.constantFrom(...samples), fc.constantFrom(...writers), (text, sample, write) => {
        const json = write(sample)
        const { matches, mayMatch } = bound(matcher(text))
        if (!mayMatch(encoder.encode(json))) assert.equal(matches(viewOf(json)), false, `${text}: ${json}`)
      }),
      { numRuns: 5 * propertyRuns },
    )
  })

  nightly('have no word that is joined around tags, in any text', () => {
    const searching = matcher('refunding')
    let nRejected = 0
    for (const shapeOf of shapes)
      for (const blank of ['', ' ', '\n', '\r\n \t', '\n\u00a0', '\\'])
        for (const one of tags)
          for (const hidden of ['', 'x'])
            for (const other of tags) {
              const json = JSON.stringify(shapeOf(`refu${blank}${one}${hidden}`, `${other}nding`))
              const mayMatch = searching.mayMatch(encoder.encode(json))
              if (!mayMatch) nRejected++
              assert.ok(mayMatch || !searching.matches(viewOf(json)), json)
            }
    assert.ok(nRejected > 1000, `${nRejected}`)
  })

  test('are the same among other samples as alone, whatever was searched before', () => {
    const words = ['refunding', 'Kelvin', '東京タワ', 'nowhere']
    const known = words.map((it) => [it, matcher(it)] as const)
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.array(fc.tuple(fc.constantFrom(...samples), fc.constantFrom(...writers), fc.nat(20)), {
          minLength: 1,
          maxLength: 20,
        }),
        ([word, searching], chosen) => {
          const lines = chosen.map(([sample, write, nBlanks]) =>
            encoder.encode(`${write(sample).replaceAll(/\n */g, ' ')}${' '.repeat(nBlanks)}`),
          )
          const mayMatch = searching.mayMatchIn?.(Uint8Array.from(lines.flatMap((it) => [...it, 0x0a])))
          let start = 0
          for (const line of lines) {
            const alone = matcher(word).mayMatch(line)
            assert.equal(mayMatch?.(start, start + line.length), alone, new TextDecoder().decode(line))
            start += line.length + 1
          }
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  test('are most of those that lack the word', () => {
    const rejects = (query: string, sample: unknown) =>
      !matcher(query).mayMatch(encoder.encode(typeof sample === 'string' ? sample : JSON.stringify(sample)))
    const plain = {
      messages: [user, { role: 'assistant', content: 'It is <b>5</b> "a" \n [x](y)' }],
      tags: ['a', 'b'],
    }
    assert.deepEqual(
      [
        'refunding',
        'user:refunding',
        '/refund(ed|s)/',
        '-hello refunding',
        'refunding OR nowhere',
        'source:wiki',
      ].map((query) => rejects(query, plain)),
      [true, true, true, true, true, true],
    )
    assert.deepEqual(
      ['hello', 'HELLO', '-refunding', 'refunding OR turns>1', 'is:broken', 'or', '/re|fund/', '/x*/'].map(
        (query) => rejects(query, plain),
      ),
      [false, false, false, false, false, false, false, false],
    )
    const tagged = [
      {
        messages: [
          user,
          { role: 'assistant', content: '<think>Why not, hm.\n</think>\n\nSure. <tool_call>\n{}' },
        ],
      },
      { text: '<|im_start|>user\nHello\n<|im_end|>\n<|im_start|>assistant\nHi<|im_end|>' },
      { text: 'version: 2.2\n<|start|>assistant<|channel|>analysis<|message|>Hm\n<|end|>' },
    ].flatMap((it) => writers.slice(0, 4).map((write) => write(it)))
    for (const it of tagged)
      assert.deepEqual([rejects('refunding', it), rejects('hello OR hm', it)], [true, false])
    assert.equal(rejects('refunding', '{"messages": ['), true)
    const mapping = { file: 'x.jsonl', formatting: 'sharegpt', ranking: false, columns: {}, tags: mappedTags }
    const mayMatch = (content_tag: string) =>
      matcher('refunding').mayMatch(encoder.encode(JSON.stringify(plain)), {
        ...mapping,
        tags: { ...mappedTags, content_tag },
      })
    assert.deepEqual([mayMatch('said'), mayMatch('tags')], [false, true])
  })
})

function bound(it: SampleMatcher) {
  return { matches: it.matches.bind(it), mayMatch: it.mayMatch.bind(it) }
}
