/** `ocm render --check`: what end users see of transcripts, compared with a snapshot beside each of them. */
import { readFile, writeFile } from 'node:fs/promises'
import { analyze, type ParseOptions, Transcript } from '../../core/src/index.ts'
import { UsageError } from './arguments.ts'
import { unifiedDiff } from './check/unified-diff.ts'
import type { ExitStatus } from './command.ts'
import { conversationText } from './conversation-text.ts'
import { FileProblem, fileProblem } from './files/file-problem.ts'
import { findFiles } from './files/find-files.ts'
import { readSource, standardInput } from './files/read-source.ts'
import { styleOf } from './terminal/colour.ts'
import type { Console } from './terminal/console.ts'
import { diffText } from './terminal/diff-text.ts'

/** How snapshots are compared. */
export interface SnapshotOptions extends ParseOptions {
  /** True to write what differs, or is not there yet, instead of reporting it. */
  readonly isUpdate: boolean
}

/** The snapshot of the transcript at `path`: `chat.ocm` has `chat.visible.txt`. */
export function snapshotPath(path: string): string {
  return `${path.replace(/\.ocm$/, '')}.visible.txt`
}

/** Compares, or writes, the snapshots of all transcripts that `paths` name; 1 if one differs or is not there. */
export async function checkSnapshots(
  paths: readonly string[],
  options: SnapshotOptions,
  console: Console,
): Promise<ExitStatus> {
  if (paths.length === 0) throw new UsageError('Name at least one file or directory')
  if (paths.includes(standardInput)) throw new UsageError('Standard input has no snapshot beside it')
  const counts = { same: 0, written: 0, different: 0, missing: 0 }
  let hasFailed = false
  for await (const found of findFiles(paths)) {
    if (found.kind === 'nothing') console.complain(`${found.path}: no *.ocm file in this directory`)
    try {
      if (found.kind === 'problem') throw found.problem
      if (found.kind === 'file') counts[await checkSnapshot(found.path, options, console)]++
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      hasFailed = true
      console.complain(error.message)
    }
  }
  const sums = Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []))
  await console.output.write(`${console.style.strong(`Snapshots: ${sums.join(', ') || 'none'}`)}\n`)
  if (hasFailed) return 2
  return counts.different + counts.missing > 0 ? 1 : 0
}

async function checkSnapshot(
  path: string,
  { isUpdate, ...options }: SnapshotOptions,
  console: Console,
): Promise<'same' | 'written' | 'different' | 'missing'> {
  const source = await readSource(path, console.input)
  const analysis = analyze(Transcript.parse(source.text, options))
  const actual = [...conversationText(analysis, styleOf(false), { hidden: false })].join('')
  const file = snapshotPath(path)
  const expected = await readSnapshot(file)
  if (expected === actual) return 'same'
  if (isUpdate) {
    await writeFile(file, actual).catch((error) => {
      throw fileProblem(file, error)
    })
    return 'written'
  }
  if (expected === undefined) {
    console.complain(`${file}: there is no snapshot; \`--update\` writes it`)
    return 'missing'
  }
  await console.output.writeAll(diffText(unifiedDiff(file, expected, actual), console))
  return 'different'
}

/** Undefined if there is none. A checkout may have changed the line breaks. */
async function readSnapshot(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fileProblem(file, error)
  }
}
