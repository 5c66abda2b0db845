/** What is remembered by text: for the texts asked for last, and never more than allowed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { yamlHeader } from '../../core/src/embedded/yaml-header.ts'
import { analyze, Checker, type RuleSettings, Transcript } from '../../core/src/internal.ts'
import { perText } from '../../core/src/text/memo.ts'

describe('perText', () => {
  const counted = (limits: { texts: number; length: number }) => {
    const asked: string[] = []
    const remembered = perText((text: string) => {
      asked.push(text)
      return { text }
    }, limits)
    return { asked, remembered }
  }

  it('computes once, and gives the same object again', () => {
    const { asked, remembered } = counted({ texts: 2, length: 100 })
    assert.equal(remembered('a'), remembered('a'))
    assert.deepEqual(asked, ['a'])
  })

  it('forgets what was asked for least recently', () => {
    const { asked, remembered } = counted({ texts: 2, length: 100 })
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) assert.equal(remembered(text).text, text)
    assert.deepEqual(asked, ['a', 'b', 'c', 'b'])
  })

  it('holds no more text than allowed, and nothing that is longer alone', () => {
    const { asked, remembered } = counted({ texts: 9, length: 5 })
    for (const text of ['aaa', 'bb', 'aaa', 'cc', 'aaa', 'dddddd', 'dddddd', 'aaa']) remembered(text)
    assert.deepEqual(asked, ['aaa', 'bb', 'cc', 'dddddd', 'dddddd'])
  })
})

describe('what documents share', () => {
  it('headers of the same text are the same object', () => {
    assert.equal(yamlHeader('version: 2.2\n'), yamlHeader('version: 2.2\n'))
  })

  it('preambles of the same text are the same, in dialects that read them alike', () => {
    const headerIn = (dialect: 'auto' | '1.x') =>
      analyze(Transcript.parse('Hello\n<|im_start|>user\nHi<|im_end|>\n', { dialect }))
    const [auto, old, again] = [headerIn('auto'), headerIn('1.x'), headerIn('auto')]
    assert.equal(auto.header, again.header)
    assert.deepEqual(
      [auto, old, again].map(({ settings }) => settings.hasHeader),
      [false, false, false],
    )
    const fenced = (framing: string) =>
      analyze(Transcript.parse(`---\nversion: 2.2\n---\n[BOS]x\n${framing}`)).header
    assert.notEqual(fenced('<|start|>user<|message|><|end|>'), fenced('<|im_start|>user\n<|im_end|>'))
  })

  it('problems depend on the settings of each document alone, in whatever order they are checked', () => {
    const bad = '<|start|>assistant<|channel|>analysis<|channel|>commentary<|message|>Hi<|end|>\n'
    const found = (header: string, settings: readonly RuleSettings[] = []) => {
      const checker = new Checker(analyze(Transcript.parse(`version: 2.2\n${header}${bad}`)), { settings })
      checker.advance()
      return checker.problems().problems.map(({ rule, severity }) => `${severity} ${rule}`)
    }
    const off: RuleSettings = new Map([['repeated-channel', 'off']])
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(found(''), ['error repeated-channel'])
      assert.deepEqual(found('', [off]), [])
      assert.deepEqual(found('lint: {repeated-channel: hint}\n'), ['hint repeated-channel'])
      assert.deepEqual(found('lint: {repeated-channel: hint}\n', [off]), ['hint repeated-channel'])
      assert.deepEqual(found('profiles: {intent: fixture}\n'), ['information repeated-channel'])
    }
  })
})
