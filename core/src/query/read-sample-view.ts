/** A sample of a dataset as queries and columns see it. */
import type { Conversation } from '../conversation/conversation.ts'
import { ConversionError } from '../conversation/loss.ts'
import { type Reading, readJsonConversation } from '../convert/convert.ts'
import type { GoodSample, Sample } from '../datasets/sample.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { type SampleProblem, type SampleReview, SampleView } from './sample-view.ts'

/** Tokens of a sample, and those that count in the loss. */
export interface TrainedTokens {
  readonly nTotal: number
  readonly nTrained: number
}

/** Finds what is wrong with a sample. */
export type SampleJudge = (sample: GoodSample, reading: Reading) => readonly SampleProblem[]

/** How a sample is looked at. */
export interface ViewOptions {
  /** Finds its problems: `sampleJudge`. Absent where nothing asks for them, so that no rule need be loaded. */
  readonly judge?: SampleJudge | undefined
  /** Counts the tokens of what was read; absent if nothing does. */
  readonly count?: (reading: Reading) => number
  /** Counts what a model is trained on, by a chat template; absent if none is chosen. Its tokens are those of the column then. */
  readonly training?: ((value: JsonValue, reading: Reading) => TrainedTokens | undefined) | undefined
  /** The problems that the sample has among the others of its dataset; absent where they were not compared. */
  readonly among?: (() => readonly SampleProblem[]) | undefined
  /** What is said about the sample; absent if nothing is. */
  readonly review?: ((sample: SampleView) => SampleReview | undefined) | undefined
}

/** The view of `sample`, which is at `place`. What cannot be read as a conversation is `broken`; nothing is thrown. */
export function viewOfSample(
  sample: Sample,
  place: number,
  { judge, count, training, among, review }: ViewOptions = {},
): SampleView {
  const reading = sample.kind === 'good' ? readingOf(sample) : undefined
  let known: { readonly count: TrainedTokens | undefined } | undefined
  const trained = () => {
    if (!training || !reading || sample.kind !== 'good') return undefined
    known ??= { count: training(sample.value, reading) }
    return known.count
  }
  const view = new SampleView({
    place,
    form: reading?.from ?? 'broken',
    value: sample.kind === 'good' ? sample.value : undefined,
    mapping: sample.kind === 'good' ? sample.mapping : undefined,
    source: sample.json,
    branches: reading?.conversation.branches ?? [],
    conversations: () => (reading && sample.kind === 'good' ? branchesOf(sample, reading) : []),
    problems: () =>
      reading && sample.kind === 'good' ? [...(judge?.(sample, reading) ?? []), ...(among?.() ?? [])] : [],
    tokens: () => (training ? trained()?.nTotal : reading && count?.(reading)),
    trained: () => trained()?.nTrained,
    review: () => review?.(view),
  })
  return view
}

/** The first branch of a sample; undefined if no form reads it. */
export function readingOf(sample: GoodSample): Reading | undefined {
  try {
    return sample.read()
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return undefined
  }
}

/** All branches of the sample; the first was read already. */
function branchesOf({ value, mapping }: GoodSample, reading: Reading): readonly Conversation[] {
  const { from, conversation } = reading
  const others = (conversation.branches ?? []).slice(1)
  return [
    conversation,
    ...others.map(
      (branch) => readJsonConversation(value, { from, branch, mapping, rest: 'source' }).conversation,
    ),
  ]
}
