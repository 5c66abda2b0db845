/** Where in its file a mistake of a sample is, in words. */
import { inFile, type Position, positionsInSample } from '../../../core/src/internal.ts'

/** A sample as it is in its file. */
export interface SampleSource {
  readonly json: string
  /** Where it begins, if it is no line. */
  readonly start: Position | undefined
}

/** The offset at which a sample begins: the place of what concerns all of it. */
export function beginningOf({ json }: SampleSource): number {
  return json.search(/[^\s\ufeff]|$/)
}

/** `message` behind the place that is known: in a file of lines the column, elsewhere line and column, which count from 1. */
export function mistakeText(
  message: string,
  offset: number | undefined,
  { json, start }: SampleSource,
): string {
  if (!start) return offset === undefined ? message : `column ${offset + 1}: ${message}`
  const { line, character } = positionsIn({ json, start }, 0)(offset ?? 0)
  return `line ${line + 1}, column ${character + 1}: ${message}`
}

/** Makes positions in the file of offsets in the sample with that number: of its line, if it has no start of its own. Quick after the first. */
export function positionsIn({ json, start }: SampleSource, number: number): (offset: number) => Position {
  if (!start) return (offset) => ({ line: number - 1, character: offset })
  const positionAt = positionsInSample(json)
  return (offset) => inFile(start, positionAt(offset))
}
