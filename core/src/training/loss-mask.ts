/** Which stretches of a rendering count in the loss (S14). */
import type { JsonObject } from '../embedded/yaml-header.ts'
import type { Range } from '../text/range.ts'
import { placeOfText } from '../text/text-place.ts'
import { hasTrainingFlags, trainingFlags } from './training-flags.ts'

/** How the trained part is found. */
export const maskModes = ['template', 'assistant', 'last', 'completion', 'all'] as const

/** One of {@link maskModes}. */
export type MaskMode = (typeof maskModes)[number]

/** A rendering, and where its messages are. */
export interface MaskedText {
  readonly text: string
  readonly messages: readonly JsonObject[]
  /** How many of them are the prompt; by default, all up to the last one that is not an answer. */
  readonly promptLength?: number | undefined
  /** What each message added; `generated` is without the words that a prompt for it ends with. */
  readonly places: readonly MessagePlace[]
  /** What `{% generation %}` wrote. */
  readonly spans: readonly Range[]
}

/** Where a message is in the rendering. UTF-16 code units. */
export interface MessagePlace extends Range {
  /** Where what a model would write begins. */
  readonly generated: number
}

/** The stretches that are trained, in order, without overlap. */
export function trainedRanges(rendering: MaskedText, mode: MaskMode): readonly Range[] {
  const { text, messages, places } = rendering
  if (!messages.some(hasTrainingFlags)) return merged(modeRanges(rendering, mode))
  const marks = new Uint8Array(text.length)
  for (const { start, end } of modeRanges(rendering, mode)) marks.fill(1, start, end)
  for (const [index, message] of messages.entries()) {
    const place = places[index]
    if (!place) continue
    const { isTrained, parts } = trainingFlags(message)
    if (isTrained === false) marks.fill(0, place.start, place.end)
    if (isTrained === true) marks.fill(1, place.generated, place.end)
    const { content } = message
    if (parts.length === 0 || typeof content !== 'string') continue
    const words = content.trim()
    // No further than what begins in its place: a message that is not there is not looked for in all that follows.
    const found = placeOfText(text.slice(place.start, place.end + words.length), words)
    const at = place.start + found
    const from = at - (content.length - content.trimStart().length)
    if (found === -1 || at >= place.end) continue
    for (const part of parts)
      marks.fill(part.isTrained ? 1 : 0, Math.max(0, from + part.start), Math.max(0, from + part.end))
  }
  return rangesOf(marks)
}

function modeRanges(rendering: MaskedText, mode: MaskMode): readonly Range[] {
  const { text, messages, promptLength, places, spans } = rendering
  switch (mode) {
    case 'template':
      return spans
    case 'assistant':
      return answersIn(rendering)
    case 'last':
      return answersIn(rendering).slice(-1)
    case 'completion': {
      const first = places[promptLength ?? messages.findLastIndex(({ role }) => role !== 'assistant') + 1]
      return first ? [{ start: first.generated, end: text.length }] : []
    }
    case 'all':
      return [{ start: 0, end: text.length }]
  }
}

function answersIn({ messages, places }: MaskedText): readonly Range[] {
  const answers: Range[] = []
  for (const [index, { role }] of messages.entries()) {
    const place = places[index]
    if (role === 'assistant' && place) answers.push({ start: place.generated, end: place.end })
  }
  return answers
}

/** The ranges in order, without overlap. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  for (const it of ranges.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (!last || last.end < it.start) result.push(it)
    else if (last.end < it.end) result[result.length - 1] = { start: last.start, end: it.end }
  }
  return result
}

function rangesOf(marks: Uint8Array): readonly Range[] {
  const ranges: Range[] = []
  for (let at = marks.indexOf(1); at !== -1; ) {
    const end = marks.indexOf(0, at)
    ranges.push({ start: at, end: end === -1 ? marks.length : end })
    at = end === -1 ? -1 : marks.indexOf(1, end)
  }
  return ranges
}
