/** What the page adds to sanitized elements: captions and copy buttons for code, frames for tables, stand-ins for images, literal text. */

import { languageLabel } from '../render/highlight.ts'
import { resolved, type StandIns } from '../render/literals.ts'
import { isFollowable, isInlineImage } from '../render/markdown-to-html.ts'
import { localize } from '../render/page-texts.ts'
import { make } from './elements.ts'
import { iconButton } from './icons.ts'
import { verbatim } from './verbatim.ts'

/** Completes `fragment`, which the sanitizer made. */
export function decorate(fragment: DocumentFragment, standIns: StandIns): void {
  const document = fragment.ownerDocument
  for (const link of each<HTMLAnchorElement>(fragment, 'a')) decorateLink(link, standIns)
  for (const image of each(fragment, 'span[data-image]')) decorateImage(document, image)
  for (const item of each(fragment, 'li')) decorateTask(document, item)
  placeLiterals(document, fragment, standIns)
  for (const pre of each(fragment, 'pre:not(.literal)')) decorateCode(document, pre)
  for (const table of each(fragment, 'table')) decorateTable(document, table)
  for (const block of each(fragment, 'p, li, h1, h2, h3, h4, h5, h6, td, th, blockquote')) block.dir = 'auto'
}

/** A link says where it leads, because its text may say something else. */
function decorateLink(link: HTMLAnchorElement, { literals }: StandIns): void {
  const href = link.getAttribute('href')
  if (href === null) return
  const isCut = [...literals.keys()].some((standIn) => href.includes(encodeURIComponent(standIn)))
  if (isCut) {
    link.removeAttribute('href')
    return
  }
  link.title = href
  link.rel = 'noreferrer noopener'
}

/** Images wait for a click: those within the text as a button that shows them, others as a link to where they are. */
function decorateImage(document: Document, image: HTMLElement): void {
  const source = image.dataset.image ?? ''
  const text = image.textContent || localize`no description`
  if (isInlineImage(source) && !image.closest('a')) {
    const attributes = {
      class: 'image',
      'data-action': 'image',
      'data-image': source,
      'data-description': text,
    }
    image.replaceWith(make(document, 'button', attributes, localize`Show image: ${text}`))
    return
  }
  const isLink = isFollowable(source) && !image.closest('a')
  const link = { class: 'image', href: source, rel: 'noreferrer noopener', title: source }
  const [tag, attributes] = isLink ? (['a', link] as const) : (['span', 'image'] as const)
  image.replaceWith(make(document, tag, attributes, localize`Image: ${text}`))
}

/** `- [ ] todo` and `- [x] done` as boxes. */
function decorateTask(document: Document, item: HTMLElement): void {
  const holder = item.firstElementChild?.tagName === 'P' ? item.firstElementChild : item
  const first = holder.firstChild
  const match = first?.nodeType === 3 ? /^\s*\[([ xX])\]\s/.exec(first.nodeValue ?? '') : null
  if (!first || !match) return
  first.nodeValue = (first.nodeValue ?? '').slice(match[0].length)
  const [className, label] = match[1] === ' ' ? ['task', localize`to do`] : ['task done', localize`done`]
  holder.prepend(make(document, 'span', { class: className, role: 'img', 'aria-label': label }))
  item.classList.add('task-item')
}

function decorateCode(document: Document, pre: HTMLElement): void {
  const code = pre.querySelector('code')
  if (!code) return
  const word = /language-(\S+)/.exec(code.className)?.[1]
  const frame = make(document, 'figure', { class: 'code', 'data-line': code.dataset.line })
  code.removeAttribute('data-line')
  const caption = make(
    document,
    'figcaption',
    {},
    make(document, 'span', {}, word ? languageLabel(word) : localize`Code`),
    iconButton(document, 'copy', { action: 'copy-code', label: localize`Copy code` }),
  )
  pre.tabIndex = 0
  pre.setAttribute('role', 'region')
  pre.setAttribute('aria-label', word ? localize`${languageLabel(word)} code` : localize`Code`)
  pre.replaceWith(frame)
  frame.append(caption, pre)
}

function decorateTable(document: Document, table: HTMLElement): void {
  const frame = make(document, 'div', {
    class: 'table',
    tabindex: 0,
    role: 'region',
    'aria-label': localize`Table`,
    'data-line': table.dataset.line,
  })
  table.removeAttribute('data-line')
  table.replaceWith(frame)
  frame.append(table)
}

/** Puts literal text where its stand-ins are: in a separate block where it is alone, otherwise within the line. */
function placeLiterals(document: Document, fragment: DocumentFragment, standIns: StandIns): void {
  const { literals, pattern } = standIns
  if (!pattern) return
  for (const element of each(fragment, '[title]')) element.title = resolved(element.title, standIns)
  const walker = document.createTreeWalker(fragment, 4 /* text */)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (pattern.test(node.nodeValue ?? '')) texts.push(node as Text)
  }
  for (const text of texts) {
    const parent = text.parentElement
    if (parent?.closest('code')) {
      text.nodeValue = resolved(text.data, standIns)
      continue
    }
    const alone = literals.get(text.data.trim())
    if (alone !== undefined && parent?.tagName === 'P' && parent.childNodes.length === 1) {
      const block = verbatim(document, alone)
      if (parent.dataset.line) block.dataset.line = parent.dataset.line
      parent.replaceWith(block)
      continue
    }
    const pieces: (Node | string)[] = []
    for (const character of text.data) {
      const literal = literals.get(character)
      pieces.push(literal === undefined ? character : make(document, 'code', 'literal', literal))
    }
    text.replaceWith(...pieces)
    parent?.normalize()
  }
}

/** A list, so that what is replaced meanwhile is not skipped. */
function each<Kind extends HTMLElement = HTMLElement>(fragment: DocumentFragment, selector: string): Kind[] {
  return [...fragment.querySelectorAll<Kind>(selector)]
}
