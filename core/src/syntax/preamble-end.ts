/** Where the YAML header ends and which framing follows (D1, D3). Linear in what it looks at. */
import { afterLineBreak, isLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import { framingOfDialect, recognizedFramings } from '../vocabulary/dialects.ts'
import type { DialectName, Framing } from '../vocabulary/framing.ts'
import { openchatml } from '../vocabulary/openchatml-framing.ts'

/**
 * What decided the end of the preamble.
 * `fence` and `line` depend on the text up to there only; `anywhere` and `none` hold only as long as
 * no line of the whole document begins with an opener.
 */
export type PreambleBasis = 'fence' | 'line' | 'anywhere' | 'none'

/** The end of the preamble, as offset into the text looked at. */
export interface PreambleEnd {
  readonly framing: Framing
  readonly end: number
  readonly basis: PreambleBasis
}

/** A closed YAML front matter: offsets of its parts. */
export interface FrontMatter {
  /** The opening line's first dash. */
  readonly open: number
  /** Start of the line after the opening one. */
  readonly contentStart: number
  /** The closing line's first character. */
  readonly close: number
  /** After the closing line's marker, before its line break. */
  readonly closeEnd: number
}

/** Finds the end of the preamble of `text`, which begins at the document's start. */
export function preambleEnd(text: string, dialect: DialectName | 'auto' = 'auto'): PreambleEnd {
  const candidates = candidateFramings(dialect)
  const opener = firstOpener(text, 0, candidates)
  const lineLimit = opener.atLine ?? { offset: text.length, framing: candidates[0] ?? openchatml }
  const frontMatter = closedFrontMatter(text, lineLimit.offset)
  if (frontMatter) {
    const next = firstOpener(text, frontMatter.closeEnd, candidates).anywhere
    return next
      ? { framing: next.framing, end: firstBoundary(text, next), basis: 'fence' }
      : { framing: lineLimit.framing, end: text.length, basis: 'fence' }
  }
  if (opener.atLine) {
    return { framing: opener.atLine.framing, end: firstBoundary(text, opener.atLine), basis: 'line' }
  }
  if (opener.anywhere) {
    return { framing: opener.anywhere.framing, end: firstBoundary(text, opener.anywhere), basis: 'anywhere' }
  }
  return { framing: lineLimit.framing, end: text.length, basis: 'none' }
}

/** The front matter that `text` begins with, if it is closed before `limit` (D1). A BOM is skipped. */
export function closedFrontMatter(text: string, limit: number): FrontMatter | undefined {
  const open = firstNonBlank(text, limit)
  const openEnd = nextLineBreak(text, open, limit)
  if (openEnd === limit || text.slice(open, Math.min(openEnd, open + 64)).trimEnd() !== '---')
    return undefined
  const contentStart = afterLineBreak(text, openEnd, limit)
  for (let start = contentStart; start < limit; ) {
    const end = nextLineBreak(text, start, limit)
    const code = text.charCodeAt(start)
    if ((code === dash || code === dot) && end - start < 64) {
      const line = text.slice(start, end).trimEnd()
      if (line === '---' || line === '...') {
        return { open, contentStart, close: start, closeEnd: start + line.length }
      }
    }
    if (end === limit) return undefined
    start = afterLineBreak(text, end, limit)
  }
  return undefined
}

const byteOrderMark = 0xfeff
const dash = 45
const dot = 46

/** 1 if `text` begins with a byte order mark, which is ignored (D17), else 0. */
export function byteOrderMarkLength(text: string): 0 | 1 {
  return text.charCodeAt(0) === byteOrderMark ? 1 : 0
}

/** True if an opener of `framings` begins a line of `text` within `[from, to)`. */
export function hasLineOpener(text: string, from: number, to: number): boolean {
  const opener = firstOpener(text.slice(0, to), from, recognizedFramings).atLine
  return opener !== undefined
}

interface Opener {
  readonly offset: number
  readonly framing: Framing
}

/** The framings that a text in `dialect` may turn out to have. */
export function candidateFramings(dialect: DialectName | 'auto'): readonly Framing[] {
  const forced = dialect === 'auto' ? undefined : framingOfDialect[dialect]
  return forced ? [forced] : recognizedFramings
}

/**
 * The first opener at or after `from` that begins a line, and the first one anywhere up to there. One search each, by the
 * engine: a text may consist of what openers begin with.
 */
function firstOpener(
  text: string,
  from: number,
  framings: readonly Framing[],
): { readonly atLine?: Opener; readonly anywhere?: Opener } {
  const { opener, openedLine } = searchesFor(framings)
  const atLine = openerAt(text, lineOpenerFrom(text, from, openedLine, framings), framings)
  opener.lastIndex = from
  for (let found = opener.exec(text); found; found = opener.exec(text)) {
    if (atLine && found.index > atLine.offset) break
    const anywhere = openerAt(text, found.index, framings)
    const isToken = text.startsWith('<|', found.index)
    if (anywhere && !(isToken && isQuoted(text, found.index, anywhere.framing)))
      return { ...(atLine && { atLine }), anywhere }
  }
  return { ...(atLine && { atLine }) }
}

/** Where the first line begins with an opener, at or after `from`; -1 if none does. */
function lineOpenerFrom(
  text: string,
  from: number,
  openedLine: RegExp,
  framings: readonly Framing[],
): number {
  for (const at of [from, byteOrderMarkLength(text)])
    if (at >= from && beginsLine(text, at) && framingOpenedAt(text, at, framings)) return at
  openedLine.lastIndex = from
  const found = openedLine.exec(text)
  return found ? found.index + 1 : -1
}

function openerAt(text: string, at: number, framings: readonly Framing[]): Opener | undefined {
  const framing = at === -1 ? undefined : framingOpenedAt(text, at, framings)
  return framing && { offset: at, framing }
}

/** Expressions for the openers of some framings. */
interface Searches {
  readonly opener: RegExp
  /** Matches from the line break before the opener on. */
  readonly openedLine: RegExp
}

const searches = new WeakMap<readonly Framing[], Searches>()

function searchesFor(framings: readonly Framing[]): Searches {
  const known = searches.get(framings)
  if (known) return known
  const words = [...new Set(framings.flatMap(({ openers }) => openers))]
  const choice = words.map((it) => it.replace(/[|[\]]/g, '\\$&')).join('|')
  // Linear: a choice of a few words, after at most one character.
  const made = { opener: new RegExp(choice, 'g'), openedLine: new RegExp(`[\\n\\r](?:${choice})`, 'g') }
  searches.set(framings, made)
  return made
}

/** The framing of `framings` that has an opener at `at`, or undefined. */
export function framingOpenedAt(text: string, at: number, framings: readonly Framing[]): Framing | undefined {
  for (const framing of framings) {
    for (const opener of framing.openers) {
      if (text.startsWith(opener, at)) return framing
    }
  }
  return undefined
}

/** An opener such as `[BOS]` begins no segment itself: it belongs to the preamble, up to the first that does. */
function firstBoundary(text: string, opener: Opener): number {
  if (text.startsWith('<|', opener.offset)) return opener.offset
  for (let at = text.indexOf('<|', opener.offset); at !== -1; at = text.indexOf('<|', at + 2)) {
    if (framingOpenedAt(text, at, [opener.framing])) return at
  }
  return text.length
}

/** True for a token between quotes, as in the header's list of tokens: no message starts there. */
export function isQuoted(text: string, at: number, framing: Framing): boolean {
  const quote = text.charAt(at - 1)
  if (quote !== '"' && quote !== "'") return false
  const opener = framing.openers.find((it) => text.startsWith(it, at))
  return opener !== undefined && text.charAt(at + opener.length) === quote
}

function beginsLine(text: string, at: number): boolean {
  return at === byteOrderMarkLength(text) || at === 0 || isLineBreak(text.charCodeAt(at - 1))
}

function firstNonBlank(text: string, limit: number): number {
  let lineStart = byteOrderMarkLength(text)
  for (let at = lineStart; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (isLineBreak(code)) lineStart = at + 1
    else if (code !== 32 && code !== 9) return lineStart
  }
  return limit
}
