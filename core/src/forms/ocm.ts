/** Transcripts: OpenChatML as text. */

import { identified } from '../conversation/call-ids.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { LossList } from '../conversation/loss.ts'
import { readTranscript } from '../conversation/read-transcript.ts'
import { withRightEndings } from '../conversation/right-endings.ts'
import { spelled } from '../conversation/spelling.ts'
import { writeOcm } from '../conversation/write-transcript.ts'
import { Transcript } from '../document/transcript.ts'
import { applyEdits } from '../rules/apply-fix.ts'
import { analyze } from '../semantics/analysis.ts'
import { localizable } from '../text/localize.ts'
import { defineForm, type Form, type WriteChoices } from './form.ts'
import { conversionEdits, type TranscriptConversion } from './transcript/transcript-conversions.ts'

/** The form. */
export const ocm = defineForm({
  name: 'ocm',
  title: 'OpenChatML',
  summary: localizable`A transcript of version 2.2, in its canonical form`,
  documentation: 'a transcript: OpenChatML 2.2; also reads 2.0, 1.x, and 0.1',
  language: 'openchatml',
  holds: 'text',
  hasEndings: true,
  isExact: true,
  options: ['purpose', 'dropsReasoning', 'headers'],
  read: (text, { dialect, losses }) => readTranscript(Transcript.parse(text, { dialect }), losses),
  write(conversation, { from, losses, ...choices }) {
    const written = isGivenBack(from)
      ? conversation
      : withRightEndings(identified(conversation, losses), losses)
    return madeFor(writeOcm(written, losses), choices)
  },
})

/** JSON that says everything a transcript can say is given back as it is (D23); everything else is tidied. */
function isGivenBack({ isExact = false, holds }: Form): boolean {
  return isExact && holds === 'json'
}

/** The transcript of `conversation`, whose messages end as they did: checking it finds those that end wrong. */
export function transcriptOf(conversation: Conversation, from: Form): Transcript {
  const losses = new LossList()
  return Transcript.parse(
    writeOcm(isGivenBack(from) ? conversation : identified(conversation, losses), losses),
  )
}

/** `text` as its purpose asks for; a text for completion ends with the beginning of the next message. */
function madeFor(text: string, { purpose, dropsReasoning, headers }: WriteChoices): string {
  let result = text
  const conversions: readonly TranscriptConversion[] = [
    ...(purpose === undefined ? [] : [purpose === 'training' ? ('training' as const) : ('history' as const)]),
    ...(dropsReasoning ? ['drop-reasoning' as const] : []),
    ...(headers === 'harmony' ? ['harmony-headers' as const] : []),
  ]
  for (const name of conversions) {
    result = applyEdits(result, [...conversionEdits(analyze(Transcript.parse(result)), name)])
  }
  return purpose === 'completion' ? `${result}${spelled.start}assistant` : result
}
