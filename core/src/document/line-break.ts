/** Whether a document may get new lines, and which line break they have. */
import type { Transcript } from './transcript.ts'

/** The first line break of the document, which stands for all; `\n` if there is none. */
export function lineBreakOf(transcript: Transcript): string {
  if (transcript.lineCount === 1) return '\n'
  const start = transcript.offsetAt({ line: 0, character: Number.POSITIVE_INFINITY })
  return transcript.text({ start, end: transcript.offsetAt({ line: 1, character: 0 }) })
}

/**
 * True if a message may begin a line. In a text in which none does, one that did would move the end of the header (D1).
 */
export function mayBreakLines(transcript: Transcript): boolean {
  const preamble = transcript.segment(0).segment.text
  return preamble === '' || preamble === '\ufeff' || /[\r\n]$/.test(preamble)
}
