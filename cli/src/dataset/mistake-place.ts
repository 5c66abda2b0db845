/** Where in its file a mistake of a sample is, in words. */
import { inFile, type Position, positionsInSample } from '../../../core/src/internal.ts'

/** A sample as it is in its file. */
export interface SampleSource {
  readonly json: string
  /** Where it begins; of a row, its number takes the place of a line. */
  readonly start: Position
  /** True for a line or a row: its place is told by its column alone. */
  readonly isLine: boolean
}

/** The offset at which a sample begins: the place of what concerns all of it. */
export function beginningOf({ json }: SampleSource): number {
  return json.search(/[^\s\ufeff]|$/)
}

/** `message` behind the place that is known: in a file of lines the column, elsewhere line and column, which count from 1. */
export function mistakeText(message: string, offset: number | undefined, source: SampleSource): string {
  if (source.isLine) return offset === undefined ? message : `column ${offset + 1}: ${message}`
  const { line, character } = positionsIn(source)(offset ?? 0)
  return `line ${line + 1}, column ${character + 1}: ${message}`
}

/** Makes positions in the file of offsets in the sample. Quick after the first. */
export function positionsIn({ json, start, isLine }: SampleSource): (offset: number) => Position {
  if (isLine) return (offset) => ({ line: start.line, character: offset })
  const positionAt = positionsInSample(json)
  return (offset) => inFile(start, positionAt(offset))
}
