/**
 * A linear scanner of Jinja: the tags of a template, the names that it takes from outside, the parts that it includes, and
 * what keeps it from being read. It runs nothing. Offsets are UTF-16 code units of the template.
 */
import { localize } from '../text/localize.ts'
import { perText } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import { comparisonsIn } from './jinja-comparisons.ts'
import { isKeyword, JinjaScope } from './jinja-scope.ts'
import { type JinjaTagTokens, type JinjaToken, type JinjaTrim, jinjaTags } from './jinja-tokens.ts'

/** What a tag is: `{{ … }}`, `{% … %}`, `{# … #}`. */
export type JinjaTagKind = 'output' | 'statement' | 'comment'

/** A tag. */
export interface JinjaTag {
  readonly kind: JinjaTagKind
  /** With its delimiters. */
  readonly range: Range
  /** Between the delimiters, without the signs that trim white space. */
  readonly inside: Range
  /** How it trims the text before and after it. */
  readonly opening: JinjaTrim
  readonly closing: JinjaTrim
  /** The first word of a statement, such as `for`; undefined for other tags. */
  readonly word: string | undefined
  /** True in the body of a `set`, `macro`, `call`, or `filter` block, whose text goes somewhere else first. */
  readonly isCaptured: boolean
}

/** A name that the template takes from outside. */
export interface JinjaName {
  readonly name: string
  readonly range: Range
  /** The strings that it is compared with. */
  readonly comparedWith: readonly JinjaString[]
}

/** A string. */
export interface JinjaString {
  readonly value: string
  /** Without its quotes. */
  readonly range: Range
}

/** A part that is included. */
export interface JinjaInclude {
  /** The whole tag. */
  readonly range: Range
  /** The path as a value; undefined unless it is a single string. */
  readonly path: string | undefined
  /** The path without its quotes; where it is missing, the inside of the tag. */
  readonly pathRange: Range
  /** True for `ignore missing`. */
  readonly isOptional: boolean
  /** True for `without context`. */
  readonly isIsolated: boolean
}

/** Why a template can't be read. `word` is the statement that it is about. */
export interface JinjaProblem {
  readonly kind: 'unclosed-tag' | 'unclosed-block' | 'unexpected-end' | 'unclosed-string' | 'too-long'
  readonly range: Range
  readonly word: string
}

/** A template, scanned. */
export interface JinjaScan {
  readonly tags: readonly JinjaTag[]
  /** In order of the text. */
  readonly names: readonly JinjaName[]
  /** Names that the template itself gives a value: by `set`, `for`, `macro`, `with`. */
  readonly locals: ReadonlySet<string>
  readonly includes: readonly JinjaInclude[]
  /** The outermost blocks with their tags: what is in them may be written once, often, or never. */
  readonly blocks: readonly Range[]
  readonly problems: readonly JinjaProblem[]
}

/**
 * UTF-16 code units of all tags of a template that are read, comments aside: each keystroke in a message reads them all. The templates
 * of large models have a fifth of that.
 */
export const longestTags = 100_000

const noStrings: readonly JinjaString[] = []
const nothing: JinjaScan = { tags: [], names: [], locals: new Set(), includes: [], blocks: [], problems: [] }

/** Scans `template`. Never throws; linear. */
export function scanJinja(template: string): JinjaScan {
  return hasJinja(template) ? scanned(template) : nothing
}

/** True if `text` may have a tag in it: a quick look. */
export function hasJinja(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('{#')
}

/** True if its tags are longer than what is read. */
export function isTooLong({ problems }: JinjaScan): boolean {
  return problems.some(({ kind }) => kind === 'too-long')
}

/** What is said of it. */
export function tooLongTags(): string {
  return localize`Tags of more than ${longestTags} characters are not examined`
}

/** True if a tag is not closed, or too long: what follows it, with its names, is not read. */
export function isCutOff({ problems }: JinjaScan): boolean {
  return problems.some(
    ({ kind, word }) => kind !== 'unexpected-end' && (kind !== 'unclosed-block' || word === 'raw'),
  )
}

/** The names that `template` itself gave a value at its end: what else may be written there. Linear. */
export function variablesAtEnd(template: string): readonly string[] {
  return new Scanner(template).variables()
}

const scanned = perText((template) => new Scanner(template).scan(), { texts: 200, length: 1 << 21 })

/** Statements with a block, by the word that ends it. */
const blocks: ReadonlyMap<string, string> = new Map(
  ['if', 'for', 'macro', 'call', 'filter', 'with', 'block', 'generation', 'autoescape'].map((word) => [
    word,
    `end${word}`,
  ]),
)
/** Blocks whose names end with them. */
const scopes: ReadonlySet<string> = new Set(['for', 'macro', 'call', 'filter', 'with', 'block', 'set'])
/** Blocks whose text is not written where it is. */
const capturing: ReadonlySet<string> = new Set(['macro', 'call', 'filter', 'set'])

interface OpenBlock {
  readonly word: string
  readonly tag: Range
}

