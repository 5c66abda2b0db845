/** Visible text in which the header of another message has lost its tokens. */

import { isVisible } from '../../semantics/visibility.ts'
import { localize } from '../../text/localize.ts'
import { answerChannel } from '../../vocabulary/channels.ts'
import { example } from '../example.ts'
import { proseMatches } from '../prose.ts'
import { quoted } from '../quoted.ts'
import type { Fix, MessageContext, MessageRule } from '../rule.ts'

/** Private reasoning stays out of what a user sees (2.2 §11). */
export const gluedChannel: MessageRule = {
  name: 'glued-channel',
  code: 'H-LEAK-CHANNEL',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §5, §11',
  summary: 'The role and channel of another message appear in visible text',
  why: 'Decoders that skip special tokens keep the words between them: `assistantfinalFour` is the rest of a header and its answer.\nStored as one answer, such a text shows the reasoning to the user.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>We need to add.assistantfinalFour.<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>Four.<|return|>
  `,
  concerns(facts) {
    return facts.role === 'assistant' && isVisible(facts)
  },
  check(context) {
    if (!glued.test(context.segment.text)) return undefined
    const last = [...proseMatches(context, gluedPlaces)].at(-1)
    if (!last) return undefined
    const word = quoted(last.match[0])
    const message = localize`${word} looks like a message header without its tokens; the text before it may be hidden reasoning`
    return { span: last.span, message, fixes: fixesOf(context, last.span.to, last.match[0]) }
  },
}

const glued = /assistant(?:analysis|commentary|final)|analysis[A-Z]/
/**
 * A word between spaces is talked about; glued to what is before or after it, or alone on its line, it is a header.
 * `analysisWe` goes on as a sentence does, `analysisOf(x)` and `analysisTools.ts` do not.
 */
// Linear: only the words are searched for; a run after one has no other before it.
const gluedPlaces = new RegExp(
  [
    '(?<=[.!?…:;,)\\]}>。！？])assistant(?:analysis|commentary|final)',
    '(?<=[a-z])assistantfinal',
    '(?<![\\w"\'/.-])assistant(?:analysis|commentary|final)(?=[\\p{L}\\p{N}{[*#]|[ \\t]*to=|[ \\t]*[\\r\\n]|$)',
    "^analysis(?=[A-Z][\\w']*[,:]?[ \\r\\n]+(?![=({[]))",
  ].join('|'),
  'gu',
)

function fixesOf({ view, segment, facts }: MessageContext, end: number, word: string): readonly Fix[] {
  const { body } = view
  if (!body || !facts.isPlainBody || !word.endsWith(answerChannel)) return []
  if (segment.text.slice(end, body.to).trim() === '') return []
  const edits = [{ span: { from: body.from, to: end }, text: '' }]
  return [{ title: localize`Keep only the text after ${quoted(word)}`, edits, isSafe: false }]
}
