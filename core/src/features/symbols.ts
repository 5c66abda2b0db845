/**
 * The outline: the keys of the header; turns, and in them messages, with role, channel, tool and first words, and what
 * their bodies consist of.
 */

import type { Located } from '../document/segment-list.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { type BodyPart, type BodyPartKind, bodyParts } from '../semantics/body-parts.ts'
import type { DocumentHeader } from '../semantics/document-settings.ts'
import { type HeaderPart, type HeaderPartKind, headerParts } from '../semantics/header-parts.ts'
import { messageBeginning } from '../semantics/message-beginning.ts'
import { factsOf, isCall, isReply, type MessageFacts, toolNameOf } from '../semantics/message-facts.ts'
import { kindOf } from '../semantics/message-kind.ts'
import { isVisible } from '../semantics/visibility.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'

/** What an entry is; editors choose an icon by it. */
export type SymbolKind =
  | 'header'
  | 'turn'
  | 'instructions'
  | 'user'
  | 'answer'
  | 'reasoning'
  | 'call'
  | 'reply'
  | 'other'
  | BodyPartKind
  | HeaderPartKind

/** An entry of the outline, in its segment. The span and the label are the same objects as long as the message stays as it is. */
export interface OutlineItem {
  readonly kind: SymbolKind
  readonly name: string
  /** Channel and visibility; for a turn, its first words; for a value of JSON or of the header, the value. */
  readonly detail: string
  /** The whole of it; for a turn, its first message only: what follows with depth 1 belongs to it. */
  readonly span: Span
  /** What to show when it is chosen; within the span. */
  readonly label: Span
}

/** A part of a body below its message, or of the header below it. */
export interface OutlinePart extends OutlineItem {
  /** 0 for what is at the top of the body or of the header. */
  readonly depth: number
}

/** An entry with what its body, or the header, consists of. */
export interface OutlineBlock {
  readonly located: Located
  readonly depth: 0 | 1
  readonly item: OutlineItem
  /** Made when it is asked for, and remembered. Messages have parts in the scope `messages` only. */
  readonly parts: () => readonly OutlinePart[]
}

/** Which messages an outline shows: all, those that users see, or none but the turns. */
export type OutlineScope = 'messages' | 'visible' | 'turns'

/** How many entries the outline of each scope has, without parts; one pass over facts that are known. */
export function outlineSizes({ transcript, header }: Analysis): Readonly<Record<OutlineScope, number>> {
  let tops = 0
  let messages = 0
  let visible = 0
  let wasUser = false
  transcript.forEachSegment((segment) => {
    const facts = factsOf(segment)
    if (!facts) {
      if (segment.kind !== 'preamble' || header.isPresent) tops++
      return
    }
    const isUser = facts.role === 'user'
    if (isUser && !wasUser) tops++
    wasUser = isUser
    if (isVisible(facts)) visible++
    messages++
  })
  return { messages: tops + messages, visible: tops + visible, turns: tops }
}

const nothing = (): readonly OutlinePart[] => []

/**
 * The entries in document order, made one by one. A turn begins with a user message that no user message precedes.
 * The outline is for authors: first words of hidden messages are in it, and the detail says that they are hidden.
 */
export function* outlineBlocks(analysis: Analysis, scope: OutlineScope): IterableIterator<OutlineBlock> {
  let turns = 0
  let wasUser = false
  for (const located of analysis.transcript.segments()) {
    const { segment } = located
    if (segment.kind === 'preamble') {
      const item = headerItem(analysis, located)
      if (item) yield { located, depth: 0, item, parts: () => headerItems(analysis.header) }
      continue
    }
    const facts = factsOf(segment)
    if (!facts) {
      yield { located, depth: 0, item: otherItem(segment), parts: nothing }
      continue
    }
    const isUser = facts.role === 'user'
    if (isUser && !wasUser) {
      turns++
      const { words, ...places } = messageItem(segment)
      const item = { ...places, kind: 'turn', name: localize`Turn ${turns}`, detail: words } as const
      yield { located, depth: 0, item, parts: nothing }
    }
    wasUser = isUser
    if (scope === 'turns' || (scope === 'visible' && !isVisible(facts))) continue
    const item =
      facts.isPrompt && segment === analysis.lastSegment ? promptItem(segment) : messageItem(segment)
    yield {
      located,
      depth: turns === 0 ? 0 : 1,
      item,
      parts: scope === 'messages' ? () => bodyItems(segment) : nothing,
    }
  }
}

