/** Where output goes: colours, closed pipes, much of it. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { bad, environment, folder, good, ocm, program, shell } from './run-ocm.ts'

const escapeCharacter = '\u001b'

test('no colours in a pipe, nor with NO_COLOR; with FORCE_COLOR there are', async () => {
  const hasColour = async (env: Readonly<Record<string, string>>) => {
    const { stdout, stderr } = await ocm(['check', '-', 'missing'], { input: bad, env })
    assert.equal(stdout.includes(escapeCharacter), stderr.includes(escapeCharacter))
    return stdout.includes(escapeCharacter)
  }
  assert.equal(await hasColour({}), false)
  assert.equal(await hasColour({ FORCE_COLOR: '1' }), true)
  assert.equal(await hasColour({ FORCE_COLOR: '0' }), false)
  assert.equal(await hasColour({ FORCE_COLOR: '1', NO_COLOR: '1' }), false)
  assert.equal(await hasColour({ FORCE_COLOR: '1', NO_COLOR: '' }), true)
})

test('JSON is never coloured', async () => {
  const run = await ocm(['check', '--format', 'json', '-'], { input: bad, env: { FORCE_COLOR: '1' } })
  assert.ok(!run.stdout.includes(escapeCharacter))
  assert.equal(JSON.parse(run.stdout).errors, 1)
})

test('a report replaces no transcript, no dataset, and nothing that it is about', async (t) => {
  const cwd = folder(t)
  const sample = `${JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })}\n`
  const files = {
    'a.ocm': bad,
    'other.ocm': bad,
    'a.jsonl': sample,
    'b.jsonl': sample,
    'list.json': `[${sample}]`,
    'named.txt': bad,
    'part.json': '{"schemaVersion":1}',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  symlinkSync('a.ocm', join(cwd, 'link.txt'))
  for (const args of [
    ['check', '--output-file', 'a.ocm', 'a.ocm'],
    ['check', '--output-file', 'other.ocm', 'a.ocm'],
    ['check', '--output-file', 'link.txt', 'other.ocm'],
    ['check', '--output-file', 'named.txt', 'named.txt'],
    ['check', '--output-file', 'a.jsonl', 'b.jsonl'],
    ['check', '--output-file', 'list.json', '.'],
    ['check', '--output-file', 'b.jsonl', '--against', 'b.jsonl', 'a.jsonl'],
    ['report', '--html', 'a.jsonl', 'a.jsonl'],
    ['report', '--html', 'a.jsonl', 'b.jsonl'],
    ['report', '--html', 'part.json', 'b.jsonl'],
  ]) {
    const { status, stderr } = await ocm(args, { cwd })
    assert.equal(status, 2, args.join(' '))
    assert.match(stderr, /does not replace/, args.join(' '))
    for (const [name, text] of Object.entries(files))
      assert.equal(readFileSync(join(cwd, name), 'utf8'), text, args.join(' '))
  }
  for (let run = 0; run < 2; run++) {
    assert.equal((await ocm(['check', '--output-file', 'report.txt', 'a.ocm'], { cwd })).status, 1)
    assert.equal(
      (await ocm(['check', '--format', 'json', '--output-file', 'report.json', 'a.ocm'], { cwd })).status,
      1,
    )
    assert.equal((await ocm(['report', '--html', 'page.html', 'a.jsonl'], { cwd })).status, 0)
  }
})

test('a place of a report that cannot be looked at is named', {
  skip: process.platform === 'win32' && 'links need a right',
}, async (t) => {
  const cwd = folder(t, { 'a.jsonl': '{"messages": []}\n' })
  symlinkSync('loop', join(cwd, 'loop'))
  for (const args of [
    ['check', '--output-file', 'loop/report.txt', 'a.jsonl'],
    ['report', '--html', 'loop/report.html', 'a.jsonl'],
  ]) {
    const { status, stderr } = await ocm(args, { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /^ocm: loop\/report\.\w+: its symbolic links form a loop\n$/)
  }
})

nightly(
  'a report that cannot be written leaves the one before, and nothing else',
  {
    skip: process.platform === 'win32' && 'no limits of files',
  },
  async (t) => {
    const page = '<!doctype html>of last time'
    for (const isLinked of [false, true]) {
      const cwd = folder(t, {
        'a.ocm': bad.repeat(200),
        'a.jsonl': `${JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })}\n`,
        'report.html': page,
        'new/readme': '',
      })
      if (isLinked) linkSync(join(cwd, 'report.html'), join(cwd, 'other'))
      const names = readdirSync(cwd)
      for (const command of [
        'check --output-file report.html a.ocm',
        'report --html report.html a.jsonl',
        ...(isLinked
          ? []
          : ['check --output-file new/report.txt a.ocm', 'report --html new/report.html a.jsonl']),
      ]) {
        const { status, stdout, stderr } = await shell(`ulimit -f 8; trap '' XFSZ; ocm ${command}`, cwd)
        assert.deepEqual([status, stdout], [2, ''], command)
        assert.match(stderr, /^ocm: .*: the file would be too large$/m, command)
        assert.equal(readFileSync(join(cwd, 'report.html'), 'utf8'), page, command)
        assert.deepEqual([readdirSync(cwd), readdirSync(join(cwd, 'new'))], [names, ['readme']], command)
      }
      const broken = ['check', '--config', 'missing.yaml', '--output-file', 'report.html', 'a.ocm']
      assert.equal((await ocm(broken, { cwd })).status, 2)
      assert.equal(readFileSync(join(cwd, 'report.html'), 'utf8'), page)
      assert.equal((await ocm(['report', '--html', 'report.html', 'a.jsonl'], { cwd })).status, 0)
      if (isLinked)
        assert.equal(readFileSync(join(cwd, 'other'), 'utf8'), readFileSync(join(cwd, 'report.html'), 'utf8'))
    }
  },
)

test('a result that does not fit on the disk to its end is a failure', {
  skip: process.platform === 'win32' && 'no limits of files',
}, async (t) => {
  const content = 'x'.repeat(1000)
  const sample = `${JSON.stringify({ messages: [{ role: 'user', content }] })}\n`
  for (const [nSamples, nTexts] of [
    [10, 100],
    [200, 800],
  ] as const) {
    const cwd = folder(t, { 'a.jsonl': sample.repeat(nSamples), 'a.ocm': bad.repeat(nTexts) })
    for (const command of [
      'convert --to messages a.jsonl',
      'filter x a.jsonl',
      'render a.jsonl',
      'parse a.ocm',
      'format a.ocm',
      'check --format json a.ocm',
    ]) {
      const { status, stderr } = await shell(`ulimit -f 4; trap '' XFSZ; ocm ${command} > result`, cwd)
      assert.equal(status, 2, command)
      assert.match(stderr, /^ocm: standard output: the file would be too large$/m, command)
    }
  }
})

test('a report goes into a pipe, until its reader has gone', {
  skip: process.platform === 'win32' && 'no named pipes',
}, async (t) => {
  const cwd = folder(t, {
    'a.ocm': bad.repeat(400), // more problems than a pipe holds
    'a.jsonl': `${JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })}\n`,
  })
  for (const command of ['check --output-file pipe a.ocm', 'report --html pipe a.jsonl']) {
    const all = await shell(`mkfifo pipe; cat pipe > all & ocm ${command}; echo $?; wait; rm pipe`, cwd)
    assert.match(all.stdout, /^[01]\n$/)
    assert.ok(readFileSync(join(cwd, 'all')).length > 1000)
    const part = await shell(`mkfifo pipe; head -c 1 pipe > part & ocm ${command}; wait; rm pipe`, cwd)
    assert.deepEqual([part.stdout, part.stderr], ['', ''])
  }
})

/** Runs with a reader that goes away after the first piece. */
async function runUntilReaderLeaves(args: readonly string[], input: string) {
  const child = spawn(process.execPath, [program, ...args], { env: environment(), stdio: 'pipe' })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  child.stdout.once('data', () => child.stdout.destroy())
  const [status] = await once(child, 'close')
  return { status, stderr }
}

