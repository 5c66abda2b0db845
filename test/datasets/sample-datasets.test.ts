/** The datasets among the samples: each is of the form that its name says, and has no problems. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  Document,
  editableSample,
  readSample,
  sampleProblems,
  sampleTraits,
} from '../../core/src/internal.ts'

const folder = 'samples/datasets'

for (const name of readdirSync(folder)) {
  test(name, () => {
    const lines = readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n')
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
