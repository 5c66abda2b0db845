/** What users do not see of the assistant does not come back visible from another form. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { analyze, convert, Transcript, visibleTexts } from '../../core/src/index.ts'

const seen = (text: string) => visibleTexts(analyze(Transcript.parse(text)))

describe('hidden words of the assistant', () => {
  for (const message of [
    'assistant<|channel|>anlysis<|message|>secret<|end|>',
    'assistant<|channel|>comm intent=preamble<|message|>secret<|end|>',
    'assistant<|channel|><|message|>secret<|end|>',
    'assistant<|channel|>commentary<|message|>secret<|end|>',
    'assistant<|channel|>commentary intent=status<|message|>secret<|end|>',
    'assistant<|channel|>analysis<|channel|>final<|message|>secret<|end|>',
    'assistant to=assistant<|channel|>final<|message|>secret<|end|>',
    'assistant to=system intent=preamble<|channel|>commentary<|message|>secret<|end|>',
    'assistant<|message|>{"a":"secret"}<|call|>',
    'asistant<|message|>secret<|end|>',
  ]) {
    test(`stay hidden: ${message}`, () => {
      const text = `version: 2.2\n<|start|>${message}\n`
      assert.deepEqual(seen(text), [])
      for (const form of ['ocm', 'json', 'messages', 'responses', 'harmony-json', 'harmony'] as const) {
        const { text: there } = convert(text, { from: 'ocm', to: form })
        assert.deepEqual(seen(convert(there, { from: form, to: 'ocm' }).text), [], form)
      }
    })
  }

  test('are told where a request can only show them', () => {
    const text = 'version: 2.2\n<|start|>assistant<|channel|>anlysis<|message|>secret<|end|>\n'
    for (const to of ['messages', 'responses'] as const) {
      const { losses } = convert(text, { from: 'ocm', to })
      assert.deepEqual(
        losses.map(({ message }) => message),
        ['A message on the unknown channel `anlysis`, which users do not see, is left out'],
      )
    }
  })
})
