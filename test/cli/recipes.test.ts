/** Every recipe in the documentation does what it says: it runs here as it is written there. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { nightly } from '../helpers/nightly.ts'
import { commandFolder } from './command-folder.ts'
import { bad, fixable, good } from './run-ocm.ts'

const skip = process.platform === 'win32' && 'the recipes are for a POSIX shell'

/** The blocks of code in a page, by their language. */
function blocks(page: string, language: string): readonly string[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, its, code = '']) =>
    its === language ? [code] : [],
  )
}

function recipe(page: string, language: string, part: string): string {
  const found = blocks(page, language).filter((it) => it.includes(part))
  assert.equal(found.length, 1, `${page} has one recipe with ${part}`)
  return found[0] ?? ''
}

const has = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

test('a build fails on errors and warnings', { skip }, (t) => {
  const line = recipe('docs/ci.md', 'sh', 'npx ocm check --fail-on warning transcripts')
  assert.equal(commandFolder(t, { 'transcripts/a.ocm': good }).sh(line).status, 0)
  assert.equal(commandFolder(t, { 'transcripts/a.ocm': fixable }).sh(line).status, 1)
  assert.equal(commandFolder(t, {}).sh(line).status, 2, 'a folder that is not there')
})

test('a fix that is left unapplied fails, and so does a check that fails', { skip }, (t) => {
  const line = recipe('docs/ci.md', 'sh', 'ocm check --diff transcripts')
  assert.equal(commandFolder(t, { 'transcripts/a.ocm': good }).sh(line).status, 0)
  assert.equal(commandFolder(t, { 'transcripts/a.ocm': bad }).sh(line).status, 0, 'nothing can be fixed')
  assert.equal(commandFolder(t, { 'transcripts/a.ocm': fixable }).sh(line).status, 1)
  assert.equal(commandFolder(t, {}).sh(line).status, 2)
})

test('a hook checks what is staged', { skip }, (t) => {
  const hook = recipe('docs/ci.md', 'sh', 'git diff --cached')
  const { cwd, env, write } = commandFolder(t, { 'sub/a b.ocm': good, 'data.jsonl': '{"text":"x"}\n' })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd,
      env,
      stdio: 'pipe',
    })
  const commits = () => {
    try {
      git('commit', '-qm', 'x')
      return true
    } catch {
      return false
    }
  }
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first', '--no-verify')
  write('.git/hooks/pre-commit', hook)
  chmodSync(join(cwd, '.git/hooks/pre-commit'), 0o755)
  write('sub/a b.ocm', bad)
  git('add', '.')
  write('sub/a b.ocm', good)
  assert.equal(commits(), false, 'bad content is staged, whatever the file holds by now')
  git('add', '.')
  write('sub/a b.ocm', bad)
  write('sub/c.ocm', good)
  git('add', 'sub/c.ocm')
  assert.equal(commits(), true, 'only the file in the working tree is bad')
  write('data.jsonl', '{broken\n')
  git('add', 'data.jsonl')
  assert.equal(commits(), false, 'a dataset is checked by its name')
})

test('a target of a Makefile', { skip: skip || (!has('make') && 'there is no make here') }, (t) => {
  const makefile = recipe('docs/ci.md', 'make', 'ocm check')
  for (const [text, status] of [
    [good, 0],
    [fixable, 2], // what make says of any failure
  ] as const)
    assert.equal(
      commandFolder(t, { Makefile: makefile, 'transcripts/a.ocm': text }).sh('make check').status,
      status,
    )
})

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, string>>
}

test('on GitHub, the check fails the job, and SARIF is uploaded all the same', { skip }, (t) => {
  const flows = blocks('docs/ci.md', 'yaml').filter((it) => it.includes('runs-on:'))
  assert.equal(flows.length, 2)
  let nUploads = 0
  for (const flow of flows) {
    const { cwd, sh } = commandFolder(t, { 'transcripts/a.ocm': bad })
    const steps: readonly Step[] = parse(flow).jobs.check.steps
    let hasFailed = false
    for (const { run, uses = '', if: condition = 'success()', with: inputs } of steps) {
      if (hasFailed && !/always\(\)|!cancelled\(\)/.test(condition)) continue
      if (run !== undefined) hasFailed = sh(run).status !== 0
      if (!uses.startsWith('github/codeql-action/upload-sarif')) continue
      const { runs } = JSON.parse(readFileSync(join(cwd, inputs?.sarif_file ?? ''), 'utf8'))
      assert.equal(runs[0].results[0].ruleId, 'repeated-channel')
      nUploads++
    }
    assert.ok(hasFailed)
  }
  assert.equal(nUploads, 1)
})

