/** Tells the form of a conversation by its look. */
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { openchatml } from '../vocabulary/openchatml.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import { field, isObject } from './json-input.ts'
import { spelled } from './spelling.ts'

/** A form that a conversation can be read from. */
export type SourceForm = 'ocm' | 'json' | 'harmony' | 'harmony-json' | 'messages' | 'responses'

/** A form that a conversation can be written in. */
export type TargetForm = SourceForm | 'markdown'

/** The forms that can be read. */
export const sourceForms: readonly SourceForm[] = [
  'ocm',
  'json',
  'harmony',
  'harmony-json',
  'messages',
  'responses',
]

/** The forms that can be written. */
export const targetForms: readonly TargetForm[] = [...sourceForms, 'markdown']

/** The form of `text`: JSON is told by {@link formOfJson}; everything else is a transcript or Harmony. */
export function detectForm(text: string): SourceForm {
  const start = text.search(/[^\s\ufeff]/)
  const first = start === -1 ? '' : text[start]
  if (first === '{' || first === '[') {
    try {
      return formOfJson(JSON.parse(text.slice(start)) as JsonValue)
    } catch {
      return looksLikeJson(text.slice(start, start + 200)) ? 'messages' : 'ocm'
    }
  }
  return isHarmony(text, start) ? 'harmony' : 'ocm'
}

/** Broken JSON is still JSON, so that its mistake is named; `[BOS]` is not. */
function looksLikeJson(start: string): boolean {
  return /^(?:\{\s*"|\[\s*\{)/.test(start)
}

/** Without header, message upon message without a break, and nothing that only OpenChatML has. */
function isHarmony(text: string, start: number): boolean {
  if (text.startsWith(spelled.channel, start)) return true // what a model writes behind a prompt
  if (!text.startsWith(spelled.start, start)) return false
  const { matcher } = openchatml
  let isTight = false
  for (let at = start; at !== -1; at = text.indexOf('<|', at + 2)) {
    const kind = matcher.kindAt(text, at)
    const end = at + matcher.length
    if (kind === ControlKind.literal) return false
    if (kind === ControlKind.start) {
      if (text[at - 1] === '<' || matchesAt(ownAttribute, text, end)) return false
    } else if (isTerminator(kind)) {
      if (text.startsWith(spelled.start, end)) isTight = true
      else if (matchesAt(breakBeforeStart, text, end)) return false
    }
  }
  return isTight || text.includes(` ${spelled.constrain}`) || text.includes('# Valid channels:')
}

const ownAttribute = /[^<]*\s(?:call_id|name|intent|content_type)=/y
const breakBeforeStart = /\s+<\|start\|>/y

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** The form of a value; a list, or an object with `messages`, `input` or `output`, is told by what its items have. */
export function formOfJson(value: JsonValue): SourceForm {
  if (isObject(value)) {
    if (Object.hasOwn(value, 'header') || Object.hasOwn(value, 'yaml')) return 'json'
    if (Object.hasOwn(value, 'input') || Object.hasOwn(value, 'output')) return 'responses'
  }
  const list = isObject(value) ? field(value, 'messages') : value
  const items = (Array.isArray(list) ? list : [value]).filter(isObject)
  if (items.some(isItem)) return 'responses'
  if (items.some((it) => hasAny(it, ['tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning']))) {
    return 'messages'
  }
  if (items.some((it) => hasAny(it, ['tool_call', 'terminator', 'intent', 'call_id', 'constrain', 'to'])))
    return 'json'
  if (items.some((it) => hasAny(it, ['recipient', 'channel']) || isStructured(it))) {
    return items.every((it) => !Object.hasOwn(it, 'thinking')) && items.some(isHarmonyItem)
      ? 'harmony-json'
      : 'json'
  }
  return 'messages'
}

const itemTypes: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
])

function isItem(it: JsonObject): boolean {
  return itemTypes.has(field(it, 'type'))
}

/** In the JSON of 2.2 §10 content with types has literal blocks; text alone is in both forms. */
function isHarmonyItem(it: JsonObject): boolean {
  if (Object.hasOwn(it, 'recipient') || isStructured(it)) return true
  const content = field(it, 'content')
  return Array.isArray(content) && content.every((part) => isObject(part) && field(part, 'type') === 'text')
}

function isStructured(it: JsonObject): boolean {
  const content = field(it, 'content')
  const parts = Array.isArray(content) ? content : [content]
  return parts.some((part) => isObject(part) && String(field(part, 'type')).endsWith('_content'))
}

function hasAny(it: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => it[key] !== undefined && it[key] !== null && Object.hasOwn(it, key))
}
