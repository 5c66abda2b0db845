/** Inserts, moves, duplicates, deletes, splits and joins messages. What an edit would make of neighbours that are cut off is never guessed. */
import { lineBreakOf, mayBreakLines } from '../document/line-break.ts'
import type { Located } from '../document/segment-list.ts'
import type { Transcript } from '../document/transcript.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { callIdIn } from '../semantics/call-id.ts'
import { freshCallId } from '../semantics/fresh-call-id.ts'
import { factsOf, isCall, isReply, type MessageFacts } from '../semantics/message-facts.ts'
import { placeAt } from '../semantics/place.ts'
import { type MessageView, messageView } from '../syntax/message-view.ts'
import { TokenKind } from '../syntax/token-run.ts'
import type { TextEdit } from '../text/range.ts'
import { defaultChannel } from '../vocabulary/channels.ts'
import { type Framing, spelling } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

/** What can be done with the message at a place. */
export type MessageCommand =
  | 'moveUp'
  | 'moveDown'
  | 'duplicate'
  | 'delete'
  | 'split'
  | 'join'
  | 'insertAbove'
  | 'insertBelow'

/** What a command does. */
export interface MessageEdit {
  /** In order of the text. */
  readonly edits: readonly TextEdit[]
  /** Where the cursor belongs afterwards, in the text as edited. */
  readonly cursor: number
}

/**
 * Why a command cannot be done: the message is the `first` or the `last`; a message concerned is `incomplete`; a call and its
 * reply are `apart`; `stray` text would become part of something else; messages would become part of the `preamble`; the command is
 * `unfit` for the message or its dialect.
 */
export type MessageRefusal = 'first' | 'last' | 'incomplete' | 'apart' | 'stray' | 'preamble' | 'unfit'

/** How a command takes messages. */
export interface MessageEditOptions {
  /** True to treat a call and its reply as one, also as a neighbor. */
  readonly joinsReplies?: boolean
}

/** The edit that does `command` to the message at `offset`, or the reason why it cannot be done. */
export function messageEdit(
  analysis: Analysis,
  offset: number,
  command: MessageCommand,
  options: MessageEditOptions = {},
): MessageEdit | MessageRefusal {
  const { transcript } = analysis
  const result = editOrRefusal(analysis, offset, command, options)
  const moves = typeof result !== 'string' && result.edits.some((it) => transcript.mayMovePreamble(it))
  return moves ? 'preamble' : result
}

function editOrRefusal(
  analysis: Analysis,
  offset: number,
  command: MessageCommand,
  { joinsReplies = false }: MessageEditOptions,
): MessageEdit | MessageRefusal {
  const message = messageAt(analysis, offset)
  if (!message) return 'unfit'
  switch (command) {
    case 'moveUp':
    case 'moveDown':
      return moved(analysis, message, { offset, isUp: command === 'moveUp', joinsReplies })
    case 'duplicate':
      return duplicated(analysis, message, offset)
    case 'delete':
      return deleted(analysis, joinsReplies ? withPartner(analysis, message) : [message])
    case 'split':
      return split(analysis, message, offset)
    case 'join':
      return joined(analysis, message)
    case 'insertAbove':
    case 'insertBelow':
      return inserted(analysis, message, { isBelow: command === 'insertBelow', joinsReplies })
    default:
      return command satisfies never
  }
}

interface Message extends Located {
  readonly view: MessageView
  readonly facts: MessageFacts
}

function messageAt(analysis: Analysis, offset: number): Message | undefined {
  return messageAtIndex(analysis.transcript, placeAt(analysis, offset).index)
}

function messageAtIndex(transcript: Transcript, index: number): Message | undefined {
  if (index < 0 || index >= transcript.segmentCount) return undefined
  const located = transcript.segment(index)
  const facts = factsOf(located.segment)
  return facts && { ...located, facts, view: messageView(located.segment) }
}

/** True if the message ends by itself, so that anything may be after it. */
function isComplete({ segment, view }: Message): boolean {
  return view.terminator !== undefined && !segment.hasOpenLiteral && !view.stray
}

/** The place of `offset` in the message; in the white space after it, its end. */
function placeInText({ start, view }: Message, offset: number): number {
  return Math.min(offset - start, view.end)
}

/** Messages next to each other. */
type Unit = readonly [Message, ...Message[]]

