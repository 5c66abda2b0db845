/** One sample of a dataset: what its bytes say, and the transcript that it is or becomes. Nothing is thrown, whatever they are. */
import {
  ConversionError,
  type JsonValue,
  type Loss,
  localize,
  type Position,
  parseSample,
  readJsonConversation,
  repeatedKeys,
  type SourceForm,
  sampleText,
  writeConversation,
} from '../../../core/src/index.ts'

/** A sample that has a conversation. */
export interface GoodSample {
  readonly kind: 'good'
  /** The JSON as it stands in the file. */
  readonly json: string
  readonly value: JsonValue
  /** The form of the conversation; `text` for one that stands as text in the field of that name. */
  readonly form: Exclude<SourceForm, 'ocm' | 'harmony'> | 'text'
  /** That text, or the transcript that the conversation becomes. */
  readonly text: string
  /** What the transcript does not say although the sample does. */
  readonly losses: readonly Loss[]
}

/** A sample that cannot be read. */
export interface BadSample {
  readonly kind: 'bad'
  readonly message: string
  /** Where in the sample the mistake is; its begin if that is not known. */
  readonly position: Position
}

/** What a line, or an element of a list, is. */
export type Sample = GoodSample | BadSample

/** Bytes of the largest sample that is read: what is larger cannot be shown in time. */
export const largestSample = 64 * 2 ** 20

/** Reads a sample. */
export function readSample(bytes: Uint8Array): Sample {
  const json = decoded(bytes)
  if (typeof json !== 'string') return json
  try {
    return sampleOf(json)
  } catch (error) {
    if (error instanceof ConversionError) return bad(error.message, positionIn(json, error.offset ?? 0))
    if (error instanceof RangeError) return bad(localize`The sample is nested too deep`)
    throw error
  }
}

/** The reason why a sample of so many bytes is not read. */
export function tooLarge(): BadSample {
  return bad(
    localize`The sample is larger than ${largestSample / 2 ** 20} MB, which is the most that is read`,
  )
}

function sampleOf(json: string): Sample {
  const value = parseSample(json)
  const text = sampleText(value)
  if (text !== undefined)
    return { kind: 'good', json, value, form: 'text', text, losses: repeatedKeys(json, value) }
  if (typeof value !== 'object' || value === null)
    return bad(localize`The sample holds neither messages nor a \`text\``)
  const reading = readJsonConversation(value, { text: json })
  const form = reading.from
  if (form === 'ocm' || form === 'harmony')
    return bad(localize`The sample holds neither messages nor a \`text\``)
  if (reading.conversation.messages.length === 0 && reading.losses.length === 0 && !hasList(value))
    return bad(localize`The sample holds neither messages nor a \`text\``)
  const written = writeConversation(reading, { to: 'ocm' })
  return {
    kind: 'good',
    json,
    value,
    form,
    text: written.text,
    losses: [...reading.losses, ...written.losses],
  }
}

function bad(message: string, position: Position = { line: 0, character: 0 }): BadSample {
  return { kind: 'bad', message, position }
}

/** A position in a sample as one in the file, in which the sample begins at `start`. */
export function inFile(start: Position, { line, character }: Position): Position {
  return { line: start.line + line, character: line === 0 ? start.character + character : character }
}

/** The line and the character of `offset` in `text`, of which line feeds end lines, both from 0. */
export function positionIn(text: string, offset = text.length): Position {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length - 1, character: offset - (before.lastIndexOf('\n') + 1) }
}

function hasList(value: object): boolean {
  return Array.isArray(value) || ['messages', 'input', 'output'].some((key) => Object.hasOwn(value, key))
}

/** The text, or where it stops to be UTF-8. A byte order mark inside of a file is a character as any other. */
function decoded(bytes: Uint8Array): string | BadSample {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    return bad(localize`This is not UTF-8`, positionIn(text, Math.max(0, text.indexOf('\ufffd'))))
  }
}
