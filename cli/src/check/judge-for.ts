/** Judges samples where columns or a query ask for their problems. Rules are loaded only then. */
import { isProblemField, type SampleJudge } from '../../../core/src/internal.ts'
import type { CheckOptions } from './check-source.ts'

/** Judges samples that are checked as `options` say. */
export type JudgeBy = (options: CheckOptions) => SampleJudge

/** What judges samples; undefined if none of the fields or columns with these `names` depends on problems. */
export async function judgeFor(names: Iterable<string>): Promise<JudgeBy | undefined> {
  if (![...names].some(isProblemField)) return undefined
  return (await import('./judge-by.ts')).judgeBy
}
