/** MinHash signatures of texts: the share of equal places estimates how much of their words two texts share (Broder 1997). */

/** Numbers of 16 bits in a signature. */
export const signatureLength = 80

const shingleLength = 3 // words
const fewestShingles = 8 // below that, two short answers are alike by chance

const multipliers = Uint32Array.from({ length: signatureLength }, (_, index) => mixed(index * 2 + 1) | 1)
const summands = Uint32Array.from({ length: signatureLength }, (_, index) => mixed(index * 2 + 2))

/** The signature of the runs of three words in `text`; undefined for a text that is too short. Case and punctuation don't count. */
export function wordSignature(text: string): Uint16Array | undefined {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu)
  if (!words || words.length < fewestShingles + shingleLength - 1) return undefined
  const hashes = words.map(hashOf)
  const shingles = new Uint32Array(words.length - shingleLength + 1)
  for (let index = 0; index < shingles.length; index++) {
    // All three are there, because a run begins at `index`.
    const [one = 0, two = 0, three = 0] = [hashes[index], hashes[index + 1], hashes[index + 2]]
    shingles[index] = mixed(one ^ Math.imul(two, 0x9e3779b1) ^ Math.imul(three, 0x85ebca6b))
  }
  const signature = new Uint16Array(signatureLength)
  for (let nth = 0; nth < signatureLength; nth++) {
    const multiplier = multipliers[nth] as number
    const summand = summands[nth] as number
    let least = 0xffffffff
    for (let index = 0; index < shingles.length; index++) {
      const value = (Math.imul(shingles[index] as number, multiplier) + summand) >>> 0
      if (value < least) least = value
    }
    signature[nth] = least // the lower half, which is as random as the whole
  }
  return signature
}

/** Two numbers of 32 bits that are equal for equal texts, and for others by a chance that is no matter in any dataset. */
export function textHash(text: string): readonly [number, number] {
  let one = 0xdeadbeef
  let two = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 0x9e3779b1)
    two = Math.imul(two ^ code, 0x5f356495)
  }
  return [mixed(one ^ (two >>> 13)), mixed(two ^ (one >>> 16))]
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < word.length; index++)
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of `value`. */
function mixed(value: number): number {
  let it = value
  it = Math.imul(it ^ (it >>> 16), 0x85ebca6b)
  it = Math.imul(it ^ (it >>> 13), 0xc2b2ae35)
  return (it ^ (it >>> 16)) >>> 0
}
