/** Reads lines from a stream of bytes, one after the other: memory holds one line, whatever the size of the whole. */
import { FileProblem } from '../files/file-problem.ts'

/** A line. */
export interface Line {
  /** Counted from 1. */
  readonly number: number
  /** Without its line break; undefined if it is not UTF-8. */
  readonly text: string | undefined
}

const lineFeed = 10
const longestLine = 0x1fffffe8 // what a string of Node can hold

/** The lines of `chunks`. An empty line behind the last line feed is none. @throws FileProblem for a line too long for a string */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, path: string): AsyncIterableIterator<Line> {
  let kept: Uint8Array[] = []
  let keptLength = 0
  let number = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(lineFeed); to !== -1; to = chunk.indexOf(lineFeed, from)) {
      const end = chunk.subarray(from, to)
      number++
      yield lineOf(kept.length === 0 ? end : Buffer.concat([...kept, end]), number)
      kept = []
      keptLength = 0
      from = to + 1
    }
    if (from === chunk.length) continue
    kept.push(chunk.subarray(from))
    keptLength += chunk.length - from
    if (keptLength > longestLine) throw new FileProblem(path, `line ${number + 1} is longer than 512 MB`)
  }
  if (keptLength > 0) yield lineOf(Buffer.concat(kept), number + 1)
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function lineOf(bytes: Uint8Array, number: number): Line {
  try {
    return { number, text: decoder.decode(bytes) }
  } catch {
    return { number, text: undefined }
  }
}
