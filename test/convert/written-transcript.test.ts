/** A conversation becomes a transcript without its text being read again: it is the one that reading gives. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { withCallIds } from '../../core/src/conversation/call-ids.ts'
import { LossList } from '../../core/src/conversation/loss.ts'
import { writeOcm } from '../../core/src/conversation/write-transcript.ts'
import {
  ConversionError,
  convert,
  type Reading,
  readConversation,
  Transcript,
  transcriptOfConversation,
} from '../../core/src/internal.ts'
import { placeEdit, plausible, propertyRuns, relativeEdit, transcriptText } from '../helpers/arbitraries.ts'
import { chatRequest } from './conversation-arbitraries.ts'
import { parseableText } from './harmony-arbitraries.ts'

const requests = chatRequest.map((it) => JSON.stringify(it))
/** As hosts write it: breaks of all kinds, half characters, and words that no header can hold. */
const wild = fc
  .tuple(requests, fc.constantFrom('\\r', '\\r\\n', '\\ud800', '<', '<|', '[BOS]\\n', '---\\n', '"'))
  .map(([json, word]) => json.replaceAll(/Hello|Ann|search|gpt/g, (it) => `${it}${word.replace('"', '\\"')}`))
const source = fc.oneof(requests, wild, transcriptText, plausible, parseableText)

function reading(text: string): Reading | undefined {
  try {
    return readConversation(text)
  } catch (error) {
    if (error instanceof ConversionError) return undefined
    throw error
  }
}

/** The text with each message ended as it was: what is checked is not to be mended before. */
function textOf({ conversation, from }: Reading): string {
  const messages =
    from === 'json' ? conversation.messages : withCallIds(conversation.messages, new LossList())
  return writeOcm({ ...conversation, messages }, new LossList())
}

function partsOf(transcript: Transcript) {
  const { framing, forcedDialect, length, lineCount } = transcript
  const segments = [...transcript.segments()].map(({ segment: { home: _home, ...it }, index, start }) => {
    return { ...it, index, start }
  })
  return { framing: framing.name, forcedDialect, length, lineCount, segments }
}

describe('transcriptOfConversation', () => {
  test('is what reading the written text gives', () => {
    fc.assert(
      fc.property(source, (text) => {
        const it = reading(text)
        if (!it) return
        const written = Transcript.parse(textOf(it))
        assert.deepEqual(partsOf(transcriptOfConversation(it)), partsOf(written))
      }),
      { numRuns: 3 * propertyRuns },
    )
  })

  test('is edited like it', () => {
    fc.assert(
      fc.property(fc.oneof(requests, wild), fc.array(relativeEdit, { maxLength: 5 }), (text, edits) => {
        const it = reading(text)
        if (!it) return
        const made = transcriptOfConversation(it)
        const read = Transcript.parse(made.text())
        for (const edit of edits) {
          const placed = placeEdit(edit, made.text())
          made.edit([placed])
          read.edit([placed])
          assert.deepEqual(partsOf(made), partsOf(read))
        }
        assert.deepEqual(partsOf(made), partsOf(Transcript.parse(made.text())))
      }),
      { numRuns: propertyRuns },
    )
  })

  test('is made without reading for what datasets have', () => {
    const parse = Transcript.parse
    let nParsed = 0
    Transcript.parse = (...args) => {
      nParsed++
      return parse(...args)
    }
    try {
      const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
      const calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }]
      const messages = [
        { role: 'user', content: 'Zürich, 東京 < 3\r\n' },
        { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: calls },
        { role: 'tool', tool_call_id: 'c1', content: '' },
        { role: 'assistant', content: 'Done.' },
      ]
      const it = readConversation(JSON.stringify({ tools, messages }))
      transcriptOfConversation(it)
      nParsed = 0
      assert.equal(transcriptOfConversation(it).segmentCount, 7)
      assert.equal(nParsed, 0)
    } finally {
      Transcript.parse = parse
    }
  })
})

describe('words that no header can hold', () => {
  const message = (parts: object) =>
    JSON.stringify({ messages: [{ role: 'assistant', ...parts, content: 'x' }] })
  const rows: readonly (readonly [string, string, string])[] = [
    ['an attribute as channel', message({ channel: 'a=b' }), '<|channel|>a_b<|message|>'],
    ['an attribute as constraint', message({ constrain: 'a-1=b=c' }), '<|constrain|>a-1_b_c<|message|>'],
    ['what becomes one', message({ constrain: '<|=' }), '<|constrain|>__<|message|>'],
    ['words', message({ constrain: 'a  b' }), '<|constrain|>a_b<|message|>'],
    ['nothing', message({ constrain: '' }), '<|constrain|>unknown<|message|>'],
  ]
  for (const [name, json, expected] of rows) {
    test(`${name}: changed, and told`, () => {
      const { text, losses } = convert(json, { from: 'json', to: 'ocm' })
      assert.ok(text.includes(expected), text)
      assert.ok(losses.some(({ kind }) => kind === 'header-value'))
      assert.deepEqual(convert(text, { to: 'ocm' }), { from: 'ocm', text, losses: [] })
    })
  }

  test('others stay', () => {
    const { text, losses } = convert(message({ constrain: '^a=b$' }), { from: 'json', to: 'ocm' })
    assert.ok(text.includes('<|constrain|>^a=b$<|message|>'))
    assert.deepEqual(losses, [])
  })
})
