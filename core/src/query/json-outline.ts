/**
 * The outline of JSON: its bytes, with marks in the place of texts, numbers, and truth values. The samples of a dataset have few outlines, so what
 * depends on nothing else need not be found out for each of them.
 */
import { codePointAt, utf8Length } from '../datasets/utf8.ts'

/** The mark of a text, apart from the bits that say more of it. Marks are below all bytes of JSON. */
export const textMark = 0x10
/** Set for a text that begins with a blank. */
export const beginsBlank = 1
/** Set for a text that ends with a blank. */
export const endsBlank = 2
/** Set for a text that begins with a brace, as JSON does. */
export const beginsBrace = 4
/** The mark of a number. */
export const numberMark = 1
/** The mark of `true` or `false`. */
export const truthMark = 2

const longest = 2 ** 14 // bytes of an outline
const mostTexts = 100
const mostFields = 64
const deepest = 32
const longestKey = 64

/** Keys whose texts say what a sample is: they are part of the outline. */
const kinds = ['role', 'type', 'from', 'kind', 'phase', 'status', 'object', 'schema_version', 'version'].map(
  bytesOf,
)
/** The same in a list of messages. Elsewhere, it may be a name for the sample. */
const names = [
  'name',
  'function',
  'function_name',
  'tool_name',
  'toolName',
  'channel',
  'recipient',
  'to',
].map(bytesOf)
/** Fields of samples whose texts are part of the outline, because they are shown as one text. */
const keptFields = ['tools', 'functions'].map(bytesOf)
/** Where a text may be JSON. */
const jsonTexts = ['arguments', 'content'].map(bytesOf)
/** What a text that is read as markup may begin with. */
const beginnings = ['analysis', 'commentary', 'assistant', "Here's my", 'Here is my'].map(bytesOf)

declare const TextEncoder: new () => { encode(text: string): Uint8Array }

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** What a byte is in a string. */
const [plain, quote, backslash, control, multiByte, sign] = [0, 1, 2, 3, 4, 5] as const
const kindInString = new Uint8Array(256)
kindInString.fill(control, 0, 0x20)
kindInString.fill(multiByte, 0x80)
kindInString[0x22] = quote
kindInString[0x5c] = backslash
for (const it of '<[&') kindInString[it.charCodeAt(0)] = sign

const truths = [bytesOf('true'), bytesOf('false')] as const

/** Bytes between other values: those of JSON's signs, of `null`, and blanks. */
const isBetween = new Uint8Array(128)
for (const it of '{}[]:, \t\r\nnul') isBetween[it.charCodeAt(0)] = 1

/** The outline of one JSON value after the other. */
export class JsonOutline {
  /** Its memory, of which the outline is the first `length` bytes: JSON with marks up to `end`, then which texts are the same. */
  readonly bytes = new Uint8Array(longest)
  length = 0
  end = 0
  /** Equal for equal outlines. */
  hash = 0
  nTexts = 0
  /** For each text, its UTF-16 code units. */
  readonly units = new Int32Array(mostTexts)
  /** For each text, the first that is the same. */
  readonly sames = new Uint8Array(mostTexts)
  nFields = 0
  /** For each field of the object, where the key, without quotation marks, and the value begin and end in the JSON. */
  readonly fields: number[] = new Array<number>(4 * mostFields).fill(0)
  readonly #starts = new Int32Array(mostTexts)
  readonly #ends = new Int32Array(mostTexts)
  readonly #isEscaped = new Uint8Array(mostTexts)
  readonly #string = new ScannedString()

