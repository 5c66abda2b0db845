/**
 * Headers of messages in one of two ways of writing: the canonical one of OpenChatML, and that of Harmony models. The
 * messages mean the same either way; what Harmony has no word for, such as `call_id=`, stays where it is (2.2 §6, §12).
 */

import { spelled } from '../../conversation/spelling.ts'
import { jsonBody } from '../../embedded/json-body.ts'
import { bodyText } from '../../semantics/body-text.ts'
import { HeaderMemory } from '../../semantics/header-memory.ts'
import { factsOf, isCallHeader } from '../../semantics/message-facts.ts'
import { headerText, inOrder, orderFor } from '../../semantics/message-header.ts'
import type { AttributeView, MessageView } from '../../syntax/message-view.ts'
import { viewMessage } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import type { SyntaxProblemKind } from '../../syntax/syntax-problem.ts'
import type { Span } from '../../text/range.ts'
import { attributeOf, attributeOrder } from '../../vocabulary/attributes.ts'
import { isReplyRole } from '../../vocabulary/roles.ts'

/** `canonical`: recipient after the role, `tool name=…`, no space before the constraint. `harmony`: as models write. */
export type HeaderStyle = 'canonical' | 'harmony'

/** What is between the start token and the body, and what is written there in that style. */
export interface StyledHeader {
  readonly span: Span
  readonly text: string
}

/** Problems of a message whose header can be written again all the same. */
const harmless: ReadonlySet<SyntaxProblemKind> = new Set([
  'space-after-token',
  'late-attribute',
  'unknown-attribute',
  'token-in-body',
  'open-literal',
  'open-thought',
  'stray-text',
] satisfies SyntaxProblemKind[])

/** The header of `segment` in `style`; undefined if it is written so already, or is not plainly understood. */
export function styledHeader(segment: Segment, style: HeaderStyle): StyledHeader | undefined {
  if (segment.kind !== 'message' || segment.framing.name !== 'openchatml') return undefined
  const view = viewMessage(segment)
  const { start, message, role, problems } = view
  if (!message || message.from === message.to || role === undefined) return undefined
  if (problems.some(({ kind }) => !harmless.has(kind))) return undefined
  const text = style === 'canonical' ? canonical(segment, view) : harmony(view)
  const span = { from: start.to, to: message.from }
  if (text === undefined || segment.text.slice(span.from, span.to) === text) return undefined
  return { span, text }
}

/** {@link styledHeader} for a pass over many messages. */
export function headerStyler(style: HeaderStyle): (segment: Segment) => StyledHeader | undefined {
  const memory = new HeaderMemory<StyledHeader | undefined>()
  return (segment) => {
    const read = () => styledHeader(segment, style)
    // Whether a bare `json` is the constraint depends on the body.
    const isAlone = !segment.text.slice(0, segment.plainBodyStart).includes(' json')
    return isAlone ? memory.of(segment, read) : read()
  }
}

function canonical(segment: Segment, view: MessageView): string | undefined {
  const { role, roleWord, attributes, channel, constraint, bareContentType } = view
  const isReply = role === 'tool'
  const hasName = attributes.some(({ name }) => name.text === 'name')
  const isLegacy = isReply && roleWord !== undefined && roleWord.text !== 'tool'
  if (isLegacy && hasName) return undefined
  const isBefore = (it: AttributeView) => !it.isBehindChannel || staysBefore(it)
  const before = attributes.filter(isBefore)
  const behind = attributes.filter((it) => !isBefore(it))
  const words = before.map(attributeText)
  if (isLegacy) words.push(`name=${roleWord.text}`)
  // A bare `json` on a call is the constraint that a chat template could not write; without JSON it would be violated.
  const isBareJson = !constraint && bareContentType?.text === 'json' && isCallHeader(view)
  const isJson = isBareJson && hasJsonBody(segment)
  const type = constraint?.value?.text ?? (isJson ? 'json' : undefined)
  const rest = behind.map(attributeText)
  if (bareContentType && !isJson) rest.push(bareContentType.text)
  return headerText({
    channel: channel && (channel.value?.text ?? ''),
    role: isLegacy ? 'tool' : (roleWord?.text ?? ''),
    before: inOrder(words, orderFor(role), nameIn),
    behind: rest,
    constraint: type === undefined ? '' : `${spelled.constrain}${type}`,
  })
}

function harmony(view: MessageView): string | undefined {
  const { role, roleWord, attributes, channel, constraint, bareContentType } = view
  const name = attributes.find((it) => it.name.text === 'name')
  const isReply = role === 'tool'
  const tool = roleWord?.text === 'tool' ? name?.value?.text : roleWord?.text
  if (isReply && (tool === undefined || !isReplyRole(tool))) return undefined
  const isCall = isCallHeader(view)
  const to = attributes.find((it) => it.name.text === 'to')
  const moved = isCall && channel && to ? [to] : []
  const kept = attributes.filter((it) => !moved.includes(it) && !(isReply && it === name))
  const before = kept.filter((it) => !it.isBehindChannel || staysBefore(it)).map(attributeText)
  if (isReply && !to) before.push('to=assistant')
  const behind = [...moved, ...kept.filter((it) => it.isBehindChannel && !staysBefore(it))].map(attributeText)
  if (bareContentType) behind.push(bareContentType.text)
  const type = constraint?.value?.text
  return headerText({
    channel: channel && (channel.value?.text ?? ''),
    role: isReply ? (tool ?? '') : (roleWord?.text ?? ''),
    before: inOrder(before, attributeOrder, nameIn),
    behind,
    constraint: type === undefined ? '' : ` ${spelled.constrain}${type}`,
  })
}

function hasJsonBody(segment: Segment): boolean {
  const facts = factsOf(segment)
  const body = facts && bodyText(segment, facts)
  return body !== undefined && jsonBody(body.text).ok
}

/** `to=` has its place before the channel, and so has everything that may not follow it. */
function staysBefore({ name }: AttributeView): boolean {
  return name.text === 'to' || attributeOf(name.text)?.mayFollowChannel === false
}

function attributeText({ name, value }: AttributeView): string {
  return `${name.text}=${value?.text ?? ''}`
}

function nameIn(word: string): string {
  return word.slice(0, word.indexOf('='))
}
