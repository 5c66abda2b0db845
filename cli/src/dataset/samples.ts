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
  sampleText,
  sampleTextPlaces,
} from '../../../core/src/index.ts'
import { beginningOf, mistakeText, type SampleSource } from './mistake-place.ts'
import { longestSample, type Stretch } from './stretch.ts'

/** A sample: the conversation of a line, or why there is none. */
export type Sample =
  | {
      readonly number: number
      /** Reads the conversation. @throws ConversionError */
      readonly read: () => Reading
      /** The same with the places of its messages where they are JSON, which takes longer. @throws ConversionError */
      readonly readPlaced: () => Reading
      /** The object of which the conversation is the field `text`; its other fields belong to the line too. */
      readonly frame: Readonly<Record<string, JsonValue>> | undefined
      /** That text, if it is a transcript. */
      readonly text: string | undefined
      readonly source: SampleSource
      /** What is lost before the conversation is read. */
      readonly losses: readonly Loss[]
      /** Tells where in the JSON an offset in what is read is: a text stands there as a string. */
      readonly places: () => ((offset: number) => number) | undefined
    }
  | { readonly number: number; readonly problem: string }

/** A sample that could be parsed. */
export type GoodSample = Extract<Sample, { readonly read: unknown }>

/** The samples in their order. Blank lines are none. Nothing is thrown, whatever the bytes are. */
export function* samplesIn(stretch: Stretch, options: ReadOptions): IterableIterator<Sample> {
  const { first, place, starts, isTooLong } = stretch
  if (isTooLong) {
    const problem = `is longer than ${longestSample / 2 ** 20} MB, which is the most that is read`
    yield { number: first, problem }
    return
  }
  let number = first
  for (const line of linesIn(stretch.bytes)) {
    const start = starts && startAt(starts, number - first)
    if (typeof line !== 'string') {
      const source = { json: line.text, start }
      yield { number, problem: mistakeText('is not UTF-8', line.text.length, source) }
    } else if (/\S/.test(line)) yield sampleOf({ json: line, start }, number, options)
    else if (place === 'element')
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
function* linesIn(bytes: Uint8Array): IterableIterator<string | BrokenLine> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isAscii(buffer)) {
    const text = buffer.toString('latin1')
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf('\n', from)
      const to = end === -1 ? text.length : end
      yield text.slice(from, to)
      from = to + 1
    }
    return
  }
  for (let from = 0; from < buffer.length; ) {
    const end = buffer.indexOf(10, from)
    const to = end === -1 ? buffer.length : end
    const line = buffer.subarray(from, to)
    if (isAscii(line)) yield line.toString('latin1')
    else if (isUtf8(line)) yield withoutMark(decoded(line))
    else yield { text: withoutMark(textBeforeMistake(line)) }
    from = to + 1
  }
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

/** Twice as quick as `toString` in UTF-8, which does not use what the processor has for this. */
function decoded(line: Buffer): string {
  return transcode(line, 'utf8', 'utf16le').toString('utf16le')
}

function withoutMark(line: string): string {
  return line.charCodeAt(0) === 0xfeff ? line.slice(1) : line
}

function sampleOf(source: SampleSource, number: number, options: ReadOptions): Sample {
  const { json } = source
  let value: JsonValue
  try {
    value = parsed(source)
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { number, problem: mistakeText(error.message, error.offset, source) }
  }
  const text = sampleText(value)
  if (text !== undefined) return textSample(source, value, text, number, options)
  const isText = options.from === 'ocm' || options.from === 'harmony'
  if (isText || typeof value !== 'object' || value === null) {
    const message = 'holds neither messages nor a `text`'
    return { number, problem: mistakeText(message, beginningOf(source), source) }
  }
  const reader = (hasPlaces: boolean) => () =>
    readJsonConversation(value, { ...options, text: json, hasPlaces })
  return {
    number,
    read: reader(false),
    readPlaced: reader(true),
    frame: undefined,
    text: undefined,
    source,
    losses: [],
    places: () => (offset) => offset,
  }
}

/** A sample that has its conversation as one text. */
function textSample(
  source: SampleSource,
  value: JsonValue,
  text: string,
  number: number,
  options: ReadOptions,
): GoodSample {
  const { json } = source
  const from = options.from ?? 'auto'
  const form = from === 'auto' ? detectForm(text) : from
  const read = () => readConversation(text, { ...options, from: form })
  return {
    number,
    read,
    readPlaced: read,
    frame: value as Readonly<Record<string, JsonValue>>, // an object, because it has a text
    text: form === 'ocm' ? text : undefined,
    source,
    losses: repeatedKeys(json, value),
    places: () => sampleTextPlaces(json),
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
