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
  const shared = make(document, 'div', 'feed')
  shared.append(...(sample.shared as readonly ReviewMessage<Shown>[]).map((it) => add(it).element))
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
    const side = make(document, 'section', 'side')
    side.setAttribute('aria-label', name)
    const head = make(document, 'header', 'side-head')
    const length = numberText(document, branch.length)
    head.append(
      make(document, 'h3', 'side-name', name),
      make(document, 'span', 'length', localize`${length} characters`),
    )
    for (const [action, text] of [
      ['prefer', localize`Prefer`],
      ['edit', localize`Edit`],
    ] as const) {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'quiet'
      button.dataset.action = action
      button.dataset.branch = name
      button.textContent = text
      button.setAttribute('aria-label', `${text}: ${name}`)
      head.append(button)
    }
    side.append(head)
    const own = branch.messages.map((it) => add(it, name))
    side.append(...own.map(({ element }) => element))
    if (branch.nMore > 0) side.append(moreText(document, branch.nMore))
    pair.append(side)
    return { name, bodies: own.map(({ view }) => view.content) }
  })
  return { elements: [...(sample.shared.length > 0 ? [shared] : []), pair], messages, sides }
}

/** A list of problems, each with its severity in words. */
export function problemList(document: Document, problems: readonly ReviewProblem[]): HTMLElement {
  const list = make(document, 'ul', 'problems')
  for (const { severity, code, text } of problems) {
    const item = make(document, 'li', `problem ${severity}`)
    item.append(
      make(document, 'strong', 'severity', severityText(severity)),
      ` ${text} `,
      make(document, 'code', 'code', code),
    )
    list.append(item)
  }
  list.hidden = problems.length === 0
  return list
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
  const element = make(document, 'div', 'placed')
  element.append(view.element)
  if (problems.length > 0) element.append(problemList(document, problems))
  for (const { by, text } of notes) {
    const note = make(document, 'p', 'message-note')
    note.append(make(document, 'strong', 'by', by || localize`Note`), ` ${text}`)
    element.append(note)
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

/** An element with a class and text. */
export function make(document: Document, tag: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}
