/** `--dialect`, which every command that reads transcripts has. */
import type { DialectName } from '../../core/src/index.ts'

// Written out, because the help must not load the parser; the compiler and a test compare it with the parser's list.
const dialects = ['auto', '2.2', '2.0', '1.x', 'harmony'] as const satisfies readonly (DialectName | 'auto')[]

/** The option. */
export const dialectOption = {
  kind: 'choice',
  values: dialects,
  default: 'auto',
  summary: 'How to read the text; auto recognises the dialect from header and framing',
} as const
