/** Fields of envelopes, and of answers that continue a question: no message says them, so the header of the conversation keeps them (F1, F7). */

import type { Conversation } from '../conversation/conversation.ts'
import { field, isEmpty, isObject } from '../conversation/json-input.ts'
import { yamlText } from '../conversation/yaml-text.ts'
import { fitsHeader, type JsonObject, keptShare } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { shortened } from '../text/shortened.ts'
import { keptMessagesKey, requestKey } from '../vocabulary/kept-keys.ts'
import { importRequest } from './chat/chat-tools.ts'
import { messageKeys } from './chat/kept-messages.ts'
import type { ReadContext } from './form.ts'
import { tellingKeys } from './samples/sample-columns.ts'

/** What says how much a header keeps, and takes what it doesn't. */
type HeaderContext = Pick<ReadContext, 'losses' | 'rest'>

/** `conversation` with what `object`, its envelope, has besides `keys`. */
export function withSideFields(
  conversation: Conversation,
  object: JsonObject,
  keys: readonly string[],
  context: HeaderContext,
): Conversation {
  const read = new Set([...keys, ...tellingKeys, ...Object.keys(object).filter((it) => isEmpty(object[it]))])
  return withHeader(conversation, importRequest(object, read, context.losses, context.rest).header, context)
}

/** `conversation` with the fields that `outer` keeps, as far as its own header has room for them and no others of that name. */
function withHeader(
  conversation: Conversation,
  outer: JsonObject | undefined,
  { losses, rest }: HeaderContext,
): Conversation {
  const { header = {}, headerText } = conversation
  const added = fieldsIn(outer)
  if (Object.keys(added).length === 0) return conversation
  const own = fieldsIn(header)
  const { model, ...request } = { ...added, ...own }
  const whole = {
    version: 2.2,
    ...header,
    ...(model !== undefined && { model }),
    ...(Object.keys(request).length > 0 && { [requestKey]: request }),
  }
  const hasRoom = headerText === undefined && (rest === 'whole' || fitsHeader(yamlText(whole), keptShare))
  for (const key of Object.keys(added)) {
    const name = shortened(key, 80)
    if (!Object.hasOwn(own, key)) {
      if (!hasRoom) losses.add('field', localize`The field \`${name}\` of the envelope is left out`)
    } else if (JSON.stringify(own[key]) !== JSON.stringify(added[key]))
      losses.add('field', localize`A second value of \`${name}\` is left out`)
  }
  return hasRoom ? { ...conversation, header: whole } : conversation
}

/** `conversation`, which is `question` and `answer`, with what the header of the answer keeps. */
export function withAnswerFields(
  conversation: Conversation,
  question: Conversation,
  answer: Conversation,
  context: HeaderContext,
): Conversation {
  const whole = withHeader(conversation, answer.header, context)
  return withKeptMessages(whole, question, answer, context)
}

function withKeptMessages(
  conversation: Conversation,
  question: Conversation,
  answer: Conversation,
  { losses, rest }: HeaderContext,
): Conversation {
  const kept = field(answer.header ?? {}, keptMessagesKey)
  if (!isObject(kept)) return conversation
  const own = field(conversation.header ?? {}, keptMessagesKey)
  const asked = new Set(messageKeys(question.messages))
  // What the question says, too, is told apart by its place, which is another one now.
  const entries = Object.entries(kept).filter(([key]) => !asked.has(key))
  if (entries.length < Object.keys(kept).length)
    losses.add('field', localize`Fields of a message that repeats an earlier one are left out`)
  const whole = {
    version: 2.2,
    ...conversation.header,
    [keptMessagesKey]: { ...(isObject(own) && own), ...Object.fromEntries(entries) },
  }
  if (rest === 'whole' || fitsHeader(yamlText(whole), 1)) return { ...conversation, header: whole }
  losses.add('field', localize`The fields of the messages of the answer are too large for a header`)
  return conversation
}

/** What `header` keeps of a request. */
function fieldsIn(header: JsonObject = {}): JsonObject {
  const kept = field(header, requestKey)
  const model = field(header, 'model')
  return { ...(isObject(kept) && kept), ...(model !== undefined && { model }) }
}
