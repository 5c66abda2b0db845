/** What users of the package get: types that stand alone, and modules that load. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const types = resolve('dist/types/core/index.d.ts')
assert.ok(existsSync(types), `There is no ${types}: run \`npm run build\` first`)

/** A folder that has the package installed, and nothing else. */
const folder = mkdtempSync(join(tmpdir(), 'openchatml-consumer-'))
after(() => rmSync(folder, { recursive: true, force: true }))
mkdirSync(join(folder, 'node_modules'))
symlinkSync(resolve('.'), join(folder, 'node_modules', 'openchatml'), 'dir')

const program = `
import { analyze, Checker, countTokens, readConversation, Transcript, type YamlHeader } from 'openchatml'
import { o200k } from 'openchatml/tokenizer'
const analysis = analyze(Transcript.parse('version: 2.2'))
export const header: YamlHeader = analysis.header.yaml
export const checker = new Checker(analysis)
export const total: number = countTokens(readConversation('').conversation, o200k).total
`

for (const options of [
  ['--module', 'nodenext'],
  ['--module', 'preserve', '--moduleResolution', 'bundler'],
]) {
  test(`types without skipLibCheck, ${options.join(' ')}`, () => {
    writeFileSync(join(folder, 'program.ts'), program)
    const compiler = resolve('node_modules/typescript/bin/tsc')
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
    const environment = ['--target', 'es2022', '--lib', 'es2023', '--types', '', '--preserveSymlinks']
    const args = [compiler, ...flags, ...environment, ...options, 'program.ts']
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    assert.deepEqual({ stdout, status }, { stdout: '', status: 0 })
  })
}

test('the modules load, by import and by require', async () => {
  const require = createRequire(join(folder, 'program.js'))
  for (const name of ['openchatml', 'openchatml/tokenizer']) {
    writeFileSync(join(folder, 'load.mjs'), `export * from '${name}'\n`)
    const imported = await import(`${pathToFileURL(join(folder, 'load.mjs')).href}?${name}`)
    assert.deepEqual(Object.keys(require(name)).sort(), Object.keys(imported).sort(), name)
  }
})
