/** Conversions from any form to any form, each with what it lost. */

import { Transcript } from '../document/transcript.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { applyEdits } from '../rules/apply-fix.ts'
import { analyze } from '../semantics/analysis.ts'
import { localize } from '../text/localize.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import { type Conversation, withCallIds } from './conversation.ts'
import { detectForm, formOfJson, type SourceForm, type TargetForm } from './detect-form.ts'
import { fromHarmonyText, toHarmonyText } from './harmony-form.ts'
import { fromHarmonyJson, toHarmonyJson } from './harmony-json.ts'
import type { RenderPurpose } from './harmony-message.ts'
import type { HeaderStyle } from './header-style.ts'
import { fromJsonForm, toJsonForm } from './json-form.ts'
import { parseJson, ShapeError } from './json-input.ts'
import { type Places, placesIn, placesInText } from './json-places.ts'
import { ConversionError, type Loss, LossList } from './loss.ts'
import { toMarkdown } from './markdown-form.ts'
import { fromMessages } from './read-messages.ts'
import { readTranscript } from './read-ocm.ts'
import { noteRepeatedKeys } from './repeated-keys.ts'
import { fromResponses, toResponses } from './responses-form.ts'
import { withRightEndings } from './right-endings.ts'
import { noteRoundedNumbers } from './rounded-numbers.ts'
import { spelled } from './spelling.ts'
import { conversionEdits, type TranscriptConversion } from './transcript-conversions.ts'
import { toMessages } from './write-messages.ts'
import { writeOcm, writeOcmUnits, writeTranscript } from './write-ocm.ts'

/** How a source is read. */
export interface ReadOptions {
  /** By default the form is detected. */
  readonly from?: SourceForm | 'auto' | undefined
  /** The dialect of a transcript; by default it is recognised. */
  readonly dialect?: DialectName | 'auto' | undefined
  /** True to refuse Harmony text that the reference would refuse. */
  readonly isStrict?: boolean | undefined
}

/** How a result is written. */
export interface WriteOptions {
  readonly to: TargetForm
  /**
   * What the result is for; by default nothing is changed. Harmony text loses what the reference drops, and ends as that
   * purpose needs; OpenChatML ends so, and its header says what it is for.
   */
  readonly purpose?: RenderPurpose | undefined
  /** For OpenChatML: true to leave out the reasoning of turns that have come to an answer. */
  readonly dropsReasoning?: boolean | undefined
  /** For OpenChatML: how headers of messages are written; by default in the canonical way. */
  readonly headers?: HeaderStyle | undefined
  /** True for JSON on one line. */
  readonly isCompact?: boolean | undefined
}

/** A result. */
export interface Conversion {
  readonly text: string
  /** What the result does not say although the source does. */
  readonly losses: readonly Loss[]
  /** The form that was read, as given or detected. */
  readonly from: SourceForm
}

/** A conversation, read. */
export interface Reading {
  readonly conversation: Conversation
  readonly losses: readonly Loss[]
  readonly from: SourceForm
  /** Where things stand in the source, if that is known: for what is lost in writing. */
  readonly places?: Places
}

/**
 * Converts `text`. Linear; the source is never changed.
 *
 * @throws ConversionError if `text` is not of its form, or cannot be written in the other one without danger
 */
export function convert(text: string, options: ReadOptions & WriteOptions): Conversion {
  const source = sourceOf(text, options)
  const once = (losses: LossList) => write(readSource(source, options, losses), source.from, options, losses)
  const { result, losses } = withPlaces(source, once)
  return { text: result, losses, from: source.from }
}

/** As {@link convert}, for JSON that is parsed already. @throws ConversionError */
export function convertJson(value: JsonValue, options: ReadOptions & WriteOptions): Conversion {
  const losses = new LossList()
  const from = options.from === undefined || options.from === 'auto' ? formOfJson(value) : options.from
  const conversation = fromJson(value, from, losses)
  return { text: write(conversation, from, options, losses), losses: losses.all, from }
}

/** Reads `text` as a conversation. @throws ConversionError */
export function readConversation(text: string, options: ReadOptions = {}): Reading {
  const source = sourceOf(text, options)
  const { result, losses, places } = withPlaces(source, (list) => readSource(source, options, list))
  return { conversation: result, from: source.from, losses, ...(places && { places }) }
}

/** How JSON that is parsed already is read. */
export interface ReadJsonOptions extends ReadOptions {
  /** The text it was parsed from, so that errors can tell the place of a mistake, and keys that stand twice are found. */
  readonly text?: string | undefined
  /** True to give messages and losses their places in `text`, which takes longer than reading. */
  readonly hasPlaces?: boolean | undefined
}

/** Reads JSON that is parsed already. @throws ConversionError */
export function readJsonConversation(value: JsonValue, options: ReadJsonOptions = {}): Reading {
  const { text, hasPlaces = false } = options
  const from = options.from === undefined || options.from === 'auto' ? formOfJson(value) : options.from
  const losses = new LossList(text !== undefined && hasPlaces ? placesIn(text, value) : undefined)
  const conversation =
    text === undefined ? fromJson(value, from, losses) : readSource({ text, from, value }, options, losses)
  const { places } = losses
  return { conversation, from, losses: losses.all, ...(places && { places }) }
}

/** Writes a conversation that was read; its losses are those of the writing alone. @throws ConversionError */
export function writeConversation(
  { conversation, from, places }: Reading,
  options: WriteOptions,
): Conversion {
  const losses = new LossList(places)
  return { text: write(conversation, from, options, losses), losses: losses.all, from }
}

/**
 * The transcript of what {@link writeConversation} writes as `ocm`, in less time; messages end as they did, so that checking it
 * finds those that end wrong. @throws ConversionError */
