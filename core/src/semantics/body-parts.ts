/** What a long body consists of, as a reader names it: headings of Markdown, members of JSON, tools that it defines. */

import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import { markdownBlocks } from '../embedded/markdown-blocks.ts'
import { isPrivatePiece, renderedPieces } from '../syntax/body.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken, TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { perValue } from '../text/memo.ts'
import type { Range, Span } from '../text/range.ts'
import { shortened } from '../text/shortened.ts'
import { contentTypes } from '../vocabulary/attributes.ts'
import { bodyText } from './body-text.ts'
import { factsOf, isCall, isReply, type MessageFacts } from './message-facts.ts'
import { declarationsOf } from './tool-declarations.ts'
import { isVisible } from './visibility.ts'

/** What a part is. */
export type BodyPartKind = 'heading' | 'object' | 'array' | 'value' | 'tool'

/** A part of a body, relative to its segment. */
export interface BodyPart extends Span {
  /** 0 for what is at the top of the body. */
  readonly depth: number
  readonly kind: BodyPartKind
  readonly name: string
  /** For a value of JSON, the value. */
  readonly detail: string
  /** Where its name is, within the span. */
  readonly label: Span
}

const markdown = contentTypes[2]?.name
const partsAtMost = 100 // of one message: a longer outline is of no use
const deepest = 3 // levels of JSON
const longestText = 200_000 // code units that are looked at in one message

