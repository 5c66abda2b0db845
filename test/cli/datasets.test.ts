/** Datasets: JSONL and JSON lists; bad, huge and slow ones. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { SampleFlow } from '../../cli/src/dataset/sample-run.ts'
import { stretchLimits } from '../../cli/src/dataset/stretch.ts'
import { Progress } from '../../cli/src/terminal/progress.ts'
import { environment, folder, ocm, program } from './run-ocm.ts'

const chats = Array.from({ length: 5 }, (_, index) => ({
  messages: [
    { role: 'user', content: `Zürich, "quoted" \\ and [brackets] {${index}` },
    { role: 'assistant', content: 'Yes\n]' },
  ],
}))
const jsonl = `${chats.map((it) => JSON.stringify(it)).join('\n')}\n`

describe('JSON lists', () => {
  for (const [name, indent] of [
    ['on one line', undefined],
    ['over many lines', 2],
  ] as const) {
    test(`${name}: each element is a sample`, async (t) => {
      const cwd = folder(t, { 'data.json': JSON.stringify(chats, undefined, indent), 'data.jsonl': jsonl })
      for (const args of [['convert', '--to', 'messages'], ['render'], ['tokens', '--ids']]) {
        const { stdout, stderr, status } = await ocm([...args, 'data.json'], { cwd })
        assert.deepEqual({ stderr, status }, { stderr: '', status: 0 })
        assert.equal(stdout, (await ocm([...args, 'data.jsonl'], { cwd })).stdout)
      }
      const { stdout } = await ocm(['check', '--fail-on', 'hint', '--format', 'json', 'data.json'], { cwd })
      assert.deepEqual(
        JSON.parse(stdout).files.map(({ sample }: { sample: string }) => sample),
        chats.map((_, index) => `data.json[${index}]`),
      )
    })
  }

  test('bad elements are named, and the others are done', async (t) => {
    const bad = '{"messages":\r\n\n  [{"role": "user", "content": 42}]}'
    const text = '{"text": "<|start|>user<|message|>😀\\n<|end|><|start|>nobody<|message|><|end|>"}'
    const cwd = folder(t, {
      'data.json': `\ufeff[${JSON.stringify(chats[0])}, 7,\n {"messages": [}],\n😀, ${bad}, ${text}, , "a\nb", ${JSON.stringify(chats[1])}]`,
      'cut.json': `[${JSON.stringify(chats[0])},\n {"messages":`,
    })
    const from = JSON.stringify(chats[0]).length + 2
    for (const args of [['convert', '--to', 'messages'], ['check']]) {
      const { stdout, stderr, status } = await ocm([...args, 'data.json'], { cwd })
      assert.equal(status, 2)
      assert.deepEqual(
        stderr
          .split('\n')
          .flatMap((it) => /^ocm: data\.json:(\d+:\d+: element \d): (?!lost)/.exec(it)?.[1] ?? []),
        [
          `1:${from + 2}: element 1`,
          '2:16: element 2',
          '3:1: element 3',
          '5:32: element 4',
          '5:121: element 6',
          '5:125: element 7',
        ],
      )
      if (args[0] === 'convert') assert.equal(stdout.split('\n')[0], JSON.stringify(chats[0]))
    }
    const { stderr } = await ocm(['check', 'data.json'], { cwd })
    assert.match(stderr, /cannot contain a line break/)
    assert.match((await ocm(['check', 'cut.json'], { cwd })).stderr, /cut off in element 1/)
  })

  test('from standard input', async () => {
    const { stdout } = await ocm(['convert', '--jsonl', '--to', 'messages', '-'], {
      input: JSON.stringify(chats),
    })
    assert.equal(stdout, jsonl)
  })

  test('a list of messages is one conversation', async (t) => {
    const cwd = folder(t, { 'chat.json': JSON.stringify(chats[0]?.messages) })
    assert.match((await ocm(['convert', 'chat.json'], { cwd })).stdout, /^version: 2\.2\n\n<\|start\|>user/)
  })
})

describe('bad input', () => {
  test('what is not UTF-8, not JSON, or no conversation is named by its line', async () => {
    const input = Buffer.concat([
      Buffer.from(`${JSON.stringify(chats[0])}\r\n`),
      Buffer.from([0x22, 0xff, 0x22, 0x0a]),
      Buffer.from(
        '\n"text"\n{"messages":[{"role":1}]}\n{"a":"ü\t"}\n{"text":"<|start|>user<|message|>Hi<|end|>"}',
      ),
    ])
    const { stdout, stderr, status } = await ocm(['convert', '--jsonl', '--to', 'messages', '-'], { input })
    assert.equal(status, 2)
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      'ocm: <stdin>:2:2: is not UTF-8',
      'ocm: <stdin>:4:1: Unknown form: the sample holds neither messages nor a `text`',
      'ocm: <stdin>:5:22: Message 1: `role` is a number, not a string',
      'ocm: <stdin>:6:8: A JSON string cannot contain the control character U+0009; write `\\t`',
    ])
    assert.equal(stdout.trimEnd().split('\n').length, 2)
  })

  test('what is lost, and what is wrong inside of a text, has its line and column', async (t) => {
    const text = (it: string) => JSON.stringify({ id: 'ü', text: it })
    const lines = [
      '{"text":"", "text":"\\u00fc\\ud83d\\ude00 \\"\\n<|start|>user x=1<|message|>Hi\\ud800<|end|>"}',
      ' {"messages":[{"role":"user","role":"user","content":"a\\udc00"},{"role":"user","content":"x","name":"a b"}]}',
      '{"messages":[{"role":"user","content":"x"},{"role":"oracle","content":"x"}]}',
      '{"messages":[{"role":"user","content":"x"},{"role":"user","content":"<|end|>"}]}',
      text('"<|start|>assistant<|channel|>final<|message|><<|call|><|end|>'),
      '{"id":1,"text":["x"]}',
      `${JSON.stringify({ text: '\ufffd' }).slice(0, -2)}`,
    ]
    const data = Buffer.concat([Buffer.from(lines.join('\n')), Buffer.from([0xe2, 0x82, 0x22, 0x7d, 0x0a])])
    const cwd = folder(t, { 'list.json': `[\n${lines.slice(0, 6).join(',\n')}]` })
    writeFileSync(join(cwd, 'data.jsonl'), data)
    const { stdout, stderr } = await ocm(['convert', '--to', 'harmony', 'data.jsonl'], { cwd })
    const told = stderr
      .trimEnd()
      .split('\n')
      .map((it) => it.replace('ocm: ', ''))
    const column = (line: number, words: string) => (lines[line - 1] ?? '').indexOf(words) + 1
    assert.deepEqual(told, [
      `data.jsonl:1:13: lost: Duplicate key \`text\` in this object; the last one is used`,
      `data.jsonl:1:21: lost: A header that cannot be read is left out`,
      `data.jsonl:1:${column(1, 'x=1')}: lost: The attribute \`x\` is unknown`,
      `data.jsonl:1:${column(1, '\\ud800')}: lost: Half a character (a lone surrogate) cannot be written as UTF-8`,
      `data.jsonl:2:${column(2, '"role":"user","content":"a')}: lost: Duplicate key \`role\` in this object; the last one is used`,
      `data.jsonl:2:${column(2, '{"role":"user","content":"x"')}: lost: Harmony's reference parser cannot read a message header with this name`,
      `data.jsonl:2:${column(2, '\\udc00')}: lost: Half a character (a lone surrogate) cannot be written as UTF-8`,
      `data.jsonl:3:${column(3, '"oracle"')}: lost: Message 2: Unknown role \`oracle\``,
      'data.jsonl:3:1: lost: The original form of `role` cannot be represented',
      'data.jsonl:3:1: lost: The original form of `content` cannot be represented',
      `data.jsonl:3:${column(3, '{"role":"oracle"')}: lost: Harmony has no role \`oracle\`; the message becomes a tool reply`,
      `data.jsonl:4:${column(4, '{"role":"user","content":"<')}: A body contains \`<|end|>\`, which Harmony text cannot represent; write token IDs instead (\`ocm tokens --ids\`)`,
      `data.jsonl:5:21: A body contains \`<|call|>\`, which Harmony text cannot represent; write token IDs instead (\`ocm tokens --ids\`)`,
      `data.jsonl:6:${column(6, '["x"]')}: The document: \`text\` is a list, not a string`,
      `data.jsonl:7:${(lines[6] ?? '').length + 1}: is not UTF-8`,
    ])
    assert.equal(stdout.split('\n').length, 4)
    const list = await ocm(['convert', '--to', 'harmony', 'list.json'], { cwd })
    const places = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, ...it]) => it.join())
    assert.equal(places(list.stderr, /json:(\d+):(\d+): element \d: /g).length, 14)
    assert.deepEqual(
      places(list.stderr, /json:(\d+):(\d+): element \d: /g),
      places(stderr, /jsonl:(\d):(\d+): /g)
        .slice(0, -1)
        .map((it) => it.replace(/^\d/, (line) => String(Number(line) + 1))),
    )
    for (const args of [['check'], ['tokens'], ['render']]) {
      const { stderr } = await ocm([...args, 'data.jsonl'], { cwd })
      assert.deepEqual(
        stderr.split('\n').filter((it) => it.includes('lost')),
        // Half a character has no tokens.
        (args[0] === 'tokens' ? [told[0], told[3], told[4], told[6]] : [told[0], told[4]]).map(
          (it) => `ocm: ${it}`,
        ),
      )
    }
  })

  test('problems have their place in the file too', async (t) => {
    const lines = [
      '{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{"}}]}]}',
      '{"id":"ü","text":"version: 2.2\\n<|start|>user<|message|>\\"\\u00e9\\"\\n<|end|>\\n<|start|>user zz=1<|message|>x<|end|>\\n<|start|>assistant<|message|>y<|end|>"}',
    ]
    const cwd = folder(t, { 'data.jsonl': `${lines.join('\n')}\n`, 'list.json': `[\n${lines.join(',\n ')}]` })
    const columns = [lines[0]?.indexOf('{"role":"assistant"') ?? 0, lines[1]?.indexOf('zz=1') ?? 0] as const
    const check = async (...args: string[]) => (await ocm(['check', ...args], { cwd })).stdout
    const sources = async (file: string) =>
      JSON.parse(await check('--format', 'json', file)).files.flatMap(
        ({ diagnostics }: { diagnostics: { range: { start: unknown } }[] }) =>
          diagnostics.map(({ range }) => range.start),
      )
    assert.deepEqual(await sources('data.jsonl'), [
      { line: 0, character: columns[0] },
      { line: 1, character: columns[1] },
    ])
    assert.deepEqual(await sources('list.json'), [
      { line: 1, character: columns[0] },
      { line: 2, character: columns[1] + 1 },
    ])
    const places = (await check('data.jsonl')).match(/^data.*(?=: warning|: error)|in the transcript.*/gm)
    assert.deepEqual(
      places?.filter((_, at) => at % 2 === 0),
      [`data.jsonl:1:${columns[0] + 1}`, `data.jsonl:2:${columns[1] + 1}`],
    )
    assert.deepEqual(places?.[3], 'in the transcript of data.jsonl:2: line 4, column 15')
  })

  test('of many losses the first hundred are listed with their places, however many threads work', async (t) => {
    const content = 'x'.repeat(600) // the lines are longer than one stretch
    const line = `{"messages":[{"role":"user","name":"Ann","content":"${content}"}]}\n`
    const cwd = folder(t, { 'data.jsonl': line.repeat(2000) })
    assert.ok(line.length * 2000 > 2 * stretchLimits.stretch)
    const run = (jobs: string) => ocm(['convert', '--to', 'harmony', '--jobs', jobs, 'data.jsonl'], { cwd })
    const [one, two] = [await run('1'), await run('2')]
    const told = one.stderr.trimEnd().split('\n')
    assert.equal(told.length, 101)
    assert.ok(
      told.slice(0, 100).every((it) => it.includes(":14: lost: Harmony's reference parser cannot read")),
    )
    assert.equal(told[100], 'ocm: 1900 more losses are not listed')
    assert.equal(two.stderr, one.stderr)
  })

  test('the kinds of losses are counted where not all of them are listed', async (t) => {
    const line = '{"messages":[{"role":"user","name":"Ann","content":"x"}],"metadata":{"a":1}}\n'
    const cwd = folder(t, { 'data.jsonl': line.repeat(300) })
    for (const jobs of ['1', '2']) {
      const { stderr } = await ocm(['convert', '--to', 'harmony', '--jobs', jobs, 'data.jsonl'], { cwd })
      const told = stderr.trimEnd().split('\n')
      assert.deepEqual(told.slice(100), [
        'ocm: 500 more losses are not listed',
        'ocm: losses by kind: field 300, name 300',
      ])
    }
  })

  test('a line that is too long is named with the limit, and costs no memory', async (t) => {
    const cwd = folder(t)
    writeFileSync(
      join(cwd, 'data.jsonl'),
      Buffer.concat([Buffer.alloc(140 * 2 ** 20, 'x'), Buffer.from(`\n${jsonl}`)]),
    )
    const run = await ocm(['convert', '--to', 'messages', '--bad-lines', 'skip', 'data.jsonl'], { cwd })
    assert.deepEqual(run, {
      status: 0,
      stdout: jsonl,
      stderr: 'ocm: data.jsonl:1:1: is longer than 128 MB, which is the limit\n',
    })
  })

  test('`__proto__` is a field like any other', async () => {
    const line = '{"text":"<|im_start|>user\\nHi<|im_end|>\\n","__proto__":{"a":1}}'
    const { stdout } = await ocm(['convert', '--jsonl', '--to', 'messages', '-'], { input: line })
    assert.equal(stdout, '{"__proto__":{"a":1},"messages":[{"role":"user","content":"Hi"}]}\n')
  })
})

