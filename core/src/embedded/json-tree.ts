/** JSON as a tree with ranges, for features that need places. Tolerant of mistakes; refuses extreme nesting. */

import { createScanner, parseTree } from 'jsonc-parser'
import { localize } from '../text/localize.ts'
import type { JsonType } from './json-body.ts'
import type { JsonProblem } from './json-token.ts'

/** Levels of nesting that the tree may have: its readers recurse, and no arguments of a tool come near it. */
export const jsonNestingLimit = 512

/** Code units that are read into a tree, which takes up to 200 bytes for each. No arguments of a tool come near it. */
export const longestJsonTree = 6_000_000

/** A value, or a property with its key and value as children. Offsets are relative to the text. */
export interface JsonNode {
  readonly type: JsonType | 'property'
  readonly offset: number
  readonly length: number
  /** The value of a string, number, boolean or null. */
  readonly value?: unknown
  readonly colonOffset?: number
  readonly parent?: JsonNode
  readonly children?: readonly JsonNode[]
}

/** The tree; undefined for an empty text and beyond the limits, which the problem then names. */
export interface JsonTree {
  readonly root: JsonNode | undefined
  readonly problem?: JsonProblem
}

/** Parses `text`, also if it has mistakes, up to {@link jsonNestingLimit} levels and {@link longestJsonTree} code units. */
export function jsonTree(text: string): JsonTree {
  if (text.length > longestJsonTree) {
    const message = localize`JSON of more than ${longestJsonTree} characters is not examined`
    return { root: undefined, problem: { kind: 'too-deep', range: { start: 0, end: 1 }, message } }
  }
  const tooDeep = nestingBeyond(text, jsonNestingLimit)
  if (tooDeep !== undefined) {
    const message = localize`JSON nested more than ${jsonNestingLimit} levels deep is not examined`
    return {
      root: undefined,
      problem: { kind: 'too-deep', range: { start: tooDeep, end: tooDeep + 1 }, message },
    }
  }
  return { root: parseTree(text) }
}

// SyntaxKind of the library is a const enum, which isolated modules cannot read.
const openBrace = 1
const closeBrace = 2
const openBracket = 3
const closeBracket = 4
const endOfFile = 17

/**
 * The offset of the first bracket that opens a level deeper than `limit`.
 * A closer counts only if it matches, so that broken texts are never taken for flatter than the parser sees them.
 */
function nestingBeyond(text: string, limit: number): number | undefined {
  const scanner = createScanner(text, true)
  const closers: number[] = []
  for (let token: number = scanner.scan(); token !== endOfFile; token = scanner.scan()) {
    if (token === closers.at(-1)) closers.pop()
    else if (token === openBrace) closers.push(closeBrace)
    else if (token === openBracket) closers.push(closeBracket)
    if (closers.length > limit) return scanner.getTokenOffset()
  }
  return undefined
}
