/** The sample that is reviewed: what it says, what was decided about it, and how far the review is. Nothing of it is kept on the page. */
import { localize } from '../../render/page-texts.ts'
import type {
  FromReviewPage,
  PageAct,
  ReviewButton,
  ReviewEverything,
  ReviewFrame,
  ReviewOpinion,
  ReviewProgress,
  ReviewSample,
  ToReviewPage,
} from '../../src/review/review-protocol.ts'
import { listen } from '../actions.ts'
import { Card } from '../card.ts'
import { make } from '../elements.ts'
import { HiddenCountsView } from '../hidden-counts.ts'
import { JsonDisplay } from '../json-display.ts'
import { mistakeMessage } from '../mistake-message.ts'
import { numberText } from '../number-text.ts'
import { createRender } from '../rendered-body.ts'
import { markDifferences } from './differences.ts'
import { KeyTable } from './key-table.ts'
import { NoteField, type NoteSubject } from './note-field.ts'
import type { ReviewPaneView } from './pane-view.ts'
import { type PlacedMessage, problemList, type SampleElements, sampleElements } from './sample-messages.ts'

const noElements: SampleElements = { elements: [], messages: [], sides: [] }

/** The pane. It has a style sheet of its own, so that the list and the messages of the preview do not meet. */
export class ReviewPane implements ReviewPaneView {
  readonly #window: Window & typeof globalThis
  readonly #document: Document
  readonly #post: (message: FromReviewPage) => void
  readonly #render: ReturnType<typeof createRender>
  readonly #title: HTMLElement
  readonly #progress: HTMLElement
  readonly #bar: HTMLElement
  readonly #state: HTMLElement
  readonly #labels: HTMLElement
  readonly #hidden: HTMLElement
  readonly #hiddenCounts: HiddenCountsView
  readonly #scroll: HTMLElement
  readonly #metadata: HTMLElement
  readonly #status: HTMLElement
  readonly #note: NoteField
  readonly #keys: KeyTable
  #sample: ReviewSample | ReviewEverything | undefined
  #shown = noElements
  #isSwapped = false