test('on GitLab, the check fails the job, and SARIF is kept all the same', { skip }, (t) => {
  const { transcripts: job } = parse(recipe('docs/ci.md', 'yaml', 'artifacts:'))
  const { cwd, sh } = commandFolder(t, { 'transcripts/a.ocm': bad })
  const hasFailed = (job.script as readonly string[]).some((line) => sh(line).status !== 0)
  assert.ok(hasFailed)
  assert.equal(job.artifacts.when, 'always')
  for (const path of job.artifacts.paths)
    assert.equal(JSON.parse(readFileSync(join(cwd, path), 'utf8')).runs[0].results.length, 1)
})

const sample = (text: string) => `${JSON.stringify({ messages: [{ role: 'user', content: text }] })}\n`
const samples = Array.from({ length: 20 }, (_, index) => sample(String(index))).join('')

for (const tool of ['split', 'parallel']) {
  const register: typeof nightly = tool === 'split' ? test : nightly
  register(
    `${tool} converts parts of a dataset, in order`,
    {
      skip: skip || (!has(tool) && `there is no ${tool} here`),
    },
    (t) => {
      const line = recipe('docs/scale.md', 'sh', `${tool} -`)
      const { cwd, sh } = commandFolder(t, { 'data.jsonl': samples })
      const { status, stderr } = sh(line)
      assert.equal(status, 0, stderr)
      const converted = readFileSync(join(cwd, 'converted.jsonl'), 'utf8').trimEnd().split('\n')
      const texts = converted.map((it) => JSON.parse(it).messages[0].content)
      assert.deepEqual(
        texts,
        Array.from({ length: 20 }, (_, index) => String(index)),
      )
      const broken = commandFolder(t, { 'data.jsonl': `{broken\n${samples}` })
      assert.notEqual(broken.sh(line).status, 0)
      if (tool === 'split') assert.ok(!existsSync(join(broken.cwd, 'converted.jsonl')))
    },
  )
}

test('the action for GitHub reports problems, writes SARIF, and fails as asked', { skip }, (t) => {
  const { inputs, runs } = parse(readFileSync('action.yml', 'utf8')) as Action
  const [{ run, env: variables }] = runs.steps
  const act = (files: Readonly<Record<string, string>>, given: Readonly<Record<string, string>>) => {
    const place = commandFolder(t, files)
    const values = Object.entries(variables).map(([name, expression]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression)?.[1] ?? ''
      assert.ok(Object.hasOwn(inputs, input), expression)
      return [name, given[input] ?? inputs[input]?.default ?? ''] as const
    })
    // What `npx` would install is the built program.
    const npx = join(place.cwd, '..', 'bin', 'npx')
    writeFileSync(npx, '#!/bin/sh\nshift 3\nexec "$@"\n')
    const env = { ...place.env, ...Object.fromEntries(values) }
    return { ...place, ...spawnSync('bash', ['-e', '-c', run], { cwd: place.cwd, env, encoding: 'utf8' }) }
  }
  assert.equal(act({ 'a.ocm': good }, {}).status, 0)
  assert.equal(act({ 'a.ocm': fixable }, {}).status, 0)
  assert.equal(act({ 'a.ocm': fixable }, { 'fail-on': 'warning' }).status, 1)
  const failed = act({ 'one/a.ocm': bad, 'two/b.ocm': good }, { paths: 'one two', sarif: 'report.sarif' })
  assert.equal(failed.status, 1)
  assert.match(failed.stdout, /^::error file=one\/a\.ocm/m)
  const sarif = JSON.parse(readFileSync(join(failed.cwd, 'report.sarif'), 'utf8'))
  assert.equal(sarif.runs[0].results.length, 1)
})

test('the hooks for pre-commit run commands that exist, on files that have problems', { skip }, (t) => {
  const hooks = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as readonly Hook[]
  assert.deepEqual(
    hooks.map(({ id }) => id),
    ['ocm-check', 'ocm-format'],
  )
  for (const { entry, files } of hooks) {
    assert.match('data/a.ocm', new RegExp(files))
    const place = commandFolder(t, { 'a.ocm': good, 'b.ocm': bad })
    assert.equal(place.sh(`${entry} a.ocm`).status, 0, entry)
    if (entry === 'ocm check') assert.equal(place.sh(`${entry} a.ocm b.ocm`).status, 1)
  }
})

/** What the test reads of the action. */
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: {
    readonly steps: readonly [{ readonly run: string; readonly env: Readonly<Record<string, string>> }]
  }
}

/** What the test reads of a hook. */
interface Hook {
  readonly id: string
  readonly entry: string
  readonly files: string
}
