/** What a transcript is for decides how it ends, and how severe mistakes are. Without an intent nothing is said. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Transcript } from '../../core/src/document/transcript.ts'
import { selfCheck } from '../../core/src/features/self-check.ts'
import { Checker, type CheckerOptions } from '../../core/src/rules/checker.ts'
import { settingsForPath } from '../../core/src/rules/configuration.ts'
import { readConfiguration } from '../../core/src/rules/configuration-reader.ts'
import { analyze } from '../../core/src/semantics/analysis.ts'

const user = '<|start|>user<|message|>Hi<|end|>\n'
const answer = (terminator: string) => `<|start|>assistant<|channel|>final<|message|>Hello<|${terminator}|>\n`
const call = '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|>\n'

function found(text: string, options: CheckerOptions = {}, header = 'version: 2.2\n'): readonly string[] {
  const analysis = analyze(Transcript.parse(header + text))
  const checker = new Checker(analysis, options)
  checker.advance()
  return checker.problems().problems.map(({ severity, rule }) => `${severity} ${rule}`)
}

describe('an intent', () => {
  it('is none by default', () => {
    for (const end of ['end', 'return']) assert.deepEqual(found(user + answer(end) + user + answer(end)), [])
    assert.deepEqual(found(user, {}, 'version: 2.2\nprofiles: {intent: none}\n').length, 1)
  })

  it('of training wants the stop at the end, and there only', () => {
    const training = (text: string) => found(text, { intent: 'training' })
    assert.deepEqual(training(user + answer('return')), [])
    assert.deepEqual(training(user + call), [])
    assert.deepEqual(training(user + answer('end')), ['warning sample-without-return'])
    assert.deepEqual(training(answer('end') + user), ['warning sample-without-return'])
    assert.deepEqual(training(answer('return') + user + answer('return')), ['warning stored-return'])
  })

  it('of history wants no stop', () => {
    const history = (text: string) => found(text, { intent: 'history' })
    assert.deepEqual(history(user + answer('end')), [])
    assert.deepEqual(history(answer('return') + user + answer('return')), [
      'warning stored-return',
      'warning stored-return',
    ])
  })

  it('of a fixture allows mistakes, unless a test expects them', () => {
    const broken = '<|start|>asistant<|message|>Hi<|end|>\n'
    const header = 'version: 2.2\nprofiles: {intent: fixture}\n'
    assert.deepEqual(found(broken, {}, header), ['information unknown-role'])
    assert.deepEqual(found(broken, { judgesFixtures: true }, header), ['error unknown-role'])
    const settings = [new Map([['unknown-role', 'warning' as const]])]
    assert.deepEqual(found(broken, { settings }, header), ['warning unknown-role'])
  })

  it('in the header counts more than a setting, and is followed when it is edited', () => {
    const header = 'version: 2.2\nprofiles: {intent: history}\n'
    assert.deepEqual(found(user + answer('end'), { intent: 'training' }, header), [])
    const text = header + user + answer('return')
    const analysis = analyze(Transcript.parse(text))
    const checker = new Checker(analysis)
    checker.advance()
    assert.equal(checker.problems().total, 1)
    const start = text.indexOf('history')
    checker.update(analysis.edit([{ start, end: start + 'history'.length, text: 'training' }]))
    checker.advance()
    assert.equal(checker.problems().total, 0)
    checker.update(
      analysis.edit([{ start: analysis.transcript.length, end: analysis.transcript.length, text: user }]),
    )
    assert.equal(selfCheck(analysis, checker), undefined)
    assert.equal(checker.problems().total, 2)
  })

  it('is set by configuration files, for all or for some', () => {
    const text = 'intent: history\noverrides:\n- files: train/\n  intent: training\n'
    const { configuration, problems } = readConfiguration(text)
    assert.deepEqual(problems, [])
    assert.equal(settingsForPath(configuration, 'a.ocm').intent, 'history')
    assert.equal(settingsForPath(configuration, 'train/a.ocm').intent, 'training')
    const [problem] = readConfiguration('intent: test').problems
    assert.equal(problem?.message, '`intent` must be one of `training`, `history`, and `fixture`')
  })
})
