/** Reads the text of a transcript, whatever its dialect, as a conversation. What is in doubt stays hidden (D15). */

import type { Transcript } from '../document/transcript.ts'
import {
  type DocumentHeader,
  type DocumentSettings,
  headerOf,
  settingsOf,
} from '../semantics/document-settings.ts'
import { factsOf, isDeclaredReply, type MessageFacts } from '../semantics/message-facts.ts'
import { factFields } from '../semantics/message-header.ts'
import { endingOf } from '../semantics/terminators.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { localize } from '../text/localize.ts'
import type { Range, Span } from '../text/range.ts'
import { reasoningChannel } from '../vocabulary/channels.ts'
import {
  type ContentPart,
  type Conversation,
  type ConversationMessage,
  type MessageUnderWay,
  textContent,
} from './conversation.ts'
import type { LossList } from './loss.ts'
import { chatmlMessages } from './read-chatml.ts'
import { spelled } from './spelling.ts'

/** The conversation in `transcript`. */
export function readTranscript(transcript: Transcript, losses: LossList): Conversation {
  const analysis = whatMessagesNeed(transcript)
  const messages: ConversationMessage[] = []
  let promptRole: string | undefined
  let start = 0
  transcript.forEachSegment((segment) => {
    promptRole = promptRoleOf(segment, analysis)
    messages.push(...messagesIn(segment, start, analysis, losses))
    start += segment.length
  })
  const { yaml } = analysis.header
  const headerText = headerTextOf(analysis)
  return {
    ...(yaml.value && { header: yaml.value }),
    ...(headerText !== undefined && { headerText }),
    messages,
    ...(promptRole !== undefined && { promptRole }),
  }
}

/** What reading a message needs of the rest: an analysis has it. */
export interface ReadingContext {
  readonly preamble: Segment
  readonly header: DocumentHeader
  readonly settings: DocumentSettings
  readonly lastSegment: Segment
}

/** That alone: calls are not paired and definitions of tools not read, which would take most of the time. */
function whatMessagesNeed(transcript: Transcript): ReadingContext {
  const preamble = transcript.segment(0).segment
  const { lastSegment } = transcript
  return { preamble, header: headerOf(preamble), settings: settingsOf(preamble), lastSegment }
}

/** The role that `segment` asks for, if it is a prompt at the end of the transcript. */
export function promptRoleOf(segment: Segment, { lastSegment }: ReadingContext): string | undefined {
  if (segment !== lastSegment) return undefined
  const facts = factsOf(segment)
  return facts?.isPrompt ? facts.roleWord : undefined
}

/** Adds what `facts` know of the header. */
function fillHeader(
  message: MessageUnderWay,
  facts: MessageFacts,
  name: string | undefined,
  channel: string | undefined,
): void {
  if (name) message.name = name
  if (channel) message.channel = channel
  for (const field of factFields) {
    const value = facts[field]
    if (value) message[field] = value
  }
  if (facts.constraint) message.constraint = facts.constraint
}

/** The messages that `segment`, which begins at `start`, is read as: it alone says so, with the settings of the header. */
export function messagesIn(
  segment: Segment,
  start: number,
  analysis: ReadingContext,
  losses: LossList,
): readonly ConversationMessage[] {
  if (segment.kind === 'preamble') {
    const stray = strayOfPreamble(segment, analysis, losses)
    return stray ? [aside(segment, stray, start, losses)] : []
  }
  if (segment.kind !== 'message') return [wholeSegment(segment, start, losses)]
  const facts = factsOf(segment)
  if (!facts) return []
  const view = viewMessage(segment)
  const messages: ConversationMessage[] = []
  const isPrompt = facts.isPrompt && segment === analysis.lastSegment
  if (!isPrompt && facts.isMessage) {
    const message = messageOf(segment, facts, view, start, analysis, losses)
    if (segment.framing.headerEnd === 'line-break') messages.push(...chatmlMessages(segment, message, losses))
    else messages.push(message)
  } else if (!isPrompt) {
    losses.add(
      'malformed-header',
      localize`A message header without a message is left out`,
      rangeOf(view, start),
    )
  }
  if (view.stray) messages.push(aside(segment, view.stray, start, losses))
  return messages
}

function messageOf(
  segment: Segment,
  facts: MessageFacts,
  view: MessageView,
  start: number,
  analysis: ReadingContext,
  losses: LossList,
): ConversationMessage {
  const { roleWord } = facts
  const isReply = isDeclaredReply(segment, facts, analysis.settings.builtinTools)
  const name = isReply ? roleWord : facts.name
  const channel = channelOf(facts, view, start, losses)
  const ending = endingOf(view.terminator?.kind)
  noteAttributes(segment, view, start, losses)
  if (roleWord === undefined)
    losses.add('role', localize`A message without a role gets the role \`unknown\``, rangeOf(view, start))
  const message: MessageUnderWay = {
    role: isReply ? 'tool' : (facts.role ?? roleWord ?? 'unknown'),
    content: contentOf(segment, facts, view),
    range: rangeOf(view, start),
  }
  fillHeader(message, facts, name, channel)
  const allow = facts.hasAllow && view.attributes.find((it) => it.name.text === 'allow')?.value?.text
  if (allow) message.allow = allow
  if (ending) message.ending = ending
  return message
}

/** The channel as written. Where it is unclear what was meant, or for whom, analysis: the message was hidden and stays so. */
function channelOf(
  facts: MessageFacts,
  view: MessageView,
  start: number,
  losses: LossList,
): string | undefined {
  const written = view.channel?.value?.text
  if (facts.isDoubtful || (facts.channel === undefined && written === undefined)) {
    losses.add(
      'channel',
      localize`A message whose channel is in doubt is moved to \`analysis\``,
      rangeOf(view, start),
    )
    return reasoningChannel
  }
  if (facts.role === 'assistant' && facts.hasRecipient && facts.to === undefined) {
    losses.add(
      'recipient',
      localize`A message to an unknown recipient is moved to \`analysis\``,
      rangeOf(view, start),
    )
    return reasoningChannel
  }
  return written
}

