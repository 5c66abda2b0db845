/**
 * The control automaton at token level: the tokens of one segment, which depend on the segment alone (I2).
 * Splitting has decided what belongs to the segment, so a start token inside it can only be text.
 */

import { afterLineBreak, isLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import { perValue } from '../text/memo.ts'
import { sequenceEnd, sequenceStart } from '../vocabulary/chatml-framing.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import { byteOrderMarkLength, closedFrontMatter } from './preamble-end.ts'
import { isBlank, isBlankBetween } from './role-word.ts'
import type { Segment } from './segment.ts'
import { TokenBuffer, TokenKind, type TokenRun } from './token-run.ts'

/** The tokens of `segment`, tiling its text. */
export const tokensOf = perValue((segment: Segment): TokenRun => {
  const buffer = new TokenBuffer()
  tokenize(segment, buffer)
  return buffer.copy()
})

/** Writes the tokens of `segment` into `tokens`, which is cleared first. Linear in the segment. */
export function tokenize(segment: Segment, tokens: TokenBuffer): void {
  tokens.clear()
  switch (segment.kind) {
    case 'preamble':
      tokenizePreamble(segment, tokens)
      break
    case 'message':
      if (segment.framing.headerEnd === 'message-token') tokenizeMessage(segment, tokens)
      else tokenizeTurn(segment, tokens)
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
    tokens.push(TokenKind.fence, nextLineBreak(text, frontMatter.open, text.length))
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

function tokenizeMessage(segment: Segment, tokens: TokenBuffer): void {
  const { text, framing } = segment
  const { matcher } = framing
  matcher.kindAt(text, 0)
  let at = matcher.length
  tokens.push(TokenKind.start, at)
  let section: number = ControlKind.start
  for (let token = text.indexOf('<|', at); ; token = text.indexOf('<|', token + 2)) {
    const kind = token === -1 ? ControlKind.none : matcher.kindAtOpening(text, token)
    if (token !== -1 && kind === ControlKind.none) continue
    const end = token + matcher.length
    // <|start|>assistant to=functions.f<|channel|>commentary<|message|>
    //          ^ words of the section   ^ token
    tokenizeWords(text, at, token === -1 ? text.length : token, section, tokens)
    if (token === -1) return
    at = end
    if (kind === ControlKind.message) {
      tokens.push(kind, end)
      tokenizeBody(segment, end, tokens)
      return
    }
    if (isTerminator(kind)) {
      tokens.push(kind, end)
      tokenizeBehindTerminator(segment, kind, end, tokens)
      return
    }
    if (kind === ControlKind.channel || kind === ControlKind.constrain) {
      tokens.push(kind, end)
      section = kind
    } else {
      tokens.push(TokenKind.strayToken, end)
      section = ControlKind.none
    }
    token = end - 2
  }
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
  const { matcher, hasEscapes, endLiteral } = framing
  let mayClose = true // one search tells for the rest of the body that there is no end
  let at = text.indexOf('<|', bodyStart)
  while (at !== -1) {
    const kind = matcher.kindAtOpening(text, at)
    if (kind === ControlKind.none) {
      at = text.indexOf('<|', at + 2)
      continue
    }
    const end = at + matcher.length
    if (hasEscapes && at > bodyStart && text.charCodeAt(at - 1) === lessThan && isCore(kind)) {
      // Write <<|end|> to finish
      //       ^ escape, then the token as text
      tokens.push(TokenKind.text, at - 1)
      tokens.push(TokenKind.escape, at)
      tokens.push(TokenKind.escapedToken, end)
    } else if (isTerminator(kind)) {
      tokens.push(TokenKind.text, at)
      tokens.push(kind, end)
      tokenizeBehindTerminator(segment, kind, end, tokens)
      return
    } else if (kind === ControlKind.literal) {
      tokens.push(TokenKind.text, at)
      const close: number = mayClose && endLiteral !== undefined ? text.indexOf(endLiteral, end) : -1
      mayClose = close !== -1
      if (endLiteral === undefined || close === -1) {
        tokens.push(TokenKind.strayToken, end)
      } else {
        tokens.push(kind, end)
        tokens.push(TokenKind.literalText, close)
        tokens.push(TokenKind.endLiteral, close + endLiteral.length)
        at = text.indexOf('<|', close + endLiteral.length)
        continue
      }
    } else {
      tokens.push(TokenKind.text, at)
      tokens.push(isCore(kind) ? TokenKind.strayToken : kind, end)
    }
    at = text.indexOf('<|', end)
  }
  tokens.push(TokenKind.text, text.length)
}

/** True for the nine tokens; the markers of thought and of 0.1 functions are no structure and cannot be escaped (D8). */
function isCore(kind: ControlKind): boolean {
  return kind <= ControlKind.endLiteral
}

/** `<|end|>` directly behind `<|call|>` is absorbed (D11); the rest is white space or stray. */
function tokenizeBehindTerminator(
  { text, framing }: Segment,
  kind: ControlKind,
  from: number,
  tokens: TokenBuffer,
): void {
  let at = from
  if (kind === ControlKind.call && framing.matcher.kindAt(text, at) === ControlKind.end) {
    at += framing.matcher.length
    tokens.push(TokenKind.end, at)
  }
  tokenizeGap(text, at, framing, tokens)
}

function tokenizeGap(text: string, from: number, framing: Segment['framing'], tokens: TokenBuffer): void {
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
    if (framing.matcher.kindAtOpening(text, at) === ControlKind.none) {
      tokens.push(TokenKind.stray, at + 2)
    } else {
      tokens.push(TokenKind.stray, at)
      tokens.push(TokenKind.strayToken, at + framing.matcher.length)
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

/** A message of 0.1: the header is a line, the body ends at `<|im_end|>`. */
function tokenizeTurn(segment: Segment, tokens: TokenBuffer): void {
  const { text, framing } = segment
  const { matcher } = framing
  matcher.kindAt(text, 0)
  const wordsStart = matcher.length
  tokens.push(TokenKind.start, wordsStart)
  let header = wordsStart
  while (header < text.length && !isLineBreak(text.charCodeAt(header))) {
    if (text.charCodeAt(header) === lessThan && matcher.kindAt(text, header) === ControlKind.end) {
      tokenizeWords(text, wordsStart, header, ControlKind.start, tokens)
      tokens.push(TokenKind.end, header + matcher.length)
      tokenizeGap(text, header + matcher.length, framing, tokens)
      return
    }
    header++
  }
  tokenizeWords(text, wordsStart, header, ControlKind.start, tokens)
  if (header === text.length) return
  const bodyStart = afterLineBreak(text, header)
  tokens.push(TokenKind.headerEnd, bodyStart)
  for (let at = text.indexOf('<|', bodyStart); at !== -1; at = text.indexOf('<|', at)) {
    const kind = matcher.kindAtOpening(text, at)
    const end = at + (kind === ControlKind.none ? 2 : matcher.length)
    if (kind === ControlKind.end) {
      tokens.push(TokenKind.text, at)
      tokens.push(TokenKind.end, end)
      tokenizeGap(text, end, framing, tokens)
      return
    }
    if (kind !== ControlKind.none) {
      tokens.push(TokenKind.text, at)
      const hasMeaning = kind >= ControlKind.thoughtStart && kind <= ControlKind.functionOutput
      tokens.push(hasMeaning ? kind : TokenKind.strayToken, end)
    }
    at = end
  }
  tokens.push(TokenKind.text, text.length)
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
    const kind = matcher.kindAtOpening(text, at)
    const end = at + (kind === ControlKind.none ? 2 : matcher.length)
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
