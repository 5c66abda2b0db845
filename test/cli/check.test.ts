/** `ocm check`: exit statuses and the shape of its JSON. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { bad, folder, good, ocm } from './run-ocm.ts'

/** A warning and nothing else: the header is missing. */
const warned = '<|start|>user<|channel|>final<|message|>Hello<|end|>\n'

test('exit statuses', async (t) => {
  const cwd = folder(t, { 'good.ocm': good, 'bad.ocm': bad, 'warned.ocm': warned })
  const status = async (...args: string[]) => (await ocm(['check', ...args], { cwd })).status
  assert.equal(await status('good.ocm'), 0)
  assert.equal(await status('bad.ocm'), 1)
  assert.equal(await status('good.ocm', 'bad.ocm'), 1)
  assert.equal(await status('--fail-on', 'error', 'bad.ocm'), 1)
  assert.equal(await status('--fail-on=hint', 'good.ocm'), 0)
  assert.equal(await status('bad.ocm', 'missing.ocm'), 2)
  assert.equal(await status('--nonsense'), 2)
})

test('warnings count with --fail-on warning', async (t) => {
  const cwd = folder(t, { 'warned.ocm': warned })
  const run = async (...args: string[]) => ocm(['check', ...args, 'warned.ocm'], { cwd })
  assert.match((await run()).stdout, /^1 warning in 1 file$/m)
  assert.equal((await run()).status, 0)
  assert.equal((await run('--fail-on', 'warning')).status, 1)
  assert.equal((await run('--fail-on', 'hint')).status, 1)
})

test('the shape of the JSON', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'b.ocm': good })
  const { stdout, status } = await ocm(['check', '--format', 'json', '.'], { cwd })
  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(stdout), {
    schemaVersion: 1,
    files: [
      {
        path: 'a.ocm',
        dialect: '2.2',
        diagnostics: [
          {
            code: 'E-PARSE-HEADER',
            rule: 'repeated-channel',
            url: `${pathToFileURL(resolve('docs/rules/repeated-channel.md'))}`,
            severity: 'error',
            message: '`<|channel|>commentary` is a second channel; the message is already on `analysis`',
            range: { start: { line: 1, character: 37 }, end: { line: 1, character: 58 } },
            fixes: [
              {
                title: 'Remove `<|channel|>commentary`',
                isSafe: false,
                edits: [
                  {
                    range: { start: { line: 1, character: 37 }, end: { line: 1, character: 58 } },
                    newText: '',
                  },
                ],
              },
            ],
          },
        ],
      },
      { path: 'b.ocm', dialect: '2.2', diagnostics: [] },
    ],
    errors: 1,
    warnings: 0,
  })
})

test('JSON without files', async (t) => {
  const { stdout, status } = await ocm(['check', '--format', 'json', 'missing'], { cwd: folder(t) })
  const { files, ...sums } = JSON.parse(stdout)
  assert.deepEqual(sums, { schemaVersion: 1, errors: 1, warnings: 0 })
  assert.deepEqual(
    files.map(({ path, diagnostics: [{ code }] }: { path: string; diagnostics: [{ code: string }] }) => [
      path,
      code,
    ]),
    [['missing', 'E-INPUT']],
  )
  assert.equal(status, 2)
  const empty = await ocm(['check', '--format', 'json', '--allow-empty', '.'], { cwd: folder(t) })
  assert.deepEqual(JSON.parse(empty.stdout), { schemaVersion: 1, files: [], errors: 0, warnings: 0 })
})

test('check and parse agree, but for the fixes', async () => {
  const check = JSON.parse((await ocm(['check', '--format', 'json', 'samples/15-mistakes.ocm'])).stdout)
  const parse = JSON.parse((await ocm(['parse', 'samples/15-mistakes.ocm'])).stdout)
  const diagnostics = check.files[0].diagnostics.map(
    ({ fixes: _, url: __, ...rest }: { fixes?: object; url?: string }) => rest,
  )
  assert.deepEqual(diagnostics, parse.diagnostics)
  assert.equal(check.files[0].dialect, parse.dialect)
})