function noteAttributes(segment: Segment, view: MessageView, start: number, losses: LossList): void {
  if (view.isCut)
    losses.add(
      'malformed-header',
      localize`A message header without a body is repaired`,
      rangeOf(view, start),
    )
  for (const { kind, span } of view.problems) {
    const range = { start: start + span.from, end: start + span.to }
    const words = segment.text.slice(span.from, span.to)
    if (kind === 'unknown-attribute')
      losses.add('attribute', localize`The attribute \`${words}\` is unknown`, range)
    else if (kind === 'duplicate-attribute')
      losses.add('attribute', localize`\`${words}\` appears there twice`, range)
    else if (kind === 'empty-attribute') losses.add('attribute', localize`\`${words}\` has no value`, range)
    else if (kind === 'extra-word' || kind === 'word-before-channel')
      losses.add('malformed-header', localize`The word \`${words}\` does not belong in a header`, range)
    else if (kind === 'repeated-channel' || kind === 'repeated-constraint')
      losses.add('malformed-header', localize`\`${words}\` is a repetition`, range)
    else if (kind === 'token-in-header')
      losses.add('malformed-header', localize`\`${words}\` does not belong in a header`, range)
  }
  for (const { kind, count, span } of view.surplus) {
    if (kind === 'token-in-body' || kind === 'open-literal') continue
    const range = { start: start + span.from, end: start + span.to }
    losses.add('malformed-header', localize`${count} more problems in a header are left out`, range)
  }
}

/** What is written for the reader alone: the angle that escapes a token, and the ends of a literal block. */
function isMarker(token: number | undefined): boolean {
  return token === TokenKind.escape || token === TokenKind.literal || token === TokenKind.endLiteral
}

/** Text that can only be written as a literal block (D8) is text, unless it would become a token with what follows. */
const onlyAngles = /^<+$/

function contentOf(segment: Segment, facts: MessageFacts, view: MessageView): readonly ContentPart[] {
  if (!view.body) return []
  const isChatml = segment.framing.headerEnd === 'line-break'
  if (facts.isPlainBody || view.isCut || isChatml) {
    return textContent(segment.text.slice(view.body.from, view.body.to))
  }
  const parts: { kind: ContentPart['kind']; text: string }[] = []
  const run = tokensOf(segment)
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const token = run.kinds[index]
    const to = run.ends[index] ?? from
    const text = segment.text.slice(from, to)
    const isContent = from >= view.body.from && to <= view.body.to && text !== '' && !isMarker(token)
    from = to
    if (!isContent) continue
    const isPlain = onlyAngles.test(text) && !segment.text.startsWith(`${spelled.endLiteral}|`, to)
    const kind = token === TokenKind.literalText && !isPlain ? 'literal' : 'text'
    const last = parts.at(-1)
    if (kind === 'text' && last?.kind === 'text') last.text += text
    else parts.push({ kind, text })
  }
  return parts
}

/** Text that belongs to no message. It is kept, where no user sees it and with the least authority. */
function aside(segment: Segment, stray: Span, start: number, losses: LossList): ConversationMessage {
  const range = { start: start + stray.from, end: start + stray.to }
  losses.add('stray-text', localize`Text outside messages becomes a message on \`analysis\``, range)
  return hidden(segment.text.slice(stray.from, stray.to), range)
}

function wholeSegment(segment: Segment, start: number, losses: LossList): ConversationMessage {
  const range = { start, end: start + segment.length }
  const what = segment.kind === 'fim' ? localize`A fill-in-the-middle task` : localize`A file in a sequence`
  losses.add('not-a-message', localize`${what} becomes a message on \`analysis\``, range)
  return hidden(segment.text, range)
}

function hidden(text: string, range: Range): ConversationMessage {
  return { role: 'assistant', channel: reasoningChannel, content: textContent(text), ending: 'end', range }
}

/** Text before the messages that is not a header. In 0.1 it is what someone wrote; elsewhere it is a broken header. */
function strayOfPreamble(segment: Segment, { header }: ReadingContext, losses: LossList): Span | undefined {
  const { stray, yaml } = preambleView(segment)
  if (stray || header.yaml.value !== undefined || !header.isPresent) return stray
  if (segment.framing.headerEnd === 'line-break') return yaml
  const range = { start: yaml?.from ?? 0, end: yaml?.to ?? segment.length }
  losses.add('header-key', localize`A header that cannot be read is left out`, range)
  return undefined
}

/** The header verbatim: fences and comments too, white space at the ends left out. */
function headerTextOf({ preamble, header }: ReadingContext): string | undefined {
  if (preamble.kind !== 'preamble' || header.yaml.value === undefined) return undefined
  const { yaml, fences } = preambleView(preamble)
  const from = Math.min(yaml?.from ?? 0, fences[0]?.from ?? Number.POSITIVE_INFINITY)
  const to = Math.max(yaml?.to ?? 0, fences.at(-1)?.to ?? 0)
  const text = preamble.text.slice(from, to).replace(/^\ufeff/, '')
  // The indentation of the first key is that of all.
  return text.replace(blankLines, '').trimEnd()
}

const blankLines = /^(?:[ \t]*(?:\r\n|\r|\n))+/

function rangeOf(view: MessageView, start: number): Range {
  return { start: start + view.start.from, end: start + view.end }
}
