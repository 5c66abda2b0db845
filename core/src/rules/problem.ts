/** A problem as users meet it: a finding with its rule, in document offsets. */
import type { Analysis } from '../semantics/analysis.ts'
import { type Range, type Span, type TextEdit, toRange } from '../text/range.ts'
import type { Finding, RuleDocumentation, Severity } from './rule.ts'

/** A fix in document offsets. */
export interface ProblemFix {
  readonly title: string
  /** In order of the text, not overlapping; all refer to the document as it is. */
  readonly edits: readonly TextEdit[]
  /** True only if the fix cannot change what the transcript means. */
  readonly isSafe: boolean
  /** True for one of several values that may be meant: never applied without being chosen. */
  readonly isChoice?: boolean
}

/** A diagnostic. */
export interface Problem {
  /** The code of the specification or of this project: `E-PARSE-HEADER`. */
  readonly code: string
  /** The name of the rule: `repeated-channel`. */
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly range: Range
  readonly related: readonly { readonly range: Range; readonly message: string }[]
  readonly fixes: readonly ProblemFix[]
  readonly tag: 'unnecessary' | 'deprecated' | undefined
}

/** A finding with its rule, and with the severity that it has in this document. */
interface SevereFinding {
  readonly rule: RuleDocumentation
  readonly finding: Finding
  readonly severity: Severity
}

/** The document of a problem. */
interface ProblemDocument {
  readonly transcript: Analysis['transcript']
  /** The line break of the document, found on first use. */
  readonly lineBreak: () => string
}

/** `finding` of a segment that is at `start`. Positions after the end of the text become the end. */
export function toProblem(
  { rule, finding, severity }: SevereFinding,
  start: number,
  { transcript, lineBreak }: ProblemDocument,
): Problem {
  const { length } = transcript
  const rangeOf = (span: Span, origin: number) => {
    const range = toRange(span, origin)
    return { start: Math.min(range.start, length), end: Math.min(range.end, length) }
  }
  return {
    code: rule.code,
    rule: rule.name,
    severity,
    message: finding.message,
    range: rangeOf(finding.span, start),
    related: (finding.related ?? []).flatMap(({ segment, span, message }) => {
      const place = transcript.locate(segment)
      return place ? [{ range: rangeOf(span, place.start), message }] : []
    }),
    fixes: (finding.fixes ?? []).map(({ title, edits, isSafe, isChoice }) => ({
      title,
      isSafe,
      ...(isChoice && { isChoice }),
      edits: edits.map(({ span, text }) => {
        const range = rangeOf(span, start)
        return { ...range, text: withLineBreaks(text, { range, transcript, lineBreak }) }
      }),
    })),
    tag: finding.tag,
  }
}

const bareLineFeed = /(?<!\r)\n/

/** Rules write `\n`, and the document gets what it has; unless it was in the text that is replaced. */
function withLineBreaks(
  text: string,
  { range, transcript, lineBreak }: ProblemDocument & { readonly range: Range },
): string {
  if (!bareLineFeed.test(text) || lineBreak() === '\n') return text
  if (bareLineFeed.test(transcript.text(range))) return text
  // Linear: one code unit and the one before.
  return text.replaceAll(new RegExp(bareLineFeed, 'g'), lineBreak())
}
