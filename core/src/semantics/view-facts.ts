/** Facts read off the view of a message: for any header, however malformed. */

import { renderedPieces } from '../syntax/body.ts'
import type { AttributeView, MessageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { SyntaxProblemKind } from '../syntax/syntax-problem.ts'
import type { AttributeName } from '../vocabulary/attributes.ts'
import { type Channel, channelOf } from '../vocabulary/channels.ts'
import { isReplyRole } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { FactFlag, type FactsRecord, factsRecord } from './facts-record.ts'
import { headerDoubt } from './header-doubt.ts'
import { isArguments, partedBody, textOf } from './parted-body.ts'

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

/** The facts that `view` shows of `segment`. */
export function factsOfView(segment: Segment, view: MessageView): FactsRecord {
  const { role, roleWord, channel, constraint, body } = view
  const to = attributeIn(view, 'to')
  const wordOf = (name: AttributeName) => {
    // An attribute that the dialect does not have is ignored; an unknown recipient still leaves in doubt who may see it.
    return segment.framing.attributes.includes(name) ? attributeIn(view, name)?.value?.text : undefined
  }
  const isMessage = body !== undefined
  const terminator = view.terminator?.kind ?? ControlKind.none
  const parted = body && view.hasMarkers ? partedBody(renderedPieces(segment), role) : undefined
  const colon = segment.framing.name === 'harmony' ? (roleWord?.text.indexOf(':') ?? -1) : -1
  const words = {
    role,
    roleWord: roleWord?.text,
    channel: effectiveChannel(view),
    to: wordOf('to'),
    callId: wordOf('call_id'),
    name: nameOf(wordOf('name'), role && roleWord?.text, colon),
    intent: wordOf('intent'),
    contentType: wordOf('content_type') ?? view.bareContentType?.text,
    constraint: constraint?.value?.text,
    terminator,
  }
  const usesVersion2 =
    segment.framing.headerEnd === 'message-token' &&
    (channel !== undefined ||
      constraint !== undefined ||
      role === 'developer' ||
      view.attributes.some(({ name }) => name.text !== 'name' && name.text !== 'allow') ||
      terminator === ControlKind.call ||
      terminator === ControlKind.return)
  let flags = 0
  if (isMessage) flags |= FactFlag.isMessage
  if (isPrompt(segment, view)) flags |= FactFlag.isPrompt
  if (channel !== undefined) flags |= FactFlag.hasChannel
  if (view.hasConflictingChannels || headerDoubt(segment, view)) flags |= FactFlag.isDoubtful
  if (to !== undefined) flags |= FactFlag.hasRecipient
  if (view.problems.some(({ kind }) => malformed.has(kind))) flags |= FactFlag.isMalformed
  if (view.problems.length > 0) flags |= FactFlag.hasProblems
  if (view.isPlainBody) flags |= FactFlag.isPlainBody
  if (parted?.hasThoughts) flags |= FactFlag.hasThoughts
  if (parted?.isPrivateOnly) flags |= FactFlag.isPrivateOnly
  if (usesVersion2) flags |= FactFlag.usesVersion2
  if (wordOf('allow') !== undefined) flags |= FactFlag.hasAllow
  const shown = () => {
    if (view.isPlainBody) return segment.text.slice(body?.from, body?.to)
    return textOf({ content: (parted ?? partedBody(renderedPieces(segment), role)).shown })
  }
  if (terminator === ControlKind.call && isMessage && isArguments(words, shown()))
    flags |= FactFlag.isArguments
  return factsRecord(words, flags)
}

/** The first attribute called `name` counts, also if it is empty (D6). */
function attributeIn(view: MessageView, name: AttributeName): AttributeView | undefined {
  return view.attributes.find((it) => it.name.text === name)
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
