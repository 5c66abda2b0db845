/** What may be written in a message header: role, then attributes, then channel, then constraint, each only where it may be. */

import { rules } from '../../rules/rule-registry.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { builtinDocumentation } from '../../semantics/builtin-definitions.ts'
import { freshCallId } from '../../semantics/fresh-call-id.ts'
import { addressOf, isCallHeader } from '../../semantics/message-facts.ts'
import { usualTerminator } from '../../semantics/terminators.ts'
import { definitionOf } from '../../semantics/tool-places.ts'
import { toolMarkdown } from '../../semantics/tool-text.ts'
import { type MessageView, viewMessage } from '../../syntax/message-view.ts'
import { Segment } from '../../syntax/segment.ts'
import { type Token, TokenKind } from '../../syntax/token-run.ts'
import { tokensOf } from '../../syntax/tokenize.ts'
import { localize, localized } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import {
  type AttributeName,
  attributes,
  contentTypes,
  intents,
  isContentType,
} from '../../vocabulary/attributes.ts'
import { channelOf, channels } from '../../vocabulary/channels.ts'
import type { Framing } from '../../vocabulary/framing.ts'
import { spelling } from '../../vocabulary/framing.ts'
import { type Role, roles } from '../../vocabulary/roles.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { tokenProposal } from './body-proposals.ts'
import { type KnownTool, knownTools, openCalls } from './known-names.ts'
import { isHarmony, roleSnippets } from './message-snippets.ts'
import type { Proposal } from './proposal.ts'

/** A place in a header. */
export interface HeaderPlace {
  readonly analysis: Analysis
  readonly segment: Segment
  /** The parts of the whole message: what is after the place counts as well. */
  readonly view: MessageView
  /** Offset of the header's start token in the segment; not 0 for one that so far is text in a body. */
  readonly from: number
  /** The place, relative to the segment. */
  readonly offset: number
  /** Offset of the segment in the document. */
  readonly start: number
  /** The beginning of a control token at the place, relative to the segment. */
  readonly typed: { readonly from: number; readonly to: number } | undefined
}

/** The proposals for a header. */
export function headerProposals(place: HeaderPlace): readonly Proposal[] {
  const before = whatStandsBefore(place)
  const { last } = before
  if (!last) return []
  if (place.typed) return tokens(before, rangeOf(place, place.typed.from, place.typed.to))
  const next = wordEnd(place, last) === place.offset ? behindWord(before) : []
  // After a word that is complete in a header that is not, the header goes on; the word itself would only be in the way.
  if (next.length > 0 && !before.isComplete) return [...replyingTools(before, wordRange(before)), ...next]
  switch (last.kind) {
    case TokenKind.start:
    case TokenKind.role:
      return [...roleWords(before, wordRange(before)), ...next]
    case TokenKind.channel:
    case TokenKind.channelName:
      return [...channelWords(before, wordRange(before)), ...next]
    case TokenKind.constrain:
    case TokenKind.constraintName:
      return [...types(wordRange(before)), ...next]
    case TokenKind.equals:
    case TokenKind.attributeValue:
      return values(before, wordRange(before))
    case TokenKind.blank:
    case TokenKind.word:
      return behindBlank(before)
    default:
      return []
  }
}

/** What a header says up to the place. */
interface Before extends HeaderPlace {
  readonly seen: MessageView
  /** The token that ends at the place. */
  readonly last: Token | undefined
  readonly isComplete: boolean
}

function whatStandsBefore(place: HeaderPlace): Before {
  const { segment, from } = place
  const text = segment.text.slice(from, place.typed?.from ?? place.offset)
  const prefix = new Segment(text, { ...segment, kind: 'message', framing: segment.framing })
  const run = tokensOf(prefix)
  const index = run.count - 1
  const last =
    index < 0
      ? undefined
      : { kind: run.kinds[index] as TokenKind, from: run.ends[index - 1] ?? 0, to: run.ends[index] ?? 0 }
  const isComplete = place.from === 0 && (place.view.message !== undefined || place.view.isCut)
  return { ...place, seen: viewMessage(prefix), last, isComplete }
}

