/** Never green by accident: what cannot be read is in every report, and nothing to check is no success. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { JSDOM } from 'jsdom'
import { bad, folder, good, ocm, shell } from './run-ocm.ts'

const sampleSaying = (content: string) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content },
    ],
  })
const sample = sampleSaying('Hello')
const dataset = `${sample}\n{broken\n\n{"x":1}\n`

async function check(cwd: string, ...args: string[]) {
  return ocm(['check', ...args], { cwd })
}

test('input that cannot be read is on a terminal once', async (t) => {
  const cwd = folder(t, { 'data/a.jsonl': dataset })
  const count = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
    [stdout, stderr].map((it) => it.split('needs double quotes').length - 1)
  const run = (isTerminal: boolean, ...args: string[]) =>
    ocm(['check', '--color', 'never', ...args, 'data'], { cwd, isTerminal })

  const onTerminal = await run(true)
  assert.deepEqual([onTerminal.status, ...count(onTerminal)], [2, 1, 0])
  assert.deepEqual(count(await run(true, '--statistics')), [0, 1])
  assert.deepEqual(count(await run(true, '--output-file', 'report.txt')), [0, 1])
  assert.deepEqual(count(await run(false)), [1, 1])
})

test('samples that cannot be read are in every report, at their place, and in the sums', async (t) => {
  const cwd = folder(t, { 'data/a.jsonl': dataset })
  const json = await check(cwd, '--format', 'json', 'data')
  assert.equal(json.status, 2)
  const report = JSON.parse(json.stdout)
  assert.equal(report.errors, 2)
  const [, first, second] = report.files
  assert.deepEqual(first, {
    path: 'data/a.jsonl',
    sample: 'data/a.jsonl:2',
    diagnostics: [
      {
        code: 'E-INPUT',
        rule: 'unreadable-input',
        url: `${pathToFileURL(resolve('docs/command-line.md'))}#input-that-cannot-be-read`,
        severity: 'error',
        message: 'The key `broken` needs double quotes',
        range: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } },
      },
    ],
  })
  assert.deepEqual(second.diagnostics[0].range.start, { line: 3, character: 0 })

  const pretty = await check(cwd, 'data')
  assert.match(pretty.stdout, /^data\/a\.jsonl:2:2: error: The key .* \[E-INPUT unreadable-input\]$/m)
  assert.match(pretty.stdout, /^2 errors in 3 samples$/m)

  const github = await check(cwd, '--format', 'github', 'data')
  assert.match(
    github.stdout,
    /^::error file=data\/a\.jsonl,line=2,col=2,title=E-INPUT unreadable-input::The key/,
  )

  const junit = await check(cwd, '--format', 'junit', 'data')
  const { document } = new JSDOM(junit.stdout, { contentType: 'text/xml' }).window
  assert.equal(document.querySelectorAll('error[type="E-INPUT"]').length, 2)
  assert.equal(document.querySelectorAll('testsuite[errors="1"]').length, 2)

  const sarif = JSON.parse((await check(cwd, '--format', 'sarif', 'data')).stdout).runs[0]
  const places = sarif.results.map(
    (it: { locations: { physicalLocation: { region: { startLine: number } } }[] }) =>
      it.locations[0]?.physicalLocation.region.startLine,
  )
  assert.deepEqual(places, [2, 4])
  const [invocation] = sarif.invocations
  assert.equal(invocation.executionSuccessful, false)
  assert.equal(invocation.toolExecutionNotifications.length, 2)
  assert.deepEqual(invocation.toolExecutionNotifications[0].descriptor, { id: 'E-INPUT' })

  const statistics = await check(cwd, '--statistics', 'data')
  assert.match(statistics.stdout, /^2 {2}error {2}E-INPUT {2}unreadable-input$/m)
})

test('what may be skipped is reported as information, and does not decide on the status', async (t) => {
  const cwd = folder(t, { 'a.jsonl': dataset })
  const { status, stdout } = await check(cwd, '--bad-lines', 'skip', '--fail-on', 'hint', 'a.jsonl')
  assert.equal(status, 0)
  assert.match(stdout, /^a\.jsonl:2:2: information: .* \[E-INPUT unreadable-input\]$/m)
})

test('files that cannot be read, and configurations with mistakes, are in the report', async (t) => {
  const cwd = folder(t, {
    'a.ocm': good,
    'b.ocm': Buffer.from('version: 2.2\ncaf\xe9\n', 'latin1'),
    'sub/.openchatml.yaml': 'rules:\n  unknown-role: loud\n',
    'sub/c.ocm': bad,
  })
  const { stdout, status } = await check(cwd, '--format', 'json', 'a.ocm', 'b.ocm', 'missing.ocm', 'sub')
  assert.equal(status, 2)
  const { files, errors } = JSON.parse(stdout)
  assert.equal(errors, 4)
  const found = files.flatMap((it: { path: string; diagnostics: { code: string; range: object }[] }) =>
    it.diagnostics.map(({ code }) => `${it.path} ${code}`),
  )
  assert.equal(found.length, 4)
  assert.deepEqual(found.slice(0, 2), ['b.ocm E-INPUT', 'missing.ocm E-INPUT'])
  assert.match(found[2], /sub\/\.openchatml\.yaml E-INPUT$/)
  assert.equal(found[3], 'sub/c.ocm E-PARSE-HEADER')
  const few = await check(cwd, '--max-problems', '0', 'b.ocm')
  assert.match(few.stdout, /E-INPUT/, 'it is listed in any case')
  assert.equal((await check(cwd, '--diff', 'b.ocm')).stdout, '', 'a diff holds nothing else')
})

test('nothing to check is an error, unless it is allowed', async (t) => {
  const cwd = folder(t, {
    'empty/readme.txt': 'x',
    'none.jsonl': '\n',
    'none.json': '[ ]',
    'blank.json': '\n',
    'blank.txt': '\n',
    'fine/a.ocm': good,
    'data/a.jsonl': `${sample}\n`,
    'none/none.jsonl': '\n',
    'other/a.jsonl': '{"x": 1}\n',
  })
  for (const args of [
    ['check', 'empty'],
    ['check', 'none.jsonl'],
    ['check', 'none.json'],
    ['check', 'blank.json'],
    ['check', 'blank.txt'],
    ['check', '-'],
    ['check', '--jsonl', '-'],
    ['check', 'missing'],
    ['check', '*.ocm'],
    ['format', '--check', 'empty'],
    ['format', '--check', 'data'],
    ['render', '--check', 'empty'],
    ['render', '--check', 'data'],
    ['tokens', 'empty'],
    ['check', 'fine/a.ocm', 'none.jsonl'],
    ['check', 'fine/a.ocm', 'none.json'],
    ['check', 'fine/a.ocm', 'blank.txt'],
    ['check', 'fine/a.ocm', '-'],
    ['check', 'fine/a.ocm', 'none'],
    ['check', 'fine/a.ocm', 'other'],
    ['check', 'fine/a.ocm', 'none/*.jsonl'],
    ['check', '--shard', '2/2', 'none'],
    ['check', '--against', 'none.jsonl', 'data'],
    ['report', 'none.jsonl'],
    ['report', '--against', 'none.jsonl', 'data'],
    ['review', 'stats', 'none.jsonl'],
    ['review', 'apply', '--require-all', 'none.jsonl'],
    ['format', '-'],
    ['format', '--check', 'blank.txt'],
  ]) {
    const { status, stderr } = await ocm(args, { cwd })
    assert.equal(status, 2, args.join(' '))
    assert.match(stderr, /^(?:ocm: other\/.*\n)?ocm: \S+: /, args.join(' '))
    const isPath = ['missing', '*.ocm'].includes(args.at(-1) ?? '')
    const allowed = await ocm([...args, '--allow-empty'], { cwd })
    assert.equal(allowed.status, isPath ? 2 : 0, args.join(' '))
  }
})

test('nothing is not converted to a conversation without messages', async (t) => {
  const cwd = folder(t, { 'blank.json': '\n', 'blank.txt': '', 'none.json': '[ ]', 'new.ocm': '' })
  const commands = [
    ['convert', '--to', 'messages'],
    ['convert', '--from', 'harmony', '--to', 'messages'],
    ['render'],
    ['render', '--as', 'next-prompt'],
    ['tokens'],
    ['tokens', '--from', 'harmony'],
    ['parse'],
    ['parse', '--tree'],
    ['format'],
    ['match', 'new.ocm', '--mode', 'subset'],
  ]
  for (const args of commands) {
    for (const path of ['blank.json', 'blank.txt', '-'])
      assert.deepEqual(await ocm([...args, path], { cwd }), {
        status: 2,
        stdout: '',
        stderr: `ocm: ${path === '-' ? '<stdin>' : path}: is empty\n`,
      })
    if (args[0] === 'parse' || args[0] === 'format') continue // which refuse all JSON
    if (args.includes('harmony')) continue // a text that is not an empty list
    const list = { status: 2, stdout: '', stderr: 'ocm: none.json: is an empty list\n' }
    assert.deepEqual(await ocm([...args, 'none.json'], { cwd }), list)
    const { stderr } = await ocm([...args, '-'], { cwd, input: '[]' })
    assert.equal(stderr, 'ocm: <stdin>: is an empty list\n')
  }
})

test('a dataset without samples is mentioned, also where the other samples of a part are elsewhere', async (t) => {
  const cwd = folder(t, { 'none.jsonl': '\n', 'data/none.jsonl': '', 'data/a.jsonl': `${sample}\n` })
  const stderr = 'ocm: none.jsonl: contains no samples\n'
  for (const args of [['convert'], ['render'], ['tokens'], ['filter', 'Hi'], ['review', 'apply']]) {
    assert.deepEqual(await ocm([...args, 'none.jsonl'], { cwd }), { status: 0, stdout: '', stderr })
    const allowed = await ocm([...args, '--allow-empty', 'none.jsonl'], { cwd })
    assert.deepEqual(allowed, { status: 0, stdout: '', stderr: '' })
  }
  for (const shard of [[], ['--shard', '2/2']])
    assert.deepEqual(await ocm(['stats', ...shard, 'none.jsonl'], { cwd }), {
      status: 0,
      stdout: '0 samples\n',
      stderr,
    })
  const nothingFound = await ocm(['filter', 'Absent', 'data/a.jsonl'], { cwd })
  assert.deepEqual(nothingFound, { status: 0, stdout: '', stderr: '' }, 'it has samples')
  const piped = await ocm(['convert', '--jsonl', '-'], { cwd })
  assert.deepEqual(piped, { status: 0, stdout: '', stderr: 'ocm: <stdin>: contains no samples\n' })
  assert.equal((await check(cwd, 'data')).status, 0, 'there is something in the folder')
})

test('what a failed program wrote is not checked as a transcript, but a new transcript is', async (t) => {
  const cwd = folder(t, { 'new.ocm': '' })
  for (const input of ['', '\r\n', '\ufeff', '[]']) {
    const { status, stdout, stderr } = await ocm(['check', '-'], { cwd, input })
    assert.equal(status, 2)
    assert.match(stdout, /^<stdin>: error: contains nothing to check \[E-INPUT unreadable-input\]\n/)
    assert.equal(stderr, 'ocm: <stdin>: contains nothing to check\n')
  }
  for (const args of [['new.ocm'], ['--stdin-filename', 'new.ocm', '-']])
    assert.deepEqual(await check(cwd, ...args), { status: 0, stdout: 'No problems in 1 file\n', stderr: '' })
})

test('a part of a dataset may be empty, unless the dataset is', async (t) => {
  const cwd = folder(t, { 'a.jsonl': `${sample}\n`, 'none.jsonl': '' })
  assert.deepEqual(await check(cwd, '--shard', '2/2', 'a.jsonl'), {
    status: 0,
    stdout: 'No problems in 0 files\n',
    stderr: '',
  })
  assert.equal((await check(cwd, '--shard', '1/2', 'none.jsonl')).status, 2)
})

test('a dataset is refused where one conversation is read, with what to do', async (t) => {
  const lines = `${sample}\n${sample}\n`
  const list = `[${sample},\n${sample}]`
  const cwd = folder(t, {
    'a.jsonl': lines,
    'a.json': list,
    'lines.txt': lines,
    'list.txt': list,
    'a.ocm': good,
    'a.jsonl.gz': gzipSync(lines),
    'a.parquet': 'PAR1',
  })
  for (const path of ['a.jsonl', 'a.json', 'lines.txt', 'list.txt', 'a.jsonl.gz', 'a.parquet'])
    for (const args of [
      ['match', path, 'a.ocm'],
      ['render', '--check', path],
      ['render', '--case', 'x', path],
    ]) {
      const { status, stderr } = await ocm(args, { cwd })
      assert.deepEqual([status, stderr], [2, `ocm: ${path}: is a dataset; expected a single conversation\n`])
    }

  const advice: readonly (readonly [name: string, input: string, message: string])[] = [
    ['lines.txt', lines, 'has a JSON value on each line; pass `--jsonl` to read the lines as samples'],
    ['list.txt', list, 'is a list of conversations; pass `--jsonl` to read them as samples'],
  ]
  for (const [name, input, message] of advice)
    for (const path of [name, '-'])
      for (const command of ['check', 'convert', 'render', 'tokens']) {
        const { status, stderr } = await ocm([command, path], { cwd, input })
        assert.deepEqual([status, stderr], [2, `ocm: ${path === '-' ? '<stdin>' : path}: ${message}\n`])
        assert.equal((await ocm([command, '--jsonl', path], { cwd, input })).status, 0)
      }
})

test('CSV is refused by every command, with what to do', async (t) => {
  const cwd = folder(t, { 'a.csv': 'instruction,output\nHi,Hello\n' })
  for (const args of [
    ['check'],
    ['convert'],
    ['render'],
    ['tokens'],
    ['format', '--check'],
    ['filter', 'Hi'],
    ['stats'],
    ['review', 'stats'],
  ]) {
    const { status, stderr } = await ocm([...args, 'a.csv'], { cwd })
    assert.deepEqual([status, stderr], [2, 'ocm: a.csv: is CSV; convert it to JSONL or Parquet\n'])
  }
})

test('a file of cases is said to be checked with its prompt', async (t) => {
  const cwd = folder(t, { 'p.cases.yaml': 'a: {}\n' })
  const { status, stderr } = await ocm(['check', 'p.cases.yaml'], { cwd })
  assert.deepEqual(
    [status, stderr],
    [2, 'ocm: p.cases.yaml: is a file of cases, which is checked with its prompt; name `p.ocm` instead\n'],
  )
})

test('a text that is not a transcript is not called formatted', async (t) => {
  const cwd = folder(t, { 'notes.txt': 'Buy milk\n' })
  const { status, stderr } = await ocm(['format', '--check', 'notes.txt'], { cwd })
  assert.equal(status, 2)
  assert.match(stderr, /^ocm: notes\.txt: is not a conversation: /)
})

test('directories are searched for datasets, and those of other things are left alone', async (t) => {
  const cwd = folder(t, {
    'data/a.jsonl': `${sample}\n`,
    'data/deep/b.ndjson': `${sampleSaying('Hey')}\n${sampleSaying('Ho')}\n`,
    'data/log.jsonl': '{"level":"info","time":1}\n{"level":"info","time":2}\n',
  })
  const { stdout, stderr, status } = await check(cwd, 'data')
  assert.deepEqual([status, stdout], [0, 'No problems in 3 samples\n'])
  assert.equal(stderr, 'ocm: data/log.jsonl: its samples are not conversations, so it is skipped\n')
  assert.match((await ocm(['tokens', 'data'], { cwd })).stdout, /in 3 conversations\n$/)
  const named = await check(cwd, 'data/log.jsonl')
  assert.equal(named.status, 2, 'a file that is named is checked')
  assert.match(named.stdout, /2 errors in 2 samples/)
  assert.equal((await check(cwd, '--fix', 'data')).status, 0, 'beside transcripts that are fixed')
  assert.match((await ocm(['format', 'data/a.jsonl'], { cwd })).stderr, /is a dataset/)
})

const foreign: Readonly<Record<string, readonly [content: string | Uint8Array, reason: RegExp]>> = {
  'an archive': [Buffer.from('PK\u0003\u0004'), /is a ZIP archive/],
  'data compressed twice': [gzipSync(gzipSync(`${sample}\n`)), /is compressed with gzip/],
  'UTF-16': [Buffer.from(`\ufeff${sample}\n`, 'utf16le'), /is UTF-16; save it as UTF-8/],
  'UTF-16 without a mark': [Buffer.from(`${sample}\n`, 'utf16le'), /is UTF-16; save it as UTF-8/],
  'JSON over several lines': [
    JSON.stringify(JSON.parse(sample), undefined, 2),
    /is one JSON value over several lines, not JSONL/,
  ],
  'a list over several lines': ['[\n1,\n2\n]\n', /is one JSON value over several lines, not JSONL/],
}

for (const [name, [content, reason]] of Object.entries(foreign)) {
  test(`${name} in a dataset is named once`, async (t) => {
    const cwd = folder(t, { 'a.jsonl': content })
    for (const command of ['check', 'convert', 'tokens', 'render']) {
      const { status, stderr } = await ocm([command, 'a.jsonl'], { cwd })
      assert.equal(status, 2, command)
      assert.match(stderr, reason)
      assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    }
    assert.match((await check(cwd, '.')).stderr, reason, 'also where a directory holds it')
  })
}

test('files and tasks of OpenChatML 0.1 are no other text, although they hold no message', async () => {
  for (const name of ['13-fill-in-the-middle', '14-multi-file']) {
    for (const command of ['convert', 'render', 'tokens'])
      assert.equal((await ocm([command, `samples/${name}.ocm`])).status, 0, `${command} ${name}`)
  }
})

test('nothing can be seen or counted of text that is no conversation', async (t) => {
  const cwd = folder(t, { 'prose.ocm': 'Dear reader: this is a letter.\n', 'page.html': '<p>x: y</p>\n' })
  for (const args of [
    ['render'],
    ['render', '--format', 'html'],
    ['render', '--as', 'next-prompt'],
    ['render', '--update'],
    ['tokens'],
    ['tokens', '--ids'],
  ]) {
    for (const name of ['prose.ocm', 'page.html']) {
      const { status, stderr } = await ocm([...args, name], { cwd })
      assert.equal(status, 2, `${args.join(' ')} ${name}`)
      assert.match(stderr, /is not a conversation: it has no messages/)
    }
  }
})

test('the name of a file cannot begin a line of its own', async (t) => {
  const name = 'a\n::error file=x::forged\nb.ocm'
  const cwd = folder(t, { [name]: good })
  for (const args of [
    ['check', `missing ${name}`],
    ['check', '--format', 'junit', `missing ${name}`],
    ['render', '--format', 'html', name],
    ['render', '--check', name],
    ['tokens', `missing ${name}`],
    ['nonsense\n::error::forged'],
  ]) {
    const { stdout, stderr } = await ocm(args, { cwd })
    assert.doesNotMatch(`${stdout}\n${stderr}`, /^::error/m, args.join(' '))
  }
})

test('text that is no conversation does not become keys of a header', async (t) => {
  const texts = {
    'prose.txt': 'Dear reader: this is a letter.\nIt has: colons.\n',
    'table.txt': 'role,content\nuser,Hi\n',
    'code.py': 'import os\nif x:\n    print("x")\n',
    'settings.yaml': 'key: value\nother: thing\n',
    'notes.ocm': '# Title\n\nSome text: more.\n',
  }
  const cwd = folder(t, { ...texts, 'empty.ocm': '', 'header.ocm': 'version: 2.2\ntitle: x\n' })
  for (const name of Object.keys(texts)) {
    const { status, stdout, stderr } = await ocm(['convert', name], { cwd })
    assert.deepEqual([status, stdout], [2, ''], name)
    assert.match(stderr, /is not a conversation: it has no messages/)
  }
  for (const name of ['empty.ocm', 'header.ocm'])
    assert.equal((await ocm(['convert', name], { cwd })).status, 0, name)
})

test('a file that is read in another form than its name says is named', async (t) => {
  const cwd = folder(t, { 'a.json': good })
  const { status, stderr } = await check(cwd, 'a.json')
  assert.equal(status, 0)
  assert.equal(stderr, 'ocm: a.json: checked as a transcript, because it is not JSON\n')
})

test('standard input may stand for a file', async (t) => {
  const cwd = folder(t, { 'sub/.openchatml.yaml': 'rules: {repeated-channel: hint}\n' })
  const run = (name: string, input: string) =>
    ocm(['check', '--format', 'json', '--stdin-filename', name, '-'], { cwd, input })
  const { stdout, status } = await run('sub/a.ocm', bad)
  assert.equal(status, 0)
  const [file] = JSON.parse(stdout).files
  assert.deepEqual([file.path, file.diagnostics[0].severity], ['sub/a.ocm', 'hint'])
  const samples = JSON.parse((await run('sub/a.jsonl', `${sample}\n${sampleSaying('Ho')}\n`)).stdout)
  assert.deepEqual(
    samples.files.map((it: { path: string; sample: string }) => [it.path, it.sample]),
    [
      ['sub/a.jsonl', 'sub/a.jsonl:1'],
      ['sub/a.jsonl', 'sub/a.jsonl:2'],
    ],
  )
  const idle = await ocm(['check', '--stdin-filename', 'a.ocm', '.'], { cwd })
  assert.equal(idle.status, 2)
  assert.match(idle.stderr, /requires `-`/)
})

test('a current directory that was deleted is named as that', async (t) => {
  const cwd = folder(t)
  const { status, stdout, stderr } = await shell(
    'mkdir gone && cd gone && rmdir ../gone && ocm check a.ocm',
    cwd,
  )
  assert.deepEqual([status, stdout, stderr], [2, '', 'ocm: The current directory was deleted\n'])
})

test('`ocm rules` explains the code', async () => {
  for (const name of ['E-INPUT', 'unreadable-input'])
    assert.match((await ocm(['rules', name])).stdout, /^E-INPUT {2}unreadable-input/)
})

test('a broken list is reported after the samples before it', async (t) => {
  const cwd = folder(t)
  writeFileSync(join(cwd, 'list.json'), `[${sample},\n${sample}`)
  const { status, stdout } = await check(cwd, 'list.json')
  assert.equal(status, 2)
  assert.match(stdout, /E-INPUT/)
})

test('a transcript by its name that holds JSON is named as that', async (t) => {
  const cwd = folder(t, {
    'a.ocm': sample,
    'flow.ocm': `{version: 2.2}\n${good.replace(/^version.*\n/, '')}`,
  })
  const { stderr, status } = await check(cwd, 'a.ocm', 'flow.ocm')
  assert.equal(status, 1)
  assert.equal(
    stderr,
    'ocm: a.ocm: checked as a transcript, although it looks like JSON in the form messages; rename it to *.json or *.jsonl to check it as that\n',
  )
})

test('prose, a table, and source code are no transcripts unless they are named so', async (t) => {
  const cwd = folder(t, {
    'prose.txt': 'Hello.\n\nThis is prose.\n',
    'table.txt': 'a,b\n1,2\n',
    'code.py': 'def f(x):\n    return x\n',
    'good.txt': good,
  })
  const { status, stdout } = await check(cwd, 'prose.txt', 'table.txt', 'code.py', 'good.txt')
  assert.equal(status, 2)
  for (const name of ['prose.txt', 'table.txt', 'code.py'])
    assert.match(
      stdout,
      new RegExp(`^${name}: error: is not a conversation: .* \\[E-INPUT unreadable-input\\]$`, 'm'),
    )
  assert.match(stdout, /^3 errors in 4 files$/m)
})

const descriptors = '/proc/self/fd'
const noDescriptors = existsSync(descriptors) ? false : 'this system does not list open files there'
test('a dataset that is refused is closed', { skip: noDescriptors }, async (t) => {
  const cwd = folder(t, {
    'pretty.jsonl': JSON.stringify({ messages: [] }, undefined, 2),
    'cut.json': `[${sample},`,
  })
  await check(cwd, 'pretty.jsonl', 'cut.json') // loads what is loaded once
  const before = readdirSync(descriptors).length
  const { status } = await check(cwd, 'pretty.jsonl', 'cut.json')
  assert.equal(status, 2)
  assert.equal(readdirSync(descriptors).length, before)
})

test('JSONL on standard input is read with `--jsonl`, and every command says so', async () => {
  const line = '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]}\n'
  const input = line + line.replace('Hi', 'Hello')
  const commands = ['check', 'render', 'convert --to ocm', 'tokens', 'filter user', 'stats']
  for (const command of commands.map((it) => it.split(' '))) {
    const { status, stdout, stderr } = await ocm([...command, '-'], { input })
    assert.equal(status, 2, `${command}: ${stderr}`)
    assert.match(`${stdout}${stderr}`, /<stdin>.*: .*pass `--jsonl` to read the lines as samples/)
    assert.equal((await ocm([...command, '--jsonl', '-'], { input })).status, 0, `${command}`)
  }
  assert.equal((await ocm(['check', '-'], { input: line })).status, 0)
})

test('a conversation in any form is recognized on standard input, and the arguments of a call are none', async () => {
  const shown = 'user\n  Hi\n\nassistant\n  Yo\n'
  for (const input of [
    '{"prompt": "Hi", "completion": "Yo"}',
    '{"prompt": "Hi", "chosen": "Yo", "rejected": "No"}',
    '{"instruction": "Hi", "output": "Yo"}',
    '{"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Yo"}]}',
  ]) {
    const { stdout, stderr } = await ocm(['render', '-'], { input })
    assert.equal(stdout, shown, `${input}: ${stderr}`)
    assert.equal((await ocm(['check', '-'], { input })).status, 0, input)
  }
  const session = readFileSync('samples/datasets/codex.jsonl', 'utf8')
  assert.match(
    (await ocm(['render', '-'], { input: session })).stdout,
    /^user\n {2}How many recipes are there\?/,
  )
  assert.equal((await ocm(['check', '-'], { input: '{"city": "Rome"}' })).status, 1)
})

test('JSON without a conversation is refused, wherever it is read from', async (t) => {
  const json = '{"city":"Paris"}'
  const cwd = folder(t, { 'a.json': json, 'a.ocm': json, 'a.txt': json, 'list.json': '[1]' })
  for (const path of ['-', 'a.json', 'a.ocm', 'a.txt', 'list.json'])
    for (const command of [
      'render',
      'render --debug',
      'render --format html',
      'render --as next-prompt',
      'render --as training',
      ...(path === '-' ? [] : ['render --check', 'render --update']),
      'convert',
      'tokens',
      'format',
    ]) {
      const { status, stdout, stderr } = await ocm([...command.split(' '), path], { cwd, input: json })
      const what = `${command} ${path}`
      assert.deepEqual([status, stdout.replace('Snapshots: none\n', '')], [2, ''], what)
      assert.match(stderr, /^ocm: (?:<stdin>|\w+\.\w+)(?::1:\d)?: (?:The document|Message 1|is JSON)/, what)
    }
  assert.deepEqual(readdirSync(cwd).length, 4)
  const call = await ocm(['render', '--dialect', 'harmony', '-'], { cwd, input: json })
  assert.deepEqual([call.status, call.stdout], [2, ''])
  assert.match(call.stderr, /<stdin>: is not a conversation/)
})

test('commands that show a conversation read it in every form, whatever its file is called', async (t) => {
  const shown = 'user\n  Hi\n\nassistant\n  Yo\n'
  const turns = '<|start|>user<|message|>Hi<|end|><|start|>assistant<|channel|>final<|message|>Yo<|end|>'
  const messages = '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yo"}]}'
  const texts = [
    messages,
    JSON.stringify({ text: turns }),
    JSON.stringify({ segments: [{ text: turns.slice(0, 30) }, turns.slice(30)], text: null }),
    JSON.stringify({ text: '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nYo<|im_end|>' }),
    '[INST] Hi [/INST] Yo',
  ]
  for (const text of texts)
    for (const name of ['a.json', 'a.ocm', 'a.txt', '-']) {
      if (!text.startsWith('{') && name === 'a.json') continue
      const cwd = folder(t, name === '-' ? {} : { [name]: text })
      const run = (command: string) => ocm([...command.split(' '), name], { cwd, input: text })
      const rendered = await run('render')
      assert.deepEqual([rendered.stdout, rendered.stderr], [shown, ''], `${text} ${name}`)
      const converted = await run('convert --to messages')
      assert.deepEqual(JSON.parse(converted.stdout), JSON.parse(messages), `${text} ${name}`)
      assert.equal((await run('tokens --format json')).status, 0)
      assert.match((await run('render --as training')).stdout, /⟦.*Yo/)
      if (name === '-') continue
      await run('render --update')
      assert.equal(readFileSync(join(cwd, `${name.replace('.ocm', '')}.visible.txt`), 'utf8'), shown)
      if (name === 'a.json') assert.equal((await run('check')).status, 0)
      if (name === 'a.json') assert.equal((await run('render --dialect 2.2')).stdout, shown)
    }
  const { stdout, stderr } = await ocm(['render', '-'], { input: '{"text": "no frames"}' })
  assert.deepEqual([stdout, stderr.includes('no frames around messages, and is hidden')], ['', true])
})

test('pages and reports that are kept name what they lack, also if parts are merged', async (t) => {
  const cwd = folder(t, { 'a.jsonl': `${sample}\n{"canary\n`, 'b.jsonl': `${sample}\n` })
  const paths = ['a.jsonl', 'b.jsonl', 'missing.jsonl']
  for (const command of ['report', 'stats']) {
    const run = (...args: string[]) => ocm([command, ...args], { cwd })
    const page = await run('--format', 'html', ...paths)
    assert.equal(page.status, 2)
    assert.match(page.stdout, /<h2>Input that could not be read<\/h2>/)
    assert.match(page.stdout, /<ul><li>a\.jsonl:2<\/li><li>missing\.jsonl<\/li><\/ul>/)
    assert.doesNotMatch(page.stdout, /canary/, 'what is there may be hidden text')
    const part = await run('--format', 'json', ...paths)
    const unread = { count: 2, places: ['a.jsonl:2', 'missing.jsonl'], isError: true }
    assert.deepEqual([JSON.parse(part.stdout).unread, part.status], [unread, 2])
    writeFileSync(join(cwd, 'part.json'), part.stdout)
    const merged = await run('--merge', '--format', 'json', 'part.json', 'part.json')
    assert.deepEqual([JSON.parse(merged.stdout).unread, merged.status], [unread, 2])
    assert.match(merged.stderr, /^ocm: part\.json: not all of its input could be read\n/)
    const skipped = await run('--format', 'html', '--bad-lines', 'skip', 'a.jsonl')
    assert.deepEqual([skipped.status, skipped.stdout.includes('<li>a.jsonl:2</li>')], [0, true])
    const whole = await run('--format', 'html', 'b.jsonl')
    assert.doesNotMatch(whole.stdout, /could not be read/)
    const mergedPage = await run('--merge', '--format', 'html', 'part.json')
    for (const [text, isSaid] of [
      [whole.stdout, command === 'report'],
      [mergedPage.stdout, false],
    ] as const)
      assert.equal(text.includes('No problems were found'), isSaid)
  }
})
