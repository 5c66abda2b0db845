/** One sample of a dataset: what its bytes say. Nothing is thrown, whatever they are. */

import { isObject } from '../conversation/json-input.ts'
import { ConversionError, type Loss } from '../conversation/loss.ts'
import {
  optionsOfForm,
  type Reading,
  type ReadOptions,
  readConversation,
  readJsonConversation,
} from '../convert/convert.ts'
import { parseSample, repeatedKeys, roundedNumbers, sampleTextPlaces } from '../convert/dataset-sample.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { formOfHeldText } from '../forms/detect-form.ts'
import { likelyKeys } from '../forms/envelope.ts'
import { formOf, locatedForm } from '../forms/form-registry.ts'
import { type HeldText, sampleText } from '../forms/held-text.ts'
import { sampleOf } from '../forms/json-sample.ts'
import { inBackticks } from '../text/in-backticks.ts'
import { localize } from '../text/localize.ts'
import { shortened } from '../text/shortened.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { textOfBytes } from './sample-text.ts'

/** A sample that has a conversation, or why it has none. */
export type Sample = GoodSample | BadSample

/** A sample that cannot be read. */
export interface BadSample {
  readonly kind: 'bad'
  /** Its JSON, as far as it is text. */
  readonly json: string
  readonly reason: 'missing' | 'not-utf8' | 'not-json' | 'no-conversation'
  /** Why, for readers. */
  readonly message: string
  /** Where in the JSON; undefined if it concerns all of it. UTF-16 code units. */
  readonly offset: number | undefined
}

/** A sample that could be parsed. */
export interface GoodSample {
  readonly kind: 'good'
  readonly json: string
  readonly value: JsonValue
  /** The object of which the conversation is the field `text`; its other fields belong to the sample too. */
  readonly frame: Readonly<Record<string, JsonValue>> | undefined
  /** True if that text is OpenChatML or Harmony, which is shown and edited as it is. */
  readonly isTranscript: boolean
  /** That text, if it is a transcript. */
  readonly text: string | undefined
  /** How a user says that its columns are called. */
  readonly mapping?: DatasetMapping | undefined
  /** What is lost before the conversation is read. */
  readonly losses: readonly Loss[]
  /** Reads the conversation; the places of messages that are JSON take longer than all else. @throws ConversionError */
  read(hasPlaces?: boolean, branch?: string): Reading
  /** Maps an offset in the text that is read to an offset in the JSON, where the text is a string. */
  places(): ((offset: number) => number) | undefined
}

/** Reads the sample that `bytes` are. */
export function readSample(bytes: Uint8Array, options: ReadOptions): Sample {
  const json = textOfBytes(bytes)
  if (typeof json !== 'string')
    return bad(json.before, 'not-utf8', localize`This is not UTF-8`, json.before.length)
  return sampleOfText(json, options)
}

/** The sample that is `json`, or why it cannot be read. Nothing is thrown. */
export function sampleOfText(json: string, options: ReadOptions): Sample {
  if (!/\S/.test(json)) return bad('', 'missing', localize`The element is missing`)
  try {
    return parsedSample(json, parseSample(json), optionsOfForm(options))
  } catch (error) {
    if (error instanceof RangeError) return bad(json, 'not-json', localize`The sample is nested too deeply`)
    if (!(error instanceof ConversionError)) throw error
    return bad(json, 'not-json', error.message, error.offset)
  }
}

function bad(json: string, reason: BadSample['reason'], message: string, offset?: number): BadSample {
  return { kind: 'bad', json, reason, message, offset }
}

/** The sample that is not one of conversations. */
export function withoutConversation(json: string, value?: JsonValue): BadSample {
  const keys = value === undefined ? [] : likelyKeys(value).slice(0, 8)
  const named = keys.map((it) => inBackticks(shortened(it, 40))).join(', ')
  const message =
    keys.length === 0
      ? localize`Unknown form: the sample holds neither messages nor a \`text\``
      : localize`Unknown form: the sample has ${named}. Map its fields under \`datasets\` in \`.openchatml.yaml\``
  return bad(json, 'no-conversation', message, json.search(/\S|$/))
}

function parsedSample(json: string, value: JsonValue, options: ReadOptions): Sample {
  const text = options.mapping ? undefined : sampleText(value)
  // Only objects have a text.
  if (text !== undefined) return new TextSample(json, value as GoodSample['frame'] & JsonValue, text, options)
  if (typeof value !== 'object' || value === null || !mayBe(value, options))
    return withoutConversation(json, value)
  const isAsked = options.mapping !== undefined || (options.from !== undefined && options.from !== 'auto')
  if (!isAsked && !mayBeConversation(value, options)) return withoutConversation(json, value)
  return new JsonSample(json, value, options)
}

/** False for what no sample of the form that is asked for is: JSON is not a text, and a session is a list. */
function mayBe(value: JsonValue, { from = 'auto', forms }: ReadOptions): boolean {
  if (from === 'auto') return true
  const form = formOf(from, forms)
  return form.holds === 'json' && (!form.readsLines || Array.isArray(value))
}

/** True for a sample of a known form, and for one with a column for messages, which is empty or whose mistake is reported. */
function mayBeConversation(value: JsonValue, { forms }: ReadOptions): boolean {
  if (Array.isArray(value) || locatedForm(value, forms) !== undefined) return true
  if (!isObject(value)) return false
  return (
    ['messages', 'text'].some((key) => Object.hasOwn(value, key)) || sampleOf(value).emptyKey !== undefined
  )
}

/** A sample that holds its messages as JSON. */
class JsonSample implements GoodSample {
  readonly kind = 'good'
  readonly json: string
  readonly value: JsonValue
  readonly frame = undefined
  readonly isTranscript = false
  readonly text = undefined
  readonly losses: readonly Loss[] = []
  readonly #options: ReadOptions

  constructor(json: string, value: JsonValue, options: ReadOptions) {
    this.json = json
    this.value = value
    this.#options = options
  }

  get mapping(): DatasetMapping | undefined {
    return this.#options.mapping
  }

  read(hasPlaces = false, branch = this.#options.branch): Reading {
    return readJsonConversation(this.value, { ...this.#options, text: this.json, hasPlaces, branch })
  }

  places(): (offset: number) => number {
    return (offset) => offset
  }
}

/** A sample that has its conversation as one text. */
class TextSample implements GoodSample {
  readonly kind = 'good'
  readonly json: string
  readonly value: JsonValue
  readonly frame: NonNullable<GoodSample['frame']>
  readonly isTranscript: boolean
  readonly text: string | undefined
  readonly losses: readonly Loss[]
  readonly #text: HeldText
  readonly #options: ReadOptions

  constructor(
    json: string,
    value: JsonValue & NonNullable<GoodSample['frame']>,
    source: HeldText,
    { from = 'auto', dialect, isStrict, role }: ReadOptions,
  ) {
    const { text, pieces } = source
    const form = from === 'auto' ? formOfHeldText(text) : from
    this.isTranscript = form !== 'text'
    this.json = json
    this.value = value
    this.frame = pieces[0]?.parent === value ? value : withoutSegments(value)
    this.text = form === 'ocm' ? text : undefined
    this.losses = [...repeatedKeys(json, value), ...roundedNumbers(json, value)]
    this.#text = source
    this.#options = { from: form, dialect, isStrict, role }
  }

  read(): Reading {
    return readConversation(this.#text.text, this.#options)
  }

  places(): ((offset: number) => number) | undefined {
    return sampleTextPlaces(this.json, this.value, this.#text)
  }
}

function withoutSegments({ segments: _, ...others }: NonNullable<GoodSample['frame']>) {
  return others
}
