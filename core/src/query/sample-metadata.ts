/** What a sample says besides its conversation, for people (F1): never a text that may be part of it. */
import { flaggedObject } from '../conversation/json-input.ts'
import { hiddenReasonOf } from '../conversation/message-visibility.ts'
import { readConversation, readJsonConversation } from '../convert/convert.ts'
import type { TranscriptSample } from '../datasets/editable-sample.ts'
import { isObject } from '../embedded/json-value.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { Document } from '../rules/document.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { isSideField, isSideValue } from './dataset-columns.ts'

/** A field, and its value as text. */
export interface SideField {
  /** A dotted path. */
  readonly name: string
  readonly value: string
}

/** What is shown of a sample and its messages. */
export interface SampleMetadata {
  readonly fields: readonly SideField[]
  /** The training flags of each message that users see, as written: `weight: 0`; none at all if there are none. */
  readonly flags: readonly (readonly string[])[]
  /** The same of each message of the sample's transcript, also of those that users do not see. */
  readonly allFlags: readonly (readonly string[])[]
}

/** Flags of messages that say what counts in training (F1). */
const messageFlags = [
  'weight',
  'train',
  'train_on_turn',
  'train_detail',
  'loss',
  'loss_mask',
  'loss_weight',
  'loss_scale',
] as const

/** Flags of samples. */
const sampleFlags: readonly string[] = ['label', 'labels', 'kto_tag']

const mostFields = 40
const longestValue = 80 // UTF-16 code units: what is longer may be text of a conversation

/** The metadata of `sample`. */
export function sampleMetadata(sample: TranscriptSample): SampleMetadata {
  const { value } = sample
  const fields = isObject(value) ? [...fieldsOf(value, '', sample.mapping)].slice(0, mostFields) : []
  return { fields, ...flagsOf(sample) }
}

function* fieldsOf(
  object: Readonly<Record<string, JsonValue>>,
  path: string,
  mapping: DatasetMapping | undefined,
): IterableIterator<SideField> {
  for (const [key, value] of Object.entries(object)) {
    const name = `${path}${key}`
    if (name.length > longestValue || !isSideField(name, mapping) || !isSideValue(value)) continue
    const text = shownValue(value, sampleFlags.includes(name))
    if (text !== undefined) yield { name, value: text }
    else if (path === '' && isObject(value)) yield* fieldsOf(value, `${key}.`, mapping)
  }
}

/** A number, a truth value, or a short text on one line; of a flag, also a list of them. */
function shownValue(value: JsonValue, isFlag: boolean): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string')
    return value !== '' && value.length <= longestValue && !/[\r\n]/.test(value) ? value : undefined
  if (!isFlag || !Array.isArray(value)) return undefined
  const items = value.map((it: JsonValue) => shownValue(it, false))
  const text = items.join(', ')
  return items.includes(undefined) || text === '' || text.length > longestValue ? undefined : text
}

function flagsOf({
  value,
  form,
  branch,
  mapping,
  text,
}: TranscriptSample): Pick<SampleMetadata, 'flags' | 'allFlags'> {
  if (form === 'text') return { flags: [], allFlags: [] }
  const options = { from: form, rest: 'source', branch, mapping, isTraced: true } as const
  const { messages } = readJsonConversation(value, options).conversation
  const all = messages.map(({ origin }) => {
    const item = origin && flaggedObject(origin)
    return item ? messageFlagTexts(item) : []
  })
  if (all.every((it) => it.length === 0)) return { flags: [], allFlags: [] }
  const flags = all.filter((_, index) => messages[index] && hiddenReasonOf(messages[index]) === undefined)
  return { flags, allFlags: inTranscript(text, all) }
}

/** `flags`, with nothing for the message that has the tools, which is none of the sample's; empty if the messages are others. */
function inTranscript(text: string, flags: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const { messages } = readConversation(text, { from: 'ocm' }).conversation
  if (messages.length !== flags.length) return []
  const byStart = new Map(messages.map(({ range }, index) => [range?.start, flags[index] ?? []]))
  const { analysis } = new Document(text)
  return [...analysis.transcript.segments()].flatMap(({ segment, start }) =>
    segment.kind === 'message' ? [byStart.get(start) ?? []] : [],
  )
}

/** What a message of a sample says of training, as written. */
export function messageFlagTexts(item: Readonly<Record<string, JsonValue>>): readonly string[] {
  return messageFlags.flatMap((it) => flagText(it, item[it]))
}

function flagText(name: string, value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [`${name}: ${value}`]
  return Array.isArray(value) && value.length > 0 ? [name] : []
}
