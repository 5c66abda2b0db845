/**
 * A message as a reader sees it: a typed, read-only view over the tokens of a segment. Every part is optional, because
 * every part can be missing. All spans are relative to the segment.
 */
import { perValue } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import type { Role } from '../vocabulary/roles.ts'
import type { ControlKind } from '../vocabulary/tokens.ts'
import { MessageReader } from './message-reader.ts'
import type { Segment } from './segment.ts'
import type { SyntaxProblem, SyntaxSurplus } from './syntax-problem.ts'
import { TokenBuffer } from './token-run.ts'
import { isLong, passingTokensOf } from './tokenize.ts'

/** A word of the text and where it is. */
export interface WordView {
  readonly text: string
  readonly span: Span
}

/** `key=value` in a header. */
export interface AttributeView {
  readonly name: WordView
  /** Undefined if nothing follows the equals sign. */
  readonly value: WordView | undefined
  /** True after `<|channel|>`. */
  readonly isBehindChannel: boolean
}

/** A marker token and the word after it: the channel or the constraint. */
export interface MarkedWordView {
  readonly marker: Span
  readonly value: WordView | undefined
}

/** The parts of a message segment. */
export interface MessageView {
  /** The start token. */
  readonly start: Span
  /** The word where the role is. */
  readonly roleWord: WordView | undefined
  /** The role it denotes; undefined for an unknown or missing one. */
  readonly role: Role | undefined
  /** The attributes in order, also repeated, unknown and empty ones; of these, at most 10,000. */
  readonly attributes: readonly AttributeView[]
  /** The first channel. */
  readonly channel: MarkedWordView | undefined
  /** True if a second `<|channel|>` names another channel than the first. */
  readonly hasConflictingChannels: boolean
  readonly constraint: MarkedWordView | undefined
  /** A single bare word after the channel, which is a content type (D7). */
  readonly bareContentType: WordView | undefined
  /** The words and tokens of the header that are not a role, attribute, channel, or constraint, in order; at most 1,000. */
  readonly otherWords: readonly WordView[]
  /** The message token, or in 0.1 the line break that ends the header. */
  readonly message: Span | undefined
  /** The body without its terminator; in a header cut by a terminator, the left-over text (D16). */
  readonly body: Span | undefined
  /** True if the body is one piece of text: nothing to resolve, hide or report in it. */
  readonly isPlainBody: boolean
  /** True if the body has markers of thoughts or functions, which may hide some of it. */
  readonly hasMarkers: boolean
  readonly terminator: { readonly kind: ControlKind; readonly span: Span } | undefined
  /** True if a terminator ended the header before there was a body. */
  readonly isCut: boolean
  /** End of the last part that belongs to the message; white space and stray text follow. */
  readonly end: number
  /** Text after the message that does not belong to any message. */
  readonly stray: Span | undefined
  /** What is wrong with the syntax, in order of the text; at most 1,000 of each kind. */
  readonly problems: readonly SyntaxProblem[]
  /** What else is wrong, counted. Nearly always empty. */
  readonly surplus: readonly SyntaxSurplus[]
}

/** The view of a message segment. @throws TypeError for a segment of another kind */
export const messageView = perValue((segment: Segment): MessageView => readMessage(segment))

/** As {@link messageView}, for passes over whole documents: only the view of a long message is remembered. */
export function viewMessage(segment: Segment): MessageView {
  return isLong(segment) ? messageView(segment) : readMessage(segment)
}

/** The span of the body without its terminator; undefined if `segment` has none. No view is made of a message with a plain body. */
export function bodySpan(segment: Segment): Span | undefined {
  const { kind, plainBodyStart, plainBodyEnd } = segment
  if (kind !== 'message') return undefined
  return plainBodyEnd > 0 ? { from: plainBodyStart, to: plainBodyEnd } : viewMessage(segment).body
}

const buffer = new TokenBuffer() // reused: views are made one at a time

function readMessage(segment: Segment): MessageView {
  if (segment.kind !== 'message') throw new TypeError(`A ${segment.kind} segment is not a message`)
  return new MessageReader(segment, passingTokensOf(segment, buffer)).read()
}
