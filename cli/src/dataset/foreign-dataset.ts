/** Distinguishes datasets of conversations from other JSONL files, which a directory may contain as well. */
import { ConversionError, datasetKind, isDatasetName, StretchCutter } from '../../../core/src/internal.ts'
import type { DatasetSettings } from '../configuration/settings-by-dataset.ts'
import type { FoundFile } from '../files/find-files.ts'
import { isDataset } from './dataset-source.ts'
import { openSource } from './open-source.ts'
import type { Note } from './sample-results.ts'
import { samplesIn } from './samples.ts'
import { stretchLimits } from './stretch.ts'

const lookedAt = 1 << 20 // bytes: some samples, also where they are long
const samplesAtMost = 10

/** True for a dataset that a search found, and that is not one of conversations. A dataset whose columns are mapped is one. */
export async function isForeignDataset(
  { path, folder }: FoundFile,
  settings: Pick<DatasetSettings, 'of'>,
): Promise<boolean> {
  if (folder === undefined || !isDatasetName(path)) return false
  // A session of an agent is a conversation.
  if (!(await isDataset(path, { jsonl: false }, settings))) return false
  return !(await settings.of(path)).mapping && !(await holdsConversations(path))
}

/** Says that such a file is left alone. */
export function foreignNote(path: string): Note {
  return { kind: 'remark', text: `${path}: its samples are not conversations, so it is skipped` }
}

/** Says that one conversation which a search found among datasets is left alone. */
export function conversationNote(path: string): Note {
  return { kind: 'remark', text: `${path}: is one conversation, not a dataset, so it is skipped` }
}

/**
 * False if none of the first samples of the file at `path` is a conversation, and they could all be read. What cannot be read
 * may be a dataset: checking it reports what is wrong.
 */
async function holdsConversations(path: string): Promise<boolean> {
  const bytes = await beginningOf(path)
  if (bytes === undefined || datasetKind(new TextDecoder().decode(bytes.subarray(0, 4096))) === 'list')
    return true
  const end = bytes.length < lookedAt ? bytes.length : bytes.lastIndexOf(10) + 1
  if (end === 0) return true
  const cutter = new StretchCutter('lines', stretchLimits)
  cutter.push(bytes.subarray(0, end))
  cutter.end()
  if (!cutter.hasSamples) return true
  let nSamples = 0
  for (const sample of samplesIn(cutter.take(), { from: 'auto' })) {
    if ('problem' in sample) {
      if (!sample.problem.isOther) return true
    } else {
      try {
        sample.sample.read()
        return true
      } catch (error) {
        if (!(error instanceof ConversionError)) return true
      }
    }
    if (++nSamples >= samplesAtMost) break
  }
  return nSamples === 0
}

/** The first bytes, unpacked; undefined if they cannot be read. */
async function beginningOf(path: string): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    const { chunks: unpacked } = await openSource(path, noInput(), { onBytes: () => undefined })
    for await (const chunk of unpacked) {
      chunks.push(new Uint8Array(chunk))
      length += chunk.length
      if (length >= lookedAt) break
    }
  } catch {
    return undefined // who reads it as a dataset says what is wrong
  }
  return Buffer.concat(chunks).subarray(0, lookedAt)
}

async function* noInput(): AsyncIterableIterator<Uint8Array> {}
