/** `--dialect`, which every command that reads transcripts has, and `--role` of those that read completions. */
import type { DialectName } from '../../core/src/internal.ts'

// Written out, because the help must not load the parser; the compiler and a test compare it with the parser's list.
const dialects = ['auto', '2.2', '2.0', '1.x', 'harmony'] as const satisfies readonly (DialectName | 'auto')[]

/** The option. */
export const dialectOption = {
  kind: 'choice',
  values: dialects,
  default: 'auto',
  summary: 'The dialect of the input; auto recognizes it by the header and the framing',
} as const

/** The role of what a completion begins with. */
export const roleOption = {
  kind: 'choice',
  values: ['assistant', 'user', 'developer', 'system', 'tool'],
  default: 'assistant',
  summary: 'The role of Harmony text that does not begin with `<|start|>`, such as the output of a model',
} as const
