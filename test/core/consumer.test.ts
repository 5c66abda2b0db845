/** What users of the package get: types that stand alone, and modules that load. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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
const installed = join(folder, 'node_modules', 'openchatml')
mkdirSync(installed, { recursive: true })
for (const name of ['package.json', 'dist']) symlinkSync(resolve(name), join(installed, name))

/** Every name of the library, and the types that its users meet without naming them. */
const names = readFileSync('test/core/api.txt', 'utf8').trimEnd().split('\n')
const program = `
import { ${names.join(', ')} } from 'openchatml'
import { o200k } from 'openchatml/tokenizer'
const options: DocumentOptions = { dialect: '2.2', settings: [ruleSettingsFrom({ 'unknown-channel': 'off' })] }
const document = new Document('version: 2.2', options)
export const analysis: Analysis = document.analysis
export const version: JsonValue | undefined = document.analysis.header.yaml.value?.['version']
export const problems: readonly Problem[] = document.problems().problems
export const facts: (MessageFacts | undefined)[] = [...Transcript.parse('').segments()].map((it) => factsOf(it.segment))
export const total: number = countTokens(readConversation('').conversation, o200k).total
const encoding: TextEncoding = o200k
const noForms: (JsonForm | TextForm)[] = []
const read: ReadOptions = { from: 'ocm' }
const write: WriteOptions = { to: 'messages' }
export const text: string = convert('', { ...read, ...write }).text
export const events = async (chunks: AsyncIterable<string>): Promise<StreamEvent[]> => {
  const all: StreamEvent[] = []
  for await (const event of streamEvents(chunks)) all.push(event)
  return all
}
export type All = [Conversation, ConversationMessage, Loss, ParseJson, Segment, TextEdit, VisibleMessage]
export const values = [${names.filter((it) => !it.startsWith('type ')).join(', ')}, encoding, noForms]
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
