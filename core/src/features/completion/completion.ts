/** Proposes what may be written at a place: tokens, roles, attributes, values, keys of the header, whole messages. */

import { headerCompletions } from '../../embedded/header-completion.ts'
import { fullHeaderSchema } from '../../rules/full-header-schema.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { withCaseSchema } from '../../semantics/case-schema.ts'
import { declaredInputs } from '../../semantics/input-places.ts'
import { type Place, placeBehind } from '../../semantics/place.ts'
import { messageView } from '../../syntax/message-view.ts'
import { preambleView } from '../../syntax/preamble-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { TokenKind } from '../../syntax/token-run.ts'
import { typedTokenAt } from '../../syntax/typed-token.ts'
import { isLineBreak } from '../../text/line-breaks.ts'
import type { Range, Span } from '../../text/range.ts'
import { sequenceStart } from '../../vocabulary/chatml-framing.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { argumentProposals } from './argument-proposals.ts'
import { bodyProposals, tokenProposal } from './body-proposals.ts'
import { headerProposals } from './header-proposals.ts'
import { inputProposals } from './input-proposals.ts'
import { messageProposals } from './message-snippets.ts'
import { type Completion, inOrder, type Proposal } from './proposal.ts'

/** How proposals were asked for. */
export interface CompletionOptions {
  /** The character that was just typed and made the editor ask; undefined if the user asked. */
  readonly trigger?: string
}

/**
 * The proposals at `offset`, best first. Works on unfinished text: `<|`, `<|start|>as`, `<|channel|>`.
 * Empty inside bodies unless the beginning of a control token is there, the arguments of a call of a known tool,
 * or a tag of a template.
 */
export function completions(
  analysis: Analysis,
  offset: number,
  options: CompletionOptions = {},
): readonly Completion[] {
  const behind = placeBehind(analysis, offset)
  const place = { ...behind, typed: typedTokenAt(behind.segment.text, behind.offset) }
  // Of a key, the value is proposed after the space, or at its first letter: after the colon, a line may end.
  const proposals = options.trigger === ':' ? [] : atPlace(analysis, place, options)
  const inside = tokenAround(place)
  // Another token in the place of one that is complete would break what follows it.
  return inside === undefined ? proposals : proposals.filter(({ label }) => label === inside)
}

interface TypingPlace extends Place {
  readonly typed: Span | undefined
}

function atPlace(analysis: Analysis, place: TypingPlace, options: CompletionOptions): readonly Completion[] {
  switch (place.segment.kind) {
    case 'preamble':
      return inPreamble(analysis, place, options)
    case 'message':
      return inMessage(analysis, place, options)
    case 'file':
    case 'fim':
      return []
    default:
      return place.segment.kind satisfies never
  }
}

/** The control token in whose middle the place is. */
function tokenAround({ segment, typed, offset }: TypingPlace): string | undefined {
  const { text, framing } = segment
  const token = typed && framing.matcher.tokenAt(text, typed.from)
  if (!token || token.kind === ControlKind.none) return undefined
  const end = typed.from + token.length
  return offset < end ? text.slice(typed.from, end) : undefined
}

function inPreamble(
  analysis: Analysis,
  place: TypingPlace,
  options: CompletionOptions,
): readonly Completion[] {
  const opening = sequenceStartIn(place.segment)
  if (opening && place.offset > opening.from) {
    return place.offset < opening.to ? [] : betweenMessages(analysis, place, options)
  }
  const { yaml, fences } = preambleView(place.segment)
  const closing = fences.length > 1 ? fences.at(-1) : undefined
  if (closing && closing.from <= place.offset && place.offset < closing.to) return []
  const isBehindFences = closing !== undefined && place.offset >= closing.to
  if (isBehindFences || (place.typed && isFirstInLine(place.segment.text, place.typed.from))) {
    return betweenMessages(analysis, place, options)
  }
  const base = yaml ? yaml.from : place.offset
  const header = headerCompletions(
    analysis.header.yaml,
    place.offset - base,
    withCaseSchema(fullHeaderSchema(), declaredInputs(analysis)),
  )
  const keys = header.map(({ range, ...it }): Proposal => {
    const { kind, label, detail, documentation, newText, snippet, filterText, asksAgain } = it
    return {
      label,
      kind,
      detail,
      documentation,
      range: { start: base + range.start, end: base + range.end },
      text: newText,
      // Only what has tab stops is a snippet: editors take Enter after a value that is typed already for a line break.
      ...(kind === 'key' && { snippet }),
      filterText,
      asksAgain,
    }
  })
  const mayBegin = fences.length === 0 && isAloneInLine(place.segment.text, place.offset)
  return inOrder(mayBegin ? [...keys, ...gap(analysis, place, options)] : keys)
}

