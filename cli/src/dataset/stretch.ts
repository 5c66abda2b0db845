/** A stretch of a dataset, as it is handed to whoever reads it. */
import { shownInput, standardInput } from '../files/read-source.ts'

/** Some samples, one a line. */
export interface Stretch {
  readonly bytes: Uint8Array
  /** The number of the first one: of its line, from 1, or of its place in a list, from 0. */
  readonly first: number
  /** What a sample is: a line, an element of a list, or the whole file. */
  readonly place: 'line' | 'element' | 'file'
  /** Unless they are lines: the line and the character in the file at which each begins, in turn, both from 0. */
  readonly starts?: Uint32Array
  /** True for one sample that is too long to be read; then there are no bytes. */
  readonly isTooLong: boolean
}

/** Bytes of the longest sample that is read. More could not be checked in the memory that ordinary machines have. */
export const longestSample = 128 * 2 ** 20

/** A path as people see it. */
export function shownPath(path: string): string {
  return path === standardInput ? shownInput : path
}

/** The dataset at `shown` and the place of a sample in it. */
export function placeOfSample(shown: string, place: Stretch['place'], number: number): string {
  switch (place) {
    case 'line':
      return `${shown}:${number}`
    case 'element':
      return `${shown}[${number}]`
    case 'file':
      return shown
  }
}

/** A file that is one conversation in JSON, as a stretch. */
export function fileAsStretch(bytes: Uint8Array): Stretch {
  const isTooLong = bytes.length > longestSample
  return { bytes, first: 0, place: 'file', starts: Uint32Array.of(0, 0), isTooLong }
}
