/** Reading that signals interrupt, as on file systems of networks and of other programs. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const run = promisify(execFile)
const program = resolve('dist/cli/ocm.js')

/** Interrupts every second read of a file, but for those by which Node loads modules: later versions read them in the same way. */
const interruptions = `
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
let isNext = false
function interrupt() {
  if (new Error().stack.includes('node:internal/modules')) return
  isNext = !isNext
  if (isNext) throw Object.assign(new Error('EINTR: interrupted system call, read'), { code: 'EINTR' })
}
const file = await open(process.execPath)
const handles = Object.getPrototypeOf(file)
await file.close()
for (const [holder, name] of [[handles, 'read'], [fs, 'readSync']]) {
  const read = holder[name]
  holder[name] = function (...given) {
    interrupt()
    return read.apply(this, given)
  }
}
syncBuiltinESMExports()
`
const interrupted = ['--import', `data:text/javascript,${encodeURIComponent(interruptions)}`, program]

const transcript = `<|start|>user<|message|>Hi<|end|>
<|start|>assistant<|channel|>final<|message|>Hello <|return|>
`
const sample = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}\n'

test('reading begins again when it is interrupted', async (t) => {
  const cwd = await mkdtemp(join(tmpdir(), 'ocm-interrupted-'))
  t.after(() => rm(cwd, { recursive: true, force: true }))
  const files = {
    'a.ocm': transcript,
    '.openchatml.yaml': 'rules:\n  no-such-rule: error\n',
    'a.jsonl': sample.repeat(10),
    'a.json': `[${sample}]`,
    'a.jsonl.gz': gzipSync(sample),
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content)
  const ocm = (...args: readonly string[]) => run(process.execPath, [...interrupted, ...args], { cwd })

  const checked = await ocm('check', 'a.ocm')
  assert.match(checked.stderr, /^ocm: \S*\.openchatml\.yaml:2:3: Unknown rule or code `no-such-rule`\n$/)
  for (const jobs of ['1', '2']) {
    const { stdout } = await ocm('filter', '--jobs', jobs, 'Hello', 'a.jsonl', 'a.json', 'a.jsonl.gz')
    assert.equal(stdout, sample.repeat(12))
  }

  if (process.platform === 'win32') return
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  const rendered = ocm('render', 'pipe')
  writeFileSync(join(cwd, 'pipe'), transcript)
  assert.match((await rendered).stdout, /Hello/)
})