function rangeOf({ start }: HeaderPlace, from: number, to: number): Range {
  return { start: start + from, end: start + to }
}

/** The word at the place, with what is after it without a gap; after a marker, nothing is replaced yet. */
function wordRange(before: Before): Range {
  const { last, from, offset } = before
  const isMarker =
    !last ||
    last.kind === TokenKind.start ||
    last.kind === TokenKind.channel ||
    last.kind === TokenKind.constrain
  const wordStart = isMarker || last.kind === TokenKind.equals ? offset : from + last.from
  return rangeOf(before, wordStart, Math.max(offset, last ? wordEnd(before, last) : offset))
}

/** Where the word at the place ends: the next white space, control token or end of the header. */
function wordEnd({ segment, from, offset, view }: HeaderPlace, last: Token): number {
  if (last.kind === TokenKind.blank) return offset
  const limit = from === 0 ? (view.message?.from ?? view.body?.from ?? view.end) : segment.length
  const rest = /^[^\s<]*/.exec(segment.text.slice(offset, Math.max(offset, limit)))
  return offset + (rest?.[0].length ?? 0)
}

/** The word at the place as the name of an attribute: what is after an equals sign is its value, and stays. */
function nameRange(before: Before): Range {
  const { start, end } = wordRange(before)
  const rest = before.segment.text.slice(before.offset, end - before.start)
  const equals = rest.indexOf('=')
  return equals === -1 ? { start, end } : { start, end: before.start + before.offset + equals + 1 }
}

/** After a word that is complete, with nothing between: what may follow is offered, with a space where one is needed. */
function behindWord(before: Before): readonly Proposal[] {
  const { last, seen, offset, segment } = before
  const range = rangeOf(before, offset, offset)
  const word = last && segment.text.slice(before.from + last.from, before.from + last.to)
  switch (last?.kind) {
    case TokenKind.role:
      if (seen.role === undefined) return []
      return [...tokens(before, range), ...attributeNames(before, range, ' ')]
    case TokenKind.channelName:
      return word !== undefined && channelOf(word) ? tokens(before, range) : []
    case TokenKind.constraintName:
      return word !== undefined && isContentType(word) ? tokens(before, range) : []
    default:
      return []
  }
}

function behindBlank(before: Before): readonly Proposal[] {
  const { last, seen, offset } = before
  if (!seen.roleWord)
    return last?.kind === TokenKind.blank ? roleWords(before, rangeOf(before, offset, offset)) : []
  if (last?.kind === TokenKind.word) return attributeNames(before, nameRange(before), '')
  const range = rangeOf(before, offset, offset)
  return [...attributeNames(before, range, ''), ...tokens(before, range)]
}

/** The control tokens that may follow. */
function tokens(before: Before, range: Range): readonly Proposal[] {
  const { seen, last, segment } = before
  if (!seen.roleWord || !last) return []
  if (last.kind === TokenKind.channel || last.kind === TokenKind.constrain || last.kind === TokenKind.equals)
    return []
  const { framing } = segment
  if (framing.headerEnd === 'line-break') return []
  return likeliestFirst(seen).flatMap((kind): Proposal[] => {
    const token = framing.tokens.find((it) => it.kind === kind)
    if (!token || !mayFollow(kind, before)) return []
    const proposal = tokenProposal(token, range)
    if (kind !== ControlKind.message) return [{ ...proposal, asksAgain: true }]
    return [{ ...proposal, snippet: `${token.text}$0${terminatorOf(seen, framing)}` }]
  })
}

/** A call continues with the type of its arguments, instructions and questions have no channel. */
function likeliestFirst(seen: MessageView): readonly ControlKind[] {
  const { channel, message, constrain } = ControlKind
  if (isCallHeader(seen)) return [channel, constrain, message]
  const hasChannel = seen.role === undefined || seen.role === 'assistant' || seen.role === 'tool'
  return hasChannel ? [channel, message, constrain] : [message, channel, constrain]
}

