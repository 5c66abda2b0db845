/** A filled prompt as people look at it: the text for a target, where its pieces come from, and what has to be counted. */
import { ConversionError, type Loss } from '../conversation/loss.ts'
import { Transcript } from '../document/transcript.ts'
import { formOf } from '../forms/form-registry.ts'
import { analyze } from '../semantics/analysis.ts'
import { localize } from '../text/localize.ts'
import type { FilledPrompt, FilledSpan } from './fill-prompt.ts'
import { type PromptItem, promptOutline } from './prompt-outline.ts'
import { type PromptTarget, type TargetOptions, targetSpans, targetText } from './prompt-target.ts'
import { tracedRanges } from './traced-ranges.ts'

/** The view of a prompt. */
export interface PromptView {
  /** What the target gets, or why it gets nothing. */
  readonly text: string
  /** True if the target gets nothing. */
  readonly isRefused: boolean
  /** Pieces that inputs and parts wrote, in `text`. */
  readonly spans: readonly FilledSpan[]
  /** Messages, sections, and tools, as far as they can be found in `text`. */
  readonly items: readonly PromptItem[]
  /** What is counted for the size of the whole. */
  readonly counted: Pick<PromptItem, 'specials' | 'texts'>
  /** What the target cannot express. */
  readonly losses: readonly Loss[]
}

/** The view of `filled` for `target`. Never throws. */
export function promptView(filled: FilledPrompt, target: PromptTarget, options: TargetOptions): PromptView {
  const { problems } = filled
  if (problems.length > 0) {
    const lines = problems.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`))
    return refusal(unfilledText(lines))
  }
  try {
    const { text, losses } = targetText(filled.text, target, options)
    const spans = targetSpans(filled, text, target, options)
    const items = itemsIn(filled, text, target, options)
    const isText = target === 'chat-template'
    const counted = isText ? { specials: 0, texts: [text] } : sumOf(filled, options)
    return { text, isRefused: false, spans, items, counted, losses }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return refusal(`${error.message}\n`)
  }
}

/** Says that a prompt cannot be filled, and why, a line for each reason. */
export function unfilledText(reasons: readonly string[]): string {
  return `${[localize`This prompt cannot be filled:`, ...reasons].join('\n')}\n`
}

/** The language of the text for `target` in an editor, by its identifier. */
export function targetLanguage(target: PromptTarget): string {
  if (target === 'next-prompt') return formOf('harmony').language
  return target === 'chat-template' ? 'plaintext' : formOf(target).language
}

function refusal(text: string): PromptView {
  return { text, isRefused: true, spans: [], items: [], counted: { specials: 0, texts: [] }, losses: [] }
}

function sumOf({ text }: FilledPrompt, { dialect = 'auto' }: TargetOptions): PromptView['counted'] {
  const messages = promptOutline(analyze(Transcript.parse(text, { dialect }))).filter(
    ({ kind }) => kind === 'message',
  )
  return {
    specials: messages.reduce((sum, it) => sum + it.specials, 0),
    texts: messages.flatMap((it) => it.texts),
  }
}

function itemsIn(
  { text }: FilledPrompt,
  written: string,
  target: PromptTarget,
  options: TargetOptions,
): readonly PromptItem[] {
  if (targetLanguage(target) === formOf('ocm').language)
    return promptOutline(analyze(Transcript.parse(written)))
  const { dialect = 'auto' } = options
  const items = promptOutline(analyze(Transcript.parse(text, { dialect })))
  // One character of each is enough: items that a part begins and the prompt continues overlap with its piece.
  const places = items.map(({ start }) => ({
    start,
    end: start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1),
  }))
  const ordered = [...places.keys()].sort(
    (one, other) => (places[one]?.start ?? 0) - (places[other]?.start ?? 0),
  )
  const traced = tracedRanges(
    { text, written },
    ordered.flatMap((index) => places[index] ?? []),
    (it) => targetText(it, target, options).text,
  )
  const seen = new Set<PromptItem>()
  return traced.flatMap(({ index, range }) => {
    const item = items[ordered[index] ?? -1]
    if (!item || seen.has(item)) return []
    seen.add(item)
    return [{ ...item, range, start: range.start }]
  })
}
