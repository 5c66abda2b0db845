/** A stretch of a dataset, as it is handed to whoever reads it. */
import { standardInput } from '../files/read-source.ts'

/** Some samples, one a line. */
export interface Stretch {
  readonly bytes: Uint8Array
  /** The number of the first one: of its line, from 1, or of its place in a list, from 0. */
  readonly first: number
  readonly place: 'line' | 'element'
  /** For elements: the line and the character in the file at which each begins, in turn, both from 0. */
  readonly starts?: Uint32Array
  /** True for one sample that is too long to be read; then there are no bytes. */
  readonly isTooLong: boolean
}

/** Bytes of the longest sample that is read. More could not be checked in the memory that ordinary machines have. */
export const longestSample = 128 * 2 ** 20

/** A path as people see it. */
export function shownPath(path: string): string {
  return path === standardInput ? '<stdin>' : path
}

/** The dataset at `shown` and the place of a sample in it. */
export function placeOfSample(shown: string, place: Stretch['place'], number: number): string {
  return place === 'line' ? `${shown}:${number}` : `${shown}[${number}]`
}
