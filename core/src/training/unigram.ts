/**
 * Unigram models: the library keeps their pieces in a tree of maps, each node of which takes 500 to 800 bytes, and cuts a word
 * with a kilobyte for each character. Here, a piece takes 8 bytes, and a character of a word 12.
 */
import { Tokenizer } from '@huggingface/tokenizers'
import { unitsAt } from '../text/code-units.ts'

/** A Unigram model of the library. */
export interface UnigramModel {
  readonly tokens_to_ids: ReadonlyMap<string, number>
  /** By ID. */
  readonly scores: readonly number[]
  readonly unk_score: number
  readonly trie: PieceTree
}

/** What the library looks up pieces in. It makes one itself, so its class changes while it does. */
interface PieceTree {
  sorted?: readonly string[]
  /** Takes all pieces of a model, once. */
  extend(pieces: readonly string[]): void
}

/** What `read` makes of a `tokenizer.json`, with the pieces of a Unigram model in a sorted list, for {@link cutByScores}. */
export function withSortedPieces<Result>(read: () => Result): Result {
  const tree: PieceTree = Object.getPrototypeOf(smallestModel().trie)
  const { extend } = tree
  tree.extend = function (pieces) {
    this.sorted = [...new Set(pieces)].filter((it) => it !== '').sort()
  }
  try {
    return read()
  } finally {
    tree.extend = extend
  }
}

function smallestModel(): UnigramModel {
  const model = { type: 'Unigram', unk_id: 0, vocab: [['a', 0]] }
  const parts = {
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    added_tokens: [],
  }
  return new Tokenizer({ model, ...parts }, {}).model as unknown as UnigramModel
}

/** Cuts `word` into the pieces with the highest sum of scores; a character that begins no piece may be one. As in the reference, the first of equals counts. */
export function cutByScores(
  word: string,
  { tokens_to_ids: ids, scores, unk_score, trie }: UnigramModel,
): string[] {
  const best = new Float64Array(word.length + 1) // the highest sum for what ends there
  const begins = new Int32Array(word.length + 1).fill(-1) // where its last piece begins
  const offer = (begin: number, end: number, score: number) => {
    const sum = (best[begin] ?? 0) + score
    if (begins[end] !== -1 && !(sum > (best[end] ?? 0))) return
    best[end] = sum
    begins[end] = begin
  }
  for (let begin = 0, next = 0; begin < word.length; begin = next) {
    next = begin + unitsAt(word, begin)
    let isPiece = false
    forEachPrefix(trie.sorted ?? [], word, begin, (piece) => {
      const end = begin + piece.length
      if (end === next) isPiece = true
      offer(begin, end, scores[ids.get(piece) ?? -1] ?? Number.NaN)
    })
    if (!isPiece) offer(begin, next, unk_score)
  }
  const pieces: string[] = []
  for (let end = word.length; end > 0; end = begins[end] ?? 0) pieces.push(word.slice(begins[end], end))
  return pieces.reverse()
}

/** Calls `take` with those of `sorted`, each of which is there once, that are in `text` at `start`, the shortest first; half a pair of surrogates is in no whole one. */
export function forEachPrefix(
  sorted: readonly string[],
  text: string,
  start: number,
  take: (piece: string) => void,
): void {
  let first = 0
  let end = sorted.length // those from `first` to here begin with what was compared
  for (let length = 0; start + length < text.length; ) {
    const unit = text.charCodeAt(start + length)
    first = firstNotBelow(sorted, unit, { first, end, place: length })
    end = firstNotBelow(sorted, unit + 1, { first, end, place: length })
    if (first === end) return
    length++
    const shortest = sorted[first] ?? ''
    if (shortest.length > length) continue
    if (unitsAt(text, start + length - 1) === 1) take(shortest)
    first++
  }
}

interface Range {
  readonly first: number
  readonly end: number
  /** Of the code units to compare. */
  readonly place: number
}

/** The first of a range of pieces whose code unit is `unit` or more, or its end. Those that end before that place come first. */
function firstNotBelow(sorted: readonly string[], unit: number, { first, end, place }: Range): number {
  const isBelow = (index: number) => !((sorted[index]?.charCodeAt(place) ?? 0) >= unit)
  if (first === end || !isBelow(first)) return first
  if (isBelow(end - 1)) return end
  let [below, notBelow] = [first, end - 1]
  while (notBelow - below > 1) {
    const middle = (below + notBelow) >> 1
    if (isBelow(middle)) below = middle
    else notBelow = middle
  }
  return notBelow
}
