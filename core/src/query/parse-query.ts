/** From the text of a query (S7) to its tree. Linear in the text. */
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import type { NumberRange, Query, QueryMistake, QueryTerm, TermValue } from './query.ts'

/** Longer texts are not read. */
export const longestQuery = 10_000 // UTF-16 code units
const deepest = 64 // brackets in each other

/** A query, or why the text isn't one. An empty text is the query that every sample matches. */
export type ParsedQuery =
  | { readonly kind: 'query'; readonly query: Query }
  | ({ readonly kind: 'mistake' } & QueryMistake)

/**
 * Reads `text`. Terms side by side must all hold, and bind more tightly than `OR`; `-` negates the term or bracket after it.
 */
export function parseQuery(text: string): ParsedQuery {
  if (text.length > longestQuery) {
    const message = localize`The query is longer than ${longestQuery} characters`
    return { kind: 'mistake', message, span: { from: longestQuery, to: text.length } }
  }
  try {
    return { kind: 'query', query: new QueryParser(text).parse() }
  } catch (error) {
    if (!(error instanceof MistakeFound)) throw error
    return { kind: 'mistake', ...error.mistake }
  }
}

/** `name` as the name of a field: in quotation marks if it could be read in another way. */
export function queryName(name: string): string {
  return fieldName.exec(name)?.[0] === name ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Leaves the parser at the first mistake; it never leaves this file. */
class MistakeFound extends Error {
  readonly mistake: QueryMistake

  constructor(message: string, from: number, to: number) {
    super(message)
    this.mistake = { message, span: { from, to } }
  }
}

const space = /\s/
const fieldName = /^[\p{L}_][\p{L}\p{N}_.-]*/u
const longestName = 200 // UTF-16 code units
const comparison = /^(?:>=|<=|[=<>]|:(?!\/\/))/ // an address is text
const negation = /^!(?:[\p{L}_"]|$)/u
const unequalField = /^[\p{L}_][\p{L}\p{N}_.-]*!=/u
const number = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i

class QueryParser {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): Query {
    this.#skipSpaces()
    if (this.#isAtEnd) return { kind: 'all', of: [] }
    const query = this.#alternatives()
    if (!this.#isAtEnd) this.#fail(localize`Unexpected \`)\`: no bracket is open`, this.#at, this.#at + 1)
    return query
  }

  get #isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  #alternatives(): Query {
    const all = [this.#conjunction()]
    while (this.#takeOr()) all.push(this.#conjunction())
    return joined('any', all)
  }

  #conjunction(): Query {
    const all: Query[] = []
    while (!this.#isAtEnd && this.#text[this.#at] !== ')' && !this.#isOr) all.push(this.#negatable())
    if (all.length > 0) return joined('all', all)
    const to = this.#isOr ? this.#at + 2 : this.#at + 1
    return this.#fail(
      localize`Expected a term`,
      Math.min(this.#at, this.#text.length),
      Math.min(to, this.#text.length),
    )
  }

  #negatable(): Query {
    const isNegated = this.#text[this.#at] === '-' && !space.test(this.#text[this.#at + 1] ?? ' ')
    if (!isNegated) return this.#bracketOrTerm()
    this.#at++
    return { kind: 'not', of: this.#bracketOrTerm() }
  }

  #bracketOrTerm(): Query {
    if (this.#text[this.#at] !== '(') return this.#term()
    const from = this.#at++
    if (++this.#depth > deepest)
      this.#fail(localize`More than ${deepest} brackets are nested`, from, this.#at)
    this.#skipSpaces()
    const query = this.#alternatives()
    if (this.#isAtEnd) this.#fail(localize`The bracket is not closed`, from, from + 1)
    this.#at++
    this.#depth--
    this.#skipSpaces()
    return query
  }

  #term(): QueryTerm {
    const from = this.#at
    const name = this.#takeName()
    const operator = name === undefined ? undefined : this.#takeComparison()
    if (operator === undefined) this.#at = from
    const isField = operator !== undefined
    const value = isField && operator !== ':' ? this.#compared(operator) : this.#value(isField)
    const span: Span = { from, to: this.#at }
    this.#skipSpaces()
    return { kind: 'term', field: isField ? name : undefined, value, span }
  }

  /** The name of a field; one with spaces or other characters is in quotation marks. */
  #takeName(): string | undefined {
    if (this.#text[this.#at] === '"') {
      const name = this.#quoted()
      return name === '' || name.length > longestName ? undefined : name
    }
    const name = fieldName.exec(this.#text.slice(this.#at, this.#at + longestName))?.[0]
    this.#at += name?.length ?? 0
    return name
  }

  #takeComparison(): string | undefined {
    const operator = comparison.exec(this.#text.slice(this.#at, this.#at + 3))?.[0]
    this.#at += operator?.length ?? 0
    return operator
  }

  /** After `>`, `<`, `>=`, `<=`, or `=`. */
  #compared(operator: string): TermValue {
    const from = this.#at
    const word = this.#word()
    if (!number.test(word)) {
      if (operator === '=' && word.startsWith('='))
        this.#fail(localize`Write \`${'='}\` instead of \`${'=='}\``, from - 1, from + 1)
      const swapped = operator === '=' ? /^[<>]/.exec(word)?.[0] : undefined
      if (swapped !== undefined && number.test(word.slice(1)))
        this.#fail(localize`Write \`${`${swapped}=`}\` instead of \`${`=${swapped}`}\``, from - 1, from + 1)
      if (operator === '=' && word !== '') return { kind: 'text', text: word }
      return this.#fail(localize`Expected a number after \`${operator}\``, from, Math.max(this.#at, from + 1))
    }
    const bound = Number(word)
    if (operator === '=' && /^-?\d+$/.test(word) && !Number.isSafeInteger(bound))
      return { kind: 'text', text: word } // a number would be rounded
    switch (operator) {
      case '>':
      case '>=':
        return { ...anyNumber, from: bound, includesFrom: operator === '>=' }
      case '<':
      case '<=':
        return { ...anyNumber, to: bound, includesTo: operator === '<=' }
      default:
        return { ...anyNumber, from: bound, to: bound }
    }
  }

  #value(isOfField: boolean): TermValue {
    const from = this.#at
    const first = this.#text[from]
    if (first === '"') return { kind: 'text', text: this.#quoted() }
    if (first === '/') return this.#regex()
    const word = this.#word()
    if (word === '')
      return this.#fail(localize`Expected a value`, from, Math.min(from + 1, this.#text.length))
    if (!isOfField) this.#refuseOperator(word, from)
    const compared = isOfField ? /^[<>]=?/.exec(word)?.[0] : undefined
    if (compared !== undefined && number.test(word.slice(compared.length)))
      this.#fail(localize`Leave out the colon before \`${word}\``, from - 1, this.#at)
    const range = isOfField ? rangeIn(word) : undefined
    if (range && range.from > range.to) {
      const ordered = word.split('..').toReversed().join('..')
      this.#fail(localize`Write \`${ordered}\` instead of \`${word}\``, from, this.#at)
    }
    return range ?? { kind: 'text', text: word }
  }

  /** Operators of other languages: as text they would match nearly nothing, without a word about why. */
  #refuseOperator(word: string, from: number): void {
    const to = from + word.length
    if (word === 'AND' || word === '&&')
      this.#fail(localize`Leave out \`${word}\`. Adjacent terms must all match`, from, to)
    if (word === '||') this.#fail(localize`Write \`${'OR'}\` instead of \`${word}\``, from, to)
    if (word === 'NOT')
      this.#fail(localize`Write \`${'-'}\` before the term instead of \`${word}\``, from, to)
    if (negation.test(word)) this.#fail(localize`Write \`${'-'}\` instead of \`${'!'}\``, from, from + 1)
    const unequal = unequalField.exec(word)?.[0]
    if (unequal !== undefined) {
      const end = from + unequal.length
      this.#fail(localize`Write \`${'-'}\` before the term instead of \`${'!='}\``, end - 2, end)
    }
  }

  /** Up to a space or a bracket. */
  #word(): string {
    const from = this.#at
    while (!this.#isAtEnd && !/[\s()]/.test(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(from, this.#at)
  }

  #quoted(): string {
    const from = this.#at++
    let text = ''
    for (;;) {
      const character = this.#text[this.#at++]
      if (character === undefined) this.#fail(localize`The quotation mark is not closed`, from, from + 1)
      if (character === '"') return text
      const isEscape = character === '\\' && /["\\]/.test(this.#text[this.#at] ?? '')
      text += isEscape ? this.#text[this.#at++] : character
    }
  }

  #regex(): TermValue {
    const from = this.#at++
    let isInClass = false
    for (;;) {
      const character = this.#text[this.#at++]
      if (character === undefined)
        this.#fail(localize`The regular expression is not closed with \`/\``, from, from + 1)
      if (character === '\\') this.#at++
      else if (character === '[') isInClass = true
      else if (character === ']') isInClass = false
      else if (character === '/' && !isInClass) break
    }
    const source = this.#text.slice(from + 1, this.#at - 1).replaceAll('\\/', '/')
    const flags = this.#word()
    if (flags !== '' && flags !== 'i')
      this.#fail(
        localize`Unknown flags \`${flags}\`. Expected \`i\` or none`,
        this.#at - flags.length,
        this.#at,
      )
    return { kind: 'regex', source, ignoresCase: flags === 'i' }
  }

  get #isOr(): boolean {
    return (
      this.#text.startsWith('OR', this.#at) &&
      /^(?:[\s()]|$)/.test(this.#text.slice(this.#at + 2, this.#at + 3))
    )
  }

  #takeOr(): boolean {
    if (!this.#isOr) return false
    this.#at += 2
    this.#skipSpaces()
    return true
  }

  #skipSpaces(): void {
    while (space.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #fail(message: string, from: number, to: number): never {
    throw new MistakeFound(message, from, to)
  }
}

const anyNumber: NumberRange = {
  kind: 'numbers',
  from: Number.NEGATIVE_INFINITY,
  to: Number.POSITIVE_INFINITY,
  includesFrom: true,
  includesTo: true,
}

/** `100..200`, `100..`, or `..200`, bounds included. */
function rangeIn(word: string): NumberRange | undefined {
  const dots = word.indexOf('..')
  if (dots < 0) return undefined
  const [from, to] = [word.slice(0, dots), word.slice(dots + 2)]
  if ((from === '' && to === '') || ![from, to].every((it) => it === '' || number.test(it))) return undefined
  return {
    ...anyNumber,
    ...(from !== '' && { from: Number(from) }),
    ...(to !== '' && { to: Number(to) }),
  }
}

function joined(kind: 'all' | 'any', queries: readonly Query[]): Query {
  const [only] = queries
  return queries.length === 1 && only ? only : { kind, of: queries }
}
