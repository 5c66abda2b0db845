/**
 * Writes `openchatml.tmLanguage.json` from `source/`.
 *
 *     node syntaxes/generate.mjs           write it
 *     node syntaxes/generate.mjs --check   exit with 1 if it is out of date
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { grammar } from './source/grammar.mjs'

const path = fileURLToPath(new URL('openchatml.tmLanguage.json', import.meta.url))
const text = `${JSON.stringify(grammar)}\n`

if (process.argv.includes('--check')) {
  // The formatter may lay the file out anew, so the values are compared.
  if (`${JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))}\n` !== text) {
    console.error('syntaxes/openchatml.tmLanguage.json is out of date: run `node syntaxes/generate.mjs`')
    process.exitCode = 1
  }
} else {
  writeFileSync(path, text)
}
