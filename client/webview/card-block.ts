/** A value of a call or reply on the page: text as it reads, colored JSON, or a diff; long ones are cut until the reader asks. */
import { localize } from '../render/page-texts.ts'
import type { EverythingBlock } from '../src/preview/preview-protocol.ts'
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
  const element = document.createElement('div')
  const isShort = kind !== 'diff' && text.length <= besideName && !text.includes('\n')
  element.className = isShort ? 'block short' : 'block'
  if (name !== undefined) {
    const label = document.createElement('span')
    label.className = 'key'
    label.dir = 'auto'
    label.textContent = name
    element.append(label)
  }
  const value = document.createElement('div')
  value.className = `value ${kind}`
  const head = headOf(text)
  value.append(piece(document, render, kind, head))
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
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'text-button more'
  button.dataset.action = 'show-rest'
  button.setAttribute('aria-expanded', 'false')
  const lines = text.split('\n').length
  button.textContent =
    lines > shownAtFirst.lines
      ? localize`Show all ${numberText(document, lines)} lines`
      : localize`Show all ${numberText(document, text.length)} characters`
  button.dataset.other = localize`Show less`
  return button
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
  const element = document.createElement('pre')
  element.dir = kind === 'text' ? 'auto' : 'ltr'
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
      const element = document.createElement('span')
      const mark = line.charAt(0)
      element.className = mark in marks ? `line ${marks[mark as keyof typeof marks]}` : 'line'
      element.textContent = `${line}\n`
      return element
    })
}
