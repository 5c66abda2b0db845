/** Filling does what Python's Jinja2 does with the templates that people write. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import {
  analyze,
  escapeBody,
  fillPrompt,
  readParts,
  renderedBody,
  Transcript,
} from '../../core/src/internal.ts'
import { parts, templates, values } from './jinja-table.ts'

const python = spawnSync('python3', ['-c', 'import jinja2'])
const skip = python.status !== 0 && 'Python 3 with the package jinja2 is not installed'

/** Templates that differ, each with the reason, which docs/prompts.md names. */
const differences: ReadonlyMap<string, string> = new Map([
  ['{{ "a b c" | wordcount }} {{ lines | wordwrap(3) }}', 'no `wordwrap`'],
  ['{{ 1234567 | filesizeformat }}', 'no `filesizeformat`'],
  ['{{ items | random | length > 0 }}', 'no `random`: a prompt is the same each time'],
  ['{{ name | striptags }} {{ "a  b" | striptags }}', 'no `striptags`'],
  ['{{ self is defined }}{{ loop is defined }}', 'no `self`'],
  [
    '{{ items | tojson }} {{ user | tojson }} {{ n | tojson }} {{ name | tojson }} {{ nothing | tojson }} {{ flag | tojson }}',
    '`tojson` keeps the order of keys',
  ],
  ['{{ {"b": 1, "a": [1.5, true]} | tojson }}', '`tojson` keeps the order of keys'],
  ['{{ user | tojson(indent=2) }}', '`tojson` keeps the order of keys'],
])

const names = Object.keys(values)
const header = `version: 2.2\ninputs:\n${names.map((it) => `  ${it}:\n    required: false\n`).join('')}`

/** The body that `template` becomes; undefined if it cannot be filled. */
async function filled(template: string): Promise<string | undefined> {
  const analysis = analyze(
    Transcript.parse(`${header}<|start|>developer<|message|>${escapeBody(template)}<|end|>\n`),
  )
  const read = async (path: string) => {
    const text = parts[path]
    return text === undefined ? ({ kind: 'missing' } as const) : ({ kind: 'read', text } as const)
  }
  const found = await readParts(analysis, 'prompt.ocm', read)
  const { text, problems } = fillPrompt(analysis, { path: 'prompt.ocm', values, parts: found })
  const message = analyze(Transcript.parse(text)).transcript.segment(1)
  return problems.some(({ message: it }) => !it.includes('is not declared'))
    ? undefined
    : renderedBody(message.segment)
}

test(`${templates.length} templates`, { skip }, async (t) => {
  const input = JSON.stringify({ templates, values, parts })
  const { stdout, status, stderr } = spawnSync('python3', ['test/prompts/render-with-jinja.py'], {
    input,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  const expected = JSON.parse(stdout) as readonly (string | null)[]
  for (const [index, template] of templates.entries()) {
    await t.test(JSON.stringify(template), async () => {
      const actual = await filled(template)
      if (differences.has(template)) assert.notEqual(actual, expected[index] ?? undefined)
      else assert.equal(actual, expected[index] ?? undefined)
    })
  }
})

test('the table is as long as the documentation says', () => {
  assert.ok(templates.length >= 200, `${templates.length}`)
  assert.equal(new Set(templates).size, templates.length)
})
