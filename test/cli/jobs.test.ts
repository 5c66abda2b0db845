/** Many threads: the same output in the same order as one, whatever the files are. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { stretchLimits } from '../../cli/src/dataset/stretch.ts'
import { Crew } from '../../cli/src/parallel/crew.ts'
import { WorkError } from '../../cli/src/parallel/failure.ts'
import { inOrder, type Piece } from '../../cli/src/parallel/in-order.ts'
import { nightly } from '../helpers/nightly.ts'
import { bad, fixable, fixed, folder, good, ocm, type Run } from './run-ocm.ts'

/** The first of all files: enough for threads, in one message. */
const large = { 'a.ocm': `${good}<|start|>user<|message|>${'x y z '.repeat(45_000)}<|end|>\n` }

const files: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(large),
  ...Array.from({ length: 40 }, (_, index) => {
    const long = `${good}${'<|start|>user<|message|>x y z<|end|>\n'.repeat(index % 7 === 0 ? 150 : 1)}`
    return [`d${index % 4}/f${index}.ocm`, [good, bad, fixable, long][index % 4] ?? good] as const
  }),
])

test('threads are started for much work, and not for fifteen tiny files', async (t) => {
  const cwd = folder(t, {
    'worker.cjs': `
      const { parentPort } = require('node:worker_threads')
      parentPort.on('message', ({ id }) => parentPort.postMessage({ id, result: 'from a thread' }))`,
  })
  const piece = { bytes: Buffer.from('{}'), offset: 0, first: 1, place: 'line', startLine: 1 } as never
  const input = { shown: 'a.jsonl', stretch: piece, settings: { rules: [] } } as never
  const start = (jobs: number) => new Crew('convert', {} as never, { jobs, program: join(cwd, 'worker.cjs') })
  for (const [count, bytes, isThreaded] of [
    [15, 500, false],
    [63, 500, false],
    [64, 500, true],
    [1, 300_000, true],
    [1, undefined, true],
  ] as const) {
    const crew = start(2)
    let last: unknown
    for (let nth = 0; nth < count; nth++) last = await crew.run(input, bytes)
    await crew.close()
    assert.equal(last === 'from a thread', isThreaded, `${count} of ${bytes} bytes`)
  }
  const alone = start(1)
  assert.notEqual(await alone.run(input, 10_000_000), 'from a thread')
  await alone.close()
})

describe('check', () => {
  const byDay = [[], ['--format', 'json']]
  const byNight = [
    ['--diff'],
    ['--max-problems', '7'],
    ['--format', 'sarif'],
    ['--format', 'junit'],
    ['--statistics'],
    ['--max-problems', '0', '--format', 'json'],
  ]
  for (const args of [...byDay, ...byNight]) {
    const register = byNight.includes(args) ? nightly : test
    register(`${args.join(' ') || 'without options'}: two threads print what one prints`, async (t) => {
      const cwd = folder(t, {
        ...files,
        'bytes.ocm': Buffer.from([0xff]),
        'data.jsonl': lastLines(dataset, 20),
        'd1/.openchatml.yaml': 'rules: {nonsense: off}',
        'd2/.openchatml.yaml': 'rules: [',
      })
      symlinkSync('gone.ocm', join(cwd, 'broken-link.ocm'))
      symlinkSync('.', join(cwd, 'loop'))
      const run = async (jobs: string, ...paths: string[]) =>
        ocm(['check', '--jobs', jobs, ...args, ...paths], { cwd })
      const paths = args.includes('--diff') ? ['.'] : ['.', 'data.jsonl', 'missing.ocm']
      const one = await run('1', ...paths)
      const two = await run('2', ...paths)
      assertSame(two, one)
      assert.equal(one.status, 2)
      assert.match(one.stderr, /bytes\.ocm: is not UTF-8/)
      assert.match(one.stderr, /broken-link\.ocm: there is no such file/)
    })
  }

  test('--fix writes each file once, also where links lead to it', async (t) => {
    const cwd = folder(t, files)
    mkdirSync(join(cwd, 'links'))
    writeFileSync(join(cwd, 'target.ocm'), fixable)
    for (const name of ['a.ocm', 'b.ocm', 'c.ocm']) symlinkSync('../target.ocm', join(cwd, 'links', name))
    const { stdout, stderr } = await ocm(['check', '--fix', '--jobs', '2', '.'], { cwd })
    assert.equal(stderr, '')
    assert.match(stdout, /^11 problems fixed$/m)
    assert.equal(readFileSync(join(cwd, 'target.ocm'), 'utf8'), fixed)
    for (const [name, text] of Object.entries(files)) {
      const expected = text === fixable ? fixed : text
      assert.equal(readFileSync(join(cwd, name), 'utf8'), expected, name)
    }
  })

  test('standard input is read by the thread that has it', async () => {
    const { stdout, status } = await ocm(['check', '--jobs', '2', '-', 'samples/15-mistakes.ocm'], {
      input: bad,
    })
    assert.equal(status, 1)
    assert.match(stdout, /^<stdin>:2:/)
  })

  test('an expectation beside a file, on many threads', async (t) => {
    const cwd = folder(t, {
      ...files,
      'x.ocm': bad,
      'x.expected.yaml': 'problems: [repeated-channel]\n',
    })
    const one = await ocm(['check', '--expect', '--jobs', '1', '.'], { cwd })
    assertSame(await ocm(['check', '--expect', '--jobs', '2', '.'], { cwd }), one)
    assert.doesNotMatch(one.stdout, /^x\.ocm/m)
  })
})