describe('a conversation in JSON is checked as the transcript that it becomes', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":' } }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ]
  const chat = { model: 'm', messages }
  const forms: readonly (readonly [string, string, { line: number; character: number }])[] = [
    ['on one line', JSON.stringify(chat), { line: 0, character: 56 }],
    ['on many lines', JSON.stringify(chat, undefined, 2), { line: 7, character: 4 }],
    ['with CRLF', JSON.stringify(chat, undefined, 2).replaceAll('\n', '\r\n'), { line: 7, character: 4 }],
    ['as a list of messages', `\ufeff${JSON.stringify(messages)}`, { line: 0, character: 32 }],
  ]
  for (const [name, text, source] of forms) {
    test(name, async (t) => {
      const cwd = folder(t, { 'chat.json': text })
      for (const path of ['chat.json', '-']) {
        const { stdout, status } = await ocm(['check', '--format', 'json', path], { cwd, input: text })
        assert.equal(status, 1)
        const [file] = JSON.parse(stdout).files
        assert.equal(file.path, path === '-' ? '<stdin>' : path)
        assert.deepEqual(
          file.diagnostics.map((it: { rule: string; range: { start: object; end: object } }) => [
            it.rule,
            it.range,
          ]),
          [['constraint-violation', { start: source, end: source }]],
        )
      }
      const { stdout } = await ocm(['check', 'chat.json'], { cwd })
      assert.match(stdout, new RegExp(`^chat.json:${source.line + 1}:${source.character + 1}: error`))
      assert.match(stdout, /= in the transcript: line \d+, column \d+$/m)
      assert.match(stdout, /^1 error in 1 file$/m)
    })
  }

  test('what is broken, or no conversation, is named and nothing else', async (t) => {
    const cwd = folder(t, {
      'cut.json': JSON.stringify(chat, undefined, 1).slice(0, -3),
      'other.json': '{"name":"x"}',
    })
    const { stdout, stderr, status } = await ocm(['check', 'cut.json', 'other.json'], { cwd })
    assert.match(stderr, /^ocm: cut\.json:\d+:\d+: .*is missing$/m)
    assert.match(stderr, /^ocm: other\.json:1:1: Unknown form: /m)
    assert.match(stdout, /^2 errors in 2 files$/m)
    assert.equal(status, 2)
  })

  test('it is neither fixed nor formatted', async (t) => {
    const text = JSON.stringify(chat)
    const cwd = folder(t, { 'chat.json': text })
    for (const args of [
      ['check', '--fix'],
      ['check', '--diff'],
      ['format', '--write'],
      ['format', '--check'],
    ]) {
      const { stderr, status } = await ocm([...args, 'chat.json'], { cwd })
      assert.match(stderr, /chat\.json: (?:.*`--in-place`|.* works on transcripts only|is JSON; .*)$/m)
      assert.equal(status, 2)
    }
    assert.equal(readFileSync(join(cwd, 'chat.json'), 'utf8'), text)
  })

  for (const output of [
    '{"location":"Tokyo"}<|call|>',
    '{"location":"Tokyo"}',
    '[1, 2]',
    '{"messages": []}<|call|>',
    '{"city": ',
  ]) {
    test(`what a model wrote is none, on standard input: ${output}`, async (t) => {
      const cwd = folder(t, { 'output.txt': output })
      const piped = await ocm(['check', '-'], { input: output })
      const named = await ocm(['check', 'output.txt'], { cwd })
      assert.equal(piped.stdout, named.stdout.replaceAll('output.txt', '<stdin>'))
      assert.deepEqual({ stderr: piped.stderr, status: piped.status }, { stderr: '', status: named.status })
    })
  }

  test('a header that looks like JSON is a header', async () => {
    const { stdout, status } = await ocm(['check', '-'], {
      input: '{"version": 2.2}\n<|start|>user<|message|>Hi<|end|>\n',
    })
    assert.deepEqual({ stdout, status }, { stdout: 'No problems in 1 file\n', status: 0 })
  })
})

test('a forced dialect', async () => {
  const dialect = async (name: string) => {
    const { stdout } = await ocm(['check', '--format', 'json', '--dialect', name, '-'], { input: good })
    return JSON.parse(stdout).files[0].dialect
  }
  assert.equal(await dialect('auto'), '2.2')
  for (const name of ['2.2', '2.0', '1.x', 'harmony']) assert.equal(await dialect(name), name)
})

test('without a path, the current directory is checked', async (t) => {
  const cwd = folder(t, { 'a/good.ocm': good, 'bad.ocm': bad })
  const { stdout, status } = await ocm(['check'], { cwd })
  assert.equal(status, 1)
  assert.match(stdout, /^bad\.ocm:/m)
  assert.match(stdout, /in 2 files$/m)
})

