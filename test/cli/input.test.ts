/** Odd input: whatever a file holds, the program ends, says what is the matter, and does the other files. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileProblem } from '../../cli/src/files/file-problem.ts'
import { ignoredByGit } from '../../cli/src/files/ignored-by-git.ts'
import { readSource } from '../../cli/src/files/read-source.ts'
import { writeProblem } from '../../cli/src/files/replace-file.ts'
import { SilentGitError } from '../../cli/src/files/run-git.ts'
import { nightly } from '../helpers/nightly.ts'
import { bad, fixable, folder, good, ocm, shell } from './run-ocm.ts'

const megabyte = 'x'.repeat(1 << 20)

/** Every command reads what may be any text. */
const odd: Readonly<Record<string, string>> = {
  'an empty file': '',
  'a lone byte order mark': '\ufeff',
  'binary that is UTF-8': '\0\u0001\u0002\u007f\u0000',
  'a lone opener': '<|',
  'a lone start token': '<|start|>',
  'white space': ' \t\r\n\r\r\n',
  '2 MB without a line break': megabyte.repeat(2),
  '5 MB in one message': `version: 2.2\n<|start|>user<|message|>${megabyte.repeat(5)}<|end|>`,
  'invalid YAML': 'version: [\n<|start|>user<|message|>Hi<|end|>',
  'unclosed everything':
    'version: "2.2\n<|start|>assistant to=<|channel|><|constrain|><|message|><|literal|>{',
  'many openers': '<|start|>'.repeat(2000),
}

/** What holds no conversation is not rendered: an empty page would look like one. */
const notRendered = new Set(['binary that is UTF-8', 'a lone opener', '2 MB without a line break'])

test('outside of a repository, options about changes say so', async (t) => {
  const cwd = folder(t, { 'a.ocm': good })
  for (const args of [['--changed'], ['--staged'], ['--since', 'main']]) {
    const { status, stderr } = await ocm(['check', ...args], {
      cwd,
      env: { GIT_CEILING_DIRECTORIES: dirname(cwd) },
    })
    assert.equal(status, 2)
    assert.match(stderr, /: fatal: not a git repository/)
  }
})

for (const [name, text] of Object.entries(odd)) {
  test(`${name}: check, parse and render`, async (t) => {
    const cwd = folder(t, { 'a.ocm': text })
    for (const args of [
      ['check'],
      ['check', '--format', 'json'],
      ['parse'],
      ['parse', '--tree'],
      ['render', '--debug'],
    ]) {
      const { status, stderr } = await ocm([...args, 'a.ocm'], { cwd })
      if (args[0] === 'render' && notRendered.has(name)) {
        assert.match(stderr, /^ocm: a\.ocm: is not a conversation: [^\n]*\n$/)
        assert.equal(status, 2)
        continue
      }
      assert.equal(stderr, '', args.join(' '))
      assert.ok(status === 0 || (status === 1 && args[0] === 'check'), `${args.join(' ')}: ${status}`)
    }
  })
}

const unreadable: Readonly<Record<string, readonly [content: Uint8Array, reason: RegExp]>> = {
  binary: [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a), /is not UTF-8: byte 0x89 at offset 0, line 1/],
  'Latin-1': [
    Buffer.from('version: 2.2\ncaf\xe9\n', 'latin1'),
    /is not UTF-8: byte 0xE9 at offset 16, line 2/,
  ],
  'a character cut in two': [
    Buffer.from('Grüß Gott €').subarray(0, -1),
    /is not UTF-8: byte 0xE2 at offset 12/,
  ],
  'UTF-16': [Buffer.from('\ufeffversion: 2.2', 'utf16le'), /is UTF-16; save it as UTF-8/],
}