for (const args of [
  ['filter', 'Answer'],
  ['review', 'stats'],
  ['render'],
  ['convert', '--to', 'ocm'],
  ['tokens'],
]) {
  const register = args[0] === 'tokens' ? nightly : test // loads the vocabulary twice
  register(`${args.join(' ')}: threads hand over little`, async (t) => {
    const message = '<|start|>assistant<|message|>Answer<|return|>'
    const cwd = folder(t, { 'data.jsonl': `${JSON.stringify({ text: message })}\n`.repeat(3) })
    const run = (jobs: string) => ocm([...args, '--jobs', jobs, 'data.jsonl'], { cwd })
    const one = await run('1')
    assertSame(await run('2'), one)
    assert.equal(one.status, 0)
    assert.ok(one.stdout.length > 0)
  })
}

nightly('tokens of files and datasets', async (t) => {
  const cwd = folder(t, { ...files, 'data.jsonl': lastLines(dataset, 20) })
  const run = (jobs: string) => ocm(['tokens', '--jobs', jobs, '.', 'data.jsonl', 'missing.ocm'], { cwd })
  const one = await run('1')
  assertSame(await run('2'), one)
  assert.equal(one.status, 2)
  assert.match(one.stdout, / tokens in \d+ conversations\n$/)
})

const byDay = new Set(['convert --to ocm fail', 'render --as next-prompt stop', 'check skip'])

for (const [command, badLines] of [
  ['convert --to ocm', 'fail'],
  ['convert --to ocm', 'skip'],
  ['convert --to ocm', 'stop'],
  ['convert --to harmony', 'skip'],
  ['render', 'fail'],
  ['render --as next-prompt', 'stop'],
  ['check', 'fail'],
  ['check', 'skip'],
  ['check', 'stop'],
] as const) {
  // By day, each command with one of its answers; each answer with one command.
  const register = byDay.has(`${command} ${badLines}`) ? test : nightly
  register(`${command} --bad-lines ${badLines}: many threads print what one prints`, async (t) => {
    assert.ok(2 * dataset.length > stretchLimits.stretch)
    const cwd = folder(t, { 'data.jsonl': dataset.repeat(2) })
    const run = (jobs: string) =>
      ocm([...command.split(' '), '--bad-lines', badLines, '--jobs', jobs, 'data.jsonl'], { cwd })
    const one = await run('1')
    assertSame(await run('2'), one)
    assert.ok(one.stderr.includes('data.jsonl:81:'), one.stderr)
  })
}

