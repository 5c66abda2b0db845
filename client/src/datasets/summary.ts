/** What the list shows of a sample: never a word that an end user of the conversation would not see. */
import {
  type Analysis,
  branchProblems,
  type CheckerOptions,
  type DialectName,
  factsOf,
  judgedDocument,
  judgedForm,
  localize,
  openEnd,
  type SampleProblem,
  type SampleReview,
  type Severity,
  sampleProblems,
  type TranscriptSample,
  tokenParts,
  visibleMessages,
} from '../../../core/src/internal.ts'
import type { RoleCount } from './dataset-protocol.ts'
import type { Sample, UnreadSample } from './listed-sample.ts'

/** How samples are looked at. */
export interface SummaryOptions extends CheckerOptions {
  /** What a review says about the sample with a number; absent if there is none. */
  readonly reviewOf?: (number: number) => SampleReview | undefined
  /** The problems that the sample with a number has among the others; absent until they were compared. */
  readonly problemsAmong?: (number: number) => readonly SampleProblem[]
  readonly dialect: DialectName | 'auto'
}

/** What is known of a sample without counting its tokens. */
export type Summary =
  | {
      readonly kind: 'good'
      /** The first visible words, on one line; empty if nothing is visible. */
      readonly words: string
      readonly roles: readonly RoleCount[]
      readonly errors: number
      readonly warnings: number
      readonly hints: number
      /** What the transcript does not say although the sample does. */
      readonly losses: number
      /** Of the first of the worst problems. */
      readonly code: string | undefined
      readonly form: string
      /** Special tokens, one each. */
      readonly specials: number
      /** What is to be counted. */
      readonly texts: readonly string[]
    }
  | UnreadSample

/** More UTF-16 code units than fit into a row. */
export const wordsLength = 240

/**
 * The summary of `sample`. Linear in its text. Nothing is thrown: an internal error costs one row, and not the list.
 *
 * @param among the problems that it has among the others
 */
export function summaryOf(
  sample: Sample,
  options: SummaryOptions,
  among: readonly SampleProblem[] = [],
): Summary {
  if (sample.kind === 'bad') return sample
  try {
    return goodSummary(sample, options, among)
  } catch {
    const message = localize`The sample cannot be checked because of an internal error`
    return { kind: 'bad', message, position: { line: 0, character: 0 } }
  }
}

function goodSummary(
  sample: TranscriptSample,
  options: SummaryOptions,
  among: readonly SampleProblem[],
): Summary {
  const document = judgedDocument(sample.text, judgedForm(sample), options)
  const { analysis } = document
  const roles = new Map<string, number>()
  const texts: string[] = []
  let specials = 0
  const last = openEnd(analysis)
  for (const { segment } of analysis.transcript.segments()) {
    const facts = factsOf(segment)
    if (facts?.isMessage) roles.set(facts.role ?? '?', (roles.get(facts.role ?? '?') ?? 0) + 1)
    const parts = tokenParts(analysis, segment, { isOpenEnd: segment === last })
    specials += parts.specials
    texts.push(...parts.header, ...parts.body)
  }
  const judged = { ...sample, from: sample.form }
  const own = document.problems().problems
  const problems = [
    ...sampleProblems(judged, options.settings),
    ...branchProblems(judged, options, { transcript: analysis.transcript, problems: own }),
    ...own,
    ...among,
  ]
  const withSeverity = (wanted: Severity) => problems.filter(({ severity }) => severity === wanted)
  const [errors, warnings, hints] = [withSeverity('error'), withSeverity('warning'), withSeverity('hint')]
  return {
    kind: 'good',
    words: firstWords(analysis),
    roles: [...roles].map(([role, count]) => ({ role, count })),
    errors: errors.length,
    warnings: warnings.length,
    hints: hints.length,
    losses: sample.losses.length,
    code: (errors[0] ?? warnings[0] ?? hints[0])?.code,
    form: sample.form,
    specials,
    texts,
  }
}

function firstWords(analysis: Analysis): string {
  let words = ''
  for (const { parts } of visibleMessages(analysis)) {
    for (const { text } of parts) words += `${text.slice(0, wordsLength * 2)} `
    words = words.replaceAll(/\s+/g, ' ').trimStart()
    if (words.length > 0) break
  }
  return words.slice(0, wordsLength).trim()
}