test('a reader that leaves is no failure', async () => {
  const many = 'version: 2.2\n' + '<|start|>user<|message|>Hello there<|end|>\n'.repeat(8000)
  for (const args of [
    ['parse', '-'],
    ['parse', '--tree', '-'],
    ['render', '-'],
  ]) {
    assert.deepEqual(await runUntilReaderLeaves(args, many), { status: 0, stderr: '' }, args.join(' '))
  }
})

test('a reader that leaves does not turn problems into success', async () => {
  const many = 'version: 2.2\n' + bad.slice(bad.indexOf('\n') + 1).repeat(1500)
  assert.deepEqual(await runUntilReaderLeaves(['check', '-'], many), { status: 1, stderr: '' })
})

test('a reader that leaves does not turn input that cannot be read into success', async () => {
  const sample = (index: number) =>
    JSON.stringify({
      messages: [{ role: 'user', content: 'Hello '.repeat(40) }],
      [`field-${index % 190}-${'x'.repeat(200)}`]: index,
    })
  const samples = `${Array.from({ length: 400 }, (_, index) => sample(index)).join('\n')}\n{broken\n`
  for (const args of [
    ['stats', '--format', 'json', '-'],
    ['filter', '--sample', '390', '--seed', '1', 'turns>=0', '-'],
    ['report', '--format', 'json', '-'],
  ]) {
    const { status, stderr } = await runUntilReaderLeaves([...args, '--jsonl'], samples)
    assert.equal(status, 2, args.join(' '))
    assert.match(stderr, /^ocm: <stdin>:401:/, args.join(' '))
  }
  const many = 'version: 2.2\n' + '<|start|>user<|message|>Hello there<|end|>\n'.repeat(8000)
  const parse = await runUntilReaderLeaves(['parse', '--config', 'missing.json', '-'], many)
  assert.equal(parse.status, 2)
})

