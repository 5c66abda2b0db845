/** Edits that put values into a YAML header and leave everything else, comments too, as it is. */

import type { TextEdit } from '../text/range.ts'
import { isObject } from './json-value.ts'
import type { HeaderEntry, JsonObject, JsonValue, YamlHeader } from './yaml-header.ts'

/**
 * The edits after which `header` says `values` too: missing keys come last in their mapping, a value that is there is
 * replaced, and mappings are merged. Undefined where a value would take the place of a mapping, or the other way round.
 * Relative to the text of the header, in its order.
 *
 * The caller reads the result again before it trusts it: YAML has more ways of writing than are told apart here.
 */
export function yamlEdits(header: YamlHeader, values: JsonObject): readonly TextEdit[] | undefined {
  const { text, entries } = header
  const edits: TextEdit[] = []
  const isFlow = text.charAt(firstContent(text)) === '{'
  const end = isFlow ? text.lastIndexOf('}') : text.length
  const isDone = merge({ text, entries, indent: '', isFlow, end }, values, edits)
  return isDone ? edits.sort((one, other) => one.start - other.start) : undefined
}

/** A mapping of the header. */
interface Mapping {
  readonly text: string
  readonly entries: readonly HeaderEntry[]
  /** What stands before its keys. */
  readonly indent: string
  readonly isFlow: boolean
  /** Offset of its brace, or for a block without keys, of the place for them. */
  readonly end: number
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

/** Where the first key or bracket stands, behind white space and comments. */
function firstContent(text: string): number {
  const blank = /[ \t\r\n]*(?:#[^\r\n]*)?/y
  while (blank.test(text) && /[\r\n]/.test(text.charAt(blank.lastIndex)));
  return blank.lastIndex
}

function put(mapping: Mapping, entry: HeaderEntry, value: JsonValue, edits: TextEdit[]): boolean {
  const { text, indent } = mapping
  const { start, end } = entry.valueRange
  if (entry.type === 'null' && start === end && !mapping.isFlow && isObject(value)) {
    const at = lineEnd(text, entry.range.end)
    edits.push({ start: at, end: at, text: `\n${blockOf(value, `${indent}  `).trimEnd()}` })
    return true
  }
  if (!isObject(value)) {
    if (entry.type === 'object' || entry.type === 'array' || entry.type === 'unknown') return false
    edits.push({ start, end, text: (start === end ? ' ' : '') + flowOf(value) })
    return true
  }
  if (entry.type !== 'object') return false
  const isFlow = text.charAt(start) === '{'
  const first = entry.children[0]
  if (!isFlow && !first) return false
  const childIndent =
    isFlow || !first ? '' : text.slice(lineStart(text, first.range.start), first.range.start)
  if (!/^[ ]*$/.test(childIndent)) return false
  const inner = { text, entries: entry.children, indent: childIndent, isFlow, end: isFlow ? end - 1 : end }
  return merge(inner, value, edits)
}

function insertion(
  { text, entries, indent, isFlow, end }: Mapping,
  missing: readonly [string, JsonValue][],
): TextEdit {
  const last = entries.at(-1)
  if (isFlow) {
    const at = last ? last.range.end : end
    const pairs = missing.map(([key, value]) => `${keyOf(key)}: ${flowOf(value)}`).join(', ')
    return { start: at, end: at, text: last ? `, ${pairs}` : pairs }
  }
  const lines = blockOf(Object.fromEntries(missing), indent)
  if (!last)
    return { start: end, end, text: (end === 0 || text.charAt(end - 1) === '\n' ? '' : '\n') + lines }
  const at = lineEnd(text, last.range.end)
  return { start: at, end: at, text: `\n${lines.trimEnd()}` }
}

function lineStart(text: string, offset: number): number {
  let at = offset
  while (at > 0 && !/[\r\n]/.test(text.charAt(at - 1))) at--
  return at
}

/** Where the line of `offset` ends; of a value that ends with its line break, such as a block of text, the line before. */
function lineEnd(text: string, offset: number): number {
  let at = offset
  while (at > 0 && /[\r\n]/.test(text.charAt(at - 1))) at--
  while (at < text.length && !/[\r\n]/.test(text.charAt(at))) at++
  return at
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
