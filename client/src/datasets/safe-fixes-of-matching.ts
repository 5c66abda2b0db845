/** The safe fixes of the samples that a list shows: found in one pass, kept outside of memory until they are applied. */
import {
  type BranchChange,
  ChangeLog,
  fixedSample,
  readSample,
  type Spool,
} from '../../../core/src/internal.ts'
import { assertListed, type ListedPart, type MatchingSamples } from './matching-samples.ts'
import { Slices } from './slices.ts'

/** A file whose samples are in a list, with its address. */
export interface ListedFile<Address> extends ListedPart {
  readonly address: Address
}

/** The transcript of a sample, or of one of its branches, before and after its fixes. */
export interface FixedPreview<Address> extends BranchChange {
  readonly address: Address
  readonly number: number
}

/** The fixes of one file. */
export interface FileFixes<Address> extends ListedFile<Address> {
  readonly changes: ChangeLog
}

/** What was found. */
export interface FoundFixes<Address> {
  /** Only files that have fixes. */
  readonly files: readonly FileFixes<Address>[]
  readonly nSamples: number
  readonly nFixes: number
  readonly nPreviewed: number
  /** Samples whose fixes cannot be written without changing something else. */
  readonly nRefused: number
  /** The transcripts of the first {@link nPreviewed} samples. */
  readonly previews: readonly FixedPreview<Address>[]
  close(): Promise<void>
}

/** How fixes are looked for. */
export interface FixSearch<Address> {
  readonly files: readonly ListedFile<Address>[]
  readonly samples: Pick<MatchingSamples, 'has' | 'options'>
  readonly makeSpool: () => Promise<Spool>
  /** Called for each place of the list; what it throws ends the search. */
  readonly onSample: (place: number) => void
}

const mostPreviews = 100 // samples: more are not read one by one
const mostPreviewed = 4 * 2 ** 20 // UTF-16 code units of all previews

/** Finds the safe fixes of samples. @throws what `onSample` throws, and an error if a file cannot be read, or is another one now */
export async function findFixes<Address>({
  files,
  samples,
  makeSpool,
  onSample,
}: FixSearch<Address>): Promise<FoundFixes<Address>> {
  const slices = new Slices()
  const found: FileFixes<Address>[] = []
  const previews: FixedPreview<Address>[] = []
  const close = async () => {
    for (const { changes } of found) await changes.close()
  }
  let [nSamples, nFixes, nRefused] = [0, 0, 0]
  let [nPreviewed, length] = [0, 0]
  try {
    for (const file of files) {
      const { address, dataset, first } = file
      assertListed(file)
      const changes = new ChangeLog(makeSpool)
      found.push({ ...file, changes })
      for await (const sample of dataset.samples()) {
        onSample(first + sample.place)
        await slices.pause()
        assertListed(file)
        if (!samples.has(first + sample.place)) continue
        const { bytes, mistake, mapping, place } = sample
        const read = { rest: 'source', mapping } as const
        const before = bytes && mistake === undefined ? readSample(bytes, read) : undefined
        if (!bytes || before?.kind !== 'good') continue
        const fixed = fixedSample(before, samples.options, { read })
        if (fixed.kind === 'refused' || (fixed.kind === 'fixed' && fixed.isPartial)) nRefused++
        if (fixed.kind !== 'fixed') continue
        const number = dataset.index.numberOf(place)
        const { start } = dataset.index.rangeOf(place)
        await changes.add({ number, start, before: bytes, after: fixed.bytes })
        nSamples++
        nFixes += fixed.nFixed
        if (nPreviewed >= mostPreviews || length > mostPreviewed) continue
        nPreviewed++
        for (const change of fixed.changes) {
          length += change.before.length + change.after.length
          previews.push({ address, number, ...change })
        }
      }
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    files: found.filter(({ changes }) => changes.count > 0),
    nSamples,
    nFixes,
    nRefused,
    nPreviewed,
    previews,
    close,
  }
}
