/**
 * A message after an edit in its body or after it that leaves alone where it begins and ends. All tokens but those at the edit are taken over, so
 * that a keystroke in a message of a million tokens looks at a few.
 *
 * A control token in a body is known by its own text and the character before it, and no two overlap. Only start tokens before a
 * role, terminators, and literal blocks mean anything for what follows: near those, the message is read again.
 */
import { countWhile } from '../text/count-while.ts'
import type { LineSummary } from '../text/line-breaks.ts'
import type { Span } from '../text/range.ts'
import { type Framing, spelling } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { Effect, effectOf, State } from './control-grammar.ts'
import { isBlankBetween, knownRoleFollows, roleLookahead } from './role-word.ts'
import { Segment } from './segment.ts'
import { TokenBuffer, TokenKind, type TokenRun } from './token-run.ts'
import { addEscaped, addMarker, isEscaped, knownTokensOf, rememberTokens, tokenizeGap } from './tokenize.ts'

/** An edit in a segment, and what is there after it. */
export interface MessageEdit {
  readonly replaced: Span
  /** How many code units come in the place of those. */
  readonly length: number
  /** The text of the segment after the edit, and its lines. */
  readonly text: string
  readonly lines: LineSummary
}

/** What {@link editedMessage} made, and how many code units it looked at. */
export interface EditedMessage {
  readonly segment: Segment
  readonly scanned: number
}

/** The message `old` after `edit`; undefined if it has to be read again. */
export function editedMessage(old: Segment, edit: MessageEdit): EditedMessage | undefined {
  const run = old.kind === 'message' ? knownTokensOf(old) : undefined
  const body = run && bodyOf(run, old)
  const { replaced, length, text, lines } = edit
  const stretch = body && (scanBody(old, run, body, edit) ?? scanGap(old, run, body, edit))
  if (!stretch) return undefined
  const shift = length - (replaced.to - replaced.from)
  const tokens = joined(run, stretch, { text, shift })
  const terminator = body.terminator + tokens.count - run.count
  const moved = replaced.from <= body.end ? { ...body, terminator, end: body.end + shift } : body
  const isPlain = isPlainAfter(old, edit, tokens, moved)
  const { kind, framing, endLiterals, hasOpenLiteral, endsInBody } = old
  const segment = new Segment(text, {
    ...{ kind, framing, ...lines, endLiterals, hasOpenLiteral, endsInBody },
    plainBodyStart: isPlain ? body.start : 0,
    plainBodyEnd: isPlain ? moved.end : 0,
  })
  rememberTokens(segment, tokens)
  return { segment, scanned: stretch.scanned }
}

/** Where a body is among the tokens of its message. */
interface BodyPlace {
  /** The index of the first token of the body, and of the terminator; the number of tokens if there is none. */
  readonly first: number
  readonly terminator: number
  /** Offsets, relative to the segment. */
  readonly start: number
  readonly end: number
}

function bodyOf(
  { kinds, ends, count }: TokenRun,
  { framing }: Pick<Segment, 'framing'>,
): BodyPlace | undefined {
  const used = kinds.subarray(0, count)
  const opener = used.indexOf(framing.headerEnd === 'line-break' ? TokenKind.headerEnd : TokenKind.message)
  if (opener === -1) return undefined
  let terminator = count
  for (const kind of [TokenKind.end, TokenKind.call, TokenKind.return]) {
    const at = used.subarray(0, terminator).indexOf(kind, opener)
    if (at !== -1) terminator = at
  }
  const start = ends[opener] ?? 0
  return { first: opener + 1, terminator, start, end: ends[terminator - 1] ?? start }
}

/** True if only the body is edited, and neither the line break before it nor what a start token after it follows. */
function isInside({ from, to }: Span, { start, end }: BodyPlace, { framing, length }: Segment): boolean {
  const first = framing.headerEnd === 'line-break' ? start + 1 : start
  return first <= from && to <= end && to < length
}

/** True if a literal block begins or ends where the edit is, before it or after it. */
function isNearLiteral(old: Segment, { replaced, length, text }: MessageEdit, { start }: BodyPlace): boolean {
  const { framing } = old
  const reach = longestToken(framing)
  const from = Math.max(start, replaced.from - reach)
  const around = [old.text.slice(from, replaced.to + reach), text.slice(from, replaced.from + length + reach)]
  return [ControlKind.literal, ControlKind.endLiteral].some((kind) => {
    const token = spelling(framing, kind)
    return token !== '' && around.some((it) => it.includes(token))
  })
}

function longestToken({ tokens }: Framing): number {
  return Math.max(...tokens.map(({ text }) => text.length))
}

/** The tokens at an edit. */
interface Stretch {
  /** How many tokens before it stay. */
  readonly before: number
  readonly tokens: TokenBuffer
  /** The index of the first old token after it that stays, but for text directly before. */
  readonly behind: number
  readonly scanned: number
}

/** Reads what is after the message, where only that is edited and has no control tokens. */
function scanGap(old: Segment, run: TokenRun, body: BodyPlace, edit: MessageEdit): Stretch | undefined {
  const { framing } = old
  const { text, replaced } = edit
  const start = run.ends[body.terminator] ?? old.length
  if (body.terminator === run.count || replaced.from < start) return undefined
  if (old.text.includes('<|', start) || text.includes('<|', start)) return undefined
  const tokens = new TokenBuffer()
  tokens.clear(start)
  tokenizeGap(text, start, framing, tokens)
  return { before: body.terminator + 1, tokens, behind: run.count, scanned: text.length - start }
}

