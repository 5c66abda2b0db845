/** A sample of a dataset as a transcript. */
import { type DialectName, Transcript, writeConversation } from '../../../core/src/index.ts'
import type { GoodSample } from './sample-results.ts'

/** The transcript that a sample is, or becomes. @throws ConversionError */
export function transcriptOf({ text, read }: GoodSample, dialect: DialectName | 'auto'): Transcript {
  if (text === undefined) return Transcript.parse(writeConversation(read(), { to: 'ocm' }).text)
  return Transcript.parse(text, { dialect })
}
