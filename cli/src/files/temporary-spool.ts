/** Bytes in a temporary file, for `ocm`: what is wrong with the file is said of the folder that it is in. */
import { tmpdir } from 'node:os'
import { diskSpool } from '../../../client/disk/disk-spool.ts'
import type { Spool } from '../../../core/src/internal.ts'
import { fileProblem } from './file-problem.ts'

/** As `diskSpool`, of any size. @throws FileProblem, also when bytes are appended */
export async function temporarySpool(): Promise<Spool> {
  const spool = await told(diskSpool(Number.POSITIVE_INFINITY))
  return { ...spool, append: (bytes) => told(spool.append(bytes)) }
}

async function told<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    throw fileProblem(tmpdir(), error)
  }
}
