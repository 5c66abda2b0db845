/** The samples of a stretch of a dataset, each read as a conversation. */
import { isAscii, isUtf8, transcode } from 'node:buffer'
import {
  ConversionError,
  detectForm,
  type JsonValue,
  type Loss,
  type Position,
  parseSample,
  type Reading,
  type ReadOptions,
  readConversation,
  readJsonConversation,
  repeatedKeys,
  roundedNumbers,
  sampleText,
  sampleTextPlaces,
} from '../../../core/src/index.ts'
import { beginningOf, mistakeText, type SampleSource } from './mistake-place.ts'
import { longestSample, type Stretch } from './stretch.ts'

/** A sample: the conversation of a line, or why there is none. */
export type Sample = GoodSample | { readonly number: number; readonly problem: string }

/** The object around a text: only objects have one. */
type Frame = Readonly<Record<string, JsonValue>>

/** A sample that could be parsed. */
export interface GoodSample {
  readonly number: number
  readonly source: SampleSource
  /** The object of which the conversation is the field `text`; its other fields belong to the line too. */
  readonly frame: Frame | undefined
  /** That text, if it is a transcript. */
  readonly text: string | undefined
  /** What is lost before the conversation is read. */
  readonly losses: readonly Loss[]
  /** Reads the conversation; the places of messages that are JSON take longer than all else. @throws ConversionError */
  read(hasPlaces?: boolean): Reading
  /** Tells where in the JSON an offset in what is read is: a text stands there as a string. */
  places(): ((offset: number) => number) | undefined
}

/** The samples in their order. Blank lines are none. Nothing is thrown, whatever the bytes are. */
export function* samplesIn(stretch: Stretch, options: ReadOptions): IterableIterator<Sample> {
  const { first, place, starts, isTooLong } = stretch
  if (isTooLong) {
    const problem = `is longer than ${longestSample / 2 ** 20} MB, which is the most that is read`
    yield { number: first, problem }
    return
  }
  let number = first
  const bytes = Buffer.from(stretch.bytes.buffer, stretch.bytes.byteOffset, stretch.bytes.byteLength)
  for (const line of place === 'file' ? [lineOf(bytes)] : linesIn(bytes)) {
    const start = starts && startAt(starts, number - first)
    if (typeof line !== 'string') {
      const source = { json: line.text, start }
      yield { number, problem: mistakeText('is not UTF-8', line.text.length, source) }
    } else if (/\S/.test(line)) yield sampleOf({ json: line, start }, number, options)
    else if (place !== 'line')
      yield { number, problem: mistakeText('is missing', undefined, { json: '', start }) }
    number++
  }
}

function startAt(starts: Uint32Array, index: number): Position {
  return { line: starts[2 * index] ?? 0, character: starts[2 * index + 1] ?? 0 }
}

/** A line that is not UTF-8: what stands before the first byte that is none. */
interface BrokenLine {
  readonly text: string
}

/** The lines of `bytes`, without their line feeds. An empty line at the end is none. */
function* linesIn(bytes: Buffer): IterableIterator<string | BrokenLine> {
  for (const piece of piecesOf(bytes)) {
    const text = textOf(piece)
    if (text !== undefined) yield* cutLines(text)
    else yield* brokenLines(piece)
  }
}

/** `bytes` in whole lines, many short ones or one long one: what is short the engine makes and forgets without effort. */
function* piecesOf(bytes: Buffer): IterableIterator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const near = from + pieceLength
    const last = near < bytes.length ? bytes.lastIndexOf(10, near) : bytes.length - 1
    const end = last < from ? bytes.indexOf(10, from) : last
    const to = end === -1 ? bytes.length : end + 1
    yield bytes.subarray(from, to)
    from = to
  }
}

const pieceLength = 1 << 15

function* cutLines(text: string): IterableIterator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const to = end === -1 ? text.length : end
    yield withoutMark(text.slice(from, to))
    from = to + 1
  }
}

