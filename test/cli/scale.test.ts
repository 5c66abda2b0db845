/** The recipes of docs/scale.md, as they are there. `printf` is the one with xargs; that with `split` is in `recipes.test.ts`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { environment, folder, good, ocm, program } from './run-ocm.ts'

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

/**
 * Does what the recipe asks of GNU parallel, one part after the other: for machines that do not have it.
 * The recipe's own words are what is tested: options that it does not know are an error.
 */
const standIn = `#!${process.execPath}
const { readFileSync } = require('node:fs')
const { spawnSync } = require('node:child_process')
const [pipepart, block, one, keepOrder, a, file, ...command] = process.argv.slice(2)
if ([pipepart, block, one, keepOrder, a].join(' ') !== '--pipepart --block -1 --keep-order -a') process.exit(2)
const lines = readFileSync(file, 'utf8').split(/(?<=\\n)/)
for (const part of [lines.slice(0, 200), lines.slice(200)]) {
  const { status, stdout } = spawnSync(command.join(' '), { input: part.join(''), shell: true })
  process.stdout.write(stdout)
  if (status !== 0) process.exit(status ?? 1)
}
`

/** The recipes with the tools themselves, in `recipes.test.ts`, need no stand-in. */
const tools: readonly { readonly tool: string; readonly output: string; readonly program?: string }[] = [
  { tool: 'printf', output: 'part-all.jsonl.out' },
  ...(has('parallel', '--version')
    ? []
    : [{ tool: 'parallel', output: 'converted.jsonl', program: standIn }]),
]

for (const { tool, output, program: replacement } of tools) {
  test(`the recipe with ${tool}${replacement ? ' (a stand-in: GNU parallel is not installed)' : ''}`, (t) => {
    const recipe = recipes.find((it) => it.startsWith(tool))
    assert.ok(recipe)
    const cwd = folder(t, { 'data.jsonl': dataset, ...(tool === 'printf' && { 'part-all.jsonl': dataset }) })
    mkdirSync(join(cwd, 'bin'))
    const ocm = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`
    writeFileSync(join(cwd, 'bin', 'ocm'), ocm, { mode: 0o755 })
    if (replacement) writeFileSync(join(cwd, 'bin', tool), replacement, { mode: 0o755 })
    const env = { ...environment(), PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, SHELL: '/bin/sh' }
    const { status, stderr } = spawnSync('sh', ['-e', '-c', recipe], { cwd, env })
    assert.equal(status, 0, String(stderr))
    assert.equal(readFileSync(join(cwd, output), 'utf8'), dataset)
  })
}

test('the filter of Spark: lines in, lines out, and a bad one fails nothing', (t) => {
  const [, command] = /\.pipe\("(.*?)"\)/.exec(readFileSync('docs/scale.md', 'utf8')) ?? []
  assert.ok(command)
  const cwd = folder(t)
  writeFileSync(join(cwd, 'ocm'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  })
  const env = { ...environment(), PATH: `${cwd}:${process.env.PATH}` }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd,
    env,
    input: `${dataset}broken\n`,
  })
  assert.equal(status, 0)
  assert.equal(String(stdout), dataset)
  assert.match(String(stderr), /<stdin>:501:1: /)
})

nightly('shards do the whole together: check counts, and render prints, each sample once', async (t) => {
  // Shards have 1024 samples in turn.
  const many = Array.from({ length: 2200 }, (_, index) =>
    JSON.stringify({ messages: [{ role: 'user', content: `Question ${index}` }] }),
  )
  const cwd = folder(t, { 'data.jsonl': `${many.join('\n')}\n`, 'a.ocm': good })
  const rendered: string[] = []
  const checked: string[] = []
  for (const shard of ['1/2', '2/2']) {
    const inShard = ['--jobs', '1', '--shard', shard, 'data.jsonl']
    const { stdout } = await ocm(['render', ...inShard], { cwd })
    rendered.push(...(stdout.match(/Question \d+/g) ?? []))
    const { stdout: report } = await ocm(['check', '--format', 'json', ...inShard], { cwd })
    checked.push(...new Set(report.match(/data\.jsonl:\d+/g) ?? []))
  }
  assert.equal(rendered.length, many.length)
  assert.equal(new Set(rendered).size, many.length)
  assert.equal(checked.length, many.length)
  assert.equal(new Set(checked).size, many.length)
  for (const args of [
    ['render', '--shard', '1/2', 'a.ocm'],
    ['convert', '--to', 'messages', '--shard', '1/2', 'a.ocm'],
    ['check', '--fix', '--shard', '1/2', 'data.jsonl'],
    ['check', '--shard', '3/2', 'data.jsonl'],
  ]) {
    const { status, stderr } = await ocm(args, { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /--shard/)
  }
})