for (const [name, [content, reason]] of Object.entries(unreadable)) {
  test(`${name} is named, and the other files are done`, async (t) => {
    const cwd = folder(t, { 'a.ocm': bad, 'b.ocm': content, 'c.ocm': bad })
    const { status, stdout, stderr } = await ocm(['check', '.'], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, reason)
    assert.match(stderr, /^ocm: b\.ocm: /)
    assert.match(stdout, /3 errors in 3 files/)
    for (const command of ['parse', 'render']) {
      const run = await ocm([command, 'b.ocm'], { cwd })
      assert.equal(run.status, 2)
      assert.equal(run.stdout, '')
      assert.match(run.stderr, reason)
    }
  })
}

test('a missing file is named, and the other files are done', async (t) => {
  const cwd = folder(t, { 'a.ocm': good })
  const { status, stdout, stderr } = await ocm(['check', 'missing.ocm', 'a.ocm'], { cwd })
  assert.equal(status, 2)
  assert.equal(stderr, 'ocm: missing.ocm: there is no such file or directory\n')
  assert.match(
    stdout,
    /^missing\.ocm: error: there is no such file or directory \[E-INPUT unreadable-input\]$/m,
  )
  assert.match(stdout, /^1 error in 2 files$/m)
})

test('a directory is searched, in order, without .git and node_modules', async (t) => {
  const cwd = folder(t, {
    'b.ocm': bad,
    'a/2.ocm': bad,
    'a/10.ocm': bad,
    'a/ignored.txt': bad,
    'B.ocm': bad,
    '.git/x.ocm': bad,
    'node_modules/y/z.ocm': bad,
  })
  assert.deepEqual(await checkedPaths(['.'], cwd), ['B.ocm', 'a/10.ocm', 'a/2.ocm', 'b.ocm'])
  assert.deepEqual(await checkedPaths(['a', 'b.ocm', 'a/2.ocm'], cwd), ['a/10.ocm', 'a/2.ocm', 'b.ocm'])
  assert.deepEqual(await checkedPaths(['a/ignored.txt'], cwd), ['a/ignored.txt'], 'named files are read')
})

const noDataset = 'no dataset (*.jsonl, *.ndjson, also *.gz and *.zst, *.parquet)'

test('a directory where a file is due', async (t) => {
  const cwd = folder(t, { 'a/b.ocm': good })
  for (const [command, reason] of [
    ['parse', 'is a directory'],
    ['render', `${noDataset} in this directory`], // which might hold datasets
  ] as const) {
    const { status, stderr } = await ocm([command, 'a'], { cwd })
    assert.equal(status, 2)
    assert.equal(stderr, `ocm: a: ${reason}\n`)
  }
})

nightly('a pipe is read once, by every command', { skip: process.platform === 'win32' }, async (t) => {
  const sample = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })
  const cwd = folder(t, { 'a.jsonl': `${sample}\n` })
  assert.equal((await shell('mkfifo pipe.jsonl', cwd)).status, 0)
  for (const command of [
    'check --ignore W-DATA',
    'check --ignore W-DATA --against pipe.jsonl a.jsonl #',
    'convert',
    'render',
    'tokens',
    'filter Hi',
    'filter -- -problem:duplicate-sample',
    'stats',
    'report',
    'review stats',
  ]) {
    const { status, stdout } = await shell(`cat a.jsonl > pipe.jsonl & ocm ${command} pipe.jsonl`, cwd)
    assert.equal(status, 0, command)
    assert.notEqual(stdout, '', command)
  }
  for (const command of ['stats', 'report']) {
    const whole = await shell(`ocm ${command} --format json a.jsonl | tee ${command}.json`, cwd)
    const merge = `ocm ${command} --merge --format json`
    const piped = await shell(`cat ${command}.json | ${merge} -`, cwd)
    assert.equal(piped.stderr, '', command)
    assert.equal(piped.stdout, whole.stdout, command)
    const named = await shell(`cat ${command}.json > pipe.jsonl & ${merge} pipe.jsonl`, cwd)
    assert.equal(named.stdout, whole.stdout, command)
    const { stderr } = await shell(`${merge} - < a.jsonl`, cwd)
    assert.equal(stderr, `ocm: <stdin>: is not a report of \`ocm ${command} --format json\`\n`)
  }
})

