/** Where in its file a mistake of a sample is, in words. */
import type { Position } from '../../../core/src/index.ts'

/** A sample as it stands in its file. */
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
  const { line, character } = positionBehind(start, json.slice(0, offset ?? 0))
  return `line ${line + 1}, column ${character + 1}: ${message}`
}

/** The position in the file of `offset` in the sample with that number: of its line, if it has no start of its own. */
export function positionInFile({ json, start }: SampleSource, number: number, offset: number): Position {
  return start ? positionBehind(start, json.slice(0, offset)) : { line: number - 1, character: offset }
}

function positionBehind(start: Position, before: string): Position {
  const lines = before.split(/\r\n?|\n/) // an element of a list has carriage returns only
  const last = lines.at(-1)?.length ?? 0
  return {
    line: start.line + lines.length - 1,
    character: lines.length === 1 ? start.character + last : last,
  }
}
