/** A sample of a dataset as a transcript. */
import {
  type DialectName,
  formOf,
  type GoodSample,
  type Loss,
  Transcript,
  transcriptOfConversation,
} from '../../../core/src/internal.ts'
import type { Collector } from './sample-results.ts'

/** A sample as a transcript. */
export interface SampleTranscript {
  readonly transcript: Transcript
  /** What was reported of reading it. */
  readonly losses: readonly Loss[]
  /** True if its form says how messages end. */
  readonly hasEndings: boolean
  /** The other branches of the sample, which are checked as well (S11). */
  readonly others: readonly string[]
}

/** The transcript that a sample is, or becomes. @throws ConversionError */
export function transcriptOf(
  { text }: GoodSample,
  source: Pick<Collector, 'read'>,
  dialect: DialectName | 'auto',
): SampleTranscript {
  if (text !== undefined)
    return { transcript: Transcript.parse(text, { dialect }), losses: [], hasEndings: true, others: [] }
  const reading = source.read()
  const { hasEndings = false } = formOf(reading.from)
  const { branches = [], branch } = reading.conversation
  const others = branches.filter((it) => it !== branch)
  return { transcript: transcriptOfConversation(reading), losses: reading.losses, hasEndings, others }
}
