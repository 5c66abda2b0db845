/** `ocm review`, and queries about a review. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { canonicalSample, hashText, readSample, viewOfSample } from '../../core/src/internal.ts'
import { folder, ocm } from './run-ocm.ts'

const samples = Array.from({ length: 6 }, (_, index) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `Question ${index}` },
      { role: 'assistant', content: `Answer ${index}` },
    ],
  }),
)
const pair = '{"prompt":"Name a color","chosen": "Seven", "rejected":"Teal","score":1e400}'
const data = `${[...samples, pair, '{"broken'].join('\n')}\n`

/** The hash of each line of `text`. */
function hashesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const sample = readSample(Buffer.from(line), { rest: 'source' })
      const canonical = canonicalSample(viewOfSample(sample, index + 1))
      return hashText(createHash('sha256').update(canonical).digest())
    })
}

function reviewed(t: TestContext): string {
  const hashes = hashesOf(data)
  const line = (place: number, more: object) =>
    JSON.stringify({ v: 1, place, hash: hashes[place - 1], ...more })
  const lines = [
    line(1, { decision: 'keep', by: 'Ann', labels: ['good'] }),
    line(1, { decision: 'keep', by: 'Bo', note: 'Really short' }),
    line(2, { decision: 'reject', by: 'Ann' }),
    line(3, { decision: 'keep', by: 'Ann' }),
    line(3, { decision: 'reject', by: 'Bo' }),
    '{"v":1,"pla',
    JSON.stringify({ v: 1, place: 4, hash: `sha256:${'0'.repeat(64)}`, decision: 'keep', by: 'Ann' }),
    line(7, { decision: 'keep', branch: 'rejected', by: 'Ann' }),
    line(8, { decision: 'reject', by: 'Ann' }),
  ]
  return folder(t, { 'train.jsonl': data, 'train.jsonl.review.jsonl': `${lines.join('\n')}\n` })
}

const ignored = 'ocm: train.jsonl.review.jsonl:6: This is not JSON. The line is ignored\n'

