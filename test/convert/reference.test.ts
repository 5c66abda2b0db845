/** Harmony as the reference has it: our rendering, our parser and our token ids are compared with its own. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'
import type { Conversation, JsHarmonyEncoding } from 'openai-harmony'
import { LossList } from '../../core/src/conversation/loss.ts'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import { idsOfPieces } from '../../core/src/convert/token-counts.ts'
import { conversationPieces, textOfPieces } from '../../core/src/forms/harmony/harmony-message.ts'
import { type LocatedHarmonyMessage, parseHarmony } from '../../core/src/forms/harmony/harmony-parser.ts'
import { readHarmonyJson } from '../../core/src/forms/harmony-json.ts'
import { codePoint, propertyRuns } from '../helpers/arbitraries.ts'
import { nightly } from '../helpers/nightly.ts'
import { bodyText, harmonyConversation, harmonySoup, parseableText } from './harmony-arbitraries.ts'
import { parsedByReference, reference } from './reference.ts'

let encoding: JsHarmonyEncoding
before(async () => {
  encoding = await reference()
})

describe('the rendering is that of the reference', () => {
  for (const dropsAnalysis of [false, true]) {
    test(`text and ids, ${dropsAnalysis ? 'with' : 'without'} dropping analysis`, () => {
      fc.assert(
        fc.property(harmonyConversation, (conversation) => {
          const theirs = encoding.renderConversation(conversation as unknown as Conversation, {
            auto_drop_analysis: dropsAnalysis,
          })
          const messages = readHarmonyJson(JSON.parse(JSON.stringify(conversation)), new LossList())
          const pieces = conversationPieces(messages, { dropsAnalysis, purpose: 'history' }).flat()
          assert.equal(textOfPieces(pieces), encoding.decodeUtf8(theirs))
          assert.deepEqual(idsOfPieces(pieces, o200k), [...theirs])
        }),
        { numRuns: propertyRuns },
      )
    })
  }

  test('for completion', () => {
    fc.assert(
      fc.property(harmonyConversation, (conversation) => {
        const theirs = encoding.renderConversationForCompletion(
          conversation as unknown as Conversation,
          'assistant',
          { auto_drop_analysis: true },
        )
        const messages = readHarmonyJson(JSON.parse(JSON.stringify(conversation)), new LossList())
        const pieces = conversationPieces(messages, { dropsAnalysis: true, purpose: 'completion' }).flat()
        assert.equal(textOfPieces(pieces), encoding.decodeUtf8(theirs))
      }),
      { numRuns: 100 },
    )
  })
})

/** The messages in the shape of the reference. */
function shapeOf(messages: readonly LocatedHarmonyMessage[]) {
  return messages.map(({ role, name, recipient, channel, contentType, content }) => ({
    role,
    ...(name !== undefined && { name }),
    ...(recipient !== undefined && { recipient }),
    content,
    ...(channel !== undefined && { channel }),
    ...(contentType !== undefined && { content_type: contentType }),
  }))
}

function compare(text: string, role?: string): void {
  const theirs = parsedByReference(encoding, text, role)
  let ours: unknown
  try {
    ours = shapeOf(parseHarmony(text, { isStrict: true, ...(role !== undefined && { role }) }))
  } catch (error) {
    assert.equal(typeof theirs, 'string', `We refuse ${JSON.stringify(text)}: ${error}`)
    return
  }
  assert.deepEqual(ours, theirs, JSON.stringify(text))
}

describe('the parser is that of the reference', () => {
  test('on text that it renders', () => {
    fc.assert(
      fc.property(parseableText, (text) => compare(text)),
      { numRuns: propertyRuns },
    )
  })
  test('on pieces in any order', () => {
    fc.assert(
      fc.property(harmonySoup, (text) => compare(text)),
      { numRuns: propertyRuns * 4 },
    )
  })
  test('behind a prompt', () => {
    fc.assert(
      fc.property(harmonySoup, fc.constantFrom('assistant', 'tool', 'user'), (text, role) =>
        compare(text, role),
      ),
      { numRuns: propertyRuns * 2 },
    )
  })
})

describe('the encoding is that of the reference', () => {
  test('on any text', () => {
    fc.assert(
      fc.property(fc.oneof(bodyText, fc.string({ unit: codePoint, maxLength: 80 })), (text) => {
        const ids = [...encoding.encode(text, [])]
        assert.deepEqual([...o200k.encode(text)], ids)
        assert.equal(o200k.count?.(text), ids.length)
      }),
      { numRuns: propertyRuns },
    )
  })

  nightly('on each entry of the vocabulary that is text, and each white space', () => {
    const entries = ranks.map((token) => (typeof token === 'string' ? token : Buffer.from(token).toString()))
    const ours = entries.filter((text) => text !== '' && /[\s\x85\ufeff\u017f]/u.test(text))
    const spaces = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((it) =>
      /\p{White_Space}|\s|\p{Cf}/u.test(it),
    )
    const around = spaces.flatMap((it) => [
      it,
      `a${it}b`,
      `${it}${it}x`,
      `x ${it}\n${it}`,
      `1${it}2`,
      `.${it},`,
    ])
    for (const text of [...ours, ...around, "it'ſ", "I'ſa", 'ſ', "x'ſ\ufeff"]) {
      const ids = [...encoding.encode(text, [])]
      assert.deepEqual([...o200k.encode(text)], ids, JSON.stringify(text))
      assert.equal(o200k.count?.(text), ids.length, JSON.stringify(text))
    }
  })

  test('on runs without a break, whatever their length', () => {
    const unit = fc.oneof(
      fc.constantFrom('a', 'ab', 'é', ' ', '\n', '=', '日', '😀', 'Aa', '\t ', '\ufeff', '\x85', "'ſ"),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 900 })), { maxLength: 3 }), (runs) => {
        const text = runs.map(([it, times]) => it.repeat(times)).join('')
        const ids = [...encoding.encode(text, [])]
        assert.deepEqual([...o200k.encode(text)], ids)
        assert.equal(o200k.count?.(text), ids.length)
      }),
      { numRuns: 100 },
    )
  })

  test('a long run is encoded', () => {
    assert.ok(o200k.encode('abcdefghij'.repeat(50_000)).length > 1000)
  })
})
