/** Shows the sides of merge conflicts apart. */

import { localize } from '../render/page-texts.ts'
import type { PageSide, PageStretch } from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'
import type { Render, RenderedText } from './rendered-body.ts'

/** What a side is called, in the words of VS Code. */
export function sideText(side: PageSide): string {
  switch (side) {
    case 'current':
      return localize`Current change`
    case 'incoming':
      return localize`Incoming change`
    case 'base':
      return localize`Before both changes`
    default:
      return side satisfies never
  }
}

/** The content of a message, with a frame around each side of a conflict. */
export function renderedSides(
  document: Document,
  render: Render,
  message: RenderedText & { readonly sides?: readonly PageStretch[] | undefined },
): DocumentFragment {
  const { sides, isJson } = message
  if (!sides) return render(message)
  const fragment = document.createDocumentFragment()
  for (const stretch of sides) {
    const { side, parts, line } = stretch
    const content = parts && render({ parts, isJson })
    if (content) moveLines(content, line)
    if (side) fragment.append(frame(document, side, stretch, content))
    else if (content) fragment.append(content)
  }
  return fragment
}

/** The beginning of a hidden text: without the markers of conflicts, if it has any. */
export function plainStart(text: string, sides: readonly PageStretch[] | undefined): string {
  return (
    sides?.map(({ parts = [] }) => parts.map((it) => it.text).join('')).find((it) => it.trim() !== '') ?? text
  )
}

function frame(
  document: Document,
  side: PageSide,
  { parts, line }: PageStretch,
  content: DocumentFragment | undefined,
): HTMLElement {
  const label = sideText(side)
  const element = make(
    document,
    'div',
    { class: `conflict ${side}`, role: 'group', 'data-line': line, 'aria-label': label },
    make(document, 'p', 'conflict-side', label),
  )
  const isEmpty = parts?.every(({ text }) => text.trim() === '')
  if (content && !isEmpty) element.append(content)
  else {
    const note = isEmpty
      ? localize`No text`
      : localize`The preview can't show this change alone. See the source.`
    element.append(make(document, 'p', 'conflict-note', note))
  }
  return element
}

/** Blocks count lines from the start of their stretch; the page counts them from the start of the message. */
function moveLines(content: DocumentFragment, by: number): void {
  for (const block of content.querySelectorAll<HTMLElement>('[data-line]'))
    block.dataset.line = String(Number(block.dataset.line) + by)
}
