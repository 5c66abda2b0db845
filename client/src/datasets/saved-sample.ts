/** What a sample becomes when its transcript was edited: the same JSON but for what the edit changed. */
import { ConversionError, convert, type JsonValue, type Loss, localize } from '../../../core/src/index.ts'
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

/** What the form of the sample says for the transcript before and after tells what the edit changed. */
function withConversation(
  { json, value, text: before }: GoodSample,
  form: Exclude<GoodSample['form'], 'text'>,
  text: string,
): SavedSample {
  const { text: written, losses } = convert(text, { from: 'ocm', to: form, isCompact: true })
  const base = inShapeOf(value, JSON.parse(convert(before, { from: 'ocm', to: form, isCompact: true }).text))
  const next = inShapeOf(value, JSON.parse(written))
  if (isEqual(base, next)) return { json, losses }
  const merged = mergedJson(json, base, next)
  // Should the sample have meant something that neither has, the whole of it is written anew.
  const whole = JSON.stringify(next)
  const says = (it: string) => convert(it, { from: form, to: 'ocm' }).text
  return { json: says(merged) === says(whole) ? merged : whole, losses }
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
