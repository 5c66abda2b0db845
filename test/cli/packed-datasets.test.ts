/** `ocm` with datasets as people have them: compressed, Parquet, folders and patterns, with edits beside them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { packedBy, parquetOf, parquetWith } from '../sources/packed-files.ts'
import { folder, ocm } from './run-ocm.ts'

const chat = (id: number, answer = `Answer ${id}`) => ({
  id,
  messages: [
    { role: 'user', content: `Question ${id}` },
    { role: 'assistant', content: answer },
  ],
})
const samples = Array.from({ length: 300 }, (_, id) => chat(id))
const jsonl = samples.map((it) => `${JSON.stringify(it)}\n`).join('')
const parquet = parquetOf(samples, { rowGroupSize: 100 })

/** Each packing of the same samples, and how its samples are named. */
const packings: readonly (readonly [name: string, content: Uint8Array, place: (index: number) => string])[] =
  [
    ['a.jsonl.gz', packedBy('gzip', jsonl), (index) => `a.jsonl.gz:${index + 1}`],
    ['a.jsonl.zst', packedBy('zstd', jsonl), (index) => `a.jsonl.zst:${index + 1}`],
    ['a.json.gz', packedBy('gzip', JSON.stringify(samples)), (index) => `a.json.gz[${index}]`],
    ['a.parquet', parquet, (index) => `a.parquet[${index}]`],
  ]

for (const args of [
  ['check', '--format', 'json'],
  ['convert', '--to', 'messages'],
  ['render'],
  ['tokens', '--ids'],
  ['filter', 'user:"Question 7"'],
]) {
  test(`ocm ${args.join(' ')} reads packed samples as it reads the same samples unpacked`, async (t) => {
    const cwd = folder(t, {
      ...Object.fromEntries(packings.map(([name, content]) => [name, content])),
      'plain.jsonl': jsonl,
    })
    const plain = await ocm([...args, 'plain.jsonl'], { cwd })
    for (const [name, , place] of packings) {
      const packed = await ocm([...args, name], { cwd })
      assert.equal(packed.status, 0, packed.stderr)
      if (args[0] === 'check') assert.equal(JSON.parse(packed.stdout).errors, 0)
      else assert.equal(packed.stdout, plain.stdout, name)
      if (args[0] === 'check')
        assert.match(packed.stdout, new RegExp(place(299).replaceAll(/[[\]]/g, '\\$&')))
    }
  })
}

test('packed bytes that are read in many chunks stay what they are', async (t) => {
  let text = ''
  for (let nth = 0; text.length < 4e6; nth++) {
    const noise = createHash('sha512').update(`${nth}`).digest('hex')
    text += `${JSON.stringify(chat(nth, `${nth % 500 === 7 ? 'heliotrope ' : ''}${noise}`))}\n`
  }
  const contents = { 'a.jsonl.gz': packedBy('gzip', text), 'a.jsonl.zst': packedBy('zstd', text) }
  const cwd = folder(t, { ...contents, 'plain.jsonl': text })
  const wanted = text.split('\n').flatMap((it) => (it.includes('heliotrope') ? [`${it}\n`] : []))
  assert.ok(contents['a.jsonl.gz'].length > 2 ** 20)
  for (const name of [...Object.keys(contents), 'plain.jsonl']) {
    const { status, stdout, stderr } = await ocm(['filter', 'heliotrope', name], { cwd })
    assert.deepEqual([status, stdout], [0, wanted.join('')], stderr)
  }
})

test('a folder and a pattern are one dataset, in the order of names', async (t) => {
  const half = (from: number, to: number) =>
    samples
      .slice(from, to)
      .map((it) => `${JSON.stringify(it)}\n`)
      .join('')
  const cwd = folder(t, {
    'data/a.jsonl.gz': packedBy('gzip', half(0, 100)),
    'data/b.parquet': parquetOf(samples.slice(100, 200)),
    'data/c/d.jsonl.zst': packedBy('zstd', half(200, 300)),
    'data/notes.md': 'Not a dataset',
    'data/rows.jsonl': '{"x":1}\n',
    'plain.jsonl': jsonl,
  })
  const plain = await ocm(['convert', '--to', 'messages', 'plain.jsonl'], { cwd })
  const whole = await ocm(['convert', '--to', 'messages', 'data'], { cwd })
  assert.equal(whole.stdout, plain.stdout)
  assert.match(whole.stderr, /rows\.jsonl: its samples are not conversations, so it is skipped/)
  assert.equal(whole.status, 0)
  const pattern = await ocm(['convert', '--to', 'messages', 'data/**/*.{gz,parquet,zst}'], { cwd })
  assert.deepEqual([pattern.status, pattern.stdout], [0, plain.stdout])
  writeFileSync(join(cwd, 'data/plain.jsonl.review.jsonl'), '{"hash":"x"}\n')
  const reviewed = await ocm(['check', '--format', 'json', 'data/*.jsonl'], { cwd })
  assert.deepEqual(
    JSON.parse(reviewed.stdout).files.map(({ path }: { path: string }) => path),
    ['data/rows.jsonl'],
  )
  const none = await ocm(['convert', 'data/*.txt'], { cwd })
  assert.equal(none.status, 2)
  assert.match(none.stderr, /no file matches this pattern/)
})

