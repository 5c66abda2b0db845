/** What a sample becomes when its transcript was edited: the same JSON but for what the edit changed. */
import {
  ConversionError,
  type JsonValue,
  type Loss,
  localize,
  type Reading,
  readConversation,
  writeConversation,
} from '../../../core/src/index.ts'
import { isEqual, mergedJson } from './merge-json.ts'
import type { GoodSample } from './sample.ts'

/** JSON to be written, and what it does not say although the transcript does. */
export interface SavedSample {
  readonly json: string
  readonly losses: readonly Loss[]
}

/** The JSON of `sample` whose transcript is `edited` now. @throws ConversionError if it cannot be written in the form of the sample */
export function savedSample(sample: GoodSample, edited: string): SavedSample {
  const text = restored(sample.text, edited)
  if (text === sample.text) return { json: sample.json, losses: [] }
  try {
    return sample.form === 'text' ? withText(sample, text) : withConversation(sample, sample.form, text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConversionError(localize`The sample is nested too deep`)
  }
}

function withText({ json, value, text: before }: GoodSample, text: string): SavedSample {
  const next = { ...(value as object), text } as JsonValue // a sample with a text is an object
  const isMended = loneSurrogate.test(before) && !loneSurrogate.test(text)
  const losses: readonly Loss[] = isMended
    ? [{ kind: 'lone-surrogate', message: localize`Lone surrogates in what was edited became U+FFFD` }]
    : []
  return { json: mergedJson(json, value, next), losses }
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/**
 * What the form of the sample says for the transcript before and after tells what the edit changed. What the header keeps of
 * the sample itself is left out of both, because it stands in the sample already; where that would say something else, it is
 * not left out, and at last the whole sample is written anew.
 */
function withConversation(
  { json, value, text: before }: GoodSample,
  form: Exclude<GoodSample['form'], 'text'>,
  text: string,
): SavedSample {
  const old = readConversation(before, { from: 'ocm' })
  const now = readConversation(text, { from: 'ocm' })
  const shaped = (reading: Reading) =>
    inShapeOf(value, JSON.parse(writeConversation(reading, { to: form, isCompact: true }).text))
  const isKeptAlike = keptKeys.every((key) =>
    isEqual(old.conversation.header?.[key], now.conversation.header?.[key]),
  )
  const { text: written, losses } = writeConversation(now, { to: form, isCompact: true })
  const next = inShapeOf(value, JSON.parse(written))
  const all = [...now.losses, ...losses]
  const base = shaped(old)
  if (isEqual(base, next)) return { json, losses: all }
  const whole = JSON.stringify(next)
  const meaning = meaningOf(whole, form)
  const pairs = [
    ...(isKeptAlike ? [[shaped(withoutKept(old)), shaped(withoutKept(now))] as const] : []),
    [base, next] as const,
  ]
  for (const [from, to] of pairs) {
    const merged = mergedJson(json, from, to)
    if (meaningOf(merged, form) === meaning) return { json: merged, losses: all }
  }
  return { json: whole, losses: all }
}

const keptKeys = ['chat_request', 'chat_messages']

function withoutKept({ conversation, ...reading }: Reading): Reading {
  const { headerText: _, header, ...rest } = conversation
  const kept = Object.entries(header ?? {}).filter(([key]) => !keptKeys.includes(key))
  return { ...reading, conversation: { ...rest, header: Object.fromEntries(kept) } }
}

/** What the messages of a sample say, whatever else it has. */
function meaningOf(json: string, form: Exclude<GoodSample['form'], 'text'>): string {
  const { messages } = readConversation(json, { from: form }).conversation
  return JSON.stringify(messages.map(({ range: _, ...message }) => message))
}

/** Messages stay a list where the sample is one. */
function inShapeOf(value: JsonValue, conversion: JsonValue): JsonValue {
  if (!Array.isArray(value) || typeof conversion !== 'object' || conversion === null) return conversion
  const { messages, input } = conversion as Readonly<Record<string, JsonValue>>
  return messages ?? input ?? conversion
}

/**
 * `edited` with what an editor does not keep of `before`: line breaks of several kinds, and lone surrogates. Lines at the start
 * and the end that did not change are as they were.
 */
export function restored(before: string, edited: string): string {
  const old = linesOf(before)
  const now = linesOf(edited)
  const lineBreak = old.find(({ end }) => end !== '')?.end ?? '\n'
  const isSame = (one: Line | undefined, other: Line | undefined) =>
    one !== undefined &&
    other !== undefined &&
    (one.end === '') === (other.end === '') &&
    wellFormed(one.text) === other.text
  const shorter = Math.min(old.length, now.length)
  let first = 0
  while (first < shorter && isSame(old[first], now[first])) first++
  let same = 0
  while (same < shorter - first && isSame(old.at(-1 - same), now.at(-1 - same))) same++
  const middle = now
    .slice(first, now.length - same)
    .map(({ text, end }) => text + (end === '' ? '' : lineBreak))
  const joined = (lines: readonly Line[]) => lines.map(({ text, end }) => text + end).join('')
  return joined(old.slice(0, first)) + middle.join('') + joined(old.slice(old.length - same))
}

interface Line {
  readonly text: string
  readonly end: string
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = []
  let from = 0
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ text: text.slice(from, index), end })
    from = index + end.length
  }
  lines.push({ text: text.slice(from), end: '' })
  return lines
}

function wellFormed(text: string): string {
  return loneSurrogate.test(text) ? text.replaceAll(new RegExp(loneSurrogate, 'g'), '\ufffd') : text
}
