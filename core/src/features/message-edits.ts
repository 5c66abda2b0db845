/** Inserts, moves, duplicates, deletes, splits and joins messages. What an edit would make of neighbours that are cut off is never guessed. */
import { lineBreakOf, mayBreakLines } from '../document/line-break.ts'
import type { Located } from '../document/segment-list.ts'
import type { Transcript } from '../document/transcript.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { callIdIn } from '../semantics/call-id.ts'
import { freshCallId } from '../semantics/fresh-call-id.ts'
import { factsOf, isCall, type MessageFacts } from '../semantics/message-facts.ts'
import { placeAt } from '../semantics/place.ts'
import { type MessageView, messageView } from '../syntax/message-view.ts'
import { TokenKind } from '../syntax/token-run.ts'
import type { TextEdit } from '../text/range.ts'
import { defaultChannel } from '../vocabulary/channels.ts'
import { openchatml } from '../vocabulary/openchatml-framing.ts'
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
  readonly edit: TextEdit
  /** Where the cursor belongs afterwards, in the text as edited. */
  readonly cursor: number
}

/** The edit that does `command` to the message at `offset`; undefined where it cannot be done. */
export function messageEdit(
  analysis: Analysis,
  offset: number,
  command: MessageCommand,
): MessageEdit | undefined {
  const message = messageAt(analysis, offset)
  if (!message || !mayBreakLines(analysis.transcript)) return undefined
  switch (command) {
    case 'moveUp': {
      const before = messageAtIndex(analysis.transcript, message.index - 1)
      return before && swapped(before, message, before.start + placeInText(message, offset))
    }
    case 'moveDown': {
      const behind = messageAtIndex(analysis.transcript, message.index + 1)
      if (!behind) return undefined
      const length = textOf(behind).length + gapOf(message).length
      return swapped(message, behind, message.start + length + placeInText(message, offset))
    }
    case 'duplicate':
      return duplicated(analysis, message, offset)
    case 'delete':
      return deleted(message)
    case 'split':
      return split(analysis, message, offset)
    case 'join':
      return joined(analysis, message)
    case 'insertAbove':
    case 'insertBelow':
      return inserted(analysis, message, command)
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

/** True if the message ends by itself, so that anything may stand behind it. */
function isComplete({ segment, view }: Message): boolean {
  return view.terminator !== undefined && !segment.hasOpenLiteral && !view.stray
}

/** The place of `offset` in the message; in the white space behind it, its end. */
function placeInText({ start, view }: Message, offset: number): number {
  return Math.min(offset - start, view.end)
}

function textOf({ segment, view }: Message): string {
  return segment.text.slice(0, view.end)
}

function gapOf({ segment, view }: Message): string {
  return segment.text.slice(view.end)
}

/** Two neighbours change places; the white space between them and behind them stays where it is. */
function swapped(first: Message, second: Message, cursor: number): MessageEdit | undefined {
  if (!isComplete(first) || !isComplete(second)) return undefined
  const text = textOf(second) + gapOf(first) + textOf(first)
  return { edit: { start: first.start, end: second.start + second.view.end, text }, cursor }
}

/** A copy behind the message. A copied call gets an id of its own; a reply keeps the one it answers. */
function duplicated(analysis: Analysis, message: Message, offset: number): MessageEdit | undefined {
  if (!isComplete(message)) return undefined
  const { transcript } = analysis
  const { segment, start, view, facts } = message
  const at = start + view.end
  const gap = /^\s+$/.test(gapOf(message)) ? gapOf(message) : lineBreakOf(transcript)
  const id = isCall(facts) ? callIdIn(analysis, segment)?.range : undefined
  const text = textOf(message)
  const copy = id
    ? text.slice(0, id.start - start) + freshCallId(analysis, transcript.length) + text.slice(id.end - start)
    : text
  const growth = id && offset >= id.end ? copy.length - text.length : 0
  const cursor = at + gap.length + placeInText(message, offset) + growth
  return { edit: { start: at, end: at, text: gap + copy }, cursor }
}

function deleted({ segment, start }: Message): MessageEdit {
  return { edit: { start, end: start + segment.length, text: '' }, cursor: start }
}

/** An empty message that users see: of the user, or next to one of the user, of the assistant. */
function inserted(
  { transcript }: Analysis,
  message: Message,
  command: 'insertAbove' | 'insertBelow',
): MessageEdit | undefined {
  if (transcript.framing !== openchatml) return undefined
  const isBelow = command === 'insertBelow'
  if (isBelow && !isComplete(message)) return undefined
  const { start, view, facts } = message
  const head =
    facts.role === 'user' && isBelow
      ? `<|start|>assistant<|channel|>${defaultChannel}<|message|>`
      : '<|start|>user<|message|>'
  const lineBreak = lineBreakOf(transcript)
  const at = isBelow ? start + view.end : start
  const text = isBelow ? `${lineBreak}${head}<|end|>` : `${head}<|end|>${lineBreak}`
  return { edit: { start: at, end: at, text }, cursor: at + text.indexOf(head) + head.length }
}

/** Ends the message here, and begins another one with the same header. */
function split(analysis: Analysis, message: Message, offset: number): MessageEdit | undefined {
  const { segment, start, view, facts } = message
  const { body } = view
  const at = offset - start
  if (!isComplete(message) || !view.message || !body || at < body.from || body.to < at) return undefined
  // Arguments of a call make no sense in halves, and an id stands for one message.
  if (isCall(facts) || facts.callId !== undefined || facts.isMalformed) return undefined
  const { token } = placeAt(analysis, offset)
  const isAtEdge = at === body.to || token?.from === at
  if (token?.kind !== TokenKind.text && !isAtEdge) return undefined
  if (token?.kind === TokenKind.literalText || token?.kind === TokenKind.endLiteral) return undefined
  if (token?.kind === TokenKind.escapedToken || segment.text.charAt(at - 1) === '<') return undefined
  const end = segment.framing.tokens.find(({ kind }) => kind === ControlKind.end)?.text
  if (end === undefined) return undefined
  const text = `${end}${lineBreakOf(analysis.transcript)}${segment.text.slice(0, view.message.to)}`
  return { edit: { start: offset, end: offset, text }, cursor: offset + text.length }
}

/** Joins the message with the next one, which says who speaks where in the same words. */
function joined({ transcript }: Analysis, message: Message): MessageEdit | undefined {
  const next = messageAtIndex(transcript, message.index + 1)
  if (!next || !isComplete(message) || !isComplete(next)) return undefined
  const [one, other] = [message.view.body, next.view.body]
  if (!one || !other || !haveSameHeader(message, next)) return undefined
  const before = message.segment.text.slice(one.from, one.to)
  const behind = next.segment.text.slice(other.from, other.to)
  const isApart = before === '' || behind === '' || /\s$/.test(before) || /^\s/.test(behind)
  const text = isApart ? '' : lineBreakOf(transcript)
  const start = message.start + one.to
  return { edit: { start, end: next.start + other.from, text }, cursor: start + text.length }
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
