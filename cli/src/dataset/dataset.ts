/** Datasets: JSONL, one conversation a line. */
import { createReadStream } from 'node:fs'
import {
  ConversionError,
  detectForm,
  type JsonValue,
  type Reading,
  type ReadOptions,
  readConversation,
  readJsonConversation,
} from '../../../core/src/index.ts'
import { fileProblem } from '../files/file-problem.ts'
import { standardInput } from '../files/read-source.ts'
import type { Console } from '../terminal/console.ts'
import { linesOf } from './lines.ts'

/** Options of commands that read datasets. */
export const datasetOptions = {
  jsonl: {
    kind: 'flag',
    summary: 'Read JSONL, one conversation a line; files named *.jsonl are read so anyway',
  },
  'bad-lines': {
    kind: 'choice',
    values: ['fail', 'skip', 'stop'],
    default: 'fail',
    summary:
      'What to do about a line that cannot be read: name it and go on, with exit status 2 in the end; the same, with the status of the other lines; or stop there',
  },
} as const

/** What to do about a line that cannot be read. */
export type BadLines = 'fail' | 'skip' | 'stop'

/** A sample: the conversation of a line, or why there is none. */
export type Sample =
  | {
      readonly number: number
      readonly reading: Reading
      /** The object of which the conversation was the field `text`; its other fields belong to the line too. */
      readonly frame: Readonly<Record<string, JsonValue>> | undefined
      /** That text, if it is a transcript. */
      readonly text: string | undefined
    }
  | { readonly number: number; readonly problem: string }

/** True if the file at `path` is a dataset by its name, or by the option. */
export function isDataset(path: string, { jsonl }: { readonly jsonl: boolean }): boolean {
  return jsonl || /\.(?:jsonl|ndjson)$/i.test(path)
}

/** The samples of the dataset at `path` in their order. Blank lines are none. @throws FileProblem */
export async function* samplesOf(
  path: string,
  options: ReadOptions,
  console: Console,
): AsyncIterableIterator<Sample> {
  const chunks: AsyncIterable<Uint8Array> =
    path === standardInput ? console.input : createReadStream(path, { highWaterMark: 1 << 18 })
  try {
    for await (const { number, text } of linesOf(chunks, path)) {
      if (text === undefined) yield { number, problem: 'is not UTF-8' }
      else if (/\S/.test(text)) yield sampleOf(text, number, options)
    }
  } catch (error) {
    throw fileProblem(path, error)
  }
}

function sampleOf(line: string, number: number, options: ReadOptions): Sample {
  try {
    const value = parsed(line)
    const text = textIn(value)
    if (text !== undefined) {
      const from = options.from ?? 'auto'
      const form = from === 'auto' ? detectForm(text) : from
      const reading = readConversation(text, { ...options, from: form })
      // The value is an object, because it has a text.
      return { number, reading, frame: value as never, text: form === 'ocm' ? text : undefined }
    }
    const isText = options.from === 'ocm' || options.from === 'harmony'
    if (isText || typeof value !== 'object' || value === null) {
      return { number, problem: 'holds neither messages nor a `text`' }
    }
    return { number, reading: readJsonConversation(value, options), frame: undefined, text: undefined }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    const column = error.offset === undefined ? '' : `column ${error.offset + 1}: `
    return { number, problem: column + error.message }
  }
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
