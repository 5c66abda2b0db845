/**
 * The TypeScript of one definition as a syntax tree. The text is what a model was shown, not a program: keys are without
 * quotes whatever they hold, and only the first line of some comments is marked. Where the parser stumbles over such a line,
 * the line is masked by a replacement of the same length, so that every place stays where it was.
 */

import type * as Babel from '@babel/parser'
import { localize } from '../text/localize.ts'
import { perText } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import type { DefinitionProblem } from './tool-definition.ts'

type Statement = ReturnType<typeof Babel.parse>['program']['body'][number]

/** A type as the parser gives it. */
export type TypeNode = Extract<Statement, { type: 'TSTypeAliasDeclaration' }>['typeAnnotation']

/** The type after `type NAME =`, with the comments in it. Places are relative to the member. */
export interface MemberSyntax {
  readonly type: TypeNode | undefined
  readonly comments: readonly Range[]
  /** True if lines were left out, so that members are missing. */
  readonly isPartial: boolean
  readonly problems: readonly DefinitionProblem[]
}

const longestMember = 1_000_000 // code units; the definitions of a whole service fit
const deepestNesting = 200 // brackets; the parser and its readers recurse
const repairsAtMost = 24 // each one parses the member again

/**
 * Parses `text`, which is `type NAME = …;` with the name at `name`. Never throws. Samples of a dataset show the same few tools
 * again and again, so the last ones are remembered.
 */
export function memberSyntax(text: string, name: Range): MemberSyntax {
  const known = remembered(text)
  const place = `${name.start} ${name.end}`
  const result = known.get(place) ?? readMember(text, name)
  known.set(place, result)
  return result
}

const remembered = perText((_text) => new Map<string, MemberSyntax>(), { texts: 256, length: 1 << 18 })

function readMember(text: string, name: Range): MemberSyntax {
  const limit = limitProblem(text, name)
  if (limit) return { type: undefined, comments: [], isPartial: true, problems: [limit] }
  const repair = new Repair(text, name)
  for (;;) {
    try {
      const { program, comments } = parser().parse(repair.text, options)
      const [statement] = program.body
      const type = statement?.type === 'TSTypeAliasDeclaration' ? statement.typeAnnotation : undefined
      return {
        type,
        comments: (comments ?? []).map(({ start, end }) => ({ start: start ?? 0, end: end ?? 0 })),
        isPartial: repair.isPartial,
        problems: repair.problems,
      }
    } catch (error) {
      if (repair.mend(placeOf(error))) continue
      return { type: undefined, comments: [], isPartial: true, problems: repair.problems }
    }
  }
}

const options: Babel.ParserOptions = {
  plugins: [['typescript', { dts: true }]],
  attachComment: false,
  errorRecovery: true,
}

// A call of `require` instead of an import: bundlers resolve it all the same, but half a megabyte of parser is only
// evaluated once a text has definitions.
declare const require: (name: '@babel/parser') => typeof Babel

function parser(): typeof Babel {
  return require('@babel/parser')
}

/** Where a syntax error is; undefined for anything else, for instance nesting that the parser could not follow. */
function placeOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('pos' in error)) return undefined
  return typeof error.pos === 'number' ? error.pos : undefined
}

function limitProblem(text: string, name: Range): DefinitionProblem | undefined {
  if (text.length > longestMember) {
    return { kind: 'too-large', range: name, message: localize`The definition is too long to be read` }
  }
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if ('([{<'.includes(character)) depth++
    else if (depth > 0 && ')]}>'.includes(character)) depth--
    if (depth > deepestNesting) {
      return {
        kind: 'too-deep',
        range: { start: at, end: at + 1 },
        message: localize`The definition is nested too deeply`,
      }
    }
  }
  return undefined
}

/** A line that gives a key a type. */
interface KeyedLine {
  /** Where the key begins in the line. */
  readonly at: number
  readonly key: string
  /** The text after the colon. */
  readonly type: string
}

/**
 * The key that begins in `line` at `from`, up to the first colon and without the `?` of an optional one, and the text after the
 * colon.
 */
function keyedLine(line: string, from = 0): KeyedLine | undefined {
  let at = from
  while (at < line.length && line.charAt(at).trim() === '') at++
  const colon = line.indexOf(':', at + 1)
  if (colon === -1 || !keyBeginning.test(line.charAt(at)) || notInKey.test(line.slice(at, colon)))
    return undefined
  let end = colon
  while (end > at + 1 && (line.charAt(end - 1) === ' ' || line.charAt(end - 1) === '\t')) end--
  if (end > at + 1 && line.charAt(end - 1) === '?') end--
  return { at, key: line.slice(at, end), type: line.slice(colon + 1).trimStart() }
}

