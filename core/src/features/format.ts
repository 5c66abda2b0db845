/**
 * Formats a transcript: the white space of the YAML header, the order and spacing of message headers, and the white space
 * between messages. Bodies and everything that is not plainly understood stay byte for byte; the messages mean what they meant.
 */

import { lineBreakOf, mayBreakLines } from '../document/line-break.ts'
import type { Located } from '../document/segment-list.ts'
import { Transcript } from '../document/transcript.ts'
import { yamlFormatEdits } from '../embedded/yaml-format.ts'
import type { SpanEdit } from '../rules/rule.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { headerOf } from '../semantics/document-settings.ts'
import { HeaderMemory } from '../semantics/header-memory.ts'
import { inOrder, orderFor } from '../semantics/message-header.ts'
import { type AttributeView, type MessageView, viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { SyntaxProblemKind } from '../syntax/syntax-problem.ts'
import type { Range, Span, TextEdit } from '../text/range.ts'
import type { Role } from '../vocabulary/roles.ts'

/** What users may choose. */
export interface FormatOptions {
  /** True for an empty line between two messages. */
  readonly blankLines: boolean
}

/**
 * The edits that format the headers and gaps of which `range` has a part, in order of the text, made one by one. Raw Harmony
 * text has none: every byte between its tokens counts there.
 */
export function* formatEdits(
  analysis: Analysis,
  range: Range,
  options: FormatOptions,
): IterableIterator<TextEdit> {
  const { transcript } = analysis
  if (transcript.framing.name === 'harmony') return
  const gap = gapFor(transcript, options)
  const start = Math.max(0, Math.min(range.start, transcript.length))
  yield* preambleEdits(analysis, range)
  const headers = new HeaderMemory<SpanEdit | undefined>()
  // The white space after a message ends where the next one begins, so a cursor there is in it too.
  for (const located of transcript.segments(Math.max(0, transcript.segmentAt(start).index - 1))) {
    if (located.start > range.end) return
    const { segment } = located
    if (segment.kind !== 'message') continue
    let view: MessageView | undefined
    const read = () => {
      view ??= viewMessage(segment)
      return view
    }
    const header = headers.of(segment, () => headerEdit(segment, read()))
    for (const edit of [inDocument(header, located.start), gapEdit(transcript, located, { read, gap })]) {
      if (edit && hasPart(range, edit)) yield edit
    }
  }
}

/** What merely borders on a selection is outside of it; a cursor, and an insertion, has a place only. */
function hasPart({ start, end }: Range, edit: TextEdit): boolean {
  const isPlace = start === end || edit.start === edit.end
  return isPlace ? edit.start <= end && edit.end >= start : edit.start < end && edit.end > start
}

/**
 * The edits that change nothing but the white space between messages: to a line break, so that each begins on the line
 * after the one before, or to an empty line. Made one by one.
 */
export function* gapEdits(analysis: Analysis, options: FormatOptions): IterableIterator<TextEdit> {
  const { transcript } = analysis
  if (transcript.framing.name === 'harmony') return
  const gap = gapFor(transcript, options)
  for (const located of transcript.segments()) {
    if (located.segment.kind !== 'message') continue
    const edit = gapEdit(transcript, located, { read: () => viewMessage(located.segment), gap })
    if (edit) yield edit
  }
}

function preambleEdits(analysis: Analysis, range: Range): readonly TextEdit[] {
  const { preamble, header, transcript } = analysis
  if (preamble.kind !== 'preamble' || !header.yaml.value) return []
  const { offset } = header
  const moved = ({ start, end, text }: TextEdit) => ({ start: offset + start, end: offset + end, text })
  const last = transcript.segmentCount === 1 ? lastEdit(analysis) : undefined
  const edits = yamlFormatEdits(header.yaml, (it) => hasPart(range, moved(it))).map(moved)
  if (!last || !hasPart(range, last)) return edits
  return [...edits.filter(({ end }) => end <= last.start), last]
}

/** A header without messages is the end of the document. A value of YAML may have line breaks at its end, which stay. */
function lastEdit({ preamble, header, transcript }: Analysis): TextEdit | undefined {
  const { text } = preamble
  const start = text.trimEnd().length
  const space = text.slice(start)
  const wanted = lineBreakOf(transcript)
  if (space === wanted || /[^ \t\r\n]/.test(space)) return undefined
  const after = Transcript.parse(text.slice(0, start) + wanted, { dialect: transcript.forcedDialect })
  const { value } = headerOf(after.segment(0).segment).yaml
  if (JSON.stringify(value) !== JSON.stringify(header.yaml.value)) return undefined
  return { start, end: text.length, text: wanted }
}

/** White space between two messages, and at the end of the document; undefined where it has to stay. */
interface Gap {
  readonly between: string
  readonly atEnd: string
}

function gapFor(transcript: Transcript, { blankLines }: FormatOptions): Gap | undefined {
  if (!mayBreakLines(transcript)) return undefined
  const lineBreak = lineBreakOf(transcript)
  return { between: blankLines ? lineBreak + lineBreak : lineBreak, atEnd: lineBreak }
}

/** `read` makes the view of the message, where it is needed. */
function gapEdit(
  transcript: Transcript,
  { segment, index, start }: Located,
  { read, gap }: { readonly read: () => MessageView; readonly gap: Gap | undefined },
): TextEdit | undefined {
  const end = gap && messageEnd(segment, read)
  if (!gap || end === undefined) return undefined
  const space = segment.text.slice(end)
  if (!/^[ \t\r\n]*$/.test(space)) return undefined
  const isLast = index === transcript.segmentCount - 1
  if (!isLast && transcript.segment(index + 1).segment.kind !== 'message') return undefined
  const wanted = isLast ? gap.atEnd : gap.between
  return space === wanted ? undefined : { start: start + end, end: start + segment.length, text: wanted }
}

/** Where the message ends; undefined if nothing ends it, or if stray text is after it. */
function messageEnd({ text, framing, plainBodyEnd }: Segment, read: () => MessageView): number | undefined {
  if (plainBodyEnd > 0) return plainBodyEnd + framing.matcher.tokenAtOpening(text, plainBodyEnd).length
  const { terminator, stray, end } = read()
  return terminator && !stray ? end : undefined
}

/** What may be wrong with a message whose header is formatted all the same. */
const harmless: ReadonlySet<SyntaxProblemKind> = new Set([
  'space-after-token',
  'unknown-role',
  'unknown-attribute',
  'bare-content-type',
  'token-in-body',
  'open-literal',
  'open-thought',
  'stray-text',
] satisfies SyntaxProblemKind[])

function inDocument(edit: SpanEdit | undefined, start: number): TextEdit | undefined {
  return edit && { start: start + edit.span.from, end: start + edit.span.to, text: edit.text }
}

function headerEdit(segment: Segment, view: MessageView): SpanEdit | undefined {
  const { message, roleWord, channel, constraint, problems, surplus } = view
  if (!message || !roleWord || message.from === message.to || isLineBreakHeader(segment)) return undefined
  if (surplus.length > 0 || problems.some(({ kind }) => !harmless.has(kind))) return undefined
  const isOrdered = view.attributes.every(
    ({ name, isBehindChannel }) =>
      !isBehindChannel ||
      (channel !== undefined && name.span.from < (constraint?.marker.from ?? message.from)),
  )
  if (!isOrdered) return undefined
  const written = headerText(segment, view)
  const span = { from: view.start.to, to: message.from }
  return segment.text.slice(span.from, span.to) === written ? undefined : { span, text: written }
}

function isLineBreakHeader({ framing }: Segment): boolean {
  return framing.headerEnd === 'line-break'
}

/** What is between the start token and the message token. */
function headerText(segment: Segment, view: MessageView): string {
  const { roleWord, role, channel, constraint, bareContentType } = view
  const before = ordered(view.attributes, role).filter(({ isBehindChannel }) => !isBehindChannel)
  const behind = ordered(view.attributes, role).filter(({ isBehindChannel }) => isBehindChannel)
  const words = [roleWord?.text ?? '', ...before.map((it) => attributeText(segment, it))]
  const rest = behind.map((it) => attributeText(segment, it))
  if (bareContentType) rest.push(bareContentType.text)
  return [
    words.join(' '),
    channel ? markedText(segment, channel.marker, channel.value?.span) : '',
    ...rest.map((it) => ` ${it}`),
    constraint ? markedText(segment, constraint.marker, constraint.value?.span) : '',
  ].join('')
}

function markedText({ text }: Segment, marker: Span, value: Span | undefined): string {
  return text.slice(marker.from, marker.to) + (value ? text.slice(value.from, value.to) : '')
}

function attributeText({ text }: Segment, { name, value }: AttributeView): string {
  return text.slice(name.span.from, value?.span.to ?? name.span.to + 1)
}

/** Known attributes in their order, then the unknown ones as they stand. */
function ordered(attributes: readonly AttributeView[], role: Role | undefined): readonly AttributeView[] {
  return inOrder(attributes, orderFor(role), ({ name }) => name.text)
}