function mayFollow(kind: ControlKind, { seen, view, from, isComplete }: Before): boolean {
  const hasLaterChannel = view.channel !== undefined && from === 0
  if (kind === ControlKind.message) return !isComplete
  if (kind === ControlKind.channel) return !hasLaterChannel && !seen.channel && !seen.constraint
  return !view.constraint && (seen.channel !== undefined || !hasLaterChannel)
}

function terminatorOf(seen: MessageView, framing: Framing): string {
  return spelling(framing, usualTerminator(addressOf(seen)))
}

/** Roles, and with them the rest of a message where there is none yet. */
function roleWords(before: Before, range: Range): readonly Proposal[] {
  const { framing } = before.segment
  const tools = replyingTools(before, range)
  if (tools.length > 0) return tools
  const words = roles
    .filter(({ name }) => framing.roles.includes(name) && !(name === 'tool' && isHarmony(framing)))
    .map(
      ({ name, summary, visibility, section }): Proposal => ({
        label: name,
        kind: 'role',
        detail: localized(summary),
        documentation: `${localized(visibility)}\n\n*OpenChatML ${section}*`,
        range,
        text: name,
        asksAgain: framing.headerEnd === 'message-token',
      }),
    )
  return before.isComplete ? words : [...words, ...roleSnippets(before.analysis, range)]
}

/** After a dot in the place of a role, the tools that may reply under their own name, the older form (D5). */
function replyingTools(before: Before, range: Range): readonly Proposal[] {
  const { segment, last, start, offset } = before
  if (last?.kind !== TokenKind.role || segment.framing.headerEnd === 'line-break') return []
  const word = segment.text.slice(range.start - start, offset)
  const namespace = word.slice(0, word.lastIndexOf('.') + 1)
  if (namespace === '') return []
  const tools = replyingFirst(before).filter(({ name }) => name.startsWith(namespace) && name !== word)
  return tools.map((tool) => toolProposal(before, tool, range))
}

/** The tools that a call waits for, then all others. */
function replyingFirst({ analysis, segment, start, from }: Before): readonly KnownTool[] {
  const open = openCalls(analysis, start + from, segment).flatMap(({ tool }) => tool ?? [])
  const waiting = [...new Set(open)].map((name) => ({
    name,
    detail: localize`Waits for a reply`,
    isBuiltin: false,
  }))
  return [...waiting, ...knownTools(analysis, segment)]
}

function channelWords({ seen }: Before, range: Range): readonly Proposal[] {
  const proposals = channels.map(
    ({ name, summary, visibility, section }): Proposal => ({
      label: name,
      kind: 'channel',
      detail: localized(summary),
      documentation: `${localized(visibility)}\n\n*OpenChatML ${section}*`,
      range,
      text: name,
      asksAgain: true,
    }),
  )
  // A call or a reply belongs on commentary; anything else is most often an answer.
  const likeliest = seen.role === 'tool' || seen.attributes.some(({ name }) => name.text === 'to') ? 1 : 0
  return likeliest === 1
    ? [...proposals.slice(1, 2), ...proposals.slice(0, 1), ...proposals.slice(2)]
    : proposals
}

function types(range: Range): readonly Proposal[] {
  return contentTypes.map(({ name, summary }) => ({
    label: name,
    kind: 'value',
    detail: localized(summary),
    documentation: '*OpenChatML 2.2 §6, D7*',
    range,
    text: name,
    asksAgain: true,
  }))
}

/** Rules that report problems of messages. */
const allowable = rules.filter(
  ({ scope }) => scope === 'syntax' || scope === 'message' || scope === 'exchange',
)

const attributesByRole: Readonly<Record<Role, readonly AttributeName[]>> = {
  system: ['name', 'content_type'],
  developer: ['name', 'content_type'],
  user: ['name', 'content_type'],
  assistant: ['to', 'call_id', 'intent', 'name', 'content_type'],
  tool: ['name', 'call_id', 'to', 'content_type'],
}

