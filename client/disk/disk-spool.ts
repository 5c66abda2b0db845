/** Bytes in a temporary file: unpacked datasets, and changes that are not written yet. */
import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Spool } from '../../core/src/internal.ts'
import { readRange, writeAll } from './byte-ranges.ts'

/** Bytes of the largest dataset that the editor unpacks (S3). */
const mostUnpacked = 4 * 2 ** 30

/**
 * An empty temporary file that only this user can read. It is gone when it is closed, and where the system allows it, also if the
 * process is killed.
 *
 * @param most bytes that it holds
 */
export async function diskSpool(most = mostUnpacked): Promise<Spool> {
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
    // What was kept is not needed any more, so nothing is lost if this fails.
    async close() {
      await file.close().catch(() => undefined)
      if (hasName) await rm(path, { force: true }).catch(() => undefined)
      hasName = false
    },
  }
}
