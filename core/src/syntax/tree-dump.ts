/** The syntax of a document as text: one line per token, for people and for `ocm parse --tree`. */

import { shortened } from '../text/shortened.ts'
import type { Segment } from './segment.ts'
import { eachToken, type Token, tokenKindName } from './token-run.ts'
import { tokensOf } from './tokenize.ts'

const longestText = 60 // enough to recognise a place; the dump is not a copy of the document

/**
 * The tokens of `segment`, which starts at document offset `origin`, one per line:
 * offsets, kind, and the text as a JSON string.
 */
export function dumpSegment(segment: Segment, origin: number): string {
  const lines = [`${segment.kind} ${origin}-${origin + segment.length}`]
  for (const token of eachToken(tokensOf(segment))) lines.push(dumpToken(segment.text, token, origin))
  return `${lines.join('\n')}\n`
}

function dumpToken(text: string, { kind, from, to }: Token, origin: number): string {
  const shown = shortened(text.slice(from, to), longestText)
  return `  ${tokenKindName(kind)} ${origin + from}-${origin + to} ${JSON.stringify(shown)}`
}