test('what cannot be read counts also if the reader of the output has enough', {
  skip: process.platform === 'win32',
}, async (t) => {
  const sample = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] })
  const samples = (count: number) => `{broken\n${`${sample}\n`.repeat(count)}`
  const cwd = folder(t, {
    'a.jsonl': samples(3000), // of each, the output is more than a pipe holds
    'summed-up.jsonl': samples(10),
  })
  for (const [command, path] of [
    ['convert', 'a.jsonl'],
    ['render', 'a.jsonl'],
    ['tokens', 'a.jsonl'],
    ['filter Hi', 'a.jsonl'],
    ['check --ignore W-DATA', 'summed-up.jsonl'],
  ]) {
    const line = `{ ocm ${command} missing.jsonl ${path}; echo $? > status; } | head -c 1 > /dev/null; cat status`
    assert.equal((await shell(line, cwd)).stdout, '2\n', command)
  }
})

test('a directory as standard input', { skip: process.platform === 'win32' }, async (t) => {
  for (const command of ['check', 'parse', 'render', 'convert', 'convert --jsonl']) {
    const { status, stderr } = await shell(`ocm ${command} - < .`, folder(t))
    assert.deepEqual({ status, stderr }, { status: 2, stderr: 'ocm: <stdin>: is a directory\n' }, command)
  }
})

test('the file that standard output goes to is not read', {
  skip: process.platform === 'win32',
}, async (t) => {
  const sample = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(1000) }] })
  const dataset = `${sample}\n`.repeat(1200) // more than is read at once
  const cwd = folder(t, { 'a.ocm': good, 'd/a.ocm': good, 'd/b.ocm': good, 'c.jsonl': dataset })
  for (const [line, path] of [
    ['ocm convert --to harmony c.jsonl >> c.jsonl', 'c.jsonl'],
    ['ocm convert - < c.jsonl >> c.jsonl', '<stdin>'],
    ['ocm format a.ocm > a.ocm', 'a.ocm'],
    ['ocm check --format json d > d/b.ocm', 'd/b.ocm'],
  ] as const) {
    const { status, stderr } = await shell(line, cwd)
    assert.equal(status, 2, line)
    assert.equal(stderr, `ocm: ${path}: is also the standard output; write to another file and rename it\n`)
  }
  assert.equal(readFileSync(join(cwd, 'c.jsonl'), 'utf8'), dataset)
})

test('a directory without transcripts', async (t) => {
  const { status, stdout, stderr } = await ocm(['check', '.'], { cwd: folder(t) })
  assert.equal(status, 2)
  assert.match(stdout, /^1 error in 0 files$/m)
  assert.equal(stderr, `ocm: .: no transcript (*.ocm) and ${noDataset} in this directory\n`)
})

test('a directory whose transcripts were read already is not without', async (t) => {
  const cwd = folder(t, { 'a/b/c.ocm': good })
  for (const paths of [
    ['a/b/c.ocm', 'a'],
    ['a', 'a/b'],
    ['a/b', '.'],
  ]) {
    const { stdout, stderr } = await ocm(['check', ...paths], { cwd })
    assert.deepEqual({ stdout, stderr }, { stdout: 'No problems in 1 file\n', stderr: '' }, paths.join(' '))
  }
})

test('links are followed, and loops end', {
  skip: process.platform === 'win32' && 'links need rights',
}, async (t) => {
  const cwd = folder(t, { 'a/x.ocm': good, 'elsewhere.txt': good })
  symlinkSync('..', join(cwd, 'a', 'up'))
  symlinkSync('self', join(cwd, 'self'))
  symlinkSync('../elsewhere.txt', join(cwd, 'a', 'linked.ocm'))
  symlinkSync('nowhere', join(cwd, 'a', 'broken.ocm'))
  const { status, stdout, stderr } = await ocm(['check', '--format', 'json', '.'], { cwd })
  assert.equal(status, 2)
  assert.equal(stderr, 'ocm: a/broken.ocm: there is no such file or directory\n')
  assert.deepEqual(pathsIn(stdout), ['a/broken.ocm', 'a/linked.ocm', 'a/x.ocm'])
})

