/**
 * JSON as a tree with ranges, for features that need places. Tolerant of mistakes; refuses extreme nesting and extreme numbers
 * of values. The tree is a table of numbers, and a node is made of its row when someone asks for it.
 */

import { createScanner, visit } from 'jsonc-parser'
import { localize } from '../text/localize.ts'
import { onRelease } from '../text/memo.ts'
import type { JsonType } from './json-body.ts'
import { jsonValuesAtMost, tooManyValues } from './json-size.ts'
import type { JsonProblem } from './json-token.ts'

/** Levels of nesting that the tree may have: its readers recurse, and no arguments of a tool come near it. */
export const jsonNestingLimit = 512

/** A value, or a property with its key and value as children. Offsets are relative to the text. */
export interface JsonNode {
  readonly type: JsonType | 'property'
  readonly offset: number
  readonly length: number
  /** The value of a string, number, boolean or null. */
  readonly value?: unknown
  readonly parent: JsonNode | undefined
  /** Undefined unless this is an object, an array or a property. */
  readonly children: readonly JsonNode[] | undefined
}

/** The tree; undefined for an empty text and beyond the limits, which the problem then names. */
export interface JsonTree {
  readonly root: JsonNode | undefined
  readonly problem?: JsonProblem
}

/**
 * Parses `text`, also if it has mistakes, up to {@link jsonNestingLimit} levels and {@link jsonValuesAtMost} values.
 * Holds at most 32 bytes for each value, in addition to the nodes that were asked for.
 */
export function jsonTree(text: string): JsonTree {
  if (text !== lastText) {
    lastTree = parsed(text)
    lastText = text
  }
  return lastTree
}

// Several features and rules ask for the same body, one after the other.
let lastText: string | undefined
let lastTree: JsonTree = { root: undefined }

onRelease(() => {
  lastText = undefined
  lastTree = { root: undefined }
})

function parsed(text: string): JsonTree {
  const { rows, problem } = measured(text)
  if (problem) return { root: undefined, problem }
  const table = tableOf(text, rows)
  return { root: table.rows === 0 ? undefined : new TableNode(table, 0, undefined) }
}

// SyntaxKind of the library is a const enum, which isolated modules cannot read.
const openBrace = 1
const closeBrace = 2
const openBracket = 3
const closeBracket = 4
const nullWord = 7
const stringLiteral = 10
const numericLiteral = 11
const endOfFile = 17

/**
 * How many rows the tree of `text` has at most, or why it has none. A closer counts only if it matches, so that broken texts
 * are never taken for flatter than the parser sees them.
 */
function measured(text: string): { readonly rows: number; readonly problem?: JsonProblem } {
  const scanner = createScanner(text, true)
  const closers: number[] = []
  let values = 0
  let strings = 0
  for (let token: number = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (token === closers.at(-1)) closers.pop()
    else if (token === openBrace) closers.push(closeBrace)
    else if (token === openBracket) closers.push(closeBracket)
    if (closers.length > jsonNestingLimit) return { rows: 0, problem: tooDeep(scanner.getTokenOffset()) }
    if (token === stringLiteral) strings++
    if (token === openBrace || token === openBracket || (nullWord <= token && token <= numericLiteral))
      values++
    if (values > jsonValuesAtMost) return { rows: 0, problem: tooManyValues() }
  }
  return { rows: values + strings } // each string may be a key, which has a row for its property as well
}

function tooDeep(at: number): JsonProblem {
  const message = localize`JSON nested more than ${jsonNestingLimit} levels deep is not examined`
  return { kind: 'too-deep', range: { start: at, end: at + 1 }, message }
}

const types = ['object', 'array', 'property', 'string', 'number', 'boolean', 'null'] as const
const [objectType, arrayType, propertyType, stringType, numberType, booleanType, nullType] = types.keys()
const columns = 4

/**
 * The nodes in order of the text, outer before inner, a row each: where it starts, where it ends, the row after its last
 * descendant, and its type.
 */
interface NodeTable {
  readonly text: string
  readonly cells: Int32Array
  readonly rows: number
}

