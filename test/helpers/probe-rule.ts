/** A rule that finds nothing and counts the messages it is shown. */
import type { Rule, Segment } from '../../core/src/internal.ts'

/** The rule; it puts what it sees into `seen`. */
export function probeRule(seen: Segment[]): Rule {
  return {
    name: 'probe',
    code: 'H-PROBE',
    severity: 'hint',
    scope: 'message',
    section: '',
    summary: '',
    why: '',
    bad: '',
    good: '',
    check({ segment }) {
      seen.push(segment)
      return undefined
    },
  }
}
