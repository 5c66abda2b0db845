/**
 * The control automaton at token level: the tokens of one segment, which depend on the segment alone (I2).
 * Splitting has decided what belongs to the segment, so a start token inside it can only be text.
 */

import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import type { Span } from '../text/range.ts'
import { sequenceEnd, sequenceStart } from '../vocabulary/chatml-framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { Effect, effectOf, isStructural, State } from './control-grammar.ts'
import { byteOrderMarkLength, closedFrontMatter } from './preamble-end.ts'
import { isBlank, isBlankBetween } from './role-word.ts'
import type { Segment } from './segment.ts'
import { TokenBuffer, TokenKind, type TokenRun } from './token-run.ts'

const known = new WeakMap<Segment, TokenRun>()

/** The tokens of `segment`, tiling its text; remembered with it. */
export function tokensOf(segment: Segment): TokenRun {
  const remembered = known.get(segment)
  if (remembered) return remembered
  const buffer = new TokenBuffer()
  tokenize(segment, buffer)
  const run = buffer.copy()
  known.set(segment, run)
  return run
}

/** The tokens of `segment` if they are remembered, or if making them takes longer than remembering them. */
export function knownTokensOf(segment: Segment): TokenRun | undefined {
  return isLong(segment) ? tokensOf(segment) : known.get(segment)
}

/** Remembers `run` as the tokens of `segment`, which they must be. */
export function rememberTokens(segment: Segment, run: TokenRun): void {
  known.set(segment, run)
}

const longSegment = 100_000 // code units

/** True if reading `segment` again takes longer than remembering what was read. */
export function isLong({ length }: Segment): boolean {
  return length > longSegment
}

/** The tokens of `segment` for one pass over them: remembered for a long one, else in `buffer`, which is cleared first. */
export function passingTokensOf(segment: Segment, buffer: TokenBuffer): TokenRun {
  if (isLong(segment)) return tokensOf(segment)
  tokenize(segment, buffer)
  return buffer
}

/** Writes the tokens of `segment` into `tokens`, which is cleared first. Linear in the segment. */
export function tokenize(segment: Segment, tokens: TokenBuffer): void {
  tokens.clear()
  switch (segment.kind) {
    case 'preamble':
      tokenizePreamble(segment, tokens)
      break
    case 'message':
      tokenizeMessage(segment, tokens)
      break
    case 'file':
    case 'fim':
      tokenizeSequence(segment, tokens)
      break
    default:
      segment.kind satisfies never
  }
}

/** As {@link tokenize}, for a preamble of which there is only the text. */
export function tokenizePreamble(
  { text, framing }: Pick<Segment, 'text' | 'framing'>,
  tokens: TokenBuffer,
): void {
  tokens.clear()
  const mark = byteOrderMarkLength(text)
  tokens.push(TokenKind.byteOrderMark, mark)
  const frontMatter = closedFrontMatter(text, text.length)
  if (frontMatter) {
    tokens.push(TokenKind.blank, frontMatter.open)
    tokens.push(TokenKind.fence, nextLineBreak(text, frontMatter.open))
    tokens.push(TokenKind.blank, frontMatter.contentStart)
    tokens.push(TokenKind.yaml, frontMatter.close)
    tokens.push(TokenKind.fence, frontMatter.closeEnd)
    tokenizeGap(text, frontMatter.closeEnd, framing, tokens)
    return
  }
  const sequence = framing.name === 'chatml' ? text.indexOf(sequenceStart) : -1
  const yamlEnd = sequence === -1 ? text.length : sequence
  tokens.push(isBlankBetween(text, mark, yamlEnd) ? TokenKind.blank : TokenKind.yaml, yamlEnd)
  tokenizeGap(text, yamlEnd, framing, tokens)
}

