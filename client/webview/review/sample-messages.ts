/** The messages of a sample as in the preview, each with its problems and notes; the branches of a pair side by side. */

import { localize } from '../../render/page-texts.ts'
import type { EverythingMessage, PageMessage } from '../../src/preview/preview-protocol.ts'
import type {
  ReviewBranch,
  ReviewEverything,
  ReviewMessage,
  ReviewProblem,
  ReviewSample,
} from '../../src/review/review-protocol.ts'
import { make } from '../elements.ts'
import { Folds } from '../folds.ts'
import { HiddenView } from '../hidden-view.ts'
import { MessageView } from '../message-element.ts'
import { numberText } from '../number-text.ts'
import type { Render } from '../rendered-body.ts'
import { ToolCard } from '../tool-card-view.ts'
import type { View } from '../view.ts'

type Shown = PageMessage | EverythingMessage

/** A message on the page, and what a note about it needs. */
export interface PlacedMessage {
  readonly view: View
  /** The article with its problems and notes. */
  readonly element: HTMLElement
  readonly index: number
  readonly branch: string | undefined
  /** The reviewer's own note; empty without one. */
  readonly note: string
}

/** A sample on the page. */
export interface SampleElements {
  readonly elements: readonly HTMLElement[]
  readonly messages: readonly PlacedMessage[]
  /** The branches as they are shown, from the left. */
  readonly sides: readonly { readonly name: string; readonly bodies: readonly HTMLElement[] }[]
}

/** Makes the elements of `sample`; with `isSwapped`, the second branch is on the left. */
export function sampleElements(
  document: Document,
  render: Render,
  sample: ReviewSample | ReviewEverything,
  isSwapped: boolean,
): SampleElements {
  const messages: PlacedMessage[] = []
  const add = (it: ReviewMessage<Shown>, branch?: string) => {
    const placed = messageElement(document, render, it, branch)
    messages.push(placed)
    return placed
  }
  const first = (sample.shared as readonly ReviewMessage<Shown>[]).map((it) => add(it).element)
  const shared = make(document, 'div', 'feed', ...first)
  const branches = sample.branches as readonly ReviewBranch<Shown>[]
  if (branches.length < 2) {
    const nMore = branches[0]?.nMore ?? 0
    if (nMore > 0) shared.append(moreText(document, nMore))
    return { elements: [shared], messages, sides: [] }
  }
  const pair = make(document, 'div', 'pair')
  const ordered = isSwapped ? branches.toReversed() : branches
  const sides = ordered.map((branch) => {
    const name = branch.name ?? ''
    const length = numberText(document, branch.length)
    const button = (action: string, text: string) => {
      const label = `${text}: ${name}`
      const attributes = { class: 'quiet', 'data-action': action, 'data-branch': name, 'aria-label': label }
      return make(document, 'button', attributes, text)
    }
    const head = make(
      document,
      'header',
      'side-head',
      make(document, 'h3', 'side-name', name),
      make(document, 'span', 'length', localize`${length} characters`),
      button('prefer', localize`Prefer`),
      button('edit', localize`Edit`),
    )
    const own = branch.messages.map((it) => add(it, name))
    const attributes = { class: 'side', 'aria-label': name }
    const side = make(document, 'section', attributes, head, ...own.map(({ element }) => element))
    if (branch.nMore > 0) side.append(moreText(document, branch.nMore))
    pair.append(side)
    return { name, bodies: own.map(({ view }) => view.content) }
  })
  return { elements: [...(sample.shared.length > 0 ? [shared] : []), pair], messages, sides }
}

/** A list of problems, each with its severity in words. */
export function problemList(document: Document, problems: readonly ReviewProblem[]): HTMLElement {
  const items = problems.map(({ severity, code, text }) =>
    make(
      document,
      'li',
      `problem ${severity}`,
      make(document, 'strong', 'severity', severityText(severity)),
      ` ${text} `,
      make(document, 'code', 'code', code),
    ),
  )
  return make(document, 'ul', { class: 'problems', hidden: items.length === 0 || undefined }, ...items)
}

function severityText(severity: ReviewProblem['severity']): string {
  switch (severity) {
    case 'error':
      return localize`Error`
    case 'warning':
      return localize`Warning`
    case 'information':
      return localize`Information`
    case 'hint':
      return localize`Hint`
  }
}

function messageElement(
  document: Document,
  render: Render,
  { shown, index, problems, notes }: ReviewMessage<Shown>,
  branch: string | undefined,
): PlacedMessage {
  const view = viewOf(document, render, shown)
  // What only the preview can do has no button here.
  for (const it of view.element.querySelectorAll('[data-action="source"], [data-action="partner"]'))
    it.remove()
  const element = make(document, 'div', 'placed', view.element)
  if (problems.length > 0) element.append(problemList(document, problems))
  for (const { by, text } of notes) {
    const author = make(document, 'strong', 'by', by || localize`Note`)
    element.append(make(document, 'p', 'message-note', author, ` ${text}`))
  }
  return { view, element, index, branch, note: notes.find(({ isOwn }) => isOwn)?.text ?? '' }
}

/** Which cards are open, in all samples. */
const folds = new Folds()

function viewOf(document: Document, render: Render, shown: Shown): View {
  if (!('kind' in shown)) return new MessageView(document, render, shown)
  if (shown.kind === 'hidden') return new HiddenView(document, shown, folds)
  if (shown.kind === 'tool') return new ToolCard(document, render, shown, folds)
  const view = new MessageView(document, render, shown.message)
  view.annotate(shown)
  return view
}

function moreText(document: Document, nMore: number): HTMLElement {
  const count = numberText(document, nMore)
  return make(
    document,
    'p',
    'more',
    localize`${count} more messages are not shown here. Open the sample to see them.`,
  )
}
