/** The bytes of a sample as text, and places in it. */

import type { Position } from '../text/range.ts'
import { positionAmong } from '../text/text-positions.ts'
import { validUtf8Length } from './utf8.ts'

declare const TextDecoder: new (
  label: 'utf-8',
  options: { readonly fatal?: boolean; readonly ignoreBOM?: boolean },
) => { decode(bytes: Uint8Array): string }

/** Bytes that are not UTF-8. */
export interface BrokenText {
  /** What is before the first byte that is invalid. */
  readonly before: string
}

/** `bytes` as text. A byte order mark is a character. */
export function textOfBytes(bytes: Uint8Array): string | BrokenText {
  return bytesAsText(bytes) ?? { before: bytesAsText(bytes.subarray(0, validUtf8Length(bytes))) ?? '' }
}

/** `bytes` as text, in every world that this runs in; undefined if they are not UTF-8. A byte order mark is a character. */
export function bytesAsText(bytes: Uint8Array): string | undefined {
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    return decoder.decode(bytes)
  } catch {
    decoder = undefined // which may keep what it has begun
    return undefined
  }
}

let decoder: InstanceType<typeof TextDecoder> | undefined

/** A position in a sample as one in the file, in which the sample begins at `start`. */
export function inFile(start: Position, { line, character }: Position): Position {
  return { line: start.line + line, character: line === 0 ? start.character + character : character }
}

/**
 * The line and the character of each offset in `text`, of which line feeds end lines, both from 0. What this takes is done for the
 * first one.
 */
export function positionsInSample(text: string): (offset: number) => Position {
  let starts: number[] | undefined
  return (offset) => {
    starts ??= lineStarts(text)
    return positionAmong(starts, offset)
  }
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
