/** Conversions from any form to any form, each with what it lost. */

import type { Conversation } from '../conversation/conversation.ts'
import { noteUnknownFields, parseJson, ShapeError } from '../conversation/json-input.ts'
import { type Places, placesIn, placesInText } from '../conversation/json-places.ts'
import { ConversionError, type Loss, LossList } from '../conversation/loss.ts'
import type { Transcript } from '../document/transcript.ts'
import { jsonOf } from '../embedded/json-layout.ts'
import { isObject } from '../embedded/json-value.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import type { Rest } from '../forms/chat/chat-tools.ts'
import { detectForm, formOfHeldText } from '../forms/detect-form.ts'
import { readLocated } from '../forms/envelope.ts'
import type { Form, Named, ReadContext, WriteChoices } from '../forms/form.ts'
import {
  formOf,
  formOfJson,
  locatedForm,
  type SourceForm,
  sourceForms,
  type TargetForm,
  textFormOf,
} from '../forms/form-registry.ts'
import { type HeldText, sampleText, textKeys } from '../forms/held-text.ts'
import { noteNumberTexts } from '../forms/json-source/number-texts.ts'
import { noteRepeatedKeys } from '../forms/json-source/repeated-keys.ts'
import { noteRoundedNumbers } from '../forms/json-source/rounded-numbers.ts'
import { transcriptOf } from '../forms/ocm.ts'
import { noteCutEntry, sessionEntries } from '../forms/samples/agent-session.ts'
import { readMapped } from '../forms/samples/mapped-sample.ts'
import { inBackticks } from '../text/in-backticks.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { shortened } from '../text/shortened.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import { requestKey } from '../vocabulary/kept-keys.ts'
import { repeatedKeys, roundedNumbers, sampleTextPlaces } from './dataset-sample.ts'
import { inOwnForm } from './own-form.ts'

/** How a source is read. `Name` is that of forms that are not built in. */
export interface ReadOptions<Name extends string = never> {
  /** By default the form is detected. */
  readonly from?: SourceForm | NoInfer<Name> | 'auto' | undefined
  /** Forms that can be read besides the built-in ones. They are recognized before those. */
  readonly forms?: readonly Named<Name>[] | undefined
  /** The dialect of a transcript; by default it is recognized. */
  readonly dialect?: DialectName | 'auto' | undefined
  /** True to refuse Harmony text that the reference would refuse. */
  readonly isStrict?: boolean | undefined
  /** Who speaks first in Harmony text that begins after its prompt; by default the assistant. */
  readonly role?: string | undefined
  /**
   * Where what a transcript can't say stays. By default the header keeps it, as far as that has room, so that a free-standing
   * conversation loses nothing. `whole`: the header keeps all of it, for a conversation that is written as JSON; `convert` reads what
   * it writes so. `source`: nothing keeps it, because the source does; that is quicker, and what is not said is not reported.
   */
  readonly rest?: Rest | undefined
  /** The branch to read of a sample that has several, by its name; by default the first one. */
  readonly branch?: string | undefined
  /** How the columns of the sample are called, where that is not for detection to find (F4). */
  readonly mapping?: DatasetMapping | undefined
  /** True to note where in the JSON each message comes from, which takes longer. */
  readonly isTraced?: boolean | undefined
}

/** How a result is written. */
export interface WriteOptions<Name extends string = never> extends WriteChoices {
  readonly to: TargetForm | NoInfer<Name>
  /** Forms that can be written besides the built-in ones; also that of the source, unless it is built in. */
  readonly forms?: readonly Named<Name>[] | undefined
  /** True for JSON on one line. */
  readonly isCompact?: boolean | undefined
}

/** A result. */
export interface Conversion<Name extends string = never> {
  readonly text: string
  /** What the result does not say although the source does. */
  readonly losses: readonly Loss[]
  /** The form that was read, as given or detected. */
  readonly from: SourceForm | Name
}

/** A conversation, read. */
export interface Reading<Name extends string = never> {
  readonly conversation: Conversation
  readonly losses: readonly Loss[]
  readonly from: SourceForm | Name
  /** The positions of things in the source, if they are known: for losses of writing. */
  readonly places?: Places | undefined
  /** Reads another branch of the same sample, for forms that hold several. */
  readonly readBranch?: (name: string) => Conversation
}

/**
 * Converts `text`. Linear; the source is never changed.
 *
 * @throws ConversionError if `text` is not of its form, or cannot be written in the other one without danger
 */
