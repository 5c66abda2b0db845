/** The scripts of pages as they are built: a bundler decides what runs in them, and in which order. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freshWindow } from './dom.ts'

for (const name of ['main', 'dataset']) {
  test(`${name}.js starts, and says that it is ready`, () => {
    const window = freshWindow()
    const posted: { readonly kind: string }[] = []
    const host = {
      postMessage: (it: { readonly kind: string }) => posted.push(it),
      getState: () => undefined,
      setState: () => undefined,
    }
    Object.assign(window, {
      acquireVsCodeApi: () => host,
      ResizeObserver: NothingSeen,
      IntersectionObserver: NothingSeen,
    })
    window.eval(readFileSync(`dist/webview/${name}.js`, 'utf8'))
    assert.ok(posted.some(({ kind }) => kind === 'ready'))
    assert.ok(window.document.body.childElementCount > 0)
  })
}

test('review.js gives the pane to the page that loads it', () => {
  const window = freshWindow()
  let isGiven = false
  window.document.addEventListener('openchatml-review', () => {
    isGiven = true
  })
  window.eval(readFileSync('dist/webview/review.js', 'utf8'))
  assert.ok(isGiven)
})

/** An observer in a window without layout. */
class NothingSeen {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