function attributeNames(
  { seen, view, segment, start, from }: Before,
  range: Range,
  gap: string,
): readonly Proposal[] {
  if (!seen.roleWord || seen.constraint) return []
  const present = from === 0 ? view.attributes : seen.attributes
  const next = segment.text.charAt(range.end - start)
  const isApart = next === '' || next === '<' || next.trim() === ''
  const space = isApart || segment.text.charAt(range.end - start - 1) === '=' ? '' : ' '
  const useful = seen.role ? attributesByRole[seen.role] : attributes.map(({ name }) => name)
  return useful.flatMap((name): Proposal[] => {
    const word = attributes.find((it) => it.name === name)
    if (!word || !segment.framing.attributes.includes(name)) return []
    if (name !== 'to' && isHarmony(segment.framing)) return []
    if (present.some((it) => it.name.text === name)) return []
    if (seen.channel && !word.mayFollowChannel) return []
    return [
      {
        label: `${name}=`,
        kind: 'attribute',
        detail: localized(word.summary),
        documentation: `${localized(word.documentation)}\n\n*OpenChatML ${word.section}*`,
        range,
        text: `${gap}${name}=${space}`,
        ...(space !== '' && { snippet: `${gap}${name}=$0${space}` }),
        filterText: `${gap}${name}=`,
        asksAgain: true,
      },
    ]
  })
}

function values(before: Before, range: Range): readonly Proposal[] {
  const { analysis, segment, seen, start, from } = before
  const attribute = seen.attributes.at(-1)?.name.text
  const offset = start + from
  switch (attribute) {
    case 'intent':
      return intents.map(({ name, summary }) => valueProposal(name, localized(summary), range))
    case 'content_type':
      return types(range)
    case 'to':
      if (seen.role === 'tool') return [valueProposal('assistant', localize`Who asked for the reply`, range)]
      return knownTools(analysis, segment).map((tool) => toolProposal(before, tool, range))
    case 'name':
      if (seen.role !== 'tool') return []
      return replyingFirst(before).map((tool) => toolProposal(before, tool, range))
    case 'call_id':
      return callIds(before, offset, range)
    case 'allow':
      return allowable.map(({ name, summary }) => valueProposal(name, summary, range))
    default:
      return []
  }
}

function callIds({ analysis, segment, seen }: Before, offset: number, range: Range): readonly Proposal[] {
  const proposal = (id: string, detail: string): Proposal => ({
    label: id,
    kind: 'id',
    detail,
    documentation: '*OpenChatML 2.2 §8*',
    range,
    text: id,
  })
  if (seen.role !== 'tool')
    return [proposal(freshCallId(analysis, offset), localize`An ID that no other call has`)]
  const name = seen.attributes.find((it) => it.name.text === 'name')?.value?.text
  const open = openCalls(analysis, offset, segment)
  const sameFirst = [...open.filter(({ tool }) => tool === name), ...open.filter(({ tool }) => tool !== name)]
  return sameFirst.flatMap(({ callId, tool }) =>
    callId === undefined
      ? []
      : proposal(callId, tool === undefined ? localize`An open call` : localize`The open call of ${tool}`),
  )
}

function valueProposal(name: string, detail: string, range: Range): Proposal {
  const documentation = '*OpenChatML 2.2 §6*'
  return {
    label: name,
    kind: 'value',
    detail,
    documentation,
    range,
    text: name,
  }
}

/** A tool with its signature and what its definition says of it. */
function toolProposal({ analysis, segment }: Before, { name, detail }: KnownTool, range: Range): Proposal {
  const definition = definitionOf(analysis, name, segment)?.definition
  const documentation = definition ? toolMarkdown(definition) : localized(builtinDocumentation(name) ?? '')
  return {
    label: name,
    kind: 'tool',
    detail,
    documentation,
    range,
    text: name,
  }
}
