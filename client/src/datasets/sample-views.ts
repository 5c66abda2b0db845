/** Samples of a list as queries and columns see them. */
import {
  bytesAsText,
  readSample,
  type Sample,
  type SampleView,
  sampleJudge,
  viewOfSample,
} from '../../../core/src/internal.ts'
import type { ReadSample } from './dataset-view.ts'
import { readSample as listedSample } from './listed-sample.ts'
import type { CountTexts } from './row-source.ts'
import { type SummaryOptions, summaryOf } from './summary.ts'

/** The view of a sample that has a number. Nothing is thrown: a mistake of ours makes one sample broken. */
export function viewOf(
  { bytes, mistake, mapping }: Omit<ReadSample, 'place'>,
  number: number,
  judge: SummaryOptions,
  tokens?: number,
): SampleView {
  const sample =
    bytes && mistake === undefined ? readSample(bytes, { rest: 'source', mapping }) : unread(bytes)
  try {
    const review = () => judge.reviewOf?.(number)
    return viewOfSample(sample, number, {
      judge: sampleJudge(judge),
      review,
      among: () => judge.problemsAmong?.(number) ?? [],
      ...(tokens !== undefined && { count: () => tokens }),
    })
  } catch {
    return viewOfSample(unread(bytes), number)
  }
}

/** A sample that is too large, or whose edit is not applied. */
function unread(bytes: Uint8Array | undefined): Sample {
  const json = (bytes && bytesAsText(bytes)) ?? ''
  return { kind: 'bad', json, reason: 'missing', message: '', offset: undefined }
}

/** The tokens of a sample, as its row counts them; undefined for one that cannot be read, and where nothing counts. */
export async function tokensOf(
  { bytes, mistake, mapping }: Omit<ReadSample, 'place'>,
  options: SummaryOptions,
  count: CountTexts,
): Promise<number | undefined> {
  if (!bytes || mistake !== undefined) return undefined
  const summary = summaryOf(listedSample(bytes, { mapping }), options)
  if (summary.kind === 'bad') return undefined
  const counts = await count(summary.texts)
  return counts?.reduce((sum, it) => sum + it, summary.specials)
}
