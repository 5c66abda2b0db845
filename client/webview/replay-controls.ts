/** The conversation as it streamed: a line of controls, and what a user had seen after each step. */

import { localizable, localize, localized } from '../render/page-texts.ts'
import type { PageMessage, PagePart, Replay } from '../src/preview/preview-protocol.ts'
import { make, textButton } from './elements.ts'
import { icon, iconButton } from './icons.ts'
import { MessageView } from './message-element.ts'
import type { Render } from './rendered-body.ts'

/** Steps in a second. */
const speeds = [
  [localizable`Slow`, 6],
  [localizable`Normal`, 20],
  [localizable`Fast`, 80],
] as const

/** Plays one replay at a time. */
export class ReplayView {
  readonly element: HTMLElement
  readonly #window: Window & typeof globalThis
  readonly #document: Document
  readonly #render: Render
  readonly #feed: HTMLElement
  readonly #play: HTMLButtonElement
  readonly #slider: HTMLInputElement
  readonly #marks: HTMLDataListElement
  readonly #speed: HTMLSelectElement
  readonly #status: HTMLElement
  readonly #cut: HTMLElement
  #replay: Replay | undefined
  #views: MessageView[] = []
  /** What each view shows, in UTF-16 code units. */
  #lengths: number[] = []
  #step = 0
  #timer: number | undefined

