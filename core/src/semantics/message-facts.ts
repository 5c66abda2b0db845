/** What the rest of the program needs to know of a message, in one small object that every message keeps. */

import { renderedPieces } from '../syntax/body.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { perSegment, type Segment } from '../syntax/segment.ts'
import type { SyntaxProblemKind } from '../syntax/syntax-problem.ts'
import { isToolRecipient } from '../vocabulary/attributes.ts'
import { type Channel, channelOf } from '../vocabulary/channels.ts'
import { isReplyRole, type Role } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

/** Facts of one message segment. Words are as written; undefined means not present in the text. */
export interface MessageFacts {
  /** False for a header without body: a generation prompt, or a header that the next start token cuts (D16). */
  readonly isMessage: boolean
  /** True for a bare start token and role, which asks for the next message (D18). Only meaningful at the end. */
  readonly isPrompt: boolean
  /** The role; legacy reply roles are `tool`. */
  readonly role: Role | undefined
  readonly roleWord: string | undefined
  /** The effective channel: final where none is given, undefined where it is unknown or empty (D16). */
  readonly channel: Channel | undefined
  /** True if the header has `<|channel|>`. */
  readonly hasChannel: boolean
  readonly hasConflictingChannels: boolean
  /** The recipient, wherever it stands. */
  readonly to: string | undefined
  /** True if there is `to=`, even without a value. */
  readonly hasRecipient: boolean
  readonly callId: string | undefined
  /** The alias, or the tool's name on a reply. */
  readonly name: string | undefined
  readonly intent: string | undefined
  /** The attribute, or the bare word behind the channel (D7). */
  readonly contentType: string | undefined
  /** The value of `<|constrain|>`. */
  readonly constraint: string | undefined
  /** How the message ends; `none` if it does not. */
  readonly terminator: ControlKind
  /** True if the header is malformed, so that nothing that follows from it is reported as well (D16). */
  readonly isMalformed: boolean
  /** True if the parser recorded problems; the view has them. */
  readonly hasProblems: boolean
  /** True if the body is one piece of text without escapes, literals or markers. */
  readonly isPlainBody: boolean
  /** True if markers of private thought stand in the body. */
  readonly hasThoughts: boolean
  /** True if nothing but private blocks and white space stands in the body. */
  readonly isPrivateOnly: boolean
  /** True if the message uses what only OpenChatML 2.x has (D2). */
  readonly usesVersion2: boolean
}

/** The facts of `segment`, remembered with it; undefined for segments that are no message. */
export function factsOf(segment: Segment): MessageFacts | undefined {
  return segment.kind === 'message' ? messageFacts(segment) : undefined
}

/** True if the assistant addresses a tool: the message is a call. */
export function isCall(facts: MessageFacts): boolean {
  return facts.isMessage && facts.role === 'assistant' && facts.to !== undefined && isToolRecipient(facts.to)
}

/** True for a tool's reply. */
export function isReply(facts: MessageFacts): boolean {
  return facts.isMessage && facts.role === 'tool'
}

/** The tool that a call or reply is about, as written. */
export function toolNameOf(facts: MessageFacts): string | undefined {
  return facts.role === 'tool' ? facts.name : facts.to
}

const messageFacts = perSegment((segment: Segment): MessageFacts => readFacts(segment, viewMessage(segment)))

/** Problems that make a header malformed (D16): what hangs on it is not reported as well. */
const malformed: ReadonlySet<SyntaxProblemKind> = new Set<SyntaxProblemKind>([
  'missing-role',
  'unknown-role',
  'word-before-channel',
  'extra-word',
  'duplicate-attribute',
  'empty-attribute',
  'empty-channel',
  'unknown-channel',
  'repeated-channel',
  'empty-constraint',
  'early-constraint',
  'repeated-constraint',
  'token-in-header',
  'cut-header',
])

function readFacts(segment: Segment, view: MessageView): MessageFacts {
  const { role, roleWord, channel, constraint, body } = view
  let to: string | undefined
  let callId: string | undefined
  let name: string | undefined
  let intent: string | undefined
  let contentType: string | undefined
  let seen = ''
  for (const attribute of view.attributes) {
    const key = attribute.name.text
    const value = attribute.value?.text
    if (seen.includes(` ${key} `)) continue
    seen += ` ${key} `
    if (key === 'to') to = value
    else if (key === 'call_id') callId = value
    else if (key === 'name') name = value
    else if (key === 'intent') intent = value
    else if (key === 'content_type') contentType = value
  }
  const isMessage = body !== undefined
  const terminator = view.terminator?.kind ?? ControlKind.none
  const hasPrivate = isMessage && !view.isPlainBody && isPrivateOnly(segment)
  const colon = segment.framing.name === 'harmony' ? (roleWord?.text.indexOf(':') ?? -1) : -1
  return {
    isMessage,
    isPrompt: isPrompt(segment, view),
    role,
    roleWord: roleWord?.text,
    channel: effectiveChannel(view),
    hasChannel: channel !== undefined,
    hasConflictingChannels: view.hasConflictingChannels,
    to,
    hasRecipient: seen.includes(' to '),
    callId,
    name: nameOf(name, roleWord?.text, colon),
    intent,
    contentType: contentType ?? view.bareContentType?.text,
    constraint: constraint?.value?.text,
    terminator,
    isMalformed: view.problems.some(({ kind }) => malformed.has(kind)),
    hasProblems: view.problems.length > 0,
    isPlainBody: view.isPlainBody,
    hasThoughts: isMessage && !view.isPlainBody && hasThoughts(segment),
    isPrivateOnly: hasPrivate,
    usesVersion2:
      segment.framing.headerEnd === 'message-token' &&
      (channel !== undefined ||
        constraint !== undefined ||
        role === 'developer' ||
        view.attributes.some((it) => it.name.text !== 'name') ||
        terminator === ControlKind.call ||
        terminator === ControlKind.return),
  }
}

/** Absent means final (2.2 §5); a header cut by a terminator has no trusted channel unless it names one (D16). */
function effectiveChannel(view: MessageView): Channel | undefined {
  if (view.channel) return view.channel.value && channelOf(view.channel.value.text)
  return view.isCut ? undefined : 'final'
}

/** A legacy reply role carries the tool's name; Harmony writes `user:alice`. */
function nameOf(name: string | undefined, roleWord: string | undefined, colon: number): string | undefined {
  if (roleWord === undefined) return name
  if (colon !== -1) return roleWord.slice(colon + 1)
  return isReplyRole(roleWord) ? roleWord : name
}

function isPrompt(segment: Segment, view: MessageView): boolean {
  if (view.terminator || view.attributes.length > 0 || view.channel || view.constraint) return false
  if (view.role === undefined) return false
  if (segment.framing.headerEnd === 'line-break')
    return view.body === undefined || view.body.from === view.body.to
  return view.body === undefined && segment.text.slice(view.roleWord?.span.to).trim() === ''
}

function isPrivateOnly(segment: Segment): boolean {
  let hasPrivate = false
  for (const { kind, text } of renderedPieces(segment)) {
    if (kind === 'thought' || kind === 'function') hasPrivate = true
    else if (text.trim() !== '') return false
  }
  return hasPrivate
}

function hasThoughts(segment: Segment): boolean {
  return renderedPieces(segment).some(({ kind }) => kind === 'thought')
}
