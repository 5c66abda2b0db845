/** Tokenizers of Hugging Face (`tokenizer.json`), and where in the text their tokens are. */

import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers'
import { isObject } from '../conversation/json-input.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { unitsAt } from '../text/code-units.ts'
import { localize } from '../text/localize.ts'
import { TokenColumns } from './token-columns.ts'
import { BytePlaces, type Tokenization, type Tokenizer } from './tokenizer.ts'
import { boundModel, boundSplitters, type Model, partsOf, refusalOf } from './tokenizer-limits.ts'
import { withSortedPieces } from './unigram.ts'

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
    library = withSortedPieces(() => new HuggingFaceTokenizer(completed(json), config))
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
  const normalForms = partsOf(json.normalizer).flatMap(({ type }) => forms.find((it) => it === type) ?? [])
  const spelled: Spelling = { added, prefix: continuation(json.model), mark: markOf(json) }
  return {
    name: 'tokenizer.json',
    doubt: doubtOf(json),
    cut(text) {
      const { ids, tokens } = library.encode(text, { add_special_tokens: false })
      if (!isByteLevel) return placedByText(text, ids, tokens, spelled)
      const placed = placedByBytes(text, ids, tokens, added)
      const isSame = normalForms.every((it) => text.normalize(it) === text)
      return isSame ? placed : { ...placed, isExact: false } // bytes of another text are counted
    },
  }
}

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

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

/** Where a space is put before a text that has none: nowhere, at its beginning, or at that of each piece between added tokens. */
type LeadingMark = 'never' | 'first' | 'always' | 'also before spaces'

function markOf({ normalizer, pre_tokenizer: splitter }: JsonObject): LeadingMark {
  if (partsOf(normalizer).some(({ type, prepend }) => type === 'Prepend' && prepend === '▁'))
    return 'also before spaces'
  const metaspace = partsOf(splitter).find(({ type }) => type === 'Metaspace')
  if (!metaspace) return 'never'
  const { prepend_scheme: scheme, add_prefix_space: isOldOn = true } = metaspace
  return scheme === 'first' || scheme === 'never' || scheme === 'always'
    ? scheme
    : isOldOn
      ? 'always'
      : 'never'
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
  const tokens = new TokenColumns()
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
      tokens.push(id, start, from, true)
      continue
    }
    const isPrefix = index === 0 && spelling.startsWith(spaceByte) && text[at] !== ' '
    const first = bytes
    bytes += spelling.length - (isPrefix ? 1 : 0)
    const { start, end, part } = places.between(first, bytes, from)
    tokens.push(id, start, end, false, part)
  }
  if (from + places.before(bytes) < text.length && text.slice(from + places.before(bytes)).trim() !== '')
    isExact = false
  return { tokens, isExact }
}

const spaceByte = 'Ġ'
const farthest = 64 // code units that a tokenizer may leave out between two tokens: white space, accents, control characters

/** How tokens are spelled that are words of a text. */
interface Spelling {
  readonly added: ReadonlySet<string>
  /** Of a token that continues a word. */
  readonly prefix: string | undefined
  readonly mark: LeadingMark
}

/** Tokens are words of the text, in lower case or with `▁` for a space or `##` before them. */
function placedByText(
  text: string,
  ids: readonly number[],
  spellings: readonly string[],
  { added, prefix, mark }: Spelling,
): Tokenization {
  const tokens = new TokenColumns()
  let isExact = true
  let at = 0
  let pending = 0 // bytes of a character that were seen
  let isMarked = isMarkedAt(text, 0, mark)
  for (const [index, spelling] of spellings.entries()) {
    const id = ids[index] ?? 0
    const isAdded = added.has(spelling)
    // The mark is where the first character of the text is, as in the reference.
    if (isMarked && !isAdded && spelling.startsWith('▁')) {
      isMarked = false
      const rest = spelling.slice(1)
      if (rest === '' || startsSpaced(text, rest, at)) {
        const end = at + (rest.length || unitsAt(text, at))
        tokens.push(id, at, end)
        at += rest.length
        continue
      }
    }
    const byte = /^<0x[\dA-F]{2}>$/.test(spelling)
    if (byte && !isAdded) {
      const units = unitsAt(text, at)
      tokens.push(id, at, at + units)
      pending++
      if (pending < bytesAt(text, at)) continue
      at += units
      pending = 0
      continue
    }
    const place = placeOf(text, isAdded ? [spelling] : surfaces(spelling, prefix), at)
    if (place === undefined) isExact = false
    const [start, end] = place ?? [at, at]
    tokens.push(id, start, end, isAdded)
    at = end
    isMarked = isAdded && isMarkedAt(text, at, mark)
  }
  if (text.slice(at).trim() !== '') isExact = false
  return { tokens, isExact }
}

/** True if a space that the text does not have is put before what begins `at`, which follows an added token unless it is the start. */
function isMarkedAt(text: string, at: number, mark: LeadingMark): boolean {
  if (mark === 'never' || (mark === 'first' && at > 0)) return false
  return mark === 'also before spaces' || !(text[at] === ' ' || text[at] === '▁')
}

/** True if `text` has `spelling` at `at`, in which `▁` is a space or itself. */
function startsSpaced(text: string, spelling: string, at: number): boolean {
  if (at + spelling.length > text.length) return false
  for (let index = 0; index < spelling.length; index++) {
    const unit = text[at + index]
    if (unit !== spelling[index] && !(unit === ' ' && spelling[index] === '▁')) return false
  }
  return true
}

function surfaces(spelling: string, prefix: string | undefined): readonly string[] {
  if (prefix !== undefined && spelling.startsWith(prefix)) return [spelling.slice(prefix.length)]
  const spaced = spelling.replaceAll('▁', ' ')
  return [spelling, spaced, ...(spaced.startsWith(' ') ? [spaced.trimStart()] : [])]
}

function placeOf(text: string, spellings: readonly string[], at: number): [number, number] | undefined {
  for (const it of spellings) if (startsSpaced(text, it, at)) return [at, at + it.length]
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
