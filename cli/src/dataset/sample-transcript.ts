/** A sample of a dataset as a transcript. */
import {
  type DialectName,
  type GoodSample,
  Transcript,
  transcriptOfConversation,
} from '../../../core/src/internal.ts'
import type { Collector } from './sample-results.ts'

/** The transcript that a sample is, or becomes. @throws ConversionError */
export function transcriptOf(
  { text }: GoodSample,
  source: Pick<Collector, 'read'>,
  dialect: DialectName | 'auto',
): Transcript {
  if (text === undefined) return transcriptOfConversation(source.read())
  return Transcript.parse(text, { dialect })
}
