/** Writes what users see of a message anew, as the text of its body. */
import { Transcript } from '../document/transcript.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { visiblePieces, visibleText } from '../semantics/visibility.ts'
import { renderedBody } from '../syntax/body.ts'
import { messageView } from '../syntax/message-view.ts'
import type { TextEdit } from '../text/range.ts'
import { escapeBody } from './escape-body.ts'

/** What a reader saw of a message, and what they want it to say. */
export interface BodyChange {
  readonly before: string
  readonly text: string
}

/**
 * The edit after which the message at `offset` says `text` to users. Undefined if it does not say `before` now, if its body
 * has more than plain text (literal blocks, private blocks), and if the edit would change any other message.
 */
export function bodyEdit(
  { transcript }: Analysis,
  offset: number,
  { before, text }: BodyChange,
): TextEdit | undefined {
  if (offset < 0 || transcript.length <= offset) return undefined
  const { segment, start } = transcript.segmentAt(offset)
  const isPlain = visiblePieces(segment).every(({ kind }) => kind === 'text')
  if (!isPlain || visibleText(segment) !== before || renderedBody(segment) !== before) return undefined
  const { body } = messageView(segment)
  if (!body) return undefined
  const edit = { start: start + body.from, end: start + body.to, text: escapeBody(text) }
  const whole = transcript.text()
  const written = whole.slice(0, edit.start) + edit.text + whole.slice(edit.end)
  const after = analyze(Transcript.parse(written, { dialect: transcript.forcedDialect })).transcript
  const isAlone =
    after.segmentCount === transcript.segmentCount &&
    after.length - transcript.length === edit.text.length - (edit.end - edit.start)
  return isAlone && visibleText(after.segmentAt(start).segment) === text ? edit : undefined
}
