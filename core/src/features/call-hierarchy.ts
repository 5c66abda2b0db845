/** Who calls what: turns call tools, and a tool is called from turns. */
import type { Located } from '../document/segment-list.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { messageBeginning } from '../semantics/message-beginning.ts'
import { factsOf, isCall } from '../semantics/message-facts.ts'
import { placeAt, rangeIn } from '../semantics/place.ts'
import { definitionOf, placesIn, toolPlaceAt } from '../semantics/tool-places.ts'
import { signatureOf } from '../semantics/tool-text.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { append } from '../text/append.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'

/** A tool or a turn. */
export interface CallHierarchyItem {
  readonly kind: 'tool' | 'turn'
  /** The tool as calls write it; for a turn, its number as in the outline. */
  readonly name: string
  /** The signature of the tool, or the first words of the turn. */
  readonly detail: string
  /** The definition, or the first call where there is none; the message that opens the turn. */
  readonly range: Range
  readonly selection: Range
}

/** An item and the calls that lead to it or away from it. */
export interface HierarchyCall {
  readonly item: CallHierarchyItem
  /** Where the calls name the tool, in document order. */
  readonly calls: readonly Range[]
}

/** The tool at `offset`, or else the turn; undefined before the first turn. */
export function hierarchyItemAt(analysis: Analysis, offset: number): CallHierarchyItem | undefined {
  const tool = toolPlaceAt(analysis, offset)
  if (tool) return toolItem(analysis, tool.name, tool.segment)
  const { index } = placeAt(analysis, offset)
  const start = turnStart(analysis, index)
  return start && turnItems(analysis, [start])[0]
}

/** The turns that call the tool of `item`; no one calls a turn. */
export function incomingCalls(
  analysis: Analysis,
  { kind, name }: CallHierarchyItem,
): readonly HierarchyCall[] {
  if (kind !== 'tool') return []
  const turns = new Map<Segment, { readonly start: Located; readonly calls: Range[] }>()
  let before: { readonly index: number; readonly start: Located | undefined } | undefined
  for (const segment of analysis.exchanges.withTool(name)) {
    const facts = factsOf(segment)
    const located = analysis.transcript.locate(segment)
    if (!facts || !isCall(facts) || !located) continue
    before = { index: located.index, start: turnStart(analysis, located.index, before) }
    const start = before.start ?? firstMessage(analysis) ?? located
    const turn = turns.get(start.segment) ?? { start, calls: [] }
    turns.set(start.segment, turn)
    append(
      turn.calls,
      placesIn(analysis, segment).map(({ whole }) => whole),
    )
    if (turns.size >= itemsAtMost) break
  }
  const items = turnItems(
    analysis,
    [...turns.values()].map((it) => it.start),
  )
  return [...turns.values()].flatMap(({ calls }, index) => {
    const item = items[index]
    return item ? [{ item, calls }] : []
  })
}

/** The tools that the turn of `item` calls; tools call no one that the transcript knows of. */
export function outgoingCalls(
  analysis: Analysis,
  { kind, range }: CallHierarchyItem,
): readonly HierarchyCall[] {
  if (kind !== 'turn') return []
  const tools = new Map<string, { readonly item: CallHierarchyItem; readonly calls: Range[] }>()
  const { transcript } = analysis
  const first = transcript.segmentAt(Math.min(range.start, transcript.length))
  let isInside = false
  for (const { segment, index } of transcript.segments(first.index)) {
    const facts = factsOf(segment)
    if (facts?.role !== 'user') isInside = true
    else if (isInside || index - first.index > turnAtMost) break
    if (!facts || !isCall(facts) || facts.to === undefined) continue
    const key = analysis.tools.keyOf(facts.to)
    const tool = tools.get(key) ?? { item: toolItem(analysis, facts.to, segment), calls: [] }
    tools.set(key, tool)
    append(
      tool.calls,
      placesIn(analysis, segment).map(({ whole }) => whole),
    )
  }
  return [...tools.values()]
}

const itemsAtMost = 1000 // of one list
const turnAtMost = 10_000 // messages of one turn

function toolItem(analysis: Analysis, name: string, at: Segment): CallHierarchyItem {
  const known = definitionOf(analysis, name, at)
  const located = known?.declared && analysis.transcript.locate(known.declared.segment)
  const detail = known ? signatureOf(known.definition) : ''
  if (known?.declared && located) {
    const { definition, source } = known.declared
    const range = rangeIn(located, source.spanOf(definition.range))
    return {
      kind: 'tool',
      name,
      detail,
      range,
      selection: rangeIn(located, source.spanOf(definition.nameRange)),
    }
  }
  const [place] = placesIn(analysis, at)
  const range = place?.whole ?? { start: 0, end: 0 }
  return { kind: 'tool', name, detail, range, selection: range }
}

/**
 * The first of the user messages that open the turn of the segment at `index`. Of a segment `before`, that is known: from there
 * on nothing is looked at again.
 */
function turnStart(
  { transcript }: Analysis,
  index: number,
  before?: { readonly index: number; readonly start: Located | undefined },
): Located | undefined {
  let at = index
  const last = Math.max(1, index - turnAtMost, before?.index ?? 0)
  while (at >= last && !isUser(transcript.segment(at).segment)) at--
  if (at < last) return before && before.index >= index - turnAtMost ? before.start : undefined
  while (at > 1 && isUser(transcript.segment(at - 1).segment)) at--
  return transcript.segment(at)
}

/** Before the first user message, what there is counts as one turn. */
function firstMessage({ transcript }: Analysis): Located | undefined {
  const first = transcript.findFirstSegment(({ kind }) => kind === 'message')
  return first && transcript.locate(first)
}

function isUser(segment: Segment): boolean {
  return factsOf(segment)?.role === 'user'
}

const wordsAtMost = 60 // code units

/** The items of turns that begin at `starts`; one pass over the messages up to the last of them. */
function turnItems(analysis: Analysis, starts: readonly Located[]): readonly CallHierarchyItem[] {
  const numbers = new Map<Segment, number>(starts.map(({ segment }) => [segment, 0]))
  let left = numbers.size
  let turns = 0
  let wasUser = false
  analysis.transcript.findFirstSegment((segment) => {
    const isUserNow = isUser(segment)
    if (isUserNow && !wasUser) turns++
    wasUser = isUserNow
    if (!numbers.has(segment)) return false
    numbers.set(segment, turns)
    left--
    return left === 0
  })
  return starts.map((start) => turnItem(start, numbers.get(start.segment) ?? 0))
}

function turnItem({ segment, start }: Located, number: number): CallHierarchyItem {
  const view = messageView(segment)
  const { end, roleWord, start: token } = view
  const words = messageBeginning(segment, view, wordsAtMost)
  return {
    kind: 'turn',
    name: number === 0 ? localize`Before turn 1` : localize`Turn ${number}`,
    detail: words.replace(/\s+/g, ' ').trim(),
    range: { start, end: start + end },
    selection: { start, end: start + (roleWord?.span.to ?? token.to) },
  }
}
