/** Menus of the list, by the keyboard. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMenu } from '../../client/webview/dataset/column-menu.ts'
import { freshWindow } from '../preview/dom.ts'

test('letters go to the next item that begins with them, as in other menus', () => {
  const window = freshWindow()
  const { document } = window
  const anchor = document.createElement('button')
  document.body.append(anchor)
  const names = ['Tokens', 'turns', 'source', 'score', 'split', 'tools']
  openMenu(anchor, 'Columns', () => names.map((text) => ({ text, run: () => {} })))
  const menu = document.querySelector('.menu')
  let now = 0
  const press = (key: string, { after = 100, ...held }: { after?: number; ctrlKey?: boolean } = {}) => {
    const event = new window.KeyboardEvent('keydown', { key, bubbles: true, ...held })
    now += after
    Object.defineProperty(event, 'timeStamp', { value: now })
    menu?.dispatchEvent(event)
    return document.activeElement?.textContent
  }
  assert.equal(document.activeElement?.textContent, 'Tokens')
  assert.equal(press('s', { after: 5000 }), 'source')
  assert.equal(press('c'), 'score')
  assert.equal(press('x'), 'score', 'no item begins with "scx"')
  assert.equal(press('s', { after: 5000 }), 'split')
  assert.equal(press('s'), 'source', 'the same letter goes on')
  assert.equal(press('s'), 'score')
  assert.equal(press('T', { after: 5000 }), 'tools', 'whatever the case')
  assert.equal(press('u'), 'turns')
  assert.equal(press('s', { after: 5000, ctrlKey: true }), 'turns', 'shortcuts are not letters')
  assert.equal(press(' '), 'turns')
  window.close()
})
