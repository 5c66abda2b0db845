/** MinHash signatures of texts: the share of equal places estimates how much of their words two texts share (Broder 1997). */

/** Numbers of 16 bits in a signature. */
export const signatureLength = 80

const shingleLength = 3 // words
const fewestShingles = 8 // below that, two short answers are alike by chance

const multipliers = Int32Array.from({ length: signatureLength }, (_, index) => mixed(index * 2 + 1) | 1)
const summands = Int32Array.from({ length: signatureLength }, (_, index) => mixed(index * 2 + 2))

/** The signature of the runs of three words in `text`; undefined for a text that is too short. Case and punctuation don't count. */
export function wordSignature(text: string): Uint16Array | undefined {
  const words = wordHashes(text.toLowerCase())
  if (words.length < fewestShingles + shingleLength - 1) return undefined
  const shingles = new Int32Array(words.length - shingleLength + 1)
  for (let index = 0; index < shingles.length; index++) {
    // All three are there, because a run begins at `index`.
    const [one = 0, two = 0, three = 0] = [words[index], words[index + 1], words[index + 2]]
    shingles[index] = mixed(one ^ Math.imul(two, 0x9e3779b1) ^ Math.imul(three, 0x85ebca6b))
  }
  const signature = new Uint16Array(signatureLength)
  // Four numbers at a time, signed: half the time of one at a time, unsigned.
  for (let nth = 0; nth < signatureLength; nth += 4) {
    const m0 = multipliers[nth + 0] as number
    const s0 = summands[nth + 0] as number
    let least0 = 0x7fffffff
    const m1 = multipliers[nth + 1] as number
    const s1 = summands[nth + 1] as number
    let least1 = 0x7fffffff
    const m2 = multipliers[nth + 2] as number
    const s2 = summands[nth + 2] as number
    let least2 = 0x7fffffff
    const m3 = multipliers[nth + 3] as number
    const s3 = summands[nth + 3] as number
    let least3 = 0x7fffffff
    for (let index = 0; index < shingles.length; index++) {
      const shingle = shingles[index] as number
      const value0 = (Math.imul(shingle, m0) + s0) | 0
      const value1 = (Math.imul(shingle, m1) + s1) | 0
      const value2 = (Math.imul(shingle, m2) + s2) | 0
      const value3 = (Math.imul(shingle, m3) + s3) | 0
      if (value0 < least0) least0 = value0
      if (value1 < least1) least1 = value1
      if (value2 < least2) least2 = value2
      if (value3 < least3) least3 = value3
    }
    // The lower half, which is as random as the whole.
    signature[nth + 0] = least0
    signature[nth + 1] = least1
    signature[nth + 2] = least2
    signature[nth + 3] = least3
  }
  return signature
}

/** A number for each word of `text`, which is in lower case. */
function wordHashes(text: string): readonly number[] {
  const hashes: number[] = []
  let hash = noWord
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index)
    if (code >= 0xd800 && code < 0xdc00) {
      code = text.codePointAt(index) ?? code
      if (code > 0xffff) index++
    }
    if (isOfWord(code)) {
      hash = Math.imul((hash === noWord ? 0x811c9dc5 : hash) ^ code, 0x01000193)
    } else if (hash !== noWord) {
      hashes.push(hash)
      hash = noWord
    }
  }
  if (hash !== noWord) hashes.push(hash)
  return hashes
}

const noWord = 0 // a word has another number, but for one in four thousand millions

const wordCharacter = /[\p{L}\p{N}]/u
const known = new Uint8Array(0x10000) // 1 for a character of words, 2 for others; 0 for those that were not seen yet

function isOfWord(code: number): boolean {
  if (code > 0xffff) return wordCharacter.test(String.fromCodePoint(code))
  known[code] ||= wordCharacter.test(String.fromCharCode(code)) ? 1 : 2
  return known[code] === 1
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

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of `value`. */
function mixed(value: number): number {
  let it = value
  it = Math.imul(it ^ (it >>> 16), 0x85ebca6b)
  it = Math.imul(it ^ (it >>> 13), 0xc2b2ae35)
  return (it ^ (it >>> 16)) >>> 0
}
