/** Turning a rule off in a configuration file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configurationWithRuleOff } from '../../core/src/internal.ts'

function off(text: string, path = 'a.ocm'): string | undefined {
  return configurationWithRuleOff(text, 'unknown-value', path)
}

test('a rule is turned off where it is set, or after what is there, with a place for the reason', () => {
  assert.equal(off(''), 'rules:\n  unknown-value: "off" # reason:\n')
  assert.equal(
    off('rules:\n  merge-conflict: hint\nintent: training\n'),
    'rules:\n  merge-conflict: hint\n  unknown-value: "off" # reason:\nintent: training\n',
  )
  assert.equal(off('# ours\n'), '# ours\nrules:\n  unknown-value: "off" # reason:\n')
  assert.equal(off('rules: ~\n'), 'rules: { unknown-value: "off" }\n')
  assert.equal(off('rules:\n'), 'rules:\n  unknown-value: "off" # reason:\n')
  assert.equal(
    off('rules:\n  unknown-value: hint\n  merge-conflict: hint\n'),
    'rules:\n  unknown-value: "off" # reason:\n  merge-conflict: hint\n',
  )
  assert.equal(
    off('rules: { merge-conflict: hint }\n'),
    'rules: { merge-conflict: hint, unknown-value: "off" }\n',
  )
  assert.equal(
    off('\ufeffrules:\r\n  merge-conflict: hint\r\n'),
    '\ufeffrules:\r\n  merge-conflict: hint\r\n  unknown-value: "off" # reason:\r\n',
  )
  assert.equal(
    off('\ufeffintent: training\nfiles: a\n'),
    '\ufeffintent: training\nfiles: a\nrules:\n  unknown-value: "off" # reason:\n',
  )
})

test('a file that is not a configuration stays as it is', () => {
  assert.equal(
    off('{\n  // ours\n  "rules": { "merge-conflict": "hint" }\n}\n'),
    undefined,
    'no comments in JSON',
  )
  assert.equal(off('colors: [red]\n'), undefined)
  assert.notEqual(off('{ "$schema": "x" }'), undefined)
})

test('JSON stays JSON, with its indentation', () => {
  for (const text of [
    '{}',
    '{"rules": {}}',
    '{"rules": {"merge-conflict": "hint"}}',
    '{"intent": "training"}',
    '{"rules": null}',
    '{\n  "rules": {\n    "merge-conflict": "hint"\n  }\n}\n',
  ]) {
    const changed = JSON.parse(off(text) ?? 'null')
    const before = JSON.parse(text)
    assert.deepEqual(changed, { ...before, rules: { ...before.rules, 'unknown-value': 'off' } })
  }
  assert.equal(
    off('{\n  "rules": {\n    "merge-conflict": "hint"\n  }\n}\n'),
    '{\n  "rules": {\n    "merge-conflict": "hint",\n    "unknown-value": "off"\n  }\n}\n',
  )
})

test('overrides for the transcript that set the rule turn it off too, also those that set its code', () => {
  const text = `overrides:
  - files: a.ocm
    rules:
      unknown-value: hint
  - files: ["*.ocm"]
    rules: { W-VALUE-UNKNOWN: error }
  - rules:
      unknown-value: error
    files: b.ocm
  - files: a.ocm
    rules:
      merge-conflict: hint
`
  assert.equal(
    off(text),
    `overrides:
  - files: a.ocm
    rules:
      unknown-value: "off" # reason:
  - files: ["*.ocm"]
    rules: { W-VALUE-UNKNOWN: error, unknown-value: "off" }
  - rules:
      unknown-value: error
    files: b.ocm
  - files: a.ocm
    rules:
      merge-conflict: hint
rules:
  unknown-value: "off" # reason:
`,
  )
})

test('nothing is changed where the text cannot be read, or the rule would be in force all the same', () => {
  for (const text of [
    'rules: [',
    'rules: 1\n',
    '- a\n',
    'rules: &r { unknown-value: hint }\noverrides: [{ files: "*", rules: *r }]\n',
  ])
    assert.equal(off(text), undefined, text)
  assert.equal(configurationWithRuleOff('', 'no-such-rule', 'a.ocm'), undefined)
})
