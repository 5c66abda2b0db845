/** Neovim with the set-up that the documentation gives. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { answersOf, documentedSetUp, formatted, missing } from './editor.ts'

test('Neovim shows problems, explanations, proposals and the outline, and formats', {
  skip: missing('nvim', '--version'),
  timeout: 120_000,
}, async () => {
  const [, minor = 0] = /v0\.(\d+)/.exec(spawnSync('nvim', ['--version'], { encoding: 'utf8' }).stdout) ?? []
  const heading = Number(minor) >= 11 ? 'Neovim' : 'Neovim before 0.11'
  const driver = resolve('test/editors/neovim.lua')
  const answers = await answersOf(
    ['nvim', '--clean', '--headless', '-c', `luafile ${driver}`],
    await documentedSetUp(heading, 'lua'),
  )
  assert.equal(answers.filetype, 'openchatml')
  assert.deepEqual(answers.diagnostics, ['E-PARSE-HEADER'])
  assert.match(answers.hover, /The polished answer/)
  assert.deepEqual(answers.completions, ['analysis', 'commentary', 'final'])
  assert.deepEqual(answers.outline, ['Header', 'Turn 1'])
  assert.equal(answers.formatted, formatted)
})
