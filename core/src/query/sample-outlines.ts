/**
 * Columns of samples from their outlines: samples with the same outline differ in the words of their texts only, so what columns
 * say of one of them is known of all, apart from the lengths of texts. A stand-in for them is read, with words that can be told
 * apart. Only what is certain counts: other samples are read one by one.
 */
import type { Conversation } from '../conversation/conversation.ts'
import { isObject } from '../conversation/json-input.ts'
import type { ReadOptions } from '../convert/convert.ts'
import { readSample, sampleOfText } from '../datasets/sample.ts'
import { bytesAsText } from '../datasets/sample-text.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { columnNamed } from './dataset-columns.ts'
import {
  beginsBlank,
  beginsBrace,
  endsBlank,
  JsonOutline,
  numberMark,
  textMark,
  truthMark,
} from './json-outline.ts'
import { viewOfSample } from './read-sample-view.ts'
import {
  fieldAt,
  type SampleCounts,
  type SampleProblem,
  type SampleSource,
  SampleView,
} from './sample-view.ts'

/** An outline, and what is known of its samples. */
interface Known {
  readonly bytes: Uint8Array
  /** Undefined as long as there was one such sample only, and `none` if more than outlines decides. */
  counts: OutlineCounts | 'none' | undefined
}

/** What is counted of the samples of an outline: `chars` are those that all have, besides the code units of texts. */
interface OutlineCounts extends SampleCounts {
  /** How often each text is in the bodies. */
  readonly times: readonly number[]
}

const mostBytes = 2 ** 22 // of outlines that are remembered
const enough = 1000 // samples, after which outlines must be worth looking for

/** Looks at samples of one dataset after the other. */
export class SampleOutlines {
  readonly #options: ReadOptions
  readonly #outline = new JsonOutline()
  readonly #known = new Map<number, Known[]>()
  #nBytes = 0
  #nTried = 0
  #nFound = 0

  /** @param options how the samples are read; without a mapping */
  constructor(options: ReadOptions) {
    this.#options = options
  }

  /** How many samples were known by their outline. */
  get found(): number {
    return this.#nFound
  }

