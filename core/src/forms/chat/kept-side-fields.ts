/** Side fields of messages, which no transcript has a place for (F1): the header keeps them, as it keeps what else messages of a request have. */
import type { ConversationMessage } from '../../conversation/conversation.ts'
import { noteUnknownFields } from '../../conversation/json-input.ts'
import type { JsonObject } from '../../embedded/yaml-header.ts'
import { keptMessagesKey } from '../../vocabulary/kept-keys.ts'
import type { ReadContext } from '../form.ts'
import { noteInexactFields } from '../json-source/inexact-json.ts'
import type { MessageWithSide } from '../samples/sample-reader.ts'
import { usualReasoningField } from './chat-tools.ts'
import { type KeptMessage, keptEntry, keptFields, messageKeys } from './kept-messages.ts'
import { lengthOf, writtenMessage } from './write-messages.ts'

/** `header` with the side fields of those of `messages` that have some. What it has no room for goes to `losses`. */
export function keepingSideFields(
  header: JsonObject,
  messages: readonly ConversationMessage[],
  withSide: readonly MessageWithSide[],
  { losses, rest }: Pick<ReadContext, 'losses' | 'rest'>,
): JsonObject {
  if (withSide.length === 0) return header
  const kept = new Map<number, KeptMessage>()
  for (const { first, count, side } of withSide) {
    const run = messages.slice(first, first + count)
    const message = writtenMessage(run, usualReasoningField)
    const written = message && { message, reasoningField: usualReasoningField }
    const fields = written && keptFields({ ...message, ...side }, written)
    if (fields) kept.set(first, { count, length: lengthOf(run), fields })
  }
  const { entry, left } = keptEntry(kept, messageKeys(messages), header, rest)
  for (const { first, side, item, where } of withSide)
    if (!kept.has(first) || left.has(first))
      noteUnknownFields(item, new Set(notIn(item, side)), where, losses)
    else noteInexactFields(item, side, losses)
  return left.size < kept.size ? { ...header, [keptMessagesKey]: entry } : header
}

function notIn(item: JsonObject, side: JsonObject): readonly string[] {
  return Object.keys(item).filter((key) => !Object.hasOwn(side, key))
}
