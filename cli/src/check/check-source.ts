/** Checks one text. */
import {
  type Analysis,
  analyze,
  Checker,
  type ParseOptions,
  type PathSettings,
  type Position,
  type Problem,
  Transcript,
} from '../../../core/src/index.ts'

/** What is known of a file that was checked: all that a reporter may show of it. */
export interface FileReport {
  /** As people see it. */
  readonly path: string
  readonly analysis: Analysis
  /** In order of the text. */
  readonly problems: readonly Problem[]
  /** How many fixes were applied to the text before. */
  readonly nFixed: number
  /** The dataset that the text is a sample of, or the file that is the conversation in JSON. */
  readonly dataset?: SampleOrigin
}

/** Where a sample comes from. */
export interface SampleOrigin {
  /** The file, as people see it. */
  readonly path: string
  /** Where there an offset of the sample's transcript stands. */
  positionAt(offset: number): Position
}

/** How a text is checked. */
export interface CheckOptions extends ParseOptions {
  /** What the configuration sets for the transcript. */
  readonly settings?: PathSettings
  /** True to report what is wrong in fixtures as severely as elsewhere. */
  readonly judgesFixtures?: boolean
  /** Told when a rule throws, which is a bug. */
  readonly onRuleError?: (rule: string, error: unknown) => void
}

/** The analysis of `text` and a checker that has finished. */
export function checkText(
  text: string | Transcript,
  { dialect, settings, judgesFixtures = false, onRuleError }: CheckOptions,
): { readonly analysis: Analysis; readonly checker: Checker } {
  const transcript = typeof text === 'string' ? Transcript.parse(text, dialect ? { dialect } : {}) : text
  const analysis = analyze(transcript)
  const checker = new Checker(analysis, {
    settings: settings?.rules ?? [],
    templates: settings?.templates ?? true,
    intent: settings?.intent,
    judgesFixtures,
    onRuleError: (rule, error) => onRuleError?.(rule.name, error),
  })
  checker.advance()
  return { analysis, checker }
}

/** The report on `text`. */
export function reportOn(path: string, text: string | Transcript, options: CheckOptions): FileReport {
  const { analysis, checker } = checkText(text, options)
  return { path, analysis, problems: checker.problems().problems, nFixed: 0 }
}
