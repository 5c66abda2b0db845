/** Why a template has no rendering: its own words, and where they come from. */
import { shortened } from '../text/shortened.ts'

/** What went wrong with a template. */
export interface TemplateProblem {
  /**
   * `syntax`: it can't be read. `raised`: it refuses its input by `raise_exception`. `failed`: a value was not what it
   * expected. `limit`: it asked for more work or output than a template may (S15).
   */
  readonly kind: 'syntax' | 'raised' | 'failed' | 'limit'
  /** In the words of the template, or in those of Python and Jinja2. */
  readonly message: string
  /** UTF-16 code units from the start of the source, after line breaks were read as `\n`. */
  readonly offset: number
  /** From 1. */
  readonly line: number
  /** UTF-16 code units from 1. */
  readonly column: number
}

/** Ends the rendering; {@link file://./render-template.ts} makes a problem of it, so it never leaves this folder. */
export class TemplateFault extends Error {
  readonly kind: TemplateProblem['kind']
  /** Where, if that is known yet: the innermost tag or expression adds it. */
  offset: number | undefined

  constructor(kind: TemplateProblem['kind'], message: string, offset?: number) {
    super(message)
    this.kind = kind
    this.offset = offset
  }
}

/** A value that does not fit, in the words of Python. */
export function typeFault(message: string): TemplateFault {
  return new TemplateFault('failed', message)
}

const longestMessage = 1000 // code units; a template can fail with words of any length

/** The fault as a problem in `source`. */
export function problemOf(fault: TemplateFault, source: string): TemplateProblem {
  const offset = Math.min(fault.offset ?? 0, source.length)
  const before = source.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  const line = before.split('\n').length
  return {
    kind: fault.kind,
    message: shortened(fault.message, longestMessage),
    offset,
    line,
    column: offset - lineStart + 1,
  }
}
