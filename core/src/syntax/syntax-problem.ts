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