export function transcriptOfConversation({ conversation, from }: Reading): Transcript {
  return withinLimits(() => writeTranscript(from === 'json' ? conversation : identified(conversation)))
}

/** A text to be read. */
interface Source {
  readonly text: string
  readonly from: SourceForm
  /** What the text was parsed as, if it is JSON. */
  readonly value?: JsonValue
}

function sourceOf(text: string, { from: asked = 'auto', dialect = 'auto' }: ReadOptions): Source {
  const forced = asked === 'auto' && dialect !== 'auto' ? (dialect === 'harmony' ? 'harmony' : 'ocm') : asked
  const from = forced === 'auto' ? detectForm(text) : forced
  return from === 'ocm' || from === 'harmony' ? { text, from } : { text, from, value: parseJson(text) }
}

/** What `act` gives, with places of what is lost: they are looked for only where they have something to say. */
function withPlaces<Result>(
  { text, value }: Source,
  act: (losses: LossList) => Result,
): { readonly result: Result; readonly losses: readonly Loss[]; readonly places?: Places } {
  if (value === undefined) {
    const places = placesInText(text)
    const losses = new LossList(places)
    return { result: act(losses), losses: losses.all, places }
  }
  const unplaced = new LossList()
  try {
    const result = act(unplaced)
    if (unplaced.isEmpty) return { result, losses: unplaced.all }
  } catch (error) {
    if (!(error instanceof ConversionError) || error.offset !== undefined) throw error
  }
  const places = placesIn(text, value)
  const losses = new LossList(places)
  return { result: act(losses), losses: losses.all, places }
}

/** Reads `source`; errors tell where in its text the mistake is. */
function readSource(
  { text, from, value }: Source,
  { dialect = 'auto', isStrict = false }: ReadOptions,
  losses: LossList,
): Conversation {
  if (value === undefined)
    return from === 'harmony'
      ? fromHarmonyText(text, isStrict, losses)
      : readTranscript(Transcript.parse(text, { dialect }), losses)
  noteRepeatedKeys(text, value, losses)
  noteRoundedNumbers(text, value, losses)
  try {
    return fromJson(value, from, losses)
  } catch (error) {
    if (!(error instanceof ConversionError) || error.offset !== undefined) throw error
    if (!(error instanceof ShapeError)) throw new ConversionError(error.message, text.search(/[^\s\ufeff]|$/))
    const { parent, key } = error
    const place = (losses.places ?? placesIn(text, value)).of(parent, key)
    throw new ConversionError(error.message, place?.start)
  }
}

function fromJson(value: JsonValue, from: SourceForm, losses: LossList): Conversation {
  return withinLimits(() => formFromJson(value, from, losses))
}

/** What only the depth or the size of a source can cause is its mistake, not ours. */
function withinLimits<Result>(compute: () => Result): Result {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConversionError(localize`The conversation is nested too deep, or too large`)
  }
}

function formFromJson(value: JsonValue, from: SourceForm, losses: LossList): Conversation {
  switch (from) {
    case 'json':
      return fromJsonForm(value, losses)
    case 'harmony-json':
      return fromHarmonyJson(value, losses)
    case 'responses':
      return fromResponses(value, losses)
    default:
      return fromMessages(value, losses)
  }
}

function write(
  conversation: Conversation,
  from: SourceForm,
  options: WriteOptions,
  losses: LossList,
): string {
  return withinLimits(() => writtenForm(conversation, from, options, losses))
}

function writtenForm(
  conversation: Conversation,
  from: SourceForm,
  { to, purpose, dropsReasoning, headers, isCompact = false }: WriteOptions,
  losses: LossList,
): string {
  switch (to) {
    case 'ocm':
      // JSON says everything a transcript can say, and is given back as it is (D23).
      return ocmFor(writeOcm(from === 'json' ? conversation : canonical(conversation, losses), losses), {
        purpose,
        dropsReasoning,
        headers,
      })
    case 'harmony':
      return toHarmonyText(conversation, { purpose }, losses)
    case 'markdown': {
      const text = writeOcmUnits(conversation, new LossList())
      return toMarkdown(analyze(Transcript.parse(text)), losses)
    }
    case 'json':
      return jsonText(toJsonForm(conversation), isCompact)
    case 'harmony-json':
      return jsonText(toHarmonyJson(conversation, losses), isCompact)
    case 'responses':
      return jsonText(toResponses(conversation, losses), isCompact)
    case 'messages':
      return jsonText(toMessages(conversation, losses), isCompact)
    default:
      throw new TypeError(`There is no form ${to satisfies never}`)
  }
}

/** `text` as its purpose asks for; a text for completion ends with the beginning of the next message. */
function ocmFor(
  text: string,
  { purpose, dropsReasoning, headers }: Pick<WriteOptions, 'purpose' | 'dropsReasoning' | 'headers'>,
): string {
  let result = text
  const conversions: readonly TranscriptConversion[] = [
    ...(purpose === undefined ? [] : [purpose === 'training' ? ('training' as const) : ('history' as const)]),
    ...(dropsReasoning ? ['drop-reasoning' as const] : []),
    ...(headers === 'harmony' ? ['harmony-headers' as const] : []),
  ]
  for (const name of conversions) {
    result = applyEdits(result, [...conversionEdits(analyze(Transcript.parse(result)), name)])
  }
  return purpose === 'completion' ? `${result}${spelled.start}assistant` : result
}

function canonical(conversation: Conversation, losses: LossList): Conversation {
  return withRightEndings(identified(conversation), losses)
}

function identified(conversation: Conversation): Conversation {
  return { ...conversation, messages: withCallIds(conversation.messages) }
}

function jsonText(value: JsonValue, isCompact: boolean): string {
  return isCompact ? JSON.stringify(value) : `${JSON.stringify(value, undefined, 2)}\n`
}
