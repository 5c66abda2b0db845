/** Tokenizers of Hugging Face (`tokenizer.json`), and where in the text their tokens are. */

import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers'
import { isObject } from '../conversation/json-input.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { BytePlaces, type PlacedToken, type Tokenization, type Tokenizer } from './tokenizer.ts'
import { boundModel, boundSplitters, type Model, partsOf, refusalOf } from './tokenizer-limits.ts'

/**
 * The tokenizer that a `tokenizer.json` describes.
 *
 * @param config what `tokenizer_config.json` says; an empty object if there is none
 * @returns why there is none, in the words of the library, if it does not know what the file asks for
 */
export function tokenizerOfJson(json: JsonObject, config: JsonObject = {}): Tokenizer | string {
  let library: HuggingFaceTokenizer
  try {
    const refusal = refusalOf(json)
    if (refusal !== undefined) return refusal
    library = new HuggingFaceTokenizer(completed(json), config)
    const splitterRefusal = boundSplitters(library.pre_tokenizer)
    if (splitterRefusal !== undefined) return splitterRefusal
    boundModel(library.model as unknown as Model)
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown kind of tokenizer'
  }
  const added = new Set<string>()
  const isByteLevel = usesBytes(json.decoder) || usesBytes(json.pre_tokenizer)
  // Gemma adds runs of spaces and line breaks, which are text like any other.
  for (const [, { content }] of library.get_added_tokens_decoder())
    if (isByteLevel || /[^\s▁]/.test(content)) added.add(content)
  const prefix = continuation(json.model)
  return {
    name: 'tokenizer.json',
    doubt: doubtOf(json),
    cut(text) {
      const { ids, tokens } = library.encode(text, { add_special_tokens: false })
      return isByteLevel
        ? placedByBytes(text, ids, tokens, added)
        : placedByText(text, ids, tokens, added, prefix)
    },
  }
}

/** `json` with the members that the library asks for. Nothing is decoded, and no tokens are added to what is cut. */
function completed(json: JsonObject): JsonObject {
  return {
    ...json,
    normalizer: json.normalizer ?? null,
    pre_tokenizer: json.pre_tokenizer ?? null,
    post_processor: null,
    decoder: null,
    added_tokens: json.added_tokens ?? [],
  }
}

/** What a token begins with that continues a word; other models have tokens that are spelled so. */
function continuation(model: unknown): string | undefined {
  const { type, continuing_subword_prefix: prefix } = isObject(model) ? (model as JsonObject) : {}
  if (type !== 'WordPiece') return undefined
  return typeof prefix === 'string' && prefix !== '' ? prefix : '##'
}

function usesBytes(part: unknown): boolean {
  if (!isObject(part)) return false
  const { type, decoders, pretokenizers } = part as JsonObject
  if (type === 'ByteLevel') return true
  const parts = decoders ?? pretokenizers
  return Array.isArray(parts) && parts.some(usesBytes)
}

/** What the library cuts differently from the reference: it knows two of the five ways to split. */
function doubtOf(json: JsonObject): string | undefined {
  const splits = partsOf(json.pre_tokenizer).filter(({ type }) => type === 'Split')
  const unknown = splits.find(
    (it) => it.behavior !== 'Isolated' && it.behavior !== 'Removed' && !isIdle(it, json.normalizer),
  )
  return unknown && localize`\`Split\` with the behavior \`${String(unknown.behavior)}\``
}

/** True for a split at spaces of a text that has none left. */
function isIdle({ pattern }: JsonObject, normalizer: unknown): boolean {
  const isSpace = isObject(pattern) && (pattern as JsonObject).String === ' '
  return isSpace && partsOf(normalizer).some((it) => it.type === 'Replace' && it.content === '▁')
}

/** Each character of a token is one byte of the text. */
function placedByBytes(
  text: string,
  ids: readonly number[],
  spellings: readonly string[],
  added: ReadonlySet<string>,
): Tokenization {
  const tokens: PlacedToken[] = []
  const absent = new Set<string>() // in the rest of the text
  let isExact = true
  let from = 0
  let places = new BytePlaces(text)
  let bytes = 0
  for (const [index, spelling] of spellings.entries()) {
    const id = ids[index] ?? 0
    const at = from + places.before(bytes)
    if (added.has(spelling)) {
      const found = absent.has(spelling) ? -1 : text.indexOf(spelling, at)
      if (found === -1) {
        absent.add(spelling) // what stands for unknown text is not looked for again and again
        isExact = false
      }
      const start = found === -1 ? at : found
      if (text.slice(at, start).trim() !== '') isExact = false
      from = found === -1 ? at : found + spelling.length
      places = new BytePlaces(text.slice(from))
      bytes = 0
      tokens.push({ id, start, end: from, isSpecial: true })
      continue
    }
    const isPrefix = index === 0 && spelling.startsWith(spaceByte) && text[at] !== ' '
    const first = bytes
    bytes += spelling.length - (isPrefix ? 1 : 0)
    tokens.push({ id, ...places.between(first, bytes, from), isSpecial: false })
  }
  if (from + places.before(bytes) < text.length && text.slice(from + places.before(bytes)).trim() !== '')
    isExact = false
  return { tokens, isExact }
}

const spaceByte = 'Ġ'
const farthest = 64 // code units that a tokenizer may leave out between two tokens: white space, accents, control characters

/** Tokens are words of the text, in lower case or with `▁` for a space or `##` before them. */
function placedByText(
  text: string,
  ids: readonly number[],
  spellings: readonly string[],
  added: ReadonlySet<string>,
  prefix: string | undefined,
): Tokenization {
  const tokens: PlacedToken[] = []
  let isExact = true
  let at = 0
  let pending = 0 // bytes of a character that were seen
  for (const [index, spelling] of spellings.entries()) {
    const id = ids[index] ?? 0
    const byte = /^<0x[\dA-F]{2}>$/.test(spelling)
    if (byte && !added.has(spelling)) {
      const units = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      tokens.push({ id, start: at, end: at + units, isSpecial: false })
      pending++
      if (pending < bytesAt(text, at)) continue
      at += units
      pending = 0
      continue
    }
    const place = placeOf(text, added.has(spelling) ? [spelling] : surfaces(spelling, prefix), at)
    if (place === undefined) isExact = false
    const [start, end] = place ?? [at, at]
    tokens.push({ id, start, end, isSpecial: added.has(spelling) })
    at = end
  }
  if (text.slice(at).trim() !== '') isExact = false
  return { tokens, isExact }
}

function surfaces(spelling: string, prefix: string | undefined): readonly string[] {
  const spaced = spelling.replaceAll('▁', ' ')
  const plain = prefix !== undefined && spelling.startsWith(prefix) ? spelling.slice(prefix.length) : spaced
  return plain.startsWith(' ') ? [plain, plain.trimStart()] : [plain]
}

function placeOf(text: string, spellings: readonly string[], at: number): [number, number] | undefined {
  for (const it of spellings) if (text.startsWith(it, at)) return [at, at + it.length]
  const window = text.slice(at, at + farthest)
  for (const it of spellings) {
    const found = it === '' ? -1 : window.indexOf(it)
    const folded = found === -1 && it !== '' ? window.toLowerCase().indexOf(it.toLowerCase()) : found
    if (folded !== -1 && window.slice(0, folded).trim() === '') return [at + folded, at + folded + it.length]
  }
  return undefined
}

function bytesAt(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
