/**
 * The quick look before a search for a run that two texts share: it reads their bytes, of which it can take four at
 * once, and nearly always says that there is none. Without it, the rows "Full parse and every rule" of `npm run bench` take
 * about 13 % longer.
 */

declare const TextEncoder: new () => {
  encodeInto(text: string, bytes: Uint8Array): { readonly written?: number }
}

const encoder = new TextEncoder()
const mostUnits = 1 << 16 // code units of all texts; longer ones are left to the search itself
const bytes = new Uint8Array(3 * mostUnits + 16)
const words = new DataView(bytes.buffer)

const gram = 12 // bytes; its first and its last four are hashed
const stride = 8 // bytes between noted grams
const tableBits = 13 // small enough to stay in the processor's nearest memory
/**
 * For each hash, where its gram is, counted on from look to look so that the table need not be cleared; of several
 * grams with the same hash, {@link crowded}.
 */
const table = new Int32Array(1 << tableBits)
const furthest = 2 ** 31 - 1 - bytes.length
/** Greater than whatever looks before this one noted. */
let base = 1

/** False only if no run of `least` UTF-16 code units of `text`, at least 40, is in one of `sources`. Linear. */
export function mayShareRun(text: string, sources: readonly string[], least: number): boolean {
  let length = text.length
  for (const source of sources) length += source.length
  if (length > mostUnits) return true
  const split = encoder.encodeInto(text, bytes).written ?? 0
  let end = split
  for (const source of sources) end += encoder.encodeInto(source, bytes.subarray(end)).written ?? 0
  const crowded = note(split, end)
  // A code unit is a byte at least; half a surrogate pair at either end of a run may be written otherwise.
  const leastBytes = least - 2
  const reach = stride + gram - 1
  for (let start = 0; start + reach <= split; start += leastBytes - reach + 1) {
    for (let at = start; at < start + stride; at++) {
      const noted = table[hashAt(at)] as number
      if (noted < crowded) continue
      if (noted === crowded || isAlikeAround(at, noted - crowded, leastBytes, split, end)) return true
    }
  }
  return false
}

/** Notes the grams of the bytes from `start` to `end`, each as the place where it is; returns what represents several of them. */
function note(start: number, end: number): number {
  if (base > furthest) {
    table.fill(0)
    base = 1
  }
  const crowded = base
  base += end + 1
  for (let at = start; at + gram <= end; at += stride) {
    const hash = hashAt(at)
    table[hash] = (table[hash] as number) < crowded ? crowded + at : crowded
  }
  return crowded
}

function hashAt(at: number): number {
  const first = Math.imul(words.getInt32(at, true), 0x9e3779b1)
  return Math.imul(first ^ words.getInt32(at + gram - 4, true), 0x85ebca6b) >>> (32 - tableBits)
}

/** True if `least` bytes around a place in the text, which ends at `split`, and one in the sources are alike. */
function isAlikeAround(at: number, place: number, least: number, split: number, end: number): boolean {
  const furthest = Math.min(at, place - split, least)
  let left = 0
  while (left < furthest && bytes[at - left - 1] === bytes[place - left - 1]) left++
  const longest = Math.min(split - at, end - place, least)
  let right = 0
  while (right < longest && bytes[at + right] === bytes[place + right]) right++
  return left + right >= least
}
