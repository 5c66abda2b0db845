/** The transcript of a file or of standard input, for commands that show it. */
import {
  type ReadOptions,
  readConversation,
  Transcript,
  transcriptOfConversation,
} from '../../../core/src/internal.ts'
import { isJsonConversation, isTranscriptText } from '../files/json-conversation.ts'
import type { Source } from '../files/read-source.ts'
import { refuseOtherText, refuseOtherThanTranscript } from '../files/refuse-other-text.ts'
import type { Console } from '../terminal/console.ts'
import { ConversionReport, conversionProblem } from './conversion-report.ts'

/** The transcript that a source is, or that the conversation in it becomes, which `ocm convert` reads as well. @throws FileProblem */
export function transcriptOfSource(
  source: Source,
  { dialect = 'auto', mapping }: Pick<ReadOptions, 'dialect' | 'mapping'>,
  console: Console,
): Transcript {
  const { path, text } = source
  refuseOtherText(source)
  if (!isJsonConversation(source) && (dialect !== 'auto' || isTranscriptText(text))) {
    refuseOtherThanTranscript(source)
    return Transcript.parse(text, { dialect })
  }
  try {
    const reading = readConversation(text, { mapping })
    const report = new ConversionReport(console)
    const told = reading.losses.filter(({ kind }) => kind === 'duplicate-key' || kind === 'unframed')
    report.add(path, told, text)
    report.end()
    return transcriptOfConversation(reading)
  } catch (error) {
    throw conversionProblem(path, error, text)
  }
}
