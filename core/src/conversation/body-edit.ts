/** Rewrites the text of a message as the text of its body. */
import { Transcript } from '../document/transcript.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { editableText } from '../semantics/editable-text.ts'
import { visibleText } from '../semantics/visibility.ts'
import { bodySpan } from '../syntax/message-view.ts'
import { withLineFeeds } from '../text/long-text.ts'
import type { TextEdit } from '../text/range.ts'
import { escapeBody } from './escape-body.ts'

/** What a reader saw of a message, and what they want it to say. */
export interface BodyChange {
  readonly before: string
  readonly text: string
}

/**
 * Why a message cannot be given a text: it has `changed` and does not say what the reader saw; or the text is `unfit`, because
 * it would become something else in the source, or change another message.
 */
export type BodyRefusal = 'changed' | 'unfit'

/**
 * The edit after which the message at `offset` says `text`, to the readers who can see what it says now, and only to them. One
 * line break in `before` is like another: fields of pages don't keep them.
 */
export function bodyEdit(
  { transcript }: Analysis,
  offset: number,
  { before, text }: BodyChange,
): TextEdit | BodyRefusal {
  if (offset < 0 || transcript.length <= offset) return 'changed'
  const { segment, start } = transcript.segmentAt(offset)
  const body = bodySpan(segment)
  const says = editableText(segment)
  if (!body || says === undefined) return 'changed'
  const edit = { start: start + body.from, end: start + body.to, text: escapeBody(text) }
  const whole = transcript.text()
  const written = whole.slice(0, edit.start) + edit.text + whole.slice(edit.end)
  const after = analyze(Transcript.parse(written, { dialect: transcript.forcedDialect })).transcript
  const isAlone =
    after.segmentCount === transcript.segmentCount &&
    after.length - transcript.length === edit.text.length - (edit.end - edit.start)
  const now = after.segmentAt(start).segment
  const isSame = (visibleText(now) === undefined) === (visibleText(segment) === undefined)
  // Reported first: no version of the message can have such a text.
  if (!isAlone || !isSame || editableText(now) !== text) return 'unfit'
  return withLineFeeds(says) === withLineFeeds(before) ? edit : 'changed'
}
