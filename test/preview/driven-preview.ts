/** A preview session and its page, driven by a test. */
import assert from 'node:assert/strict'
import type { Moment } from '../../client/src/moments.ts'
import { PageChannel, type PageRequest } from '../../client/src/preview/page-channel.ts'
import { visibleView } from '../../client/src/preview/page-view.ts'
import { defaultLimits } from '../../client/src/preview/page-window.ts'
import type { PageMessage, ToPage } from '../../client/src/preview/preview-protocol.ts'
import { PreviewSession } from '../../client/src/preview/preview-session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import type { VisibleMessage } from '../../core/src/internal.ts'
import { applyChanges } from './apply-changes.ts'

type Update = Extract<ToPage, { kind: 'update' }>

/** A session and a page that holds what it was sent, with turns that a test ends by itself. */
export class DrivenPreview {
  readonly sent: ToPage[] = []
  readonly requests: PageRequest[] = []
  readonly session: PreviewSession<VisibleMessage>
  readonly channel: PageChannel<VisibleMessage, PageMessage>
  shown: PageMessage[] = []
  first = 0
  text: string
  acknowledges = true
  #tasks: { readonly run: () => void; readonly moment: Moment }[] = []

  constructor(text: string, limits = defaultLimits) {
    this.text = text
    this.session = new PreviewSession(
      text,
      (it) => parseVisible(it),
      (run, moment) => {
        const task = { run, moment }
        this.#tasks.push(task)
        return () => {
          this.#tasks = this.#tasks.filter((it) => it !== task)
        }
      },
    )
    this.channel = new PageChannel(
      visibleView,
      (message) => this.#receive(message),
      (request) => this.requests.push(request),
      limits,
    )
    this.channel.open({ uri: 'file:///a.ocm', session: this.session })
    this.channel.receive({ kind: 'ready', uri: '', index: 0, line: 0 })
  }

  get texts(): string[] {
    return this.shown.map(({ parts }) => parts.map((part) => part.text).join(''))
  }

  get lastUpdate(): Update {
    const update = this.sent.findLast((message) => message.kind === 'update')
    assert.ok(update)
    return update
  }

  replaceText(from: number, to: number, inserted: string): void {
    this.text = this.text.slice(0, from) + inserted + this.text.slice(to)
    this.session.edit([{ offset: from, length: to - from, text: inserted }])
  }

  type(after: string, inserted: string): void {
    const at = this.text.indexOf(after) + after.length
    this.replaceText(at, at, inserted)
  }

  /** A frame has passed. */
  endTurn(): void {
    this.#run(({ moment }) => moment === 'frame')
  }

  /** Nobody has typed for a while. */
  endPause(): void {
    this.#run(() => true)
  }

  #run(isDue: (task: { readonly moment: Moment }) => boolean): void {
    const due = this.#tasks.filter(isDue)
    this.#tasks = this.#tasks.filter((it) => !due.includes(it))
    for (const { run } of due) run()
  }

  #receive(message: ToPage): void {
    this.sent.push(message)
    if (message.kind === 'open') this.shown = []
    if (message.kind !== 'update') return
    this.shown = applyChanges(this.shown, message.changes)
    this.first = message.first
    if (this.acknowledges) this.channel.receive({ kind: 'applied', sequence: message.sequence })
  }
}

/** A conversation with everything that a preview hides. */
export const weather = [
  '---\nversion: 2.2\n---\n',
  '<|start|>system<|message|>Be brief.<|end|>\n',
  '<|start|>user name=Ada<|message|>Hot?<|end|>\n',
  '<|start|>assistant<|channel|>commentary intent=preamble<|message|>I will look.<|end|>\n',
  '<|start|>assistant to=functions.w call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
  '<|start|>tool name=functions.w call_id=c<|message|>{"t":21}<|end|>\n',
  '<|start|>assistant<|channel|>final<|message|>Yes: <|literal|><|end|><|endliteral|>\nVery.',
].join('')

/** A conversation of `count` messages of a user. */
export function many(count: number): string {
  return Array.from({ length: count }, (_, index) => `<|start|>user<|message|>${index}<|end|>\n`).join('')
}
