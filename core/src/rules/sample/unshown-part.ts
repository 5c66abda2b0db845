/** A part of a sample's content that has no words, or a tool that can't be shown. */

import { example } from '../example.ts'
import type { SampleRule } from '../rule.ts'

/** Parts that nothing is known of are kept and reported (F12, F13). */
export const unshownPart: SampleRule = {
  name: 'unshown-part',
  code: 'H-DATA-UNSHOWN',
  severity: 'information',
  scope: 'sample',
  section: '2.2 §10, F12, F13',
  summary: 'A part of a sample without text, or a tool that is neither a function nor custom, is not shown',
  why: 'Encrypted reasoning, documents, and tools of a provider have no text that a transcript could show.\nThey stay in the sample as they are.\nImages, audio, and files are not reported.',
  notes: ['content-part', 'tool-definition', 'unframed'],
  bad: example`
    {"messages": [{"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}, {"type": "document", "source": {}}, {"type": "text", "text": "Hi"}]}]}
  `,
  good: example`
    {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "Hi"}]}]}
  `,
}