function headerItem(analysis: Analysis, located: Located): OutlineItem | undefined {
  if (!analysis.header.isPresent) return undefined
  const { yaml, fences } = preambleView(located.segment)
  const from = fences[0]?.from ?? yaml?.from ?? 0
  // Without the line break after it: where the first message begins, the cursor is no longer in the header.
  const written = located.segment.text.slice(0, Math.max(fences.at(-1)?.to ?? 0, yaml?.to ?? 0))
  const to = Math.max(from, written.trimEnd().length)
  const span = { from, to }
  const detail = `OpenChatML ${analysis.dialect}`
  return { kind: 'header', name: localize`Header`, detail, span, label: span }
}

const otherItem = perValue(({ kind, length }: Segment): OutlineItem => {
  const name = kind === 'fim' ? localize`Fill in the middle` : localize`File`
  return { kind: 'other', name, detail: '', span: { from: 0, to: length }, label: { from: 0, to: 0 } }
})

interface MessageItem extends OutlineItem {
  /** The first words of the body. */
  readonly words: string
}

const messageItem = perValue((segment: Segment): MessageItem => {
  const facts = factsOf(segment)
  const view = viewMessage(segment)
  const end = Math.max(view.end, 0)
  const headEnd = Math.min(end, view.roleWord?.span.to ?? view.start.to)
  const words = firstWords(segment, view)
  const places = { words, span: { from: 0, to: end }, label: { from: 0, to: headEnd } }
  if (!facts) return { ...places, kind: 'other', name: words, detail: '' }
  const tool = isCall(facts) || isReply(facts) ? toolNameOf(facts) : undefined
  const speaker = speakerOf(facts)
  const detail = [
    facts.channel ?? localize`unknown channel`,
    ...(isVisible(facts) ? [] : [localize`hidden`]),
  ].join(' · ')
  const spoken = words === '' ? speaker : `${speaker}: ${words}`
  const name = tool === undefined ? spoken : `${isCall(facts) ? '→' : '←'} ${withoutFunctionPrefix(tool)}`
  return { ...places, kind: symbolKindOf(facts), name, detail }
})

/** What a message is that asks for the next one. */
function promptItem(segment: Segment): OutlineItem {
  const { span, label } = messageItem(segment)
  const facts = factsOf(segment)
  const speaker = facts ? speakerOf(facts) : ''
  return { kind: 'other', name: `${speaker} …`, detail: localize`generation prompt`, span, label }
}

function speakerOf({ role, roleWord }: MessageFacts): string {
  return role ?? roleWord ?? localize`unknown role`
}

const bodyItems = perValue((segment: Segment): readonly OutlinePart[] => bodyParts(segment).map(partItem))
const headerItems = perValue((header: DocumentHeader): readonly OutlinePart[] =>
  headerParts(header).map(partItem),
)

function partItem({ depth, kind, name, detail, from, to, label }: BodyPart | HeaderPart): OutlinePart {
  return { depth, kind, name, detail, span: { from, to }, label }
}

/** For readers, what the assistant says is either shown or not. */
function symbolKindOf(facts: MessageFacts): SymbolKind {
  const kind = kindOf(facts)
  if (kind === 'call' || kind === 'reply' || kind === 'user' || kind === 'instructions') return kind
  if (facts.role === undefined) return 'other'
  return isVisible(facts) ? 'answer' : 'reasoning'
}

const wordsAtMost = 36 // code units; an outline is narrow, and the channel follows
const bodyLookedAt = 400

function firstWords(segment: Segment, view: MessageView): string {
  const line = messageBeginning(segment, view, bodyLookedAt).replace(/\s+/g, ' ').trim()
  if (line.length <= wordsAtMost) return line
  const cut = line.slice(0, wordsAtMost)
  // Neither half a word nor half a character.
  return `${cut.replace(/[\ud800-\udbff]$/, '').replace(/\s\S{0,15}$/, '')}…`
}
