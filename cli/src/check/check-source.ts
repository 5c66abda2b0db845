/** Checks one text. */
import {
  type Analysis,
  type Checker,
  Document,
  type DocumentOptions,
  type ParseOptions,
  type PathSettings,
  type Position,
  type Problem,
  type Rule,
  type SampleTraits,
  type Transcript,
} from '../../../core/src/internal.ts'

/** What is known of a file that was checked. */
export interface CheckedFile {
  /** As people see it. */
  readonly path: string
  readonly analysis: Analysis
  /** In order of the text: as often as they are asked for, because there may be too many to keep. */
  readonly problems: Iterable<Problem>
  /** How many fixes were applied to the text before. */
  readonly nFixed: number
  /** The dataset that the text is a sample of, or the file that is the conversation in JSON. */
  readonly dataset?: SampleOrigin
}

/** All that a reporter may show of a file. */
export interface FileReport extends CheckedFile {
  /** The first ones, in order of the text. */
  readonly problems: readonly Problem[]
}

/** Where a sample comes from. */
export interface SampleOrigin {
  /** The file, as people see it. */
  readonly path: string
  /** Where an offset of the sample's transcript is there. */
  positionAt(offset: number): Position
}

/** How a text is checked. */
export interface CheckOptions extends ParseOptions {
  /** What the configuration sets for the transcript. */
  readonly settings?: PathSettings
  /** The rules to judge by; all by default. */
  readonly rules?: readonly Rule[]
  /** True to report what is wrong in fixtures as severely as elsewhere. */
  readonly judgesFixtures?: boolean
  /** What the text is a sample of. */
  readonly sample?: SampleTraits
  /** Called when a rule throws, which is a bug. */
  readonly onRuleError?: (rule: string, error: unknown) => void
}

/** How a document is judged that is checked as `options` say. */
export function documentOptions({
  dialect = 'auto',
  settings,
  rules,
  judgesFixtures = false,
  sample,
  onRuleError,
}: CheckOptions): DocumentOptions {
  return {
    dialect,
    ...(rules ? { rules } : {}),
    settings: settings?.rules ?? [],
    templates: settings?.templates ?? true,
    intent: settings?.intent,
    judgesFixtures,
    sample,
    onRuleError: (rule, error) => onRuleError?.(rule.name, error),
  }
}

/** What is wrong with `text`. */
export function checkedText(path: string, text: string | Transcript, options: CheckOptions): CheckedFile {
  return checkedDocument(path, new Document(text, documentOptions(options)), 0)
}

const keptProblems = 10_000 // of a document; where there are more, it is checked again whenever they are asked for

/** What is wrong with `document`, to whose text `nFixed` fixes were applied before. */
export function checkedDocument(path: string, document: Document, nFixed: number): CheckedFile {
  return { path, analysis: document.analysis, problems: problemsOf(document.checker), nFixed }
}

/** All that `checker` finds, in order of the text; it is checked when it is asked for. */
export function problemsOf(checker: Checker): Iterable<Problem> {
  let kept: readonly Problem[] | undefined
  return {
    *[Symbol.iterator]() {
      if (kept) return yield* kept
      const found: Problem[] = []
      for (const it of checker.eachProblem()) {
        if (found.length <= keptProblems) found.push(it)
        yield it
      }
      if (found.length <= keptProblems) kept = found
    },
  }
}
