/** `ocm render --check`: what end users see of transcripts, or filled prompts, compared with snapshots next to them. */
import { dirname } from 'node:path'
import { analyze, type ParseOptions } from '../../core/src/internal.ts'
import { UsageError } from './arguments.ts'
import { unifiedDiff } from './check/unified-diff.ts'
import type { ExitStatus } from './command.ts'
import type { DatasetSettings } from './configuration/settings-by-dataset.ts'
import { conversationText } from './conversation-text.ts'
import { transcriptOfSource } from './dataset/source-transcript.ts'
import { FileProblem } from './files/file-problem.ts'
import { type FoundFile, findFiles } from './files/find-files.ts'
import { nothingProblem } from './files/nothing-found.ts'
import { readBeside } from './files/read-beside.ts'
import { readSource, type Source, standardInput } from './files/read-source.ts'
import { refuseDataset } from './files/refuse-other-text.ts'
import { createFile, replaceFile } from './files/replace-file.ts'
import type { SearchValues } from './files/search-options.ts'
import { styleOf } from './terminal/colour.ts'
import type { Console } from './terminal/console.ts'
import { diffText } from './terminal/diff-text.ts'
import { untilReaderLeaves } from './terminal/output.ts'

/** Bytes; what users see of a transcript is no longer than the transcript, give or take some spaces. */
const largestSnapshot = 500_000_000

/** How snapshots are compared. */
export interface SnapshotOptions extends ParseOptions {
  /** True to write what differs, or is not there yet, instead of reporting it. */
  readonly isUpdate: boolean
  /** How directories are searched. */
  readonly search: SearchValues
}

/** The snapshot of the transcript at `path`: `chat.ocm` has `chat.visible.txt`. */
function snapshotPath(path: string): string {
  return `${path.replace(/\.ocm$/, '')}.visible.txt`
}

/** A text and the file that it is compared with. */
export interface SnapshotText {
  readonly file: string
  readonly text: string
}

/** What is compared of a source; nothing for one that has none. @throws FileProblem */
export type SnapshotsOf = (
  source: Source,
  found: FoundFile,
) => AsyncIterable<SnapshotText> | Iterable<SnapshotText>

/** Compares, or writes, what users see of all transcripts that `paths` name; 1 if one differs or is not there. */
export function checkSnapshots(
  paths: readonly string[],
  { dialect, settings, ...options }: SnapshotOptions & { readonly settings: DatasetSettings },
  console: Console,
): Promise<ExitStatus> {
  return compareSnapshots(paths, options, console, async function* (source, { path }) {
    const mapping = await settings.mappingOf(path)
    const analysis = analyze(transcriptOfSource(source, { dialect, mapping }, console))
    const seen = [...conversationText(analysis, styleOf(false), { hidden: false })].join('')
    yield { file: snapshotPath(source.path), text: seen }
  })
}

/** Compares, or writes, the snapshots that `snapshotsOf` makes of all transcripts that `paths` name; 1 if one differs or is not there. */
export async function compareSnapshots(
  paths: readonly string[],
  { isUpdate, search }: Omit<SnapshotOptions, 'dialect'>,
  console: Console,
  snapshotsOf: SnapshotsOf,
): Promise<ExitStatus> {
  if (paths.length === 0) throw new UsageError('Name at least one file or directory')
  if (paths.includes(standardInput)) throw new UsageError('Standard input cannot have a snapshot')
  const counts = { same: 0, written: 0, different: 0, missing: 0 }
  let hasFailed = false
  for await (const found of findFiles(paths, { search, datasets: false })) {
    try {
      if (found.kind === 'problem') throw found.problem
      if (found.kind === 'nothing' && !search['allow-empty']) throw nothingProblem(found)
      if (found.kind !== 'file') continue
      const source = await readSource(found.path, console.input())
      refuseDataset(source)
      for await (const snapshot of snapshotsOf(source, found))
        counts[await checkSnapshot(snapshot, found, { isUpdate, console })]++
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      hasFailed = true
      console.complain(error.message)
    }
  }
  const sums = Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []))
  const sumLine = `${console.style.strong(`Snapshots: ${sums.join(', ') || 'none'}`)}\n`
  await untilReaderLeaves(() => console.output.write(sumLine))
  if (hasFailed) return 2
  return counts.different + counts.missing > 0 ? 1 : 0
}

async function checkSnapshot(
  { file, text: actual }: SnapshotText,
  { folder }: FoundFile,
  { isUpdate, console }: { readonly isUpdate: boolean; readonly console: Console },
): Promise<'same' | 'written' | 'different' | 'missing'> {
  const expected = await readSnapshot(file)
  if (expected?.text === actual) return 'same'
  if (isUpdate) {
    const within = folder ?? dirname(file)
    if (expected) await replaceFile(file, expected.bytes, actual, { within })
    else await createFile(file, actual, { within })
    return 'written'
  }
  if (expected === undefined) {
    console.complain(`${file}: the snapshot does not exist; \`--update\` writes it`)
    return 'missing'
  }
  const diff = diffText(unifiedDiff(file, expected.text, actual), console)
  await untilReaderLeaves(() => console.output.writeAll(diff))
  return 'different'
}

/** A snapshot as it is on the disk. */
interface Snapshot {
  readonly bytes: Uint8Array
  /** A checkout may have changed the line breaks: they are line feeds here. */
  readonly text: string
}

/** Undefined if there is none. */
async function readSnapshot(file: string): Promise<Snapshot | undefined> {
  const bytes = await readBeside(file, { bytes: largestSnapshot })
  if (!bytes) return undefined
  return { bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).replaceAll('\r\n', '\n') }
}
