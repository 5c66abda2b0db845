/** `ocm check --expect`: a folder of transcripts with expectations is a test suite. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { bad, fixable, folder, good, ocm } from './run-ocm.ts'

const expected = (text: string) => ({ 'a.ocm': bad, 'a.expected.yaml': text })

async function expect(files: Readonly<Record<string, string>>, cwd: string) {
  const { stdout, stderr, status } = await ocm(['check', '--expect', '--format', 'json', '.'], { cwd })
  const found = JSON.parse(stdout).files.flatMap(
    ({
      diagnostics,
    }: {
      diagnostics: { rule: string; message: string; range: { start: { line: number } } }[]
    }) => diagnostics.map(({ rule, message, range }) => `${range.start.line} ${rule}: ${message}`),
  )
  return { found, stderr, status, files }
}

nightly('the fixtures of this project meet their expectations', async () => {
  const folders = ['conformance', 'decisions', 'error', 'malformed', 'ok', 'spec'] // of transcripts, not of sessions
  const paths = folders.map((it) => `test/fixtures/${it}`)
  const { stdout, status } = await ocm(['check', '--expect', '--jobs', '1', ...paths])
  assert.match(stdout, /^No problems in \d{3} files$/m)
  assert.equal(status, 0)
})

test('what is expected is not reported', async (t) => {
  for (const text of [
    'problems: [repeated-channel]',
    'problems: [E-PARSE-HEADER]',
    'problems:\n- {code: E-PARSE-HEADER, severity: error, line: 1, at: "1:37-1:58"}',
    'problems:\n- {rule: repeated-channel, text: "<|channel|>commentary", lines: [0, 4], why: because}',
    'problems:\n- {code: [W-HEADER-MISSING, E-PARSE-HEADER]}\n- {code: E-CALL-SCHEMA, optional: true}',
    'ignore: [E-PARSE-HEADER]\nmessages: []\nhints: [prose for people]',
  ]) {
    const files = expected(text)
    assert.deepEqual(await expect(files, folder(t, files)), { found: [], stderr: '', status: 0, files }, text)
  }
})

test('what differs is reported, on both sides', async (t) => {
  const unexpected =
    '1 repeated-channel: Not expected: `<|channel|>commentary` is a second channel; the message is already on `analysis`'
  for (const [text, ...differences] of [
    ['problems: []', unexpected],
    ['', unexpected],
    ['problems: [unknown-role]', '0 missing-problem: Expected, but not reported: `unknown-role`', unexpected],
    [
      'problems: [{rule: repeated-channel, severity: warning, line: 1}]',
      '1 missing-problem: Expected, but not reported: warning `repeated-channel`',
      unexpected,
    ],
    [
      'problems: [E-PARSE-HEADER, {code: E-PARSE-HEADER, text: x}]',
      '0 missing-problem: Expected, but not reported: `E-PARSE-HEADER` on `x`',
    ],
    [
      'hints: [{code: H-X}]\nignore: [repeated-channel]',
      '0 missing-problem: Expected, but not reported: `H-X`',
    ],
  ] as const) {
    const files = expected(text)
    const { found, status } = await expect(files, folder(t, files))
    assert.deepEqual([found, status], [differences, 1], text)
  }
})

test('the header expects where there is no file', async (t) => {
  const header = (list: string) => bad.replace('version: 2.2\n', `version: 2.2\nexpect: ${list}\n`)
  const files = { 'a.ocm': header('[repeated-channel]'), 'b.ocm': good }
  assert.equal((await expect(files, folder(t, files))).status, 0)
  const other = { 'a.ocm': header('[{rule: unknown-role, line: 2}]') }
  const { found, status } = await expect(other, folder(t, other))
  assert.equal(status, 1)
  assert.deepEqual(found.length, 2)
})

test('without expectations, no error and no warning is expected', async (t) => {
  const files = { 'a.ocm': good, 'b.ocm': fixable }
  const { found } = await expect(files, folder(t, files))
  assert.deepEqual(found, ['1 space-after-token: Not expected: Unexpected whitespace after `<|channel|>`'])
})

test('expectations with mistakes are named', async (t) => {
  for (const [text, complaint] of [
    ['problems: {', /a\.expected\.yaml:1:\d+: /],
    ['problems: 1', /a\.expected\.yaml:1:11: `problems` takes a list/],
    ['problems: [{cod: x}]', /`cod` is not a key of an expected problem/],
    ['problems: [{line: 1}]', /needs `code` or `rule`/],
    ['problems: [{code: x, severity: bad}]', /`bad` is not a severity/],
    ['problems: [1]', /is a code, a rule, or a mapping/],
  ] as const) {
    const files = { ...expected(text), 'b.ocm': good }
    const { stderr, status } = await expect(files, folder(t, files))
    assert.equal(status, 2)
    assert.match(stderr, complaint)
  }
})

test('more than can be compared is never as expected', async (t) => {
  const files = { 'a.ocm': '<|start|>'.repeat(10_002), 'a.expected.yaml': 'ignore: [W-HEADER-MISSING]' }
  const { found } = await expect(files, folder(t, files))
  assert.equal(found.length, 10_001)
  assert.equal(
    found.filter((it: string) =>
      it.endsWith('Only the first 10,000 problems are compared with what is expected'),
    ).length,
    1,
  )
  const many = expected(`problems: [${'E-X,'.repeat(1001)}]`)
  const { stderr, status } = await expect(many, folder(t, many))
  assert.match(stderr, /At most 1,000 problems can be expected/)
  assert.equal(status, 2)
})
