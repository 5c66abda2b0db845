/** `ocm check --baseline`: known problems stay known when lines move, new ones are reported, and what is gone is named. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bad, folder, good, ocm } from './run-ocm.ts'

const update = ['check', '--baseline', 'known.json', '--update-baseline']
const compare = ['check', '--format', 'json', '--baseline', 'known.json']

/** Places, what the baseline says, the exit status, and standard error. */
async function compared(cwd: string, ...args: string[]) {
  const { stdout, stderr, status } = await ocm([...compare, ...args], { cwd })
  const { files, baseline } = JSON.parse(stdout)
  const found: string[] = []
  for (const { path, diagnostics } of files)
    for (const { rule, range } of diagnostics) found.push(`${path}:${range.start.line + 1} ${rule}`)
  return { found, baseline, status, stderr }
}

test('known problems are not reported, also where their lines have moved, and new ones are', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'b/c.ocm': bad })
  const first = await ocm([...update, '.'], { cwd })
  assert.deepEqual([first.status, first.stderr], [0, 'ocm: known.json: 2 known problems written\n'])
  assert.deepEqual(await compared(cwd, '.'), {
    found: [],
    baseline: { known: 2, stale: 0 },
    status: 0,
    stderr: '',
  })
  const moved = bad.replace('version: 2.2\n', 'version: 2.2\n# one\n# more\nlint: {}\n')
  assert.notEqual(moved, bad)
  writeFileSync(join(cwd, 'a.ocm'), moved)
  assert.deepEqual((await compared(cwd, '.')).found, [])
  // The same mistake a second time is a new problem, as is another one on another line.
  const message = bad.slice(bad.indexOf('<|start|>'))
  writeFileSync(join(cwd, 'a.ocm'), `${moved}${message}<|start|>asistant<|message|>Hi<|end|>\n`)
  const { found, baseline, status } = await compared(cwd, '.')
  assert.deepEqual(
    found.map((it) => it.replace(/:\d+/, '')),
    ['a.ocm repeated-channel', 'a.ocm unknown-role'],
  )
  assert.deepEqual([baseline, status], [{ known: 2, stale: 0 }, 1])
})

test('a baseline holds hashes, and no text', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad })
  await ocm([...update, '.'], { cwd })
  const { schemaVersion, files } = JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'))
  assert.equal(schemaVersion, 1)
  const [[path, rules] = []] = Object.entries<Record<string, Record<string, number>>>(files)
  assert.equal(path, 'a.ocm')
  const [[rule, fingerprints] = []] = Object.entries(rules ?? {})
  assert.equal(rule, 'repeated-channel')
  assert.deepEqual(Object.values(fingerprints ?? {}), [1])
  assert.match(Object.keys(fingerprints ?? {})[0] ?? '', /^[\da-f]{16}$/)
})

test('what no longer occurs is named, and removed by an update of what was checked', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'b.ocm': bad, 'gone.ocm': bad })
  await ocm([...update, '.'], { cwd })
  writeFileSync(join(cwd, 'a.ocm'), good)
  rmSync(join(cwd, 'gone.ocm'))
  const { stderr, status, baseline } = await compared(cwd, 'a.ocm')
  assert.deepEqual([status, baseline], [0, { known: 0, stale: 2 }])
  assert.equal(
    stderr,
    `ocm: known.json: a.ocm: repeated-channel: 1 known problem no longer occurs
ocm: known.json: gone.ocm: repeated-channel: 1 known problem no longer occurs
ocm: known.json: 2 known problems to remove in all; \`--update-baseline\` removes them
`,
  )
  // Rules that were not asked for are not judged.
  assert.deepEqual((await compared(cwd, '--ignore', 'repeated-channel', 'a.ocm')).baseline.stale, 0)
  await ocm([...update, 'a.ocm'], { cwd })
  const { files } = JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'))
  assert.deepEqual(Object.keys(files), ['b.ocm'])
  assert.deepEqual((await compared(cwd, '.')).baseline, { known: 1, stale: 0 })
})

test('what cannot be looked at is not taken for gone', {
  skip: process.platform === 'win32' && 'links need a right',
}, async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'below/b.ocm': bad })
  await ocm([...update, '.'], { cwd })
  const before = readFileSync(join(cwd, 'known.json'), 'utf8')
  rmSync(join(cwd, 'below'), { recursive: true })
  symlinkSync('below', join(cwd, 'below')) // leads to itself
  await ocm([...update, 'a.ocm'], { cwd })
  assert.equal(readFileSync(join(cwd, 'known.json'), 'utf8'), before)
})

test('samples are known wherever they are in the dataset', async (t) => {
  const sample = (text: string) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: '' },
      ],
    })
  const [one, two] = [sample('one'), sample('two')]
  const cwd = folder(t, { 'data.jsonl': `${one}\n${two}\n` })
  const { stderr } = await ocm([...update, 'data.jsonl'], { cwd })
  assert.match(stderr, /known problems? written/)
  writeFileSync(join(cwd, 'data.jsonl'), `${two}\n${one}\n${sample('three')}\n`)
  const { found } = await compared(cwd, 'data.jsonl')
  assert.deepEqual([...new Set(found.map((it) => it.replace(/ .*/, '')))], ['data.jsonl:3'])
})

test('duplicates are new if there are more of them, and no longer occur if there are fewer', async (t) => {
  const sample = (question: string) =>
    `${JSON.stringify({ prompt: `Question ${question}`, completion: `Answer ${question}` })}\n`
  const cwd = folder(t, { 'data.jsonl': sample('a').repeat(2) + sample('b') })
  const write = (text: string) => writeFileSync(join(cwd, 'data.jsonl'), text)
  await ocm([...update, 'data.jsonl'], { cwd })
  assert.deepEqual((await compared(cwd, 'data.jsonl')).found, [])
  write(sample('b') + sample('a').repeat(2) + sample('c'))
  assert.deepEqual((await compared(cwd, 'data.jsonl')).found, [])
  write(sample('a').repeat(2) + sample('b').repeat(2))
  const more = await compared(cwd, 'data.jsonl')
  assert.deepEqual([more.found, more.status], [['data.jsonl:1 duplicate-sample'], 0])
  write(sample('a') + sample('b'))
  assert.deepEqual((await compared(cwd, 'data.jsonl')).baseline, { known: 0, stale: 1 })
})

test('what cannot be read is never known, and then no baseline is written', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'b.ocm': Buffer.from([0xff]) })
  const { status, stderr } = await ocm([...update, '.'], { cwd })
  assert.equal(status, 2)
  assert.match(stderr, /known\.json: is not written, because not all of the input was read/)
  assert.match((await ocm([...compare, '.'], { cwd })).stderr, /known\.json: there is no such file/)
  for (const text of [
    '[]',
    '{"schemaVersion":1,"files":{"a.ocm":{"x":{"y":"z"}}}}',
    '{',
    '{"schemaVersion":2}',
  ]) {
    writeFileSync(join(cwd, 'known.json'), text)
    const { status, stderr, stdout } = await ocm([...update, 'a.ocm'], { cwd })
    assert.deepEqual([status, stdout], [2, ''])
    assert.match(stderr, /known\.json: is not a baseline/)
    assert.equal(readFileSync(join(cwd, 'known.json'), 'utf8'), text)
  }
})
