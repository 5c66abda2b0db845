/**
 * Conversations through the public functions, compared with the reference: text and ids are the same, but for the classes that
 * differ by decision (docs/conversion.md). Those are applied to the source here, one function each.
 */
import assert from 'node:assert/strict'
import { before } from 'node:test'
import fc from 'fast-check'
import type { Conversation, JsHarmonyEncoding } from 'openai-harmony'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import { ConversionError, convert, readConversation, tokenIds } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { nightly } from '../helpers/nightly.ts'
import { harmonyConversation } from './harmony-arbitraries.ts'
import { reference } from './reference.ts'

let encoding: JsHarmonyEncoding
before(async () => {
  encoding = await reference()
})

interface Message {
  role: string
  name?: string
  recipient?: string
  channel?: string
  content_type?: string
  content: readonly { readonly text?: string }[]
}

/** What this project writes for `message` by decision, in the words of the reference. */
function decided(message: Message): Message {
  const result = { ...message }
  if (result.role !== 'tool') delete result.name // the reference cannot read it
  if (result.role === 'tool') result.recipient ??= 'assistant' // nor a reply without recipient
  if (result.role === 'assistant' && result.channel === undefined) result.channel = 'final'
  const type = result.content_type
  if (type?.startsWith('<|constrain|>'))
    result.content_type = `<|constrain|>${type.slice(13).trim()}` // P15
  else if (result.recipient === undefined) delete result.content_type // P14
  return result
}

nightly('text and ids are those of the reference, but for what is decided otherwise', () => {
  fc.assert(
    fc.property(harmonyConversation, (conversation) => {
      const source = JSON.stringify(conversation)
      const { messages } = JSON.parse(source) as { messages: Message[] }
      const theirs = encoding.renderConversation(
        { messages: messages.map(decided) } as unknown as Conversation,
        { auto_drop_analysis: false },
      )
      try {
        const { text, losses } = convert(source, { from: 'harmony-json', to: 'harmony' })
        // Arguments that no tool is to get are hidden, which is told.
        if (losses.some(({ kind }) => kind === 'hidden-message')) return
        assert.equal(text, encoding.decodeUtf8(theirs))
        const { conversation: read } = readConversation(source, { from: 'harmony-json' })
        assert.deepEqual([...tokenIds(read, o200k)], [...theirs], source)
      } catch (error) {
        // A body that spells a control token cannot be told from one in text.
        if (!(error instanceof ConversionError) || !/<\|/.test(source)) throw error
      }
    }),
    { numRuns: propertyRuns },
  )
})
