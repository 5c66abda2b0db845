/** Files that a report must not replace: whoever names one has left out the name of the report, as in `--html *.jsonl`. */
import { type BigIntStats, closeSync, openSync, realpathSync, statSync } from 'node:fs'
import { placeOf, readSomeSync } from '../../../client/disk/byte-ranges.ts'
import { datasetKind, isDatasetName } from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import { isTranscriptName } from './json-conversation.ts'

const lookedAt = 1024 // bytes: the beginning of a list, or of a page

/**
 * Refuses `path` as the place of a report if there is a transcript or a dataset, or one of `inputs`. What is not a regular file,
 * such as a pipe, is written to. @throws UsageError
 */
export function refuseSourceAsOutput(option: string, path: string, inputs: readonly string[]): void {
  const status = statusOf(path)
  if (!status?.isFile()) return
  const isInput = inputs.some((it) => {
    const input = statusOf(it)
    return input !== undefined && placeOf(input) === placeOf(status)
  })
  const isSource = namesOf(path).some((it) => isDatasetName(it) || isTranscriptName(it)) || isList(path)
  if (isInput || isSource)
    throw new UsageError(`\`${path}\` is a transcript or a dataset, which \`${option}\` does not replace`)
}

/** Refuses `path` as the place of a page if there is a file that is not a page. @throws UsageError */
export function refuseOtherThanPage(option: string, path: string): void {
  const status = statusOf(path)
  if (!status?.isFile() || status.size === 0n || /^\s*<!doctype html/i.test(beginningOf(path))) return
  throw new UsageError(`\`${path}\` is not a page, and \`${option}\` does not replace it`)
}

function isList(path: string): boolean {
  return /\.json$/i.test(path) && datasetKind(beginningOf(path)) === 'list'
}

/** Empty for a file that cannot be read; who writes it says what is wrong. */
function beginningOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const buffer = Buffer.alloc(lookedAt)
      return buffer.toString('utf8', 0, readSomeSync(file, buffer))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** The path, and where it leads. */
function namesOf(path: string): readonly string[] {
  try {
    return [path, realpathSync(path)]
  } catch {
    return [path]
  }
}

/** Undefined if there is none, or it can't be looked at; writing it then reports why. */
function statusOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
