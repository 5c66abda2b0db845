/** The samples of a stretch of a dataset, each read as a conversation. */
import { isAscii, isUtf8, transcode } from 'node:buffer'
import {
  ConversionError,
  detectForm,
  type JsonValue,
  type Position,
  parseSample,
  type Reading,
  type ReadOptions,
  readConversation,
  readJsonConversation,
  sampleText,
} from '../../../core/src/index.ts'
import { mistakeText, type SampleSource } from './mistake-place.ts'
import { longestSample, type Stretch } from './stretch.ts'

/** A sample: the conversation of a line, or why there is none. */
export type Sample =
  | {
      readonly number: number
      /** Reads the conversation. @throws ConversionError */
      readonly read: () => Reading
      /** The object of which the conversation is the field `text`; its other fields belong to the line too. */
      readonly frame: Readonly<Record<string, JsonValue>> | undefined
      /** That text, if it is a transcript. */
      readonly text: string | undefined
      readonly source: SampleSource
    }
  | { readonly number: number; readonly problem: string }

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
    const problem = (text: string) => ({ number, problem: mistakeText(text, undefined, { json: '', start }) })
    if (line === undefined) yield problem('is not UTF-8')
    else if (/\S/.test(line)) yield sampleOf({ json: line, start }, number, options)
    else if (place === 'element') yield problem('is missing')
    number++
  }
}

function startAt(starts: Uint32Array, index: number): Position {
  return { line: starts[2 * index] ?? 0, character: starts[2 * index + 1] ?? 0 }
}

/** The lines of `bytes`, without their line feeds; undefined for one that is not UTF-8. An empty line at the end is none. */
function* linesIn(bytes: Uint8Array): IterableIterator<string | undefined> {
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
    else yield undefined
    from = to + 1
  }
}

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
  if (text !== undefined) {
    const from = options.from ?? 'auto'
    const form = from === 'auto' ? detectForm(text) : from
    const read = () => readConversation(text, { ...options, from: form })
    // The value is an object, because it has a text.
    const frame = value as Readonly<Record<string, JsonValue>>
    return { number, read, frame, text: form === 'ocm' ? text : undefined, source }
  }
  const isText = options.from === 'ocm' || options.from === 'harmony'
  if (isText || typeof value !== 'object' || value === null) {
    return { number, problem: mistakeText('holds neither messages nor a `text`', undefined, source) }
  }
  const read = () => readJsonConversation(value, { ...options, text: json })
  return { number, read, frame: undefined, text: undefined, source }
}

/** @throws ConversionError */
function parsed({ json, start }: SampleSource): JsonValue {
  try {
    return JSON.parse(json) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    return parseSample(start ? json.replaceAll('\u0001', '\n') : json) // what it was before the list was cut
  }
}
