/** What a command says where it finds nothing to do: an error, because a mistyped path must not look like success. */
import { FileProblem } from './file-problem.ts'
import type { Found } from './find-files.ts'

/** The option of commands that search directories. */
export const emptyOption = {
  'allow-empty': {
    kind: 'flag',
    summary: 'Accept a directory in which there is nothing to do; without it, the exit status is 2',
  },
} as const

const dataset = 'no dataset (*.jsonl, *.ndjson, also *.gz and *.zst, *.parquet)'

/** The problem that a directory without files is, for a command that reads datasets or not, and transcripts or not. */
export function nothingProblem(
  { path, hasDatasets }: Extract<Found, { kind: 'nothing' }>,
  { transcripts = true }: { readonly transcripts?: boolean } = {},
): FileProblem {
  if (!transcripts) return new FileProblem(path, `${dataset} in this directory`)
  const reason = hasDatasets
    ? 'no *.ocm file in this directory; its datasets are left alone here'
    : `no transcript (*.ocm) and ${dataset} in this directory`
  return new FileProblem(path, reason)
}