export function convert<Name extends string = never>(
  text: string,
  options: ReadOptions<Name> & WriteOptions<Name>,
): Conversion<Name> {
  const source = sourceOf(text, options)
  if (isHeld(source)) {
    const reading = readHeld(source, options)
    const { text: result, losses } = writeConversation(reading, options)
    return { text: result, losses: [...reading.losses, ...losses], from: reading.from }
  }
  const reading = { ...options, rest: options.rest ?? restFor(options) }
  const readBranch = branchReader(source, reading)
  const once = (losses: LossList) =>
    write(
      { conversation: readSource(source, reading, losses), from: source.from, readBranch },
      options,
      losses,
    )
  const { result, losses } = withPlaces(source, once)
  return { text: result, losses, from: source.from }
}

/** How what is written as `to` is read: only a transcript has a header with an end. */
export function restFor<Name extends string = never>({
  to,
  forms,
}: Pick<WriteOptions<Name>, 'to' | 'forms'>): Rest {
  return formOf(to, forms).holds === 'json' ? 'whole' : 'header'
}

/** Reads `text` as a conversation. @throws ConversionError */
export function readConversation<Name extends string = never>(
  text: string,
  options: ReadOptions<Name> = {},
): Reading<Name> {
  const source = sourceOf(text, options)
  if (isHeld(source)) return readHeld(source, options)
  const { result, losses, places } = withPlaces(source, (list) => readSource(source, options, list))
  const readBranch = branchReader(source, options)
  return { conversation: result, from: source.from, losses, readBranch, ...(places && { places }) }
}

/** How JSON that is parsed already is read. */
export interface ReadJsonOptions<Name extends string = never> extends ReadOptions<Name> {
  /** The text it was parsed from, so that errors report the place of a mistake, and duplicate keys are found. */
  readonly text?: string | undefined
  /** True to give messages and losses their places in `text`, which takes longer than reading. */
  readonly hasPlaces?: boolean | undefined
}

/** Reads JSON that is parsed already. @throws ConversionError */
export function readJsonConversation<Name extends string = never>(
  value: JsonValue,
  options: ReadJsonOptions<Name> = {},
): Reading<Name> {
  const { text, hasPlaces = false } = options
  const from = jsonFormOf(value, options)
  const losses = new LossList(text !== undefined && hasPlaces ? placesIn(text, value) : undefined)
  const conversation =
    text === undefined
      ? fromJson(value, from, options, losses)
      : readSource({ text, from, value }, options, losses)
  const readBranch = (branch: string) => fromJson(value, from, { ...options, branch }, new LossList())
  return new JsonReading(conversation, from, readBranch, losses)
}

/** What was read of JSON. Its losses are put together when someone asks for them. */
class JsonReading<Name extends string> implements Reading<Name> {
  readonly conversation: Conversation
  readonly from: SourceForm | Name
  readonly readBranch: (name: string) => Conversation
  readonly #losses: LossList

  constructor(
    conversation: Conversation,
    from: SourceForm | Name,
    readBranch: (name: string) => Conversation,
    losses: LossList,
  ) {
    this.conversation = conversation
    this.from = from
    this.readBranch = readBranch
    this.#losses = losses
  }

  get losses(): readonly Loss[] {
    return this.#losses.all
  }

  get places(): Places | undefined {
    return this.#losses.places
  }
}

/** Writes a conversation that was read; its losses are those of the writing alone. @throws ConversionError */
export function writeConversation<Name extends string = never>(
  reading: Reading<Name>,
  options: WriteOptions<Name>,
): Conversion<Name> {
  const losses = new LossList(reading.places)
  return { text: write(reading, options, losses), losses: losses.all, from: reading.from }
}

/**
 * The transcript of what {@link writeConversation} writes as `ocm`; messages end as they did, so that checking it finds those that
 * end wrong. @throws ConversionError
 */
export function transcriptOfConversation<Name extends string = never>(
  { conversation, from }: Reading<Name>,
  forms: readonly Named<Name>[] = [],
): Transcript {
  return withinLimits(() => {
    const transcript = transcriptOf(conversation, formOf(from, forms))
    transcript.requestTools = conversation.requestTools
    return transcript
  })
}

function branchReader<Name extends string>(
  source: Source<Name>,
  options: ReadOptions<Name>,
): (name: string) => Conversation {
  return (branch) => readSource(source, { ...options, branch }, new LossList())
}

