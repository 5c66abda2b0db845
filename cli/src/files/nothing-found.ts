/** What a command says where it finds nothing to do: an error, because a mistyped path must not look like success. */
import { FileProblem } from './file-problem.ts'
import type { Found } from './find-files.ts'

/** The problem that a dataset without samples is. */
export function noSamples(path: string): FileProblem {
  return new FileProblem(path, 'contains no samples')
}

/** The problem that a file, or a directory of files, without a conversation is. */
export function nothingToCheck(path: string): FileProblem {
  return new FileProblem(path, 'contains nothing to check')
}

const dataset = 'no dataset (*.jsonl, *.ndjson, also *.gz and *.zst, *.parquet)'

/** The problem that a directory without files is, for a command that reads datasets or not, and transcripts or not. */
export function nothingProblem(
  { path, hasDatasets, isFiltered }: Extract<Found, { kind: 'nothing' }>,
  { transcripts = true }: { readonly transcripts?: boolean } = {},
): FileProblem {
  const others = isFiltered
    ? '; `--no-ignore` also searches what git ignores or the configuration excludes'
    : ''
  if (!transcripts) return new FileProblem(path, `${dataset} in this directory${others}`)
  const reason = hasDatasets
    ? 'no *.ocm file in this directory; its datasets are not formatted'
    : `no transcript (*.ocm) and ${dataset} in this directory`
  return new FileProblem(path, `${reason}${others}`)
}
