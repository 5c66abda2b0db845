/** What `ocm check` can fix. */
import { FileProblem } from '../files/file-problem.ts'

/** @throws FileProblem if fixes are asked for where the file at `shown` is no transcript */
export function refuseFixes(
  shown: string,
  { fix, diff }: { readonly fix: boolean; readonly diff: boolean },
): void {
  if (fix || diff) throw new FileProblem(shown, '`--fix` and `--diff` work on transcripts only')
}
