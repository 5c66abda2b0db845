/**
 * A linear scanner of Jinja: the tags of a template, the names that it takes from outside, the parts that it includes, and
 * what keeps it from being read. It runs nothing. Offsets are UTF-16 code units of the template.
 */
import { perText } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import { JinjaScope } from './jinja-scope.ts'
import { type JinjaToken, lexTag } from './jinja-tokens.ts'

/** What a tag is: `{{ … }}`, `{% … %}`, `{# … #}`. */
export type JinjaTagKind = 'output' | 'statement' | 'comment'

/** A tag. */
export interface JinjaTag {
  readonly kind: JinjaTagKind
  /** With its delimiters. */
  readonly range: Range
  /** Between the delimiters, without the signs that trim white space. */
  readonly inside: Range
  /** The first word of a statement, such as `for`; undefined for other tags. */
  readonly word: string | undefined
  /** True in the body of a `set`, `macro`, `call`, or `filter` block, whose text goes somewhere else first. */
  readonly isCaptured: boolean
}

/** A name that the template takes from outside. */
export interface JinjaName {
  readonly name: string
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
}

/** Why a template can't be read. `word` is the statement that it is about. */
export interface JinjaProblem {
  readonly kind: 'unclosed-tag' | 'unclosed-block' | 'unexpected-end' | 'unclosed-string'
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
  readonly problems: readonly JinjaProblem[]
}

const nothing: JinjaScan = { tags: [], names: [], locals: new Set(), includes: [], problems: [] }

/** Scans `template`. Never throws; linear. */
export function scanJinja(template: string): JinjaScan {
  return hasJinja(template) ? scanned(template) : nothing
}

/** True if `text` may have a tag in it: a quick look. */
export function hasJinja(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('{#')
}

const scanned = perText((template) => new Scanner(template).scan(), { texts: 200, length: 1 << 21 })

/** Statements with a block, by the word that ends it. */
const blocks: ReadonlyMap<string, string> = new Map(
  ['if', 'for', 'macro', 'call', 'filter', 'with', 'block', 'raw', 'generation', 'autoescape'].map((word) => [
    word,
    `end${word}`,
  ]),
)
/** Blocks whose names end with them. */
const scopes: ReadonlySet<string> = new Set(['for', 'macro', 'call', 'filter', 'with', 'block', 'set'])
/** Blocks whose text is not written where it is. */
const capturing: ReadonlySet<string> = new Set(['macro', 'call', 'filter', 'set'])

const openers: Readonly<Record<string, JinjaTagKind>> = { '{': 'output', '%': 'statement', '#': 'comment' }

interface OpenBlock {
  readonly word: string
  readonly tag: Range
}

class Scanner {
  readonly #text: string
  readonly #tags: JinjaTag[] = []
  readonly #names: JinjaName[] = []
  readonly #includes: JinjaInclude[] = []
  readonly #problems: JinjaProblem[] = []
  readonly #scope = new JinjaScope()
  readonly #open: OpenBlock[] = []
  #nCaptures = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): JinjaScan {
    let at = 0
    for (;;) {
      const start = this.#nextTag(at)
      if (start === undefined) break
      const end = this.#tag(start)
      if (end === undefined) break
      at = end
    }
    for (const { word, tag } of this.#open) this.#problems.push({ kind: 'unclosed-block', range: tag, word })
    return {
      tags: this.#tags,
      names: this.#names,
      locals: this.#scope.everDeclared,
      includes: this.#includes,
      problems: this.#problems,
    }
  }

