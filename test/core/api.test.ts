/** The public API is a list: it changes only on purpose. `UPDATE_SNAPSHOTS=1` writes it anew; read the difference. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { it } from 'node:test'
import * as tokenizer from '../../core/src/convert/o200k-encoder.ts'
import * as library from '../../core/src/index.ts'

const list = 'test/core/api.txt'

it('exports exactly the listed names', () => {
  const source = readFileSync('core/src/index.ts', 'utf8')
  const names = [...source.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, allTypes, block = '']) =>
    block
      .split(',')
      .map((it) => it.replace(/\/\*.*?\*\//g, '').trim())
      .filter((it) => it !== '')
      .map((it) => (allTypes && !it.startsWith('type ') ? `type ${it}` : it)),
  )
  const values = names.filter((it) => !it.startsWith('type ')).sort()
  assert.deepEqual(values, Object.keys(library).sort(), 'every value in the list is there at run time')
  const text = `${names.sort((one, other) => plain(one).localeCompare(plain(other), 'en')).join('\n')}\n`
  if (process.env.UPDATE_SNAPSHOTS) writeFileSync(list, text)
  assert.equal(text, readFileSync(list, 'utf8'))
})

it('is explained name by name', () => {
  const page = readFileSync('docs/library.md', 'utf8')
  const explained = [...page.slice(page.indexOf('## All names')).matchAll(/^\| (`.*?`) \|/gm)]
  const names = explained.flatMap(([, cell = '']) => cell.match(/\w+/g) ?? [])
  const listed = readFileSync(list, 'utf8').trimEnd().split('\n').map(plain)
  assert.deepEqual(names.sort(), listed.sort())
})

it('exports the vocabulary, and nothing else, as a subpath', () => {
  assert.deepEqual(Object.keys(tokenizer), ['o200k'])
})

function plain(name: string): string {
  return name.replace(/^type /, '')
}
