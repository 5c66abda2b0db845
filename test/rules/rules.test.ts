/** What holds of every rule: its examples are its first tests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Problem } from '../../core/src/rules/problem.ts'
import { ruleDocumentationPath, ruleNamed, rules } from '../../core/src/rules/rule-registry.ts'
import type { SyntaxProblemKind } from '../../core/src/syntax/syntax-problem.ts'
import { fixed, isSerious, problemsIn } from './check-rules.ts'

/** The type makes sure that no kind is left out. */
const syntaxProblemKinds: Readonly<Record<SyntaxProblemKind, true>> = {
  'missing-role': true,
  'unknown-role': true,
  'space-after-token': true,
  'word-before-channel': true,
  'extra-word': true,
  'bare-content-type': true,
  'duplicate-attribute': true,
  'empty-attribute': true,
  'unknown-attribute': true,
  'late-attribute': true,
  'empty-channel': true,
  'unknown-channel': true,
  'repeated-channel': true,
  'empty-constraint': true,
  'early-constraint': true,
  'repeated-constraint': true,
  'token-in-header': true,
  'cut-header': true,
  'token-in-body': true,
  'open-literal': true,
  'open-thought': true,
  'stray-text': true,
}

test('every kind of syntax problem has exactly one rule', () => {
  const kinds = rules.flatMap((rule) => (rule.scope === 'syntax' ? [rule.kind] : []))
  assert.deepEqual([...kinds].sort(), Object.keys(syntaxProblemKinds).sort())
})

test('rule names are unique, in kebab-case, and name a bad thing', () => {
  const names = rules.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/)
    assert.doesNotMatch(name, /^(no|valid|require)-/)
    assert.equal(ruleNamed(name)?.name, name)
  }
})

test('codes tell their severity', () => {
  const severities = { E: ['error', 'warning', 'information'], W: ['warning'], H: ['hint', 'information'] }
  for (const { name, code, severity } of rules) {
    const [, letter] = /^([EWH])(?:-[A-Z]+)+$/.exec(code) ?? []
    assert.ok(letter, name)
    assert.ok(severities[letter as 'E' | 'W' | 'H'].includes(severity), name)
  }
})

test('the documentation of a rule is complete and in sentences', () => {
  for (const rule of rules) {
    assert.match(rule.summary, /^[A-Z`].*[^.]$/, rule.name)
    for (const sentence of rule.why.split('\n')) assert.match(sentence, /^[A-Z`].*[.:]$/, rule.name)
    assert.match(rule.section, /^(2\.2|0\.1) §/, rule.name)
    assert.equal(ruleDocumentationPath(rule), `docs/rules/${rule.name}.md`)
  }
})

test('examples are distinct', () => {
  const seen = new Map<string, string>()
  for (const { name, bad, good } of rules) {
    assert.equal(seen.get(bad), undefined, `${name} has the bad example of another rule`)
    assert.notEqual(bad, good, name)
    seen.set(bad, name)
  }
})

test('messages are single sentences without final stop', () => {
  for (const rule of rules) {
    for (const { message, fixes, related } of problemsIn(rule.bad)) {
      for (const text of [message, ...fixes.map(({ title }) => title), ...related.map((it) => it.message)]) {
        assert.match(text, /^[A-Z`][^\n]*[^.\n]$/, rule.name)
      }
    }
  }
})

for (const rule of rules) {
  test(`${rule.name}: the bad example has this problem and no other error or warning`, () => {
    const problems = problemsIn(rule.bad)
    const own = problems.filter((it) => it.rule === rule.name)
    assert.equal(own.length, rule.severity === 'information' ? 2 : 1, lines(problems))
    assert.equal(own[0]?.severity, rule.severity)
    const others = problems.filter((it) => it.rule !== rule.name && isSerious(it))
    assert.equal(others.length, 0, lines(others))
    const hints = problems.filter((it) => it.rule !== rule.name && it.severity === 'hint')
    if (rule.severity === 'hint') assert.equal(hints.length, 0, lines(hints))
  })

  test(`${rule.name}: the good example has no error or warning, and not this problem`, () => {
    const problems = problemsIn(rule.good)
    assert.equal(lines(problems.filter((it) => isSerious(it) || it.rule === rule.name)), '')
  })

  test(`${rule.name}: the first fix makes the good example of the bad one`, () => {
    const fix = problemsIn(rule.bad).find((it) => it.rule === rule.name)?.fixes[0]
    if (fix) assert.equal(fixed(rule.bad, fix), rule.good)
  })

  test(`${rule.name}: a safe fix removes its problem and adds none`, () => {
    const before = problemsIn(rule.bad)
    for (const problem of before) {
      for (const fix of problem.fixes.filter(({ isSafe }) => isSafe)) {
        const after = problemsIn(fixed(rule.bad, fix))
        assert.equal(after.length, before.length - 1, lines(after))
      }
    }
  })
}

function lines(problems: readonly Problem[]): string {
  return problems.map(({ code, rule, message }) => `${code} ${rule}: ${message}`).join('\n')
}
