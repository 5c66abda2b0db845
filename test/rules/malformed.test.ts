/** What is reported of the shapes that models produce, and the first fix of each: as the page of each shape recommends. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fixed, problemsIn } from './check-rules.ts'

const folder = 'test/fixtures/malformed'

/** By fixture: the problems, each with its first fix. That there is no header is left out: raw output has none. */
const expected: Readonly<Record<string, readonly string[]>> = {
  '01-refusal-without-header': ['cut-header: Insert `<|channel|>analysis<|message|>`'],
  '02-message-token-forgotten': ['cut-header: Insert `<|message|>`'],
  '03-final-without-message-token': ['cut-header: Insert `<|message|>`'],
  '04-mistyped-channel': ['unknown-channel: Replace with `final`'],
  '05-channel-with-junk': ['unknown-channel: Replace with `commentary`'],
  '06-text-instead-of-channel': ['cut-header: Insert `analysis<|message|>`'],
  '07-self-addressed': [
    'role-as-recipient: Remove `to=assistant`',
    'repeated-channel: Remove `<|channel|>commentary`',
  ],
  '08-empty-channel': ['empty-channel: Insert `analysis`'],
  '09-doubled-start': ['interrupted-header: Remove the unfinished header'],
  '10-doubled-start-assistant': [
    'interrupted-header: Remove the unfinished header',
    'call-without-recipient: End with `<|end|>`',
  ],
  '11-role-twice': ['unknown-role: Replace with `assistant`'],
  '12-channel-as-role': ['unknown-role: Replace with `assistant<|channel|>final`'],
  '13-second-channel': ['repeated-channel: Remove `<|channel|>commentary`'],
  '14-tool-in-channel': ['unknown-channel: Write `to=functions.bash` before the channel'],
  '15-token-glued-to-tool': ['repeated-channel: Remove `<|channel|>analysis`'],
  '16-role-in-tool-name': [
    'role-as-recipient: Remove `to=assistant`',
    'repeated-channel: Remove `<|channel|>commentary`',
  ],
  '17-recipient-twice': ['duplicate-attribute: Remove the second `to=`'],
  '18-stray-header-words': ['extra-word: Remove `––commentary`'],
  '19-reasoning-in-header': ['extra-word: Remove 6 words'],
  '20-reasoning-after-constrain': ['cut-header: Write `<|message|>` instead of `<|constrain|>`'],
  '21-channel-as-constraint': ['unknown-value: Write `json`, the type of the body'],
  '22-constrained-final': ['unread-constraint: Remove `<|constrain|>json`'],
  '23-space-after-constrain': ['space-after-token: Remove the whitespace'],
  '24-bare-json': ['bare-json: Write `<|constrain|>json`'],
  '25-json-glued-to-tool-declared': ['unknown-tool: Call `functions.shell` with `<|constrain|>json`'],
  '25-json-glued-to-tool': [],
  '26-constraint-as-characters': [],
  '27-call-ends-with-return': ['wrong-terminator: Write `<|call|>`'],
  '28-call-ends-with-end': ['bare-json: Write `<|constrain|>json`', 'wrong-terminator: Write `<|call|>`'],
  '29-second-terminator': ['stray-text: Remove `<|call|>`'],
  '30-missing-start': ['stray-text: Insert `<|start|>assistant<|channel|>`'],
  '31-role-as-word': ['stray-text: Insert `<|start|>`'],
  '32-tokens-stripped': ['invalid-header: Restore the special tokens'],
  '33-lost-recipient': ['lost-recipient'],
  '34-preamble': [],
  '35-call-on-analysis': ['misrouted-call: Move the call to `commentary`'],
  '36-tool-without-namespace': [],
  '37-builtin-not-offered': [],
  '38-python-code': [],
  '39-unbalanced-json': ['constraint-violation: Insert `}}`'],
  '40-trailing-bracket': ['constraint-violation: Remove `]`'],
  '41-two-json-values': ['constraint-violation: Split into one call per value'],
  '42-generation-past-call': ['unanswered-call: Insert a reply to this call'],
  '43-reply-without-recipient': ['unread-reply: Insert `to=assistant`'],
  '44-answer-without-channel-profile': ['missing-channel: Insert `<|channel|>final`'],
  '44-answer-without-channel': [],
  '45-return-in-history': [],
  '46-generation-prompt': [],
  '47-double-wrapped': ['token-in-body: Escape `<|channel|>`', 'token-in-body: Escape `<|message|>`'],
  '48-injection': ['late-system-message'],
}

function seen(text: string): readonly string[] {
  return problemsIn(text)
    .filter(({ rule }) => rule !== 'missing-header')
    .map(({ rule, fixes }) => (fixes[0] ? `${rule}: ${fixes[0].title}` : rule))
}

describe('malformed output', () => {
  const names = readdirSync(folder).flatMap((it) => (it.endsWith('.ocm') ? it.slice(0, -'.ocm'.length) : []))

  for (const name of names) {
    it(name, () => {
      const text = readFileSync(`${folder}/${name}.ocm`, 'utf8')
      assert.deepEqual(seen(text), expected[name])
      const count = (of: string, rule: string) => problemsIn(of).filter((it) => it.rule === rule).length
      for (const { rule, fixes } of problemsIn(text)) {
        for (const fix of fixes) assert.ok(count(fixed(text, fix), rule) < count(text, rule), fix.title)
      }
    })
  }
})
