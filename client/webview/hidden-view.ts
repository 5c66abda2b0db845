/** A message that users do not see, in *Everything*: verbatim; reasoning and instructions are folded to their first line. */
import { localize } from '../render/page-texts.ts'
import type { EverythingHiddenMessage } from '../src/preview/preview-protocol.ts'
import { Card } from './card.ts'
import { plainStart, renderedSides } from './conflict-frames.ts'
import { make } from './elements.ts'
import type { Folds } from './folds.ts'
import { numberText } from './number-text.ts'
import type { RenderedText } from './rendered-body.ts'

/** The most of a first line that crosses into the header, in UTF-16 code units. */
const longestGist = 300

/** A hidden message and its elements. */
export class HiddenView extends Card<EverythingHiddenMessage> {
  constructor(document: Document, message: EverythingHiddenMessage, folds: Folds) {
    super(document, message, folds, message.group ?? 'other')
    this.#describe()
    this.#showText()
  }

  override get text(): string {
    return this.message.text
  }

  get editableText(): string | undefined {
    return this.message.isSourceOnly || this.message.omitted > 0 ? undefined : this.text
  }

  protected override get isUsuallyOpen(): boolean {
    return this.message.group === undefined
  }

  /** Shows `message` instead. */
  update(message: EverythingHiddenMessage): void {
    const { text, sides } = this.message
    // The other end of a conflict may be in another message.
    const isSameText = message.text === text && JSON.stringify(message.sides) === JSON.stringify(sides)
    this.message = message
    this.#describe()
    if (!isSameText) this.#showText()
  }

  #describe(): void {
    const { group, role, labels, text, sides, why, problems, side, flags } = this.message
    this.element.className = `message card hidden-message ${group ?? 'other'}`
    this.describe({
      icon: group === 'reasoning' ? 'thought' : group === 'instructions' ? 'instructions' : 'hidden',
      name: group === 'reasoning' ? localize`Reasoning` : role,
      gist: /[^\n\r]*/.exec(plainStart(text, sides).trimStart())?.[0].slice(0, longestGist) ?? '',
      badges: group === undefined ? labels.map((it) => ['', it] as const) : [],
      why,
      problems,
      side,
      flags,
    })
  }

  #showText(): void {
    const { text, sides, omitted } = this.message
    const shown = { parts: [{ kind: 'literal', text }], sides, isJson: false } as const
    const parts: Node[] = [renderedSides(this.document, (it) => this.#block(it), shown)]
    if (omitted > 0) {
      const more = localize`${numberText(this.document, omitted)} more characters are in the source.`
      parts.push(make(this.document, 'p', 'omitted', more))
    }
    this.content.replaceChildren(...parts)
  }

  #block({ parts }: RenderedText): DocumentFragment {
    const fragment = this.document.createDocumentFragment()
    const text = parts.map((it) => it.text).join('')
    if (text === '') return fragment
    fragment.append(make(this.document, 'pre', { class: 'value', dir: 'auto', 'data-line': 0 }, text))
    return fragment
  }
}