/** Reads the tokens that begin at the edit or reach into it; undefined if they change where the message ends. */
function scanBody(old: Segment, run: TokenRun, body: BodyPlace, edit: MessageEdit): Stretch | undefined {
  if (!isInside(edit.replaced, body, old) || isNearLiteral(old, edit, body)) return undefined
  const { framing } = old
  const { text, replaced, length } = edit
  const { kinds, ends } = run
  let before = countUpTo(run, replaced.from)
  while (before > body.first && !isControl(kinds[before - 1])) before--
  if (kinds[before - 1] === TokenKind.literal) return undefined // in a literal block
  const start = ends[before - 1] ?? 0
  const end = replaced.from + length
  const from = Math.max(start, replaced.from - longestToken(framing))
  if (beginsMessage(framing, edit, body)) return undefined
  let behind = countUpTo(run, replaced.to)
  const isKept = (index: number) => isControl(kinds[index]) && (ends[index - 1] ?? 0) > replaced.to
  while (behind < body.terminator && !isKept(behind)) behind++
  const terminatorStart = body.end + length - (replaced.to - replaced.from)
  const hasTerminator = body.terminator < run.count
  const tokens = new TokenBuffer()
  tokens.clear(start)
  const window = text.slice(from, end + 2)
  for (let at = window.indexOf('<|'); at !== -1; ) {
    const found = framing.matcher.tokenAtOpening(text, from + at)
    const token = { from: from + at, to: from + at + found.length }
    if (found.kind !== ControlKind.none) {
      if (isEscaped({ text, framing }, found.kind, { at: token.from, bodyStart: body.start })) {
        addEscaped(tokens, token)
      } else if (effectOf(State.body, found.kind) === Effect.end) {
        if (!hasTerminator || token.from !== terminatorStart) return undefined
        break
      } else addMarker(tokens, found.kind, token)
    }
    at = window.indexOf('<|', at + Math.max(2, found.length))
  }
  // The terminator is where it was, or it is escaped now.
  if (hasTerminator && tokens.end > terminatorStart) return undefined
  const isEscapedBehind = kinds[behind] === TokenKind.escapedToken
  return { before, tokens, behind: isEscapedBehind ? behind - 1 : behind, scanned: window.length }
}

/** How many tokens end at or before `offset`. */
function countUpTo({ ends, count }: TokenRun, offset: number): number {
  return countWhile(count, (index) => (ends[index] ?? 0) <= offset)
}

function isControl(kind: number | undefined): boolean {
  return kind !== TokenKind.text && kind !== TokenKind.escape && kind !== TokenKind.literalText
}

/** True if a message begins in the body now: at a start token whose role is where the edit is. */
function beginsMessage(framing: Framing, { text, replaced, length }: MessageEdit, body: BodyPlace): boolean {
  const token = spelling(framing, ControlKind.start)
  const from = Math.max(body.start, replaced.from - roleLookahead)
  const window = text.slice(from, replaced.from + length + token.length)
  for (let at = window.indexOf(token); at !== -1; at = window.indexOf(token, at + token.length)) {
    const isText = isEscaped({ text, framing }, ControlKind.start, { at: from + at, bodyStart: body.start })
    if (!isText && knownRoleFollows(text, from + at + token.length, framing)) return true
  }
  return false
}

/** The tokens of `run` with those of `stretch` in their midst; what is after it is moved by `shift`. */
function joined(
  run: TokenRun,
  { before, tokens, behind }: Stretch,
  { text, shift }: { readonly text: string; readonly shift: number },
): TokenRun {
  const end = behind < run.count ? (run.ends[behind - 1] ?? 0) + shift : text.length
  tokens.push(TokenKind.text, end)
  const after = before + tokens.count
  const count = after + run.count - behind
  const kinds = new Uint8Array(count)
  kinds.set(run.kinds.subarray(0, before))
  kinds.set(tokens.kinds.subarray(0, tokens.count), before)
  kinds.set(run.kinds.subarray(behind, run.count), after)
  const ends = new Uint32Array(count)
  ends.set(run.ends.subarray(0, before))
  ends.set(tokens.ends.subarray(0, tokens.count), before)
  ends.set(run.ends.subarray(behind, run.count), after)
  if (shift !== 0) for (let index = after; index < count; index++) ends[index] = (ends[index] ?? 0) + shift
  return { count, kinds, ends }
}

/** True if the body of `old` is plain after `edit`, which left it the tokens `tokens`: what splitting finds. */
function isPlainAfter(
  old: Segment,
  { replaced, length, text }: MessageEdit,
  { ends, count }: TokenRun,
  { first, terminator, start, end }: BodyPlace,
): boolean {
  if (terminator > first + 1 || terminator === count || old.framing.headerEnd === 'line-break') return false
  const hasOpening =
    old.plainBodyEnd > 0
      ? text
          .slice(Math.max(start, replaced.from - 1), Math.min(end, replaced.from + length + 1))
          .includes('<|')
      : text.indexOf('<|', start) !== end
  return !hasOpening && isBlankBetween(text, ends[terminator] ?? 0, text.length)
}
