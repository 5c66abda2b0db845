/** Datasets: many conversations in one file, one a line or as the elements of a JSON list. */
import { open } from 'node:fs/promises'
import { datasetKind, isDatasetName, lookedAt } from '../../../core/src/internal.ts'
import { standardInput } from '../files/read-source.ts'

/** Options of commands that read datasets. */
export const datasetOptions = {
  jsonl: {
    kind: 'flag',
    summary:
      'Read a dataset: JSONL, one conversation a line, or a JSON list of conversations; files named *.jsonl, and *.json with such a list, are read so anyway',
  },
  'bad-lines': {
    kind: 'choice',
    values: ['fail', 'skip', 'stop'],
    default: 'fail',
    summary:
      'What to do about a line that cannot be read: name it and go on, with exit status 2 in the end; the same, with the status of the other lines; or stop there',
  },
  jobs: {
    kind: 'count',
    least: 1,
    summary: 'Work with N threads; by default with all cores, where there is enough to do',
  },
} as const

/** What to do about a line that cannot be read. */
export type BadLines = 'fail' | 'skip' | 'stop'

/** True if the file at `path` is a dataset, by its name and its beginning, or by the option. What cannot be read is none. */
export async function isDataset(path: string, { jsonl }: { readonly jsonl: boolean }): Promise<boolean> {
  if (jsonl || isDatasetName(path)) return true
  if (path === standardInput || !/\.json$/i.test(path)) return false
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(lookedAt), 0, lookedAt, 0)
      return datasetKind(buffer.toString('utf8', 0, bytesRead)) === 'list'
    } finally {
      await file.close()
    }
  } catch {
    return false // who reads it as a file says what is wrong
  }
}
