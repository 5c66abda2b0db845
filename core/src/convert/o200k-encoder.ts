/**
 * The vocabulary `o200k_harmony`. It is large, so this file is a bundle of its own that only token counts load; the public
 * API takes an encoder as an argument.
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { TextEncoding } from './token-counts.ts'

const longestPiece = 2000 // merging is quadratic in the length of a run without a break

/** Encodes text as ordinary text: what spells a special token is characters like any other. */
export const o200k: TextEncoding = {
  encode: (text) => encode(text, ordinary),
}

const ordinary = { disallowedSpecial: new Set<string>() }
void longestPiece
