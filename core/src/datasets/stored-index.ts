/**
 * Indexes of datasets as bytes: a head in JSON, then arrays of numbers. They are read only by the machine that wrote them. What is
 * not such an index is undefined, whatever its bytes are.
 */
import { joinedBytes } from './bytes.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const TextDecoder: new (
  label: string,
  options: { fatal: boolean },
) => { decode(bytes: Uint8Array): string }

/** Numbers of an index. */
export type StoredArray = Uint32Array | Float64Array

/** An index. */
export interface StoredIndex {
  /** Any JSON: the code that reads it checks it. */
  readonly head: unknown
  readonly arrays: readonly StoredArray[]
}

const aligned = 8 // bytes: arrays begin at multiples of this
const mostHead = 2 ** 26 // bytes

/** The bytes of an index. */
export function storedBytes({ head, arrays }: StoredIndex): Uint8Array {
  const sizes = arrays.map((it) => [it.BYTES_PER_ELEMENT, it.length])
  const json = new TextEncoder().encode(JSON.stringify([sizes, head]))
  const start = padded(aligned + json.length)
  const first = new Uint8Array(start)
  new Float64Array(first.buffer, 0, 1)[0] = json.length
  first.set(json, aligned)
  const pieces = arrays.flatMap((it) => {
    const bytes = new Uint8Array(it.buffer, it.byteOffset, it.byteLength)
    return [bytes, new Uint8Array(padded(bytes.length) - bytes.length)]
  })
  return joinedBytes([first, ...pieces])
}

/** The index that `bytes` are. Its arrays share their memory. */
export function storedIndexIn(bytes: Uint8Array): StoredIndex | undefined {
  if (bytes.length < aligned || bytes.byteOffset % aligned !== 0) return undefined
  const [length = 0] = new Float64Array(bytes.buffer, bytes.byteOffset, 1)
  if (!Number.isInteger(length) || length < 0 || length > mostHead || aligned + length > bytes.length)
    return undefined
  const parsed = jsonIn(bytes.subarray(aligned, aligned + length))
  if (!Array.isArray(parsed) || parsed.length !== 2 || !Array.isArray(parsed[0])) return undefined
  const arrays: StoredArray[] = []
  let at = padded(aligned + length)
  for (const size of parsed[0] as readonly unknown[]) {
    const [width, count] = Array.isArray(size) ? (size as readonly unknown[]) : []
    if ((width !== 4 && width !== 8) || !Number.isSafeInteger(count) || (count as number) < 0)
      return undefined
    const end = at + width * (count as number)
    if (end > bytes.length) return undefined
    const start = bytes.byteOffset + at
    arrays.push(
      width === 4
        ? new Uint32Array(bytes.buffer as ArrayBuffer, start, count as number)
        : new Float64Array(bytes.buffer as ArrayBuffer, start, count as number),
    )
    at = padded(end)
  }
  return at === bytes.length ? { head: parsed[1], arrays } : undefined
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function padded(length: number): number {
  return Math.ceil(length / aligned) * aligned
}
