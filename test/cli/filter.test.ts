/** `ocm filter` and `ocm stats`: what they print, in order, whatever the threads and shards. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { folder, ocm } from './run-ocm.ts'

/** Long enough for several stretches and shards. */
const samples = Array.from({ length: 2200 }, (_, index) =>
  JSON.stringify({
    id: `sample-${index}`,
    source: index % 4 === 0 ? 'wiki' : 'web',
    score: index / 1000,
    messages: [
      { role: 'user', content: `Question ${index} ${'and so on '.repeat(index % 30)}` },
      index % 10 === 0
        ? { role: 'assistant', content: 'An answer.', reasoning_content: 'SECRET thought' }
        : { role: 'assistant', content: 'An answer.' },
    ],
  }),
)
const data = `${samples.join('\n')}\n`
/** For what neither stretches nor shards change. */
const few = `${samples.slice(0, 300).join('\n')}\n`

function linesWith(condition: (index: number) => boolean): string {
  return samples
    .filter((_, index) => condition(index))
    .map((it) => `${it}\n`)
    .join('')
}

describe('filter', () => {
  test('prints what matches byte for byte, in order, with any number of threads', async (t) => {
    const odd = '{"messages":[{"role":"user","content":"h\\u0069 1e400"}],  "weight": 1e400, "a":1,"a":2}'
    const cwd = folder(t, {
      'data.jsonl': `${data}${odd}\n`,
      'few.jsonl': `${few}${odd}\n`,
      'list.json': `[\n  ${samples[0]},\n  {"messages": [\n    {"role": "user", "content": "two\\nlines"}\n  ]}\n]\n`,
    })
    const expected = linesWith((index) => index % 4 === 0 && index / 1000 < 0.5)
    for (const jobs of ['1', '3']) {
      const run = await ocm(['filter', 'source:wiki score<0.5', '--jobs', jobs, 'data.jsonl'], { cwd })
      assert.deepEqual(run, { status: 0, stdout: expected, stderr: '' })
    }
    assert.equal((await ocm(['filter', '"hi 1e400"', 'few.jsonl'], { cwd })).stdout, `${odd}\n`)
    const list = await ocm(['filter', '"two"', 'list.json'], { cwd })
    assert.equal(list.stdout, '{"messages": [{"role": "user", "content": "two\\nlines"}]}\n')
    const inverted = await ocm(['filter', 'source:wiki OR source:web', '--invert', 'few.jsonl'], { cwd })
    assert.equal(inverted.stdout, `${odd}\n`)
    assert.equal((await ocm(['filter', 'has:reasoning', '--count', 'few.jsonl'], { cwd })).stdout, '30\n')
    const counted = await ocm(['tokens', '--format', 'json', 'few.jsonl'], { cwd })
    const long = counted.stdout.split('\n').filter((line) => line !== '' && JSON.parse(line).total > 60)
    assert.equal(
      (await ocm(['filter', 'tokens>60', '--count', 'few.jsonl'], { cwd })).stdout,
      `${long.length}\n`,
    )
  })

  test('shards do the whole, each sample once', async (t) => {
    const cwd = folder(t, { 'data.jsonl': data })
    const parts = await Promise.all(
      ['1/3', '2/3', '3/3'].map((shard) =>
        ocm(['filter', 'source:web', '--shard', shard, 'data.jsonl'], { cwd }),
      ),
    )
    const lines = parts.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean))
    assert.ok(parts.every(({ stdout }) => stdout !== ''))
    const expected = linesWith((index) => index % 4 !== 0)
      .split('\n')
      .filter(Boolean)
    assert.deepEqual(lines.toSorted(), expected.toSorted())
  })

  test('a choice by chance is repeated by its seed, and says it', async (t) => {
    const cwd = folder(t, { 'data.jsonl': few })
    const first = await ocm(['filter', 'source:web', '--sample', '20', '--jobs', '3', 'data.jsonl'], { cwd })
    const seed = /--seed (\d+)\n$/.exec(first.stderr)?.[1] ?? ''
    assert.equal(first.stdout.split('\n').length, 21)
    const again = await ocm(['filter', 'source:web', '--sample', '20', '--seed', seed, 'data.jsonl'], { cwd })
    assert.deepEqual(again, { ...first, stderr: '' })
    const other = await ocm(['filter', 'source:web', '--sample', '20', '--seed', '1', 'data.jsonl'], { cwd })
    assert.notEqual(other.stdout, first.stdout)
    const numbers = other.stdout
      .split('\n')
      .filter(Boolean)
      .map((it) => JSON.parse(it).score)
    assert.deepEqual(
      numbers,
      numbers.toSorted((one, two) => one - two),
    )
  })

  test('a field that no sample has is reported, with the nearest name', async (t) => {
    const cwd = folder(t, { 'data.jsonl': few })
    const wrong = await ocm(['filter', '--count', 'sorce:web OR scor>=2', 'data.jsonl'], { cwd })
    assert.deepEqual(wrong, {
      status: 0,
      stdout: '0\n',
      stderr:
        'ocm: Unknown field `sorce`. Did you mean `source`?\nocm: Unknown field `scor`. Did you mean `score`?\n',
    })
    const right = await ocm(['filter', '--count', 'source:nowhere OR score>=1e9', 'data.jsonl'], { cwd })
    assert.deepEqual(right, { status: 0, stdout: '0\n', stderr: '' })
  })

  test('a field with a name in quotes is found', async (t) => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const lines = [20, 30].map((it) => JSON.stringify({ messages, 'prompt length': it, meta: { 'a b': it } }))
    const cwd = folder(t, { 'data.jsonl': `${lines.join('\n')}\n` })
    for (const query of ['"prompt length">20', '"meta.a b":30', '-"prompt length":20'])
      assert.equal((await ocm(['filter', '--', query, 'data.jsonl'], { cwd })).stdout, `${lines[1]}\n`, query)
  })

  test('what cannot be read is reported, unless the query is about it', async (t) => {
    const broken = '{"messages": ['
    const wrong = '{"messages": [{"role": "user", "content": 1}]}'
    const cwd = folder(t, { 'data.jsonl': `${samples[0]}\n${broken}\n${wrong}\n` })
    const plain = await ocm(['filter', 'messages>0', 'data.jsonl'], { cwd })
    assert.equal(plain.status, 2)
    assert.equal(plain.stdout, `${samples[0]}\n`)
    // Samples without the word of a query cannot match, and are not read, but what is cut off is reported.
    const word = await ocm(['filter', 'source:wiki', 'data.jsonl'], { cwd })
    assert.equal(word.status, 2)
    assert.equal(word.stdout, `${samples[0]}\n`)
    assert.match(word.stderr, /^[^\n]*data\.jsonl:2:14: [^\n]*\n[^\n]*$/)
    const both = await ocm(['filter', 'source:wiki OR user', 'data.jsonl'], { cwd })
    assert.equal(both.status, 2)
    assert.match(both.stderr, /data\.jsonl:2:14: .*\n.*data\.jsonl:3:43: /)
    assert.match(plain.stderr, /data\.jsonl:2:14: .*\n.*data\.jsonl:3:43: /)
    const asked = await ocm(['filter', 'is:broken', 'data.jsonl'], { cwd })
    assert.deepEqual(asked, { status: 0, stdout: `${broken}\n${wrong}\n`, stderr: '' })
    const others = await ocm(['filter', '--', '-is:broken', 'data.jsonl'], { cwd })
    assert.deepEqual(others, { status: 0, stdout: `${samples[0]}\n`, stderr: '' })
  })

  test('samples that cannot match are not read, wherever they are', async (t) => {
    const noJson = '{"messages": nothing}'
    const spaced = `  ${samples[1]}  `
    const found = '{"messages": [{"role": "user", "content": "Heliotrope"}]}'
    const lines = [samples[0], noJson, spaced, found, '["a"', samples[2], found]
    const cwd = folder(t, {
      'data.jsonl': `${lines.join('\r\n')}\r\n`,
      'data.json': JSON.stringify(
        [found, ...samples, found].map((it) => JSON.parse(it)),
        undefined,
        2,
      ),
    })
    const { status, stdout, stderr } = await ocm(['filter', 'heliotrope', 'data.jsonl'], { cwd })
    assert.deepEqual({ status, stdout }, { status: 2, stdout: `${found}\n${found}\n` })
    assert.match(stderr, /^ocm: data\.jsonl:5:[^\n]*\n$/)
    const inverted = await ocm(['filter', 'heliotrope', '--invert', 'data.jsonl'], { cwd })
    assert.match(inverted.stderr, /data\.jsonl:2:/)
    const list = await ocm(['filter', 'heliotrope', '--count', 'data.json'], { cwd })
    assert.deepEqual([list.status, list.stdout, list.stderr], [0, '2\n', ''])
    const shards = await Promise.all(
      ['1/2', '2/2'].map((it) =>
        ocm(['filter', 'heliotrope', '--shard', it, '--count', 'data.json'], { cwd }),
      ),
    )
    assert.deepEqual(
      shards.map(({ stdout }) => stdout),
      ['2\n', '0\n'],
    )
  })

  test('samples that repeat others are found, in all files of the run', async (t) => {
    const near = (word: string) => {
      const words = Array.from({ length: 120 }, (_, nth) => `word${nth}`).join(' ')
      return JSON.stringify({
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: `${words} ${word}.` },
        ],
      })
    }
    const one = near('one')
    const texts = { 'a.jsonl': `${one}\n{"a\n${samples[0]}\n`, 'b.jsonl': `${near('two')}\n${one}\n` }
    const cwd = folder(t, {
      ...texts,
      'off/b.jsonl': texts['b.jsonl'],
      'off/.openchatml.yaml': 'rules: {W-DATA-DUPLICATE: off}\n',
    })
    const found = async (...args: string[]) => (await ocm(['filter', ...args], { cwd })).stdout
    assert.equal(await found('problem:W-DATA-DUPLICATE', 'a.jsonl', 'b.jsonl'), `${one}\n`)
    assert.equal(await found('problem:duplicate-sample', 'b.jsonl', 'a.jsonl'), `${one}\n`)
    assert.equal(await found('problem:W-DATA-NEAR-DUPLICATE', '--count', 'a.jsonl', 'b.jsonl'), '1\n')
    assert.equal(await found('problem:*DUPLICATE', '--shard', '1/2', '--count', 'a.jsonl', 'b.jsonl'), '2\n')
    assert.equal(await found('problem:W-DATA-DUPLICATE', '--count', 'a.jsonl'), '0\n')
    assert.equal(await found('problem:W-DATA-DUPLICATE', '--count', 'a.jsonl', 'off/b.jsonl'), '0\n')
    const both = await ocm(['filter', 'problem:W-DATA-DUPLICATE', 'a.jsonl', 'b.jsonl'], { cwd })
    assert.equal(both.stderr.match(/a\.jsonl:2:/g)?.length, 1, 'what cannot be read is reported once')
    const input = await ocm(['filter', 'problem:W-DATA-DUPLICATE', '--jsonl', '-'], {
      cwd,
      input: `${one}\n${one}\n`,
    })
    assert.deepEqual([input.status, input.stdout], [0, ''])
    assert.match(input.stderr, /standard input/)
  })

  test('problems are judged as the configuration says', async (t) => {
    const text = JSON.stringify({
      text: 'version: 2.2\n<|start|>assistant<|channel|> final<|message|>Hi<|return|>\n',
    })
    const cwd = folder(t, {
      'data.jsonl': `${text}\n`,
      'off/data.jsonl': `${text}\n`,
      'off/.openchatml.yaml': 'rules: {W-TOKEN-SPACE: off}\n',
    })
    assert.equal(
      (await ocm(['filter', 'problem:W-TOKEN-SPACE', '--count', 'data.jsonl'], { cwd })).stdout,
      '1\n',
    )
    assert.equal((await ocm(['filter', 'problem:W-TOKEN-SPACE', '--count', 'off'], { cwd })).stdout, '0\n')
  })

  for (const [args, complaint] of [
    [[], /Name a query/],
    [['x'], /Name at least one file/],
    [['user:(', 'x'], /The query, column 6: Expected a value/],
    [['a OR', 'x'], /The query, column 5: Expected a term/],
    [['a', '--seed', '1', 'x'], /`--seed` is for `--sample`/],
    [['a', '--shard', '4/3', 'x'], /expected a part, such as 1\/8/],
    [['a', '--shard', '0/3', 'x'], /expected a part, such as 1\/8/],
  ] as const)
    test(`mistake: ${args.join(' ')}`, async () => {
      const run = await ocm(['filter', ...args])
      assert.equal(run.status, 2)
      assert.match(run.stderr, complaint)
    })
})