/** The message, or a call and its reply; `apart` if there is something between them. */
function unitOf(analysis: Analysis, message: Message, joinsReplies: boolean): Unit | 'apart' {
  const [first, second] = joinsReplies ? withPartner(analysis, message) : [message]
  if (!second) return [first]
  return first.index + 1 === second.index ? [first, second] : 'apart'
}

/** The message, and the reply of a call or the call of a reply; in order of the text. */
function withPartner({ transcript, exchanges }: Analysis, message: Message): readonly [Message, Message?] {
  const partner = exchanges.exchange(message.segment)?.partner
  const other = partner && messageAtIndex(transcript, transcript.locate(partner)?.index ?? -1)
  if (!other) return [message]
  return other.index < message.index ? [other, message] : [message, other]
}

function endOf(unit: Unit): number {
  const last = unit.at(-1) ?? unit[0]
  return last.start + last.view.end
}

function textOf({ segment, view }: Message): string {
  return segment.text.slice(0, view.end)
}

function gapOf({ segment, view }: Message): string {
  return segment.text.slice(view.end)
}

/** What a new message begins after: a line break, unless a message that begins a line would move the end of the header (D1). */
function newGap(transcript: Transcript): string {
  return mayBreakLines(transcript) ? lineBreakOf(transcript) : ''
}

/** Two neighbors change places; the white space between them and after them stays where it is. */
function moved(
  analysis: Analysis,
  message: Message,
  { offset, isUp, joinsReplies }: { offset: number; isUp: boolean; joinsReplies: boolean },
): MessageEdit | MessageRefusal {
  const { transcript } = analysis
  const own = unitOf(analysis, message, joinsReplies)
  if (own === 'apart') return 'apart'
  const next = messageAtIndex(transcript, isUp ? own[0].index - 1 : own[0].index + own.length)
  if (!next) return isUp ? 'first' : 'last'
  const other = unitOf(analysis, next, joinsReplies)
  if (other === 'apart') return 'apart'
  if (![...own, ...other].every(isComplete)) return 'incomplete'
  const [first, second] = isUp ? [other, own] : [own, other]
  // A message that is cut off would take one of an unknown role.
  const before = transcript.segment(first[0].index - 1).segment
  if (before.endsInBody && second[0].facts.role === undefined) return 'incomplete'
  const [start, end] = [first[0].start, endOf(second)]
  const [upper, lower] = [
    transcript.text({ start: second[0].start, end }),
    transcript.text({ start, end: endOf(first) }),
  ]
  const gap = transcript.text({ start: endOf(first), end: second[0].start })
  const place = message.start - own[0].start + placeInText(message, offset)
  const cursor = start + place + (isUp ? 0 : upper.length + gap.length)
  return { edits: [{ start, end, text: upper + gap + lower }], cursor }
}

/** A copy after the message. A copied call gets an id of its own; a reply keeps the one it answers. */
function duplicated(analysis: Analysis, message: Message, offset: number): MessageEdit | MessageRefusal {
  if (!isComplete(message)) return 'incomplete'
  const { transcript } = analysis
  const { segment, start, view, facts } = message
  const at = start + view.end
  const fresh = newGap(transcript)
  const isFit = (fresh === '' ? /^[ \t]+$/ : /^\s+$/).test(gapOf(message))
  const gap = isFit ? gapOf(message) : fresh
  const id = isCall(facts) ? callIdIn(analysis, segment)?.range : undefined
  const text = textOf(message)
  const copy = id
    ? text.slice(0, id.start - start) + freshCallId(analysis, transcript.length) + text.slice(id.end - start)
    : text
  const growth = id && offset >= id.end ? copy.length - text.length : 0
  const cursor = at + gap.length + placeInText(message, offset) + growth
  return { edits: [{ start: at, end: at, text: gap + copy }], cursor }
}

/** Without `messages`. Text after them that belongs to no message stays, such as the marker of a merge conflict. */
function deleted(
  { transcript }: Analysis,
  messages: readonly (Message | undefined)[],
): MessageEdit | MessageRefusal {
  const edits: TextEdit[] = []
  let left = -1 // the last message before these that stays
  let index = -1
  for (const message of messages) {
    if (!message) continue
    const { segment, start, view } = message
    if (message.index !== index + 1 || index < 0) left = message.index - 1
    index = message.index
    const before = messageAtIndex(transcript, left)
    // A header, or a message that has no end yet, would take the text.
    if (view.stray && !(before?.view.terminator && !before.segment.hasOpenLiteral)) return 'stray'
    edits.push({ start, end: start + (view.stray?.from ?? segment.length), text: '' })
  }
  return { edits, cursor: edits[0]?.start ?? 0 }
}

