/** Unpacked bytes in a temporary file. Only the entry of the extension for Node imports this. */
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRange, writeAll } from '../../disk/byte-ranges.ts'
import type { Spool } from './unpacked-file.ts'

/** Bytes of the largest dataset that is unpacked (S3). */
const most = 4 * 2 ** 30

/** An empty temporary file that only this user can read. It is gone when it is closed, and where the system allows it, also if the process is killed. */
export async function diskSpool(): Promise<Spool> {
  const path = join(tmpdir(), `openchatml-${randomUUID()}.jsonl`)
  const file = await open(path, 'wx+', 0o600)
  // An open file needs no name, except on Windows.
  let hasName = !(await rm(path).then(
    () => true,
    () => false,
  ))
  let size = 0
  return {
    most,
    async append(bytes) {
      await writeAll(file, bytes, size)
      size += bytes.length
    },
    read: (range) => readRange(file, range),
    async close() {
      await file.close()
      if (hasName) await rm(path, { force: true })
      hasName = false
    },
  }
}
