/** A sample of a dataset as a transcript. */
import {
  type DialectName,
  formOf,
  type GoodSample,
  type JudgedSample,
  type Reading,
  Transcript,
  transcriptOfConversation,
} from '../../../core/src/internal.ts'
import type { Collector } from './sample-results.ts'

/** A sample as a transcript. */
export interface SampleTranscript {
  readonly transcript: Transcript
  /** True if its form says how messages end. */
  readonly hasEndings: boolean
  /** What rules on training data judge it as; undefined for a transcript in a field. */
  readonly judged: JudgedSample | undefined
  /** What the transcript was made of; undefined for a transcript in a field. */
  readonly reading: Reading | undefined
}

/** The transcript that a sample is, or becomes. @throws ConversionError */
export function transcriptOf(
  { text, value, mapping }: GoodSample,
  source: Pick<Collector, 'read'>,
  dialect: DialectName | 'auto',
): SampleTranscript {
  if (text !== undefined)
    return {
      transcript: Transcript.parse(text, { dialect }),
      judged: undefined,
      reading: undefined,
      hasEndings: true,
    }
  const reading = source.read()
  const { hasEndings = false } = formOf(reading.from)
  const { from, losses } = reading
  const { branches, branch } = reading.conversation
  const judged = { from, losses, branches, branch, value, mapping }
  return { transcript: transcriptOfConversation(reading), judged, reading, hasEndings }
}
