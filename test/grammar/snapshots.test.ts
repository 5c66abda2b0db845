/** Every feature of the grammar, as snapshots that a reviewer can judge. `UPDATE_SNAPSHOTS=1` rewrites them. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { casesOf, snapshotOf } from './snapshot.ts'
import { loadGrammar } from './textmate-grammar.ts'

const folder = join('test', 'grammar', 'snapshots')
const grammar = await loadGrammar()

for (const name of readdirSync(folder).sort()) {
  test(`scopes of ${name}`, () => {
    const path = join(folder, name)
    const expected = readFileSync(path, 'utf8')
    const actual = snapshotOf(grammar, casesOf(expected))
    if (process.env.UPDATE_SNAPSHOTS) writeFileSync(path, actual)
    else assert.equal(actual, expected)
  })
}
