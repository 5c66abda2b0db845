/**
 * A conversation as text: a label at the start of a line, and below it the message, indented. Nothing that a message says
 * can be where labels are, so no text can pass for a message of someone else.
 */

import type { ConversationItem } from '../../client/render/exported-conversation.ts'
import {
  type Analysis,
  factsOf,
  type HiddenReason,
  hiddenReason,
  inLines,
  type Located,
  type MessageFacts,
  messageView,
  renderedBody,
  type VisibleMessage,
  visibleMessageOf,
  visibleMessages,
  visibleText,
  withLineFeeds,
} from '../../core/src/internal.ts'
import type { Style } from './terminal/colour.ts'
import { displayable, displayableLine } from './terminal/displayable.ts'

/** What is printed. */
export interface ConversationOptions {
  /** True to print what is hidden as well, labelled with the reason. */
  readonly hidden: boolean
}

/** The conversation, piece by piece. */
export function* conversationText(
  analysis: Analysis,
  style: Style,
  { hidden }: ConversationOptions,
): IterableIterator<string> {
  let isFirst = true
  for (const { label, reason, text } of hidden ? allParts(analysis) : visibleParts(analysis)) {
    const heading =
      style.strong(displayableLine(label)) + (reason ? style.faint(`  [hidden: ${reason}]`) : '')
    yield `${isFirst ? '' : '\n'}${heading}\n${indented(text)}`
    isFirst = false
  }
}

/** The conversation as data, for files in other formats. */
export function* conversationItems(
  analysis: Analysis,
  { hidden }: ConversationOptions,
): IterableIterator<ConversationItem> {
  if (!hidden) {
    for (const message of visibleMessages(analysis)) yield { kind: 'seen', message }
    return
  }
  for (const { label, reason, text, message } of allParts(analysis)) {
    if (message) yield { kind: 'seen', message }
    else yield { kind: 'hidden', label, reason: reason ?? '', text }
  }
}

interface Part {
  /** Set if a user sees it, in {@link allParts}. */
  readonly message?: VisibleMessage | undefined
  readonly label: string
  /** Why an end user does not see it; undefined if one does. */
  readonly reason?: string
  readonly text: string
}

function* visibleParts(analysis: Analysis): IterableIterator<Part> {
  for (const { role, name, intent, truncated, parts } of visibleMessages(analysis)) {
    yield {
      label: labelOf({ role, name, intent, truncated }),
      text: parts.map(({ text }) => text).join(''),
    }
  }
}

function* allParts(analysis: Analysis): IterableIterator<Part> {
  for (const located of analysis.transcript.segments()) {
    const facts = factsOf(located.segment)
    if (facts) yield* messageParts(analysis, located, facts)
    else yield* otherParts(located)
  }
}

function* messageParts(analysis: Analysis, located: Located, facts: MessageFacts): IterableIterator<Part> {
  const { segment } = located
  const view = messageView(segment)
  if (facts.isPrompt && segment === analysis.lastSegment) {
    yield { label: debugLabel(facts), reason: 'asks for the next message', text: '' }
    return
  }
  const visible = visibleText(segment)
  const body = facts.isMessage ? renderedBody(segment) : ''
  const reason = hiddenReason(facts)
  if (reason) yield { label: debugLabel(facts), reason: reasons[reason], text: body }
  else {
    const message = visibleMessageOf(analysis, located)
    yield { label: debugLabel(facts), text: visible ?? '', message }
  }
  if (!reason && visible !== body) {
    yield {
      label: `${debugLabel(facts)}, with private blocks`,
      reason: reasons['private-blocks'],
      text: body,
    }
  }
  if (view.stray) {
    const text = segment.text.slice(view.stray.from, view.stray.to)
    yield { label: 'text', reason: 'does not belong to a message', text }
  }
}

const kinds = { preamble: 'header', file: 'file', fim: 'fill-in-the-middle task' } as const

function* otherParts({ segment }: Located): IterableIterator<Part> {
  if (segment.kind === 'message' || segment.text.trim() === '') return
  yield { label: kinds[segment.kind], reason: 'no message', text: segment.text }
}

const reasons: Readonly<Record<HiddenReason, string>> = {
  'no-message': 'the header has no body',
  role: 'not from the user or the assistant',
  'unknown-role': 'unknown role',
  'unknown-channel': 'unknown channel',
  'doubtful-header': 'header in doubt',
  analysis: 'analysis is private',
  commentary: 'commentary without intent=preamble',
  call: 'a tool call',
  recipient: 'addressed to someone other than the user',
  'private-blocks': 'private thought',
}

function debugLabel(facts: MessageFacts): string {
  const { role, roleWord, name, channel, hasChannel, to, callId, intent } = facts
  const words = [labelOf({ role: role ?? roleWord ?? 'no role', name, intent, truncated: false })]
  if (hasChannel) words.push(`on ${channel ?? 'an unknown channel'}`)
  if (to !== undefined) words.push(`to ${to}`)
  if (callId !== undefined) words.push(`call ${callId}`)
  return words.join(' ')
}

function labelOf({
  role,
  name,
  intent,
  truncated,
}: {
  readonly role: string
  readonly name?: string | undefined
  readonly intent?: string | undefined
  readonly truncated: boolean
}): string {
  const who = name === undefined ? role : `${role} (${name})`
  const notes = [...(intent === undefined ? [] : [intent]), ...(truncated ? ['cut off'] : [])]
  return notes.length === 0 ? who : `${who}, ${notes.join(', ')}`
}

/** Line breaks at the ends are dropped, and every line is set in; an empty line stays empty. */
function indented(text: string): string {
  const lines = displayable(withLineFeeds(text)).replace(/^\n+/, '').trimEnd()
  return lines === '' ? '' : `${inLines(lines, withIndents)}\n`
}

function withIndents(lines: string): string {
  return lines
    .split(/^/m)
    .map((line) => (line === '\n' ? line : `  ${line}`))
    .join('')
}
