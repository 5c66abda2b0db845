/** The checksum CRC-32, which Parquet pages may have. */

const table = new Int32Array(256)
for (let byte = 0; byte < 256; byte++) {
  let it = byte
  for (let bit = 0; bit < 8; bit++) it = (it >>> 1) ^ (it & 1 ? 0xedb88320 : 0)
  table[byte] = it
}

/** The checksum of `bytes`, unsigned. */
export function crc32(bytes: Uint8Array): number {
  let sum = -1
  for (let at = 0; at < bytes.length; at++)
    sum = (sum >>> 8) ^ (table[(sum ^ (bytes[at] as number)) & 255] as number) // both are indexes
  return ~sum >>> 0
}
