/** What `ocm check` prints for people, as text that a reader can judge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folder, ocm } from './run-ocm.ts'

const header = 'version: 2.2\n'
const spaced = '<|start|>assistant<|channel|> final<|message|>'

async function checkReport(text: string, expected: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr } = await ocm(['check', '-'], { input: text, env })
  assert.equal(stderr, '')
  assert.equal(stdout, expected.replace(/^\n/, ''))
}

const sums = (line: string) => `${line}\n\`ocm rules NAME\` explains a rule or a code\n`

test('a problem with a related place and a fix', () =>
  checkReport(
    `${header}<|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Need a tool.<|end|>\n`,
    `
<stdin>:2:38: error: \`<|channel|>commentary\` is a second channel; the message is already on \`analysis\` [E-PARSE-HEADER repeated-channel]
 2 │ <|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Need a tool.<|end|>
   │                                      ^^^^^^^^^^^^^^^^^^^^^
   = see <stdin>:2:19: The first channel
   = fix: Remove \`<|channel|>commentary\`

${sums('1 error in 1 file')}`,
  ))

test('an error, a warning with a safe fix, a hint', () =>
  checkReport(
    `version: 2.10
<|start|>asistant<|message|>a<|end|>
${spaced}b<|return|>
`,
    `
<stdin>:1:10: hint: YAML reads \`2.10\` as 2.1 [H-VERSION-ZERO version-loses-zero]
 1 │ version: 2.10
   │          ^^^^
   = fix: Quote the version

<stdin>:2:10: error: Unknown role \`asistant\`; did you mean \`assistant\`? [E-PARSE-HEADER unknown-role]
 2 │ <|start|>asistant<|message|>a<|end|>
   │          ^^^^^^^^
   = fix: Replace with \`assistant\`

<stdin>:3:30: warning: Unexpected whitespace after \`<|channel|>\` [W-TOKEN-SPACE space-after-token]
 3 │ <|start|>assistant<|channel|> final<|message|>b<|return|>
   │                              ^
   = fix: Remove the whitespace (\`--fix\` does it)

1 error, 1 warning, 1 hint in 1 file
1 problem can be fixed with \`--fix\`; \`--diff\` shows how
\`ocm rules NAME\` explains a rule or a code
`,
  ))

test('tabs, wide characters, and combined ones before the place', () =>
  checkReport(
    `${header}<|start|>user<|message|>\t日本語 e\u0301 👩‍👩‍👧<|end|>${spaced}<|end|>`,
    `
<stdin>:2:77: warning: Unexpected whitespace after \`<|channel|>\` [W-TOKEN-SPACE space-after-token]
 2 │ <|start|>user<|message|>    日本語 e\u0301 👩‍👩‍👧<|end|><|start|>assistant<|channel|> final<|message|><|end|>
   │                                                                            ^
   = fix: Remove the whitespace (\`--fix\` does it)

1 warning in 1 file
1 problem can be fixed with \`--fix\`; \`--diff\` shows how
\`ocm rules NAME\` explains a rule or a code
`,
    { COLUMNS: '120' },
  ))

test('a long line is cut on both sides', async () => {
  const text = `${header}<|start|>user<|message|>${'a'.repeat(500)}<|end|>${spaced}${'b'.repeat(5000)}<|end|>`
  const { stdout } = await ocm(['check', '-'], { input: text, env: { COLUMNS: '60' } })
  assert.equal(
    stdout.split('\n').slice(1, 3).join('\n'),
    `
 2 │ …sistant<|channel|> final<|message|>bbbbbbbbbbbbbbbbbb…
   │                    ^`.slice(1),
  )
})

test('a transcript sends no escape sequences to the terminal', async () => {
  const hostile = '\u001b]0;owned\u0007\u009b31m\u202e\u0000\r\u2028\u{e0041}'
  const text = `${header}<|start|>${hostile}<|channel|>final<|channel|>${hostile}<|message|>${hostile}<|end|>${hostile}`
  for (const args of [
    ['check', '-'],
    ['check', '--diff', '-'],
    ['render', '--debug', '-'],
    ['parse', '-'],
    ['parse', '--tree', '-'],
  ]) {
    if (args.includes('--diff')) continue // a patch is for programs; on a terminal it is made visible as well
    const { stdout } = await ocm(args, { input: text })
    assert.doesNotMatch(stdout, /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e\u{e0041}]/u, args.join(' '))
  }
  const { stdout } = await ocm(['check', '-'], { input: text })
  assert.match(stdout, /␛\]0;owned␇<U\+009B>31m<U\+202E>␀/)
})

test('no line is a command to GitHub, whatever files and values are named', async (t) => {
  const name = ' ::stop-commands::x'
  const sample = { text: '<|start|>asistant<|message|>a<|end|>', ' ::set-env name=a::b': '::warning::c' }
  const cwd = folder(t, { [`${name}.ocm`]: sample.text, [`${name}.jsonl`]: JSON.stringify(sample) })
  for (const args of [
    ['check', '.'],
    ['tokens', '.'],
    ['render', '.'],
    ['render', '--as', 'training', '.'],
    ['stats', `${name}.jsonl`],
    ['stats', '--by', ' ::set-env name=a::b', `${name}.jsonl`],
  ]) {
    const { stdout, stderr } = await ocm(args, { cwd })
    assert.match(stdout, /::(?:stop-commands|set-env)/, args.join(' ') + stderr)
    assert.doesNotMatch(stdout + stderr, /^\s*::/m, args.join(' '))
  }
})
