/** Emacs with Eglot and the set-up that the documentation gives. */
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { answersOf, documentedSetUp, formatted, missing } from './editor.ts'

const hasEglot = ['--batch', '--eval', "(progn (require 'package) (package-initialize) (require 'eglot))"]

test('Emacs shows problems, explanations, proposals and the outline, and formats', {
  skip: missing('emacs', '--version') || missing('emacs', ...hasEglot),
  timeout: 120_000,
}, async () => {
  const driver = resolve('test/editors/emacs.el')
  const answers = await answersOf(['emacs', '--batch', '-l', driver], await documentedSetUp('Emacs', 'elisp'))
  assert.equal(answers.mode, 'openchatml-mode')
  assert.equal(answers.diagnostics.length, 1)
  assert.match(answers.diagnostics[0] ?? '', /E-PARSE-HEADER/)
  assert.match(answers.hover, /The polished answer/)
  assert.deepEqual(answers.completions, ['analysis', 'commentary', 'final'])
  assert.equal(answers.formatted, formatted)
})