test('links in a circle end, and a file is read once', async (t) => {
  const cwd = folder(t, { 'data/a.parquet': parquet, 'data/b/c.jsonl': jsonl })
  symlinkSync('..', join(cwd, 'data/b/loop'))
  symlinkSync('self', join(cwd, 'data/self'))
  const { status, stdout } = await ocm(['convert', '--to', 'messages', 'data'], { cwd })
  assert.equal(stdout.split('\n').length - 1, 600)
  assert.equal(status, 0)
})

test('damage is reported as E-INPUT, and the status is 2', async (t) => {
  const gz = packedBy('gzip', jsonl)
  const zst = packedBy('zstd', jsonl)
  const broken = Buffer.from(gz)
  broken[gz.length - 6] = (broken.at(-6) ?? 0) ^ 1
  const files: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
    'cut.jsonl.gz': [gz.subarray(0, -30), /the gzip data is cut off/],
    'crc.jsonl.gz': [broken, /the gzip data is damaged/],
    'cut.jsonl.zst': [zst.subarray(0, -5), /the zstd data is cut off/],
    'tail.jsonl.zst': [Buffer.concat([zst, Buffer.from('tail')]), /the zstd data is damaged/],
    'footer.parquet': [parquet.subarray(0, -8), /the Parquet file is cut off: its footer is missing/],
    'text.parquet': [Buffer.from('PAR1 no table PAR1'), /the Parquet file is damaged/],
  }
  const cwd = folder(t, Object.fromEntries(Object.entries(files).map(([name, [content]]) => [name, content])))
  for (const [name, [, reason]] of Object.entries(files)) {
    const { status, stderr } = await ocm(['convert', '--to', 'messages', name], { cwd })
    assert.equal(status, 2, name)
    assert.match(stderr, reason)
    const report = await ocm(['check', '--format', 'json', name], { cwd })
    assert.equal(report.status, 2)
    assert.match(report.stdout, new RegExp(`"E-INPUT".*${reason.source}`))
  }
})

test('what comes before damage is still there', async (t) => {
  const long = samples
    .map((it) => {
      const note = createHash('shake256', { outputLength: 4000 }).update(`${it.id}`).digest('hex')
      return `${JSON.stringify({ ...it, note })}\n`
    })
    .join('')
  const cwd = folder(t, {
    'cut.jsonl.gz': packedBy('gzip', long).subarray(0, -20),
    'cut.jsonl.zst': packedBy('zstd', long).subarray(0, -20),
  })
  for (const name of ['cut.jsonl.gz', 'cut.jsonl.zst']) {
    const { status, stdout } = await ocm(['convert', '--to', 'messages', name], { cwd })
    assert.equal(status, 2)
    assert.ok(stdout.split('\n').length > 100, `${name}: ${stdout.split('\n').length}`)
  }
})

test('every sample before damage is there, however the gzip data ends', async (t) => {
  const lines = (count: number) =>
    jsonl
      .split('\n', 1)
      .map((it) => `${it}\n`.repeat(count))
      .join('')
  const files: Record<string, Uint8Array> = {}
  for (const count of [1000, 40_000]) {
    const whole = packedBy('gzip', lines(count))
    const wrong = Buffer.from(whole)
    wrong[whole.length - 6] = (whole.at(-6) ?? 0) ^ 1
    files[`tail-${count}.jsonl.gz`] = Buffer.concat([whole, Buffer.from('garbage\n'.repeat(50))])
    files[`crc-${count}.jsonl.gz`] = wrong
  }
  const cwd = folder(t, files)
  for (const name of Object.keys(files)) {
    const { status, stdout, stderr } = await ocm(['filter', '', name], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /the gzip data is damaged/)
    assert.equal(`${stdout.split('\n').length - 1}`, /\d+/.exec(name)?.[0], name)
  }
})

