/** Streaming for `for await`: chunks in, events or text out. */
import type { StreamEvent } from './stream-event.ts'
import { type StreamingOptions, StreamingParser } from './streaming-parser.ts'

/**
 * The events of a text that arrives in chunks, each as early as it is certain.
 * Leaving the loop early closes `chunks`; an error of `chunks` is passed on, after everything that was certain before it.
 */
export async function* streamEvents(
  chunks: AsyncIterable<string> | Iterable<string>,
  options: StreamingOptions = {},
): AsyncGenerator<StreamEvent, void, undefined> {
  const parser = new StreamingParser(options)
  for await (const chunk of chunks) yield* parser.push(chunk)
  yield* parser.end()
}

/**
 * What the assistant says to the user, in pieces that are never empty, as early as it is certain.
 * Several messages follow one another without separator; text that breaks off just ends.
 * {@link streamEvents} reports more.
 */
export async function* streamVisibleText(
  chunks: AsyncIterable<string> | Iterable<string>,
  options: StreamingOptions = {},
): AsyncGenerator<string, void, undefined> {
  for await (const event of streamEvents(chunks, options)) {
    if (event.type === 'response.delta' && event.role === 'assistant') yield event.text
  }
}
