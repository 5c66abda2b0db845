/** What the parser finds wrong, as facts: a kind and a place. Wording, severity and advice belong to the rules. */
import type { Span } from '../text/range.ts'

/**
 * The kinds of malformed or surprising syntax.
 * Each has exactly one rule that explains it.
 */
export type SyntaxProblemKind =
  | 'missing-role'
  | 'unknown-role'
  | 'space-after-token'
  | 'word-before-channel'
  | 'extra-word'
  | 'bare-content-type'
  | 'duplicate-attribute'
  | 'empty-attribute'
  | 'unknown-attribute'
  | 'late-attribute'
  | 'empty-channel'
  | 'unknown-channel'
  | 'repeated-channel'
  | 'empty-constraint'
  | 'early-constraint'
  | 'repeated-constraint'
  | 'token-in-header'
  | 'cut-header'
  | 'token-in-body'
  | 'open-literal'
  | 'open-thought'
  | 'stray-text'

/** One finding of the parser. */
export interface SyntaxProblem {
  readonly kind: SyntaxProblemKind
  /** The smallest text that a user would change, relative to the segment. */
  readonly span: Span
}

/** Problems of a kind of which a message has so many that the rest is only counted. */
export interface SyntaxSurplus {
  readonly kind: SyntaxProblemKind
  /** How many are not among the problems of the message. */
  readonly count: number
  /** Where the first of them is, relative to the segment: an edit after it leaves this as it is. */
  readonly span: Span
}