function tableOf(text: string, most: number): NodeTable {
  const cells = new Int32Array(most * columns)
  const open: number[] = []
  let rows = 0
  const add = (type: number | undefined, start: number, end: number) => {
    const at = rows * columns
    cells[at] = start
    cells[at + 1] = end
    cells[at + 2] = rows + 1
    cells[at + 3] = type ?? 0
    return rows++
  }
  const close = (end: number) => {
    const row = open.pop() ?? 0
    cells[row * columns + 1] = end
    cells[row * columns + 2] = rows
  }
  const closeProperty = (end: number) => {
    const row = open.at(-1)
    if (row !== undefined && cells[row * columns + 3] === propertyType) close(end)
  }
  visit(text, {
    onObjectBegin: (offset) => void open.push(add(objectType, offset, offset)),
    onObjectProperty: (_, offset, length) => {
      open.push(add(propertyType, offset, offset))
      add(stringType, offset, offset + length)
    },
    onObjectEnd: (offset, length) => {
      closeProperty(offset + length) // of a property that has no value
      close(offset + length)
      closeProperty(offset + length)
    },
    onArrayBegin: (offset) => void open.push(add(arrayType, offset, offset)),
    onArrayEnd: (offset, length) => {
      close(offset + length)
      closeProperty(offset + length)
    },
    onLiteralValue: (value, offset, length) => {
      add(typeOf(value), offset, offset + length)
      closeProperty(offset + length)
    },
    onSeparator: (separator, offset) => {
      if (separator === ',') closeProperty(offset)
    },
  })
  return { text, cells, rows }
}

function typeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return stringType
  if (typeof value === 'number') return numberType
  return value === null ? nullType : booleanType
}

/** A row as a node. Its children are made once, so that asking twice gives the same node. */
class TableNode implements JsonNode {
  readonly parent: JsonNode | undefined
  readonly #table: NodeTable
  readonly #row: number
  #children: readonly JsonNode[] | undefined

  constructor(table: NodeTable, row: number, parent: JsonNode | undefined) {
    this.#table = table
    this.#row = row
    this.parent = parent
  }

  get type(): JsonType | 'property' {
    return types[this.#cell(3)] ?? 'null'
  }

  get offset(): number {
    return this.#cell(0)
  }

  get length(): number {
    return this.#cell(1) - this.#cell(0)
  }

  get value(): unknown {
    const { text } = this.#table
    switch (this.#cell(3)) {
      case stringType:
        return stringValue(text, this.offset, this.#cell(1))
      case numberType:
        return numberValue(text.slice(this.offset, this.#cell(1)))
      case booleanType:
        return text.charAt(this.offset) === 't'
      case nullType:
        return null
      default:
        return undefined
    }
  }

  get children(): readonly JsonNode[] | undefined {
    if (this.#cell(3) > (propertyType ?? 0)) return undefined
    this.#children ??= this.#made()
    return this.#children
  }

  #made(): readonly JsonNode[] {
    const { cells } = this.#table
    const children: JsonNode[] = []
    const behind = this.#cell(2)
    for (let row = this.#row + 1; row < behind; row = cells[row * columns + 2] ?? behind) {
      children.push(new TableNode(this.#table, row, this))
    }
    return children
  }

  #cell(column: number): number {
    return this.#table.cells[this.#row * columns + column] ?? 0
  }
}

/** What a string says, also one that nothing closes or that has wrong escapes. */
function stringValue(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1)
  const isPlain = end - start >= 2 && text.charAt(end - 1) === '"' && !inside.includes('\\')
  if (isPlain) return inside
  const scanner = createScanner(text.slice(start, end), true)
  scanner.scan()
  return scanner.getTokenValue()
}

function numberValue(written: string): number {
  const value = Number(written)
  return Number.isNaN(value) ? 0 : value
}

/** The member or the element of `node` at `step`: of equal keys the last, which is the one that is read. */
export function childAt(node: JsonNode | undefined, step: string | number): JsonNode | undefined {
  if (typeof step === 'number') return node?.children?.[step]
  return node?.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1]
}
