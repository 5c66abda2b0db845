/**
 * What the YAML header consists of, as a reader names it: keys and items, nested as in the YAML, with values that are
 * short. What conversions keep of messages and requests is only named: it may be text of hidden messages.
 */
import type { HeaderEntry } from '../embedded/yaml-header.ts'
import { perValue } from '../text/memo.ts'
import type { Range, Span } from '../text/range.ts'
import { keptMessagesKey, requestKey } from '../vocabulary/kept-keys.ts'
import { outlineWords } from './body-parts.ts'
import type { DocumentHeader } from './document-settings.ts'

/** What a part is: the type of its value; `value` for none, and for what cannot be read. */
export type HeaderPartKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'value'

/** A key with its value, or an item of a list, relative to the preamble. */
export interface HeaderPart extends Span {
  /** 0 for the keys of the header itself. */
  readonly depth: number
  readonly kind: HeaderPartKind
  /** The key, or the number of the item. */
  readonly name: string
  /** The value, if there is nothing in it; an alias as it is written. */
  readonly detail: string
  /** The key, or where the item begins; within the span. */
  readonly label: Span
}

const partsAtMost = 1000 // of one header; far more than one that a person wrote
const deepest = 16 // levels; far more than any key of the format has
const keptKeys: readonly (string | number)[] = [keptMessagesKey, requestKey]

/** The parts of a header in order of the text, outer before inner; at most a thousand, also where it has mistakes. */
export const headerParts = perValue((header: DocumentHeader): readonly HeaderPart[] => {
  const parts: HeaderPart[] = []
  for (const entry of header.filled.entries) addEntry(parts, entry, { header, depth: 0, isKept: false })
  return parts
})

interface EntryContext {
  readonly header: DocumentHeader
  readonly depth: number
  /** True directly within what conversions keep. */
  readonly isKept: boolean
}

function addEntry(parts: HeaderPart[], entry: HeaderEntry, { header, depth, isKept }: EntryContext): void {
  if (parts.length >= partsAtMost) return
  const keeps = depth === 0 && keptKeys.includes(entry.key)
  const { offset } = header
  const from = offset + entry.range.start
  const to = offset + entry.range.end
  parts.push({
    depth,
    kind: kindOf(entry),
    name: nameOf(entry, header),
    detail: isKept || keeps ? '' : detailOf(entry, header),
    from,
    to,
    label: entry.keyRange
      ? { from: offset + entry.keyRange.start, to: offset + entry.keyRange.end }
      : { from, to: Math.min(from + 1, to) },
  })
  if (isKept || depth + 1 >= deepest) return
  const inside = { header, depth: depth + 1, isKept: keeps }
  for (const child of entry.children) addEntry(parts, child, inside)
}

function kindOf({ type }: HeaderEntry): HeaderPartKind {
  return type === 'null' || type === 'unknown' ? 'value' : type
}

function nameOf({ key, keyRange }: HeaderEntry, header: DocumentHeader): string {
  return outlineWords(keyRange && isFilledIn(keyRange, header) ? written(keyRange, header) : String(key))
}

function detailOf({ type, value, valueRange, children }: HeaderEntry, header: DocumentHeader): string {
  const source = written(valueRange, header)
  const isAlias = source.startsWith('*')
  if (type === 'object' || type === 'array') {
    if (isAlias) return outlineWords(source)
    if (children.length > 0) return ''
    return type === 'object' ? '{}' : '[]'
  }
  // Numbers as they are written: `2.10` is a version, and 2.1 is another.
  const isAsRead = typeof value === 'string' && !isAlias && !isFilledIn(valueRange, header)
  return outlineWords(isAsRead ? value : source)
}

/** True if something in `range` is yet to be filled in: what was read is a stand-in. */
function isFilledIn(range: Range, { yaml, filled }: DocumentHeader): boolean {
  return yaml !== filled && textIn(range, yaml.text) !== textIn(range, filled.text)
}

function written(range: Range, { yaml }: DocumentHeader): string {
  return textIn(range, yaml.text)
}

const longestLooked = 400 // code units; more than is shown

function textIn({ start, end }: Range, text: string): string {
  return text.slice(start, Math.min(end, start + longestLooked))
}
