/** The same extension in a Web Worker, without Node and without a file system, as on vscode.dev. */
import assert from 'node:assert/strict'
import { test } from '../suite/harness.ts'
import '../suite/activation.test.ts'

test('the extension host is a Web Worker', () => {
  assert.equal(typeof process, 'undefined')
  assert.equal('importScripts' in globalThis, true)
})