/** An empty message that users see: of the user, or next to one of the user or a tool, of the assistant. */
function inserted(
  analysis: Analysis,
  message: Message,
  { isBelow, joinsReplies }: { isBelow: boolean; joinsReplies: boolean },
): MessageEdit | MessageRefusal {
  const { transcript } = analysis
  const unit = isBelow ? unitOf(analysis, message, joinsReplies) : [message]
  if (unit === 'apart') return 'apart'
  if (isBelow && !unit.every(isComplete)) return 'incomplete'
  const last = unit.at(-1) ?? message
  const { start, view, facts } = last
  const role = isBelow && (facts.role === 'user' || isReply(facts)) ? 'assistant' : 'user'
  const head = headOf(transcript.framing, role, lineBreakOf(transcript))
  const end = spelling(transcript.framing, ControlKind.end)
  // Models write Harmony without white space between messages.
  const gap = transcript.framing.name === 'harmony' && gapOf(last) === '' ? '' : newGap(transcript)
  const at = isBelow ? start + view.end : start
  const text = isBelow ? `${gap}${head}${end}` : `${head}${end}${gap}`
  return { edits: [{ start: at, end: at, text }], cursor: at + text.indexOf(head) + head.length }
}

/** The header of a message that users see. */
function headOf(framing: Framing, role: 'user' | 'assistant', lineBreak: string): string {
  const start = spelling(framing, ControlKind.start)
  if (framing.headerEnd === 'line-break') return `${start}${role}${lineBreak}`
  const channel = role === 'user' ? '' : `${spelling(framing, ControlKind.channel)}${defaultChannel}`
  return `${start}${role}${channel}${spelling(framing, ControlKind.message)}`
}

/** Ends the message here, and begins another one with the same header. */
function split(analysis: Analysis, message: Message, offset: number): MessageEdit | MessageRefusal {
  const { segment, start, view, facts } = message
  const { body } = view
  const at = offset - start
  if (!isComplete(message)) return 'incomplete'
  if (!view.message || !body || at < body.from || body.to < at) return 'unfit'
  // Arguments of a call make no sense in halves, and an id stands for one message.
  if (isCall(facts) || facts.callId !== undefined || facts.isMalformed) return 'unfit'
  const { token } = placeAt(analysis, offset)
  const isAtEdge = at === body.to || token?.from === at
  if (token?.kind !== TokenKind.text && !isAtEdge) return 'unfit'
  if (token?.kind === TokenKind.literalText || token?.kind === TokenKind.endLiteral) return 'unfit'
  if (token?.kind === TokenKind.escapedToken || segment.text.charAt(at - 1) === '<') return 'unfit'
  const end = spelling(segment.framing, ControlKind.end)
  const text = `${end}${newGap(analysis.transcript)}${segment.text.slice(0, view.message.to)}`
  return { edits: [{ start: offset, end: offset, text }], cursor: offset + text.length }
}

/** Joins the message with the next one, which says who speaks where in the same words. */
function joined({ transcript }: Analysis, message: Message): MessageEdit | MessageRefusal {
  const next = messageAtIndex(transcript, message.index + 1)
  if (!next) return 'last'
  if (!isComplete(message) || !isComplete(next)) return 'incomplete'
  const [one, other] = [message.view.body, next.view.body]
  if (!one || !other || !haveSameHeader(message, next)) return 'unfit'
  const before = message.segment.text.slice(one.from, one.to)
  const behind = next.segment.text.slice(other.from, other.to)
  const isApart = before === '' || behind === '' || /\s$/.test(before) || /^\s/.test(behind)
  const text = isApart ? '' : lineBreakOf(transcript)
  const start = message.start + one.to
  return { edits: [{ start, end: next.start + other.from, text }], cursor: start + text.length }
}

function haveSameHeader({ facts: one }: Message, { facts: other }: Message): boolean {
  if (isCall(one) || isCall(other) || one.isMalformed || other.isMalformed) return false
  if (one.callId !== undefined || other.callId !== undefined) return false
  return (
    one.roleWord === other.roleWord &&
    one.channel === other.channel &&
    one.to === other.to &&
    one.name === other.name &&
    one.intent === other.intent &&
    one.contentType === other.contentType &&
    one.constraint === other.constraint
  )
}
