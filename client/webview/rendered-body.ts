/**
 * The parts of a message as elements. The order is fixed: Markdown to HTML, HTML through the sanitizer, and only then the
 * page's own additions (buttons, captions, literal text), which are built element by element and never from strings.
 */

import { type StandIns, withStandIns } from '../render/literals.ts'
import { jsonHtml, laidOutJson, longestMarkdown, plainNote, toHtml } from '../render/markdown-to-html.ts'
import type { PagePart } from '../src/preview/preview-protocol.ts'
import { decorate } from './decorate.ts'
import { make } from './elements.ts'
import type { JsonDisplay } from './json-display.ts'
import { createSanitizer } from './sanitize.ts'
import { verbatim } from './verbatim.ts'

const noStandIns: StandIns = { markdown: '', literals: new Map(), pattern: undefined }

/** What is rendered: the text of a message, and whether it is code. */
export interface RenderedText {
  readonly parts: readonly PagePart[]
  readonly isJson: boolean
  /** Set for JSON that is shown as it is, whatever a reader chooses. */
  readonly isLaidOut?: true
}

/** How a page shows messages. */
export interface RenderOptions {
  /** True as long as TeX is shown as formulas; always, if absent. */
  readonly hasMath?: () => boolean
  /** How the reader wants to see JSON. Without it, JSON is laid out, and has no buttons. */
  readonly display?: JsonDisplay
}

/** Turns parts of a message into elements of one document. */
export type Render = (text: RenderedText) => DocumentFragment

/** A renderer for the document of `window`. */
export function createRender(
  window: Window & typeof globalThis,
  { hasMath = () => true, display }: RenderOptions = {},
): Render {
  const { document } = window
  const sanitize = createSanitizer(window)

  const fromStandIns = (standIns: StandIns) => {
    const fragment = sanitize(toHtml(standIns, { hasMath: hasMath() }))
    decorate(fragment, standIns)
    return fragment
  }

  const fromJson = (text: string) => {
    const laidOut = laidOutJson(text)
    const fragment = sanitize(jsonHtml(display?.isRaw ? text : (laidOut ?? text)))
    decorate(fragment, noStandIns)
    const figure = fragment.querySelector('figure')
    figure?.classList.add('json')
    figure?.querySelector('figcaption > :first-child')?.after(...(display?.buttons() ?? []))
    return fragment
  }

  return ({ parts, isJson, isLaidOut }) => {
    const text = parts.map((part) => part.text).join('')
    const fragment = document.createDocumentFragment()
    if (text.length > longestMarkdown) {
      fragment.append(make(document, 'p', 'plain-note', plainNote()), verbatim(document, text))
      return fragment
    }
    if (isJson && isLaidOut) return sanitize(jsonHtml(text))
    if (isJson) return fromJson(text)
    const standIns = withStandIns(parts)
    if (standIns) return fromStandIns(standIns)
    // More literal blocks than stand-ins: each part for itself.
    for (const part of parts) {
      const alone = part.kind === 'markdown' ? withStandIns([part]) : undefined
      fragment.append(alone ? fromStandIns(alone) : verbatim(document, part.text))
    }
    return fragment
  }
}