class Scanner {
  readonly #text: string
  readonly #tags: JinjaTag[] = []
  readonly #names: JinjaName[] = []
  readonly #includes: JinjaInclude[] = []
  readonly #blocks: Range[] = []
  readonly #problems: JinjaProblem[] = []
  readonly #scope = new JinjaScope()
  readonly #open: OpenBlock[] = []
  #nCaptures = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): JinjaScan {
    for (const tag of jinjaTags(this.#text, { atMost: longestTags })) this.#tag(tag)
    const [unclosed] = this.#open
    if (unclosed) this.#blocks.push({ start: unclosed.tag.start, end: this.#text.length })
    for (const { word, tag } of this.#open) this.#problems.push({ kind: 'unclosed-block', range: tag, word })
    return {
      tags: this.#tags,
      names: this.#names,
      locals: this.#scope.everDeclared,
      includes: this.#includes,
      blocks: this.#blocks,
      problems: this.#problems,
    }
  }

  variables(): readonly string[] {
    for (const tag of jinjaTags(this.#text, { atMost: longestTags })) this.#tag(tag)
    return this.#scope.visible
  }

  #tag(tag: JinjaTagTokens): void {
    const { kind, range, inside, opening, closing, tokens, isClosed, hasOpenString, isCut } = tag
    const { start } = range
    if (!isClosed && kind !== 'raw') {
      const end = Math.min(this.#text.length, start + 2)
      this.#problems.push({
        kind: isCut ? 'too-long' : hasOpenString ? 'unclosed-string' : 'unclosed-tag',
        range: { start, end },
        word: this.#text.slice(start, end),
      })
      return
    }
    const isCaptured = this.#nCaptures > 0
    if (kind === 'raw' || kind === 'endraw') {
      this.#tags.push({ kind: 'statement', range, inside, opening, closing, word: kind, isCaptured })
      if (!isClosed) this.#problems.push({ kind: 'unclosed-block', range, word: kind })
      return
    }
    const word = kind === 'statement' && tokens[0]?.kind === 'name' ? tokens[0].value : undefined
    this.#tags.push({ kind, range, inside, opening, closing, word, isCaptured })
    if (kind === 'output') this.#use(tokens)
    else if (word !== undefined) this.#statement(word, tokens, range)
  }

  #statement(word: string, tokens: readonly JinjaToken[], tag: Range): void {
    const rest = tokens.slice(1)
    if (word.startsWith('end')) {
      this.#close(word, tag)
      return
    }
    switch (word) {
      case 'for':
        this.#for(rest, tag)
        return
      case 'set':
        this.#set(rest, tag)
        return
      case 'macro':
      case 'call':
        this.#macro(word, rest, tag)
        return
      case 'with':
        this.#begin(word, tag)
        this.#assign(rest)
        return
      case 'include':
        this.#include(rest, tag)
        return
      case 'import':
      case 'from':
        this.#import(rest)
        return
      case 'block':
        this.#begin(word, tag)
        return
      case 'filter':
        this.#begin(word, tag)
        this.#use(rest.slice(1))
        return
      default:
        this.#use(rest)
        if (blocks.has(word)) this.#begin(word, tag)
        return
    }
  }

  #begin(word: string, tag: Range): void {
    this.#open.push({ word, tag })
    if (scopes.has(word)) this.#scope.enter()
    if (capturing.has(word)) this.#nCaptures++
  }

  #close(word: string, tag: Range): void {
    const last = this.#open.at(-1)
    if (!last || `end${last.word}` !== word) {
      this.#problems.push({ kind: 'unexpected-end', range: tag, word })
      return
    }
    this.#open.pop()
    if (this.#open.length === 0) this.#blocks.push({ start: last.tag.start, end: tag.end })
    if (scopes.has(last.word)) this.#scope.leave()
    if (capturing.has(last.word)) this.#nCaptures--
  }

