/** A system message that is not first. */
import { kindOf } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { roleSpan } from '../message-header-places.ts'
import type { Fix, MessageContext, MessageRule } from '../rule.ts'

/** The system message opens a sample (S16). */
export const misplacedSystemMessage: MessageRule = {
  name: 'misplaced-system-message',
  code: 'W-DATA-ORDER',
  severity: 'warning',
  scope: 'message',
  group: 'data',
  section: '2.2 §4, S16',
  summary: 'A system message of a sample follows other messages',
  why: 'Most chat templates read the system message only if it comes first; they drop others, or reject the sample.\nThe model is then trained without the instructions.',
  bad: example`
    {"messages": [{"role": "user", "content": "Hi"}, {"role": "system", "content": "Be brief."}, {"role": "assistant", "content": "Hello"}]}
  `,
  good: example`
    {"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
  `,
  concerns({ role, isMessage }) {
    return isMessage && role === 'system'
  },
  check(context) {
    const { previous } = context
    if (!previous?.isMessage || kindOf(previous) === 'instructions') return undefined
    return {
      span: roleSpan(context.view),
      message: localize`The system message is not the first message`,
      get fixes() {
        return fixesOf(context)
      },
    }
  },
}

/** Moves the segment to the first message. Edits are relative to the segment, so what is before it has negative offsets. */
function fixesOf({ analysis: { transcript, preamble }, segment }: MessageContext): readonly Fix[] {
  const place = transcript.locate(segment)
  if (!place) return []
  const first = preamble.kind === 'preamble' ? preamble.length : 0
  const at = first - place.start
  const edits = [
    { span: { from: at, to: at }, text: segment.text },
    { span: { from: 0, to: segment.length }, text: '' },
  ]
  return [{ title: localize`Move it to the beginning`, edits, isSafe: false }]
}
