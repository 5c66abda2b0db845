/** A call and its reply as one card: arguments by name, edits as diffs, what came back. */

import { localize } from '../render/page-texts.ts'
import type { EverythingToolMessage, EverythingToolSide } from '../src/preview/preview-protocol.ts'
import { Card } from './card.ts'
import { blockElement } from './card-block.ts'
import { plainStart, renderedSides } from './conflict-frames.ts'
import { make } from './elements.ts'
import type { Folds } from './folds.ts'
import { iconButton } from './icons.ts'
import { durationText, numberText } from './number-text.ts'
import type { Render, RenderedText } from './rendered-body.ts'

/** A tool card and its elements. */
export class ToolCard extends Card<EverythingToolMessage> {
  readonly #render: Render

  constructor(document: Document, render: Render, message: EverythingToolMessage, folds: Folds) {
    super(document, message, folds, 'tools')
    this.#render = render
    this.#show()
  }

  override get text(): string {
    const { call, reply } = this.message
    return [call, reply].flatMap((it) => (it ? [it.raw] : [])).join('\n\n')
  }

  protected override get isUsuallyOpen(): boolean {
    return true
  }

  /** Shows `message` instead. */
  update(message: EverythingToolMessage): void {
    this.message = message
    this.#show()
  }

  #show(): void {
    const { tool, call, reply, isFailed, problems, side, flags } = this.message
    this.element.className = `message card tool-card${isFailed ? ' failed' : ''}`
    const why = (call ?? reply)?.why
    if (why) {
      this.describe({
        icon: 'tool',
        name: tool,
        gist: gistOf(call),
        badges: this.#badges(),
        why,
        problems,
        side,
        flags,
      })
    }
    this.content.replaceChildren()
    if (call) this.content.append(this.#side(call, 'call'))
    if (reply) this.content.append(this.#side(reply, 'reply'))
    const first = this.content.querySelector<HTMLElement>('.block')
    if (first) first.dataset.line = '0'
  }

  #badges(): readonly (readonly [string, string])[] {
    const { call, reply, isFailed, duration } = this.message
    const badges: (readonly [string, string])[] = []
    if (isFailed) badges.push(['error', localize`failed`])
    if (!reply) badges.push(['waiting', localize`no reply yet`])
    if (!call) badges.push(['waiting', localize`does not answer a call`])
    if (duration !== undefined) badges.push(['', durationText(this.document, duration)])
    return badges
  }

  #side(side: EverythingToolSide, kind: 'call' | 'reply'): HTMLElement {
    const { blocks, sides, raw, labels, omitted } = side
    const { document } = this
    const section = make(document, 'section', `side ${kind}`)
    if (kind === 'reply') section.append(this.#replyHead())
    const values = sides
      ? [renderedSides(document, (it) => this.#block(it), { parts: [], sides, isJson: false })]
      : blocks.map((block) => blockElement(document, this.#render, block))
    const labelLine = make(document, 'p', 'labels', labels.join(' · '))
    const block = blockElement(document, this.#render, { kind: 'json', text: raw })
    section.append(make(document, 'div', 'blocks', ...values), make(document, 'div', 'raw', labelLine, block))
    if (omitted > 0) {
      const more = localize`${numberText(document, omitted)} more characters are in the source.`
      section.append(make(document, 'p', 'omitted', more))
    }
    return section
  }

  #block({ parts }: RenderedText): DocumentFragment {
    const fragment = this.document.createDocumentFragment()
    const text = parts.map((it) => it.text).join('')
    if (text !== '') fragment.append(blockElement(this.document, this.#render, { kind: 'json', text }))
    return fragment
  }

  #replyHead(): HTMLElement {
    const label = localize`Go to source of the reply`
    return make(
      this.document,
      'p',
      'side-head',
      make(this.document, 'span', '', this.message.isFailed ? localize`Error` : localize`Result`),
      iconButton(this.document, 'source', { action: 'reply-source', label }),
    )
  }
}

/** The first line of the first argument, which usually says what the call is about. */
function gistOf(call: EverythingToolSide | undefined): string {
  const text = plainStart(call?.blocks.find(({ kind }) => kind !== 'diff')?.text ?? '', call?.sides)
  return text.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? ''
}
