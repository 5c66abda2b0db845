/**
 * What samples are compared by, in one pass over their text: a hash, equal for equal samples, and a signature of their words. The share
 * of equal numbers of two signatures estimates how much of their words two samples share (MinHash, Broder 1997), made by fast similarity
 * sketching (Dahlgaard, Knudsen, and Thorup 2017): a round puts each run of words into one place, and there are as many rounds as it
 * takes to fill all places, so a long text costs one hash a word, and not one for each number.
 */

/** Numbers of 16 bits in a signature. */
export const signatureLength = 80

const shingleLength = 3 // words
const fewestShingles = 8 // below that, two short answers are alike by chance
const mostRepeated = 4096 // so many different runs of words fill all places at once
const fewestKept = 1 << 10 // numbers
const mostKept = 1 << 16 // longer samples are rare, and their memory is given back

const notSaid = 0x2545f491 // what an absent field counts as

/** Takes the texts of a sample, one after the other. It can be used for many samples. */
export class TextDigest {
  #one = 0
  #two = 0
  #nWords = 0
  /** A number for each word, in order; for each run of three words once a signature was made. */
  #words = new Int32Array(fewestKept)
  readonly #least = new Int32Array(signatureLength)
  /** In which each place was filled, from 1. */
  readonly #rounds = new Uint8Array(signatureLength)

  /** Forgets what was taken. */
  begin(): void {
    this.#one = 0xdeadbeef
    this.#two = 0x41c6ce57
    this.#nWords = 0
    if (this.#words.length > mostKept) this.#words = new Int32Array(fewestKept)
  }

  /** Takes what counts for the hash only: a name, or a text that whole datasets share; undefined for what is absent. */
  addField(text: string | undefined): void {
    if (text === undefined) {
      this.#end(notSaid)
      return
    }
    let one = this.#one | 0
    let two = this.#two | 0
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      one = Math.imul(one ^ code, 0x9e3779b1)
      two = Math.imul(two ^ code, 0x5f356495)
    }
    this.#one = one
    this.#two = two
    this.#end(text.length)
  }

  /** Takes the text of a speaker: its words count as well, regardless of case and punctuation. */
  addSaid(text: string): void {
    const room = this.#nWords + (text.length >>> 1) + 2 // words have a character between them
    if (room > this.#words.length) this.#grow(room)
    const words = this.#words
    let one = this.#one | 0
    let two = this.#two | 0
    let nWords = this.#nWords | 0
    let word = 0 // a word has another number, but for one in four thousand millions
    // Without branches on letters, which the processor can't foresee: a third less time.
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      one = Math.imul(one ^ code, 0x9e3779b1)
      two = Math.imul(two ^ code, 0x5f356495)
      let letter = letters[code] as number // there is one for each code unit
      if (letter === unseen) letter = letterOf(text, index)
      const isLetter = (0 - letter) >> 31 // all bits or none
      words[nWords] = word
      nWords += ((word | (0 - word)) >>> 31) & ~isLetter
      word = Math.imul(word ^ letter, 0x01000193) & isLetter
    }
    words[nWords] = word
    if (word !== 0) nWords++
    this.#one = one
    this.#two = two
    this.#nWords = nWords
    this.#end(text.length)
  }

  /** Two numbers of 32 bits that are equal for equal texts, and for others by a chance that is no matter in any dataset. */
  get hash(): readonly [number, number] {
    return [mixed(this.#one ^ (this.#two >>> 13)) >>> 0, mixed(this.#two ^ (this.#one >>> 16)) >>> 0]
  }

  /** The signature of the runs of three words; undefined if there are too few. Ends the sample. */
  signature(): Uint16Array | undefined {
    const count = this.#nWords - (shingleLength - 1)
    this.#nWords = 0
    if (count < fewestShingles) return undefined
    let shingles = this.#words
    for (let index = 0; index < count; index++)
      shingles[index] = mixed(
        (shingles[index] as number) ^
          Math.imul(shingles[index + 1] as number, 0x9e3779b1) ^
          Math.imul(shingles[index + 2] as number, 0x85ebca6b),
      )
    const least = this.#least
    const rounds = this.#rounds.fill(0)
    let length = count
    let nEmpty = signatureLength
    for (let round = 1; nEmpty > 0; round++) {
      const seed = Math.imul(round, 0x6c8e9cf5)
      // In the last rounds, each place takes what is least of all: then none is empty, however few runs there are.
      const only = round - lastScattered - 1
      if (only >= 0 && rounds[only] !== 0) continue
      for (let index = 0; index < length; index++) {
        const value = mixed((shingles[index] as number) ^ seed)
        const place = only >= 0 ? only : ((value >>> 16) * signatureLength) >>> 16
        const filled = rounds[place] as number
        if (filled !== 0 && filled !== round) continue
        const rank = Math.imul(value, 0x5bd1e995)
        if (filled === 0) {
          rounds[place] = round
          nEmpty--
          least[place] = rank
        } else if (rank < (least[place] as number)) least[place] = rank
      }
      // What repeats a few words over and over would take as many rounds as if it were short.
      if (round === 1 && nEmpty > 0 && count > mostRepeated) {
        shingles = Int32Array.from(new Set(shingles.subarray(0, count)))
        length = shingles.length
      }
    }
    const result = new Uint16Array(signatureLength)
    // The lower halves, which are as random as the whole in what is least. Written by index: `from` takes as long as all else.
    for (let place = 0; place < signatureLength; place++) result[place] = least[place] as number
    return result
  }

  /** So that the same characters, parted otherwise, are another sample. */
  #end(length: number): void {
    this.#one = mixed(this.#one ^ Math.imul(length, 0x85ebca6b))
    this.#two = Math.imul(this.#two ^ length, 0x165667b1)
  }

  #grow(room: number): void {
    const words = new Int32Array(Math.max(room, 2 * this.#words.length))
    words.set(this.#words)
    this.#words = words
  }
}

const lastScattered = signatureLength // rounds

const noLetter = 0
const unseen = 0xffff // not a letter
/** For each code unit its letter in lower case, or that it is not a letter, once it was seen. */
const letters = new Uint16Array(0x10000).fill(unseen)
const wordCharacter = /[\p{L}\p{N}]/u

/** The letter or digit at `index`, in lower case. Of a character of two code units, both count. */
function letterOf(text: string, index: number): number {
  const code = text.charCodeAt(index)
  if (code >= 0xd800 && code <= 0xdfff) return halfLetter(text, index)
  const character = text.charAt(index)
  const letter = wordCharacter.test(character) ? character.toLowerCase().charCodeAt(0) : noLetter
  letters[code] = letter
  return letter
}

/** The same of a character of two code units; what each of them is depends on the other. */
function halfLetter(text: string, index: number): number {
  const isSecond = text.charCodeAt(index) >= 0xdc00
  const character = String.fromCodePoint(text.codePointAt(isSecond ? Math.max(0, index - 1) : index) ?? 0)
  if (character.length < 2 || !wordCharacter.test(character)) return noLetter
  return character.toLowerCase().charCodeAt(isSecond ? 1 : 0)
}

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of `value`. */
function mixed(value: number): number {
  let it = value
  it = Math.imul(it ^ (it >>> 16), 0x85ebca6b)
  it = Math.imul(it ^ (it >>> 13), 0xc2b2ae35)
  return it ^ (it >>> 16)
}
