/**
 * Runs the YAML library within bounds: size, elements, nesting, and one first mistake with a readable message.
 *
 * The library is linear in the text except for deep nesting and its check for duplicate keys: nesting is bounded here
 * before anything is built, and duplicates are found by {@link readYaml}.
 */

import {
  Composer,
  type CST,
  type Document,
  Lexer,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  type YAMLError,
} from 'yaml'
import { localizable, localize, localized } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { shortened } from '../text/shortened.ts'
import { firstLine, lastVisible } from './embedded-problem.ts'
import type { YamlProblem } from './yaml-data.ts'

/** Levels of nesting that are read: far more than any header has, and few enough for recursion over them. */
const yamlNestingLimit = 100

/** One document of the stream. */
export type YamlDocument = Document.Parsed<ParsedNode>

/** What the library made of a text. `documents` is empty or ends early where a bound was hit. */
export interface YamlStream {
  readonly documents: readonly YamlDocument[]
  /** The first mistake in text order. */
  readonly problem?: YamlProblem
}

// Spelled out, because a `%YAML 1.1` directive would otherwise bring merge keys, octal numbers and known tags back.
const options: ParseOptions & SchemaOptions & { readonly logLevel: 'silent' } = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  logLevel: 'silent',
}

/** How much of a YAML text is read. */
export interface YamlLimits {
  /** UTF-16 code units. */
  readonly length: number
  /** Keys, values, punctuation, and white space between them: reading one takes a microsecond or two, however short it is. */
  readonly elements: number
}

/** Elements of a text that is read again at every keystroke: 65,536 characters of tools as JSON Schema have 19,000. */
export const elementsAtKeystroke = 20_000

/** Parses `text` up to `limits`. Never throws. */
export function parseYaml(text: string, limits: YamlLimits): YamlStream {
  if (text.length > limits.length) return { documents: [], problem: tooLarge(text, limits.length) }
  const source = withKnownLineBreaks(text)
  const tokens: CST.Token[] = []
  const stop = tokenize(source, tokens, limits.elements)
  if (stop?.kind === 'too-deep') return { documents: [], problem: tooDeep(text, stop.offset) }
  const { documents, errors } = compose(tokens, stop?.offset ?? source.length)
  if (stop) return { documents, problem: firstError(text, errors, stop.line) ?? tooMany(text, stop, limits) }
  const problem = documents.length === 0 && errors.length === 0 ? unreadable(text) : firstError(text, errors)
  return problem ? { documents, problem } : { documents }
}

/** True if `text` has at most `limits`. */
export function isWithin(text: string, limits: YamlLimits): boolean {
  if (text.length > limits.length) return false
  if (text.length * elementsPerCodeUnit <= limits.elements) return true
  const budget = new ElementBudget(limits.elements)
  for (const lexeme of new Lexer().lex(withKnownLineBreaks(text))) if (!budget.take(lexeme)) return false
  return true
}

/** What a key may follow, besides white space. */
const opening: ReadonlySet<string> = new Set(['-', '?', ':', ',', '[', '{', '\n', '\r\n'])

/** What may still be read. A scalar counts twice, by its mark. */
class ElementBudget {
  #left: number
  #isAfterNode = false

  constructor(elements: number) {
    this.#left = elements
  }

  /** Takes `lexeme`; false if that is too much. */
  take(lexeme: string): boolean {
    // The value after a colon may be empty, and is read all the same; so is a key that isn't there.
    this.#left -= lexeme !== ':' ? 1 : this.#isAfterNode ? 2 : 3
    if (lexeme[0] !== ' ' && lexeme[0] !== '\t') this.#isAfterNode = !opening.has(lexeme)
    return this.#left >= 0
  }
}

const elementsPerCodeUnit = 3 // at most: a colon without a key, or `?,` in brackets: a question mark, the mark of a scalar, an empty scalar, and a comma

/** A lone `\r` is a line break of YAML that the library does not know; the offsets stay the same. */
function withKnownLineBreaks(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text
}

interface Composed {
  readonly documents: readonly YamlDocument[]
  readonly errors: readonly YAMLError[]
}

/** No documents if the library fails on them, which takes the rest of the program nowhere, or finds too many mistakes. */
function compose(tokens: readonly CST.Token[], end: number): Composed {
  const composer = new Composer(options)
  boundMistakes(composer)
  try {
    // With `forceDoc`, a text without content yields one empty document; all are parsed ones.
    const documents = [...composer.compose(tokens, true, end)] as YamlDocument[]
    return { documents, errors: documents.flatMap((it) => it.errors) }
  } catch {
    return { documents: [], errors: composer.streamInfo().errors } // reported by the caller as a problem of the text
  }
}

