/** A message of the training view: its rendering in the template, what is trained of it in color, special tokens as chips. */

import { localize } from '../render/page-texts.ts'
import type { TrainingMessage, TrainingTokens } from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'
import { numberText } from './number-text.ts'
import { VerbatimView } from './verbatim-view.ts'

/** What is true of a token, as numbers of {@link TrainingTokens.flags}. */
const isSpecial = 1
const isTrained = 2
const isCut = 4

/** A message and its elements. Its text is in one element per stretch of equal tokens: a token has none of its own. */
export class TrainingCard extends VerbatimView<TrainingMessage> {
  readonly #document: Document
  #code: HTMLElement | undefined

  constructor(document: Document, message: TrainingMessage) {
    super(document, message, 'context')
    this.#document = document
    this.element.className = 'message training-message'
    this.element.append(this.content)
    this.#show()
  }

  override get text(): string {
    return this.message.text
  }

  /** Shows `message` instead. */
  update(message: TrainingMessage): void {
    this.message = message
    this.#show()
  }

  /** The index in this message of the token that has the character at `offset`; undefined if there is none. */
  tokenAt(offset: number): number | undefined {
    const { starts, ends } = this.message.tokens
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return low > 0 && offset < (ends[low - 1] ?? 0) ? low - 1 : undefined
  }

  /** The offset in the text of a place in the page; undefined if it is not in the text. */
  offsetOf(node: Node, offset: number): number | undefined {
    const before = this.#code?.contains(node)
      ? node.parentElement?.closest<HTMLElement>('[data-at]')
      : undefined
    return before ? Number(before.dataset.at) + offset : undefined
  }

  /** The place of the token at `index` in the page. */
  rangeOf(index: number): Range | undefined {
    const { starts, ends } = this.message.tokens
    const [start, end] = [this.#pointAt(starts[index] ?? 0), this.#pointAt((ends[index] ?? 1) - 1)]
    if (!start || !end) return undefined
    const range = this.#document.createRange()
    range.setStart(...start)
    range.setEnd(end[0], end[1] + 1)
    return range
  }

  #pointAt(offset: number): [Node, number] | undefined {
    const stretches = this.#code?.querySelectorAll<HTMLElement>('[data-at]') ?? []
    let found: HTMLElement | undefined
    for (const it of stretches) if (Number(it.dataset.at) <= offset) found = it
    const node = found?.firstChild
    return found && node ? [node, offset - Number(found.dataset.at)] : undefined
  }

  #show(): void {
    const { role, flags, omitted, tokens } = this.message
    const trained = tokens.flags.filter((it) => (it & isTrained) !== 0).length
    const document = this.#document
    const chips = flags.map((it) => make(document, 'span', 'chip flag', it))
    const labels = make(document, 'span', 'labels', make(document, 'span', 'name', role), ...chips)
    const byline = make(document, 'header', 'byline', labels)
    if (tokens.ids.length > 0) {
      const [some, all] = [trained, tokens.ids.length].map((it) => numberText(document, it))
      byline.append(make(document, 'span', 'tokens', localize`${some ?? ''} of ${all ?? ''} trained`))
    }
    this.#code = make(
      document,
      'pre',
      {
        class: 'literal rendering',
        tabindex: 0,
        'data-line': 0,
        'aria-label': localize`What ${role} becomes`,
      },
      ...this.#stretches(),
    )
    this.element.setAttribute('aria-label', role)
    this.content.replaceChildren(byline, this.#code)
    if (omitted > 0) {
      const more = localize`${numberText(document, omitted)} more characters are not shown here. \`ocm render --as training\` has all.`
      this.content.append(make(document, 'p', 'why', more))
    }
  }

  *#stretches(): IterableIterator<Node> {
    const { tokens, text, limit } = this.message
    for (let index = 0; index < tokens.starts.length; ) {
      if (index === limit) yield make(this.#document, 'span', 'limit', localize`Maximum length`)
      const end = endOfStretch(tokens, index, limit)
      const flags = tokens.flags[index] ?? 0
      const names = [
        (flags & isSpecial) !== 0 && 'special',
        (flags & isTrained) !== 0 ? 'trained' : 'untrained',
        (flags & isCut) !== 0 && 'cut',
      ]
      const start = tokens.starts[index] ?? 0
      const attributes = { class: names.filter(Boolean).join(' '), 'data-at': start }
      const tag = (flags & isTrained) !== 0 ? 'mark' : 'span'
      yield make(this.#document, tag, attributes, text.slice(start, tokens.ends[end - 1]))
      index = end
    }
  }
}

/** The index after the tokens from `index` on that look alike; each special token stands alone. */
function endOfStretch(
  { flags, starts, ends }: TrainingTokens,
  index: number,
  limit: number | undefined,
): number {
  const own = flags[index]
  let end = index + 1
  if (((own ?? 0) & isSpecial) !== 0) return end
  // A tokenizer that leaves out text between two tokens must not make it disappear.
  while (
    end < flags.length &&
    flags[end] === own &&
    end !== limit &&
    (starts[end] ?? 0) <= (ends[end - 1] ?? 0)
  )
    end++
  return end
}
