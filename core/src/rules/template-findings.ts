/** Recognizes findings that a placeholder of a template causes: the text that will replace it is not known yet. */
import { hasTemplates, templatesAt } from '../embedded/template.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Finding, RuleDocumentation } from './rule.ts'

/** Codes about the language inside a body: a body with placeholders is not written in it yet. */
const bodyCodes: ReadonlySet<string> = new Set(['E-BODY-CONSTRAINT-VIOLATION', 'E-CALL-SCHEMA'])

/** Rules about what is missing in a header: a placeholder may bring it. */
const missingInHeader: ReadonlySet<string> = new Set(['missing-header', 'missing-version'])

/** A finding with its rule. */
export interface JudgedFinding {
  readonly rule: RuleDocumentation
  readonly finding: Finding
}

/** `found` without what only placeholders in `segment` cause. Looks at the text only if there is something to judge. */
export function withoutTemplateFindings<It extends JudgedFinding>(
  segment: Segment,
  found: readonly It[],
): readonly It[] {
  if (found.length === 0 || !hasTemplates(segment.text)) return found
  return found.filter((it) => !isCausedBy(it, segment))
}

const longestWord = 10_000 // UTF-16 code units of a word that is searched for placeholders

/** @param segment one with placeholders */
function isCausedBy({ rule, finding }: JudgedFinding, { text, kind }: Segment): boolean {
  if (finding.isOnTemplate === false) return false
  if (finding.isOnTemplate || bodyCodes.has(rule.code)) return true
  if (kind === 'preamble' && missingInHeader.has(rule.name)) return true
  const { from, to } = finding.span
  if (to - from > longestWord) return false
  const touched = templatesAt(text, finding.span)
  if (touched.length === 0) return false
  if (touched.some((it) => it.from < from || to < it.to)) return true
  let rest = ''
  let at = from
  for (const it of touched) {
    rest += text.slice(at, it.from)
    at = it.to
  }
  rest += text.slice(at, to)
  // A word with a placeholder in it will be another word; text around a placeholder stays what it is.
  return rest.trim() === '' || (rule.name !== 'stray-text' && !/\s/.test(rest))
}
