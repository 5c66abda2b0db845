/** A conflict of a merge. */

import type { SegmentConflicts } from '../../semantics/merge-conflicts.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** Reported by the checker, because a conflict can reach over messages and the header. */
export const mergeConflict: MessageRule = {
  name: 'merge-conflict',
  code: 'E-MERGE-CONFLICT',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, D10',
  summary: 'The transcript has a merge conflict',
  why: 'Git writes both versions into the file, between lines that start with `<<<<<<<`, `=======`, and `>>>>>>>`.\nReaders treat the file as one conversation, in which one version follows the other.\nProblems that the conflict causes are not reported separately. A conflict inside one body is a hint, because the message may be about a conflict.',
  bad: example`
    version: 2.2
    <|start|>user<|message|>How far is it?<|end|>
    <<<<<<< HEAD
    <|start|>assistant<|channel|>final<|message|>2 km.<|return|>
    =======
    <|start|>assistant<|channel|>final<|message|>2,000 m.<|return|>
    >>>>>>> units
  `,
  good: example`
    version: 2.2
    <|start|>user<|message|>How far is it?<|end|>
    <|start|>assistant<|channel|>final<|message|>2 km.<|return|>
  `,
  concerns: () => false,
  check: () => undefined,
}

/** A finding for each conflict that begins in a segment. */
export function conflictFindings({ starts }: SegmentConflicts): readonly Finding[] {
  return starts.map(({ span, current, incoming, isInBody }) => ({
    span,
    message:
      current === '' || incoming === ''
        ? localize`Merge conflict`
        : localize`Merge conflict between ${quoted(current)} and ${quoted(incoming)}`,
    ...(isInBody && { severity: 'hint' as const }),
  }))
}
