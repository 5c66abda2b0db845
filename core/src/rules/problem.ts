/** A problem as users meet it: a finding with its rule, in document offsets. */
import type { Range, TextEdit } from '../text/range.ts'
import type { Severity } from './rule.ts'

/** A fix in document offsets. */
export interface ProblemFix {
  readonly title: string
  /** In order of the text, not overlapping; all refer to the document as it is. */
  readonly edits: readonly TextEdit[]
  /** True only if the fix cannot change what the transcript means. */
  readonly isSafe: boolean
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
