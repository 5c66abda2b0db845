/** Allows problems of a rule in one message, in its header. */
import { allowanceOf, allowanceRule } from '../rules/allowed-findings.ts'
import { startHeaderEnd } from '../rules/message-header-places.ts'
import { rules } from '../rules/rule-registry.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { TextEdit } from '../text/range.ts'

/** The edit after which a message allows what a rule reports. */
export interface AllowEdit extends TextEdit {
  /** True if the reason belongs after the new text. */
  readonly asksReason: boolean
}

/**
 * The edit for the message at `offset`; undefined outside of messages, in headers without a role or with an attribute without a
 * value, which would take the new text, in dialects without the attribute, and for rules that no message can allow: about the
 * YAML header, and about what is allowed.
 */
export function allowEdit(analysis: Analysis, offset: number, rule: string): AllowEdit | undefined {
  const { transcript } = analysis
  if (rule === allowanceRule || rules.some(({ name, scope }) => name === rule && scope === 'header'))
    return undefined
  const { segment, start } = transcript.segmentAt(Math.min(offset, transcript.length))
  if (segment.framing.name !== 'openchatml' || !factsOf(segment)) return undefined
  const view = viewMessage(segment)
  if (!view.roleWord) return undefined
  const allowance = allowanceOf(segment)
  const last = allowance?.names.at(-1)
  if (allowance && last) {
    const asksReason = allowance.reason === ''
    const at = start + last.span.to
    const end = asksReason ? start + allowance.span.to : at
    return { start: at, end, text: `,${rule}${asksReason ? ':' : ''}`, asksReason }
  }
  if (view.attributes.some(({ name, value }) => name.text === 'allow' || !value)) return undefined
  const at = start + startHeaderEnd(view)
  return { start: at, end: at, text: ` allow=${rule}:`, asksReason: true }
}
