/**
 * Texts with places that anything, or a regular expression, fits: `Hello <any>, order <re:\d+>.` Linear in the texts: regular
 * expressions never backtrack, and what is between them is looked for from left to right.
 */

import { linearPattern } from '../embedded/linear-pattern.ts'
import { localize } from '../text/localize.ts'
import { regexSource } from '../text/regex-source.ts'
import { MatchWork } from './match-work.ts'

/** How an expected text compares. */
export interface ExpectedText {
  /** True if it is nothing but `<any>`. */
  readonly isAny: boolean
  fits(text: string): boolean
}

/** An expression in an expected text that cannot be used; the message says why. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem'
}

/** Fits everything. */
export const anyText = '<any>'
const opener = '<re:'
const place = /<any>|<re:/g

/**
 * How `source` compares with a text: `<any>` fits everything, line breaks too, and `<re:EXPRESSION>` what the whole
 * expression fits. The expression ends at the first `>` that no `\` precedes. White space around the texts is ignored.
 *
 * @param work what matching is added to; `fits` throws MatchLimit if it is too much
 * @throws PatternProblem for an expression that is not closed, not regular, or too long
 */
export function expectedText(source: string, work = new MatchWork()): ExpectedText {
  const trimmed = source.trim()
  if (trimmed === anyText) return { isAny: true, fits: () => true }
  if (!trimmed.includes(anyText) && !trimmed.includes(opener))
    return { isAny: false, fits: (text) => text.trim() === trimmed }
  const pieces = piecesOf(trimmed)
  const hasExpressions = pieces.some(({ kind }) => kind === 'expression')
  return { isAny: false, fits: hasExpressions ? fitsPattern(pieces, work) : fitsGlob(pieces) }
}

interface Piece {
  readonly kind: 'text' | 'any' | 'expression'
  readonly text: string
}

function piecesOf(source: string): readonly Piece[] {
  const pieces: Piece[] = []
  // Linear: two words.
  const places = new RegExp(place)
  for (let at = 0; at < source.length; ) {
    places.lastIndex = at
    const found = places.exec(source)
    const next = found?.index ?? source.length
    if (next > at) pieces.push({ kind: 'text', text: source.slice(at, next) })
    if (!found) break
    if (found[0] === anyText) {
      pieces.push({ kind: 'any', text: anyText })
      at = next + anyText.length
      continue
    }
    const end = endOfExpression(source, next + opener.length)
    pieces.push({ kind: 'expression', text: source.slice(next + opener.length, end) })
    at = end + 1
  }
  return pieces
}

function endOfExpression(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '\\') at++
    else if (character === '>') return at
  }
  throw new PatternProblem(localize`An expression that begins with \`<re:\` is not closed with \`>\``)
}

/** With `<any>` alone, the first place of each text is as good as any other. */
function fitsGlob(pieces: readonly Piece[]): (text: string) => boolean {
  return (text) => {
    const actual = text.trim()
    let at = 0
    let isFree = false
    for (const [index, { kind, text: wanted }] of pieces.entries()) {
      if (kind === 'any') {
        isFree = true
        continue
      }
      if (index === pieces.length - 1 && isFree)
        return actual.length - at >= wanted.length && actual.endsWith(wanted)
      const found = isFree ? actual.indexOf(wanted, at) : actual.startsWith(wanted, at) ? at : -1
      if (found === -1) return false
      at = found + wanted.length
      isFree = false
    }
    return isFree || at === actual.length
  }
}

function fitsPattern(pieces: readonly Piece[], work: MatchWork): (text: string) => boolean {
  for (const { kind, text } of pieces) {
    if (kind === 'expression' && !linearPattern(text))
      throw new PatternProblem(localize`\`<re:${text}>\` is not a regular expression that can be used`)
  }
  const source = pieces.map(sourceOf).join('')
  const pattern = linearPattern(`^(?:${source})$`)
  if (!pattern) throw new PatternProblem(localize`A text with \`<re:…>\` is longer than 2,000 characters`)
  return (text) => {
    const actual = text.trim()
    work.spend(actual.length * pattern.size)
    return pattern.test(actual)
  }
}

function sourceOf({ kind, text }: Piece): string {
  if (kind === 'any') return '(?:.|\\r|\\n|\\u2028|\\u2029)*'
  if (kind === 'expression') return `(?:${text})`
  return regexSource(text)
}