test('much output arrives whole', async (t) => {
  const text = 'version: 2.2\n' + '<|start|>user<|message|>Grüß Gott<|end|>\n'.repeat(10_000)
  const { status, stdout } = await ocm(['parse', 'a.ocm'], { cwd: folder(t, { 'a.ocm': text }) })
  assert.equal(status, 0)
  assert.equal(JSON.parse(stdout).messages.length, 10_000)
})

test('nothing but the result on standard output', async (t) => {
  const cwd = folder(t, { 'a.ocm': good })
  const { stdout, stderr } = await ocm(['check', '--format', 'json', 'missing', 'a.ocm', 'empty'], { cwd })
  assert.deepEqual(JSON.parse(stdout).errors, 2)
  assert.equal(stderr.trim().split('\n').length, 2)
})

/** Runs `args` with a terminal as standard output. */
function onTerminal(args: readonly string[], cwd: string) {
  return shell(
    `script -qec "'${process.execPath}' '${program}' ${args.join(' ')}" /dev/null < /dev/null`,
    cwd,
  )
}

test('a transcript sends nothing to a terminal, whatever prints it', {
  skip: process.platform !== 'linux' && '`script` is another program elsewhere',
}, async (t) => {
  const hostile = 'a\u001b]0;title\u0007\u009b31mb\u202ec'
  const transcript = `version: 2.2\n<|start|>user  name=ann<|message|>${hostile}<|end|>\n`
  const cwd = folder(t, {
    'a.ocm': transcript,
    'a.jsonl': `${JSON.stringify({ messages: [{ role: 'user', content: hostile }] })}\n`,
  })
  for (const command of ['format', 'format --diff', 'parse --tree', 'render --as next-prompt', 'convert']) {
    for (const file of /^(?:render|convert)/.test(command) ? ['a.ocm', 'a.jsonl'] : ['a.ocm']) {
      const { stdout } = await onTerminal([command, file], cwd)
      assert.doesNotMatch(stdout, /\u001b\]|[\u0007\u009b\u202e]/, `${command} ${file}`)
      assert.ok(stdout.length > 0, `${command} ${file}`)
    }
  }
})

test('a full disk is told in words', {
  skip: process.platform !== 'linux' && 'there is no /dev/full',
}, async (t) => {
  const { status, stderr } = await shell('ocm check a.ocm > /dev/full', folder(t, { 'a.ocm': bad }))
  assert.deepEqual({ status, stderr }, { status: 2, stderr: 'ocm: standard output: the disk is full\n' })
})

test('a folder for temporary files that cannot be used is named', async (t) => {
  const properties = { a: { type: 'string' } }
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } }]
  const called = { type: 'function', id: 'c', function: { name: 'f', arguments: '{"a":null}' } }
  const sample = `${JSON.stringify({ messages: [{ role: 'assistant', tool_calls: [called] }], tools })}\n`
  const cwd = folder(t, { 'a.jsonl': sample.repeat(5) })
  const { status, stderr } = await ocm(['check', '--fix', '--in-place', 'a.jsonl'], {
    cwd,
    env: { TMPDIR: join(cwd, 'missing'), TEMP: join(cwd, 'missing') },
  })
  assert.equal(status, 2)
  assert.match(stderr, /missing: there is no such file or directory/)
  assert.equal(readFileSync(join(cwd, 'a.jsonl'), 'utf8'), sample.repeat(5))
})
