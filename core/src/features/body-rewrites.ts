/**
 * Ways to write text of a body: as a literal block, as plain text, with its control tokens escaped or in force (D8, D9).
 * Wrapping, unwrapping and pasting keep what the body says; escaping and unescaping change it on purpose.
 */

import { Transcript } from '../document/transcript.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { type Place, placeAt, placeBehind } from '../semantics/place.ts'
import { renderedPieces } from '../syntax/body.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken, type Token, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { localizable, localized } from '../text/localize.ts'
import type { Range, TextEdit } from '../text/range.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { ControlKind, coreTokens } from '../vocabulary/tokens.ts'

/** What can be done with text of a body. */
export type BodyRewriteName = 'wrap' | 'unwrap' | 'escape' | 'unescape'

/** A rewrite that is possible. */
export interface BodyRewrite {
  readonly name: BodyRewriteName
  /** An imperative without final stop. */
  readonly title: string
  readonly edit: TextEdit
}

const titles: Readonly<Record<BodyRewriteName, string>> = {
  wrap: localizable`Wrap in a literal block`,
  unwrap: localizable`Unwrap the literal block`,
  escape: localizable`Escape control tokens`,
  unescape: localizable`Unescape control tokens`,
}

/** The rewrites that make sense for `range`: wrapping needs a selection, unwrapping a place in a block. */
export function bodyRewrites(analysis: Analysis, range: Range): readonly BodyRewrite[] {
  const rewrites: BodyRewrite[] = []
  for (const name of ['wrap', 'unwrap', 'escape', 'unescape'] as const) {
    const edit = bodyRewrite(analysis, range, name)
    if (edit) rewrites.push({ name, title: localized(titles[name]), edit })
  }
  return rewrites
}

/** The edit that does `name` to `range`; undefined where there is nothing to do, or it cannot be done. */
export function bodyRewrite(analysis: Analysis, range: Range, name: BodyRewriteName): TextEdit | undefined {
  const { transcript } = analysis
  if (!transcript.framing.hasEscapes || range.end > transcript.length) return undefined
  switch (name) {
    case 'wrap':
      return wrapped(analysis, range)
    case 'unwrap':
      return unwrapped(analysis, range)
    case 'escape':
      return escaped(analysis, range)
    case 'unescape':
      return unescaped(analysis, range)
    default:
      return name satisfies never
  }
}

/**
 * The edit that makes the system message at `offset` what it was if someone pasted it without escapes: text of the message
 * of the user or tool before it. Undefined for other messages.
 */
export function textOfMessageBefore(analysis: Analysis, offset: number): TextEdit | undefined {
  const { transcript } = analysis
  const { segment, start, index } = placeAt(analysis, offset)
  if (index === 0 || segment.kind !== 'message' || !transcript.framing.hasEscapes) return undefined
  const { role, terminator } = messageView(segment)
  const before = transcript.segment(index - 1)
  if (role !== 'system' || !terminator || before.segment.kind !== 'message') return undefined
  const view = messageView(before.segment)
  if ((view.role !== 'user' && view.role !== 'tool') || !view.terminator || !view.body || view.isCut)
    return undefined
  const range = { start: before.start + view.terminator.span.from, end: start + terminator.span.from }
  return escaped(analysis, range)
}

/** What may be pasted instead of a text that holds control tokens. */
export interface PasteText {
  /** With every control token escaped. */
  readonly escaped: string
  /** As a literal block; undefined if the text holds the end of one. */
  readonly literal: string | undefined
}

/** Ways to paste `text` at `offset`: only in a body, outside of literal blocks, and if it holds a control token. */
export function pasteTexts(analysis: Analysis, offset: number, text: string): PasteText | undefined {
  const { framing } = analysis.transcript
  if (!framing.hasEscapes || !coreTokens.some((it) => text.includes(it.text))) return undefined
  const place = bodyPlaceAt(analysis, offset)
  if (!place || place.isLiteral) return undefined
  const source = sourceOf(text, framing)
  return { escaped: source, literal: literalOf(text, framing) }
}

