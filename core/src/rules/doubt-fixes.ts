/** What rules say and fix of a message header in which a word resembles a private channel or a recipient. */
import type { HeaderDoubt } from '../semantics/header-doubt.ts'
import { headerDoubt } from '../semantics/header-doubt.ts'
import type { MessageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { insertion, removal, tokenText } from './message-header-places.ts'
import { quoted } from './quoted.ts'
import type { Fix, SpanEdit } from './rule.ts'

/** The fix that puts the message on the channel that the word in `span` resembles; none if that word leaves no such doubt. */
export function doubtFixes(segment: Segment, view: MessageView, span: Span): readonly Fix[] {
  const doubt = doubtAt(segment, view, span)
  const fix = doubt && !view.isCut ? channelFix(segment, view, doubt) : undefined
  return fix ? [fix] : []
}

/** The doubt that what is in `span` leaves about who the message is for, because of which it is hidden. */
export function doubtAt(segment: Segment, view: MessageView, span: Span): HeaderDoubt | undefined {
  const doubt = doubtIn(segment, view)
  return doubt && doubt.span.from <= span.from && span.to <= doubt.span.to ? doubt : undefined
}

/** What rules say of the word in `span` if it hides the message; undefined if it doesn't. */
export function hidingWord(segment: Segment, view: MessageView, span: Span): string | undefined {
  if (!doubtAt(segment, view, span)) return undefined
  const word = quoted(segment.text.slice(span.from, span.to))
  return localize`${word} does not belong in the header; it may say who the message is for, so the message is hidden`
}

/** The doubt about a header, found once for all of its problems: thousands of attributes have one each. */
export function doubtIn(segment: Segment, view: MessageView): HeaderDoubt | undefined {
  const known = knownDoubts.get(view) ?? { doubt: headerDoubt(segment, view) }
  knownDoubts.set(view, known)
  return known.doubt
}

interface KnownDoubt {
  readonly doubt: HeaderDoubt | undefined
}

const knownDoubts = new WeakMap<MessageView, KnownDoubt>()

function channelFix(segment: Segment, view: MessageView, { span, channel }: HeaderDoubt): Fix | undefined {
  const token = tokenText(segment.framing, ControlKind.channel)
  if (!token || !channel || !view.message) return undefined
  const removed = removal(segment, span)
  const at = view.channel?.value?.span ?? view.constraint?.marker ?? view.message
  const written: SpanEdit = view.channel?.value
    ? { span: at, text: channel }
    : insertion(at.from, `${token}${channel}`)
  // What is inserted where the removed word begins comes before it.
  const edits = [removed, written].sort(
    (one, other) => one.span.from - other.span.from || one.span.to - other.span.to,
  )
  return { title: localize`Write ${`\`${token}${channel}\``}`, edits, isSafe: false }
}