  // {% for key, value in items if value %}
  //        ^^^^^^^^^^    ^^^^^    ^^^^^
  //        targets       outside  inside
  #for(tokens: readonly JinjaToken[], tag: Range): void {
    const at = tokens.findIndex(({ value, kind }) => kind === 'name' && value === 'in')
    const targets = tokens.slice(0, Math.max(0, at))
    const rest = withoutRecursive(tokens.slice(at + 1))
    const condition = rest.findIndex(
      ({ value, kind, depth }) => kind === 'name' && value === 'if' && depth === 0,
    )
    const iterated = condition === -1 ? rest : rest.slice(0, condition)
    this.#use(iterated)
    this.#begin('for', tag)
    this.#scope.declare('loop')
    for (const { kind, value } of targets) if (kind === 'name') this.#scope.declare(value)
    if (condition !== -1) this.#use(rest.slice(condition))
  }

  #set(tokens: readonly JinjaToken[], tag: Range): void {
    const equals = tokens.findIndex(({ value, depth }) => value === '=' && depth === 0)
    if (equals !== -1) {
      this.#assign(tokens)
      return
    }
    // A block: `{% set name %}…{% endset %}`.
    const target = tokens.find(({ kind }) => kind === 'name')
    if (target) this.#scope.declare(target.value)
    this.#use(tokens.slice(1))
    this.#begin('set', tag)
  }

  /** `a = 1, b = a`: what is right of an equals sign is used, what is left of it is given a value. */
  #assign(tokens: readonly JinjaToken[]): void {
    const targets: string[] = []
    let from = 0
    for (const [index, token] of tokens.entries()) {
      if (token.value !== '=' || token.depth > 0) continue
      // Several targets are only at the beginning: `a, b = pair`.
      let start = from
      if (from > 0) for (start = index; start > from && tokens[start]?.value !== ','; ) start--
      if (tokens[start]?.value === ',') start++
      this.#use(tokens.slice(from, start))
      const written = tokens.slice(start, index)
      if (written[1]?.value === '.') this.#use(written)
      else for (const { kind, value } of written) if (kind === 'name') targets.push(value)
      from = index + 1
    }
    this.#use(tokens.slice(from))
    for (const name of targets) this.#scope.declare(name)
  }

  // {% macro greet(name, tone='warm') %} and {% call(item) list(items) %}
  #macro(word: 'macro' | 'call', tokens: readonly JinjaToken[], tag: Range): void {
    const [first] = tokens
    if (word === 'macro' && first?.kind === 'name') this.#scope.declare(first.value)
    const own = word === 'macro' ? tokens.slice(1) : tokens
    const isSigned = own[0]?.value === '('
    const close = isSigned ? own.findIndex(({ value, depth }) => value === ')' && depth === 0) : -1
    const parameters = isSigned ? own.slice(1, close === -1 ? own.length : close) : []
    this.#use(isSigned ? own.slice(close === -1 ? own.length : close + 1) : own)
    this.#begin(word, tag)
    for (const name of ['caller', 'varargs', 'kwargs']) this.#scope.declare(name)
    for (const [index, { kind, value, depth }] of parameters.entries()) {
      if (kind === 'name' && depth === 1 && (index === 0 || parameters[index - 1]?.value === ','))
        this.#scope.declare(value)
    }
    this.#use(parameters)
  }

  #include(tokens: readonly JinjaToken[], range: Range): void {
    const [path, next] = tokens
    const isString = path?.kind === 'string' && (next === undefined || next.kind === 'name')
    const isOptional = tokens.some(
      ({ kind, value }, index) =>
        kind === 'name' && value === 'ignore' && tokens[index + 1]?.value === 'missing',
    )
    const [without, context] = tokens.slice(-2)
    const isIsolated = without?.kind === 'name' && without.value === 'without' && context?.value === 'context'
    const pathRange = isString
      ? { start: path.at + 1, end: path.end - 1 }
      : { start: path?.at ?? range.start, end: tokens.at(-1)?.end ?? range.end }
    if (!isString) this.#use(withoutOptions(tokens))
    this.#includes.push({ range, path: isString ? path.value : undefined, pathRange, isOptional, isIsolated })
  }

  #import(tokens: readonly JinjaToken[]): void {
    for (const [index, { kind, value }] of tokens.entries()) {
      const before = tokens[index - 1]?.value
      if (kind === 'name' && (before === 'as' || before === 'import' || before === ','))
        this.#scope.declare(value)
    }
  }

  #use(tokens: readonly JinjaToken[]): void {
    const comparisons = comparisonsIn(tokens)
    for (const [index, token] of tokens.entries()) {
      if (token.kind !== 'name' || isKeyword(token.value)) continue
      const before = tokens[index - 1]?.value
      if (before === '.' || before === '|' || before === 'is') continue
      if (before === 'not' && tokens[index - 2]?.value === 'is') continue
      const isArgument =
        token.depth > 0 && tokens[index + 1]?.value === '=' && (before === '(' || before === ',')
      if (isArgument || this.#scope.has(token.value)) continue
      const range = { start: token.at, end: token.end }
      this.#names.push({
        name: token.value,
        range,
        comparedWith: comparisons.get(index)?.map(asString) ?? noStrings,
      })
    }
  }
}

function asString({ value, at, end }: JinjaToken): JinjaString {
  return { value, range: { start: at + 1, end: end - 1 } }
}

/** Without the word at the end of a loop that lets it call itself; `recursive` may be a name, too. */
function withoutRecursive(tokens: readonly JinjaToken[]): readonly JinjaToken[] {
  const [before, last] = tokens.slice(-2)
  const endsValue =
    before && (before.kind === 'operator' ? /^[)\]}]$/.test(before.value) : !isKeyword(before.value))
  return last?.value === 'recursive' && endsValue ? tokens.slice(0, -1) : tokens
}

/** Without the words at the end of an include. */
function withoutOptions(tokens: readonly JinjaToken[]): readonly JinjaToken[] {
  let end = tokens.length
  const endsWith = (first: RegExp, second: string) =>
    tokens[end - 1]?.value === second && first.test(tokens[end - 2]?.value ?? '')
  if (endsWith(/^(?:with|without)$/, 'context')) end -= 2
  if (endsWith(/^ignore$/, 'missing')) end -= 2
  return tokens.slice(0, end)
}
