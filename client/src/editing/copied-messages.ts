/** Messages of a selection in another form, for the clipboard. */
import { type Analysis, convert, jsonOf, type Range } from '../../../core/src/internal.ts'

/**
 * The messages that `ranges` touch: one JSON object (2.2 §10), or an array of several; or raw Harmony text.
 * Undefined if there are none.
 *
 * @throws ConversionError if they cannot be written so without danger
 */
export function messagesAs(
  form: 'json' | 'harmony',
  { transcript, dialect }: Analysis,
  ranges: readonly Range[],
): string | undefined {
  const touched = new Map<number, string>()
  for (const range of ranges) {
    for (const { segment, start } of transcript.segments(transcript.segmentAt(range.start).index)) {
      if (start > range.end || (start === range.end && start > range.start)) break
      if (segment.kind === 'message') touched.set(start, segment.text)
    }
  }
  if (touched.size === 0) return undefined
  const text = [...touched]
    .sort(([one], [other]) => one - other)
    .map(([, it]) => it)
    .join('')
  if (form === 'harmony') return convert(text, { from: 'ocm', to: 'harmony', dialect }).text
  const { messages } = JSON.parse(convert(text, { from: 'ocm', to: 'json', dialect }).text)
  if (messages.length === 0) return undefined
  return `${jsonOf(messages.length === 1 ? messages[0] : messages)}\n`
}