/** A text to be read. */
interface Source<Name extends string> {
  readonly text: string
  readonly from: SourceForm | Name
  /** What the text was parsed as, if it is JSON. */
  readonly value?: JsonValue
  /** The text in a field of the JSON that is the conversation; undefined for JSON that holds messages. */
  readonly held?: HeldText | undefined
}

type HeldSource<Name extends string> = Required<Source<Name>> & { readonly held: HeldText }

function sourceOf<Name extends string>(
  text: string,
  { from: asked = 'auto', dialect = 'auto', forms, mapping }: ReadOptions<Name>,
): Source<Name> {
  // What is mapped is an object; other text is what it says.
  const isMapped = mapping !== undefined && /^[\s\ufeff]*\{/.test(text)
  const detected = () => {
    if (dialect !== 'auto') return textFormOf(dialect)
    return isMapped ? mappedForm(mapping) : detectForm(text, forms)
  }
  const from = asked === 'auto' ? detected() : asked
  const form = formOf(from, forms)
  if (form.holds === 'text') return { text, from }
  const lines = form.readsLines ? sessionEntries(text) : undefined
  const value = lines ?? parseJson(text)
  const isUnknown = asked === 'auto' && !isMapped && locatedForm(value, forms) === undefined
  return { text, from, value, held: isUnknown ? sampleText(value) : undefined }
}

function isHeld<Name extends string>(source: Source<Name>): source is HeldSource<Name> {
  return source.held !== undefined
}

/** Reads the text that JSON holds. Other fields are lost; places are those in the JSON. */
function readHeld<Name extends string>(
  { text: json, value, held }: HeldSource<Name>,
  options: ReadOptions<Name>,
): Reading<Name> {
  const placeOf = sampleTextPlaces(json, value, held) ?? (() => 0)
  const inJson = <Placed extends { readonly range?: Range | undefined }>(it: Placed): Placed =>
    it.range ? { ...it, range: { start: placeOf(it.range.start), end: placeOf(it.range.end) } } : it
  const others = new LossList(placesIn(json, value))
  if (isObject(value)) noteUnknownFields(value, textKeys, localize`The sample`, others)
  try {
    const from = formOfHeldText(held.text)
    const { conversation, losses } = readConversation<Name>(held.text, { ...options, from })
    return {
      from,
      conversation: { ...conversation, messages: conversation.messages.map(inJson) },
      losses: [
        ...repeatedKeys(json, value),
        ...roundedNumbers(json, value),
        ...others.all,
        ...losses.map(inJson),
      ],
    }
  } catch (error) {
    if (!(error instanceof ConversionError) || error.offset === undefined) throw error
    throw new ConversionError(error.message, placeOf(error.offset))
  }
}

function jsonFormOf<Name extends string>(
  value: JsonValue,
  { from = 'auto', forms, mapping }: ReadOptions<Name>,
): SourceForm | Name {
  if (from !== 'auto') return from
  return mapping ? mappedForm(mapping) : formOfJson(value, forms)
}

/** `options` for a sample whose mapping names no columns, but a form: that form is read. @throws ConversionError if there is none */
export function optionsOfForm<Name extends string>(options: ReadOptions<Name>): ReadOptions<Name> {
  const { from = 'auto', mapping } = options
  if (!mapping || (from === 'auto' && ownFormattings.has(mapping.formatting))) return options
  return { ...options, from: from === 'auto' ? mappedForm(mapping) : from, mapping: undefined }
}

/** The form whose name a mapped sample goes by. @throws ConversionError if there is no such form */
function mappedForm({ formatting, ranking }: DatasetMapping): SourceForm {
  if (ranking && ownFormattings.has(formatting)) return 'preference'
  if (formatting === 'openai') return 'messages'
  const form = sourceForms.find((it) => it === formatting)
  if (form) return form
  throw new ConversionError(
    localize`Unknown form \`${shortened(formatting, 80)}\`: \`formatting\` under \`datasets\` is \`alpaca\`, \`sharegpt\`, \`openai\`, or the name of a form`,
  )
}

/** The form whose name says all that `mapping` does; undefined where columns or speakers count as well. */
export function formOfMapping({ formatting }: DatasetMapping): SourceForm | undefined {
  return ownFormattings.has(formatting) ? undefined : sourceForms.find((it) => it === formatting)
}

/** The words of a mapping that are not read as the form of that name is. */
const ownFormattings: ReadonlySet<string> = new Set(['alpaca', 'sharegpt', 'openai'])

/** What `act` gives, with places of what is lost: they are looked for only where they have something to say. */
function withPlaces<Result>(
  { text, value }: Source<string>,
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

/** Reads `source`; errors say where in its text the mistake is. */
function readSource<Name extends string>(
  { text, from, value }: Source<Name>,
  options: ReadOptions<Name>,
  losses: LossList,
): Conversation {
  if (value === undefined) return fromText(text, from, options, losses)
  losses.addFirst((list) => {
    noteRepeatedKeys(text, value, list)
    noteRoundedNumbers(text, value, list)
    noteCutEntry(text, value, list)
  })
  noteNumberTexts(text, value)
  try {
    return fromJson(value, from, options, losses)
  } catch (error) {
    if (!(error instanceof ConversionError) || error.offset !== undefined) throw error
    if (!(error instanceof ShapeError)) throw new ConversionError(error.message, text.search(/[^\s\ufeff]|$/))
    const { parent, key } = error
    const place = (losses.places ?? placesIn(text, value)).of(parent, key)
    throw new ConversionError(error.message, place?.start)
  }
}

function fromText<Name extends string>(
  text: string,
  name: SourceForm | Name,
  options: ReadOptions<Name>,
  losses: LossList,
): Conversation {
  const form = formOf(name, options.forms)
  if (form.holds !== 'text' || !form.read) throw new TypeError(`The form ${form.name} is not read from text`)
  return form.read(text, contextOf(options, losses))
}

function fromJson<Name extends string>(
  value: JsonValue,
  name: SourceForm | Name,
  options: ReadOptions<Name>,
  losses: LossList,
): Conversation {
  const context = contextOf(options, losses)
  const read = (form: Form, it: JsonValue): Conversation => {
    if (form.holds === 'json' && form.read) return form.read(it, context)
    throw new TypeError(`The form ${form.name} is not read from JSON`)
  }
  const { mapping } = options
  if (mapping && ownFormattings.has(mapping.formatting) && isObject(value))
    return withinLimits(() => readMapped(value, mapping, context))
  return withinLimits(() => {
    // What is said to be of a form may be so in an envelope.
    const found = locatedForm(value, options.forms)
    if (found?.form !== name) return read(formOf(name, options.forms), value)
    return readLocated(found, (form, it) => read(formOf(form, options.forms), it), context)
  })
}

function contextOf(
  { dialect = 'auto', isStrict = false, role = 'assistant', rest = 'header', ...how }: ReadOptions<string>,
  losses: LossList,
): ReadContext {
  const { branch, isTraced } = how
  return { losses, dialect, isStrict, role, rest, branch, isTraced }
}

/** What only the depth or the size of a source can cause is its mistake, not ours. */
function withinLimits<Result>(compute: () => Result): Result {
  try {
    return compute()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConversionError(localize`The conversation is nested too deeply, or is too large`)
  }
}

function write(
  { conversation, from, readBranch }: Pick<Reading<string>, 'conversation' | 'from' | 'readBranch'>,
  options: WriteOptions<string>,
  losses: LossList,
): string {
  const { to, forms, isCompact = false } = options
  const form = formOf(to, forms)
  const { branches = [], branch = '' } = conversation
  const isWhole = form.comparesBranches === true && branches.length > 1 && readBranch !== undefined
  const context = {
    ...options,
    from: formOf(from, forms),
    losses,
    branches: isWhole ? branches.map((it) => (it === branch ? conversation : readBranch(it))) : undefined,
  }
  if (branches.length > 1 && !isWhole) {
    const named = branches.slice(0, 8).map((it) => inBackticks(shortened(it, 80)))
    losses.add(
      'branch',
      localize`Only the branch \`${shortened(branch, 80)}\` of ${named.join(', ')} is written`,
    )
  }
  return withinLimits(() => {
    if (form.holds === 'text' && form.write) return form.write(conversation, context)
    if (form.holds === 'json' && form.write) {
      const value = form.write(conversation, context)
      const beside = conversation.header?.[requestKey]
      return jsonText(inOwnForm(value, beside, { name: to, forms }, losses), isCompact)
    }
    throw new TypeError(`The form ${form.name} is not written`)
  })
}

function jsonText(value: JsonValue, isCompact: boolean): string {
  return isCompact ? JSON.stringify(value) : `${jsonOf(value)}\n`
}
