/** What a filled prompt consists of, and what has to be counted to know its size: messages, sections, and tool definitions. */
import { openEnd, tokenParts } from '../convert/message-tokens.ts'
import { markdownBlocks } from '../embedded/markdown-blocks.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { declarationsOf, wholeBody } from '../semantics/tool-declarations.ts'
import { bodySpan } from '../syntax/message-view.ts'
import type { Range } from '../text/range.ts'

/** A message, a section of its body with the sections below it, or the definition of a tool. */
export interface PromptItem {
  readonly kind: 'message' | 'section' | 'tool'
  /** The role of a message, the heading of a section, the name of a tool. */
  readonly name: string
  /** In the transcript. */
  readonly range: Range
  /** Where it begins to say something: for a message, its body. */
  readonly start: number
  /** Special tokens, one each. */
  readonly specials: number
  /** What is counted besides. */
  readonly texts: readonly string[]
}

/** An item with its size. */
export interface MeasuredItem extends Pick<PromptItem, 'kind' | 'name' | 'range' | 'start'> {
  readonly tokens: number
}

const limits = { sections: 500 } // of a message

/** The items of the transcript in order, outer before inner. */
export function promptOutline(analysis: Analysis): readonly PromptItem[] {
  const items: PromptItem[] = []
  const end = openEnd(analysis)
  for (const { segment, start } of analysis.transcript.segments()) {
    const facts = factsOf(segment)
    if (!facts?.isMessage) continue
    const { specials, header, body } = tokenParts(analysis, segment, { isOpenEnd: segment === end })
    const source = wholeBody(segment, facts)
    items.push({
      kind: 'message',
      name: facts.role ?? '',
      range: { start, end: start + segment.length },
      start: start + (bodySpan(segment)?.from ?? 0),
      specials,
      texts: [...header, ...body],
    })
    if (!source) continue
    const inside = (kind: 'section' | 'tool', name: string, range: Range, text: string) => {
      const { from, to } = source.spanOf(range)
      items.push({
        kind,
        name,
        range: { start: start + from, end: start + to },
        start: start + from,
        specials: 0,
        texts: [text],
      })
    }
    for (const { title, ...range } of markdownBlocks(source.text, limits).sections)
      inside('section', title, range, source.text.slice(range.start, range.end))
    for (const { name, range, text } of declarationsOf(segment)?.definitions ?? [])
      inside('tool', name, range, text)
  }
  return items.sort((one, other) => one.range.start - other.range.start || other.range.end - one.range.end)
}

/** All texts that are to be counted, in order. */
export function textsToCount(items: readonly PromptItem[]): readonly string[] {
  return items.flatMap(({ texts }) => texts)
}

/** The sizes of `items`, where `counts` are those of {@link textsToCount}. */
export function measuredItems(
  items: readonly PromptItem[],
  counts: readonly number[],
): readonly MeasuredItem[] {
  let at = 0
  return items.map(({ kind, name, range, start, specials, texts }) => {
    let tokens = specials
    for (const end = at + texts.length; at < end; at++) tokens += counts[at] ?? 0
    return { kind, name, range, start, tokens }
  })
}

/** The tokens of all messages. */
export function totalTokens(items: readonly MeasuredItem[]): number {
  return items.reduce((sum, { kind, tokens }) => (kind === 'message' ? sum + tokens : sum), 0)
}
