/** The YAML header of a transcript (2.2 §2, D1, D2): its data, its keys with ranges, and what is wrong with it. */

import { localize } from '../text/localize.ts'
import { perText } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import { isObject } from './json-value.ts'
import type {
  JsonObject,
  JsonValue,
  YamlEntry,
  YamlProblem,
  YamlProblemKind,
  YamlReading,
} from './yaml-data.ts'
import {
  elementsAtKeystroke,
  isWithin,
  parseYaml,
  visibleRange,
  type YamlDocument,
  type YamlLimits,
} from './yaml-parse.ts'
import { readYaml } from './yaml-read.ts'

export type { JsonObject, JsonValue, YamlLimits, YamlProblem, YamlProblemKind }

/** A key of the header with its value, or an item of a list in it. */
export type HeaderEntry = YamlEntry

/** UTF-16 code units of a header that are read: the header is read again at every keystroke in it. */
export const headerSizeLimit = 0x10000

const headerLimits: YamlLimits = { length: headerSizeLimit, elements: elementsAtKeystroke }

/** The share of a header that conversions fill with what other forms have: the rest is for who edits it. */
export const keptShare = 1 / 2

/** True if `text` takes at most `share` of what is read of a header, which is 1. */
export function fitsHeader(text: string, share: number): boolean {
  return isWithin(text, { length: share * headerLimits.length, elements: share * headerLimits.elements })
}

/** A header as read. All offsets are relative to `text`. */
export interface YamlHeader {
  /** What was read: no fences, no byte order mark. */
  readonly text: string
  /** True if there is nothing but white space, comments and document markers. */
  readonly isEmpty: boolean
  /** The header as plain data without prototypes; undefined if it is empty or a problem makes it unreadable. */
  readonly value: JsonObject | undefined
  /** The keys, as far as they can be recognised; also in a header with mistakes. */
  readonly entries: readonly HeaderEntry[]
  /** At most one that makes the header unreadable, then one per duplicate key or alias that leads nowhere. */
  readonly problems: readonly YamlProblem[]
}

/** A way into the header: keys, and indexes of items. */
export type HeaderPath = readonly (string | number)[]

/**
 * Reads a header. Never throws, and takes time in proportion to the text. Samples of a dataset have the same few headers
 * again and again, so the last ones are remembered.
 *
 * @param text what is between the fences, or before the first message
 */
export const yamlHeader = perText((text: string) => readMapping(text, headerLimits), {
  texts: 32,
  length: 4 * headerSizeLimit,
})

/** As {@link yamlHeader}, for a mapping in a file of its own with other limits; nothing is remembered. */
export function readMapping(text: string, limits: YamlLimits): YamlHeader {
  const { documents, problem } = parseYaml(text, limits)
  const filled = documents.filter(hasContent)
  const content = filled[0]?.contents
  if (!content)
    return { text, isEmpty: !problem, value: undefined, entries: [], problems: problem ? [problem] : [] }
  const reading = readYaml(text, content)
  const { entries } = reading
  const unreadable = problem ?? secondDocument(text, filled[1]) ?? notAMapping(text, reading)
  if (unreadable) return { text, isEmpty: false, value: undefined, entries, problems: [unreadable] }
  const value = isObject(reading.value) ? reading.value : undefined
  return { text, isEmpty: false, value, entries, problems: reading.problems }
}

/** True unless the document consists of white space, comments and markers. */
function hasContent({ contents }: YamlDocument): boolean {
  if (!contents) return false
  const [start, end] = contents.range
  return start < end || contents.tag !== undefined || contents.anchor !== undefined
}

function secondDocument(text: string, document: YamlDocument | undefined): YamlProblem | undefined {
  if (!document) return undefined
  const [start, end] = document.contents?.range ?? document.range
  const range = visibleRange(text, start, end)
  return {
    kind: 'second-document',
    range,
    message: localize`Unexpected second YAML document; the YAML header must be a single document`,
  }
}

function notAMapping(text: string, { type, range, problems }: YamlReading): YamlProblem | undefined {
  if (type === 'object' || problems.length > 0) return undefined
  const message = localize`The header is not a YAML mapping of keys to values`
  return { kind: 'not-a-mapping', range: visibleRange(text, range.start, range.end), message }
}

/** What is at an offset of the header. */
export interface HeaderPlace {
  readonly path: HeaderPath
  readonly entry: HeaderEntry
  readonly part: 'key' | 'value'
}

/** The innermost entry that touches `offset`, or undefined between entries. */
export function entryAt({ entries }: YamlHeader, offset: number): HeaderPlace | undefined {
  let place: HeaderPlace | undefined
  let path: (string | number)[] = []
  let level = entries
  for (;;) {
    const entry = level.find(({ range }) => range.start <= offset && offset <= range.end)
    if (!entry) return place
    path = [...path, entry.key]
    const isKey = entry.keyRange !== undefined && offset <= entry.keyRange.end
    place = { path, entry, part: isKey ? 'key' : 'value' }
    if (isKey) return place
    level = entry.children
  }
}

/** The entry at `path`; of a key that occurs twice, the first. */
export function valueAt({ entries }: YamlHeader, path: HeaderPath): HeaderEntry | undefined {
  let level = entries
  let found: HeaderEntry | undefined
  for (const key of path) {
    found = level.find((entry) => entry.key === key)
    if (!found) return undefined
    level = found.children
  }
  return found
}

/** What the header says about the version (D2). */
export type HeaderVersion =
  | {
      readonly kind: 'known'
      readonly major: number
      readonly minor: number
      readonly range: Range
      /** True for an unquoted `2.10`, which YAML reads as 2.1. */
      readonly losesZero: boolean
    }
  /** No such key; also in an empty header. */
  | { readonly kind: 'missing' }
  /** The key without a value; `range` is that of the key. */
  | { readonly kind: 'empty'; readonly range: Range }
  /** Not `major[.minor]`. */
  | { readonly kind: 'invalid'; readonly range: Range; readonly source: string }
  /** The header has a problem that explains everything else. */
  | { readonly kind: 'unreadable' }

/**
 * The text of a file without its byte order mark. A line break takes its place, so that offsets stay the same; a space would
 * indent the first key.
 */
export function unmarked(text: string): string {
  return text.replace(/^\ufeff/, '\n')
}

/** The `version` of the header. A number and a quoted string are both fine. */
export function versionOf(header: YamlHeader): HeaderVersion {
  if (!header.value) return { kind: header.isEmpty ? 'missing' : 'unreadable' }
  const entry = valueAt(header, ['version'])
  if (!entry) return { kind: 'missing' }
  const { value, valueRange } = entry
  if (value === null || value === undefined || value === '') {
    return { kind: 'empty', range: entry.keyRange ?? valueRange }
  }
  const source = header.text.slice(valueRange.start, valueRange.end)
  if (typeof value === 'string') return parseVersion(value, valueRange, false)
  if (typeof value !== 'number') return { kind: 'invalid', range: valueRange, source }
  // A number keeps its notation only in the source: `2.10` and `0x2` are numbers like any other in the data.
  return parseVersion(source.startsWith('*') ? String(value) : source, valueRange, true)
}

function parseVersion(source: string, range: Range, isNumber: boolean): HeaderVersion {
  const [, major, minor = '0'] = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(source) ?? []
  if (major === undefined) return { kind: 'invalid', range, source }
  // Linear: nine digits at most.
  const asRead = isNumber ? minor.replace(/0+$/, '') : minor
  const losesZero = Number(asRead) !== Number(minor)
  return { kind: 'known', major: Number(major), minor: Number(asRead), range, losesZero }
}
