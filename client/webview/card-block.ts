/** A value of a call or reply on the page: text as it reads, colored JSON, or a diff; long ones are cut until the reader asks. */
import { localize } from '../render/page-texts.ts'
import type { EverythingBlock } from '../src/preview/preview-protocol.ts'
import { make } from './elements.ts'
import { numberText } from './number-text.ts'
import type { Render } from './rendered-body.ts'

/** A longer text shows this much at first. */
const shownAtFirst = { lines: 12, text: 1500 }

/** A text of one line that is at most this long is next to its name, in UTF-16 code units. */
const besideName = 90

/** The element of a block: its name, if it has one, and its value. */
export function blockElement(
  document: Document,
  render: Render,
  { name, kind, text }: EverythingBlock,
): HTMLElement {
  const isShort = kind !== 'diff' && text.length <= besideName && !text.includes('\n')
  const element = make(document, 'div', isShort ? 'block short' : 'block')
  if (name !== undefined) element.append(make(document, 'span', { class: 'key', dir: 'auto' }, name))
  const head = headOf(text)
  const value = make(document, 'div', `value ${kind}`, piece(document, render, kind, head))
  element.append(value)
  if (head.length < text.length) {
    const rest = piece(document, render, kind, text.slice(head.length))
    rest.hidden = true
    value.append(rest)
    element.append(moreButton(document, text))
  }
  return element
}

/** Shows or hides what is behind `button`. */
export function toggleRest(button: HTMLButtonElement): void {
  const rest = button.parentElement?.querySelector<HTMLElement>('.value > :last-child')
  if (!rest) return
  rest.hidden = !rest.hidden
  button.setAttribute('aria-expanded', String(!rest.hidden))
  const label = button.textContent
  button.textContent = button.dataset.other ?? ''
  button.dataset.other = label ?? ''
}

function moreButton(document: Document, text: string): HTMLElement {
  const lines = text.split('\n').length
  const label =
    lines > shownAtFirst.lines
      ? localize`Show all ${numberText(document, lines)} lines`
      : localize`Show all ${numberText(document, text.length)} characters`
  const [action, other] = ['show-rest', localize`Show less`]
  return make(
    document,
    'button',
    { class: 'text-button more', 'data-action': action, 'aria-expanded': 'false', 'data-other': other },
    label,
  )
}

/** What of `text` is shown at first: all of it, if only a little more would be left. */
function headOf(text: string): string {
  let end = 0
  for (let line = 0; line < shownAtFirst.lines; line++) {
    const next = text.indexOf('\n', end)
    if (next === -1) {
      end = text.length
      break
    }
    end = next + 1
  }
  const cut = Math.min(end, shownAtFirst.text)
  const rest = text.length - cut
  const isLittle = rest < 200 && text.slice(cut).split('\n').length <= 3
  return isLittle ? text : text.slice(0, cut)
}

function piece(document: Document, render: Render, kind: EverythingBlock['kind'], text: string): HTMLElement {
  const element = make(document, 'pre', { dir: kind === 'text' ? 'auto' : 'ltr' })
  if (kind === 'diff') element.append(...diffLines(document, text))
  else if (kind === 'json') element.append(...coloredJson(render, text))
  else element.textContent = text
  return element
}

function coloredJson(render: Render, text: string): ChildNode[] {
  const code = render({ parts: [{ kind: 'markdown', text }], isJson: true, isLaidOut: true }).querySelector(
    'pre > code',
  )
  return code ? [code] : []
}

const marks = { '+': 'added', '-': 'removed', '@': 'place', '*': 'place' } as const

function diffLines(document: Document, text: string): HTMLElement[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const mark = line.charAt(0)
      const className = mark in marks ? `line ${marks[mark as keyof typeof marks]}` : 'line'
      return make(document, 'span', className, `${line}\n`)
    })
}