  /**
   * Takes the outline of `json`, an object; false if it has none, because it is not JSON, is unusual, or has a text that readers may
   * take for something else. Linear. JSON with the same outline as other JSON is valid if that is.
   */
  read(json: Uint8Array): boolean {
    const { bytes, fields } = this
    const string = this.#string
    const to = json.length
    let [at, length, depth, nFields] = [0, 0, 0, 0]
    let [keyStart, keyEnd] = [0, 0]
    let isAfterColon = false
    let isKept = false
    this.nTexts = 0
    if (json[0] !== 0x7b) return false
    while (at < to) {
      if (length === longest) return false
      const byte = json[at] as number // `at` is an index
      if (byte === 0x22) {
        if (!string.scan(json, at + 1, to)) return false
        const [start, end] = [at + 1, string.end]
        at = end + 1
        if (isColonNext(json, at)) {
          if (string.lastEscape >= 0 || end - start > longestKey) return false
          keyStart = start
          keyEnd = end
          if (depth === 1) {
            if (nFields === mostFields) return false
            fields[4 * nFields] = start
            fields[4 * nFields + 1] = end
            isKept = isOneOf(keptFields, json, start, end)
          }
        } else if (!isKept && start !== end && !(isAfterColon && isKind(json, keyStart, keyEnd, depth))) {
          const isJson = isAfterColon && depth > 2 && isOneOf(jsonTexts, json, keyStart, keyEnd)
          const mark = this.#addText(json, start, isJson)
          if (mark === 0) return false
          bytes[length++] = mark
          isAfterColon = false
          continue
        }
        isAfterColon = false
        if (length + at - start + 1 > longest) return false
        for (let from = start - 1; from < at; from++) bytes[length++] = json[from] as number // before `at`
        continue
      }
      if (byte === 0x2d || (0x30 <= byte && byte <= 0x39)) {
        const end = numberEnd(json, at)
        if (end === -1) return false
        bytes[length++] = numberMark
        at = end
        isAfterColon = false
        continue
      }
      if (byte === 0x74 || byte === 0x66) {
        const truth = byte === 0x74 ? truths[0] : truths[1]
        if (!isAt(truth, json, at)) return false
        bytes[length++] = truthMark
        at += truth.length
        isAfterColon = false
        continue
      }
      if (byte >= 0x80 || isBetween[byte] === 0) return false
      bytes[length++] = byte
      if (byte === 0x3a) {
        isAfterColon = true
        if (depth === 1) fields[4 * nFields + 2] = at + 1
      } else if (byte === 0x7b || byte === 0x5b) {
        isAfterColon = false
        if (++depth > deepest) return false
      } else if (byte === 0x7d || byte === 0x5d || byte === 0x2c) {
        if (depth === 1 && keyEnd > 0) fields[4 * nFields++ + 3] = at
        if (byte !== 0x2c) depth--
        isAfterColon = false
      }
      at++
    }
    this.nFields = nFields
    return this.#close(length)
  }

  /** The mark of the text that was scanned, which begins at `start`; 0 for one that readers may take for something else. */
  #addText(json: Uint8Array, start: number, isJson: boolean): number {
    const { end, isPlain, isAmbiguous, lastEscape, nUnits } = this.#string
    const from = afterBlanks(json, start, end)
    if (!isPlain || from === end || this.nTexts === mostTexts || json[from] === 0x5b) return 0
    for (const it of beginnings) if (isAt(it, json, from)) return 0
    const isBrace = json[from] === 0x7b
    if (isBrace && !isJson) return 0
    const isBlankEnd = json[end - 1] === 0x20 || (lastEscape === end - 2 && isWhite(json[end - 1]))
    const nth = this.nTexts
    let same = nth
    for (let other = 0; other < nth; other++) {
      if (this.units[other] !== nUnits) continue
      if (this.#isSame(json, other, start, end)) {
        same = this.sames[other] as number // as above
        break
      }
      if (isAmbiguous || this.#isEscaped[other] === 1) return 0 // the same in other bytes, perhaps
    }
    this.units[nth] = nUnits
    this.sames[nth] = same
    this.#starts[nth] = start
    this.#ends[nth] = end
    this.#isEscaped[nth] = isAmbiguous ? 1 : 0
    this.nTexts++
    return (
      textMark | (from > start ? beginsBlank : 0) | (isBlankEnd ? endsBlank : 0) | (isBrace ? beginsBrace : 0)
    )
  }

  #isSame(json: Uint8Array, other: number, start: number, end: number): boolean {
    const from = this.#starts[other] as number // a text before
    if ((this.#ends[other] as number) - from !== end - start) return false
    for (let at = start; at < end; at++) if (json[at] !== json[at - start + from]) return false
    return true
  }

  /** Adds which texts are the same, and ends the outline. */
  #close(end: number): boolean {
    const { bytes, sames, nTexts } = this
    let length = end
    for (let nth = 0; nth < nTexts; nth++) {
      if (sames[nth] === nth) continue
      if (length + 3 > longest) return false
      bytes[length++] = 0
      bytes[length++] = nth
      bytes[length++] = sames[nth] as number // an index
    }
    let hash = end
    for (let at = 0; at < length; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
    this.end = end
    this.length = length
    this.hash = hash
    return true
  }
}

/** A string of JSON. */
class ScannedString {
  /** Where the quotation mark after it is. */
  end = 0
  nUnits = 0
  /** False if readers may take a part of it for a tag, or for a blank beyond ASCII. */
  isPlain = true
  /** True if the same text may be written in other bytes. */
  isAmbiguous = false
  /** Where its last escape begins; -1 without any. */
  lastEscape = -1

