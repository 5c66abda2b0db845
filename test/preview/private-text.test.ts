/** Which visible messages cannot be copied as a whole without copying what users do not see. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPrivateText } from '../../client/src/preview/message-group.ts'
import { Document } from '../../core/src/internal.ts'

const answer = '<|start|>assistant<|channel|>final<|message|>'

for (const [title, text, expected] of [
  ['text only', `${answer}Ok<|end|>\n`, false],
  ['a thought', `${answer}<|start_reason|>SECRET<|end_reason|>Ok<|end|>\n`, true],
  ['text after it', `${answer}Ok<|end|>\nSECRET stray text\n`, true],
  ['a conflict marker after it', `${answer}Ok<|end|>\n<<<<<<< HEAD\n`, true],
  [
    'a call of 0.1',
    '<|im_start|>assistant\nLet me look.\n<|function_call|>\n{"name":"f","arguments":{"k":"SECRET"}}\n<|im_end|>\n',
    true,
  ],
  ['a reply of 0.1', '<|im_start|>assistant\nSo.\n<|function_output|>\nSECRET\n<|im_end|>\n', true],
] as const) {
  test(`a message with ${title}`, () => {
    const first = text.indexOf('<|')
    assert.equal(hasPrivateText(new Document(text).analysis, first), expected)
  })
}
