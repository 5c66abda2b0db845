/** What a model is trained on: the rendering of a sample, its tokens, and which of them count in the loss (S12 to S15). */
import type { JsonObject } from '../embedded/yaml-header.ts'
import {
  isTemplateProblem,
  type ParsedTemplate,
  renderTemplate,
  type TemplateOptions,
} from '../templates/render-template.ts'
import { TemplateBudget } from '../templates/template-budget.ts'
import type { TemplatePrefix } from '../templates/template-prefixes.ts'
import type { TemplateProblem } from '../templates/template-problem.ts'
import type { WrittenStretches } from '../templates/template-trace.ts'
import type { Range } from '../text/range.ts'
import { lastPlaceOfText, placeOfText } from '../text/text-place.ts'
import { type MaskMode, type MessagePlace, trainedRanges } from './loss-mask.ts'
import { wordsOf } from './lost-messages.ts'
import type { TemplateSample } from './template-sample.ts'
import { type PackedTokens, TokenColumns, tokenFlags } from './token-columns.ts'
import type { Tokenizer } from './tokenizer.ts'
import { trainingFlags } from './training-flags.ts'

/** How a sample is rendered for training. */
export interface TrainingOptions {
  /** By default `template` if the template has `{% generation %}`, else `assistant`. */
  readonly mask?: MaskMode | undefined
  /** Tokens beyond it are cut; of characters if there is no tokenizer. */
  readonly maxLength?: number | undefined
  /** Without one, characters are counted. */
  readonly tokenizer?: Tokenizer | undefined
  /** `bos_token`, `eos_token` and the other names that `tokenizer_config.json` gives to templates. */
  readonly names?: JsonObject | undefined
  /** What `strftime_now` writes. */
  readonly now?: Date | undefined
  /** True to find the messages in the text, whether the mask asks for that or not. */
  readonly hasPlaces?: boolean | undefined
  /** True to say which parts of the template wrote what. */
  readonly isTraced?: boolean | undefined
}

/** How much of a sample counts in the loss. */
export type TrainingCount = Pick<TrainingView, 'nTrained' | 'nTotal'>

/** A sample as a model is trained on it. */
export interface TrainingView {
  readonly text: string
  readonly mask: MaskMode
  /** `characters` if there is no tokenizer: then there are no tokens, and counts are of characters. */
  readonly unit: 'tokens' | 'characters'
  /** False if places of tokens are estimates. */
  readonly isExact: boolean
  readonly tokens: TokenColumns
  /** What counts in the loss, cut at the maximal length. */
  readonly trained: readonly Range[]
  /** Where each message of the sample is; empty if neither options, nor the mask, nor a flag ask for that. */
  readonly places: readonly MessagePlace[]
  /** Messages whose rendering differs when what follows is not there yet, by index. */
  readonly unstable: readonly number[]
  readonly nTotal: number
  readonly nTrained: number
  /** How many are beyond the maximal length. */
  readonly nCut: number
  /** Where the maximal length ends in the text. */
  readonly keptEnd: number
  /** True if something that would count in the loss is beyond it. */
  readonly isAnswerCut: boolean
  /** Which parts of the template wrote what; undefined if that was not asked for, is too much, or without a template. */
  readonly written?: WrittenStretches | undefined
}

/** A view that can be sent to another process. */
export interface PackedTrainingView extends Omit<TrainingView, 'tokens'> {
  readonly tokens: PackedTokens
}

/** `view` with its tokens as lists. */
export function packedView(view: TrainingView): PackedTrainingView {
  return { ...view, tokens: view.tokens.packed() }
}