/** The superuser may read everything, so nothing can be forbidden to it. */
const isSuperuser = process.platform === 'win32' || process.getuid?.() === 0

if (!isSuperuser) {
  test('what must not be read is named', async (t) => {
    const cwd = folder(t, { 'a.ocm': good, 'b.ocm': good, 'c/d.ocm': good })
    chmodSync(join(cwd, 'a.ocm'), 0)
    chmodSync(join(cwd, 'c'), 0)
    t.after(() => chmodSync(join(cwd, 'c'), 0o700))
    const { status, stdout, stderr } = await ocm(['check', '.'], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /a\.ocm: permission denied/)
    assert.match(stderr, /c: permission denied/)
    assert.match(stdout, /^2 errors in 2 files$/m)
  })

  test('what must not be written is named, and stays', async (t) => {
    const cwd = folder(t, { 'a.ocm': fixable })
    chmodSync(join(cwd, 'a.ocm'), 0o444)
    for (const args of [
      ['check', '--fix', '.'],
      ['format', '--write', '.'],
    ]) {
      const { status, stderr } = await ocm(args, { cwd })
      assert.deepEqual(
        { status, stderr },
        { status: 2, stderr: 'ocm: a.ocm: is not written: permission denied\n' },
      )
    }
    assert.equal(readFileSync(join(cwd, 'a.ocm'), 'utf8'), fixable)
  })
}

test('reasons are given in words', () => {
  const problem = (code: string) =>
    fileProblem('x', Object.assign(new Error('as Node says it'), { code })).message
  assert.equal(problem('EACCES'), 'x: permission denied')
  assert.equal(problem('ERR_STRING_TOO_LONG'), 'x: is too large: at most 536,870,888 characters can be read')
  assert.equal(problem('EUNHEARDOF'), 'x: as Node says it')
  const unwritten = writeProblem('x', Object.assign(new Error('as Node says it'), { code: 'EACCES' }))
  assert.equal(unwritten.message, 'x: is not written: permission denied')
})

test('standard input', async (t) => {
  const cwd = folder(t, { '-x.ocm': good })
  const run = await ocm(['check', '-'], { input: bad })
  assert.equal(run.status, 1)
  assert.match(run.stdout, /^<stdin>:2:\d+: error: /)
  assert.equal((await ocm(['check', '-', '-'], { input: bad })).stdout, run.stdout, 'it is read once')
  assert.match((await ocm(['check', '-'], { input: Uint8Array.of(0xff) })).stderr, /<stdin>: is not UTF-8/)
  assert.equal((await ocm(['check', '--', '-x.ocm'], { cwd })).status, 0, '`--` ends the options')
})

