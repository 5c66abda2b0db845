/** Finds samples of a dataset for an agent. A query that needs more than the dataset is an error: no samples would be a wrong answer. */
import {
  asksForComparison,
  DatasetCheck,
  datasetMark,
  fieldAt,
  readingOf,
  type Sample,
  type SampleMatcher,
  type SampleView,
  sampleJudge,
  unknownFieldText,
  type ViewOptions,
  viewOfSample,
} from '../../core/src/internal.ts'
import { type AgentDataset, judgedBy, samplesOf } from './agent-source.ts'
import { AgentToolError } from './agent-tool.ts'

/** A sample that was found, and what a query sees of it. */
export interface FoundSample {
  readonly sample: Sample
  readonly view: SampleView
}

/** One look for the samples that a query matches. */
export class SampleSearch {
  readonly #matcher: SampleMatcher
  readonly #path: string
  readonly #dataset: AgentDataset

  constructor(matcher: SampleMatcher, path: string, dataset: AgentDataset) {
    this.#matcher = matcher
    this.#path = path
    this.#dataset = dataset
  }

  /**
   * The samples with higher numbers than `after` that match, in their order.
   *
   * @throws AgentToolError if the query is about tokens, a review, or a field that no sample has
   */
  *samplesAfter(after: number): IterableIterator<FoundSample> {
    const { settings } = this.#dataset
    const judge = sampleJudge(judgedBy(settings))
    const problemsAmong = this.#comparedIfAsked()
    const unknown = new Set(this.#matcher.sampleFields)
    for (const { number, sample } of this.#samples()) {
      if (sample.kind === 'good')
        for (const it of unknown) if (fieldAt(sample.value, it) !== undefined) unknown.delete(it)
      if (number <= after) continue
      const among = () => problemsAmong?.get(number) ?? []
      const view = viewOfSample(sample, number, { judge, among, ...unanswered })
      if (this.#matcher.matches(view)) yield { sample, view }
    }
    const [field] = unknown
    // Names of other fields are data, which the message does not quote.
    if (field !== undefined) throw new AgentToolError(unknownFieldText(field, []))
  }

  #samples() {
    const { bytes, settings } = this.#dataset
    return samplesOf(this.#path, bytes, settings)
  }

  /** The problems of samples among each other by their numbers; undefined if the query doesn't ask for them. */
  #comparedIfAsked() {
    if (!asksForComparison(this.#matcher)) return undefined
    const check = new DatasetCheck()
    for (const { number, sample } of this.#samples()) {
      const reading = sample.kind === 'good' ? readingOf(sample) : undefined
      if (sample.kind === 'good' && reading) check.add(datasetMark(sample.value, reading), this.#path, number)
    }
    return check.problemsByFile(this.#dataset.settings.rules).get(this.#path)
  }
}

/** What takes more than the dataset: asking for it ends the search. */
const unanswered: Pick<ViewOptions, 'training' | 'review'> = {
  training: () => refuse('tokens'),
  review: () => refuse('reviews'),
}

function refuse(what: string): never {
  throw new AgentToolError(`Queries about ${what} are not supported here; use \`ocm filter\``)
}
