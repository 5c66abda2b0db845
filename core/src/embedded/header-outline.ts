/**
 * The header as lines: which key or item each line begins, at which column. Half-typed YAML has no tree, but it has
 * lines and indentation, and that is what completion goes by.
 */

import { afterLineBreak } from '../text/line-breaks.ts'
import type { Range } from '../text/range.ts'
import { flowEnd } from './header-flow.ts'

/** What a line begins: a key, an item of a list, or text that is neither (perhaps a key without its colon yet). */
export interface OutlineNode {
  readonly kind: 'key' | 'item' | 'text'
  readonly column: number
  /** A key as written, an item's dash, or the text. */
  readonly range: Range
  /** The key without quotes, or the text. */
  readonly name: string
  /** Where the value begins: after the colon or the dash; the start of a text. */
  readonly valueStart: number
  /** Where the value ends: after a bracket that closes on a later line, else at the end of the line or its comment. */
  readonly valueEnd: number
  readonly parent: OutlineNode | undefined
}

/** All nodes of `text` in text order. Linear. */
export function outlineOf(text: string): readonly OutlineNode[] {
  const nodes: OutlineNode[] = []
  let parent: OutlineNode | undefined
  /** Lines indented more than this belong to a block scalar and are not part of the structure. */
  let blockScalarColumn: number | undefined
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start)
    const column = indentOf(text, start, end)
    const isBlank = start + column >= end
    if (blockScalarColumn !== undefined && !isBlank && column <= blockScalarColumn)
      blockScalarColumn = undefined
    let next = end
    if (!isBlank && blockScalarColumn === undefined) {
      parent = addLine(text, { start, from: start + column, end }, parent, nodes)
      const last = nodes.at(-1)
      if (last && last.valueEnd > end) next = lineEnd(text, last.valueEnd)
      else if (last && last.range.start >= start && isBlockScalar(text, last))
        blockScalarColumn = keyColumn(last)
    }
    start = afterLineBreak(text, next)
  }
  return nodes
}

/** A line: its start, its first visible character, and its end without line break. */
interface Line {
  readonly start: number
  readonly from: number
  readonly end: number
}

/** Adds the dashes and the key or text of a line; returns the innermost node. */
function addLine(
  text: string,
  { start, from, end }: Line,
  previous: OutlineNode | undefined,
  nodes: OutlineNode[],
): OutlineNode | undefined {
  let at = from
  let parent = previous
  const add = (node: Omit<OutlineNode, 'parent'>) => {
    parent = { ...node, parent: parentAt(parent, node.column, node.kind) }
    nodes.push(parent)
  }
  while (text.charAt(at) === '-' && (at + 1 >= end || isBlank(text, at + 1))) {
    const range = { start: at, end: at + 1 }
    at = skipBlanks(text, at + 1, end)
    add({ kind: 'item', column: range.start - start, range, name: '-', valueStart: range.end, valueEnd: end })
  }
  if (at >= end || text.charAt(at) === '#') return parent
  const column = at - start
  const colon = colonBehindKey(text, at, end)
  if (colon === undefined) {
    const valueEnd = valueEndOf(text, at, end, column)
    const range = { start: at, end: Math.min(valueEnd, end) }
    add({ kind: 'text', column, range, name: text.slice(at, range.end), valueStart: at, valueEnd })
    return parent
  }
  const key = text.slice(at, colon).trimEnd()
  const range = { start: at, end: at + key.length }
  const valueEnd = valueEndOf(text, colon + 1, end, column)
  add({ kind: 'key', column, range, name: unquoted(key), valueStart: colon + 1, valueEnd })
  return parent
}

/** The node that encloses one at `column`: the nearest further left; a list may be at the column of its key. */
export function parentAt(
  previous: OutlineNode | undefined,
  column: number,
  kind: OutlineNode['kind'],
): OutlineNode | undefined {
  for (let node = previous; node; node = node.parent) {
    if (node.kind === 'text') continue
    if (node.column < column || (node.column === column && node.kind === 'key' && kind === 'item'))
      return node
  }
  return undefined
}

/** The offset of the colon after the key that begins at `start`, if one does. */
function colonBehindKey(text: string, start: number, end: number): number | undefined {
  const first = text.charAt(start)
  if (first === '[' || first === '{' || first === '#') return undefined
  let at = start
  if (first === '"' || first === "'") {
    const close = text.indexOf(first, start + 1)
    if (close === -1 || close >= end) return undefined
    at = skipBlanks(text, close + 1, end)
    return text.charAt(at) === ':' ? at : undefined
  }
  for (; at < end; at++) {
    if (text.charAt(at) === '#' && isBlank(text, at - 1)) return undefined
    if (text.charAt(at) === ':' && (at + 1 >= end || isBlank(text, at + 1))) return at
  }
  return undefined
}

function valueEndOf(text: string, start: number, lineEndOffset: number, column: number): number {
  const at = skipBlanks(text, start, lineEndOffset)
  const first = text.charAt(at)
  if (at < lineEndOffset && (first === '[' || first === '{')) return flowEnd(text, at, column)
  return commentStart(text, start, lineEndOffset)
}

/** The offset of the comment in `[start, end)`, or `end`. Quotes protect a `#`. */
export function commentStart(text: string, start: number, end: number): number {
  let quote = ''
  for (let at = start; at < end; at++) {
    const character = text.charAt(at)
    if (quote) quote = character === quote ? '' : quote
    else if ((character === '"' || character === "'") && opensWord(text, at)) quote = character
    else if (character === '#' && (at === 0 || isBlank(text, at - 1))) return at
  }
  return end
}

/** True if a word may begin at `at`: an apostrophe inside a word is not a quote. */
function opensWord(text: string, at: number): boolean {
  return isBlank(text, at - 1) || '[{,:'.includes(text.charAt(at - 1))
}

function isBlockScalar(text: string, { valueStart, valueEnd }: OutlineNode): boolean {
  const first = text.charAt(skipBlanks(text, valueStart, valueEnd))
  return first === '|' || first === '>'
}

/** The column whose deeper lines a block scalar of `node` takes in. */
function keyColumn(node: OutlineNode): number {
  return node.kind === 'text' && node.parent ? node.parent.column : node.column
}

function unquoted(key: string): string {
  const first = key.charAt(0)
  return key.length > 1 && (first === '"' || first === "'") && key.endsWith(first) ? key.slice(1, -1) : key
}

/** The offset of the line break that ends the line of `start`, or the end of the text. */
export function lineEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charAt(at) !== '\n' && text.charAt(at) !== '\r') at++
  return at
}

function indentOf(text: string, start: number, end: number): number {
  return skipBlanks(text, start, end) - start
}

function skipBlanks(text: string, start: number, end: number): number {
  let at = start
  while (at < end && isBlank(text, at)) at++
  return at
}

/** True if a space, tab or line break is at `at`, or the text begins or ends there. */
function isBlank(text: string, at: number): boolean {
  return at < 0 || at >= text.length || ' \t\r\n'.includes(text.charAt(at))
}