/** The `[BOS]` of 0.1, which ends the header (D1). */
function sequenceStartIn({ text, framing }: Segment): Span | undefined {
  if (framing.name !== 'chatml') return undefined
  const at = text.search(/(?:^|\ufeff)\[BOS\]/m)
  if (at === -1) return undefined
  const to = text.indexOf(sequenceStart, at) + sequenceStart.length
  return { from: to - sequenceStart.length, to }
}

function inMessage(
  analysis: Analysis,
  place: TypingPlace,
  options: CompletionOptions,
): readonly Completion[] {
  const { segment, offset, start, typed } = place
  const view = messageView(segment)
  if (view.terminator && view.end <= offset && (typed?.from ?? offset) >= view.end) {
    return betweenMessages(analysis, place, options)
  }
  const isInHeader = view.message
    ? offset < view.message.to
    : view.terminator === undefined || offset < view.terminator.span.to
  if (isInHeader) return inOrder(headerProposals({ analysis, segment, view, from: 0, offset, start, typed }))
  const from = startTokenBehindWhichRoleIsTyped(place)
  if (from !== undefined) {
    return inOrder(headerProposals({ analysis, segment, view, from, offset, start, typed: undefined }))
  }
  const inTemplate = typed ? [] : inputProposals(analysis, { segment, start, offset })
  if (inTemplate.length > 0) return inOrder(inTemplate)
  // Arguments may begin in the next line: typing the header to its end is no question.
  const inArguments =
    typed || options.trigger === '>' ? [] : argumentProposals(analysis, { segment, start, offset })
  if (inArguments.length > 0) return inOrder(inArguments)
  if (!typed || options.trigger === '<' || isVerbatim(place)) return []
  const range = { start: start + typed.from, end: start + typed.to }
  return inOrder(bodyProposals({ segment, view, typedFrom: typed.from, range }))
}

/** True in a literal block, where a control token is text. */
function isVerbatim({ token }: TypingPlace): boolean {
  return token?.kind === TokenKind.literalText || token?.kind === TokenKind.endLiteral
}

const longestRole = 64 // beyond that, it is not a role that is being typed

/** A start token in a body is text until a known role is after it (D10): the role may be just what is being typed. */
function startTokenBehindWhichRoleIsTyped({ segment, offset }: TypingPlace): number | undefined {
  const before = segment.text.slice(Math.max(0, offset - longestRole), offset)
  // Linear: the text is at most `longestRole` code units long.
  const word = /[\w.-]*$/.exec(before)?.[0] ?? ''
  const end = offset - word.length
  const start = segment.framing.tokens.find(({ kind }) => kind === ControlKind.start)?.text ?? ''
  const from = end - start.length
  if (from < 0 || !segment.text.startsWith(start, from)) return undefined
  return segment.text.charAt(from - 1) === '<' && segment.framing.hasEscapes ? undefined : from
}

function betweenMessages(
  analysis: Analysis,
  place: TypingPlace,
  options: CompletionOptions,
): readonly Completion[] {
  return inOrder(gap(analysis, place, options))
}

/** A start token, and whole messages. Typing what ends a message is no question, though. */
function gap(analysis: Analysis, place: TypingPlace, { trigger }: CompletionOptions): readonly Proposal[] {
  const { segment, offset, start, typed } = place
  if (!typed && trigger !== undefined) return []
  const word = typed ?? wordAt(segment.text, offset)
  const range: Range = { start: start + word.from, end: start + word.to }
  const opener = analysis.transcript.framing.tokens.find(({ kind }) => kind === ControlKind.start)
  const messages = messageProposals(analysis, { range, isTokenTyped: typed !== undefined })
  return opener ? [{ ...tokenProposal(opener, range), asksAgain: true }, ...messages] : messages
}

function wordAt(text: string, offset: number): Span {
  // Linear: the text is at most `longestRole` code units long.
  const before = /[\w-]*$/.exec(text.slice(Math.max(0, offset - longestRole), offset))
  return { from: offset - (before?.[0].length ?? 0), to: offset }
}

function isFirstInLine(text: string, offset: number): boolean {
  let at = offset
  while (at > 0 && !isLineBreak(text.charCodeAt(at - 1)) && text.charAt(at - 1).trim() === '') at--
  return at === 0 || isLineBreak(text.charCodeAt(at - 1))
}

/** True if nothing but the word at the place is in its line, from the first column on. */
function isAloneInLine(text: string, offset: number): boolean {
  const { from } = wordAt(text, offset)
  const rest = /^[ \t]*/.exec(text.slice(offset, offset + longestRole))?.[0].length ?? 0
  const end = offset + rest
  const startsLine = from === 0 || isLineBreak(text.charCodeAt(from - 1))
  return startsLine && (end === text.length || isLineBreak(text.charCodeAt(end)))
}
