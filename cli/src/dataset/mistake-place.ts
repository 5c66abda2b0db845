/** Where in its file a mistake of a sample is, in words. */
import { inFile, type Position, positionsInSample } from '../../../core/src/internal.ts'
import { placeText } from '../files/place-in.ts'

/** A sample as it is in its file. */
export interface SampleSource {
  readonly json: string
  /** Where it begins; of a row, its number takes the place of a line. */
  readonly start: Position
  /** True for a line or a row: its column alone gives its position. */
  readonly isLine: boolean
}

/** The offset at which a sample begins: the place of what concerns all of it. */
export function beginningOf({ json }: SampleSource): number {
  return json.search(/[^\s\ufeff]|$/)
}

/** A sample, as messages name it. */
export interface NamedSample {
  /** Its file as people see it. */
  readonly shown: string
  /** The sample as people see it: `data.jsonl:7`, `data.json[6]`. */
  readonly where: string
  readonly source: SampleSource
}

/**
 * `message` after its place in the file: `data.jsonl:7:12: …`. An element of a list is named as well, because its line does not;
 * a row has no line in a file, so its name takes the place of that.
 */
export function mistakeText(
  { shown, where, source }: NamedSample,
  message: string,
  offset: number | undefined,
): string {
  const name = where.slice(shown.length)
  const isNumbered = name.startsWith('[')
  if (isNumbered && source.isLine)
    return offset === undefined ? `${where}: ${message}` : `${where}: column ${offset + 1}: ${message}`
  const place = placeText(shown, positionsIn(source)(offset ?? beginningOf(source)))
  return isNumbered ? `${place}: element ${name.slice(1, -1)}: ${message}` : `${place}: ${message}`
}

/** Makes positions in the file of offsets in the sample. Quick after the first. */
export function positionsIn({ json, start, isLine }: SampleSource): (offset: number) => Position {
  if (isLine) return (offset) => ({ line: start.line, character: offset })
  const positionAt = positionsInSample(json)
  return (offset) => inFile(start, positionAt(offset))
}
