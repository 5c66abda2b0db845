/** Judges samples by the rules. */
import { sampleJudge } from '../../../core/src/internal.ts'
import { documentOptions } from './check-source.ts'
import type { JudgeBy } from './judge-for.ts'

/** Judges samples that are checked as these options say. */
export const judgeBy: JudgeBy = (options) => sampleJudge(documentOptions(options))
