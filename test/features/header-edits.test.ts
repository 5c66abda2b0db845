/** Inserting and converting headers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  applyEdits,
  type HeaderForm,
  headerEdits,
  headerForms,
  ruleOffEdits,
  Transcript,
} from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

const message = '<|start|>user<|message|>Hi<|end|>\n'

function converted(text: string, form: HeaderForm): string | undefined {
  const edits = headerEdits(analyze(Transcript.parse(text)), form)
  return edits && applyEdits(text, edits)
}

const capabilities = `capabilities:
  roles: ["system", "developer", "user", "assistant", "tool", "functions.*"]
  channels: ["analysis", "commentary", "final"]
  tokens: ["<|start|>", "<|channel|>", "<|message|>", "<|call|>", "<|constrain|>", "<|return|>", "<|end|>", "<|literal|>", "<|endliteral|>"]
  streaming: ["response.delta", "response.delta.flush", "response.cancel", "tool.cancel"]
`
const harmony = `  harmony:
    enabled: true
    encoding: o200k_harmony
    require_channels: ["analysis", "commentary", "final"]
    tool_calls_in: commentary
    builtins_in: ["analysis", "commentary"]
`

test('a header is inserted where there is none', () => {
  assert.equal(converted(message, 'version'), `version: 2.2\n\n${message}`)
  assert.equal(converted(`\n\n${message}`, 'version'), `version: 2.2\n\n\n${message}`)
  assert.equal(converted('', 'version'), 'version: 2.2\n')
  assert.equal(converted(`\ufeff${message}`, 'version'), `\ufeffversion: 2.2\n\n${message}`)
  assert.equal(converted(message, 'capabilities'), `version: 2.2\n${capabilities}\n${message}`)
  assert.equal(converted(message, 'harmony'), `version: 2.2\nprofiles:\n${harmony}\n${message}`)
})

test('an older version becomes the current one, and a missing one is added', () => {
  assert.equal(
    converted(`# hello\nversion: "2.0" # old\nmodel: x\n${message}`, 'version'),
    `# hello\nversion: 2.2 # old\nmodel: x\n${message}`,
  )
  assert.equal(converted(`model: x\n\n${message}`, 'version'), `model: x\nversion: 2.2\n\n${message}`)
  assert.equal(
    converted(`---\nmodel: x\n---\n${message}`, 'version'),
    `---\nmodel: x\nversion: 2.2\n---\n${message}`,
  )
  assert.equal(converted(`version:\n${message}`, 'version'), `version: 2.2\n${message}`)
  assert.equal(converted(`version: 2.1\n${message}`, 'version'), undefined)
})

test('missing keys are added, and what is there stays', () => {
  assert.equal(
    converted(
      `version: 2.2\nprofiles:\n    intent: training # kept\n    harmony:\n        enabled: false\n        x: 1\n${message}`,
      'harmony',
    ),
    `version: 2.2\nprofiles:\n    intent: training # kept\n    harmony:\n        enabled: true\n        x: 1\n        encoding: o200k_harmony\n        require_channels: ["analysis", "commentary", "final"]\n        tool_calls_in: commentary\n        builtins_in: ["analysis", "commentary"]\n${message}`,
  )
  assert.equal(
    converted(
      `version: 2.2\nprofiles: { harmony: { enabled: true, require_channels: [] } }\n${message}`,
      'harmony',
    ),
    `version: 2.2\nprofiles: { harmony: { enabled: true, require_channels: [], encoding: o200k_harmony, tool_calls_in: commentary, builtins_in: ["analysis", "commentary"] } }\n${message}`,
  )
  assert.equal(
    converted(`version: 2.2\ncapabilities:\n${message}`, 'capabilities'),
    `version: 2.2\n${capabilities}${message}`,
  )
  assert.equal(
    converted(`{ version: 2.0, "model": "x" }\n${message}`, 'version'),
    `{ version: 2.2, "model": "x" }\n${message}`,
  )
})

test('fences come and go', () => {
  const plain = `version: 2.2\nmodel: x\n\n${message}`
  const fenced = `---\nversion: 2.2\nmodel: x\n---\n\n${message}`
  assert.equal(converted(plain, 'fenced'), fenced)
  assert.equal(converted(fenced, 'plain'), plain)
  assert.equal(converted(fenced, 'fenced'), undefined)
  assert.equal(converted(plain, 'plain'), undefined)
})

test('line breaks are those of the file', () => {
  assert.equal(
    converted('<|start|>user<|message|>Hi<|end|>\r\n', 'version'),
    'version: 2.2\r\n\r\n<|start|>user<|message|>Hi<|end|>\r\n',
  )
})

test('nothing is done where no header belongs, or where one cannot be read', () => {
  for (const text of ['<|im_start|>user\nHi<|im_end|>\n', `a: [\n${message}`, `profiles: text\n${message}`]) {
    assert.equal(converted(text, 'harmony'), undefined, text)
  }
  const raw = analyze(Transcript.parse(message, { dialect: 'harmony' }))
  assert.equal(headerEdits(raw, 'version'), undefined)
})

test('on any text, messages stay, and what was done has not to be done again', () => {
  fc.assert(
    fc.property(transcriptText, fc.constantFrom(...headerForms), (text, form) => {
      const after = converted(text, form)
      if (after === undefined) return
      const bodies = (it: string) =>
        [...Transcript.parse(it).segments()].flatMap(({ segment }) =>
          segment.kind === 'message' ? [segment.text] : [],
        )
      assert.deepEqual(bodies(after), bodies(text))
      assert.equal(converted(after, form), undefined)
    }),
    { numRuns: propertyRuns },
  )
})

test('a header full of comments and brackets costs no more than its length', () => {
  const comments = `${'#'.repeat(30_000)}\n`
  assert.equal(
    converted(`${comments}version: 2.0\n${message}`, 'version'),
    `${comments}version: 2.2\n${message}`,
  )
  assert.equal(
    converted(`# one\n\n# two\n{ version: 2.0 }\n${message}`, 'version'),
    `# one\n\n# two\n{ version: 2.2 }\n${message}`,
  )
})

const turnedOff: readonly (readonly [before: string, after: string | undefined])[] = [
  [message, `version: 2.2\nlint:\n  hidden-character: "off" # reason:\n\n${message}`],
  [`version: 2.2\n${message}`, `version: 2.2\nlint:\n  hidden-character: "off" # reason:\n${message}`],
  [
    `version: 2.2\nlint:\n  E-X: hint # why\n${message}`,
    `version: 2.2\nlint:\n  E-X: hint # why\n  hidden-character: "off" # reason:\n${message}`,
  ],
  [
    `version: 2.2\nlint: {hidden-character: hint}\n${message}`,
    `version: 2.2\nlint: {hidden-character: "off"}\n${message}`,
  ],
  [`version: [\n${message}`, undefined],
  // Version 2.2 asks for a call id.
  ['<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>\n', undefined],
]

for (const [before, after] of turnedOff) {
  test(`a rule is turned off in ${JSON.stringify(before.slice(0, 40))}`, () => {
    const edits = ruleOffEdits(analyze(Transcript.parse(before)), 'hidden-character')
    assert.equal(edits && applyEdits(before, edits), after)
  })
}

test('a rule about the header is turned off only in a header, and a conflict never', () => {
  const off = (text: string, rule: string) => ruleOffEdits(analyze(Transcript.parse(text)), rule)
  assert.equal(off(message, 'missing-header'), undefined)
  assert.notEqual(off(`version: 2.9\n${message}`, 'unsupported-version'), undefined)
  assert.equal(off(`version: 2.2\n${message}`, 'merge-conflict'), undefined)
})