test('a name with control characters', {
  skip: process.platform === 'win32' && 'no such names',
}, async (t) => {
  const name = 'a\u001b[2J\n.ocm'
  const cwd = folder(t, { [name]: bad })
  const { stdout } = await ocm(['check', '.'], { cwd })
  assert.match(stdout, /^a␛\[2J␊\.ocm:2:/)
  assert.deepEqual(await checkedPaths(['.'], cwd), [name], 'JSON has it as it is')
  mkdirSync(join(cwd, 'd\u001b'))
  assert.match((await ocm(['check', 'd\u001b'], { cwd })).stderr, /d␛: no transcript /)
})

async function checkedPaths(args: readonly string[], cwd: string): Promise<readonly string[]> {
  return pathsIn((await ocm(['check', '--format', 'json', ...args], { cwd })).stdout)
}

function pathsIn(json: string): readonly string[] {
  return JSON.parse(json).files.map(({ path }: { readonly path: string }) => path.replaceAll('\\', '/'))
}

describe('what searches of directories leave out', () => {
  const files = {
    'kept.ocm': good,
    'data/bad.ocm': bad,
    'data/deep/bad.ocm': bad,
    'a.draft.ocm': bad,
    '.gitignore': 'data/\n',
  }
  const git = (cwd: string) => spawnSync('git', ['init', '-q', '.'], { cwd })
  const paths = async (cwd: string, ...args: string[]) => {
    const { stdout } = await ocm(['check', '--format', 'json', '--allow-empty', ...args], { cwd })
    return (JSON.parse(stdout).files as { path: string }[]).map(({ path }) => path)
  }

  test('what git ignores, unless it is named or asked for', async (t) => {
    const cwd = folder(t, files)
    assert.equal(git(cwd).status, 0, 'this test needs git')
    assert.deepEqual(await paths(cwd), ['a.draft.ocm', 'kept.ocm'])
    assert.deepEqual(await paths(cwd, '**/*.ocm'), ['a.draft.ocm', 'kept.ocm'])
    assert.deepEqual(await paths(cwd, 'data'), ['data/bad.ocm', 'data/deep/bad.ocm'])
    assert.deepEqual(await paths(cwd, 'data/deep'), ['data/deep/bad.ocm'])
    assert.deepEqual(await paths(cwd, 'data/bad.ocm'), ['data/bad.ocm'])
    assert.equal((await paths(cwd, '--no-ignore')).length, 4)
  })

  test('a monitor that a repository names is not run', async (t) => {
    const cwd = folder(t, { ...files, 'monitor.sh': '#!/bin/sh\ntouch ran\n' })
    git(cwd)
    chmodSync(join(cwd, 'monitor.sh'), 0o755)
    spawnSync('git', ['config', 'core.fsmonitor', './monitor.sh'], { cwd })
    await paths(cwd)
    assert.equal(existsSync(join(cwd, 'ran')), false)
  })

  test('a transport that a repository names is not run for objects that it lacks', {
    skip: process.platform === 'win32' && 'the command is one of a shell',
  }, async (t) => {
    const cwd = folder(t, { 'in/kept.ocm': good, 'out/deep/a.ocm': good, '.gitignore': '*.log\n' })
    const run = (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      return stdout.trim()
    }
    run('init', '-q', '.')
    run('add', '-A')
    run('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a')
    run('sparse-checkout', 'init', '--cone', '--sparse-index')
    run('sparse-checkout', 'set', 'in')
    const tree = run('rev-parse', 'HEAD:out')
    rmSync(join(cwd, '.git', 'objects', tree.slice(0, 2), tree.slice(2)))
    for (const [key, value] of [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `ext::sh -c touch% ${join(cwd, 'ran')}`],
      ['protocol.ext.allow', 'always'],
    ] as const)
      run('config', key, value)
    mkdirSync(join(cwd, 'out', 'other'), { recursive: true })
    writeFileSync(join(cwd, 'out', 'other', 'a.log'), '')
    assert.deepEqual(await paths(cwd), ['in/kept.ocm'])
    await ocm(['check', '--changed'], { cwd })
    assert.equal(existsSync(join(cwd, 'ran')), false)
  })

  test('git that reads a pipe does not keep a search waiting', {
    skip: process.platform === 'win32' && 'no pipes as here',
  }, async (t) => {
    const cwd = folder(t, { 'deep/kept.ocm': good })
    git(cwd)
    spawnSync('mkfifo', ['deep/.gitignore'], { cwd })
    await assert.rejects(ignoredByGit(cwd, 100), SilentGitError)
  })

  test('what the configuration excludes, relative to its file', async (t) => {
    const cwd = folder(t, {
      ...files,
      '.openchatml.yml': "$schema: x\nexclude: ['*.draft.ocm', data/deep/]\n",
    })
    assert.deepEqual(await paths(cwd), ['data/bad.ocm', 'kept.ocm'])
    assert.deepEqual(await paths(cwd, 'data/deep'), [])
    assert.deepEqual(await paths(cwd, 'data/deep/bad.ocm'), ['data/deep/bad.ocm'])
    assert.equal((await paths(cwd, '--no-config')).length, 4)
    const { stderr, status } = await ocm(['format', '--check', 'data/deep'], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /`--no-ignore` also searches what git ignores or the configuration excludes/)
  })
})