test('a worker that fails or dies costs its own piece only', async (t) => {
  const cwd = folder(t, {
    'worker.cjs': `
      const { parentPort } = require('node:worker_threads')
      parentPort.on('message', ({ id, input }) => {
        if (input === 'exit') process.exit(3)
        if (input === 'throw') throw new Error('from a worker')
        parentPort.postMessage(input === 'fail' ? { id, problem: 'a bug' } : { id, result: input })
      })`,
  })
  const crew = new Crew('convert', undefined as never, { jobs: 2, program: join(cwd, 'worker.cjs') })
  const inputs = ['a', 'throw', 'b', 'c', 'exit', 'd', 'fail', 'e', 'f']
  const results = await Promise.all(inputs.map((it) => crew.run(it as never)))
  await crew.close()
  const told = results.map((it) => (it instanceof WorkError ? it.message.split('\n')[0] : it))
  assert.deepEqual(told, [
    'a',
    'a worker ended: Error',
    'b',
    'c',
    'a worker ended with status 3',
    'd',
    'a bug',
    'e',
    'f',
  ])
})

describe('order', () => {
  test('results come in order, however long each takes, and never more than allowed run', async () => {
    let running = 0
    let most = 0
    const finish: (() => void)[] = []
    const pieces = Array.from({ length: 20 }, (_, index) => ({
      weight: 1,
      start: async () => {
        running++
        most = Math.max(most, running)
        await new Promise<void>((done) => (index % 3 === 0 ? finish.push(done) : setImmediate(done)))
        running--
        return index
      },
    }))
    const pump = setInterval(() => finish.pop()?.(), 1)
    const results: number[] = []
    for await (const it of inOrder(listed(pieces), { count: () => 4, weight: 100 })) results.push(it)
    clearInterval(pump)
    assert.deepEqual(results, [...pieces.keys()])
    assert.ok(most > 1 && most <= 4, `${most}`)
  })

  test('a heavy piece goes alone, and so does one that asks for it', async () => {
    let running = 0
    const pieces = [1, 50, 1, 1, 0, 1].map((weight, index) => ({
      weight,
      isAlone: index === 4,
      start: async () => {
        running++
        if (weight === 50 || index === 4) assert.equal(running, 1)
        await new Promise((done) => setImmediate(done))
        running--
        return weight
      },
    }))
    const results: number[] = []
    for await (const it of inOrder(listed(pieces), { count: () => 4, weight: 10 })) results.push(it)
    assert.deepEqual(results, [1, 50, 1, 1, 0, 1])
  })

  test('where taking fails, what was taken before still comes', async () => {
    async function* failing(): AsyncIterableIterator<Piece<number>> {
      yield { weight: 1, start: async () => 1 }
      yield { weight: 1, start: async () => 2 }
      throw new RangeError('gone')
    }
    const results: number[] = []
    await assert.rejects(async () => {
      for await (const it of inOrder(failing(), { count: () => 4, weight: 10 })) results.push(it)
    }, RangeError)
    assert.deepEqual(results, [1, 2])
  })
})

/** Tells the first line that differs: the whole would fill screens. */
function assertSame(actual: Run, expected: Run): void {
  assert.equal(actual.status, expected.status)
  for (const stream of ['stderr', 'stdout'] as const) {
    const lines = expected[stream].split('\n')
    const others = actual[stream].split('\n')
    const at = lines.findIndex((line, index) => line !== others[index])
    assert.equal(others[at]?.slice(0, 300), lines[at]?.slice(0, 300), `${stream}, line ${at + 1}`)
    assert.equal(others.length, lines.length, stream)
  }
}

function lastLines(text: string, count: number): string {
  return text
    .split(/(?<=\n)/)
    .slice(-count)
    .join('')
}

async function* listed<Result>(pieces: readonly Piece<Result>[]): AsyncIterableIterator<Piece<Result>> {
  yield* pieces
}

/** Longer than one stretch in two copies, with a bad line in each. */
const dataset = `${[
  ...Array.from({ length: 80 }, (_, index) =>
    JSON.stringify({
      messages: [
        {
          role: 'user',
          content: `Question ${index} ${'There is so much to ask '.repeat(10 * (index % 50))}`,
        },
        { role: 'assistant', content: index % 20 === 0 ? 'ü'.repeat(99) : 'An answer.', name: 'Bo' },
      ],
    }),
  ),
  '{broken',
  JSON.stringify({ text: bad, id: 7 }),
].join('\n')}\n`
