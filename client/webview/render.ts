/**
 * The parts of a message as elements. The order is fixed: Markdown to HTML, HTML through the sanitizer, and only then the
 * page's own additions (buttons, captions, literal text), which are built element by element and never from strings.
 */

import { type StandIns, withStandIns } from '../render/literals.ts'
import { toHtml } from '../render/markdown.ts'
import type { PagePart } from '../src/preview/protocol.ts'
import { decorate } from './decorate.ts'
import { createSanitizer } from './sanitize.ts'
import { verbatim } from './verbatim.ts'

/** Longer text is shown as it stands: reading it as Markdown would hold up the page (UTF-16 code units). */
const longestMarkdown = 100_000

/** Turns parts of a message into elements of one document. */
export type Render = (parts: readonly PagePart[]) => DocumentFragment

/** A renderer for the document of `window`. */
export function createRender(window: Window & typeof globalThis): Render {
  const { document } = window
  const sanitize = createSanitizer(window)

  const fromStandIns = (standIns: StandIns) => {
    const fragment = sanitize(toHtml(standIns))
    decorate(fragment, standIns)
    return fragment
  }

  return (parts) => {
    const length = parts.reduce((sum, part) => sum + part.text.length, 0)
    const fragment = document.createDocumentFragment()
    if (length > longestMarkdown) {
      fragment.append(verbatim(document, parts.map((part) => part.text).join('')))
      return fragment
    }
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
