/** Whether a document may get new lines, and which line break they have. */
import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import type { Transcript } from './transcript.ts'

/** The first line break of the document, which stands for all; `\n` if there is none. */
export function lineBreakOf(transcript: Transcript): string {
  for (const { segment } of transcript.segments()) {
    if (segment.lineBreaks === 0) continue
    const at = nextLineBreak(segment.text, 0, segment.length)
    return segment.text.slice(at, afterLineBreak(segment.text, at))
  }
  return '\n'
}

/**
 * True if a message may begin a line. In a text in which none does, one that did would move the end of the header (D1).
 */
export function mayBreakLines(transcript: Transcript): boolean {
  const preamble = transcript.segment(0).segment.text
  return preamble === '' || preamble === '\ufeff' || /[\r\n]$/.test(preamble)
}
