/**
 * Reads a YAML document into plain data and a tree of entries with ranges, in one walk.
 *
 * Data is safe by construction: objects have no prototype, so `__proto__` is a key like any other, and aliases share
 * their value, so a bomb of aliases costs nothing here; its expanded size is counted and refused.
 */

import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { shortened } from '../text/shortened.ts'
import { trimmedEnd } from './embedded-problem.ts'
import type {
  JsonValue,
  YamlEntry,
  YamlProblem,
  YamlProblemKind,
  YamlReading,
  YamlType,
} from './yaml-data.ts'
import { mistakesAtMost, visibleRange } from './yaml-parse.ts'

/** Values that aliases may add to a document: far beyond honest use, and cheap to print as JSON. */
const aliasLimit = 10_000

/** Reads the document whose content is `node`. Recursion is bounded by the nesting limit of the parser. */
export function readYaml(text: string, node: ParsedNode): YamlReading {
  const reader = new Reader(text)
  const { value, type, range, children } = reader.read(node)
  const isRefused = reader.aliased > aliasLimit
  return {
    value: isRefused ? undefined : value,
    type: isRefused ? 'unknown' : type,
    range,
    entries: children,
    problems: reader.problems,
  }
}

/** A value on its way into the tree. `size` counts the values in it, aliases expanded. */
interface Reading {
  readonly value: JsonValue | undefined
  readonly type: YamlType
  readonly range: Range
  readonly children: readonly YamlEntry[]
  readonly size: number
}

class Reader {
  /** The first {@link mistakesAtMost}. */
  readonly problems: YamlProblem[] = []
  /** Values that aliases have added so far. */
  aliased = 0
  readonly #text: string
  /** What each anchor names; undefined while the anchored value is still being read. */
  readonly #anchors = new Map<string, Reading | undefined>()

  constructor(text: string) {
    this.#text = text
  }

  read(node: ParsedNode): Reading {
    if (isAlias(node)) return this.#alias(node.source, this.#rangeOf(node))
    const anchor = node.anchor
    if (anchor !== undefined) this.#anchors.set(anchor, undefined)
    const reading = this.#content(node)
    if (anchor !== undefined) this.#anchors.set(anchor, reading)
    return reading
  }