  /** @param onClose called when the reader goes back to the whole conversation */
  constructor(window: Window & typeof globalThis, render: Render, onClose: () => void) {
    const { document } = window
    this.#window = window
    this.#document = document
    this.#render = render
    const feed = { class: 'feed', role: 'feed', 'aria-label': localize`Conversation so far` }
    this.#feed = make(document, 'div', feed)
    // The status below says the same in whole sentences.
    this.#cut = make(document, 'p', { class: 'replay-cut', 'aria-hidden': 'true' })
    this.#marks = make(document, 'datalist', { id: 'replay-marks' })
    this.#slider = make(document, 'input', {
      type: 'range',
      min: 0,
      list: this.#marks.id,
      'aria-label': localize`Step`,
    })
    this.#slider.addEventListener('input', () => this.#goTo(Number(this.#slider.value)))
    this.#speed = make(document, 'select', { 'aria-label': localize`Speed` })
    for (const [name, rate] of speeds)
      this.#speed.append(new window.Option(localized(name), String(rate), rate === 20))
    this.#speed.value = '20'
    this.#speed.addEventListener('change', () => {
      if (this.#timer !== undefined) this.#start()
    })
    this.#status = make(document, 'p', 'replay-status')
    const button = (name: 'play' | 'back' | 'forward' | 'close', label: string, act: () => void) => {
      const element = iconButton(document, name, { action: 'replay', label })
      element.addEventListener('click', act)
      return element
    }
    this.#play = button('play', localize`Play`, () =>
      this.#timer === undefined ? this.#start() : this.#pause(),
    )
    const controls = make(
      document,
      'div',
      { class: 'replay-controls', role: 'group', 'aria-label': localize`Replay` },
      this.#play,
      button('back', localize`Step back`, () => this.#goTo(this.#step - 1)),
      button('forward', localize`Step forward`, () => this.#goTo(this.#step + 1)),
      this.#slider,
      this.#marks,
      this.#speed,
      textButton(document, localize`Next message`, () => this.#goTo(this.#nextMessage())),
      button('close', localize`End the replay`, onClose),
      this.#status,
    )
    // It takes the place of the conversation.
    const main = {
      class: 'replay',
      role: 'main',
      'aria-label': localize`Replay controls`,
      hidden: true,
    } as const
    this.element = make(document, 'section', main, this.#feed, this.#cut, controls)
  }

  /** Begins where the reader was. */
  open(replay: Replay): void {
    this.close()
    this.#replay = replay
    this.#slider.max = String(replay.steps.length)
    this.#marks.replaceChildren(
      ...this.#messageStarts().map((step) => new this.#window.Option('', String(step))),
    )
    this.element.hidden = false
    this.#goTo(replay.start)
    this.#start()
    this.#play.focus()
  }

  /** Stops, and shows nothing. */
  close(): void {
    this.#pause()
    this.element.hidden = true
    this.#feed.replaceChildren()
    this.#views = []
    this.#lengths = []
    this.#replay = undefined
  }

  /** The message that contains `element`. */
  viewOf(element: Element): MessageView | undefined {
    return this.#views.find((it) => it.element.contains(element))
  }

  /** Shows JSON as the reader wants to see it now. */
  redraw(): void {
    for (const view of this.#views) view.redraw()
  }

  #start(): void {
    this.#pause()
    const { steps } = this.#replay ?? { steps: [] }
    if (this.#step >= steps.length) this.#goTo(0)
    this.#timer = this.#window.setInterval(() => {
      this.#goTo(this.#step + 1, { isPlaying: true })
      if (this.#step >= steps.length) this.#pause()
    }, 1000 / Number(this.#speed.value))
    this.#setPlay('pause', localize`Pause`)
  }

  #pause(): void {
    if (this.#timer !== undefined) this.#window.clearInterval(this.#timer)
    this.#timer = undefined
    this.#setPlay('play', localize`Play`)
  }

  #setPlay(name: 'play' | 'pause', label: string): void {
    this.#play.replaceChildren(icon(this.#document, name))
    this.#play.title = label
    this.#play.setAttribute('aria-label', label)
  }

  /** Shows what was there after `step` deltas. */
  #goTo(step: number, { isPlaying = false } = {}): void {
    const replay = this.#replay
    if (!replay) return
    if (!isPlaying && this.#timer !== undefined) this.#pause()
    this.#step = Math.max(0, Math.min(step, replay.steps.length))
    this.#slider.value = String(this.#step)
    const lengths = new Map<number, number>()
    for (const { message, length } of replay.steps.slice(0, this.#step)) lengths.set(message, length)
    const shown = [...lengths].sort(([one], [other]) => one - other)
    for (const view of this.#views.splice(shown.length)) view.element.remove()
    this.#lengths.length = this.#views.length
    shown.forEach(([index, length], place) => {
      const message = replay.messages[index]
      if (message) this.#show(place, message, length)
    })
    this.#describe(replay, shown.at(-1))
    this.#window.scrollTo(0, this.#document.documentElement.scrollHeight)
  }

  #show(place: number, message: PageMessage, length: number): void {
    const view = this.#views[place]
    if (view?.id === message.id && this.#lengths[place] === length) return
    const cut = withLength(message, length)
    this.#lengths[place] = length
    if (view?.id === message.id) {
      view.update(cut)
      return
    }
    const fresh = new MessageView(this.#document, this.#render, cut)
    fresh.place(place + 1, -1, false)
    if (view) view.element.replaceWith(fresh.element)
    else this.#feed.append(fresh.element)
    this.#views[place] = fresh
  }

  #describe({ steps, isTruncated, isCut }: Replay, last: readonly [number, number] | undefined): void {
    const words = [localize`Step ${this.#step} of ${steps.length}.`]
    if (this.#step === steps.length && isTruncated) words.push(localize`The stream breaks off here.`)
    else if (this.#step === steps.length && isCut)
      words.push(localize`More messages follow in the transcript.`)
    else if (last) words.push(localize`Canceled here, this message would end after ${last[1]} characters.`)
    this.#status.textContent = words.join(' ')
    this.#showCut(steps.length, { isTruncated, isCut, isWriting: last !== undefined })
  }

  /** A line under the text: what it means that it ends here. */
  #showCut(
    end: number,
    { isTruncated, isCut, isWriting }: { isTruncated: boolean; isCut: boolean; isWriting: boolean },
  ): void {
    const isEnd = this.#step === end
    const isBroken = isEnd && isTruncated && !isCut
    this.#cut.hidden = !isBroken && (isEnd || !isWriting)
    this.#cut.dataset.cut = isBroken ? 'truncated' : 'canceled'
    this.#cut.textContent = isBroken
      ? localize`The stream breaks off here`
      : localize`Canceling now would stop here`
  }

  /** The steps with which messages begin. */
  #messageStarts(): number[] {
    const { steps } = this.#replay ?? { steps: [] }
    return steps.flatMap(({ message }, index) => (steps[index - 1]?.message === message ? [] : [index]))
  }

  #nextMessage(): number {
    const { steps } = this.#replay ?? { steps: [] }
    return this.#messageStarts().find((start) => start > this.#step) ?? steps.length
  }
}

/** `message` as it was when `length` UTF-16 code units of it had arrived. */
function withLength(message: PageMessage, length: number): PageMessage {
  const parts: PagePart[] = []
  let room = length
  let total = 0
  for (const part of message.parts) {
    if (room > 0) parts.push({ kind: part.kind, text: part.text.slice(0, room) })
    room -= part.text.length
    total += part.text.length
  }
  return { ...message, parts, ...(length < total && { isStreaming: true }) }
}
