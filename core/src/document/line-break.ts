/** Whether messages may begin lines, and which line break a document has. */
import { messageView } from '../syntax/message-view.ts'
import type { Transcript } from './transcript.ts'

/** The first line break of the document that is not white space of a message header, which stands for all; `\n` if there is none. */
export function lineBreakOf(transcript: Transcript): string {
  for (let line = 0; line + 1 < transcript.lineCount; ) {
    const start = transcript.offsetAt({ line, character: Number.POSITIVE_INFINITY })
    const end = headerEnd(transcript, start)
    if (end === undefined)
      return transcript.text({ start, end: transcript.offsetAt({ line: line + 1, character: 0 }) })
    line = transcript.positionAt(end).line
  }
  return '\n'
}

/** Where the header ends that `offset` is in; undefined elsewhere. */
function headerEnd(transcript: Transcript, offset: number): number | undefined {
  const { segment, start } = transcript.segmentAt(offset)
  if (segment.kind !== 'message' || segment.framing.headerEnd === 'line-break') return undefined
  const { message } = messageView(segment)
  return message && offset - start < message.from ? start + message.from : undefined
}

/**
 * True if a message may begin a line. In a text in which none does, one that did would move the end of the header (D1).
 */
export function mayBreakLines(transcript: Transcript): boolean {
  const { preambleBasis } = transcript
  // A front matter, or a line that begins with `[BOS]` or a message, decides alone.
  if (preambleBasis !== 'none') return preambleBasis !== 'anywhere'
  const preamble = transcript.segment(0).segment.text
  return preamble === '' || preamble === '\ufeff' || /[\r\n]$/.test(preamble)
}
