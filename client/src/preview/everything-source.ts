/** Every message of a transcript, hidden ones included, with the reason why they are hidden: for *Everything* only. */
import {
  type Analysis,
  factsOf,
  type HiddenReason,
  hiddenReason,
  isCall,
  isForbiddenPreamble,
  isPrivatePiece,
  isVisible,
  type Located,
  localize,
  type MessageFacts,
  type ParseOptions,
  renderedBody,
  renderedPieces,
  rulesWithCode,
  toolNameOf,
  type VisibleMessage,
  visibleMessageOf,
  whyHidden,
} from '../../../core/src/internal.ts'
import type { EverythingExchange } from './preview-protocol.ts'
import type { MessageSource } from './session.ts'
import { type MessageKind, TranscriptSource } from './transcript-source.ts'

/** A message that users see, with what is cut out of it. */
export interface SeenMessage {
  readonly kind: 'visible'
  readonly message: VisibleMessage
  readonly privateText: string
  /** The tools that were called since the user spoke, each once; of an answer. */
  readonly tools: readonly string[]
  readonly violation?: string
}

/** A message that users do not see. */
export interface HiddenMessage {
  readonly kind: 'hidden'
  readonly role: string
  readonly labels: readonly string[]
  readonly text: string
  readonly reason: string
  readonly section: string
  readonly violation?: string
  readonly exchange?: EverythingExchange
}

/** A message, whether or not users see it. */
export type AnyMessage = SeenMessage | HiddenMessage

/** Reads `text`; hidden messages are among the messages of the result. */
export function parseEverything(text: string, options: ParseOptions = {}): MessageSource<AnyMessage> {
  return new TranscriptSource(text, options, anyKind)
}

const anyKind: MessageKind<AnyMessage> = {
  hasPrompt: true,
  includes: (segment) => factsOf(segment) !== undefined,
  read: anyMessageOf,
  partnerOf: (analysis, segment) => analysis.exchanges.exchange(segment)?.partner,
}

/** The message of one segment, visible or not; `undefined` if it is no message. */
export function anyMessageOf(analysis: Analysis, located: Located): AnyMessage | undefined {
  const facts = factsOf(located.segment)
  if (!facts) return undefined
  const message = visibleMessageOf(analysis, located)
  return message ? seen(analysis, message, located, facts) : hidden(analysis, located, facts)
}

function seen(
  analysis: Analysis,
  message: VisibleMessage,
  located: Located,
  facts: MessageFacts,
): SeenMessage {
  const { segment } = located
  const privateText = renderedPieces(segment)
    .filter(({ kind }) => isPrivatePiece(kind, facts.role))
    .map(({ text }) => text)
    .join('')
  // In 0.1 private blocks have their place in an answer; the markers of 2.x thought do not.
  const isTurn = segment.framing.headerEnd === 'line-break'
  const violation = facts.hasThoughts && !isTurn ? violationBy('visible-thought') : undefined
  const isAnswer = message.role === 'assistant' && message.intent === undefined
  const tools = isAnswer ? toolsBefore(analysis, located) : []
  return { kind: 'visible', message, privateText, tools, ...(violation === undefined ? {} : { violation }) }
}

/** How far back tools of an answer are looked for, in messages. */
const longestTurn = 500

/** The tools that were called between the user's message and the answer at `located`, in order. */
function toolsBefore({ transcript }: Analysis, { index }: Located): readonly string[] {
  const tools: string[] = []
  for (let at = index - 1; at >= Math.max(0, index - longestTurn); at--) {
    const facts = factsOf(transcript.segment(at).segment)
    if (!facts) continue
    if (isVisible(facts) && facts.intent === undefined) break
    const tool = isCall(facts) ? toolNameOf(facts) : undefined
    if (tool !== undefined) tools.push(tool)
  }
  return [...new Set(tools.reverse())]
}

function hidden(analysis: Analysis, located: Located, facts: MessageFacts): HiddenMessage {
  const { segment } = located
  const reason = hiddenReason(facts)
  const isPrompt = facts.isPrompt && segment === analysis.lastSegment
  const exchange = exchangeOf(analysis, located)
  const violation = isForbiddenPreamble(facts) ? violationBy('forbidden-preamble') : undefined
  return {
    kind: 'hidden',
    role: facts.roleWord ?? localize`no role`,
    labels: labelsOf(facts),
    text: facts.isMessage ? renderedBody(segment) : '',
    reason: isPrompt
      ? localize`it asks for the next message and has no text.`
      : `${plain(whyHidden(facts) ?? '')}.`,
    section: isPrompt || reason === undefined ? '2.2 §9, D18' : sections[reason],
    ...(violation === undefined ? {} : { violation }),
    ...(exchange ? { exchange } : {}),
  }
}

const sections: Readonly<Record<HiddenReason, string>> = {
  'no-message': '2.2 §6, D16',
  role: '2.2 §4, D15',
  'unknown-role': '2.2 §4, D15',
  'unknown-channel': '2.2 §5, D15',
  'doubtful-header': '2.2 §5, D16',
  analysis: '2.2 §5, D15',
  commentary: '2.2 §5, D15, D21',
  call: '2.2 §8, D15',
  recipient: '2.2 §6, D15',
  'private-blocks': '2.2 §7, D3',
}

function violationBy(rule: string): string | undefined {
  const found = rulesWithCode('E-PERM-VISIBILITY').find(({ name }) => name === rule)
  return found && `${plain(found.summary)}. ${plain(found.why.replaceAll('\n', ' '))}`
}

function labelsOf({ channel, hasChannel, to, callId, name, intent, constraint, contentType }: MessageFacts) {
  const labels: string[] = []
  if (name !== undefined) labels.push(name)
  if (hasChannel) labels.push(channel ?? localize`unknown channel`)
  if (to !== undefined) labels.push(localize`to ${to}`)
  if (callId !== undefined) labels.push(localize`call ${callId}`)
  if (intent !== undefined) labels.push(intent)
  const type = constraint ?? contentType
  if (type !== undefined) labels.push(type)
  return labels
}

function exchangeOf(analysis: Analysis, { segment, index }: Located): EverythingExchange | undefined {
  const exchange = analysis.exchanges.exchange(segment)
  if (!exchange) return undefined
  const { kind, partner } = exchange
  const partnerIndex = partner && analysis.transcript.locate(partner)?.index
  return {
    kind,
    isPaired: partnerIndex !== undefined,
    isJoined: kind === 'reply' && partnerIndex === index - 1,
  }
}

/** Words without the marks of code in them. */
function plain(words: string): string {
  return words.replaceAll('`', '')
}
