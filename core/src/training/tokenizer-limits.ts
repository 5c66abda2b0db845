/**
 * What of a `tokenizer.json` could take more than linear time or memory, and what becomes of it: a file that comes with a
 * dataset is not to be trusted.
 */

import { isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { commonEnds } from '../text/common-ends.ts'
import { localize } from '../text/localize.ts'
import { shortened } from '../text/shortened.ts'
import { boundedPattern } from './bounded-pattern.ts'
import { type BytePairModel, boundBytePairs } from './byte-pairs.ts'
import { cutByScores, type UnigramModel } from './unigram.ts'

/** A part of a tokenizer, and the parts it consists of, whatever their type says. */
export function partsOf(part: unknown): readonly JsonObject[] {
  if (!isObject(part)) return []
  const own = part as JsonObject
  const inner = [own.pretokenizers, own.normalizers].filter((it) => Array.isArray(it)).flat()
  return [own, ...inner.flatMap(partsOf)]
}

const longestExpression = 20_000 // code units: some name every letter; the library takes quadratic time to translate them
const longestToken = 1000 // code units: each place of a text may be compared with as many
const longestWord = 200 // characters of a word for WordPiece, which takes cubic time; 100 unless the file says otherwise
const mostGrowth = 16 // times as long as before, after all replacements; spaces and line breaks are replaced by a few characters
const mostAdded = 400_000 // nodes of the tree of added tokens, of which each takes 500 bytes; 28,000 random words have 260,000
const mostPieces = 2 ** 20 // of a Unigram model: four times as many as the largest ones have

/** Why the library is not given `json`; undefined if it may have it. */
export function refusalOf(json: JsonObject): string | undefined {
  const malformed = malformedPart(json)
  if (malformed !== undefined) return localize`\`${malformed}\` is missing or malformed`
  const normalizers = partsOf(json.normalizer)
  const parts = [...normalizers, ...partsOf(json.pre_tokenizer)]
  const expressions = parts.map(expressionOf).filter((it) => it !== undefined)
  const long = expressions.find((it) => it.length > longestExpression)
  if (long !== undefined) return localize`a regular expression has more than ${longestExpression} characters`
  // These are applied while the library reads the file.
  const unknown = normalizers.map(expressionOf).find((it) => it !== undefined && !isKnown(it))
  if (unknown !== undefined) return expressionRefusal(unknown)
  if (parts.some(({ type, length }) => type === 'FixedLength' && !(Number(length) >= 1)))
    return localize`the length of \`FixedLength\` is less than 1`
  // The library would put in what is before a match: that is quadratic.
  const special = parts.find(
    ({ type, content }) => type === 'Replace' && /\$[$&`']/.test(String(content ?? '')),
  )
  if (special) return localize`the replacement \`${shortened(String(special.content), 80)}\` is not supported`
  const growth = parts.reduce((product, it) => product * growthOf(it), 1)
  if (growth > mostGrowth)
    return localize`its replacements can make a text more than ${mostGrowth} times as long`
  const model = isObject(json.model) ? (json.model as JsonObject) : {}
  const { max_input_chars_per_word: word } = model
  if (word !== undefined && word !== null && !(Number(word) <= longestWord))
    return localize`\`max_input_chars_per_word\` is greater than ${longestWord}`
  if (hasLongToken(json.added_tokens) || (Array.isArray(model.vocab) && hasLongToken(model.vocab)))
    return localize`a token has more than ${longestToken} characters`
  const isTooLarge =
    nodesOf(json.added_tokens) > mostAdded || (Array.isArray(model.vocab) && model.vocab.length > mostPieces)
  return isTooLarge ? localize`it has too many tokens, or tokens that are too long` : undefined
}

/** The first part that the library would fail at, or take for something else. */
function malformedPart({ added_tokens: added = [], model }: JsonObject): string | undefined {
  if (!isObject(model)) return 'model'
  const { vocab, merges = [] } = model as JsonObject
  if (added !== null && !(Array.isArray(added) && added.every(isAddedToken))) return 'added_tokens'
  if (vocab !== undefined && !isVocabulary(vocab)) return 'model.vocab'
  if (merges !== null && !(Array.isArray(merges) && areMerges(merges))) return 'model.merges'
  return undefined
}

function isAddedToken(token: JsonValue): boolean {
  if (!isObject(token)) return false
  const { id, content } = token as JsonObject
  return typeof content === 'string' && isId(id)
}

function isVocabulary(vocab: JsonValue): boolean {
  if (!Array.isArray(vocab)) return isObject(vocab) && Object.values(vocab as JsonObject).every(isId)
  return vocab.every(
    (it) =>
      Array.isArray(it) && typeof it[0] === 'string' && typeof it[1] === 'number' && !Number.isNaN(it[1]),
  )
}

/** A place in a list: the library makes one that reaches as far. */
function isId(value: JsonValue | undefined): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < mostIds
}

const mostIds = 2 ** 25

/** All of them are texts, or all are pairs. */
function areMerges(merges: readonly JsonValue[]): boolean {
  const isText = (it: JsonValue) => typeof it === 'string'
  const isPair = (it: JsonValue) => Array.isArray(it) && it.length === 2 && it.every(isText)
  return merges.every(isText) || merges.every(isPair)
}

/** How many nodes a tree of `tokens` has, with one for each character: tokens share those of a common beginning. */
function nodesOf(tokens: unknown): number {
  if (!Array.isArray(tokens)) return 0
  const texts = tokens.map(contentOf).filter((it) => it !== undefined)
  let nodes = 0
  let before = ''
  for (const it of texts.sort()) {
    nodes += it.length - commonEnds(before, it).head
    before = it
  }
  return nodes
}

function contentOf(token: unknown): string | undefined {
  const content = Array.isArray(token)
    ? token[0]
    : isObject(token)
      ? (token as JsonObject).content
      : undefined
  return typeof content === 'string' ? content : undefined
}

function hasLongToken(tokens: unknown): boolean {
  if (!Array.isArray(tokens)) return false
  return tokens.some((it) => (contentOf(it)?.length ?? 0) > longestToken)
}

function expressionOf({ pattern }: JsonObject): string | undefined {
  const expression = isObject(pattern) ? (pattern as JsonObject).Regex : undefined
  return expression === undefined ? undefined : String(expression)
}

/** How much longer a text can get: an expression may match nothing, before each character. */
function growthOf({ type, pattern, content, str_rep: space, prepend }: JsonObject): number {
  if (type === 'Prepend') return 1 + String(prepend ?? '').length // before each piece between added tokens
  if (type === 'Metaspace') return Math.max(1, String(space ?? '').length)
  if (type !== 'Replace') return 1
  const length = String(content ?? '').length
  const isWord = isObject(pattern) && String((pattern as JsonObject).String ?? '') !== ''
  return isWord && !('Regex' in pattern) ? Math.max(1, length) : 1 + length
}

/** Says that the expression `source` cannot be used. */
function expressionRefusal(source: string): string {
  return localize`the regular expression \`${shortened(source, 80)}\` can't be matched in linear time`
}

/** A splitter of the library. */
interface Splitter {
  readonly tokenizers?: readonly unknown[]
  readonly config?: { readonly pattern?: { readonly Regex?: unknown } }
  pattern?: unknown
}

/**
 * Has the splitters of the library match in linear time.
 *
 * @returns why the tokenizer cannot be used, if one does not
 */
export function boundSplitters(splitter: unknown): string | undefined {
  if (splitter === null || (typeof splitter !== 'object' && typeof splitter !== 'function')) return undefined
  const own = splitter as Splitter
  for (const it of own.tokenizers ?? []) {
    const refusal = boundSplitters(it)
    if (refusal !== undefined) return refusal
  }
  const expression = own.config?.pattern?.Regex
  if (expression === undefined || !(own.pattern instanceof RegExp) || isKnown(String(expression)))
    return undefined
  const bounded = boundedPattern(own.pattern.source)
  if (!bounded) return expressionRefusal(String(expression))
  own.pattern = bounded
  return undefined
}

/** A model of the library. */
export interface Model
  extends Partial<Pick<UnigramModel, 'scores' | 'unk_score' | 'trie'>>,
    Partial<BytePairModel> {
  readonly tokens_to_ids: ReadonlyMap<string, number>
  readonly unk_token_id: number | undefined
  fuse_unk: boolean
  encode(words: readonly string[]): readonly string[]
}

/**
 * Has `model` join neighboring unknown tokens in linear time, and cut a word into any number of pieces: the library looks up
 * what is joined after each of them, and passes the pieces of a word as arguments, of which there can't be many.
 */
export function boundModel(model: Model): void {
  const { fuse_unk: isFused } = model
  if (isOfBytePairs(model)) boundBytePairs(model)
  const encode = isUnigram(model)
    ? (words: readonly string[]) => words.flatMap((it) => cutByScores(it, model))
    : model.encode.bind(model)
  model.fuse_unk = false
  model.encode = (words) => (isFused ? joinedUnknown(encode(words), model) : encode(words))
}

function isOfBytePairs(model: Model): model is Model & BytePairModel {
  return model.bpe !== undefined
}

function isUnigram(model: Model): model is Model & UnigramModel {
  return model.trie !== undefined
}

function joinedUnknown(tokens: readonly string[], model: Model): readonly string[] {
  const isUnknown = (it: string) => (model.tokens_to_ids.get(it) ?? model.unk_token_id) === model.unk_token_id
  const joined: string[] = []
  for (let index = 0; index < tokens.length; ) {
    const first = index
    const token = tokens[index++] ?? ''
    if (isUnknown(token)) while (index < tokens.length && isUnknown(tokens[index] ?? '')) index++
    // What the model itself writes for unknown text is written once.
    const isWritten = model.tokens_to_ids.get(token) === model.unk_token_id
    joined.push(isWritten ? token : tokens.slice(first, index).join(''))
  }
  return joined
}

/** One character or class, perhaps repeated: the platform's engine never goes back for that. */
const simple =
  /^(?:\\[sSdDwWnrt]|\\[pP]\{\w+\}|\[(?:\\.|[^\]\\[&])+\]|[^\\()[\]{}.*+?^$|])(?:[+*]|\{[1-3](?:,[1-3]?)?\})?$/u

/** What the expressions of GPT and its successors end with: white space that nothing before has matched. */
const ending = '\\s+(?!\\S)|\\s+'

const contraction = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
const mixedCase = '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+'
const upperCase = '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*'

/**
 * What they consist of. Each matches, or fails after it has seen what a later one matches, so that nothing is seen more than
 * a few times.
 */
const alternatives: readonly string[] = [
  // GPT-2.
  "'s|'t|'re|'ve|'m|'ll|'d",
  ' ?\\p{L}+',
  ' ?\\p{N}+',
  ' ?[^\\s\\p{L}\\p{N}]+',
  // GPT-4, Llama 3, Qwen.
  contraction,
  "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])",
  '[^\\r\\n\\p{L}\\p{N}]?\\p{L}+',
  '[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+',
  '\\p{N}{1,3}',
  '\\p{N}',
  ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*',
  ' ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*',
  ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*',
  '\\s*[\\r\\n]+',
  '\\s*[\\r\\n]',
  // o200k and Tekken: what is in upper case alone is matched by the second.
  `${mixedCase}|${upperCase}`,
  `${mixedCase}${contraction}?|${upperCase}${contraction}?`,
  // DeepSeek.
  '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+',
  '[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+',
  ' ?[\\p{P}\\p{S}]+[\\r\\n]*',
]

/** Whether the platform's engine matches the expression in linear time. */
function isKnown(expression: string): boolean {
  if (simple.test(expression)) return true
  if (!expression.endsWith(`|${ending}`)) return false
  let rest = expression.slice(0, -ending.length)
  while (rest !== '') {
    const found = alternatives.find((it) => rest.startsWith(`${it}|`))
    if (found === undefined) return false
    rest = rest.slice(found.length + 1)
  }
  return true
}
