/** What starting `ocm` loads: it is counted, because a start takes as long as the code that is read and compiled for it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { loadedFilesIn, reportsLoadedFiles } from '../helpers/loaded-files.ts'
import { folder, program } from './run-ocm.ts'

const transcript = `version: 2.2
<|start|>user<|message|>Hi<|end|>
<|start|>assistant<|channel|>final<|message|>Hello<|return|>
`

const sample = '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}\n'

interface Loaded {
  /** Relative to `dist`. */
  readonly files: readonly string[]
  readonly kilobytes: number
}

async function loadedBy(t: TestContext, args: readonly string[]): Promise<Loaded> {
  const cwd = folder(t, { 'chat.ocm': transcript, 'train.jsonl': sample })
  const all = [...reportsLoadedFiles, program, ...args]
  const { stderr } = await promisify(execFile)(process.execPath, all, { cwd })
  const files = loadedFilesIn(stderr)
  const bytes = files.reduce((sum, it) => sum + statSync(join('dist', it)).size, 0)
  return { files, kilobytes: bytes / 1000 }
}

/** The parts of the program that define the rule named `rule`, relative to `dist`. */
async function partsWith(rule: string): Promise<ReadonlySet<string>> {
  const names = (await readdir('dist/cli')).filter((it) => it.endsWith('.js'))
  const texts = await Promise.all(names.map((it) => readFile(join('dist', 'cli', it), 'utf8')))
  const parts = names.filter((_, at) => texts[at]?.includes(`name: "${rule}"`)).map((it) => join('cli', it))
  assert.notEqual(parts.length, 0)
  return new Set(parts)
}

describe('a start of ocm', () => {
  it('loads no parser for `ocm --version` and `ocm --help`', async (t) => {
    for (const it of ['--version', '--help']) {
      const { files, kilobytes } = await loadedBy(t, [it])
      assert.ok(files.includes(join('cli', 'ocm.js')))
      assert.deepEqual(
        files.filter((file) => !file.startsWith('cli')),
        [],
      )
      assert.ok(kilobytes < 60, `${it} loads ${kilobytes} kB in ${files.length} files`)
    }
  })

  for (const [args, most] of [
    [['check', 'chat.ocm'], 2260],
    [['convert', '--to', 'messages', 'chat.ocm'], 1370],
    [['format', '--check', 'chat.ocm'], 1300],
  ] as const) {
    it(`loads only what \`ocm ${args[0]}\` needs`, async (t) => {
      const { files, kilobytes } = await loadedBy(t, args)
      assert.deepEqual(
        files.filter((file) => !file.startsWith('cli')),
        [join('parsers', 'yaml.js')],
      )
      assert.ok(kilobytes < most, `ocm ${args[0]} loads ${kilobytes} kB in ${files.length} files`)
    })
  }

  it('loads rules for a query or columns only where these ask for problems', async (t) => {
    const rules = await partsWith('stray-text')
    const hasRules = async (...args: string[]) =>
      (await loadedBy(t, [...args, 'train.jsonl'])).files.some((it) => rules.has(it))
    assert.equal(await hasRules('filter', 'problem:stray-text'), true)
    assert.equal(await hasRules('filter', 'errors>0'), true)
    assert.equal(await hasRules('stats', '--columns', 'errors'), true)
    assert.equal(await hasRules('filter', 'hello'), false)
    assert.equal(await hasRules('filter', 'user:hi turns>0'), false)
    assert.equal(await hasRules('stats', '--columns', 'chars'), false)
    const { files, kilobytes } = await loadedBy(t, ['filter', 'hello', 'train.jsonl'])
    assert.deepEqual(
      files.filter((file) => !file.startsWith('cli')),
      [],
    )
    assert.ok(kilobytes < 1230, `ocm filter loads ${kilobytes} kB in ${files.length} files`)
  })
})
