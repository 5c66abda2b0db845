/** The recipes of docs/scale.md run as they stand there. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { environment, folder, program } from './run-ocm.ts'

const recipes = [...readFileSync('docs/scale.md', 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, it]) => it ?? '',
)
const lines = Array.from({ length: 500 }, (_, index) =>
  JSON.stringify({ messages: [{ role: 'user', content: `Question ${index}` }] }),
)
const dataset = `${lines.join('\n')}\n`

function has(tool: string, ...args: string[]): boolean {
  return spawnSync(tool, args).status === 0
}

for (const [tool, isThere, output] of [
  ['split', has('split', '--version'), 'converted.jsonl'],
  ['parallel', has('parallel', '--version'), 'converted.jsonl'],
] as const) {
  test(`the recipe with ${tool}`, { skip: !isThere && `no GNU ${tool}` }, (t) => {
    const recipe = recipes.find((it) => it.startsWith(tool))
    assert.ok(recipe)
    const cwd = folder(t, { 'data.jsonl': dataset })
    mkdirSync(join(cwd, 'bin'))
    writeFileSync(join(cwd, 'bin', 'ocm'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
    chmodSync(join(cwd, 'bin', 'ocm'), 0o755)
    const env = { ...environment(), PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, SHELL: '/bin/sh' }
    const { status, stderr } = spawnSync('sh', ['-e', '-c', recipe], { cwd, env })
    assert.equal(status, 0, String(stderr))
    assert.equal(readFileSync(join(cwd, output), 'utf8'), dataset)
  })
}