/** A message; in 0.1 the header is a line, and tokens in it that do not end it are words. */
function tokenizeMessage(segment: Segment, tokens: TokenBuffer): void {
  const { text, framing } = segment
  const { matcher } = framing
  const hasTurns = framing.headerEnd === 'line-break'
  let at = matcher.tokenAt(text, 0).length
  tokens.push(TokenKind.start, at)
  const headerEnd = hasTurns ? nextLineBreak(text, at) : text.length
  let section: number = ControlKind.start
  let look = at
  for (;;) {
    const token = text.indexOf('<|', look)
    if (token === -1 || token >= headerEnd) break
    const { kind, length } = matcher.tokenAtOpening(text, token)
    look = token + Math.max(2, length)
    const effect = effectOf(State.header, kind)
    if (kind === ControlKind.none || (hasTurns && effect !== Effect.end)) continue
    // <|start|>assistant to=functions.f<|channel|>commentary<|message|>
    //          ^ words of the section   ^ token
    tokenizeWords(text, at, token, section, tokens)
    at = look
    switch (effect) {
      case Effect.beginBody:
        tokens.push(kind, at)
        tokenizeBody(segment, at, tokens)
        return
      case Effect.end:
        tokens.push(kind, at)
        tokenizeBehindTerminator(segment, kind, at, tokens)
        return
      case Effect.part:
        tokens.push(kind, at)
        section = kind
        break
      default:
        tokens.push(TokenKind.strayToken, at)
        section = ControlKind.none
    }
  }
  tokenizeWords(text, at, headerEnd, section, tokens)
  if (headerEnd === text.length) return
  const bodyStart = afterLineBreak(text, headerEnd)
  tokens.push(TokenKind.headerEnd, bodyStart)
  tokenizeBody(segment, bodyStart, tokens)
}

/** Words of a header section: `key=value`, the word that the section is about, and others. */
function tokenizeWords(text: string, from: number, to: number, section: number, tokens: TokenBuffer): void {
  let isFirst = true
  for (let at = from; at < to; ) {
    const start = at
    while (at < to && isBlank(text.charCodeAt(at))) at++
    if (at > start) tokens.push(TokenKind.blank, at)
    if (at === to) return
    const word = at
    let equals = -1
    for (; at < to; at++) {
      const code = text.charCodeAt(at)
      if (isBlank(code)) break
      if (code === equalsSign && equals === -1) equals = at
    }
    if (equals > word && isAttributeName(text, word, equals)) {
      tokens.push(TokenKind.attributeName, equals)
      tokens.push(TokenKind.equals, equals + 1)
      tokens.push(TokenKind.attributeValue, at)
    } else {
      tokens.push(isFirst ? wordOfSection(section) : TokenKind.word, at)
    }
    isFirst = false
  }
}

function wordOfSection(section: number): TokenKind {
  if (section === ControlKind.start) return TokenKind.role
  if (section === ControlKind.channel) return TokenKind.channelName
  if (section === ControlKind.constrain) return TokenKind.constraintName
  return TokenKind.word
}

function isAttributeName(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === underscore
    const isFurther = at > from && (code === hyphen || (code >= 48 && code <= 57))
    if (!isLetter && !isFurther) return false
  }
  return true
}

function tokenizeBody(segment: Segment, bodyStart: number, tokens: TokenBuffer): void {
  const { text, framing } = segment
  const { matcher, endLiteral } = framing
  let mayClose = true // one search shows for the rest of the body that there is no end
  let look = bodyStart
  for (let at = text.indexOf('<|', look); at !== -1; at = text.indexOf('<|', look)) {
    const { kind, length } = matcher.tokenAtOpening(text, at)
    const end = at + length
    look = at + Math.max(2, length)
    if (kind === ControlKind.none) continue
    if (isEscaped(segment, kind, { at, bodyStart })) {
      addEscaped(tokens, { from: at, to: end })
      continue
    }
    const effect = effectOf(State.body, kind)
    if (effect === Effect.end) {
      tokens.push(TokenKind.text, at)
      tokens.push(kind, end)
      tokenizeBehindTerminator(segment, kind, end, tokens)
      return
    }
    const close = effect === Effect.literal && mayClose && endLiteral ? text.indexOf(endLiteral, end) : -1
    if (endLiteral && close !== -1) {
      look = close + endLiteral.length
      tokens.push(TokenKind.text, at)
      tokens.push(kind, end)
      tokens.push(TokenKind.literalText, close)
      tokens.push(TokenKind.endLiteral, look)
      continue
    }
    if (effect === Effect.literal) mayClose = false
    addMarker(tokens, kind, { from: at, to: end })
  }
  tokens.push(TokenKind.text, text.length)
}

/** True if a token of `kind` at `at`, in a body that starts at `bodyStart`, is escaped: it is text (D8). */
export function isEscaped(
  { text, framing }: Pick<Segment, 'text' | 'framing'>,
  kind: ControlKind,
  { at, bodyStart }: { readonly at: number; readonly bodyStart: number },
): boolean {
  return framing.hasEscapes && at > bodyStart && text.charCodeAt(at - 1) === lessThan && isStructural(kind)
}