describe('stats', () => {
  nightly('shards merge to the report on the whole, and threads change nothing', async (t) => {
    const cwd = folder(t, { 'data.jsonl': data })
    const stats = (...args: readonly string[]) => ocm(['stats', '--by', 'source', ...args], { cwd })
    const whole = await stats('data.jsonl', '--jobs', '1')
    assert.equal(whole.status, 0)
    assert.match(whole.stdout, /^2,200 samples\n/)
    assert.match(whole.stdout, /^source +web 1,650 · wiki 550$/m)
    assert.match(whole.stdout, /^id +sample-0 1 · .* 2,195 more$/m)
    assert.match(whole.stdout, /^messages +2 /m)
    assert.equal((await stats('data.jsonl', '--jobs', '3')).stdout, whole.stdout)
    const names = ['1.json', '2.json', '3.json']
    for (const [index, name] of names.entries()) {
      const { stdout } = await stats('data.jsonl', '--format', 'json', '--shard', `${index + 1}/3`)
      writeFileSync(join(cwd, name), stdout)
    }
    assert.equal((await stats('--merge', ...names)).stdout, whole.stdout)
    assert.equal((await ocm(['stats', '--merge', ...names], { cwd })).stdout, whole.stdout)
    const page = await stats('data.jsonl', '--format', 'html')
    assert.match(page.stdout, /<title>Statistics of data\.jsonl</)
    assert.match(page.stdout, /base-uri 'none'; form-action 'none'"/)
    writeFileSync(join(cwd, 'all.json'), (await stats('--merge', '--format', 'json', ...names)).stdout)
    for (const parts of [names, ['all.json']])
      assert.equal((await stats('--merge', '--format', 'html', ...parts)).stdout, page.stdout)
  })

  test('no text of a conversation is in any report', async (t) => {
    const cwd = folder(t, {
      'data.jsonl': `${few}{"prompt":"SECRET","completion":"SECRET","thinking":"SECRET","source":"<script>"}\n`,
    })
    for (const format of ['text', 'json', 'html']) {
      const { stdout, stderr } = await ocm(['stats', '--format', format, '--by', 'source', 'data.jsonl'], {
        cwd,
      })
      assert.doesNotMatch(stdout + stderr, /SECRET|Question|answer\./)
      if (format === 'html') assert.doesNotMatch(stdout, /<script>/)
    }
    const refused = await ocm(['stats', '--columns', 'thinking', 'data.jsonl'], { cwd })
    assert.match(refused.stderr, /`thinking` may contain text of conversations/)
  })

  test('no secret is in any report: values, names of fields and groups, long values, merged reports', async (t) => {
    const keys = ['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', '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']
    const sample = (source: string, name = 'other') =>
      JSON.stringify({
        prompt: 'Hi',
        completion: 'Hello',
        source,
        [name]: 'x',
        link: `${'-'.repeat(180)} ${source}`,
      })
    const lines = keys.map((key) => `${sample(`see ${key}`, key)}\n${sample(key)}\n`).join('')
    const cwd = folder(t, { 'data.jsonl': lines })
    const args = ['stats', '--by', 'source', 'data.jsonl']
    const options = { cwd }
    const { stdout } = await ocm([...args, '--format', 'json'], options)
    writeFileSync(join(cwd, 'own.json'), stdout)
    writeFileSync(join(cwd, 'older.json'), stdout.replaceAll('[REDACTED]', keys[0] ?? ''))
    const runs = [
      ['--format', 'text', ...args.slice(1)],
      ['--format', 'json', ...args.slice(1)],
      ['--format', 'html', ...args.slice(1)],
      ['--columns', 'link', 'data.jsonl'],
      ['--by', 'source', '--merge', 'own.json', 'older.json'],
      ['--by', 'source', '--format', 'json', '--merge', 'own.json', 'older.json'],
    ]
    for (const run of runs) {
      const { stdout: shown } = await ocm(['stats', ...run], options)
      assert.doesNotMatch(shown, /hf_/, run.join(' '))
      assert.ok(shown.includes('[REDACTED]'), run.join(' '))
    }
    const report = await ocm(['report', '--format', 'json', 'data.jsonl'], options)
    assert.doesNotMatch(report.stdout, /hf_/)
  })

  test('fields beyond the first 200 are mentioned, in every format and after a merge', async (t) => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const fields = (count: number) =>
      JSON.stringify({
        messages,
        ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])),
      })
    const cwd = folder(t, { 'many.jsonl': `${fields(201)}\n`, 'all.jsonl': `${fields(200)}\n` })
    const said =
      /^ocm: Only the first 200 fields of samples are summarized; to summarize others, name them with `--columns`$/m
    const shards: string[] = []
    for (const format of ['text', 'json', 'html']) {
      const many = await ocm(['stats', '--format', format, 'many.jsonl'], { cwd })
      assert.match(many.stderr, said)
      assert.equal(many.status, 0)
      const all = await ocm(['stats', '--format', format, 'all.jsonl'], { cwd })
      assert.equal(all.stderr, '')
      if (format === 'json') shards.push(all.stdout, many.stdout)
    }
    for (const [index, it] of shards.entries()) writeFileSync(join(cwd, `part-${index}.json`), it)
    const merged = await ocm(['stats', '--merge', 'part-0.json', 'part-1.json'], { cwd })
    assert.match(merged.stderr, said)
    const chosen = await ocm(['stats', '--columns', 'k200', 'many.jsonl'], { cwd })
    assert.equal(chosen.stderr, '')
  })

  test('unknown columns are reported', async (t) => {
    const cwd = folder(t, { 'data.jsonl': few, 'a.ocm': 'version: 2.2\n' })
    const unknown = await ocm(['stats', '--columns', 'score,scor', '--by', 'sorce', 'data.jsonl'], { cwd })
    assert.equal(unknown.status, 0)
    assert.equal(
      unknown.stderr,
      ['scor', 'sorce'].map((it) => `ocm: Unknown field \`${it}\`. Did you mean \`score\`?\n`).join(''),
    )
    const far = await ocm(['stats', '--columns', 'wxyz', 'data.jsonl'], { cwd })
    assert.equal(far.stderr, 'ocm: Unknown field `wxyz`\n')
    const known = await ocm(['stats', '--columns', 'score,labels', '--by', 'source', 'data.jsonl'], { cwd })
    assert.deepEqual([known.status, known.stderr], [0, ''])
    assert.equal((await ocm(['stats', 'a.ocm'], { cwd })).stderr, 'ocm: a.ocm: is not a dataset\n')
  })

  test('lengths over a limit, chosen columns, and reports that are none', async (t) => {
    const cwd = folder(t, { 'data.jsonl': data, 'no.json': '{"samples":1}' })
    const { stdout } = await ocm(['stats', '--columns', 'tokens', '--max-length', '60', 'data.jsonl'], {
      cwd,
    })
    const long = await ocm(['filter', 'tokens>60', '--count', 'data.jsonl'], { cwd })
    const count = Number(long.stdout).toLocaleString('en')
    assert.ok(stdout.includes(`\n${count} of 2,200 samples (`), stdout)
    assert.match(stdout, /they fill at least [\d,]+ sequences\.$/m)
    assert.doesNotMatch(stdout, /^source/m)
    const limited = ['stats', '--columns', 'tokens', '--max-length', '60', '--format', 'json', '--shard']
    for (const nth of [1, 2])
      writeFileSync(
        join(cwd, `${nth}.json`),
        (await ocm([...limited, `${nth}/2`, 'data.jsonl'], { cwd })).stdout,
      )
    assert.equal((await ocm(['stats', '--merge', '1.json', '2.json'], { cwd })).stdout, stdout)
    const merged = await ocm(['stats', '--merge', 'no.json'], { cwd })
    assert.equal(merged.status, 2)
    assert.match(merged.stderr, /no\.json: is not a report/)
  })
})

test('a length that nothing is compared with is refused', async (t) => {
  const cwd = folder(t, { 'a.jsonl': '' })
  const { status, stdout, stderr } = await ocm(
    ['stats', '--columns', 'turns,chars', '--max-length', '9', 'a.jsonl'],
    { cwd },
  )
  assert.deepEqual([status, stdout], [2, ''])
  assert.match(stderr, /`--max-length` requires `tokens` in `--columns`/)
  const both = await ocm(['stats', '--columns', 'turns,tokens', '--max-length', '9', 'a.jsonl'], { cwd })
  assert.equal(both.status, 0)
})
