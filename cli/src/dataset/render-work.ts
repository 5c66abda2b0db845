/** Renders the samples of a dataset: as lines with a text, or one below the other for people. */
import {
  analyze,
  type DialectName,
  type RenderPurpose,
  textLine,
  writeConversation,
} from '../../../core/src/internal.ts'
import { conversationItems, conversationText } from '../conversation-text.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { styleOf } from '../terminal/colour.ts'
import { lineStart } from '../terminal/displayable.ts'
import { type SampleResults, type SampleSetup, type ShownStretch, sampleWork } from './sample-results.ts'
import { transcriptOf } from './sample-transcript.ts'

/** How samples are rendered. */
export interface RenderSetup extends SampleSetup {
  /** The conversation as its end user sees it, or the prompt for that purpose. */
  readonly as:
    | { readonly kind: 'conversation' }
    | { readonly kind: 'prompt'; readonly purpose: RenderPurpose }
  readonly format: 'text' | 'markdown' | 'html'
  readonly isDebug: boolean
  /** Set if people read the output, which is then not JSONL; says whether it is colored. */
  readonly forPeople: { readonly isColoured: boolean } | undefined
  readonly dialect: DialectName | 'auto'
}

/** A stretch becomes lines. */
export type RenderWork = Work<RenderSetup, ShownStretch, SampleResults>

/** Renders stretches. */
export async function startRenderWork(setup: RenderSetup): Promise<Doing<RenderWork>> {
  const { as, format, isDebug, forPeople } = setup
  const style = styleOf(forPeople?.isColoured ?? false)
  const document = format === 'text' ? undefined : await documentIn(format)
  const told = as.kind === 'prompt' ? 'all' : 'of-json'
  return sampleWork(setup, told, ({ sample }, where, collector) => {
    if (as.kind === 'prompt') {
      const prompt = writeConversation(collector.read(), { to: 'harmony', purpose: as.purpose })
      collector.lose(prompt.losses)
      collector.print(`${textLine(prompt.text, sample.frame)}\n`)
      return
    }
    const analysis = analyze(transcriptOf(sample, collector, setup.dialect).transcript)
    const pieces = document
      ? document(conversationItems(analysis, { hidden: isDebug }), { title: where, isDebug })
      : conversationText(analysis, style, { hidden: isDebug })
    const text = [...pieces].join('')
    if (forPeople && !document) collector.print(`${style.strong(lineStart(where))}\n\n${text}\n`)
    else collector.print(`${textLine(text, sample.frame)}\n`)
  })
}

/** How a conversation is written as a file. Loaded when it is asked for: it brings a Markdown renderer and the colours of many languages. */
export async function documentIn(format: 'markdown' | 'html') {
  if (format === 'markdown') {
    return (await import('../../../client/render/markdown-document.ts')).markdownDocument
  }
  return (await import('../../../client/render/html-document.ts')).htmlDocument
}