test('only files that git says have changed are checked', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'deep/b.ocm': bad, 'c.ocm': bad })
  const git = (...args: string[]) =>
    assert.equal(
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd }).status,
      0,
      args.join(' '),
    )
  const paths = async (...args: string[]) => {
    const { stdout } = await ocm(['check', '--format', 'json', ...args], { cwd })
    return (JSON.parse(stdout).files as { path: string }[]).map(({ path }) => path)
  }
  git('init', '-q', '-b', 'main', '.')
  git('add', 'a.ocm')
  assert.deepEqual((await paths('--changed')).sort(), ['a.ocm', 'c.ocm', 'deep/b.ocm'])
  git('add', '.')
  git('commit', '-q', '-m', 'all')
  assert.deepEqual(await paths('--changed'), [])
  const nothing = await ocm(['check', '--changed'], { cwd })
  assert.equal(nothing.status, 0)
  assert.match(nothing.stderr, /no file that was found has changed/)
  git('checkout', '-q', '-b', 'topic')
  writeFileSync(join(cwd, 'deep/b.ocm'), `${bad}\n`)
  git('add', '.')
  assert.deepEqual(await paths('--staged'), ['deep/b.ocm'])
  git('commit', '-q', '-m', 'one')
  writeFileSync(join(cwd, 'ä b.ocm'), bad)
  assert.deepEqual(await paths('--changed'), ['ä b.ocm'])
  assert.deepEqual(await paths('--since', 'main'), ['deep/b.ocm', 'ä b.ocm'])
  assert.deepEqual(await paths('--since', 'main', 'deep'), ['deep/b.ocm'])
  for (const beside of ['c.expected.yaml', 'c.cases.yaml']) {
    writeFileSync(join(cwd, beside), '{}\n')
    assert.deepEqual(await paths('--changed'), ['c.ocm', 'ä b.ocm'], beside)
    rmSync(join(cwd, beside))
  }
  for (const [args, complaint] of [
    [['--since', 'nowhere'], /`--since`: .*nowhere/],
    [['--since', '--output=x'], /`--since`: /],
    [['--changed', '--staged'], /cannot be used together/],
  ] as const) {
    const { status, stderr } = await ocm(['check', ...args], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, complaint)
  }
})

test('input that never ends is read up to a limit', async () => {
  const chunk = new Uint8Array(1 << 26)
  let read = 0
  async function* endless() {
    for (;;) {
      assert.ok(read < 2 ** 32, 'goes on reading')
      read += chunk.length
      yield chunk
    }
  }
  await assert.rejects(readSource('-', endless()), /<stdin>: is too large: at most 2 GB/)
})

test('a pipe in a folder is reported, and nothing waits for it', {
  skip: process.platform === 'win32' && 'no pipes as here',
}, async (t) => {
  const cwd = folder(t, { 'a.ocm': good })
  spawnSync('mkfifo', ['b.ocm', 'c.jsonl', 'd.txt', 'e.json'], { cwd })
  symlinkSync('b.ocm', join(cwd, 'f.ocm'))
  for (const paths of [['.'], ['*.ocm', '*.jsonl']]) {
    const { status, stdout } = await ocm(['check', ...paths], { cwd })
    assert.equal(status, 2)
    const reported = stdout.match(/^[a-f]\.\w+(?=: error: is a device, a pipe, or a socket; )/gm)
    assert.deepEqual(reported?.sort(), ['b.ocm', 'c.jsonl', 'f.ocm'])
    assert.match(stdout, /^3 errors in 4 files$/m)
  }
})

test('a pipe among the paths is read to its end', async (t) => {
  const { status, stdout } = await shell('cat a.ocm | ocm check /dev/stdin', folder(t, { 'a.ocm': good }))
  assert.deepEqual([status, stdout], [0, 'No problems in 1 file\n'])
})
