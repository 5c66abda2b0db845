/** Finds the form of a text. */

import { Transcript } from '../document/transcript.ts'
import { isObject } from '../embedded/json-value.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { preambleEnd } from '../syntax/preamble-end.ts'
import type { Named } from './form.ts'
import {
  formOfJson,
  formOfText,
  isJsonSource,
  jsonFormOf,
  locatedForm,
  otherJson,
  otherText,
  type SourceForm,
} from './form-registry.ts'
import { sampleText } from './held-text.ts'
import { sessionEntries } from './samples/agent-session.ts'
import { framedMessages } from './samples/framed-text.ts'
import { markupIn, mayHoldMarkup } from './samples/markup.ts'

/** The form of `text`: JSON by its value, everything else by its words. `forms` are tried before the forms of the registry. */
export function detectForm<Name extends string = never>(
  text: string,
  forms: readonly Named<Name>[] = [],
): SourceForm | Name {
  const start = text.search(/[^\s\ufeff]/)
  const first = start === -1 ? '' : text[start]
  if (first === '{' || first === '[') {
    let value: JsonValue
    try {
      value = JSON.parse(text.slice(start)) as JsonValue // what JSON.parse gives is a JSON value
    } catch {
      const session = first === '{' ? sessionForm(text) : undefined
      if (session) return session
      if (looksLikeJson(text.slice(start, start + 200)) && !isFlowHeader(text)) return otherJson
      return formOfText(text, start, forms)
    }
    return formOfJson(value, forms)
  }
  return formOfText(text, start, forms)
}

/** The form of the session whose entries are the lines of `text`, or of its beginning; undefined for what is not a session (F22). */
export function sessionForm(text: string): SourceForm | undefined {
  const entries = sessionEntries(text)
  const form = entries && locatedForm(entries)?.form
  return form !== undefined && isJsonSource(form) && jsonFormOf(form).readsLines ? form : undefined
}

/** The form of a `text` that JSON holds in a field (F24). Every message begins with a control token: without any, no frames are known. */
export function formOfHeldText(text: string): SourceForm {
  return !hidesInMarkup(text) && (text.includes('<|') || framedMessages(text)) ? detectForm(text) : 'text'
}

/**
 * True for ChatML whose assistant thinks or calls in tags, as models do that are trained on it: a transcript would show them to
 * users as its text (F20).
 */
function hidesInMarkup(text: string): boolean {
  if (!/^(?:\s|<s>){0,40}<\|im_start\|>/.test(text) || !mayHoldMarkup(text)) return false
  const messages = framedMessages(text) ?? []
  return messages.some(
    (it) => it.role === 'assistant' && markupIn(it.text)?.pieces.some(({ kind }) => kind !== 'text'),
  )
}

/** The form of `text` if it holds a conversation: any text could be a transcript, so one without messages does not count. */
export function conversationForm(text: string): SourceForm | undefined {
  const form = detectForm(text)
  if (form !== otherText) return form
  for (const { segment } of Transcript.parse(text).segments()) if (segment.kind === 'message') return form
  return undefined
}

/**
 * True if `text` looks like a conversation: any JSON could be converted, but most is something else. JSON that `isCut` counts as one,
 * because only all of it says what it is.
 */
export function looksLikeConversation(text: string, { isCut = false } = {}): boolean {
  const start = /^[\s\ufeff]*/.exec(text)?.[0].length ?? 0
  if (text[start] === '{' || text[start] === '[') {
    let value: JsonValue
    try {
      value = JSON.parse(text.slice(start)) as JsonValue // what JSON.parse gives is a JSON value
    } catch {
      if (sessionForm(text)) return true
      // What is broken may be in progress, or have comments.
      if (detectForm(text) === otherJson) return isCut
      return conversationForm(text) !== undefined
    }
    return isConversation(value)
  }
  return conversationForm(text) !== undefined
}

/** Lines of JSON that are looked at to recognize a session: its first entries often say little. */
const longestBeginning = 20

/** As {@link looksLikeConversation}, for the beginning of a file with one JSON value per line. */
export function looksLikeConversations(lines: readonly string[]): boolean {
  const beginning = lines.filter((it) => it.trim() !== '').slice(0, longestBeginning)
  return looksLikeConversation(beginning[0] ?? '') || sessionForm(beginning.join('\n')) !== undefined
}

/** Messages in a list have roles, unless the list has a form of its own; a text in a field has messages. */
function isConversation(value: JsonValue): boolean {
  const form = locatedForm(value)?.form
  const held = form === undefined ? sampleText(value) : undefined
  if (held) return framedMessages(held.text) !== undefined || isTranscriptText(held.text)
  if (form !== otherJson || !Array.isArray(value)) return form !== undefined
  return value.some((it) => isObject(it) && Object.hasOwn(it, 'role'))
}

function isTranscriptText(text: string): boolean {
  const form = conversationForm(text)
  return form !== undefined && !isJsonSource(form)
}

/** Broken JSON is still JSON, so that its mistake is named; `[BOS]` is not. */
function looksLikeJson(start: string): boolean {
  return /^(?:\{\s*"|\[\s*\{)/.test(start)
}

/** A YAML header may be written like JSON: `{"version": 2.2}`, and below it the messages. */
function isFlowHeader(text: string): boolean {
  const { end, basis } = preambleEnd(text)
  return basis === 'line' && text.slice(0, end).trimEnd().endsWith('}')
}
