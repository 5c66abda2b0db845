/** A page of the preview in a window without layout, and the checks that every page must pass. */
import assert from 'node:assert/strict'
import { JSDOM } from 'jsdom'
import { mathAttributes, mathElements } from '../../client/render/math.ts'
import type { FromPage, PageMessage, PagePart, ToPage } from '../../client/src/preview/preview-protocol.ts'
import { createPage } from '../../client/webview/preview-page.ts'
import { createRender } from '../../client/webview/rendered-body.ts'

/** A fresh window. */
export function freshWindow(): Window & typeof globalThis {
  const { window } = new JSDOM(
    '<!DOCTYPE html><html lang="en"><head><title>Preview</title></head><body></body></html>',
    {
      pretendToBeVisual: true,
      runScripts: 'outside-only',
    },
  )
  // There is no layout, so nothing scrolls.
  window.scrollTo = () => {}
  return window
}

const shared = freshWindow()
const render = createRender(shared)

/** Parts of a message as the page shows them. */
export function rendered(parts: string | readonly PagePart[]): HTMLElement {
  const element = shared.document.createElement('div')
  element.append(
    render({ parts: typeof parts === 'string' ? [{ kind: 'markdown', text: parts }] : parts, isJson: false }),
  )
  return element
}

const harmless = new Set([
  ...mathElements,
  ...'a blockquote br button code div em figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p path pre s span strong svg table tbody td th thead tr ul'.split(
    ' ',
  ),
])
const harmlessAttributes =
  /^(?:class|title|href|rel|dir|role|tabindex|type|start|viewBox|d|aria-[a-z]+|data-(?:line|action|image|description))$/

/** Fails if anything in `root` could run, load, or lead somewhere unasked. */
export function assertSafe(root: Element): void {
  for (const element of root.querySelectorAll('*')) {
    const tag = element.tagName.toLowerCase()
    const isMath = mathElements.includes(tag)
    if (!harmless.has(tag)) assert.fail(`<${tag}> in ${root.innerHTML}`)
    for (const { name, value } of element.attributes) {
      if (isMath && mathAttributes[name]?.test(value)) continue
      // The page is written out for a failure only: that costs more than all else here.
      if (!harmlessAttributes.test(name)) assert.fail(`${name}="${value}" in ${root.innerHTML}`)
      if (name === 'href') assert.match(value, /^(?:https?:\/\/|mailto:)/i)
      if (name === 'data-image') assert.match(value, /^data:image\/(?:png|gif|jpeg|webp|avif);base64,/i)
    }
  }
}

/** A message for a page. */
export function pageMessage(
  id: string,
  text: string | readonly PagePart[],
  more: Partial<PageMessage> = {},
): PageMessage {
  return {
    id,
    role: 'user',
    isPreamble: false,
    isJson: false,
    parts: typeof text === 'string' ? [{ kind: 'markdown', text }] : text,
    isTruncated: false,
    omitted: 0,
    ...more,
  }
}

/** Ends the current job: until then, the windows that were made in it stay in memory. */
export function windowsMayGo(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}

/** A running page, as the extension host sees it. */
export class TestPage {
  readonly window = freshWindow()
  readonly posted: FromPage[] = []
  state: unknown
  readonly send: (message: ToPage) => void
  #sequence = 0

  constructor(state?: unknown) {
    this.state = state
    this.send = createPage(this.window, {
      postMessage: (message) => this.posted.push(message),
      getState: () => this.state,
      setState: (next) => {
        this.state = next
      },
    })
  }

  get document(): Document {
    return this.window.document
  }

  /** The articles in order. */
  get articles(): HTMLElement[] {
    return [...this.document.querySelectorAll<HTMLElement>('.message')]
  }

  /** Begins a document and shows `messages`. */
  show(messages: readonly PageMessage[]): void {
    this.send({ kind: 'open', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
    this.update(
      messages.map((message, index) => {
        const after = messages[index - 1]?.id
        return { kind: 'insert', message, ...(after === undefined ? {} : { after }) }
      }),
      messages.length,
    )
  }

  /** Changes what is shown. */
  update(changes: Extract<ToPage, { kind: 'update' }>['changes'], total: number, first = 0): void {
    this.send({ kind: 'update', sequence: ++this.#sequence, first, total, changes })
  }

  /** What the page said of one kind. */
  said<Kind extends FromPage['kind']>(kind: Kind): Extract<FromPage, { kind: Kind }>[] {
    return this.posted.filter(
      (message): message is Extract<FromPage, { kind: Kind }> => message.kind === kind,
    )
  }
}
