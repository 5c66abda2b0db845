/** Tells the form of a conversation by its look. */
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { preambleEnd } from '../syntax/preamble-end.ts'
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
      return looksLikeJson(text.slice(start, start + 200)) && !isFlowHeader(text) ? 'messages' : 'ocm'
    }
  }
  return isHarmony(text, start) ? 'harmony' : 'ocm'
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

/** Without header, message upon message without a break, and nothing that only OpenChatML has. */
function isHarmony(text: string, start: number): boolean {
  if (text.startsWith(spelled.channel, start)) return true // what a model writes behind a prompt
  if (!text.startsWith(spelled.start, start)) return false
  const { matcher } = openchatml
  let isTight = false
  let lastEndLiteral: number | undefined
  for (let at = start; at !== -1; at = text.indexOf('<|', at + 2)) {
    const kind = matcher.kindAtOpening(text, at)
    const end = at + matcher.length
    if (kind === ControlKind.literal) {
      // A block that nothing closes is a word of text, in OpenChatML too (D9).
      lastEndLiteral ??= text.lastIndexOf(spelled.endLiteral)
      if (end <= lastEndLiteral) return false
    }
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
    const hasItems = Object.hasOwn(value, 'input') || Object.hasOwn(value, 'output')
    if (hasItems && !Array.isArray(field(value, 'messages'))) return 'responses'
  }
  const list = isObject(value) ? field(value, 'messages') : value
  const items = Array.isArray(list) ? list : [value]
  let clue: Clue | undefined
  for (const it of items) {
    const own = isObject(it) ? clueOf(it) : undefined
    if (own === 'responses') return own
    if (own && (!clue || strength[own] > strength[clue])) clue = own
  }
  if (clue !== 'harmony') return clue ?? 'messages'
  const objects = items.filter(isObject)
  return objects.every((it) => !Object.hasOwn(it, 'thinking')) && objects.some(isHarmonyItem)
    ? 'harmony-json'
    : 'json'
}

/** What an item says of the form of all; `harmony` for what the JSON of Harmony and that of 2.2 §10 have in common. */
type Clue = 'responses' | 'messages' | 'json' | 'harmony'

const strength: Readonly<Record<Clue, number>> = { responses: 4, messages: 3, json: 2, harmony: 1 }

/** The strongest clue of an item, in one walk over its fields: datasets have many. */
function clueOf(it: JsonObject): Clue | undefined {
  let clue: Clue | undefined
  for (const key of Object.keys(it)) {
    const value = it[key]
    if (value === undefined || value === null) continue
    if (key === 'type' && itemTypes.has(value)) return 'responses'
    const own = key === 'content' ? contentClue(value) : clues.get(key)
    if (own && (!clue || strength[own] > strength[clue])) clue = own
  }
  return clue
}

const clues: ReadonlyMap<string, Clue> = new Map([
  ...['tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning'].map(
    (key) => [key, 'messages'] as const,
  ),
  ...['tool_call', 'terminator', 'intent', 'call_id', 'constrain', 'to'].map((key) => [key, 'json'] as const),
  ...['recipient', 'channel'].map((key) => [key, 'harmony'] as const),
])

function contentClue(content: JsonValue): Clue | undefined {
  return typeof content === 'object' && isStructured(content) ? 'harmony' : undefined
}

const itemTypes: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
])

/** In the JSON of 2.2 §10 content with types has literal blocks; text alone is in both forms. */
function isHarmonyItem(it: JsonObject): boolean {
  const content = field(it, 'content')
  if (Object.hasOwn(it, 'recipient') || isStructured(content)) return true
  return Array.isArray(content) && content.every((part) => isObject(part) && field(part, 'type') === 'text')
}

function isStructured(content: JsonValue | undefined): boolean {
  const parts = Array.isArray(content) ? content : [content]
  return parts.some((part) => isObject(part) && String(field(part, 'type')).endsWith('_content'))
}
