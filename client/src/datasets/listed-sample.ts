/** One sample of a dataset, as the list and the editor read it. Nothing is thrown, whatever its bytes are. */
import {
  type BadSample,
  type DatasetMapping,
  editableSample,
  localize,
  type Position,
  positionsInSample,
  readSample as readBytes,
  type TranscriptSample,
} from '../../../core/src/internal.ts'

/** What a line, or an element of a list, is. */
export type Sample = TranscriptSample | UnreadSample

/** A sample that cannot be read. */
export interface UnreadSample {
  readonly kind: 'bad'
  readonly message: string
  /** Where in the sample the mistake is; its begin if that is not known. */
  readonly position: Position
  /** Set if the sample could be read as a form that the user chooses. */
  readonly isUnknownForm?: true
}

/** Bytes of the largest sample that is read: what is larger cannot be shown in time. */
export const largestSample = 64 * 2 ** 20

/** How a sample is read. */
export interface ReadHow {
  /** Of a sample with branches: its name; by default the first one. */
  readonly branch?: string | undefined
  /** How its columns are called; by default they are recognized. */
  readonly mapping?: DatasetMapping | undefined
}

/** Reads a sample. */
export function readSample(bytes: Uint8Array, { branch, mapping }: ReadHow = {}): Sample {
  const sample = editableSample(readBytes(bytes, { rest: 'source', branch, mapping }))
  return sample.kind === 'good' ? sample : unread(sample)
}

function unread({
  message,
  json,
  offset = 0,
  reason,
}: Pick<BadSample, 'message' | 'json' | 'offset'> & Partial<Pick<BadSample, 'reason'>>): UnreadSample {
  const isUnknownForm = reason === 'no-conversation'
  return {
    kind: 'bad',
    message,
    position: positionsInSample(json)(offset),
    ...(isUnknownForm && { isUnknownForm }),
  }
}

/** A sample whose edit is not applied. */
export function staleEdit(message: string): UnreadSample {
  return unread({ message, json: '', offset: undefined })
}

/** The reason why a sample of so many bytes is not read. */
export function tooLarge(): UnreadSample {
  const message = localize`The sample is larger than ${largestSample / 2 ** 20} MB, which is the limit`
  return unread({ message, json: '', offset: undefined })
}
