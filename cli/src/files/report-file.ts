/** Files of reports, which take the place of earlier ones: as a whole or not at all. */
import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAll } from '../../../client/disk/byte-ranges.ts'
import { type Chunks, writeOnDisk } from '../../../client/disk/replace-on-disk.ts'
import { OutputClosedError } from '../terminal/output.ts'
import { writeProblem } from './replace-file.ts'

/** Says before a long run what is wrong with the place of its report. @throws FileProblem */
export async function assertReportPlace(path: string): Promise<void> {
  try {
    const status = await stat(path).catch(() => undefined)
    if (status?.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' })
    await access(status ? path : dirname(path), constants.W_OK)
  } catch (error) {
    throw writeProblem(path, error)
  }
}

/**
 * Writes a report to the file at `path`: all of it, or what was there stays. What is not a regular file, such as a pipe, is
 * written to. @throws FileProblem, and OutputClosedError if the reader of a pipe has gone
 */
export async function writeReport(path: string, chunks: Chunks): Promise<void> {
  try {
    const status = await stat(path).catch(() => undefined)
    if (status && !status.isFile()) await writeInto(path, chunks)
    else await writeOnDisk(path, chunks)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new OutputClosedError()
    throw writeProblem(path, error)
  }
}

async function writeInto(path: string, chunks: Chunks): Promise<void> {
  const file = await open(path, 'w')
  try {
    for await (const chunk of chunks) await writeAll(file, chunk)
  } finally {
    await file.close()
  }
}