/** More than any YAML has: a text with so many is something else, of which neither the rest nor the keys say anything. */
export const mistakesAtMost = 300

/** Has `composer` fail when it has found too many mistakes. */
function boundMistakes(composer: Composer): void {
  // biome-ignore lint/complexity/useLiteralKeys: private in the types, and the only way to hear of a mistake before the end
  const report: (...mistake: unknown[]) => void = composer['onError']
  let left = mistakesAtMost
  // biome-ignore lint/complexity/useLiteralKeys: as above
  composer['onError'] = (...mistake: unknown[]) => {
    // The library makes a mistake of what is thrown, and so passes it on from level to level.
    if (left-- <= 0) throw new Error(`More than ${mistakesAtMost} mistakes`)
    report(...mistake)
  }
}

/** Where reading ends before the text does. */
interface Stop {
  readonly kind: 'too-deep' | 'too-many'
  readonly offset: number
  /** Where the line begins that was being read. */
  readonly line: number
}

/** Fills `tokens` with at most `elementsAtMost`, and stops where the text is nested too deeply. */
function tokenize(source: string, tokens: CST.Token[], elementsAtMost: number): Stop | undefined {
  const parser = new Parser()
  const nesting = new Nesting()
  const budget = new ElementBudget(elementsAtMost)
  let stop: Stop | undefined
  for (const lexeme of new Lexer().lex(source)) {
    if (!budget.take(lexeme)) {
      stop = { kind: 'too-many', offset: nesting.offset, line: nesting.line }
      break
    }
    nesting.add(lexeme)
    if (nesting.depth > yamlNestingLimit) {
      const offset = Math.max(0, nesting.offset - lexeme.length)
      return { kind: 'too-deep', offset, line: nesting.line }
    }
    for (const token of parser.next(lexeme)) tokens.push(token) // nearly always none
  }
  for (const token of parser.end()) tokens.push(token)
  return stop
}

// The library's lexer marks with these characters what has no text of its own.
const byteOrderMark = '\ufeff'
const documentMode = '\x02'
const flowErrorEnd = '\x18'
const scalarMark = '\x1f'

/**
 * The nesting at the current lexeme: open brackets, and columns at which block collections may have begun.
 * A sequence that is at the column of its key is not counted, so there may be twice as many levels.
 */
class Nesting {
  /** Offset after the lexeme added last. */
  offset = 0
  /** Where the current line begins. */
  line = 0
  readonly #columns: number[] = []
  #brackets = 0
  #opensNode = true
  #isScalar = false

  get depth(): number {
    return this.#columns.length + this.#brackets
  }

  add(lexeme: string): void {
    const isScalar = this.#isScalar
    this.#isScalar = !isScalar && lexeme === scalarMark
    if (!isScalar && (lexeme === documentMode || lexeme === flowErrorEnd || lexeme === scalarMark)) return
    const start = this.offset
    this.offset += lexeme.length
    if (isScalar) this.#node(start)
    else if (lexeme === '\n' || lexeme === '\r\n') this.#line()
    else if (lexeme !== byteOrderMark && lexeme.trim() !== '') this.#indicator(lexeme, start)
  }

  #line(): void {
    this.line = this.offset
    this.#opensNode = true
  }

  #indicator(lexeme: string, start: number): void {
    this.#node(start)
    if (lexeme === '{' || lexeme === '[') this.#brackets++
    else if ((lexeme === '}' || lexeme === ']') && this.#brackets > 0) this.#brackets--
    else if (lexeme === '-' || lexeme === '?' || lexeme === ':') this.#opensNode = true
  }

  #node(start: number): void {
    if (!this.#opensNode || this.#brackets > 0) return
    this.#opensNode = false
    const column = start - this.line
    while (this.#columns.length > 0 && (this.#columns.at(-1) ?? 0) >= column) this.#columns.pop()
    this.#columns.push(column)
  }
}

function unreadable(text: string): YamlProblem {
  return { kind: 'syntax-error', range: firstVisible(text), message: localize`The YAML cannot be read` }
}

function tooLarge(text: string, sizeLimit: number): YamlProblem {
  const message = localize`YAML longer than ${sizeLimit} characters is not read`
  return { kind: 'too-large', range: firstVisible(text), message }
}