test('a Parquet file whose columns are no conversation names its rows, and is left alone in a folder', async (t) => {
  const points = parquetWith(
    [
      { name: 'points', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
    ],
    { points: [[1, 2], [3]] },
  )
  const cwd = folder(t, { 'data/points.parquet': points, 'data/a.parquet': parquet })
  const named = await ocm(['check', 'data/points.parquet'], { cwd })
  assert.equal(named.status, 2)
  assert.match(named.stderr, /data\/points\.parquet\[1\]: /)
  const found = await ocm(['check', 'data'], { cwd })
  assert.equal(found.status, 0)
  assert.match(found.stderr, /data\/points\.parquet: its samples are not conversations, so it is skipped/)
})

test('a Parquet file from a pipe is refused, because its end is read first', async () => {
  const { status, stderr } = await ocm(['convert', '--jsonl', '-'], { input: parquet })
  assert.equal(status, 2)
  assert.match(stderr, /cannot be read from a pipe/)
})

test('files that were joined from several are read to their end', async (t) => {
  const [one, other] = [jsonl.slice(0, jsonl.indexOf('\n') + 1), jsonl.slice(jsonl.indexOf('\n') + 1)]
  const twice = (program: 'gzip' | 'zstd') =>
    Buffer.concat([packedBy(program, one), packedBy(program, other)])
  const cwd = folder(t, { 'a.jsonl.gz': twice('gzip'), 'a.jsonl.zst': twice('zstd') })
  for (const name of ['a.jsonl.gz', 'a.jsonl.zst'])
    assert.equal(
      (await ocm(['convert', '--to', 'messages', name], { cwd })).stdout.split('\n').length - 1,
      300,
    )
})

test('compressed data from a pipe is read with --jsonl', async () => {
  const plain = await ocm(['convert', '--jsonl', '--to', 'messages', '-'], { input: jsonl })
  for (const program of ['gzip', 'zstd'] as const) {
    const packed = await ocm(['convert', '--jsonl', '--to', 'messages', '-'], {
      input: packedBy(program, jsonl),
    })
    assert.equal(packed.stdout, plain.stdout)
  }
})

nightly('a line that never ends takes no memory, however well it packs', async (t) => {
  const zeros = packedBy('zstd', new Uint8Array(2 ** 26), '-1')
  const bomb = Buffer.concat([...Array.from({ length: 4 }, () => zeros), packedBy('zstd', `\n${jsonl}`)])
  const cwd = folder(t, { 'bomb.jsonl.zst': bomb })
  const { status, stdout, stderr } = await ocm(['convert', '--to', 'messages', 'bomb.jsonl.zst'], {
    cwd,
    env: { NODE_OPTIONS: '--max-old-space-size=256' },
  })
  assert.equal(status, 2)
  assert.match(stderr, /bomb\.jsonl\.zst:1:1: is longer than 128 MB/)
  assert.equal(stdout.split('\n').length - 1, 300)
})

const hash = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
const edit = (row: number, before: object, after: object) =>
  `${JSON.stringify({ row, hash: hash(JSON.stringify(before)), sample: after })}\n`

test('edits beside a packed dataset are applied by every command', async (t) => {
  const cwd = folder(t, { 'a.parquet': parquet, 'a.jsonl.gz': packedBy('gzip', jsonl) })
  writeFileSync(
    join(cwd, 'a.parquet.edits.jsonl'),
    edit(17, chat(17), chat(17, 'First')) + edit(17, chat(17), chat(17, 'Edited')),
  )
  writeFileSync(join(cwd, 'a.jsonl.gz.edits.jsonl'), edit(18, chat(17), chat(17, 'Edited')))
  for (const name of ['a.parquet', 'a.jsonl.gz']) {
    const { stdout, status } = await ocm(['convert', '--to', 'messages', name], { cwd })
    assert.equal(status, 0)
    const lines = stdout.trimEnd().split('\n')
    assert.match(lines[17] ?? '', /"Edited"/)
    assert.equal(lines.filter((it) => it.includes('Edited')).length, 1)
    assert.match((await ocm(['render', name], { cwd })).stdout, /Edited/)
  }
  const all = await ocm(['convert', '--to', 'messages', '.'], { cwd })
  assert.equal(all.stdout.split('\n').length - 1, 600, 'the edits are no dataset of their own')
})

test('an edit of another sample, of none, and one that is broken are reported, and never applied', async (t) => {
  const cwd = folder(t, { 'a.parquet': parquet })
  const edits = join(cwd, 'a.parquet.edits.jsonl')
  writeFileSync(edits, edit(17, chat(16), chat(17, 'Edited')) + edit(1000, chat(0), chat(0)))
  const stale = await ocm(['check', '--format', 'json', 'a.parquet'], { cwd })
  assert.equal(stale.status, 2)
  assert.match(stale.stdout, /"sample":"a.parquet\[17\]".*"E-INPUT".*is not the one that was edited/)
  assert.match(stale.stderr, /a\.parquet\.edits\.jsonl:2:1: there is no sample 1000 in a\.parquet/)
  assert.doesNotMatch((await ocm(['convert', 'a.parquet'], { cwd })).stdout, /Edited/)
  writeFileSync(edits, '\n{"row":1}\n')
  const broken = await ocm(['check', 'a.parquet'], { cwd })
  assert.equal(broken.status, 2)
  assert.match(broken.stdout + broken.stderr, /a\.parquet\.edits\.jsonl:2:1: .*An edit must have/)
})

test('fixes are never written into a packed dataset', async (t) => {
  const cwd = folder(t, { 'a.parquet': parquet })
  for (const target of [['--in-place'], ['--output', 'fixed.jsonl']]) {
    const { status, stdout, stderr } = await ocm(['check', '--fix', ...target, 'a.parquet'], { cwd })
    assert.equal(status, 2)
    assert.match(stdout + stderr, /is compressed or Parquet, which `--fix` does not write/)
  }
  assert.deepEqual(new Uint8Array(readFileSync(join(cwd, 'a.parquet'))), parquet)
  assert.ok(!existsSync(join(cwd, 'fixed.jsonl')))
})