  #nextTag(from: number): number | undefined {
    for (let at = this.#text.indexOf('{', from); at !== -1; at = this.#text.indexOf('{', at + 1)) {
      if (Object.hasOwn(openers, this.#text.charAt(at + 1))) return at
    }
    return undefined
  }

  /** Reads the tag at `start`; its end, or undefined if it has none. */
  #tag(start: number): number | undefined {
    const text = this.#text
    const kind = openers[text.charAt(start + 1)] ?? 'comment'
    const isTrimmed = '-+'.includes(text.charAt(start + 2)) && text.charAt(start + 2) !== ''
    const from = start + (isTrimmed ? 3 : 2)
    if (kind === 'comment') return this.#comment(start, from)
    const closer = kind === 'output' ? '}}' : '%}'
    const { tokens, end, hasOpenString } = lexTag(text, from, closer)
    if (end === undefined) {
      const range = { start, end: Math.min(text.length, start + 2) }
      this.#problems.push({
        kind: hasOpenString ? 'unclosed-string' : 'unclosed-tag',
        range,
        word: text.slice(start, start + 2),
      })
      return undefined
    }
    const inside = { start: from, end: end.inside }
    const range = { start, end: end.outside }
    const word = kind === 'statement' && tokens[0]?.kind === 'name' ? tokens[0].text : undefined
    this.#tags.push({ kind, range, inside, word, isCaptured: this.#nCaptures > 0 })
    if (kind === 'output') this.#use(tokens)
    else if (word !== undefined) return this.#statement(word, tokens, range) ?? end.outside
    return end.outside
  }

  #comment(start: number, from: number): number | undefined {
    const end = this.#text.indexOf('#}', from)
    if (end === -1) {
      this.#problems.push({ kind: 'unclosed-tag', range: { start, end: start + 2 }, word: '{#' })
      return undefined
    }
    const range = { start, end: end + 2 }
    this.#tags.push({
      kind: 'comment',
      range,
      inside: { start: from, end },
      word: undefined,
      isCaptured: this.#nCaptures > 0,
    })
    return end + 2
  }

  /** Takes over a statement; where scanning goes on if that is not right after it. */
  #statement(word: string, tokens: readonly JinjaToken[], tag: Range): number | undefined {
    const rest = tokens.slice(1)
    if (word.startsWith('end')) {
      this.#close(word, tag)
      return undefined
    }
    switch (word) {
      case 'raw':
        return this.#raw(tag)
      case 'for':
        this.#for(rest, tag)
        return undefined
      case 'set':
        this.#set(rest, tag)
        return undefined
      case 'macro':
      case 'call':
        this.#macro(word, rest, tag)
        return undefined
      case 'with':
        this.#begin(word, tag)
        this.#assign(rest)
        return undefined
      case 'include':
        this.#include(rest, tag)
        return undefined
      case 'import':
      case 'from':
        this.#import(rest)
        return undefined
      case 'block':
        this.#begin(word, tag)
        return undefined
      case 'filter':
        this.#begin(word, tag)
        this.#use(rest.slice(1))
        return undefined
      default:
        this.#use(rest)
        if (blocks.has(word)) this.#begin(word, tag)
        return undefined
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
    if (scopes.has(last.word)) this.#scope.leave()
    if (capturing.has(last.word)) this.#nCaptures--
  }

  #raw(tag: Range): number {
    // Linear: no run is followed by what it may match itself.
    const end = /\{%[-+]?\s*endraw\s*[-+]?%\}/g
    end.lastIndex = tag.end
    const found = end.exec(this.#text)
    if (!found) {
      this.#problems.push({ kind: 'unclosed-block', range: tag, word: 'raw' })
      return this.#text.length
    }
    const range = { start: found.index, end: end.lastIndex }
    this.#tags.push({
      kind: 'statement',
      range,
      inside: range,
      word: 'endraw',
      isCaptured: this.#nCaptures > 0,
    })
    return range.end
  }

  // {% for key, value in items if value %}
  //        ^^^^^^^^^^    ^^^^^    ^^^^^
  //        targets       outside  inside
  #for(tokens: readonly JinjaToken[], tag: Range): void {
    const at = tokens.findIndex(({ text, kind }) => kind === 'name' && text === 'in')
    const targets = tokens.slice(0, Math.max(0, at))
    const rest = tokens.slice(at + 1)
    const condition = rest.findIndex(
      ({ text, kind, depth }) => kind === 'name' && text === 'if' && depth === 0,
    )
    const iterated = condition === -1 ? rest : rest.slice(0, condition)
    this.#use(iterated)
    this.#begin('for', tag)
    this.#scope.declare('loop')
    for (const { kind, text } of targets) if (kind === 'name') this.#scope.declare(text)
    if (condition !== -1) this.#use(rest.slice(condition))
  }

  #set(tokens: readonly JinjaToken[], tag: Range): void {
    const equals = tokens.findIndex(({ text, depth }) => text === '=' && depth === 0)
    if (equals !== -1) {
      this.#assign(tokens)
      return
    }
    // A block: `{% set name %}…{% endset %}`.
    const target = tokens.find(({ kind }) => kind === 'name')
    if (target) this.#scope.declare(target.text)
    this.#use(tokens.slice(1))
    this.#begin('set', tag)
  }

  /** `a = 1, b = a`: what is right of an equals sign is used, what is left of it is given a value. */
  #assign(tokens: readonly JinjaToken[]): void {
    const targets: string[] = []
    let from = 0
    for (const [index, token] of tokens.entries()) {
      if (token.text !== '=' || token.depth > 0) continue
      // Several targets are only at the beginning: `a, b = pair`.
      let start = from
      if (from > 0) for (start = index; start > from && tokens[start]?.text !== ','; ) start--
      if (tokens[start]?.text === ',') start++
      this.#use(tokens.slice(from, start))
      const written = tokens.slice(start, index)
      if (written[1]?.text === '.') this.#use(written)
      else for (const { kind, text } of written) if (kind === 'name') targets.push(text)
      from = index + 1
    }
    this.#use(tokens.slice(from))
    for (const name of targets) this.#scope.declare(name)
  }

  // {% macro greet(name, tone='warm') %} and {% call(item) list(items) %}
  #macro(word: 'macro' | 'call', tokens: readonly JinjaToken[], tag: Range): void {
    const [first] = tokens
    if (word === 'macro' && first?.kind === 'name') this.#scope.declare(first.text)
    const own = word === 'macro' ? tokens.slice(1) : tokens
    const isSigned = own[0]?.text === '('
    const close = isSigned ? own.findIndex(({ text, depth }) => text === ')' && depth === 0) : -1
    const parameters = isSigned ? own.slice(1, close === -1 ? own.length : close) : []
    this.#use(isSigned ? own.slice(close === -1 ? own.length : close + 1) : own)
    this.#begin(word, tag)
    for (const name of ['caller', 'varargs', 'kwargs']) this.#scope.declare(name)
    for (const [index, { kind, text, depth }] of parameters.entries()) {
      if (kind === 'name' && depth === 1 && (index === 0 || parameters[index - 1]?.text === ','))
        this.#scope.declare(text)
    }
    this.#use(parameters)
  }

  #include(tokens: readonly JinjaToken[], range: Range): void {
    const [path, next] = tokens
    const isString = path?.kind === 'string' && (next === undefined || next.kind === 'name')
    const isOptional = tokens.some(
      ({ kind, text }, index) =>
        kind === 'name' && text === 'ignore' && tokens[index + 1]?.text === 'missing',
    )
    const pathRange = isString
      ? { start: path.start + 1, end: path.end - 1 }
      : { start: path?.start ?? range.start, end: tokens.at(-1)?.end ?? range.end }
    if (!isString) this.#use(tokens)
    this.#includes.push({ range, path: isString ? path.text : undefined, pathRange, isOptional })
  }

  #import(tokens: readonly JinjaToken[]): void {
    for (const [index, { kind, text }] of tokens.entries()) {
      const before = tokens[index - 1]?.text
      if (kind === 'name' && (before === 'as' || before === 'import' || before === ','))
        this.#scope.declare(text)
    }
  }

  #use(tokens: readonly JinjaToken[]): void {
    for (const [index, token] of tokens.entries()) {
      if (token.kind !== 'name' || keywords.has(token.text)) continue
      const before = tokens[index - 1]?.text
      if (before === '.' || before === '|' || before === 'is') continue
      if (before === 'not' && tokens[index - 2]?.text === 'is') continue
      const isArgument =
        token.depth > 0 && tokens[index + 1]?.text === '=' && (before === '(' || before === ',')
      if (isArgument || this.#scope.has(token.text)) continue
      this.#names.push({ name: token.text, range: { start: token.start, end: token.end } })
    }
  }
}

/** Words of expressions that are no names. */
const keywords: ReadonlySet<string> = new Set(
  'and or not in is if else elif true false none True False None recursive ignore missing with without context as import'.split(
    ' ',
  ),
)
