/** Datasets: many conversations in one file, one a line or as the elements of a JSON list. */
import { open, stat } from 'node:fs/promises'
import { readRange } from '../../../client/disk/byte-ranges.ts'
import {
  datasetKind,
  isDatasetName,
  isPackedName,
  lookedAt,
  type PathSettings,
  sessionForm,
} from '../../../core/src/internal.ts'
import type { DatasetSettings } from '../configuration/settings-by-dataset.ts'
import { isPattern } from '../files/find-files.ts'
import { standardInput } from '../files/read-source.ts'

/** Options of commands that read datasets. */
export const datasetOptions = {
  jsonl: {
    kind: 'flag',
    summary:
      'Read a dataset: JSONL, one conversation per line, or a JSON list of conversations, also compressed with gzip or zstd, or Parquet; files named *.jsonl, *.gz, *.zst, *.parquet, and *.json with such a list are always read as datasets',
  },
  'bad-lines': {
    kind: 'choice',
    values: ['fail', 'skip', 'stop'],
    default: 'fail',
    summary:
      'How to handle lines that cannot be read: report them, continue, and exit with status 2; the same, but exit with the status of the other lines; or stop there',
  },
  jobs: {
    kind: 'count',
    least: 1,
    summary: 'Use N threads; by default all cores, if there is enough work',
  },
} as const

/** What to do about a line that cannot be read. */
export type BadLines = 'fail' | 'skip' | 'stop'

/**
 * True if `paths` are a dataset: of several files, of a directory or a pattern, or of one file. One path that is not is a conversation.
 */
export async function areDatasets(
  paths: readonly string[],
  values: { readonly jsonl: boolean },
  settings: Pick<DatasetSettings, 'of'>,
): Promise<boolean> {
  const [path] = paths
  if (path === undefined || paths.length > 1) return paths.length > 1
  if (await isDataset(path, values, settings)) return true
  if (path === standardInput) return false
  return (await isPattern(path)) || ((await stat(path).catch(() => undefined))?.isDirectory() ?? false)
}

/** True if the configuration says how the columns of a dataset are called. */
export function isMapped({ mapping }: PathSettings): boolean {
  return mapping !== undefined
}

/** Finds lists of samples in folders, among other files `*.json`. */
export function listFinder(settings: Pick<DatasetSettings, 'of'>): (path: string) => Promise<boolean> {
  return (path) => isDataset(path, { jsonl: false }, settings)
}

/**
 * True if the file at `path` is a dataset, by its name and its beginning, or by the option; a pipe by its name. A file that cannot be read is not. A list
 * whose columns are mapped is one, whatever its elements look like.
 */
export async function isDataset(
  path: string,
  { jsonl }: { readonly jsonl: boolean },
  settings: Pick<DatasetSettings, 'of'>,
): Promise<boolean> {
  if (jsonl || isPackedName(path)) return true
  const isLines = isDatasetName(path)
  if (path === standardInput || !(isLines || /\.json$/i.test(path))) return false
  try {
    if (!(await stat(path)).isFile()) return isLines // what is read of a pipe is gone
    const file = await open(path)
    try {
      const start = Buffer.from(await readRange(file, { start: 0, end: lookedAt })).toString()
      // A session of an agent has its entries in lines, and is one conversation.
      if (isLines) return sessionForm(start) === undefined
      if (datasetKind(start) === 'list') return true
      return datasetKind(start, { isAnyList: true }) === 'list' && isMapped(await settings.of(path))
    } finally {
      await file.close()
    }
  } catch {
    return isLines // who reads it says what is wrong
  }
}
