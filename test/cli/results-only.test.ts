/** Standard output carries results only, whatever libraries print and whatever a transcript says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { formulasWith, texNames } from '../helpers/tex-commands.ts'
import { bad, folder, good, noise, ocm } from './run-ocm.ts'

const sample = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] })

test('what else prints is dropped, in every command and in threads', async (t) => {
  const cwd = folder(t, {
    'good.ocm': good,
    'bad.ocm': bad,
    'data.jsonl': `${sample}\n`.repeat(50),
  })
  for (const args of [
    ['--version'],
    ['check', '--format', 'json', 'bad.ocm'],
    ['check', 'good.ocm', 'bad.ocm', '--jobs', '2'],
    ['convert', '--to', 'messages', 'good.ocm'],
    ['format', 'good.ocm'],
    ['parse', 'good.ocm'],
    ['render', 'good.ocm'],
    ['render', '--format', 'html', 'good.ocm'],
    ['render', '--format', 'html', 'data.jsonl', '--jobs', '2'],
    ['rules'],
    ['tokens', 'good.ocm'],
  ]) {
    const plain = await ocm(args, { cwd })
    const beside = await ocm(args, { cwd, env: noise(t) })
    assert.equal(beside.stdout, plain.stdout, args.join(' '))
    assert.equal(beside.status, plain.status, args.join(' '))
  }
})

nightly('every command of TeX goes through every output, and nothing but the result comes out', async (t) => {
  const { commands } = await texNames()
  // Two ways for each: this test is about where the words go, not about what becomes of them.
  const texts = commands.map((it) => {
    const [full, , , after] = formulasWith(it, '<script>語</script>')
    return `$${full}$ $${after}$`
  })
  const messages = texts.map((it) => `<|start|>user<|message|>${it.replaceAll('<|', '')}<|end|>\n`)
  const rows = texts.map((content) => `${JSON.stringify({ messages: [{ role: 'user', content }] })}\n`)
  const cwd = folder(t, { 'a.ocm': `version: 2.2\n${messages.join('')}`, 'a.jsonl': rows.join('') })
  const run = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await ocm(['render', ...args], { cwd })
    assert.deepEqual([status, stderr], [0, ''], args.join(' '))
    return stdout
  }
  for (const [format, first] of [
    ['text', /^(?:user\n|header {2}\[hidden)/i],
    ['markdown', /^# a\.ocm\n/],
    ['html', /^<!DOCTYPE html>\n(?!.*<script)/s],
  ] as const) {
    for (const debug of [[], ['--debug']]) {
      const result = await run('--format', format, ...debug, 'a.ocm')
      assert.ok(first.test(result), result.slice(0, 200))
    }
    const lines = (await run('--format', format, 'a.jsonl')).split('\n')
    assert.equal(lines.pop(), '')
    assert.equal(lines.length, texts.length)
    for (const line of lines) assert.deepEqual(Object.keys(JSON.parse(line)), ['text'])
  }
})