  #content(node: ParsedNode): Reading {
    if (isMap(node)) return this.#mapping(node as YAMLMap.Parsed)
    if (isSeq(node)) return this.#sequence(node as YAMLSeq.Parsed)
    const range = this.#rangeOf(node)
    const value = isScalar(node) ? this.#scalar(node.value, range) : undefined
    return { value, type: typeOf(value), range, children: noEntries, size: 1 }
  }

  /** Numbers that JSON does not have (`.inf`, `.nan`, a thousand digits) stay text, as do integers that would be rounded. */
  #scalar(value: unknown, range: Range): JsonValue {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    const text = this.#text.slice(range.start, range.end)
    if (typeof value !== 'number' || !Number.isFinite(value)) return text
    return Number.isInteger(value) && !Number.isSafeInteger(value) && integer.test(text) ? text : value
  }

  #sequence(node: YAMLSeq.Parsed): Reading {
    const values: JsonValue[] = []
    const children: YamlEntry[] = []
    let size = 1
    for (const [index, item] of node.items.entries()) {
      const reading = this.read(item)
      size += reading.size
      values.push(reading.value ?? null)
      children.push(entryOf(index, undefined, reading))
    }
    return { value: values, type: 'array', range: this.#collectionRange(node, children), children, size }
  }

  #mapping(node: YAMLMap.Parsed): Reading {
    const value: Record<string, JsonValue> = Object.create(null)
    const children: YamlEntry[] = []
    const keyRanges = new Map<string, Range>()
    let size = 1
    for (const pair of node.items) {
      const key = pair.key as ParsedNode
      const keyRange = this.#rangeOf(key)
      const name = this.#keyName(key, keyRange)
      const reading = pair.value ? this.read(pair.value) : missing(keyRange.end)
      size += reading.size
      children.push(entryOf(name, keyRange, reading))
      const first = keyRanges.get(name)
      if (first) this.#duplicate(name, keyRange, first)
      else value[name] = reading.value ?? null
      if (!first) keyRanges.set(name, keyRange)
    }
    return { value, type: 'object', range: this.#collectionRange(node, children), children, size }
  }

  /** A key as JSON has it: its text. A collection or an alias as key is named as it is written. */
  #keyName(key: ParsedNode, range: Range): string {
    // Read for the anchors and aliases in it.
    if (!isScalar(key) || key.anchor !== undefined) this.read(key)
    if (!isScalar(key)) return this.#text.slice(range.start, range.end)
    return typeof key.value === 'string' ? key.value : this.#text.slice(range.start, range.end)
  }

  #duplicate(name: string, keyRange: Range, firstRange: Range): void {
    if (this.problems.length >= mistakesAtMost) return
    const shown = shortened(name, longestName)
    // An empty key has an empty range, which no one would see.
    const range = visibleRange(this.#text, keyRange.start, keyRange.end)
    const first = visibleRange(this.#text, firstRange.start, firstRange.end)
    const message = localize`Duplicate key \`${shown}\` in this mapping; the first one is used`
    const related = { range: first, message: localize`\`${shown}\` first appears here` }
    this.problems.push({ kind: 'duplicate-key', range, message, related })
  }

  #alias(name: string, range: Range): Reading {
    const shown = shortened(name, longestName)
    if (!this.#anchors.has(name)) {
      return this.#refuse(
        'unresolved-alias',
        range,
        localize`Unknown alias \`*${shown}\`; the anchor \`&${shown}\` must come before it`,
      )
    }
    const target = this.#anchors.get(name)
    if (!target)
      return this.#refuse('circular-alias', range, localize`\`*${shown}\` refers to a value that contains it`)
    const isWithinLimit = this.aliased <= aliasLimit
    this.aliased += target.size
    if (this.aliased > aliasLimit) {
      if (!isWithinLimit) return { ...missing(range.start), range }
      return this.#refuse(
        'alias-limit',
        range,
        localize`Aliases that expand to more than ${aliasLimit} values are not read`,
      )
    }
    return { ...target, range, children: noEntries }
  }

  #refuse(kind: YamlProblemKind, range: Range, message: string): Reading {
    if (this.problems.length < mistakesAtMost) this.problems.push({ kind, range, message })
    return { ...missing(range.start), range }
  }

  /**
   * A block collection ends with its last value: anything the library includes after that is white space and comments.
   * In broken YAML, values may be outside of the range of the library; this range includes them.
   */
  #collectionRange(node: YAMLMap.Parsed | YAMLSeq.Parsed, children: readonly YamlEntry[]): Range {
    const own = this.#rangeOf(node)
    let { start } = own
    let end = node.flow || children.length === 0 ? own.end : start
    for (const { range } of children) {
      start = Math.min(start, range.start)
      end = Math.max(end, range.end)
    }
    return { start, end }
  }

  #rangeOf(node: ParsedNode): Range {
    const [start, end] = node.range
    return { start, end: trimmedEnd(this.#text, start, Math.min(end, this.#text.length)) }
  }
}

function entryOf(key: string | number, keyRange: Range | undefined, reading: Reading): YamlEntry {
  const { value, type, range: valueRange, children } = reading
  if (!keyRange) return { key, valueRange, range: valueRange, type, value, children }
  // In order, except in broken YAML.
  const start = Math.min(keyRange.start, valueRange.start)
  const range = { start, end: Math.max(keyRange.end, valueRange.end) }
  return { key, keyRange, valueRange, range, type, value, children }
}

/** Of every value that is no collection: large headers have thousands of them, and each keystroke makes them again. */
const noEntries: readonly YamlEntry[] = []

/** The value of a key that has none. */
function missing(offset: number): Reading {
  return {
    value: undefined,
    type: 'unknown',
    range: { start: offset, end: offset },
    children: noEntries,
    size: 1,
  }
}

function typeOf(value: JsonValue | undefined): YamlType {
  if (value === undefined) return 'unknown'
  if (value === null) return 'null'
  if (typeof value === 'object') return Array.isArray(value) ? 'array' : 'object'
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'boolean'
}

const integer = /^[-+]?\d+$|^0[ox]/ // as YAML writes it; others have a fraction or an exponent
const longestName = 40 // code units; fits a line of a problem list