test('rules are selected and ignored by name, code, and beginning of a code', async (t) => {
  const cwd = folder(t, { 'bad.ocm': bad, 'warned.ocm': warned })
  const codes = async (...args: string[]) => {
    const { stdout } = await ocm(['check', '--format', 'json', ...args], { cwd })
    const { files } = JSON.parse(stdout) as { files: { diagnostics: { code: string; rule: string }[] }[] }
    return new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)))
  }
  const all = [...(await codes())]
  const [error] = all.filter((it) => it.startsWith('E-'))
  assert.ok(error)
  assert.deepEqual(
    [...(await codes('--select', 'E'))],
    all.filter((it) => it.startsWith('E-')),
  )
  assert.deepEqual([...(await codes('--select', error.toLowerCase()))], [error])
  for (const ignored of [
    ['--ignore', `${error}, W`],
    ['--ignore', error, '--ignore=W'],
  ])
    assert.deepEqual(
      [...(await codes(...ignored))],
      all.filter((it) => it !== error && !it.startsWith('W-')),
    )
  assert.deepEqual([...(await codes('--select', 'E', '--ignore', 'e'))], [])
})

test('no header brings a rule back that is left out', async (t) => {
  const text = bad.replace('version: 2.2\n', 'version: 2.2\nlint:\n  unknown-role: error\n')
  const cwd = folder(t, { 'bad.ocm': text })
  const { stdout } = await ocm(['check', '--ignore', 'E,W,H', '--quiet', 'bad.ocm'], { cwd })
  assert.equal(stdout, '')
})

test('a quiet check prints problems and nothing else', async (t) => {
  const cwd = folder(t, { 'good.ocm': good, 'bad.ocm': bad })
  const silent = await ocm(['check', '--quiet', 'good.ocm'], { cwd })
  assert.deepEqual([silent.status, silent.stdout, silent.stderr], [0, '', ''])
  const { stdout, status } = await ocm(['check', '--quiet', 'bad.ocm', 'missing.ocm'], { cwd })
  assert.equal(status, 2)
  assert.match(stdout, /^bad\.ocm:/)
  assert.match(stdout, /E-INPUT/)
  assert.doesNotMatch(stdout, /in 1 file/)
})

test('a report goes to a file', async (t) => {
  const cwd = folder(t, {
    'bad.ocm': bad,
    'report.json': 'of last time, and longer than what replaces it'.repeat(99),
  })
  const printed = await ocm(['check', '--format', 'json', 'bad.ocm'], { cwd })
  const { stdout, status } = await ocm(
    ['check', '--format', 'json', '--output-file', 'report.json', 'bad.ocm'],
    { cwd },
  )
  assert.deepEqual([stdout, status], ['', 1])
  assert.equal(readFileSync(join(cwd, 'report.json'), 'utf8'), printed.stdout)
  const refused = await ocm(['check', '--output-file', 'missing/report.json', 'bad.ocm'], { cwd })
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /missing\/report\.json: /)
})

test('colors go with the option, whatever the environment says', async (t) => {
  const cwd = folder(t, { 'bad.ocm': bad })
  const isColored = async (args: readonly string[], env = {}) =>
    (await ocm(['check', 'bad.ocm', ...args], { cwd, env })).stdout.includes('\u001b[')
  assert.equal(await isColored([]), false)
  assert.equal(await isColored(['--color', 'always']), true)
  assert.equal(await isColored(['--color=always'], { NO_COLOR: '1' }), true)
  assert.equal(await isColored(['--color=never'], { FORCE_COLOR: '1' }), false)
})

test('the JSON has the fixes of a problem', async (t) => {
  const cwd = folder(t, { 'a.ocm': '<|start|>asistant<|channel|>final<|message|>Hi<|end|>\n' })
  const { stdout } = await ocm(['check', '--format', 'json', '--select', 'unknown-role', 'a.ocm'], { cwd })
  const { schemaVersion, files } = JSON.parse(stdout)
  assert.equal(schemaVersion, 1)
  assert.deepEqual(files[0].diagnostics[0].fixes, [
    {
      title: 'Replace with `assistant`',
      isSafe: false,
      edits: [
        {
          range: { start: { line: 0, character: 9 }, end: { line: 0, character: 17 } },
          newText: 'assistant',
        },
      ],
    },
  ])
})

test('of a file with more problems than a report lists, all are counted', async (t) => {
  const cwd = folder(t, { 'many.ocm': '<|start|>'.repeat(25_002), 'few.ocm': bad })
  const run = async (format: string) => ocm(['check', '--format', format, '--ignore', 'W', '.'], { cwd })
  const { stdout, stderr } = await run('json')
  const { files, errors, omitted } = JSON.parse(stdout)
  assert.deepEqual(
    files.map(({ path, diagnostics }: { path: string; diagnostics: readonly unknown[] }) => [
      path,
      diagnostics.length,
    ]),
    [
      ['few.ocm', 1],
      ['many.ocm', 25_000],
    ],
  )
  assert.deepEqual([errors, omitted], [25_003, 2])
  assert.equal(stderr, 'ocm: many.ocm: only the first 25,000 problems are listed; 2 more are only counted\n')
})
