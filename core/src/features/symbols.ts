/** The outline: turns, and in them messages, with role, channel, tool and first words. */

import type { Located } from '../document/segment-list.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf, isCall, isReply, type MessageFacts, toolNameOf } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'

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

/** An entry of the outline. */
export interface OutlineEntry {
  /** 0 for what stands at the top, 1 for what belongs to the last entry with depth 0 before it. */
  readonly depth: 0 | 1
  readonly kind: SymbolKind
  readonly name: string
  /** Channel and visibility; for a turn, its first words. */
  readonly detail: string
  /** The whole of it; for a turn, its first message only: what follows with depth 1 belongs to it. */
  readonly range: Range
  /** What to show when it is chosen; within `range`. */
  readonly selection: Range
}

/**
 * The entries in document order, made one by one. A turn begins with a user message that no user message precedes.
 * The outline is for authors: first words of hidden messages are in it, and the detail says that they are hidden.
 */
export function* outline(analysis: Analysis): IterableIterator<OutlineEntry> {
  let turns = 0
  let wasUser = false
  for (const located of analysis.transcript.segments()) {
    const { segment } = located
    if (segment.kind === 'preamble') {
      yield* headerEntry(analysis, located)
      continue
    }
    const facts = factsOf(segment)
    if (!facts) {
      yield entry(located, {
        depth: 0,
        kind: 'other',
        name: segment.kind === 'fim' ? localize`Fill in the middle` : localize`File`,
        detail: '',
      })
      continue
    }
    const isUser = facts.role === 'user'
    const view = viewMessage(segment)
    if (isUser && !wasUser) {
      turns++
      yield entry(located, {
        depth: 0,
        kind: 'turn',
        name: localize`Turn ${turns}`,
        detail: firstWords(segment, view),
      })
    }
    wasUser = isUser
    yield messageEntry(analysis, { located, facts, view, depth: turns === 0 ? 0 : 1 })
  }
}

function* headerEntry(analysis: Analysis, located: Located): IterableIterator<OutlineEntry> {
  if (!analysis.header.isPresent) return
  const { yaml, fences } = preambleView(located.segment)
  const from = fences[0]?.from ?? yaml?.from ?? 0
  const to = Math.max(from, fences.at(-1)?.to ?? 0, yaml?.to ?? 0)
  const range = { start: located.start + from, end: located.start + to }
  yield {
    depth: 0,
    kind: 'header',
    name: localize`Header`,
    detail: `OpenChatML ${analysis.dialect}`,
    range,
    selection: range,
  }
}

interface MessagePlace {
  readonly located: Located
  readonly facts: MessageFacts
  readonly view: MessageView
  readonly depth: 0 | 1
}

function messageEntry(analysis: Analysis, { located, facts, view, depth }: MessagePlace): OutlineEntry {
  const { segment } = located
  const speaker = facts.role ?? facts.roleWord ?? localize`unknown role`
  if (facts.isPrompt && segment === analysis.lastSegment) {
    return entry(located, { depth, kind: 'other', name: `${speaker} …`, detail: localize`generation prompt` })
  }
  const tool = isCall(facts) || isReply(facts) ? toolNameOf(facts) : undefined
  const arrow = isCall(facts) ? ' →' : ''
  const head = `${speaker}${arrow}${tool === undefined ? '' : ` ${tool}`}`
  const words = firstWords(segment, view)
  const detail = [
    facts.channel ?? localize`unknown channel`,
    ...(isVisible(facts) ? [] : [localize`hidden`]),
  ].join(' · ')
  return entry(located, {
    depth,
    kind: kindOf(facts),
    name: words === '' ? head : `${head}: ${words}`,
    detail,
  })
}

function kindOf(facts: MessageFacts): SymbolKind {
  if (isCall(facts)) return 'call'
  switch (facts.role) {
    case 'tool':
      return 'reply'
    case 'user':
      return 'user'
    case 'system':
    case 'developer':
      return 'instructions'
    case 'assistant':
      return isVisible(facts) ? 'answer' : 'reasoning'
    case undefined:
      return 'other'
    default:
      return facts.role satisfies never
  }
}

const wordsAtMost = 60 // code units; an outline is narrow
const bodyLookedAt = 400

function firstWords({ text }: Segment, { body }: MessageView): string {
  if (!body) return ''
  const beginning = text.slice(body.from, Math.min(body.to, body.from + bodyLookedAt))
  const line = beginning.replace(/\s+/g, ' ').trim()
  if (line.length <= wordsAtMost) return line
  const cut = line.slice(0, wordsAtMost)
  // Neither half a word nor half a character.
  return `${cut.replace(/[\ud800-\udbff]$/, '').replace(/\s\S{0,15}$/, '')}…`
}

function entry(
  { segment, start }: Located,
  data: Pick<OutlineEntry, 'depth' | 'kind' | 'name' | 'detail'>,
): OutlineEntry {
  const view = segment.kind === 'message' ? viewMessage(segment) : undefined
  const range = { start, end: start + Math.max(view?.end ?? segment.length, 0) }
  const headEnd = view ? (view.roleWord?.span.to ?? view.start.to) : 0
  return { ...data, range, selection: { start, end: Math.min(range.end, start + headEnd) } }
}