/** A selection that ends in its body is taken by what it says; one that goes on after it, as it is written. */
function wrapped(analysis: Analysis, { start, end }: Range): TextEdit | undefined {
  const { transcript } = analysis
  const place = start < end ? bodyPlaceAt(analysis, start) : undefined
  if (!place || place.isLiteral) return undefined
  const isInside = end <= place.bodyEnd
  if (isInside && !keepsTokens(place.segment, start - place.start, end - place.start)) return undefined
  const source = transcript.text({ start, end })
  const meaning = isInside ? meaningOf(place.segment, start - place.start, end - place.start) : source
  const text = literalOf(meaning, transcript.framing)
  if (text === undefined) return undefined
  const edit = { start, end, text }
  return isInside ? ifSame(analysis, place, edit) : edit
}

function unwrapped(analysis: Analysis, { start, end }: Range): TextEdit | undefined {
  const place = bodyPlaceAt(analysis, start)
  if (!place) return undefined
  let open: Token | undefined
  let content = ''
  for (const token of eachToken(tokensOf(place.segment))) {
    if (token.kind === TokenKind.literal) {
      open = token
      content = ''
    } else if (token.kind === TokenKind.literalText) {
      content = place.segment.text.slice(token.from, token.to)
    } else if (token.kind === TokenKind.endLiteral && open) {
      const block = { start: place.start + open.from, end: place.start + token.to }
      open = undefined
      if (end < block.start || block.end < start) continue
      const text = sourceOf(content, analysis.transcript.framing)
      return ifSame(analysis, place, { ...block, text })
    }
  }
  return undefined
}

/** Every control token of the selection becomes text, whatever it was; the selection starts in a body. */
function escaped(analysis: Analysis, range: Range): TextEdit | undefined {
  const place = range.start < range.end ? bodyPlaceAt(analysis, range.start) : undefined
  if (!place || place.isLiteral) return undefined
  const source = analysis.transcript.text(range)
  const before = range.start > 0 ? analysis.transcript.text({ start: range.start - 1, end: range.start }) : ''
  // What is escaped already has a `<` before it.
  const text = (before + source).replace(anyToken, (match, sign: string, token: string) =>
    sign === '' ? `<${token}` : match,
  )
  const changed = text.slice(before.length)
  return changed === source ? undefined : { ...range, text: changed }
}

/** Escaped control tokens of the selection come into force. */
function unescaped(analysis: Analysis, range: Range): TextEdit | undefined {
  const place = range.start < range.end ? bodyPlaceAt(analysis, range.start) : undefined
  if (!place) return undefined
  const { segment, start } = place
  let text = ''
  let from = range.start - start
  const to = Math.min(range.end - start, segment.length)
  for (const token of eachToken(tokensOf(segment))) {
    if (token.kind !== TokenKind.escape || token.from < from || token.to > to) continue
    text += segment.text.slice(from, token.from)
    from = token.to
  }
  if (from === range.start - start) return undefined
  return { start: range.start, end: start + to, text: text + segment.text.slice(from, to) }
}

interface BodyPlace {
  readonly segment: Segment
  /** Where the segment starts in the document. */
  readonly start: number
  /** Where the body ends in the document. */
  readonly bodyEnd: number
  /** True between the marks of a literal block. */
  readonly isLiteral: boolean
}

/** The place in a body; before a message that begins within a body, at the end of that one. */
function bodyPlaceAt(analysis: Analysis, offset: number): BodyPlace | undefined {
  return bodyPlaceIn(placeAt(analysis, offset)) ?? bodyPlaceIn(placeBehind(analysis, offset))
}