/** The view of `sample` by a chat template, or why there is none. */
export function trainingView(
  template: ParsedTemplate,
  sample: Pick<TemplateSample, 'messages' | 'context' | 'promptLength'>,
  options: TrainingOptions = {},
): TrainingView | TemplateProblem {
  const mask = options.mask ?? (template.hasGeneration ? 'template' : 'assistant')
  const known = new WeakMap() // of the renderings of parts, if there are any
  const render = (messages: readonly JsonObject[], isPrompt: boolean, how: TemplateOptions = {}) =>
    renderTemplate(
      template,
      { ...options.names, ...sample.context, messages, add_generation_prompt: isPrompt },
      { ...(options.now && { now: options.now }), ...how },
    )
  const isNeeded = needsPlaces(mask, sample.messages)
  const hasPlaces = options.hasPlaces || isNeeded
  const whole = render(sample.messages, false, {
    isTraced: options.isTraced ?? false,
    ...(hasPlaces && {
      prefixes: {
        list: 'messages',
        flag: 'add_generation_prompt',
        isFlagged: (count) => sample.messages[count]?.role === 'assistant', // as placesOf asks for them
      },
    }),
  })
  if (isTemplateProblem(whole)) return whole
  let left = mostPartWork
  const renderPart = (count: number, isPrompt: boolean): TemplatePrefix | undefined => {
    const budget = new TemplateBudget(left)
    const { units } = budget
    const messages = sample.messages.slice(0, count)
    const part = render(messages, isPrompt, { hasSpans: false, known, budget })
    left -= units - budget.units + (whole.text.length >>> 8) // the whole text is searched for its words
    return isTemplateProblem(part) ? undefined : { shared: 0, rest: part.text }
  }
  const { places, unstable } = hasPlaces
    ? placesOf(sample.messages, whole.text, (count, isPrompt) => {
        const found = whole.prefixes?.get(count)?.[isPrompt ? 'flagged' : 'plain']
        return found ?? (left > 0 ? renderPart(count, isPrompt) : undefined)
      })
    : noPlaces
  const { messages, promptLength } = sample
  const rendering = { text: whole.text, messages, promptLength, places, spans: whole.spans }
  const view = viewOf(
    whole.text,
    trainedRanges(rendering, mask),
    { places, unstable: isNeeded ? unstable : [], mask },
    options,
  )
  return options.isTraced ? { ...view, written: whole.written } : view
}

const noPlaces = { places: [], unstable: [] } as const

/** Finding messages means rendering them again and again; a mask of the template's own needs that for flags only. */
function needsPlaces(mask: MaskMode, messages: readonly JsonObject[]): boolean {
  if (mask !== 'template' && mask !== 'all') return true
  return messages.some((it) => {
    const { isTrained, parts } = trainingFlags(it)
    return isTrained !== undefined || parts.length > 0
  })
}

/** The view of what was rendered: tokens, counts, the cut. Tokens that were cut before, as `given`, are marked in place. */
export function viewOf(
  text: string,
  trained: readonly Range[],
  { places, unstable, mask }: Pick<TrainingView, 'places' | 'unstable' | 'mask'>,
  { tokenizer, maxLength = Number.POSITIVE_INFINITY }: TrainingOptions,
  given?: TokenColumns,
): TrainingView {
  const cut = given ? { tokens: given, isExact: true } : tokenizer?.cut(text)
  if (!cut) {
    const keptEnd = Math.min(text.length, maxLength)
    const kept = cutAt(trained, keptEnd)
    const nTrained = kept.reduce((sum, { start, end }) => sum + end - start, 0)
    const nTotal = text.length
    const nCut = Math.max(0, nTotal - maxLength)
    return {
      text,
      mask,
      unit: 'characters',
      isExact: true,
      tokens: new TokenColumns(),
      trained: kept,
      places,
      unstable,
      nTotal,
      nTrained,
      nCut,
      keptEnd,
      isAnswerCut: isCutAt(trained, keptEnd),
    }
  }
  let nTrained = 0
  let nextRange = 0
  const { tokens, isExact } = cut
  const nTotal = tokens.length
  for (let index = 0; index < nTotal; index++) {
    if (index >= maxLength) {
      tokens.mark(index, tokenFlags.cut)
      continue
    }
    // A token counts if it begins in a trained stretch, as libraries decide by the offset of its first character.
    const start = tokens.startOf(index)
    while ((trained[nextRange]?.end ?? Number.POSITIVE_INFINITY) <= start) nextRange++
    if ((trained[nextRange]?.start ?? Number.POSITIVE_INFINITY) > start) continue
    tokens.mark(index, tokenFlags.trained)
    nTrained++
  }
  const nCut = Math.max(0, nTotal - maxLength)
  const keptEnd = nCut === 0 ? text.length : maxLength > 0 ? tokens.endOf(maxLength - 1) : 0
  const kept = cutAt(trained, keptEnd)
  return {
    text,
    mask,
    unit: 'tokens',
    isExact,
    tokens,
    trained: kept,
    places,
    unstable,
    nTotal,
    nTrained,
    nCut,
    keptEnd,
    isAnswerCut: isCutAt(trained, keptEnd),
  }
}

function isCutAt(trained: readonly Range[], end: number): boolean {
  return (trained.at(-1)?.end ?? 0) > end
}

function cutAt(trained: readonly Range[], length: number): readonly Range[] {
  if (!isCutAt(trained, length)) return trained
  return trained.flatMap(({ start, end }) => (start < length ? [{ start, end: Math.min(end, length) }] : []))
}