describe('review', () => {
  test('stats counts, and fails on demand', async (t) => {
    const cwd = reviewed(t)
    const run = await ocm(['review', 'stats', 'train.jsonl'], { cwd })
    assert.deepEqual(run, {
      status: 0,
      stdout: [
        'train.jsonl: 5 of 8 decided (62.5 %)',
        '  keep      2',
        '  reject    2',
        '  conflict  1',
        '  stale     1',
        '  undecided 2',
        '  labels: good 1',
        '  reviewers: Ann 5, Bo 2',
        '  notes: 1',
        '',
      ].join('\n'),
      stderr: ignored,
    })
    const strict = await ocm(['review', 'stats', '--require-all', '--format', 'json', '.'], { cwd })
    assert.equal(strict.status, 1)
    const { files, done } = JSON.parse(strict.stdout)
    assert.equal(done, false)
    assert.deepEqual(
      [files.length, files[0].samples, files[0].keep, files[0].stale, files[0].undecided],
      [1, 8, 2, 1, 2],
    )
  })

  test('apply prints what is kept byte for byte, and the preferred branch first', async (t) => {
    const cwd = reviewed(t)
    const swapped = '{"prompt":"Name a color","chosen": "Teal", "rejected":"Seven","score":1e400}'
    const kept = await ocm(['review', 'apply', 'train.jsonl'], { cwd })
    assert.deepEqual(kept, { status: 0, stdout: `${samples[0]}\n${swapped}\n`, stderr: ignored })
    const rejected = await ocm(['review', 'apply', '--reject', 'train.jsonl'], { cwd })
    assert.equal(rejected.stdout, `${samples[1]}\n{"broken\n`)
    const ofBo = await ocm(['review', 'apply', '--reject', '--by', 'Bo', 'train.jsonl'], { cwd })
    assert.equal(ofBo.stdout, `${samples[2]}\n`)
    const strict = await ocm(['review', 'apply', '--require-all', 'train.jsonl'], { cwd })
    assert.deepEqual([strict.status, strict.stdout], [1, ''])
    assert.match(strict.stderr, /5 of 8 decided.*\nocm: +keep +2\n/)
  })

  test('apply leaves out what is kept but cannot be read, and fails', async (t) => {
    const [, hash] = hashesOf(`${samples[0]}\n{"broken\n`)
    const cwd = folder(t, {
      'a.jsonl': `${samples[0]}\n{"broken\n`,
      'a.jsonl.review.jsonl': `${JSON.stringify({ v: 1, place: 2, hash, decision: 'keep' })}\n`,
    })
    assert.deepEqual(await ocm(['review', 'apply', 'a.jsonl'], { cwd }), {
      status: 2,
      stdout: '',
      stderr: 'ocm: a.jsonl, sample 2: is marked as kept, but cannot be read, so it is left out\n',
    })
  })

  test('apply --require-all prints a review that is done', async (t) => {
    const [hash, other] = hashesOf(`${samples[0]}\n${samples[1]}\n`)
    const line = (place: number, its: string | undefined, decision: string) =>
      `${JSON.stringify({ v: 1, place, hash: its, decision })}\n`
    // The samples are in another order than when they were decided on.
    const cwd = folder(t, {
      'a.jsonl': `${samples[1]}\n${samples[0]}\n`,
      'a.jsonl.review.jsonl': line(1, hash, 'keep') + line(2, other, 'reject'),
    })
    const run = await ocm(['review', 'apply', '--require-all', 'a.jsonl'], { cwd })
    assert.deepEqual(run, { status: 0, stdout: `${samples[0]}\n`, stderr: '' })
    writeFileSync(join(cwd, 'a.jsonl.gz'), gzipSync(readFileSync(join(cwd, 'a.jsonl'))))
    writeFileSync(join(cwd, 'a.jsonl.gz.review.jsonl'), line(1, hash, 'keep'))
    assert.equal((await ocm(['review', 'apply', 'a.jsonl.gz'], { cwd })).stdout, `${samples[0]}\n`)
  })

  test('agree compares reviewers and files', async (t) => {
    const cwd = reviewed(t)
    const run = await ocm(['review', 'agree', 'train.jsonl'], { cwd })
    assert.deepEqual(run, {
      status: 0,
      stdout:
        "Ann and Bo: 1 of 2 decisions are the same (50.0 %)\n  Cohen's kappa: 0.00\n  Ann keep, Bo reject: 1\n",
      stderr: ignored,
    })
    const json = await ocm(
      ['review', 'agree', '--format', 'json', 'train.jsonl', 'train.jsonl.review.jsonl'],
      { cwd },
    )
    const [same] = JSON.parse(json.stdout).agreements
    assert.deepEqual([same.both, same.share, same.kappa], [5, 1, 1])
    const alone = await ocm(['review', 'agree', '--by', 'Ann', 'train.jsonl'], { cwd })
    assert.deepEqual([alone.status, alone.stdout], [2, ''])
  })

  test('queries and statistics see the review', async (t) => {
    const cwd = reviewed(t)
    const found = async (query: string, ...more: readonly string[]) =>
      (await ocm(['filter', query, ...more, 'train.jsonl'], { cwd })).stdout
    assert.equal(await found('decision:keep form:messages'), `${samples[0]}\n`)
    assert.equal(await found('decision:conflict', '--jobs', '2'), `${samples[2]}\n`)
    assert.equal(await found('is:stale'), `${samples[3]}\n`)
    assert.equal(await found('note:short'), `${samples[0]}\n`)
    assert.equal(await found('is:undecided', '--count'), '3\n')
    assert.equal(await found('reviewer:bo'), `${samples[0]}\n${samples[2]}\n`)
    const stats = await ocm(['stats', '--format', 'json', '--columns', 'decision', 'train.jsonl'], { cwd })
    assert.match(stats.stdout, /"keep"/)
  })

  for (const [name, args, message] of [
    ['an unknown action', ['review', 'stat', 'a'], /Unknown action `stat`\. Did you mean `stats`|`stats`/],
    ['no path', ['review', 'stats'], /at least one file/],
    [
      'options of another action',
      ['review', 'stats', '--keep', 'a'],
      /`--keep` and `--reject` are for `apply`/,
    ],
  ] as const)
    test(`${name} is wrong usage`, async (t) => {
      const run = await ocm(args, { cwd: folder(t, {}) })
      assert.equal(run.status, 2)
      assert.match(run.stderr, message)
    })
})
