/** What `ocm check` can fix. */
import { FileProblem } from '../files/file-problem.ts'

/** What is fixed: nothing; transcripts; these, and samples in their files; or only samples, into a new file. */
export type Fixes = 'none' | 'transcripts' | 'in-place' | 'output'

/** True if samples are fixed. */
export function fixesSamples(fixes: Fixes): boolean {
  return fixes === 'in-place' || fixes === 'output'
}

/** @throws FileProblem if fixes are asked for for the file at `shown`, which is not a transcript */
export function refuseFixes(
  shown: string,
  { fixes, diff }: { readonly fixes: Fixes; readonly diff: boolean },
): void {
  if (diff) throw new FileProblem(shown, '`--diff` works on transcripts only')
  if (fixes !== 'transcripts') return
  const how = 'for samples, `--fix` needs `--output FILE`, which writes a new file, or `--in-place`'
  throw new FileProblem(shown, how)
}
