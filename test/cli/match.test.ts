/** `ocm match`: exit statuses, reports, and files that are no conversation. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ocm } from './run-ocm.ts'

const run = `version: 2.2
<|start|>user<|message|>Weather in Oslo?<|end|>
<|start|>assistant<|channel|>analysis<|message|>SECRET thought<|end|>
<|start|>assistant to=functions.get call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"q":"Oslo","n":1}<|call|>
<|start|>tool name=functions.get call_id=c1<|channel|>commentary<|message|>{"t":21}<|end|>
<|start|>assistant<|channel|>final<|message|>21 °C<|return|>
`
const expected = `version: 2.2
<|start|>user<|message|>Weather in <any>?<|end|>
<|start|>assistant to=functions.get call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"q":"<re:O\\\\w+>"}<|call|>
<|start|>assistant<|channel|>final<|message|><re:\\d+> °C<|return|>
`

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ocm-match-'))
  await writeFile(join(folder, 'run.ocm'), run)
  await writeFile(join(folder, 'expected.ocm'), expected)
  await writeFile(join(folder, 'bad.ocm'), expected.replace('<re:\\d+>', '<re:(?=x)>'))
})
after(() => rm(folder, { recursive: true }))

const match = (...args: string[]) => ocm(['match', ...args, 'run.ocm', 'expected.ocm'], { cwd: folder })

test('arguments that are not expected are reported with their place, without reasoning', async () => {
  const { status, stdout } = await match()
  assert.equal(status, 1)
  assert.equal(
    stdout,
    `run.ocm:4:1: Different call of \`get\`: \`n\` is unexpected
  expected: {"q":"<re:O\\\\w+>"}
  actual:   {"q":"Oslo","n":1}
run.ocm does not match expected.ocm (strict): 2 of 3 steps match
`,
  )
})

test('fewer arguments may be expected', async () => {
  const { status, stdout } = await match('--args', 'subset')
  assert.deepEqual(
    { status, stdout },
    { status: 0, stdout: 'run.ocm matches expected.ocm (strict): 3 of 3 steps match\n' },
  )
})

test('JSON', async () => {
  const { status, stdout } = await match('--format', 'json')
  const report = JSON.parse(stdout)
  assert.equal(status, 1)
  assert.equal(report.matches, false)
  assert.deepEqual(
    report.steps.map((it: { outcome: string }) => it.outcome),
    ['same', 'different', 'same'],
  )
  assert.equal(report.steps[1].actual.line, 3)
  assert.ok(!stdout.includes('SECRET'))
})

test('JUnit', async () => {
  const { stdout } = await match('--format', 'junit')
  assert.match(stdout, /<testsuite name="run.ocm and expected.ocm \(strict\)" tests="3" failures="1"/)
  assert.match(stdout, /<failure type="different" message="Different call of `get`: `n` is unexpected">/)
})

test('an expected conversation without steps is no match for anything', async () => {
  await writeFile(join(folder, 'empty.ocm'), 'version: 2.2\n')
  const { status, stdout, stderr } = await ocm(['match', 'run.ocm', 'empty.ocm'], { cwd: folder })
  assert.deepEqual(
    { status, stdout, stderr },
    { status: 2, stdout: '', stderr: 'ocm: empty.ocm: there are no steps to compare with\n' },
  )
})

test('an expression that cannot be used, and a file that is not there', async () => {
  const bad = await ocm(['match', 'run.ocm', 'bad.ocm'], { cwd: folder })
  assert.equal(bad.status, 2)
  assert.match(bad.stderr, /^ocm: bad.ocm: `<re:\(\?=x\)>` is not a regular expression that can be used/)
  assert.equal((await ocm(['match', 'run.ocm', 'none.ocm'], { cwd: folder })).status, 2)
  assert.equal((await ocm(['match', 'run.ocm'], { cwd: folder })).status, 2)
})