/** The parts of the body of `segment` in order of the text, outer before inner; at most a hundred. */
export const bodyParts = perValue((segment: Segment): readonly BodyPart[] => {
  const facts = factsOf(segment)
  if (!facts?.isMessage || segment.length > longestText) return []
  const view = viewMessage(segment)
  if (!view.body) return []
  const beginning = segment.text
    .slice(view.body.from, Math.min(view.body.to, view.body.from + 40))
    .trimStart()
  if (/^[{[]/.test(beginning)) {
    const source = bodyText(segment, facts)
    const root = source && jsonTree(source.text).root
    if (!source || !root) return []
    const parts: BodyPart[] = []
    addMembers(parts, root, { depth: 0, spanOf: (range) => source.spanOf(range) })
    return parts
  }
  const headings = isMarkdown(facts) ? headingsIn(segment, view.body, view) : []
  return nested([...headings, ...toolsIn(segment)])
})

/** True if a reader takes the body for Markdown: what tools say and get is only where the message says so. */
export function isMarkdown(facts: MessageFacts): boolean {
  if (facts.contentType !== undefined) return facts.contentType === markdown
  return facts.constraint === undefined && !isCall(facts) && !isReply(facts)
}

interface JsonPlace {
  readonly depth: number
  readonly spanOf: (range: Range) => Span
}

/** Members of objects by key, and those of arrays that hold something by number. */
function addMembers(parts: BodyPart[], node: JsonNode, { depth, spanOf }: JsonPlace): void {
  if (depth >= deepest) return
  for (const [index, child] of (node.children ?? []).entries()) {
    const [key, value] = child.type === 'property' ? (child.children ?? []) : [undefined, child]
    const isHolder = value?.type === 'object' || value?.type === 'array'
    if (!key && !isHolder) continue
    if (parts.length >= partsAtMost) return
    const span = spanOf(rangeOf(child))
    parts.push({
      ...span,
      depth,
      kind: value?.type === 'object' || value?.type === 'array' ? value.type : 'value',
      name: key ? outlineWords(String(key.value)) : `${index}`,
      detail: value && !isHolder ? outlineWords(JSON.stringify(value.value) ?? '') : '',
      label: key ? spanOf(rangeOf(key)) : { from: span.from, to: span.from + 1 },
    })
    if (value) addMembers(parts, value, { depth: depth + 1, spanOf })
  }
}

function rangeOf({ offset, length }: JsonNode): Range {
  return { start: offset, end: offset + length }
}

type FlatPart = Omit<BodyPart, 'depth'>

function headingsIn(segment: Segment, body: Span, view: MessageView): readonly FlatPart[] {
  const isPlain = view.isPlainBody && factsOf(segment)?.isPlainBody === true
  const text = isPlain ? segment.text.slice(body.from, body.to) : plainText(segment, body)
  return markdownBlocks(text, { sections: partsAtMost }).sections.map(({ title, start, end, titleEnd }) => ({
    kind: 'heading',
    name: outlineWords(title),
    detail: '',
    from: body.from + start,
    to: body.from + trimmedEnd(text, end),
    label: { from: body.from + start, to: body.from + titleEnd },
  }))
}

/** The text of a body in which a reader finds Markdown: no literal blocks, and of a message that users see, no thoughts. */
function plainText(segment: Segment, body: Span): string {
  const text = withoutLiterals(segment, body)
  const facts = factsOf(segment)
  if (!facts || !isVisible(facts)) return text
  const parts: string[] = []
  let at = 0
  const pieces = renderedPieces(segment)
  for (const [index, { kind, span }] of pieces.entries()) {
    if (!isPrivatePiece(kind, facts.role)) continue
    const from = span.from - body.from
    parts.push(text.slice(at, from))
    at = (pieces[index + 1]?.span.from ?? body.to) - body.from // the span is that of the marker
    parts.push(dotted(text.slice(from, at)))
  }
  return parts.join('') + text.slice(at)
}

/** A text of the same lines and length that says nothing. */
function dotted(text: string): string {
  return text.replace(/[^\r\n]/g, '.')
}

/** The text of a body; what is in literal blocks is not Markdown. */
export function withoutLiterals(segment: Segment, { from, to }: Span): string {
  const pieces: string[] = []
  let at = from
  for (const token of eachToken(tokensOf(segment))) {
    if (token.kind !== TokenKind.literalText || token.from < at || to < token.to) continue
    pieces.push(segment.text.slice(at, token.from))
    pieces.push(dotted(segment.text.slice(token.from, token.to)))
    at = token.to
  }
  return pieces.join('') + segment.text.slice(at, to)
}

function toolsIn(segment: Segment): readonly FlatPart[] {
  const declarations = declarationsOf(segment)
  if (!declarations) return []
  return declarations.definitions.slice(0, partsAtMost).map(({ name, description, range, nameRange }) => {
    const span = declarations.source.spanOf(range)
    const label = declarations.source.spanOf(nameRange)
    const from = Math.min(span.from, label.from)
    return {
      kind: 'tool',
      name,
      detail: outlineWords(description),
      from,
      to: Math.max(span.to, label.to),
      label,
    }
  })
}

/** The parts with their depth: one that is in another belongs to it, and what reaches out of it ends with it. */
function nested(flat: readonly FlatPart[]): readonly BodyPart[] {
  const open: number[] = [] // where the parts end that contain the current place
  return [...flat]
    .sort((one, other) => one.from - other.from || other.to - one.to)
    .slice(0, partsAtMost)
    .map((part) => {
      while ((open.at(-1) ?? Number.POSITIVE_INFINITY) <= part.from) open.pop()
      const to = Math.min(part.to, open.at(-1) ?? part.to)
      const depth = open.length
      open.push(to)
      return { ...part, to, depth, label: { from: part.label.from, to: Math.min(part.label.to, to) } }
    })
}

function trimmedEnd(text: string, end: number): number {
  let at = end
  while (at > 0 && text.charCodeAt(at - 1) <= 32) at--
  return at
}

const wordsAtMost = 60 // code units; an outline is narrow

/** The beginning of `text` on one line, as an outline shows it. */
export function outlineWords(text: string): string {
  const line = text
    .slice(0, 4 * wordsAtMost)
    .replace(/\s+/g, ' ')
    .trim()
  return shortened(line, wordsAtMost)
}