describe('render', () => {
  const text = JSON.stringify({ text: 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n', id: 1 })
  test('each sample becomes a line, with what stood beside it', async () => {
    const run = async (...args: string[]) =>
      (await ocm(['render', '--jsonl', ...args, '-'], { input: text })).stdout
    assert.equal(await run(), '{"text":"user\\n  Hi\\n","id":1}\n')
    assert.equal(
      await run('--as', 'next-prompt'),
      '{"text":"<|start|>user<|message|>Hi<|end|><|start|>assistant","id":1}\n',
    )
    assert.match(await run('--format', 'html'), /^\{"text":"<!DOCTYPE html>/)
    assert.match(await run('--debug'), /hidden: no message/)
  })
})

describe('in a pipe', () => {
  test('a slow writer is answered line by line', async (t) => {
    const child = spawn(process.execPath, [program, 'convert', '--jsonl', '--to', 'messages', '-'], {
      env: environment(),
    })
    t.after(() => child.kill())
    for (const line of jsonl.trimEnd().split('\n')) {
      child.stdin.write(`${line}\n`)
      const [answer] = await once(child.stdout, 'data')
      assert.equal(String(answer), `${line}\n`)
    }
    child.stdin.end()
    assert.deepEqual(await once(child, 'close'), [0, null])
  })

  for (const jobs of ['1', '2']) {
    test(`a reader that has enough ends the run, with ${jobs} threads`, async (t) => {
      const child = spawn(
        process.execPath,
        [program, 'convert', '--jsonl', '--jobs', jobs, '--to', 'messages', '-'],
        { env: environment() },
      )
      t.after(() => child.kill())
      child.stdin.on('error', () => undefined)
      let isOver = false
      const long = { messages: [{ role: 'user', content: 'x'.repeat(5000) }] }
      const lines = `${JSON.stringify(long)}\n`.repeat(200)
      const pour = () => {
        while (!isOver && child.stdin.write(lines));
        if (!isOver) child.stdin.once('drain', pour)
      }
      pour()
      child.stdout.once('data', () => child.stdout.destroy())
      let errors = ''
      child.stderr.on('data', (it) => {
        errors += it
      })
      const [status] = await once(child, 'exit')
      isOver = true
      assert.deepEqual({ status, errors }, { status: 0, errors: '' })
    })
  }
})

test('a terminal is told how far a dataset is', async (t) => {
  const cwd = folder(t, { 'data.jsonl': jsonl })
  const shown: string[] = []
  let now = 0
  const progress = new Progress({ isTTY: true, write: (text) => shown.push(text) }, () => now)
  const flow = new SampleFlow({ progress } as never)
  await flow.begin(join(cwd, 'data.jsonl'))
  flow.read(Buffer.byteLength(jsonl) / 2)
  now = 1000
  flow.show(1234)
  assert.match(shown[0] ?? '', /data\.jsonl: 50 %, 1,234 samples, [\d.]+ MB\/s$/)
})
