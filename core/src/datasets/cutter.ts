/** Cuts a file into samples: what a cutter is, and what it says of files that are not datasets. */
import { localize } from '../text/localize.ts'

/** Where a sample is in its file. */
export interface SamplePlace {
  /** The offset of its first byte. */
  readonly start: number
  /** The offset after its last byte; the same as `start` for an element that is missing between two commas. */
  readonly end: number
  /** The number of its line, from 1, or of its element, from 0. */
  readonly number: number
  /** The line in which it begins, from 0. */
  readonly line: number
  /** UTF-16 code units of that line before it. */
  readonly character: number
}

/** Takes the samples of a file in their order. */
export type TakeSample = (place: SamplePlace) => void

/** Cuts a file that comes in chunks of any size. It holds no bytes, and looks at each once. */
export interface Cutter {
  /** The offset of the first byte that may belong to a sample whose end has not come. */
  readonly openStart: number
  /** Takes the next bytes. The chunk may be reused afterwards. @throws DatasetError if the file cannot be a dataset */
  push(chunk: Uint8Array): void
  /** The file ends here. @throws DatasetError as above */
  end(): void
}

/** A file that is not a dataset, or only up to some place. The samples before that place have been cut. */
export class DatasetError extends Error {
  override readonly name = 'DatasetError'
  readonly reason: 'not-a-list' | 'text-after-list' | 'cut-off'
  /** The element that the file ends in; undefined if that is between elements, or elsewhere. */
  readonly element: number | undefined

  /** @param line the line that the file ends in, from 0 */
  constructor(reason: DatasetError['reason'], line: number, element?: number) {
    super(messageOf(reason, line))
    this.reason = reason
    this.element = element
  }
}

function messageOf(reason: DatasetError['reason'], line: number): string {
  switch (reason) {
    case 'not-a-list':
      return localize`The file is not a list of conversations`
    case 'text-after-list':
      return localize`Unexpected text after the end of the list`
    case 'cut-off':
      return localize`The list is not closed: it is cut off in line ${line + 1}`
  }
}
