/** The datasets among the samples: each is of the form that its name says, and has no problems. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  Document,
  detectForm,
  editableSample,
  forms,
  readSample,
  sampleProblems,
  sampleTraits,
  sessionForm,
} from '../../core/src/internal.ts'

const folder = 'samples/datasets'

for (const name of readdirSync(folder)) {
  test(name, () => {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    const lines = sessionForm(text) ? [text] : text.trim().split('\n')
    for (const line of lines) {
      const bytes = new TextEncoder().encode(line)
      const first = editableSample(readSample(bytes, { rest: 'source' }))
      assert.equal(first.kind, 'good')
      for (const branch of (first.kind === 'good' && first.branches) || [undefined]) {
        const sample = editableSample(readSample(bytes, { rest: 'source', branch }))
        if (sample.kind !== 'good') throw new TypeError(line)
        const form = name.replace('.jsonl', '')
        assert.equal(sample.form, form === 'kto' ? 'prompt-completion' : form)
        const document = new Document(sample.text, { sample: sampleTraits(sample.form) })
        document.transcript.requestTools = sample.requestTools
        const problems = [
          ...sampleProblems({ ...sample, from: sample.form }),
          ...document.problems().problems,
        ]
        assert.deepEqual(
          problems.map(({ rule, message }) => `${rule}: ${message}`),
          [],
        )
      }
    }
  })
}

test('each form that people have data in has a dataset here', () => {
  const names = new Set(readdirSync(folder).map((it) => it.replace('.jsonl', '')))
  // These two are what programs of ours and of OpenAI exchange, and nobody collects.
  const uncommon: readonly string[] = ['json', 'harmony-json']
  const missing = forms.filter(
    ({ name, holds }) => holds === 'json' && !names.has(name) && !uncommon.includes(name),
  )
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

test('the documentation has an example of each form that samples have, and each is of its form', () => {
  const rows = readFileSync('docs/forms.md', 'utf8').matchAll(/^\| (?<names>`[^|]+`) \| (?<example>.+) \|$/gm)
  const shown = new Set<string>()
  for (const { groups: { names = '', example = '' } = {} } of rows) {
    const form = names.replaceAll('`', '')
    for (const name of form.split(', ')) shown.add(name)
    // A text is of the form that its frames say; that of the sample is `messages`.
    if (form === 'text') continue
    for (const [, json = ''] of example.matchAll(/`(\{"(?:[^`])*\})`/g))
      assert.equal(detectForm(json), form, json)
  }
  const unknown = forms.filter(({ name, holds }) => holds === 'json' && !shown.has(name))
  assert.deepEqual(
    unknown.map(({ name }) => name),
    [],
  )
})
