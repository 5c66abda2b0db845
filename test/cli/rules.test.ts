/** `ocm rules`: the list, the pages, and names that nobody knows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rules } from '../../core/src/internal.ts'
import { ocm } from './run-ocm.ts'

test('the list has every rule once', async () => {
  const { status, stdout } = await ocm(['rules'])
  assert.equal(status, 0)
  const lines = stdout.trimEnd().split('\n')
  assert.equal(lines.length, rules.length)
  for (const { name, code, summary } of rules) {
    const line = lines.find((it) => it.split(/ {2,}/).includes(name))
    assert.ok(line?.startsWith(`${code} `) && line.endsWith(summary), name)
  }
})

test('a page has everything that is written about the rule', async () => {
  const { status, stdout } = await ocm(['rules', 'repeated-channel'])
  assert.equal(status, 0)
  for (const part of ['E-PARSE-HEADER', 'error', 'Why', 'Wrong', 'Right', '2.2 §5, D16']) {
    assert.ok(stdout.includes(part), part)
  }
  assert.match(stdout, /^ {4}<\|start\|>assistant<\|channel\|>analysis<\|channel\|>commentary/m)
})

test('a code prints the pages of its rules, in any letter case', async () => {
  const { stdout } = await ocm(['rules', 'e-parse-header'])
  for (const { name, code } of rules) {
    assert.equal(new RegExp(`^\\S+ {2}${name} {2}`, 'm').test(stdout), code === 'E-PARSE-HEADER', name)
  }
})

test('programs get everything that is written about a rule', async () => {
  const all = JSON.parse((await ocm(['rules', '--format', 'json'])).stdout) as { name: string }[]
  assert.deepEqual(
    all.map(({ name }) => name),
    rules.map(({ name }) => name),
  )
  const [one, ...others] = JSON.parse((await ocm(['rules', '--format', 'json', 'repeated-channel'])).stdout)
  assert.equal(others.length, 0)
  const { name, code, severity, section, summary, why, bad, good } = rules.find(
    (it) => it.name === 'repeated-channel',
  )!
  assert.deepEqual(one, { name, code, severity, group: null, section, summary, why, bad, good })
})

test('an unknown name is an error with a suggestion', async () => {
  const { status, stdout, stderr } = await ocm(['rules', 'repeted-chanel'])
  assert.deepEqual({ status, stdout }, { status: 2, stdout: '' })
  assert.match(stderr, /Unknown rule or code `repeted-chanel`; did you mean `repeated-channel`\?/)
  assert.match((await ocm(['rules', 'E-PARSE-HEADR'])).stderr, /did you mean `E-PARSE-HEADER`/)
})

test('input that cannot be read is explained for programs, too', async () => {
  for (const name of ['E-INPUT', 'unreadable-input']) {
    const { stdout, status } = await ocm(['rules', '--format', 'json', name])
    const [page, ...others] = JSON.parse(stdout)
    assert.deepEqual(
      [page.code, page.name, page.severity, page.bad, others.length, status],
      ['E-INPUT', 'unreadable-input', 'error', null, 0, 0],
    )
    const [rule] = JSON.parse((await ocm(['rules', '--format', 'json', 'unknown-role'])).stdout)
    assert.deepEqual(Object.keys(page), Object.keys(rule))
    assert.match(
      (await ocm(['rules', name])).stdout,
      /^E-INPUT {2}unreadable-input {2}error\n\nInput cannot be read/,
    )
  }
})