  /** Scans the string whose text begins at `from`; false if it is not one. */
  scan(json: Uint8Array, from: number, to: number): boolean {
    let [at, extra] = [from, 0] // bytes that are no code units
    this.isPlain = true
    this.isAmbiguous = false
    this.lastEscape = -1
    while (at < to) {
      // Nearly always, a quotation mark is before the end, so that this need not be looked at.
      while (kindInString[json[at] as number] === plain) at++
      switch (kindInString[json[at] as number]) {
        case quote:
          this.end = at
          this.nUnits = at - from - extra
          return at < to
        case backslash: {
          this.lastEscape = at
          const next = json[at + 1]
          if (next === 0x75) {
            const code = codeAt(json, at + 2)
            if (!(code >= 0)) return false
            if (code < 0x80 || isDoubtful(code)) this.isPlain = false
            this.isAmbiguous = true
            extra += 5
            at += 6
            break
          }
          if (next === 0x2f) this.isAmbiguous = true
          else if (next !== 0x22 && next !== 0x5c && next !== 0x62 && !isWhite(next)) return false
          extra++
          at += 2
          break
        }
        case multiByte: {
          const code = codePointAt(json, at, to)
          if (code === -1) return false
          if (isDoubtful(code)) this.isPlain = false
          const length = utf8Length(code)
          extra += length === 4 ? 2 : length - 1
          at += length
          break
        }
        case sign:
          if (mayBeginTag(json, at)) this.isPlain = false
          at++
          break
        default:
          return false
      }
    }
    return false
  }
}

/** The four hexadecimal digits at `from`; not a number if there are none. */
export function codeAt(bytes: Uint8Array, from: number): number {
  let code = 0
  for (let at = from; at < from + 4; at++) {
    const byte = bytes[at] ?? 0
    const isDigit = 0x30 <= byte && byte <= 0x39
    const letter = byte | 0x20
    if (!isDigit && !(0x61 <= letter && letter <= 0x66)) return Number.NaN
    code = 16 * code + (isDigit ? byte - 0x30 : letter - 0x57)
  }
  return code
}

/** True for a blank beyond ASCII, and for what stands for `<`. */
function isDoubtful(code: number): boolean {
  if (code < 0x1680) return code === 0xa0
  return (
    code === 0x1680 ||
    (0x2000 <= code && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff ||
    code === 0x25c1 ||
    code === 0xff1c
  )
}

/** True if the `<`, `[`, or `&` at `at` may begin a tag: `<think>`, `[/THINK]`, or `&lt;think>`. */
function mayBeginTag(json: Uint8Array, at: number): boolean {
  const next = json[at + 1] ?? 0
  switch (json[at]) {
    case 0x5b:
      return next === 0x2f || next === 0x5c || (next | 0x20) === 0x74
    case 0x26:
      return (next | 0x20) === 0x6c
    default:
      return true
  }
}

/** `n`, `r`, `t`, or `f`, which are white space after a backslash. */
function isWhite(byte: number | undefined): boolean {
  return byte === 0x6e || byte === 0x72 || byte === 0x74 || byte === 0x66
}

function afterBlanks(json: Uint8Array, from: number, to: number): number {
  let at = from
  for (;;) {
    if (at < to && json[at] === 0x20) at++
    else if (at < to && json[at] === 0x5c && isWhite(json[at + 1])) at += 2
    else return at
  }
}

function isColonNext(json: Uint8Array, from: number): boolean {
  let at = from
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at++
  return json[at] === 0x3a
}

/** True if the text of the key is part of the outline. */
function isKind(json: Uint8Array, start: number, end: number, depth: number): boolean {
  return isOneOf(kinds, json, start, end) || (depth > 2 && isOneOf(names, json, start, end))
}

function isOneOf(words: readonly Uint8Array[], json: Uint8Array, start: number, end: number): boolean {
  for (const it of words) if (it.length === end - start && isAt(it, json, start)) return true
  return false
}

function isAt(word: Uint8Array, json: Uint8Array, from: number): boolean {
  for (let at = 0; at < word.length; at++) if (json[from + at] !== word[at]) return false
  return true
}

/** Where the number at `from` ends; -1 if there is none. */
function numberEnd(json: Uint8Array, from: number): number {
  let at = json[from] === 0x2d ? from + 1 : from
  if (!isDigit(json[at])) return -1
  at = json[at] === 0x30 ? at + 1 : afterDigits(json, at)
  if (json[at] === 0x2e) {
    if (!isDigit(json[at + 1])) return -1
    at = afterDigits(json, at + 1)
  }
  if (((json[at] ?? 0) | 0x20) === 0x65) {
    const sign = json[at + 1]
    at += sign === 0x2b || sign === 0x2d ? 2 : 1
    if (!isDigit(json[at])) return -1
    at = afterDigits(json, at)
  }
  // Only `0` may be before a digit: not a number.
  return isDigit(json[at]) || json[at] === 0x2d ? -1 : at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && 0x30 <= byte && byte <= 0x39
}

function afterDigits(json: Uint8Array, from: number): number {
  let at = from
  while (isDigit(json[at])) at++
  return at
}