  /** The sample that `bytes` are, which is at `place`; undefined if it must be read. What is not counted is read when it is asked for. */
  viewOf(bytes: Uint8Array, place: number): SampleView | undefined {
    if (this.#nTried > enough && 2 * this.#nFound < this.#nTried) return undefined
    this.#nTried++
    const outline = this.#outline
    if (!outline.read(bytes)) return undefined
    const known = this.#look()
    if (known === undefined || known === 'none') return undefined
    this.#nFound++
    const { times, messages, turns, calls, tools } = known
    let { chars } = known
    for (let nth = 0; nth < times.length; nth++) chars += (times[nth] ?? 0) * (outline.units[nth] ?? 0)
    const fields = outline.fields.slice(0, 4 * outline.nFields)
    const counts = { messages, turns, chars, calls, tools }
    return new SampleView(new OutlinedSample(place, counts, { bytes, fields, options: this.#options }))
  }

  /** What is known of the outline. */
  #look(): Known['counts'] {
    const { hash, length, bytes } = this.#outline
    const same = this.#known.get(hash)
    const found = same?.find((it) => isSame(it.bytes, bytes, length))
    if (found) {
      found.counts ??= this.#counts()
      return found.counts
    }
    if (this.#nBytes + length > mostBytes) return undefined
    this.#nBytes += length
    const known: Known = { bytes: bytes.slice(0, length), counts: undefined }
    if (same) same.push(known)
    else this.#known.set(hash, [known])
    return undefined
  }

  /** What two stand-ins tell, if they tell the same. */
  #counts(): OutlineCounts | 'none' {
    const [one, other] = standIns.map((it) => countsBy(it, this.#outline, this.#options))
    return one && other && JSON.stringify(one) === JSON.stringify(other) ? one : 'none'
  }
}

function isSame(known: Uint8Array, bytes: Uint8Array, length: number): boolean {
  if (known.length !== length) return false
  for (let at = 0; at < length; at++) if (known[at] !== bytes[at]) return false
  return true
}

/** What stands for texts, numbers, and truth values. */
interface StandIns {
  readonly number: string
  readonly truth: string
  readonly blank: string
  readonly text: (nth: number) => string
  readonly json: (nth: number) => string
}

const standIns: readonly StandIns[] = [
  { number: '1', truth: 'true', blank: ' ', text: (nth) => `q${nth}q`, json: (nth) => `{"q${nth}q":0}` },
  {
    number: '0',
    truth: 'false',
    blank: '\n',
    text: (nth) => `No, "q${nth}q"\n\nis it.`,
    json: (nth) => `{"name":"q${nth}q","arguments":{}}`,
  },
]

const standInWord = /q\d+q/

/** What is counted of the samples of the outline, by a stand-in; undefined if more than the outline decides. */
function countsBy(by: StandIns, outline: JsonOutline, options: ReadOptions): OutlineCounts | undefined {
  const { json, texts } = standIn(outline, by)
  const sample = sampleOfText(json, options)
  const view = viewOfSample(sample, 0)
  if (view.form !== 'messages' || view.branches.length > 0 || !hasTextsOnly(view.value)) return undefined
  const times = texts.map(() => 0)
  let chars = 0
  for (const { text } of view.messages.flatMap(({ content }) => content)) {
    const nth = texts.indexOf(text)
    if (nth !== -1) times[nth] = (times[nth] ?? 0) + 1
    else if (standInWord.test(text))
      return undefined // only a part of it, or several
    else chars += text.length
  }
  const count = (name: string) => Number(columnNamed(name).valueOf(view))
  const [messages, turns, calls, tools] = [count('messages'), count('turns'), count('calls'), count('tools')]
  return { messages, turns, chars, calls, tools, times }
}

/** True for a sample whose messages have one text each, or none. */
function hasTextsOnly(value: JsonValue | undefined): boolean {
  const list = fieldAt(value, 'messages')
  if (!Array.isArray(list) || list.length === 0) return false
  const messages: readonly JsonValue[] = list
  return messages.every((it) => isObject(it) && typeof (it.content ?? '') === 'string')
}

/** JSON with that outline, and the texts in it. */
function standIn({ bytes, end, sames }: JsonOutline, by: StandIns) {
  const texts: string[] = []
  let json = ''
  let from = 0
  for (let at = 0; at < end; at++) {
    const mark = bytes[at] ?? 0
    const isText = textMark <= mark && mark < 0x20
    if (!isText && mark !== numberMark && mark !== truthMark) continue
    json += bytesAsText(bytes.subarray(from, at)) ?? ''
    from = at + 1
    if (isText) {
      const nth = sames[texts.length] ?? 0
      const inner = mark & beginsBrace ? by.json(nth) : by.text(nth)
      const text = `${mark & beginsBlank ? by.blank : ''}${inner}${mark & endsBlank ? by.blank : ''}`
      texts.push(text)
      json += JSON.stringify(text)
    } else json += mark === numberMark ? by.number : by.truth
  }
  return { json: json + (bytesAsText(bytes.subarray(from, end)) ?? ''), texts }
}

/** A sample that is known by its outline. What is not counted is read when it is asked for. */
class OutlinedSample implements SampleSource {
  readonly place: number
  readonly form = 'messages'
  readonly branches: readonly string[] = none
  readonly counts: SampleCounts
  readonly #bytes: Uint8Array
  readonly #fields: readonly number[]
  readonly #options: ReadOptions
  #read: SampleView | undefined

  constructor(place: number, counts: SampleCounts, { bytes, fields, options }: OutlinedBytes) {
    this.place = place
    this.counts = counts
    this.#bytes = bytes
    this.#fields = fields
    this.#options = options
  }

  get value(): JsonValue | undefined {
    return this.#whole.value
  }

  get source(): string {
    return this.#whole.source
  }

  conversations(): readonly Conversation[] {
    return this.#whole.conversations
  }

  problems(): readonly SampleProblem[] {
    return []
  }

  tokens(): undefined {}

  trained(): undefined {}

  review(): undefined {}

  fieldAt(path: string): JsonValue | undefined {
    if (!isSimpleName.test(path)) return fieldAt(this.value, path)
    const fields = this.#fields
    for (let at = fields.length - 4; at >= 0; at -= 4) {
      if (!isTextAt(this.#bytes, path, fields[at] ?? 0, fields[at + 1])) continue
      return JSON.parse(textBetween(this.#bytes, fields[at + 2] ?? 0, fields[at + 3] ?? 0)) as JsonValue // a part of JSON
    }
    return undefined
  }

  get #whole(): SampleView {
    this.#read ??= viewOfSample(readSample(this.#bytes, this.#options), this.place)
    return this.#read
  }
}

/** The bytes of a sample, how they are read, and where its fields are in them. */
interface OutlinedBytes {
  readonly bytes: Uint8Array
  readonly fields: readonly number[]
  readonly options: ReadOptions
}

const none: readonly string[] = []
const isSimpleName = /^[\w-]+$/ // of ASCII, and no path

/** True if the bytes from `start` to before `end` are `text`, which is ASCII. */
function isTextAt(bytes: Uint8Array, text: string, start: number, end: number | undefined): boolean {
  if (end !== start + text.length) return false
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text.charCodeAt(at)) return false
  return true
}

/** The bytes from `start` to before `end`, which are valid, as text. Most values are short and of ASCII: a decoder would take longer. */
function textBetween(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number // an index
    if (byte >= 0x80 || text.length === 64) return bytesAsText(bytes.subarray(start, end)) ?? ''
    text += String.fromCharCode(byte)
  }
  return text
}