/** The key of a member that follows another one on its line: templates write the members of inner objects so. */
function keyBehindOthers(line: string, place: number): KeyedLine | undefined {
  let from = Math.min(place, line.length)
  while (from > 0 && !memberBoundary.test(line.charAt(from - 1))) from--
  return from === 0 ? undefined : keyedLine(line, from)
}

const memberBoundary = /[,;{]/
const keyBeginning = /[^\s"'/{}()|]/
const notInKey = /["'{}()|,;]|\/\//
const typeBeginning =
  /^(?:$|\/\/|,|"|'|\{|\[|\(|\||-?\d|(?:string|number|integer|boolean|any|unknown|object|array|null|Array<|Record<))/
const identifier = /^(?:readonly[ \t]+)?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u

const noKey: KeyedLine = { at: 0, key: '', type: '' }

class Repair {
  readonly problems: DefinitionProblem[] = []
  readonly #original: string
  readonly #repaired = new Set<string>()
  text: string
  isPartial = false

  constructor(text: string, name: Range) {
    this.#original = text
    // A tool may have a name that no type may have: `get-weather`, `string`.
    this.text = masked(text, name, '_')
  }

  /** Changes the line at `place` so that it may parse; false if nothing is left to try. */
  mend(place: number | undefined): boolean {
    const line = this.#lineAt(place ?? 0)
    const content = this.text.slice(line.start, line.end)
    if (place === undefined) return this.#report(line, localize`The definition is too complicated to be read`)
    if (this.#repaired.size >= repairsAtMost)
      return this.#report(line, localize`The definition is not valid TypeScript from here on`)
    const isFirst = line.start === 0
    const { at, key, type } = (isFirst ? undefined : keyedLine(content)) ?? noKey
    const behind = keyBehindOthers(content, place - line.start) ?? noKey
    if (this.#maskKey(line, { at, key, type }) || this.#maskKey(line, behind)) return true
    if (key !== '' && /^,?[ \t]*$/.test(type) && this.#once('colon', line)) {
      const colon = this.text.indexOf(':', line.start + at + key.length)
      this.text = masked(this.text, { start: colon, end: colon + 1 }, ' ')
      return true
    }
    if (!isFirst && content.trim().length > 1 && this.#isBehindComment(line) && this.#once('comment', line)) {
      const start = line.start + content.search(/\S/)
      this.text = `${this.text.slice(0, start)}//${this.text.slice(start + 2)}`
      return true
    }
    if (!isFirst && !/[{}()[\]]/.test(content) && content.trim() !== '' && this.#once('line', line)) {
      this.#report(
        visiblePart(this.#original, line),
        localize`This is not a member of a type and is left out`,
      )
      this.isPartial = true
      this.text = masked(this.text, line, ' ')
      return true
    }
    return this.#report(
      this.#placeOfError(place),
      localize`The definition is not valid TypeScript from here on`,
    )
  }

  /** Puts an identifier in the place of a key that is not an identifier. */
  #maskKey(line: Range, { at, key, type }: KeyedLine): boolean {
    if (key === '' || identifier.test(key) || !typeBeginning.test(type)) return false
    const start = line.start + at
    const range = { start, end: start + key.length }
    if (!this.#once('key', range)) return false
    this.text = masked(this.text, range, '_')
    return true
  }

  #once(what: string, { start }: Range): boolean {
    const key = `${what} ${start}`
    if (this.#repaired.has(key)) return false
    this.#repaired.add(key)
    return true
  }

  #report(range: Range, message: string): false {
    this.problems.push({ kind: 'syntax', range, message })
    return false
  }

  /** The word at the error, or at the end of the text the last word before it. */
  #placeOfError(place: number): Range {
    const { text } = this
    let start = Math.min(place, text.length)
    while (start > 0 && (start >= text.length || text.charAt(start).trim() === '')) start--
    const word = /^[\p{ID_Continue}$]+/u.exec(text.slice(start, start + 100))
    return { start, end: Math.min(text.length, start + (word?.[0].length ?? 1)) }
  }

  #lineAt(place: number): Range {
    const { text } = this
    let start = Math.min(place, text.length)
    while (start > 0 && !isLineEnd(text.charAt(start - 1))) start--
    let end = start
    while (end < text.length && !isLineEnd(text.charAt(end))) end++
    return { start, end }
  }

  #isBehindComment({ start }: Range): boolean {
    const before = this.#lineAt(Math.max(0, start - 1))
    return before.start < start && /^[ \t]*\/\//.test(this.text.slice(before.start, start))
  }
}

function visiblePart(text: string, { start, end }: Range): Range {
  const content = text.slice(start, end)
  const indent = content.length - content.trimStart().length
  return { start: start + indent, end: start + content.trimEnd().length }
}

function isLineEnd(character: string): boolean {
  return character === '\n' || character === '\r'
}

function masked(text: string, { start, end }: Range, by: string): string {
  return text.slice(0, start) + by.repeat(Math.max(0, end - start)) + text.slice(end)
}
