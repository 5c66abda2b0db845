/** Makes a segment of text that is known to be one message, so that the parser of whole messages can read it. */

import type { Framing } from '../vocabulary/framing.ts'
import { Segment } from './segment.ts'

/** The message `text`, which begins with a start token. What a segment list would need to know of it is left out. */
export function messageSegment(text: string, framing: Framing): Segment {
  return new Segment(text, {
    kind: 'message',
    framing,
    lineBreaks: 0,
    lastLineLength: text.length,
    endLiterals: 0,
    hasOpenLiteral: false,
    endsInBody: false,
    plainBodyStart: 0,
    plainBodyEnd: 0,
  })
}