/** Lines of which at least one is not UTF-8. */
function* brokenLines(bytes: Buffer): IterableIterator<string | BrokenLine> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const to = end === -1 ? bytes.length : end
    yield lineOf(bytes.subarray(from, to))
    from = to + 1
  }
}

function lineOf(bytes: Buffer): string | BrokenLine {
  const text = textOf(bytes)
  return text === undefined ? { text: withoutMark(textBeforeMistake(bytes)) } : withoutMark(text)
}

/** `bytes` as text, in a third of the time that `toString` takes for UTF-8; undefined if they are none. */
function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1')
  return isUtf8(bytes) ? transcode(bytes, 'utf8', 'utf16le').toString('utf16le') : undefined
}

/** What stands in `line` before the first byte that is not UTF-8, of which there is one. */
function textBeforeMistake(line: Buffer): string {
  const text = line.toString('utf8')
  let nBytes = 0
  let from = 0
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    nBytes += Buffer.byteLength(text.slice(from, at))
    if (line.toString('latin1', nBytes, nBytes + 3) !== replacementBytes) return text.slice(0, at)
    nBytes += 3
    from = at + 1
  }
  return text
}

const replacement = '\ufffd' // which a text may have, too
const replacementBytes = '\xef\xbf\xbd'

function withoutMark(line: string): string {
  return line.charCodeAt(0) === 0xfeff ? line.slice(1) : line
}

function sampleOf(source: SampleSource, number: number, options: ReadOptions): Sample {
  let value: JsonValue
  try {
    value = parsed(source)
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { number, problem: mistakeText(error.message, error.offset, source) }
  }
  const text = sampleText(value)
  if (text !== undefined) return new TextSample(source, number, value as Frame, text, options)
  const isText = options.from === 'ocm' || options.from === 'harmony'
  if (isText || typeof value !== 'object' || value === null) {
    const message = 'holds neither messages nor a `text`'
    return { number, problem: mistakeText(message, beginningOf(source), source) }
  }
  return new JsonSample(source, number, value, options)
}

/** A sample that holds its messages as JSON. */
class JsonSample implements GoodSample {
  readonly number: number
  readonly source: SampleSource
  readonly frame = undefined
  readonly text = undefined
  readonly losses: readonly Loss[] = []
  readonly #value: JsonValue
  readonly #options: ReadOptions

  constructor(source: SampleSource, number: number, value: JsonValue, options: ReadOptions) {
    this.source = source
    this.number = number
    this.#value = value
    this.#options = options
  }

  read(hasPlaces = false): Reading {
    const { from, dialect, isStrict } = this.#options
    return readJsonConversation(this.#value, { from, dialect, isStrict, text: this.source.json, hasPlaces })
  }

  places(): (offset: number) => number {
    return (offset) => offset
  }
}

/** A sample that has its conversation as one text. */
class TextSample implements GoodSample {
  readonly number: number
  readonly source: SampleSource
  readonly frame: Frame
  readonly text: string | undefined
  readonly losses: readonly Loss[]
  readonly #text: string
  readonly #options: ReadOptions

  constructor(
    source: SampleSource,
    number: number,
    frame: Frame,
    text: string,
    { from = 'auto', dialect, isStrict }: ReadOptions,
  ) {
    const form = from === 'auto' ? detectForm(text) : from
    this.source = source
    this.number = number
    this.frame = frame
    this.text = form === 'ocm' ? text : undefined
    this.losses = [...repeatedKeys(source.json, frame), ...roundedNumbers(source.json, frame)]
    this.#text = text
    this.#options = { from: form, dialect, isStrict }
  }

  read(): Reading {
    return readConversation(this.#text, this.#options)
  }

  places(): ((offset: number) => number) | undefined {
    return sampleTextPlaces(this.source.json)
  }
}

/** @throws ConversionError */
function parsed({ json, start }: SampleSource): JsonValue {
  try {
    return JSON.parse(json) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    return parseSample(start ? json.replaceAll('\u0001', '\n') : json) // what it was before the list was cut
  }
}
