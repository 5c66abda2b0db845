/** Writes lines of bytes into a file. */
import type * as vscode from 'vscode'
import { joinedBytes } from '../../../core/src/internal.ts'
import { writeFile } from '../write-file.ts'
import type { DatasetDisk } from './dataset-library.ts'

const writtenAtOnce = 2 ** 20 // bytes
const lineFeed = Uint8Array.of(0x0a)

/** Writes lines, which come without their line breaks, to `to`: all of them or none. */
export async function writeLines(
  to: vscode.Uri,
  lines: AsyncIterable<Uint8Array>,
  disk: DatasetDisk | undefined,
): Promise<void> {
  await writeFile(to, pieces(lines), disk?.writeFile)
}

/** The lines as pieces of about a megabyte. */
async function* pieces(lines: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
  let open: Uint8Array[] = []
  let length = 0
  for await (const line of lines) {
    open.push(line, lineFeed)
    length += line.length + 1
    if (length < writtenAtOnce) continue
    yield joinedBytes(open)
    open = []
    length = 0
  }
  yield joinedBytes(open)
}
