/** Severities that users set: by rule and by code, in several places, and in the header of a transcript. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Transcript } from '../../core/src/document/transcript.ts'
import { selfCheck } from '../../core/src/features/self-check.ts'
import { Checker } from '../../core/src/rules/checker.ts'
import { ruleNamed } from '../../core/src/rules/rule-registry.ts'
import { type RuleSettings, ruleSettingsFrom } from '../../core/src/rules/rule-settings.ts'
import { analyze } from '../../core/src/semantics/analysis.ts'
import { shown } from './check-rules.ts'

const messages =
  '<|start|>user<|message|>What is <|channel|> for?<|end|>\n<|start|>asistant<|message|>Hi<|end|>\n'
const token = 'token-in-body «<|channel|>»'
const role = 'unknown-role «asistant»'

function lint(...lines: string[]): string {
  return `version: 2.2\nlint:\n${lines.map((it) => `  ${it}\n`).join('')}${messages}`
}

describe('the header', () => {
  it('sets the severity of a rule, or of a code', () => {
    assert.deepEqual(shown(`version: 2.2\n${messages}`), [`warning ${token}`, `error ${role}`])
    assert.deepEqual(shown(lint('token-in-body: hint')), [`hint ${token}`, `error ${role}`])
    assert.deepEqual(shown(lint('E-PARSE-HEADER: information')), [`warning ${token}`, `information ${role}`])
  })

  it('turns rules off', () => {
    assert.deepEqual(shown(lint('token-in-body: off')), [`error ${role}`])
    assert.deepEqual(shown(lint('E-PARSE-HEADER: off', 'W-TOKEN-IN-BODY: off')), [])
  })

  it('means the rule before the code, whatever the order', () => {
    assert.deepEqual(shown(lint('unknown-role: warning', 'E-PARSE-HEADER: off')), [
      `warning ${token}`,
      `warning ${role}`,
    ])
  })

  it('is told of names and values that set nothing', () => {
    assert.deepEqual(shown(lint('token-in-bdy: off', 'unknown-role: of')), [
      'hint unknown-lint-entry «token-in-bdy»',
      'hint unknown-lint-entry «of»',
      `warning ${token}`,
      `error ${role}`,
    ])
    assert.deepEqual(shown(lint('w-token-in-body: off'))[0], 'hint unknown-lint-entry «w-token-in-body»')
    assert.deepEqual(shown(`version: 2.2\nlint: off\n${messages}`).length, 3)
  })

  it('is followed when it is edited', () => {
    const text = lint('token-in-body: off')
    const analysis = analyze(Transcript.parse(text))
    const checker = new Checker(analysis)
    checker.advance()
    const start = text.indexOf('off')
    for (const [length, word] of [
      [3, 'error'],
      [5, 'hint'],
      [4, 'off'],
      [3, ''],
    ] as const) {
      checker.update(analysis.edit([{ start, end: start + length, text: word }]))
      checker.advance()
      assert.equal(selfCheck(analysis, checker), undefined)
    }
    assert.equal(checker.problems().total, 3)
  })
})

describe('settings', () => {
  const problems = (text: string, ...settings: RuleSettings[]) => {
    const checker = new Checker(analyze(Transcript.parse(text)), { settings })
    checker.advance()
    return checker.problems().problems.map(({ severity, rule: it }) => `${severity} ${it}`)
  }

  it('count the more, the more specific their place is, and the header most', () => {
    const general = new Map([['token-in-body', 'off' as const]])
    const special = new Map([['W-TOKEN-IN-BODY', 'hint' as const]])
    const text = `version: 2.2\n${messages}`
    assert.deepEqual(problems(text, general), ['error unknown-role'])
    assert.deepEqual(problems(text, general, special), ['hint token-in-body', 'error unknown-role'])
    assert.deepEqual(problems(text, special, general), ['error unknown-role'])
    assert.deepEqual(problems(lint('token-in-body: error'), general), [
      'error token-in-body',
      'error unknown-role',
    ])
  })

  it('replace the severity of a finding that differs from that of its rule', () => {
    assert.equal(ruleNamed('missing-call-id')?.severity, 'error')
    const text =
      'version: 2.2\nprofiles: {harmony: {enabled: true}}\n<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>\n'
    assert.deepEqual(problems(text), ['warning missing-call-id'])
    assert.deepEqual(problems(text, new Map([['missing-call-id', 'error']])), ['error missing-call-id'])
  })

  it('are read from anything', () => {
    for (const value of [undefined, null, 1, 'off', [], { a: 1, b: null, c: 'loud' }]) {
      assert.equal(ruleSettingsFrom(value).size, 0)
    }
    assert.deepEqual([...ruleSettingsFrom({ 'token-in-body': 'off', x: 1 })], [['token-in-body', 'off']])
  })
})
