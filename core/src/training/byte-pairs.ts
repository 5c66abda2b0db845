/** Models of byte pairs: the library takes 300 bytes for each character of a word, which may be a whole text. */
import { forEachPart, mergeParts } from '../convert/merge-parts.ts'
import { unitsAt } from '../text/code-units.ts'

/** A model of byte pairs of the library. */
export interface BytePairModel {
  /** By the two parts in JSON. */
  readonly bpe_ranks: ReadonlyMap<string, number>
  /** What the last part of a word ends with. */
  readonly end_of_word_suffix?: string | null
  /** What each other one ends with. */
  readonly continuing_subword_suffix?: string | null
  bpe(word: string): readonly string[]
}

const longestShort = 256 // code units: the library remembers the parts of shorter words

/** Has `model` merge the parts of long words in a few bytes for each character. */
export function boundBytePairs(model: BytePairModel): void {
  const { bpe } = model
  model.bpe = (word) => (word.length < longestShort ? bpe.call(model, word) : partsOfWord(word, model))
}

/** The parts of a word as the library finds them. */
export function partsOfWord(
  word: string,
  { bpe_ranks: ranks, end_of_word_suffix: ending, continuing_subword_suffix: suffix }: BytePairModel,
): readonly string[] {
  const text = word + (ending ?? '')
  const ends = new Int32Array(text.length)
  for (let place = 0; place < word.length; ) {
    const end = place + unitsAt(word, place)
    ends[place] = end < word.length ? end : text.length
    place = end
  }
  mergeParts(ends, (begin, middle, end) =>
    ranks.get(JSON.stringify([text.slice(begin, middle), text.slice(middle, end)])),
  )
  const parts: string[] = []
  forEachPart(ends, (begin, end) => {
    const part = text.slice(begin, end)
    parts.push(suffix && end < text.length ? part + suffix : part)
  })
  return parts
}
