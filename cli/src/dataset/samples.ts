/** The samples of a stretch of a dataset, each read as a conversation. */
import { isAscii, isUtf8, transcode } from 'node:buffer'
import {
  ConversionError,
  detectForm,
  type JsonValue,
  type Reading,
  type ReadOptions,
  readConversation,
  readJsonConversation,
} from '../../../core/src/index.ts'
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
    }
  | { readonly number: number; readonly problem: string }

/** The samples in their order. Blank lines are none. Nothing is thrown, whatever the bytes are. */
export function* samplesIn(stretch: Stretch, options: ReadOptions): IterableIterator<Sample> {
  const { first, place, isTooLong } = stretch
  if (isTooLong) {
    const problem = `is longer than ${longestSample / 2 ** 20} MB, which is the most that is read`
    yield { number: first, problem }
    return
  }
  let number = first
  for (const line of linesIn(stretch.bytes)) {
    if (line === undefined) yield { number, problem: 'is not UTF-8' }
    else if (/\S/.test(line)) yield sampleOf(line, number, options)
    else if (place === 'element') yield { number, problem: 'is missing' }
    number++
  }
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

function sampleOf(line: string, number: number, options: ReadOptions): Sample {
  let value: JsonValue
  try {
    value = parsed(line)
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { number, problem: problemText(error) }
  }
  const text = textIn(value)
  if (text !== undefined) {
    const from = options.from ?? 'auto'
    const form = from === 'auto' ? detectForm(text) : from
    const read = () => readConversation(text, { ...options, from: form })
    // The value is an object, because it has a text.
    return { number, read, frame: value as never, text: form === 'ocm' ? text : undefined }
  }
  const isText = options.from === 'ocm' || options.from === 'harmony'
  if (isText || typeof value !== 'object' || value === null) {
    return { number, problem: 'holds neither messages nor a `text`' }
  }
  return { number, read: () => readJsonConversation(value, options), frame: undefined, text: undefined }
}

/** Why a sample cannot be read, with the column of its text if that is known. */
export function problemText({ message, offset }: ConversionError): string {
  return offset === undefined ? message : `column ${offset + 1}: ${message}`
}

function parsed(line: string): JsonValue {
  try {
    return JSON.parse(line) as JsonValue // what JSON.parse gives is a JSON value
  } catch {
    readConversation(line, { from: 'json' }) // which knows the place of the mistake
    throw new ConversionError('This is not JSON')
  }
}

/** The conversation of a line that holds it as one text. */
function textIn(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const object = value as Readonly<Record<string, JsonValue>>
  if (Object.hasOwn(object, 'messages') || Object.hasOwn(object, 'input')) return undefined
  const text = Object.hasOwn(object, 'text') ? object.text : undefined
  return typeof text === 'string' ? text : undefined
}