  constructor(
    window: Window & typeof globalThis,
    host: HTMLElement,
    post: (message: FromReviewPage) => void,
  ) {
    const { document } = window
    this.#window = window
    this.#document = document
    this.#post = post
    const page = make(document, 'section', { 'aria-label': localize`Review` })
    const display = new JsonDisplay(page, () => this.#sample && this.#showMessages(this.#sample))
    this.#render = createRender(window, { display })
    this.#title = make(document, 'h2', 'title')
    this.#progress = make(document, 'p', 'progress')
    this.#bar = make(document, 'div', 'bar')
    const labels = { class: 'label-buttons', role: 'group', 'aria-label': localize`Labels` }
    this.#labels = make(document, 'div', labels)
    this.#hidden = make(document, 'p', 'hidden-banner', localize`Shows what users do not see`)
    this.#hiddenCounts = new HiddenCountsView(document, () => {
      this.#post({ kind: 'reviewCommand', command: 'showHidden' })
      this.#scroll.focus()
    })
    const region = { role: 'region', tabindex: 0 }
    this.#state = make(document, 'div', {
      ...region,
      class: 'state',
      'aria-label': localize`Notes of the review`,
    })
    this.#scroll = make(document, 'div', { ...region, class: 'scroll', 'aria-label': localize`Sample` })
    this.#metadata = make(document, 'pre', {
      ...region,
      class: 'metadata',
      'aria-label': localize`Metadata`,
      hidden: true,
    })
    this.#status = make(document, 'p', { class: 'status', role: 'status' })
    this.#note = new NoteField(document, {
      save: (note) => {
        this.#post({ kind: 'reviewNote', ...note })
        this.#scroll.focus()
      },
      cancel: () => this.#scroll.focus(),
      changed: (subject) => this.#markNoted(subject),
    })
    this.#keys = new KeyTable(document, () => this.#scroll.focus())
    this.#build(host, page)
  }

  receive(message: ToReviewPage): void {
    switch (message.kind) {
      case 'reviewSample':
      case 'reviewEverything':
        this.#show(message.sample, message.kind === 'reviewEverything')
        break
      case 'reviewProgress':
        this.#showProgress(message.progress)
        break
      case 'reviewStatus':
        this.#say(message.text, message.isError)
        break
      case 'reviewAct':
        this.#act(message.act)
        break
      default: // concerns the list
    }
  }

  focus(): void {
    this.#scroll.focus()
  }

  #build(host: HTMLElement, page: HTMLElement): void {
    const document = this.#document
    const root = host.attachShadow({ mode: 'open' })
    const own = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]')
    const href = (own?.href ?? '').replace(/dataset\.css/, 'review.css')
    const style = make(document, 'link', { rel: 'stylesheet', nonce: own?.nonce ?? '', href })
    // The style sheet asks for the kind of theme, which is a class of the body.
    const followTheme = () => {
      page.className = `review ${document.body.className}`
    }
    followTheme()
    new this.#window.MutationObserver(followTheme).observe(document.body, { attributeFilter: ['class'] })
    const head = make(document, 'header', 'review-head')
    const line = make(document, 'div', 'head-line')
    line.append(this.#title, this.#progress, this.#buttons(navigationButtons))
    head.append(line, this.#bar, this.#decisionLine(), this.#state)
    page.append(
      head,
      this.#hidden,
      this.#scroll,
      this.#metadata,
      this.#note.element,
      this.#status,
      this.#keys.element,
    )
    page.addEventListener('click', (event) => this.#clicked(event))
    root.append(style, page)
    listen(
      document,
      {
        element: this.#scroll,
        viewOf: (element) => this.#messageOf(element)?.view,
        focusNext: (element, step) => this.#focusNext(element, step),
        toggleCard: (element) => {
          const view = this.#messageOf(element)?.view
          if (view instanceof Card) view.toggle()
        },
      },
      (message) => {
        if (message.kind === 'copy') this.#post({ kind: 'reviewCopy', text: message.text })
        if (message.kind === 'openLink') this.#post({ kind: 'reviewLink', href: message.href })
      },
    )
  }

  #decisionLine(): HTMLElement {
    return make(this.#document, 'div', 'decisions', this.#buttons(decisionButtons), this.#labels)
  }

  #buttons(buttons: readonly Button[]): HTMLElement {
    const group = make(this.#document, 'div', 'buttons')
    for (const { command, act, text, key } of buttons) {
      const button = keyButton(this.#document, text(), key)
      if (command) button.dataset.command = command
      if (act) button.dataset.act = act
      group.append(button)
    }
    return group
  }

  #show(sample: ReviewSample | ReviewEverything, isEverything: boolean): void {
    const isOther = sample.index !== this.#sample?.index
    this.#sample = sample
    if (isOther) {
      this.#isSwapped = false
      this.#note.close()
      this.#status.textContent = ''
    }
    this.#title.textContent = sample.name
    this.#hidden.hidden = !isEverything
    this.#metadata.textContent = sample.metadata === '' ? localize`No other fields` : sample.metadata
    this.#showState(sample)
    this.#showLabels(sample)
    this.#showMessages(sample)
    if (isOther) this.#scroll.scrollTop = 0
  }

  #showMessages(sample: ReviewSample | ReviewEverything): void {
    const top = this.#scroll.scrollTop
    this.#shown = sampleElements(this.#document, this.#render, sample, this.#isSwapped)
    this.#hiddenCounts.show('hidden' in sample ? sample.hidden : undefined)
    const own: HTMLElement[] = [problemList(this.#document, sample.problems), this.#hiddenCounts.element]
    if (sample.mistake !== undefined)
      own.push(make(this.#document, 'p', 'mistake', mistakeMessage(this.#document, sample.mistake)))
    else if (this.#shown.messages.length === 0)
      own.push(make(this.#document, 'p', 'nothing', localize`Nothing in this sample is shown to users`))
    this.#scroll.replaceChildren(...own, ...this.#shown.elements)
    this.#scroll.scrollTop = top
    this.#markNoted(this.#note.subject)
    const [left, right] = this.#shown.sides
    markDifferences(this.#window, left && right && [left.bodies, right.bodies])
  }

  #showState({ opinions, isStale, isBlind }: ReviewFrame): void {
    const items = opinions.flatMap((it) => this.#opinion(it) ?? [])
    if (isStale) {
      const stale = make(this.#document, 'p', 'stale', localize`The sample changed after this was decided.`)
      const confirm = keyButton(this.#document, localize`Confirm`, 'y')
      confirm.dataset.command = 'confirm'
      stale.append(' ', confirm)
      items.unshift(stale)
    }
    if (isBlind)
      items.push(make(this.#document, 'p', 'blind', localize`Decide first to see what others decided.`))
    this.#state.replaceChildren(...items)
    const own = isStale ? undefined : opinions.find(({ isOwn }) => isOwn)
    for (const button of this.#state.parentElement?.querySelectorAll<HTMLElement>('[data-command]') ?? []) {
      const { command } = button.dataset
      if (command === 'keep' || command === 'reject' || command === 'fix')
        button.setAttribute('aria-pressed', String(own?.decision === command))
    }
  }

  /** Undefined if nothing is left of it, such as a note that was removed, or if it is about single messages. */
  #opinion({ by, isOwn, decision, branch, labels, note }: ReviewOpinion): HTMLElement | undefined {
    if (decision === undefined && labels.length === 0 && !note) return undefined
    const author = make(this.#document, 'strong', 'by', isOwn ? localize`You` : by || localize`Someone`)
    const item = make(this.#document, 'p', isOwn ? 'opinion own' : 'opinion', author, ' ')
    if (decision !== undefined)
      item.append(make(this.#document, 'span', `decision ${decision}`, decisionText(decision, branch)), ' ')
    for (const label of labels) item.append(make(this.#document, 'span', 'label', label), ' ')
    if (note) item.append(make(this.#document, 'span', 'note-text', note))
    return item
  }

  #showLabels({ labels, opinions, isStale }: ReviewFrame): void {
    const own = isStale ? [] : (opinions.find(({ isOwn }) => isOwn)?.labels ?? [])
    const buttons = labels.map((label, index) => {
      const button = keyButton(this.#document, label, String(index + 1))
      button.dataset.label = String(index)
      button.title = label
      button.setAttribute('aria-pressed', String(own.includes(label)))
      return button
    })
    this.#labels.replaceChildren(...buttons)
  }

  #showProgress({ decided, total, counts, isCounting }: ReviewProgress): void {
    const number = (value: number) => numberText(this.#document, value)
    const texts = [localize`${number(decided)} of ${number(total)} decided`]
    const { keep = 0, reject = 0, fix = 0, conflict = 0, stale = 0 } = counts
    if (keep > 0) texts.push(localize`${number(keep)} kept`)
    if (reject > 0) texts.push(localize`${number(reject)} rejected`)
    if (fix > 0) texts.push(localize`${number(fix)} to fix`)
    if (conflict > 0) texts.push(localize`${number(conflict)} in conflict`)
    if (stale > 0) texts.push(localize`${number(stale)} stale`)
    if (isCounting) texts.push(localize`counting…`)
    this.#progress.textContent = texts.join(' · ')
    this.#bar.style.transform = `scaleX(${total === 0 ? 0 : decided / total})`
  }

  #say(text: string, isError: boolean): void {
    this.#status.textContent = text
    this.#status.classList.toggle('failed', isError)
  }

  #act(act: PageAct): void {
    switch (act) {
      case 'note': {
        const own = this.#sample?.opinions.find(({ isOwn }) => isOwn)
        this.#note.open(localize`Note on the sample`, own?.note ?? '', {})
        break
      }
      case 'messageNote': {
        const message = this.#currentMessage()
        if (!message) break
        const { index, branch, note, view, element } = message
        const subject = { message: index, ...(branch !== undefined && { branch }) }
        // Messages have no numbers here, and those of the transcript count hidden ones.
        const author = view.element.getAttribute('aria-labelledby') ?? undefined
        this.#note.open(localize`Note on the marked message`, note, subject, author)
        element.scrollIntoView({ block: 'nearest' }) // the field takes room
        break
      }
      case 'metadata':
        this.#metadata.hidden = !this.#metadata.hidden
        break
      case 'swap':
        this.#isSwapped = !this.#isSwapped
        if (this.#sample) this.#showMessages(this.#sample)
        break
      case 'keys':
        this.#keys.toggle()
        break
      case 'preferFirst':
        this.#prefer(0)
        break
      case 'preferSecond':
        this.#prefer(1)
        break
      default:
        act satisfies never
    }
  }

  #markNoted(subject: NoteSubject | undefined): void {
    for (const { element, index, branch } of this.#shown.messages)
      element.classList.toggle('noted', subject?.message === index && subject.branch === branch)
  }

  #prefer(side: 0 | 1): void {
    const branch = this.#shown.sides[side]?.name
    if (branch === undefined) this.#say(localize`This sample is not a pair`, false)
    else this.#post({ kind: 'reviewPrefer', branch })
  }

  #clicked(event: Event): void {
    const target = event.target instanceof this.#window.Element ? event.target.closest('button') : null
    const { command, act, label, action, branch } = target?.dataset ?? {}
    if (command !== undefined) this.#post({ kind: 'reviewCommand', command: command as ReviewButton })
    else if (act === 'end') this.#post({ kind: 'reviewEnd' })
    else if (act !== undefined) this.#act(act as PageAct)
    else if (label !== undefined) this.#post({ kind: 'reviewLabel', index: Number(label) })
    else if (action === 'prefer' && branch !== undefined) this.#post({ kind: 'reviewPrefer', branch })
    else if (action === 'edit' && branch !== undefined) this.#post({ kind: 'reviewFix', branch })
    else return
    if (command !== undefined || label !== undefined || action === 'prefer') this.#scroll.focus()
  }

  #messageOf(element: Element): PlacedMessage | undefined {
    return this.#shown.messages.find((it) => it.element.contains(element))
  }

  /** The message with the focus, or the first one that begins on the screen. */
  #currentMessage(): PlacedMessage | undefined {
    const root = this.#scroll.getRootNode() as ShadowRoot
    const focused = root.activeElement && this.#messageOf(root.activeElement)
    if (focused) return focused
    const { top } = this.#scroll.getBoundingClientRect()
    return (
      this.#shown.messages.find(({ element }) => element.getBoundingClientRect().bottom > top) ??
      this.#shown.messages[0]
    )
  }

  #focusNext(from: Element, step: number): boolean {
    const at = this.#shown.messages.findIndex(({ element }) => element.contains(from))
    const next = this.#shown.messages[at === -1 ? 0 : at + step]
    next?.view.element.focus()
    return next !== undefined
  }
}

interface Button {
  readonly command?: ReviewButton
  readonly act?: PageAct | 'end'
  readonly text: () => string
  readonly key: string
}

const decisionButtons: readonly Button[] = [
  { command: 'keep', text: () => localize`Keep`, key: 'k' },
  { command: 'reject', text: () => localize`Reject`, key: 'x' },
  { command: 'fix', text: () => localize`Fix`, key: 'f' },
  { act: 'note', text: () => localize`Note`, key: 'n' },
  { command: 'undo', text: () => localize`Undo`, key: 'u' },
]

const navigationButtons: readonly Button[] = [
  { command: 'previous', text: () => localize`Previous`, key: '←' },
  { command: 'next', text: () => localize`Next`, key: '→' },
  { command: 'nextUndecided', text: () => localize`Next Undecided`, key: '⇧→' },
  { act: 'keys', text: () => localize`Keys`, key: '?' },
  { act: 'end', text: () => localize`End Review`, key: 'Esc' },
]

/** A button with the key that does the same. */
function keyButton(document: Document, text: string, key: string): HTMLButtonElement {
  const hint = make(document, 'kbd', { 'aria-hidden': 'true' }, key)
  return make(document, 'button', {}, make(document, 'span', '', text), hint)
}

function decisionText(decision: 'keep' | 'reject' | 'fix', branch: string | undefined): string {
  switch (decision) {
    case 'keep':
      return branch === undefined ? localize`keep` : localize`prefer ${branch}`
    case 'reject':
      return localize`reject`
    case 'fix':
      return localize`fix`
  }
}
