/** How datasets are cut into pieces of work, and how the places of samples are named. */
import type { Stretch, StretchLimits } from '../../../core/src/internal.ts'
import { shownInput, standardInput } from '../files/read-source.ts'

/** How a dataset is cut. More than the longest sample could not be checked in the memory that ordinary machines have. */
export const stretchLimits: StretchLimits = {
  stretch: 1 << 19, // long enough to be worth a message to another thread, short enough to hold many
  sample: 128 * 2 ** 20,
}

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
    case 'row':
      return `${shown}[${number}]`
    case 'file':
      return shown
  }
}
