/**
 * What users see of a message of a conversation: the decision of the preview (D15), asked for other forms. Nothing is decided
 * here; a body is read as the transcript that holds it is.
 */
import { hasForeignPrivateWord, hasPrivateWord } from '../semantics/header-vocabulary.ts'
import { readableForm } from '../semantics/look-alikes.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { isCommentary } from '../semantics/message-kind.ts'
import { isArguments, type PartedBody, partedBody } from '../semantics/parted-body.ts'
import { type HiddenReason, hiddenReason } from '../semantics/visibility.ts'
import { type BodyPiece, isPrivatePiece, renderedPieces } from '../syntax/body.ts'
import { messageSegment } from '../syntax/message-segment.ts'
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { defaultChannel, reasoningChannel } from '../vocabulary/channels.ts'
import { openchatml } from '../vocabulary/openchatml-framing.ts'
import { roleOf } from '../vocabulary/roles.ts'
import {
  type ContentPart,
  type ConversationMessage,
  changed,
  isCallMessage,
  textContent,
  textOf,
} from './conversation.ts'
import { writtenBody } from './escape-body.ts'
import type { LossList } from './loss.ts'
import { spelled } from './spelling.ts'

/** Why users do not see `message`; undefined if they do. */
export function hiddenReasonOf(message: ConversationMessage): HiddenReason | undefined {
  return reasonOf(message, partedContent(message))
}

function reasonOf(message: ConversationMessage, parted: PartedBody | undefined): HiddenReason | undefined {
  const facts = factsOfMessage(message)
  return hiddenReason(facts, {
    isArguments: isArguments(facts, textOf({ content: parted?.shown ?? message.content })),
    isPrivateOnly: parted?.isPrivateOnly === true,
  })
}

/** True for a text that may have private blocks. Most have no token at all, which is found faster than these beginnings. */
function mayHaveBlocks(text: string): boolean {
  return text.includes('<|') && (text.includes('<|start_') || text.includes('<|function_'))
}

/** The content of `message` apart from its private blocks; undefined if there are none. */
function partedContent({ role, content }: ConversationMessage): PartedBody | undefined {
  if (!mayHaveBlocks(textOf({ content }))) return undefined // a token may end in another part
  const parted = partedBody(piecesOf(content), roleOf(role))
  if (parted.hidden === '') return undefined
  return { ...parted, shown: parted.shown.filter((part) => part.text !== '') }
}

function piecesOf(content: readonly ContentPart[]): readonly BodyPiece[] {
  const text = spelled.start + spelled.message + writtenBody(content) + spelled.end
  return renderedPieces(messageSegment(text, openchatml))
}

/** The private blocks in `text`, a body of the assistant, in order. */
export function privateBlocksIn(text: string): readonly Span[] {
  if (!mayHaveBlocks(text)) return []
  const blocks: Span[] = []
  let from = 0
  for (const { kind, text: own } of piecesOf(textContent(text))) {
    const to = from + own.length
    if (isPrivatePiece(kind, 'assistant')) blocks.push({ from, to })
    from = to
  }
  return blocks
}

/** The marker of the private block of reasoning that `text`, a body of the assistant, begins and does not end; else empty. */
export function openBlockOf(text: string): string {
  const last = privateBlocksIn(`${text}.`).at(-1) // what follows the text would be in it
  if (!last || last.to <= text.length) return ''
  return /^<\|start_[a-z]+\|>/.exec(text.slice(last.from))?.[0] ?? ''
}

/** What users see of `message` as one text; undefined if it is hidden. */
export function shownTextOf(message: ConversationMessage): string | undefined {
  const parted = partedContent(message)
  if (reasonOf(message, parted) !== undefined) return undefined
  return textOf({ content: parted?.shown ?? message.content })
}

/** What users do not see of `message`: all of a hidden one, or its private blocks; empty if they see all. */
export function hiddenTextOf(message: ConversationMessage): string {
  const parted = partedContent(message)
  return reasonOf(message, parted) === undefined ? (parted?.hidden ?? '') : textOf(message)
}

/** True if `text` holds private blocks, which go elsewhere than the text around them. */
export function hasPrivateBlocks(text: string, role: string): boolean {
  return partedContent({ role, content: textContent(text) }) !== undefined
}

/** True for a name of reasoning, or of something that is not to be seen: what is called so has words that users do not see. */
export function isNameOfReasoning(name: string): boolean {
  const word = readableForm(name.slice(0, longestName))
  return hasPrivateWord(word) || hasForeignPrivateWord(word)
}

const longestName = 200 // UTF-16 code units

/** How a form hides what a message says. */
export interface HidingForm {
  /** True if the form has recipients, so that a message to someone else is not taken for an answer. */
  readonly hasRecipients: boolean
}

/**
 * `message` as messages of a form that hides by channel alone: what users do not see of an answer is on `analysis`, and
 * that is reported. System, developer and tool messages, and calls, stay as they are.
 */
export function withHiddenApart(
  message: ConversationMessage,
  { hasRecipients }: HidingForm,
  losses: LossList,
): readonly ConversationMessage[] {
  const { role, range } = message
  if ((role !== 'user' && role !== 'assistant') || isCallMessage(message)) return [message]
  const parted = partedContent(message)
  switch (reasonOf(message, parted)) {
    case undefined:
      break
    case 'recipient':
      if (hasRecipients && !parted) return [message]
      return [onAnalysis(message, losses)]
    case 'call':
    case 'private-blocks':
      return [onAnalysis(message, losses)]
    default:
      return [message]
  }
  if (!parted) return [message]
  losses.add('reasoning', localize`A thought block becomes a message on \`analysis\``, range)
  const thought: ConversationMessage = {
    role,
    channel: reasoningChannel,
    content: textContent(parted.hidden),
    ending: 'end',
    ...(range && { range }),
  }
  return [thought, { ...message, content: parted.shown }]
}

function onAnalysis(message: ConversationMessage, losses: LossList): ConversationMessage {
  losses.add('hidden-message', localize`A hidden message is moved to \`analysis\``, message.range)
  return changed(message, { channel: reasoningChannel })
}

/** True, and noted, if a request could only show `message`, of a user or an unknown role, which is hidden. */
export function isLeftOut(message: ConversationMessage, losses: LossList): boolean {
  const { role, range } = message
  if (roleOf(role) === undefined) {
    const text = localize`A hidden message with the unknown role \`${role}\` is left out`
    losses.addMessage('role', text, range)
    return true
  }
  if (role !== 'user' || hiddenReasonOf(message) === undefined) return false
  noteLeftOut(message, losses)
  return true
}

/** Notes that a message, hidden for this reason, is left out of a form that could only show it. */
export function noteLeftOut(message: ConversationMessage, losses: LossList): void {
  const { role, channel = defaultChannel, range } = message
  const text =
    role === 'user'
      ? localize`A hidden user message on the channel \`${channel}\` is left out`
      : isCommentary(factsOfMessage(message))
        ? localize`Hidden commentary is left out`
        : localize`A hidden message on the unknown channel \`${channel}\` is left out`
  losses.addMessage('hidden-message', text, range)
}
