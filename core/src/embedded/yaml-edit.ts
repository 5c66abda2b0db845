/** Edits that put values into a YAML header and leave everything else, comments too, as it is. */

import { isLineBreak, lineStartAt, nextLineBreak } from '../text/line-breaks.ts'
import type { TextEdit } from '../text/range.ts'
import { isObject } from './json-value.ts'
import {
  type HeaderEntry,
  type HeaderPath,
  type JsonObject,
  type JsonValue,
  valueAt,
  type YamlHeader,
} from './yaml-header.ts'

/**
 * The edits after which the mapping at `path` of `header` has `values` too: missing keys come last, a value that is there is
 * replaced, and mappings are merged. In JSON, JSON is inserted. Undefined if there is no mapping at `path`, and where a value
 * would take the place of a mapping, or the other way round. Relative to the text of the header, in its order.
 *
 * The caller reads the result again before it trusts it: YAML has more ways of writing than are told apart here.
 */
export function yamlEdits(
  header: YamlHeader,
  values: JsonObject,
  path: HeaderPath = [],
): readonly TextEdit[] | undefined {
  const mapping = mappingAt(header, path)
  const edits: TextEdit[] = []
  const isDone = mapping && merge(mapping, values, edits)
  return isDone ? edits.sort((one, other) => one.start - other.start) : undefined
}

/** A mapping of the header. */
interface Mapping {
  readonly text: string
  readonly entries: readonly HeaderEntry[]
  /** What is before its keys. */
  readonly indent: string
  readonly isFlow: boolean
  readonly isJson: boolean
  /** Offset of its brace, or for a block without keys, of the place for them. */
  readonly end: number
}

function mappingAt(header: YamlHeader, path: HeaderPath): Mapping | undefined {
  const { text, entries } = header
  const isFlow = text.charAt(firstContent(text)) === '{'
  const end = isFlow ? text.lastIndexOf('}') : text.length
  const isJson = isFlow && isJsonText(text)
  const entry = path.length > 0 && valueAt(header, path)
  if (entry === false) return { text, entries, indent: '', isFlow, isJson, end }
  return entry && mappingIn(text, entry, isJson)
}

/** The mapping that is the value of `entry`; undefined where the place of its keys is not known. */
function mappingIn(text: string, entry: HeaderEntry, isJson: boolean): Mapping | undefined {
  const { start, end } = entry.valueRange
  const [first] = entry.children
  if (entry.type !== 'object') return undefined
  const isFlow = text.charAt(start) === '{'
  if (isFlow) return { text, entries: entry.children, indent: '', isFlow, isJson, end: end - 1 }
  const lead = first && text.slice(lineStartAt(text, first.range.start), first.range.start)
  // The first key of an item is after its dash.
  if (lead === undefined || !/^[ ]*(?:- +)*$/.test(lead)) return undefined
  return { text, entries: entry.children, indent: ' '.repeat(lead.length), isFlow, isJson, end }
}

function isJsonText(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

function merge(mapping: Mapping, values: JsonObject, edits: TextEdit[]): boolean {
  const missing: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(values)) {
    const entry = mapping.entries.find((it) => it.key === key)
    if (!entry) missing.push([key, value])
    else if (!put(mapping, entry, value, edits)) return false
  }
  if (missing.length > 0) edits.push(insertion(mapping, missing))
  return true
}

/** Where the first key or bracket is, after white space and comments. */
function firstContent(text: string): number {
  const blank = /[ \t\r\n]*(?:#[^\r\n]*)?/y
  while (blank.test(text) && /[\r\n]/.test(text.charAt(blank.lastIndex)));
  return blank.lastIndex
}

function put(mapping: Mapping, entry: HeaderEntry, value: JsonValue, edits: TextEdit[]): boolean {
  const { text, indent, isJson } = mapping
  const { start, end } = entry.valueRange
  const isAbsent = entry.type === 'null' && start === end
  if (isAbsent && !mapping.isFlow && isObject(value)) {
    const at = lineEnd(text, entry.range.end)
    edits.push({ start: at, end: at, text: `\n${blockOf(value, `${indent}  `).trimEnd()}` })
    return true
  }
  if (!isObject(value) || entry.type === 'null') {
    if (entry.type === 'object' || entry.type === 'array' || entry.type === 'unknown') return false
    edits.push({ start, end, text: (isAbsent ? ' ' : '') + (isJson ? JSON.stringify(value) : flowOf(value)) })
    return true
  }
  const inner = mappingIn(text, entry, isJson)
  return inner !== undefined && merge(inner, value, edits)
}

function insertion(
  { text, entries, indent, isFlow, isJson, end }: Mapping,
  missing: readonly [string, JsonValue][],
): TextEdit {
  const last = entries.at(-1)
  if (isFlow) {
    const at = last ? last.range.end : end
    const lead = last && text.slice(lineStartAt(text, last.range.start), last.range.start)
    const separator = lead && /^[ \t]+$/.test(lead) ? `,\n${lead}` : ', '
    const pairs = missing
      .map(([key, value]) =>
        isJson ? `${JSON.stringify(key)}: ${JSON.stringify(value)}` : `${keyOf(key)}: ${flowOf(value)}`,
      )
      .join(separator)
    return { start: at, end: at, text: last ? separator + pairs : pairs }
  }
  const lines = blockOf(Object.fromEntries(missing), indent)
  if (!last)
    return { start: end, end, text: (end === 0 || text.charAt(end - 1) === '\n' ? '' : '\n') + lines }
  const at = lineEnd(text, last.range.end)
  return { start: at, end: at, text: `\n${lines.trimEnd()}` }
}

/** Where the line of `offset` ends; of a value that ends with its line break, such as a block of text, the line before. */
function lineEnd(text: string, offset: number): number {
  let at = offset
  while (at > 0 && isLineBreak(text.charCodeAt(at - 1))) at--
  return nextLineBreak(text, at)
}

/** `mapping` in block style, one line per value. */
export function blockOf(mapping: JsonObject, indent = ''): string {
  let text = ''
  for (const [key, value] of Object.entries(mapping)) {
    text +=
      isObject(value) && Object.keys(value).length > 0
        ? `${indent}${keyOf(key)}:\n${blockOf(value, `${indent}  `)}`
        : `${indent}${keyOf(key)}: ${flowOf(value)}\n`
  }
  return text
}

/** Words and spaces stay as they are; anything else could end the key. */
function keyOf(key: string): string {
  const isPlain = /^[A-Za-z_][\w-]*(?: [\w-]+)*$/.test(key) && !/^(?:true|false|null)$/i.test(key)
  return isPlain ? key : JSON.stringify(key)
}

function flowOf(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((it: JsonValue) => JSON.stringify(it)).join(', ')}]`
  if (isObject(value)) {
    return `{ ${Object.entries(value)
      .map(([key, it]) => `${keyOf(key)}: ${flowOf(it)}`)
      .join(', ')} }`
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  const isPlain = /^[A-Za-z][\w.-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)
  return isPlain ? value : JSON.stringify(value)
}