/** Work of the template, as {@link TemplateBudget} counts it, for all renderings of parts of a sample: about ten seconds. */
const mostPartWork = 40_000_000
const mostRendered = 32 << 20 // code units of prefixes; a conversation of 2,000 messages has about that many

/**
 * Where each message is, by what the template writes for the messages up to it. A message of the assistant is trained from
 * where its prompt ends.
 *
 * @param render the rendering of as many messages, with the prompt for the next one or without
 */
function placesOf(
  messages: readonly JsonObject[],
  whole: string,
  render: (count: number, isPrompt: boolean) => TemplatePrefix | undefined,
): { places: readonly MessagePlace[]; unstable: readonly number[] } {
  const places: MessagePlace[] = []
  const unstable: number[] = []
  let rendered = 0
  let start = 0
  for (const [index, message] of messages.entries()) {
    const isLast = index === messages.length - 1
    const isAnswer = message.role === 'assistant'
    const isSkipped = rendered > mostRendered
    const part = isLast
      ? { shared: whole.length, rest: '' }
      : isSkipped
        ? undefined
        : render(index + 1, false)
    const prompt = isAnswer && !isSkipped ? render(index, true) : undefined
    rendered += costOf(part, index) + costOf(prompt, index)
    // Templates may end a conversation, but what a message says has to stay as it is.
    const isChanged = isAnswer && (part === undefined || !begins(part, whole))
    if (isChanged || (prompt && !begins(prompt, whole))) unstable.push(index)
    const end = Math.max(start, part ? reachOf(part, whole, start, message) : 0)
    const before = { start: places.at(-1)?.start ?? 0, message: messages[index - 1] }
    let generated = prompt ? reachOf(prompt, whole, before.start, before.message) : start
    // Rather without its header than with what is before it.
    if (isAnswer && part && generated <= start && !(prompt && begins(prompt, whole)))
      generated = wordsFrom(whole, isSkipped ? undefined : start, message)
    places.push({ start, end, generated: Math.min(Math.max(start, generated), end) })
    start = end
  }
  return { places, unstable }
}

/**
 * How far `whole` is as the prefix, which ends with `message` or with the prompt after it. A template may write an earlier message
 * differently once others follow, such as with reasoning that it drops then: from the words of the last one on, it may be the same.
 *
 * @param start where the message begins, or earlier
 */
function reachOf(
  prefix: TemplatePrefix,
  whole: string,
  start: number,
  message: JsonObject | undefined,
): number {
  const common = commonLength(prefix, whole)
  const [words] = message === undefined || begins(prefix, whole) ? [] : wordsOf(message)
  const from = words === undefined ? -1 : lastPlaceOfText(prefix.rest, words)
  if (words === undefined || from === -1 || prefix.shared + from < common) return common
  const at = placeOfText(whole, words, Math.max(start, common))
  return at === -1
    ? common
    : Math.max(common, commonLength({ shared: at, rest: prefix.rest.slice(from) }, whole))
}

/** Where the words of `message` are, from `start` on, or the end. Without `start`, it is the last message. */
function wordsFrom(whole: string, start: number | undefined, message: JsonObject): number {
  const [words] = wordsOf(message)
  if (words === undefined) return whole.length
  const at = start === undefined ? lastPlaceOfText(whole, words) : placeOfText(whole, words, start)
  return at === -1 ? whole.length : at
}

/** What has been rendered again for it: as many messages if nothing of it was known. */
function costOf(prefix: TemplatePrefix | undefined, count: number): number {
  return (prefix?.rest.length ?? 0) + (prefix?.shared ? 0 : count)
}

/** True if `whole` begins with the prefix, but for white space at its end. */
function begins({ shared, rest }: TemplatePrefix, whole: string): boolean {
  return whole.startsWith(rest.trimEnd(), shared)
}

/** How much of the prefix `whole` begins with, without a part of a special token: `<|im_end|>` and `<|im_start|>` share no token. */
function commonLength({ shared, rest }: TemplatePrefix, whole: string): number {
  const length = Math.min(rest.length, whole.length - shared)
  const others = whole.slice(shared, shared + length)
  if (rest.slice(0, length) === others) return shared + length
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (rest.slice(low, middle) === others.slice(low, middle)) low = middle
    else high = middle - 1
  }
  const token = /<[^\s<>]{0,59}$/.exec(rest.slice(Math.max(0, low - longestToken), low))?.[0] ?? ''
  return shared + low - (/\s/.test(rest.charAt(low)) ? 0 : token.length)
}

const longestToken = 60 // code units
