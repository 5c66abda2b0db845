/**
 * Reads a header that is as plain as `yamlText` writes it, without the YAML library: one key on a line, nested mappings indented by two
 * spaces, and values that are words or JSON. Anything else is left to the library, and a property test compares what both read.
 * Each sample of a dataset with side fields has a header of its own: without this, the rows "Convert JSONL of `text` (ocm)" and
 * "Check JSONL of `text` (ocm)" of `npm run bench` would take twice as long.
 */

import type { Range } from '../text/range.ts'
import { type JsonNode, jsonTree } from './json-tree.ts'
import type { JsonValue, YamlEntry, YamlReading } from './yaml-data.ts'

type Read = Omit<YamlEntry, 'key' | 'keyRange' | 'range'>

/** What `text` says; undefined if it is not plain. */
export function readPlainMapping(text: string): Pick<YamlReading, 'value' | 'entries'> | undefined {
  if (!onlyUsual.test(text)) return undefined
  const reader = new PlainReader(text)
  const read = reader.mapping(0)
  return read && reader.isAtEnd ? { value: read.value, entries: read.children } : undefined
}

/** Characters that JSON and YAML take for the same. */
const onlyUsual = /^[\n -~\u00a0-\u1fff\u3000-\ud7ff]*$/
const deepest = 50 // levels: the library is asked for more
const longestKey = 100 // code units

const line = /( *)([A-Za-z][\w.-]*):(?: (.+))?(?:\n|$)/y
const word = /^[A-Za-z][\w.-]*$/
/** Words of YAML that are no text, such as `Null` or `TRUE`. */
const noText = /^(?:null|true|false)$/i
/** A number that is the same in both, and that is read exactly. */
const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:e[-+]?\d+)?$/i

class PlainReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** True if only line breaks are left. */
  get isAtEnd(): boolean {
    return /^\n*$/.test(this.#text.slice(this.#at))
  }

  /** The mapping whose keys are behind `indent` spaces; undefined if there is none. */
  mapping(indent: number): Read | undefined {
    const mapping = new Members()
    while (indent <= 2 * deepest) {
      line.lastIndex = this.#at
      const found = line.exec(this.#text)
      const [whole = '', spaces = '', key = '', value] = found ?? []
      if (!found || spaces.length !== indent) break
      const keyStart = this.#at + indent
      const valueStart = keyStart + key.length + 2
      this.#at += whole.length
      const read =
        value === undefined
          ? this.mapping(indent + 2)
          : inlineValue(value, { start: valueStart, end: valueStart + value.length })
      if (!read || !mapping.add(key, { start: keyStart, end: keyStart + key.length }, read)) return undefined
    }
    const [first] = mapping.entries
    const last = mapping.entries.at(-1)
    return first && last && mapping.read({ start: first.range.start, end: last.range.end })
  }
}

/** The members of a mapping. */
class Members {
  readonly value: Record<string, JsonValue> = Object.create(null)
  readonly entries: YamlEntry[] = []

  /** False for a key that is there already, or too long for the library. */
  add(key: string, keyRange: Range, read: Read): boolean {
    if (key in this.value || key.length > longestKey) return false
    this.value[key] = read.value ?? null
    this.entries.push({ key, keyRange, range: { start: keyRange.start, end: read.valueRange.end }, ...read })
    return true
  }

  read(valueRange: Range): Read {
    return { type: 'object', value: this.value, valueRange, children: this.entries }
  }
}

/** What `text`, which is at `valueRange`, says. */
function inlineValue(text: string, valueRange: Range): Read | undefined {
  if (word.test(text) && !noText.test(text)) return { type: 'string', value: text, valueRange, children: [] }
  if (text.endsWith(' ') || !isJson(text)) return undefined
  const { root } = jsonTree(text)
  return root && nodeOf(root, text, valueRange.start, deepest)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What `node` of `text`, which is at `start`, says, with `levels` at most. */
function nodeOf(node: JsonNode, text: string, start: number, levels: number): Read | undefined {
  const valueRange = rangeOf(node, start)
  const { children: nodes = [] } = node
  switch (node.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return { type: node.type, value: node.value as JsonValue, valueRange, children: [] } // as the type says
    case 'number': {
      const value = Number(node.value)
      const isExact =
        number.test(text.slice(node.offset, node.offset + node.length)) && Number.isFinite(value)
      return isExact ? { type: 'number', value, valueRange, children: [] } : undefined
    }
    case 'array': {
      const values: JsonValue[] = []
      const children: YamlEntry[] = []
      for (const [key, item] of nodes.entries()) {
        const read = levels > 0 ? nodeOf(item, text, start, levels - 1) : undefined
        if (!read) return undefined
        values.push(read.value ?? null)
        children.push({ key, range: read.valueRange, ...read })
      }
      return { type: 'array', value: values, valueRange, children }
    }
    case 'object': {
      const mapping = new Members()
      for (const { children: [key, value] = [] } of nodes) {
        const read = value && levels > 0 ? nodeOf(value, text, start, levels - 1) : undefined
        if (!key || !read || !mapping.add(String(key.value), rangeOf(key, start), read)) return undefined
      }
      return mapping.read(valueRange)
    }
    default:
      return undefined
  }
}

function rangeOf({ offset, length }: JsonNode, start: number): Range {
  return { start: start + offset, end: start + offset + length }
}
