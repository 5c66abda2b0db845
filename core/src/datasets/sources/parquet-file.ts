/** The bytes of a Parquet file, and what is said of one that cannot be read. */
import { localize } from '../../text/localize.ts'
import { type RandomAccess, SourceError } from './byte-source.ts'
import { PageError } from './parquet-pages.ts'
import { ThriftReader } from './parquet-thrift.ts'

const largestFooter = 64 * 2 ** 20 // bytes

/**
 * The result of `work`. What the library throws is that the file is damaged, whatever it says.
 *
 * @param row the first row that is not read; absent before rows are read
 * @throws SourceError; what reading the file throws
 */
export async function guarded<Result>(work: () => Promise<Result>, row?: number): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ReadFailure) throw error.cause
    if (error instanceof SourceError) throw error
    throw error instanceof PageError ? pageFailure(error, row ?? 0) : damaged(row)
  }
}

/** The file could not be read, which is not the fault of what is in it. */
class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
}

function pageFailure({ reason }: PageError, row: number): SourceError {
  return new SourceError(
    reason === 'checksum'
      ? localize`the Parquet file is damaged: a checksum differs, from row ${row} on`
      : localize`the Parquet file uses the encoding DELTA_BYTE_ARRAY, which is not supported`,
  )
}

function damaged(row?: number): SourceError {
  return new SourceError(
    row === undefined
      ? localize`the Parquet file is damaged`
      : localize`the Parquet file is damaged, from row ${row} on`,
  )
}

/** The footer with its length and the magic number after it, once it is known to be well formed. @throws SourceError, RangeError */
export async function footerOf(file: RandomAccess): Promise<Uint8Array> {
  const tail = await readExactly(file, file.size - 8, 8)
  const isEncrypted = tail[4] === 0x50 && tail[5] === 0x41 && tail[6] === 0x52 && tail[7] === 0x45
  if (isEncrypted) throw new SourceError(localize`the Parquet file is encrypted`)
  if (tail[4] !== 0x50 || tail[5] !== 0x41 || tail[6] !== 0x52 || tail[7] !== 0x31)
    throw new SourceError(localize`the Parquet file is cut off: its footer is missing`)
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true)
  if (length > file.size - 12) throw damaged() // magic numbers and the length are outside of it
  if (length > largestFooter) {
    const most = largestFooter / 2 ** 20
    throw new SourceError(
      localize`the footer of the Parquet file is larger than ${most} MB, which is the limit`,
    )
  }
  const footer = await readExactly(file, file.size - 8 - length, length + 8)
  new ThriftReader(footer.subarray(0, length)).struct()
  return footer
}

/** The bytes from `start` on. @throws SourceError if the file has fewer; inside {@link guarded}, what reading throws */
export async function readExactly(
  { size, read }: RandomAccess,
  start: number,
  length: number,
): Promise<Uint8Array> {
  if (start < 4 || length < 0 || start + length > size) throw damaged()
  const bytes = await read({ start, end: start + length }).catch((cause: unknown) => {
    throw new ReadFailure('read', { cause })
  })
  if (bytes.length < length) throw new SourceError(localize`the file became shorter while it was read`)
  return bytes
}
