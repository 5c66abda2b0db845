/** Makes a segment of text that is known to be one message, so that the parser of whole messages can read it. */

import { type Framing, spelling } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { Segment } from './segment.ts'

/**
 * The message `text`, which begins with a start token. What only a segment list needs to know of it is left out; a literal block
 * counts as open wherever there is one.
 */
export function messageSegment(text: string, framing: Framing): Segment {
  const literal = spelling(framing, ControlKind.literal)
  return new Segment(text, {
    kind: 'message',
    framing,
    lineBreaks: 0,
    lastLineLength: text.length,
    endLiterals: 0,
    hasOpenLiteral: literal !== '' && text.includes(literal),
    endsInBody: false,
    plainBodyStart: 0,
    plainBodyEnd: 0,
  })
}
