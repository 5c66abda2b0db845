/** What the writer of a header is at: which key's place, which key's value; also in YAML that does not parse yet. */

import type { Range } from '../text/range.ts'
import { flowPlace, withoutQuotes } from './header-flow.ts'
import { commentStart, lineEnd, type OutlineNode, outlineOf, parentAt } from './header-outline.ts'
import type { HeaderPath } from './yaml-header.ts'

/** A place in a header. */
export interface HeaderContext {
  /** The mapping that a key goes into, the key that a value belongs to, or the list that an item goes into. */
  readonly path: HeaderPath
  /**
   * `key` and `value` are certain; `new-line` is the beginning of a line below `path`, where keys go into a mapping and
   * items with a dash into a list; `item` is after a dash, or between brackets of a list.
   */
  readonly position: 'key' | 'value' | 'item' | 'new-line'
  /** The word to replace, on one line; empty if nothing is typed. */
  readonly range: Range
  /** Keys or items that `path` has already, without the one at the place. */
  readonly siblings: readonly string[]
  /** True if a colon follows, so that only the key is wanted. */
  readonly hasColon: boolean
  /** True inside brackets, where a key's value cannot go on new lines. */
  readonly isFlow: boolean
}

/** The context at `offset` of `text`; undefined in comments and in text that is neither key nor value. */
export function headerContext(text: string, offset: number): HeaderContext | undefined {
  const nodes = outlineOf(text)
  const lineStart = startOfLine(text, offset)
  if (commentStart(text, lineStart, lineEnd(text, offset)) < offset) return undefined
  const around = nodes.findLast(({ range, valueEnd }) => range.start <= offset && offset <= valueEnd)
  if (!around) return newLine(text, offset, nodes)
  if (around.kind === 'text') return atText(text, offset, around, nodes)
  if (around.kind === 'item') return atEmptyItem(offset, around, nodes)
  return offset <= around.range.end ? atKey(around, nodes) : atValue(text, offset, around)
}

function startOfLine(text: string, offset: number): number {
  let start = offset
  while (start > 0 && !'\r\n'.includes(text.charAt(start - 1))) start--
  return start
}

// On a line with white space only.
//
//   profiles:
//     ^
function newLine(text: string, offset: number, nodes: readonly OutlineNode[]): HeaderContext | undefined {
  const lineStart = startOfLine(text, offset)
  if (text.slice(lineStart, lineEnd(text, offset)).trim() !== '') return undefined
  const previous = nodes.findLast(({ range }) => range.start < offset)
  const parent = parentAt(previous, offset - lineStart, 'item')
  // A list at its key's column is told from keys by what is there already.
  const enclosing =
    parent && parent.column === offset - lineStart && !hasItems(parent, nodes) ? parent.parent : parent
  return below(text, enclosing, { start: offset, end: offset }, nodes)
}

function hasItems(parent: OutlineNode, nodes: readonly OutlineNode[]): boolean {
  return nodes.some((node) => node.parent === parent && node.kind === 'item')
}

/** The context of a line below `parent` whose word is `range`. */
function below(
  text: string,
  parent: OutlineNode | undefined,
  range: Range,
  nodes: readonly OutlineNode[],
): HeaderContext | undefined {
  // After a value that is on the key's own line, nothing can follow below it.
  if (parent?.kind === 'key' && text.slice(parent.valueStart, parent.valueEnd).trim() !== '') return undefined
  const context = { path: pathOf(parent), range, hasColon: false, isFlow: false }
  return { ...context, position: 'new-line', siblings: siblingsIn(parent, range, nodes) }
}

// In a word without colon: a key that is being typed, an item, or a value below its key.
//
//   profiles:
//     har
//        ^
function atText(
  text: string,
  offset: number,
  node: OutlineNode,
  nodes: readonly OutlineNode[],
): HeaderContext | undefined {
  if ('[{'.includes(text.charAt(node.valueStart))) return atBrackets(text, offset, node, node.parent)
  const { parent } = node
  const range = trimmed(text, node.range)
  if (range.end < offset) return undefined
  if (parent?.kind !== 'item') return below(text, parent, range, nodes)
  const siblings = siblingsIn(parent.parent, parent.range, nodes)
  return { path: pathOf(parent), position: 'item', range, siblings, hasColon: false, isFlow: false }
}

function atEmptyItem(
  offset: number,
  item: OutlineNode,
  nodes: readonly OutlineNode[],
): HeaderContext | undefined {
  if (offset === item.range.start) return undefined
  const siblings = siblingsIn(item.parent, item.range, nodes)
  return {
    path: pathOf(item),
    position: 'item',
    range: { start: offset, end: offset },
    siblings,
    hasColon: false,
    isFlow: false,
  }
}

function atKey(node: OutlineNode, nodes: readonly OutlineNode[]): HeaderContext {
  const siblings = siblingsIn(node.parent, node.range, nodes)
  return {
    path: pathOf(node.parent),
    position: 'key',
    range: node.range,
    siblings,
    hasColon: true,
    isFlow: false,
  }
}

// After the colon of a key.
//
//   reasoning_effort: med
//                        ^
function atValue(text: string, offset: number, node: OutlineNode): HeaderContext | undefined {
  const visible = text.slice(node.valueStart, node.valueEnd).search(/\S/)
  const isEmpty = visible === -1
  const start = isEmpty ? offset : node.valueStart + visible
  if (!isEmpty && '[{'.includes(text.charAt(start))) {
    return offset <= start ? undefined : atBrackets(text, offset, { ...node, valueStart: start }, node)
  }
  const range =
    isEmpty || offset < start ? { start: offset, end: offset } : trimmed(text, { start, end: node.valueEnd })
  if (range.end < offset) return undefined
  return { path: pathOf(node), position: 'value', range, siblings: [], hasColon: false, isFlow: false }
}

function atBrackets(
  text: string,
  offset: number,
  { valueStart, column }: OutlineNode,
  owner: OutlineNode | undefined,
): HeaderContext | undefined {
  const place = flowPlace(text, valueStart, column, offset)
  if (!place) return undefined
  const { position, range, siblings, isInList } = place
  const hasColon = position === 'key' && text.charAt(range.end) === ':'
  const path = [...pathOf(owner), ...place.path]
  return { path, position: isInList ? 'item' : position, range, siblings, hasColon, isFlow: true }
}

/** The words that are below `parent` already, without the one at `range`. */
function siblingsIn(
  parent: OutlineNode | undefined,
  range: Range,
  nodes: readonly OutlineNode[],
): readonly string[] {
  const names: string[] = []
  for (const node of nodes) {
    const isItemText = node.kind === 'text' && node.parent?.kind === 'item'
    const owner = isItemText ? node.parent?.parent : node.parent
    const own = isItemText ? node.parent?.range.start : node.range.start
    const isSame = own === range.start || node.range.start === range.start
    if (owner === parent && !isSame && node.kind !== 'item') names.push(withoutQuotes(node.name.trim()))
  }
  return names
}

function pathOf(node: OutlineNode | undefined): HeaderPath {
  const path: (string | number)[] = []
  for (let it = node; it; it = it.parent) {
    if (it.kind !== 'text') path.push(it.kind === 'item' ? 0 : it.name)
  }
  return path.reverse()
}

function trimmed(text: string, { start, end }: Range): Range {
  return { start, end: start + text.slice(start, end).trimEnd().length }
}