function tooMany(text: string, { offset }: Stop, { elements }: YamlLimits): YamlProblem {
  const message = localize`YAML with more than ${elements} syntax elements is not read`
  return { kind: 'too-large', range: visibleRange(text, offset, offset + 1), message }
}

function tooDeep(text: string, offset: number): YamlProblem {
  const message = localize`YAML nested more than ${yamlNestingLimit} levels deep is not read`
  return { kind: 'too-deep', range: visibleRange(text, offset, offset + 1), message }
}

/** The first of `errors` before `end`: where reading stops in a line, more of it could make it right. */
function firstError(
  text: string,
  errors: readonly YAMLError[],
  end = Number.POSITIVE_INFINITY,
): YamlProblem | undefined {
  let first: YAMLError | undefined
  for (const error of errors) {
    if (error.pos[0] >= end) continue
    if (!first || error.pos[0] < first.pos[0]) first = error
  }
  if (!first) return undefined
  const range = visibleRange(text, first.pos[0], first.pos[1])
  return { kind: 'syntax-error', range, message: messageOf(first, text) }
}

/** The library's position as a range that a reader can see: inside the text, on one line, not empty, from a visible character on. */
export function visibleRange(text: string, start: number, end: number): Range {
  let from = Math.min(start, text.length)
  while (text.charAt(from) === ' ') from++
  if (text.charAt(from) === '\t') return { start: from, end: from + 1 }
  const line = firstLine(text, from, Math.min(Math.max(end, from + 1), text.length))
  return line.start < line.end ? line : visibleBefore(text, Math.min(start, text.length))
}

/** The first line that is not blank. */
function firstVisible(text: string): Range {
  return firstLine(text, Math.max(0, text.search(/\S/)), text.length)
}

/** The last visible character before `offset`, or the first character if there is none. */
function visibleBefore(text: string, offset: number): Range {
  const { start, end } = lastVisible(text.slice(0, offset))
  return start < end ? { start, end } : { start: 0, end: Math.min(1, text.length) }
}

/** Messages of the library that name its inner workings, in the words of a writer. */
const plainMessages: readonly (readonly [beginning: string, message: string])[] = [
  ['Implicit map keys need to be followed by map values', localizable`A key must be followed by \`:\``],
  [
    'Implicit keys need to be on a single line',
    localizable`A key must be followed by \`:\`, on its own line`,
  ],
  [
    'Nested mappings are not allowed in compact mappings',
    localizable`Unexpected second \`: \` on one line; put text with a colon in quotes`,
  ],
  [
    'All mapping items must start at the same column',
    localizable`The key is not aligned with the keys before it`,
  ],
  [
    'All sequence items must start at the same column',
    localizable`The item is not aligned with the items before it`,
  ],
  [
    'A block sequence may not be used as an implicit map key',
    localizable`The item is not aligned with the items before it`,
  ],
  [
    'Unexpected block-seq-ind on same line with key',
    localizable`A list must begin on the line after its key`,
  ],
  ['Unexpected scalar at node end', localizable`Unexpected text after the value`],
  ['Unexpected scalar token in YAML stream', localizable`Unexpected text after the document`],
  ['Unexpected scalar', localizable`Unexpected text`],
  ['Unexpected flow-map-end', localizable`Unmatched \`}\``],
  ['Unexpected flow-seq-end', localizable`Unmatched \`]\``],
  ['Missing closing "quote', localizable`The closing \`"\` is missing`],
  ["Missing closing 'quote", localizable`The closing \`'\` is missing`],
  ['Flow map in block collection must be', localizable`\`}\` is missing, or its line is not indented`],
  ['Flow sequence in block collection must be', localizable`\`]\` is missing, or its line is not indented`],
  ['Flow map must end with', localizable`\`}\` is missing`],
  ['Flow sequence must end with', localizable`\`]\` is missing`],
]

function messageOf({ code, message, pos }: YAMLError, text: string): string {
  if (code === 'RESOURCE_EXHAUSTION') return localize`The YAML is nested too deeply to be read`
  if (message.startsWith('Nested mappings') && !hasColonBehind(text, pos[0])) {
    return localize`The key already has this value, but the next line is indented as if it belonged to the key`
  }
  for (const [beginning, plain] of plainMessages) {
    if (message.startsWith(beginning)) return localized(plain)
  }
  return shortened(message, 120) // the library may append the whole rest of the text
}

function hasColonBehind(text: string, offset: number): boolean {
  const line = firstLine(text, offset, text.length)
  return text.slice(line.start, line.end).includes(':')
}
