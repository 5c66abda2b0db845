/** What a report says of the samples of a stretch: their columns, their problems, and their marks. */
import {
  type DatasetMark,
  DatasetStatistics,
  type DialectName,
  datasetMark,
  type GoodSample,
  localized,
  mayQuoteHidden,
  type Reading,
  ruleNamed,
  type SampleProblem,
  type SampleView,
  type Severity,
  type StatisticsData,
  sampleJudge,
  severitySettingOf,
  shortened,
  Transcript,
  transcriptOfConversation,
  viewOfSample,
  withoutQuotedWords,
} from '../../../core/src/internal.ts'
import { documentOptions } from '../check/check-source.ts'
import {
  type SampleResults,
  type SampleSetup,
  type ShownStretch,
  sampleWork,
} from '../dataset/sample-results.ts'
import { tokenCounter } from '../find/filter-work.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { loadRenderer } from '../training/load-renderer.ts'
import type { RenderChoice } from '../training/training-work.ts'
import { ProblemSums, type ProblemSumsData } from './problem-sums.ts'

/** How samples are reported. */
export interface ReportSetup extends SampleSetup {
  readonly dialect: DialectName | 'auto'
  readonly choice: RenderChoice | undefined
  /** True to show hidden text in examples. */
  readonly hasHidden: boolean
}

/** The mark of a sample, and where it is. */
export interface PlacedMark {
  readonly shown: string
  readonly number: number
  readonly mark: DatasetMark
}

/** What is said of a stretch. */
export interface ReportResult extends SampleResults {
  readonly data: StatisticsData
  readonly problems: ProblemSumsData
  readonly marks: readonly PlacedMark[]
}

/** Reporting. */
export type ReportWork = Work<ReportSetup, ShownStretch, ReportResult>

/** Starts reporting. */
export async function startReportWork(setup: ReportSetup): Promise<Doing<ReportWork>> {
  const { dialect, choice, hasHidden } = setup
  const renderer = await loadRenderer(choice)
  const training = renderer?.count.bind(renderer)
  const count = renderer ? undefined : await tokenCounter(true)
  return ({ shown, stretch, settings }) => {
    const judge = sampleJudge(documentOptions({ dialect, settings }))
    const statistics = new DatasetStatistics({ isRedacted: true })
    const sums = new ProblemSums()
    const marks: PlacedMark[] = []
    const work = sampleWork(setup, 'nothing', ({ sample, number }, where, collector) => {
      const view = viewOfSample(sample, number, { judge, training, ...(count && { count }) })
      const reading = collector.read() // which says what is wrong
      statistics.add(view)
      marks.push({ shown, number, mark: datasetMark(sample.value, reading) })
      const { branches = [], branch } = reading.conversation
      const others = branches.filter((it) => it !== branch).map((it) => sample.read(false, it))
      const rendered = renderer?.problems(sample.value, [reading, ...others], settings.rules) ?? []
      const problems = [...view.problems, ...rendered]
      // What must not spread is in the words of the sample, whichever problem they are shown for.
      const isShown = !problems.some(({ code }) => code === 'W-DATA-SECRET' || code === 'H-DATA-PERSONAL')
      for (const problem of problems) {
        const { code, rule } = problem
        sums.add({ code, rule, severity: severityNamed(problem.severity) }, () => ({
          place: where,
          message: messageOf(problem, sample, reading, { hasHidden, hasSecret: !isShown }),
          words: isShown ? wordsOf(view, hasHidden) : '',
        }))
      }
    })
    return { ...work({ shown, stretch, settings }), data: statistics.data(), problems: sums.data(), marks }
  }
}

function severityNamed(word: string): Severity {
  const setting = severitySettingOf(word)
  return setting === undefined || setting === 'off' ? 'warning' : setting
}

/** What is wrong, without words of the sample that must not be shown. */
function messageOf(
  { rule: name, range, message = '' }: SampleProblem,
  { text }: GoodSample,
  reading: Reading,
  { hasHidden, hasSecret }: { readonly hasHidden: boolean; readonly hasSecret: boolean },
): string {
  const rule = ruleNamed(name)
  switch (rule?.scope) {
    // They name fields, branches, and numbers of messages, not what is in them.
    case 'sample':
    case 'branches':
    case 'dataset':
      return message
    case 'rendering':
      // A template says what it likes.
      return rule.name === 'failing-template' && !(hasHidden && !hasSecret)
        ? localized(rule.summary)
        : message
    default: {
      if (hasSecret || !range) return withoutQuotedWords(message)
      if (hasHidden) return message
      const transcript = text === undefined ? transcriptOfConversation(reading) : Transcript.parse(text)
      return mayQuoteHidden({ rule: name, range }, transcript) ? withoutQuotedWords(message) : message
    }
  }
}

const longestWords = 240 // code units: a line or two

/** The first words of a sample; hidden text only if that was asked for. */
function wordsOf({ texts }: SampleView, hasHidden: boolean): string {
  const shown = texts
    .filter(({ isHidden }) => hasHidden || !isHidden)
    .map(({ text }) => text.slice(0, longestWords))
  const words = shown.join(' … ').replaceAll(/\s+/g, ' ').trim()
  return shortened(words, longestWords)
}