/** Adds an escaped token of a body, and the text before it. */
export function addEscaped(tokens: TokenBuffer, { from, to }: Span): void {
  // Write <<|end|> to finish
  //       ^ escape, then the token as text
  tokens.push(TokenKind.text, from - 1)
  tokens.push(TokenKind.escape, from)
  tokens.push(TokenKind.escapedToken, to)
}

/** Adds a control token of a body that neither ends it nor encloses a literal block, and the text before it. */
export function addMarker(tokens: TokenBuffer, kind: ControlKind, { from, to }: Span): void {
  tokens.push(TokenKind.text, from)
  const hasMeaning = kind >= ControlKind.thoughtStart && kind <= ControlKind.functionOutput
  tokens.push(hasMeaning ? kind : TokenKind.strayToken, to)
}

/** `<|end|>` directly after `<|call|>` is absorbed (D11); the rest is white space or stray. */
function tokenizeBehindTerminator(
  { text, framing }: Segment,
  kind: ControlKind,
  from: number,
  tokens: TokenBuffer,
): void {
  let at = from
  const next = kind === ControlKind.call ? framing.matcher.tokenAt(text, at) : undefined
  if (next?.kind === ControlKind.end) {
    at += next.length
    tokens.push(TokenKind.end, at)
  }
  tokenizeGap(text, at, framing, tokens)
}

/** What follows a message or a header, from `from` to the end of `text`: white space, marks of sequences, and stray text. */
export function tokenizeGap(
  text: string,
  from: number,
  framing: Segment['framing'],
  tokens: TokenBuffer,
): void {
  let first = skipBlanks(text, from, tokens)
  if (framing.name === 'chatml') {
    for (let mark = sequenceMarkAt(text, first); mark; mark = sequenceMarkAt(text, first)) {
      tokens.push(
        mark === sequenceStart ? TokenKind.sequenceStart : TokenKind.sequenceEnd,
        first + mark.length,
      )
      first = skipBlanks(text, first + mark.length, tokens)
    }
  }
  if (first === text.length) return
  let last = text.length
  while (isBlank(text.charCodeAt(last - 1))) last--
  for (let at = text.indexOf('<|', first); at !== -1 && at < last; at = text.indexOf('<|', tokens.end)) {
    const { kind, length } = framing.matcher.tokenAtOpening(text, at)
    if (kind === ControlKind.none) {
      tokens.push(TokenKind.stray, at + 2)
    } else {
      tokens.push(TokenKind.stray, at)
      tokens.push(TokenKind.strayToken, at + length)
    }
  }
  tokens.push(TokenKind.stray, last)
  tokens.push(TokenKind.blank, text.length)
}

function skipBlanks(text: string, from: number, tokens: TokenBuffer): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  if (at > from) tokens.push(TokenKind.blank, at)
  return at
}

function sequenceMarkAt(text: string, at: number): string | undefined {
  if (text.startsWith(sequenceStart, at)) return sequenceStart
  return text.startsWith(sequenceEnd, at) ? sequenceEnd : undefined
}

/** A file of a multi-file sequence or a fill-in-the-middle task of 0.1. `[EOS]` at the end is not content. */
function tokenizeSequence(segment: Segment, tokens: TokenBuffer): void {
  const { text, framing } = segment
  const { matcher } = framing
  tokens.push(TokenKind.byteOrderMark, byteOrderMarkLength(text))
  if (text.startsWith(sequenceStart, tokens.end)) {
    tokens.push(TokenKind.sequenceStart, tokens.end + sequenceStart.length)
  }
  let contentEnd = text.length
  while (contentEnd > tokens.end && isBlank(text.charCodeAt(contentEnd - 1))) contentEnd--
  const hasEnd = text.endsWith(sequenceEnd, contentEnd)
  const limit = hasEnd ? contentEnd - sequenceEnd.length : text.length
  for (let at = text.indexOf('<|', tokens.end); at !== -1 && at < limit; at = text.indexOf('<|', at)) {
    const { kind, length } = matcher.tokenAtOpening(text, at)
    const end = at + Math.max(2, length)
    if (kind >= ControlKind.fimPrefix && kind <= ControlKind.fileSeparator) {
      tokens.push(TokenKind.text, at)
      tokens.push(kind, end)
    } else if (kind !== ControlKind.none) {
      tokens.push(TokenKind.text, at)
      tokens.push(TokenKind.strayToken, end)
    }
    at = end
  }
  tokens.push(TokenKind.text, limit)
  if (hasEnd) {
    tokens.push(TokenKind.sequenceEnd, contentEnd)
    tokens.push(TokenKind.blank, text.length)
  }
}

const lessThan = 60
const equalsSign = 61
const underscore = 95
const hyphen = 45
