/** Names the kind of a file that is not a conversation: by its name, or by bytes that are not UTF-8 text. */
import { basename } from 'node:path'
import { promptPath } from '../../../core/src/internal.ts'

/** What a file named `path` is, with advice, to follow its path in a message; undefined if its name does not tell. */
export function foreignName(path: string): string | undefined {
  const prompt = promptPath(path)
  if (prompt !== undefined)
    return `is a file of cases, which is checked with its prompt; name \`${basename(prompt)}\` instead`
  return /\.(?:csv|tsv)$/i.test(path) ? 'is CSV; convert it to JSONL or Parquet' : undefined
}

const signatures: readonly (readonly [bytes: readonly number[], reason: string])[] = [
  [
    [0x1f, 0x8b],
    'is compressed with gzip; only datasets can be compressed: name it `*.jsonl.gz`, or use `--jsonl`',
  ],
  [[0x50, 0x4b, 0x03, 0x04], 'is a ZIP archive; unpack it first'],
  [
    [0x28, 0xb5, 0x2f, 0xfd],
    'is compressed with zstd; only datasets can be compressed: name it `*.jsonl.zst`, or use `--jsonl`',
  ],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'is compressed with xz; unpack it first'],
  [[0x42, 0x5a, 0x68, 0x39], 'is compressed with bzip2; unpack it first'],
  [[0x50, 0x41, 0x52, 0x31], 'is a Parquet file; name it `*.parquet`, or use `--jsonl`'],
]

/** What a file that begins with `bytes` is, as a predicate with advice; undefined if it may be text in UTF-8. */
export function foreignBytes(bytes: Uint8Array): string | undefined {
  for (const [signature, reason] of signatures)
    if (signature.every((byte, index) => bytes[index] === byte)) return reason
  const [first, second, third, fourth] = bytes
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  // JSON, YAML and control tokens begin with ASCII, of which each other byte is zero in UTF-16.
  const isLittle = first !== 0 && second === 0 && third !== 0 && fourth === 0
  const isBig = first === 0 && second !== 0 && third === 0 && fourth !== 0
  const isUtf16 = hasMark || (bytes.length >= 4 && (isLittle || isBig))
  return isUtf16 ? 'is UTF-16; save it as UTF-8' : undefined
}