function bodyPlaceIn(place: Place): BodyPlace | undefined {
  const { segment, start, token } = place
  if (segment.kind !== 'message') return undefined
  const { message, body } = messageView(segment)
  if (!message || !body || place.offset < body.from || body.to < place.offset) return undefined
  // After the first mark, up to the last: at the first one's start, the place is still before the block.
  const isLiteral =
    token !== undefined &&
    (token.kind === TokenKind.literalText ||
      token.kind === TokenKind.endLiteral ||
      (token.kind === TokenKind.literal && token.from < place.offset))
  return { segment, start, bodyEnd: start + body.to, isLiteral }
}

/** True unless the stretch cuts a token, an escape from its token, or a literal block in two. */
function keepsTokens(segment: Segment, from: number, to: number): boolean {
  let isLiteral = false
  let previous: TokenKind = TokenKind.none
  for (const token of eachToken(tokensOf(segment))) {
    for (const edge of [from, to]) {
      const isCut = token.from < edge && edge < token.to && token.kind !== TokenKind.text
      const isEscapeCut = edge === token.from && previous === TokenKind.escape
      const isBlockCut = edge === token.from && isLiteral
      if (isCut || isEscapeCut || isBlockCut) return false
    }
    if (token.kind === TokenKind.literal) isLiteral = true
    if (token.kind === TokenKind.endLiteral) isLiteral = false
    previous = token.kind
  }
  return true
}

/** What the stretch of a body says. */
function meaningOf(segment: Segment, from: number, to: number): string {
  let text = ''
  for (const token of eachToken(tokensOf(segment))) {
    if (token.to <= from || to <= token.from) continue
    const isMark = token.kind === TokenKind.literal || token.kind === TokenKind.endLiteral
    if (isMark || token.kind === TokenKind.escape) continue
    text += segment.text.slice(Math.max(from, token.from), Math.min(to, token.to))
  }
  return text
}

// Linear: one of a few words, none of which repeats anything.
const anyToken = new RegExp(
  `(<?)(${coreTokens.map(({ text }) => text.replaceAll('|', '\\|')).join('|')})`,
  'g',
)

/** `text` as it is written in a body. A last `<` would escape a token after it, so it is in a literal block. */
function sourceOf(text: string, framing: Framing): string {
  const source = text.replace(anyToken, (_, before: string, token: string) => `${before}<${token}`)
  let end = source.length
  while (source.charAt(end - 1) === '<') end--
  if (end === source.length) return source
  const rest = source.slice(end)
  return source.slice(0, end) + (literalOf(rest, framing) ?? rest)
}

function literalOf(text: string, { tokens, endLiteral }: Framing): string | undefined {
  const open = tokens.find(({ kind }) => kind === ControlKind.literal)?.text
  if (open === undefined || endLiteral === undefined || text.includes(endLiteral)) return undefined
  return `${open}${text}${endLiteral}`
}

/** `edit`, if it changes the text but not what the body says. */
function ifSame(
  { transcript }: Analysis,
  { segment, start }: BodyPlace,
  edit: TextEdit,
): TextEdit | undefined {
  const from = edit.start - start
  const to = edit.end - start
  if (segment.text.slice(from, to) === edit.text) return undefined
  const text = segment.text.slice(0, from) + edit.text + segment.text.slice(to)
  if (transcript.mayMovePreamble(edit)) return undefined
  const fresh = Transcript.parse(text, {
    dialect: transcript.framing.name === 'openchatml' ? '2.2' : 'harmony',
  })
  if (fresh.segmentCount !== 2) return undefined
  return meaningOfBody(fresh.segment(1).segment) === meaningOfBody(segment) ? edit : undefined
}

/** What a body says, and which of it is thought or function: two bodies say the same if this is the same. */
function meaningOfBody(segment: Segment): string {
  let meaning = ''
  let last = ''
  for (const { kind, text } of renderedPieces(segment)) {
    const own = kind === 'literal' ? 'text' : kind
    if (text === '') continue
    meaning += own === last ? text : `\0${own}\0${text}`
    last = own
  }
  return meaning
}
