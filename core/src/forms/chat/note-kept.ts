/** Reports what a header keeps, for forms that have no place for it: by the names of the fields that it comes from. */

import { field, isObject } from '../../conversation/json-input.ts'
import type { LossList } from '../../conversation/loss.ts'
import { noteHeader } from '../../conversation/note-header.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { inBackticks } from '../../text/in-backticks.ts'
import { localize } from '../../text/localize.ts'
import { shortened } from '../../text/shortened.ts'
import { keptMessagesKey, requestKey } from '../../vocabulary/kept-keys.ts'
import { messageFields } from '../samples/sample-reader.ts'
import { keptMessagesIn } from './kept-messages.ts'

/**
 * As {@link noteHeader}, but of a request or of messages that the header keeps, each field is noted: they may come from JSON, which
 * has no header.
 */
export function noteHeaderAndKept(
  header: JsonObject | undefined,
  told: readonly string[],
  message: (key: string) => string,
  losses: LossList,
): void {
  const request = told.includes(requestKey) ? undefined : field(header ?? {}, requestKey)
  const fields = isObject(request) ? Object.keys(request) : []
  const messages = told.includes(keptMessagesKey) ? [] : [...keptMessagesIn(header).values()]
  const ofMessages = new Set(
    messages.flatMap((it) => Object.keys(it?.fields ?? {}).filter((key) => !isSaid(key, it?.fields[key]))),
  )
  const named = [
    ...(fields.length > 0 ? [requestKey] : []),
    ...(ofMessages.size > 0 ? [keptMessagesKey] : []),
  ]
  noteHeader(header, [...told, ...named], message, losses)
  for (const key of fields) noteRequestField(key, losses)
  for (const key of ofMessages) noteMessageField(key, losses)
}

/** Reports that a form has no place for a field of messages. */
export function noteMessageField(key: string, losses: LossList): void {
  const named = inBackticks(shortened(key, 80))
  losses.add(
    'field',
    messageFields.has(key)
      ? localize`The original form of ${named} cannot be represented`
      : localize`The field ${named} of a message cannot be represented`,
  )
}

function noteRequestField(key: string, losses: LossList): void {
  const named = inBackticks(shortened(key, 80))
  losses.add(
    'field',
    key === 'tools' || key === 'functions'
      ? localize`Tools are text in the result, which does not contain all of ${named}`
      : localize`The field ${named} cannot be represented`,
  )
}

/** True for a number that stands for what the transcript says, and for a list of such calls. */
function isSaid(key: string, value: JsonValue | undefined): boolean {
  if (key === 'tool_calls') return Array.isArray(value) && value.every((it) => typeof it === 'number')
  return typeof value === 'number' && messageFields.has(key)
}
