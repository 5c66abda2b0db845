/**
 * The vocabulary `o200k_harmony`. It is large, so this file is a bundle of its own that only token counts load; the public
 * API takes an encoding as an argument.
 */
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { interned } from '../text/interned.ts'
import { inPieces } from '../text/long-text.ts'
import { forEachPart, mergeParts } from './merge-parts.ts'
import type { TextEncoding } from './token-counts.ts'

const ordinary = { disallowedSpecial: new Set<string>() }

/**
 * How text is split into pieces. The pattern of the library means what the vocabulary's authors mean only in their engine: there,
 * white space is that of Unicode (with U+0085 and without U+FEFF), and `ſ` is an `s` where case does not count.
 */
// Linear: a run that a piece begins with is given back once at most, and the rest of it is in the same piece.
const pieces = new RegExp(
  O200K_TOKEN_SPLIT_REGEX.source
    .replaceAll('\\s', '\\p{White_Space}')
    .replaceAll('\\S', '\\P{White_Space}')
    .replaceAll('[sS]', '[sS\u017f]'),
  'gu',
)
/** The characters that the library's own pattern takes for something else. */
const misread = /[\x85\u017f\ufeff]/

const longestPiece = 128 // the library merges in quadratic time; up to here it is about as fast as a heap

/** Encodes text as ordinary text: what spells a special token is characters like any other. Linear but for a logarithm. */
export const o200k: TextEncoding & { byteLength(id: number): number } = {
  byteLength: (id) => byteLengths()[id] ?? 0,
  encode(text) {
    const ids: number[] = []
    pieces.lastIndex = 0
    for (let start = 0; pieces.test(text); start = pieces.lastIndex) {
      const piece = text.slice(start, pieces.lastIndex)
      const own = encoded.get(piece) ?? encodePiece(piece)
      for (let index = 0; index < own.length; index++) ids.push(own[index] as number)
    }
    return ids
  },
  count(text) {
    let count = 0
    pieces.lastIndex = 0
    for (let start = 0; pieces.test(text); start = pieces.lastIndex) {
      const piece = text.slice(start, pieces.lastIndex)
      count += (encoded.get(piece) ?? encodePiece(piece)).length
    }
    return count
  },
}

let lengths: Uint16Array | undefined

/** The bytes of each token; half a character is three, as in {@link bytesOf}. */
function byteLengths(): Uint16Array {
  lengths ??= Uint16Array.from(ranks, (token) =>
    typeof token === 'string' ? bytesOf(token).length : token.length,
  )
  return lengths
}

/** The tokens of pieces: a few thousand pieces are most of any text. */
const encoded = new Map<string, ArrayLike<number>>()
const mostPieces = 1 << 15
const longestKept = 32 // code units

function encodePiece(piece: string): ArrayLike<number> {
  if (needsOwnMerge(piece)) return merge(piece)
  const ids = encode(piece, ordinary)
  if (piece.length > longestKept) return ids
  if (encoded.size === mostPieces) encoded.clear()
  encoded.set(interned(piece), ids)
  return ids
}

/** True for a piece that the library takes too long for, or would split again. */
function needsOwnMerge(piece: string): boolean {
  return piece.length >= longestPiece || misread.test(piece)
}

function merge(piece: string): Int32Array {
  const bytes = bytesOf(piece)
  const ranks = rankByBytes()
  const ends = new Int32Array(bytes.length).map((_, place) => place + 1)
  mergeParts(ends, (begin, _, end) => ranks.get(bytes.slice(begin, end)))
  let nIds = 0
  // A list of numbers would grow to several times its size. There are no more of them than places before the next part.
  forEachPart(ends, (begin, end) => {
    ends[nIds++] = ranks.get(bytes.slice(begin, end)) ?? 0
  })
  return ends.subarray(0, nIds)
}

let known: ReadonlyMap<string, number> | undefined

/** The vocabulary by bytes, one character a byte; made for the first piece that is merged here. */
function rankByBytes(): ReadonlyMap<string, number> {
  if (known) return known
  const map = new Map<string, number>()
  ranks.forEach((token, rank) => {
    map.set(typeof token === 'string' ? bytesOf(token) : String.fromCharCode(...token), rank)
  })
  known = map
  return map
}

/** The UTF-8 of `text`, one character a byte; half a character counts as U+FFFD. */
function bytesOf(text: string): string {
  return inPieces(text, bytesOfPiece)
}

function bytesOfPiece(text: string): string {
  const bytes: string[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x80) bytes.push(character)
    else bytes.push(String.fromCharCode(...utf8(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code)))
  }
  return bytes.join('')
}

function utf8(code: number): readonly number[] {
  const tail = (shift: number) => 0x80 | ((code >> shift) & 0x3f)
  if (code < 0x800) return [0xc0 | (code >> 6), tail(0)]
  if (code < 0x10000) return [0xe0 | (code >> 12), tail(6), tail(0)]
  return [0xf0 | (code >> 18), tail(12), tail(6), tail(0)]
}
