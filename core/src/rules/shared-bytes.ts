/**
 * The quick look before a search for a run that two texts share: it reads their bytes, of which it can take four at
 * once, and nearly always says that there is none.
 */

declare const TextEncoder: new () => {
  encodeInto(text: string, bytes: Uint8Array): { readonly written?: number }
}

const encoder = new TextEncoder()
const mostUnits = 1 << 16 // code units of all texts; longer ones are left to the search itself
const bytes = new Uint8Array(3 * mostUnits + 16)
const words = new DataView(bytes.buffer)

const gram = 12 // bytes that are hashed together
const stride = 12 // bytes between noted grams
const tableBits = 13 // small enough to stay in the processor's nearest memory
/** For each hash, which look noted it last, and where its gram stands; -1 if several have the hash. */
const looks = new Int32Array(1 << tableBits)
const places = new Int32Array(1 << tableBits)
let look = 0

/** False only if no run of `least` UTF-16 code units of `text`, at least 40, stands in one of `sources`. Linear. */
export function mayShareRun(text: string, sources: readonly string[], least: number): boolean {
  let length = text.length
  for (const source of sources) length += source.length
  if (length > mostUnits) return true
  let split = 0
  for (const source of sources) split += encoder.encodeInto(source, bytes.subarray(split)).written ?? 0
  const end = split + (encoder.encodeInto(text, bytes.subarray(split)).written ?? 0)
  look = (look + 1) | 0
  for (let at = 0; at + gram <= split; at += stride) {
    const hash = hashAt(at)
    places[hash] = looks[hash] === look ? -1 : at
    looks[hash] = look
  }
  // A code unit is a byte at least; half a surrogate pair at either end of a run may be written otherwise.
  const leastBytes = least - 2
  const reach = stride + gram - 1
  for (let start = split; start + reach <= end; start += leastBytes - reach + 1) {
    for (let at = start; at < start + stride; at++) {
      const hash = hashAt(at)
      if (looks[hash] !== look) continue
      const place = places[hash] as number
      if (place === -1 || alikeAround(place, at, { split, end, most: leastBytes }) >= leastBytes) return true
    }
  }
  return false
}

function hashAt(at: number): number {
  const first = Math.imul(words.getInt32(at, true), 0x9e3779b1)
  const second = Math.imul(words.getInt32(at + 4, true), 0x27d4eb2f)
  return Math.imul(first ^ second ^ words.getInt32(at + 8, true), 0x85ebca6b) >>> (32 - tableBits)
}

/** How many bytes around a place in the sources and one in the text are alike. */
function alikeAround(
  place: number,
  at: number,
  { split, end, most }: { readonly split: number; readonly end: number; readonly most: number },
): number {
  const furthest = Math.min(place, at - split, most)
  let left = 0
  while (left < furthest && bytes[place - left - 1] === bytes[at - left - 1]) left++
  const longest = Math.min(split - place, end - at, most)
  let right = 0
  while (right < longest && bytes[place + right] === bytes[at + right]) right++
  return left + right
}
