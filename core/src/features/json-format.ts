/** Lays out JSON in a body where someone selects it and asks for that. Nothing else ever changes a body. */
import { format } from 'jsonc-parser'
import { lineBreakOf } from '../document/line-break.ts'
import { jsonBody } from '../embedded/json-body.ts'
import { fitsOnLines } from '../embedded/json-layout.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Range, TextEdit } from '../text/range.ts'

/** What the editor indents with. */
export interface JsonFormatOptions {
  /** Columns of one level. */
  readonly tabSize: number
  /** False to indent with tabs. */
  readonly insertSpaces: boolean
}

const longestBody = 1_000_000 // code units

/**
 * The edits that lay out what `range` touches of the JSON in a body, in order of the text; they change white space between
 * tokens only. Undefined unless the range is in a body that is a JSON object or list, so that formatting a document,
 * or a stretch of it, leaves bodies as they are.
 */
export function jsonFormatEdits(
  analysis: Analysis,
  range: Range,
  { tabSize, insertSpaces }: JsonFormatOptions,
): readonly TextEdit[] | undefined {
  const { transcript } = analysis
  if (range.end > transcript.length || range.start < 0) return undefined
  const { segment, start } = transcript.segmentAt(range.start)
  const facts = factsOf(segment)
  if (!facts?.isMessage || !facts.isPlainBody) return undefined
  const { body } = messageView(segment)
  if (!body || range.start < start + body.from || start + body.to < range.end) return undefined
  const text = segment.text.slice(body.from, body.to)
  if (!/^\s*[[{]/.test(text) || text.length > longestBody || !jsonBody(text).ok) return undefined
  const origin = start + body.from
  const eol = lineBreakOf(transcript)
  if (!fitsOnLines(text, { eol, indent: insertSpaces ? ' '.repeat(tabSize) : '\t' })) return undefined
  const selected = { offset: range.start - origin, length: range.end - range.start }
  return format(text, selected, { tabSize, insertSpaces, eol }).map(({ offset, length, content }) => ({
    start: origin + offset,
    end: origin + offset + length,
    text: content,
  }))
}
