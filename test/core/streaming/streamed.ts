/** Runs texts through the streaming parser in chunks. */
import { type StreamEvent, type StreamingOptions, StreamingParser } from '../../../core/src/internal.ts'

/** All events of `text`, cut into chunks whose lengths are taken from `lengths` in turn. */
export function streamed(
  text: string,
  lengths: readonly number[] = [text.length || 1],
  options: StreamingOptions = {},
): StreamEvent[] {
  const parser = new StreamingParser(options)
  const events: StreamEvent[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    events.push(...parser.push(text.slice(at, at + length)))
    at += length
  }
  return [...events, ...parser.end()]
}

/** The text of every message that ends as visible, in order. */
export function shownTexts(events: readonly StreamEvent[]): readonly string[] {
  const texts = new Map<number, string>()
  const shown: string[] = []
  for (const event of events) {
    if (event.type === 'response.delta') {
      texts.set(event.messageIndex, (texts.get(event.messageIndex) ?? '') + event.text)
    } else if (event.type === 'message.end') {
      const text = texts.get(event.index)
      if (event.visible) shown.push(text ?? '')
      else if (text !== undefined) throw new Error(`Message ${event.index} is hidden, but shows ${text}`)
    }
  }
  return shown
}
