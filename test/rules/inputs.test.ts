/** Problems of prompts with inputs: which names, values and cases are reported, and which are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, applyEdits, Document, Transcript } from '../../core/src/internal.ts'
import { Checker } from '../../core/src/rules/checker.ts'

function problemsIn(header: string, body: string, templates = true): readonly string[] {
  const text = `version: 2.2\n${header}<|start|>user<|message|>${body}<|end|>\n`
  const checker = new Checker(analyze(Transcript.parse(text)), { templates })
  return checker.problems().problems.map(({ rule, message }) => `${rule}: ${message}`)
}

const inputs = 'inputs:\n  customer: { type: string }\n  n: { type: integer, default: 1 }\n'
const uses = '{{ customer }}{{ n }}'

test('a transcript without inputs may use any name', () => {
  assert.deepEqual(problemsIn('', '{{ anything }}{% if x %}'), [])
})

test('templates are no placeholders to complain about once there are inputs', () => {
  assert.deepEqual(problemsIn(inputs, uses, false), [])
})

test('names that only Jinja has are unknown, unless the template sets them', () => {
  assert.deepEqual(
    problemsIn(inputs, `${uses}{{ lipsum }}{{ self.x }}{{ range(2) }}{% set super = 1 %}{{ super }}`),
    [
      'undefined-input: `lipsum` is not declared under `inputs`',
      'undefined-input: `self` is not declared under `inputs`',
    ],
  )
})

test('names are checked in each body, not in the text around them', () => {
  assert.deepEqual(problemsIn(inputs, `${uses}{{ x }}{{ costumer.name }}`), [
    'undefined-input: `x` is not declared under `inputs`',
    'undefined-input: `costumer` is not declared under `inputs`; did you mean `customer`?',
  ])
  assert.deepEqual(problemsIn(inputs, `${uses} { customr } {% raw %}{{ customr }}{% endraw %}`), [])
})

test('words that mean something in other tags only are names like any other', () => {
  const names = ['context', 'missing', 'recursive', 'with', 'without', 'ignore', 'import', 'as']
  const header = `inputs:\n${names.map((it) => `  ${it}: { type: array }\n`).join('')}`
  const used = names.map((it) => `{{ ${it} }}`).join('')
  assert.deepEqual(problemsIn(header, used), [])
  const more = '{% for x in recursive recursive %}{{ x }}{% endfor %}{% for x in recursive %}{% endfor %}'
  assert.deepEqual(problemsIn(header, `${used}${more}{% if context %}{% endif %}`), [])
})

test('words that a template cannot take from outside are no names of inputs', () => {
  for (const name of ['true', 'not', 'range'])
    assert.match(
      problemsIn(`inputs:\n  "${name}": { default: 1 }\n`, 'Hi').join(),
      /unfit-input: `\w+` cannot be used in a template, because it has a meaning in Jinja/,
    )
})

test('a key of an input that is another word for one is reported, and others are not', () => {
  const of = (keys: string) => problemsIn(`inputs:\n  a: { ${keys} }\n`, '{{ a }}')
  const problem = (key: string, meant: string) => [
    `unfit-input: Unknown key \`${key}\` in the input \`a\`; did you mean \`${meant}\`?`,
  ]
  for (const key of ['enum', 'options', 'choices', 'value'])
    assert.deepEqual(of(`${key}: [x, y]`), problem(key, 'values'))
  assert.deepEqual(of('typ: string'), problem('typ', 'type'))
  assert.deepEqual(of('"defualt": x'), problem('defualt', 'default'))
  assert.deepEqual(of('sample: x, title: A, values: [x], enum: [x], 1: 2'), [])
  const text = 'version: 2.2\ninputs:\n  a: { enum: [x] }\n<|start|>user<|message|>{{ a }}<|end|>\n'
  const [found] = new Document(text).problems().problems
  assert.deepEqual(
    found?.fixes.map(({ edits, isSafe }) => [applyEdits(text, edits), isSafe]),
    [[text.replace('enum', 'values'), false]],
  )
})

test('inputs that the rest of a template may use are not called unused while a tag is written', () => {
  for (const open of ['{{', '{% include "', '{# why', '{% raw %}'])
    assert.deepEqual(
      problemsIn(inputs, `${open} {{ n }}{{ customer }}`).filter((it) => it.startsWith('unused-input')),
      [],
      open,
    )
  assert.match(
    problemsIn(inputs, '{% if customer %}').join(),
    /unused-input/,
    'names after an open block are read',
  )
})

test('inputs that parts may use are not called unused', () => {
  assert.deepEqual(problemsIn(inputs, '{{ customer }}'), ['unused-input: No template uses the input `n`'])
  assert.deepEqual(problemsIn(inputs, '{% include "parts/style.md" %}'), [])
})

test('cases are checked against the inputs', () => {
  const cases = (text: string) => problemsIn(`${inputs}cases:\n${text}`, uses)
  assert.deepEqual(cases('  a: { customer: Ada }\n  b: { customer: Bo, n: 2 }\n'), [])
  assert.deepEqual(cases('  a: { n: 2 }\n'), ['unfit-case: `a` is missing a value for `customer`'])
  assert.deepEqual(cases('  a:\n'), ['unfit-case: `a` is missing a value for `customer`'])
  assert.deepEqual(cases('  a: { customer: 7, n: 1.5 }\n'), [
    'unfit-case: `customer` must be a string, not an integer',
    'unfit-case: `n` must be an integer, not a number',
  ])
  assert.deepEqual(cases('  a: { customer: A, m: 1 }\n'), ['unfit-case: `m` is not declared under `inputs`'])
})

test('an edit of the inputs checks the bodies again', () => {
  const document = new Document(`version: 2.2\n${inputs}<|start|>user<|message|>${uses}<|end|>\n`)
  assert.equal(document.problems().total, 0)
  const start = document.transcript.text().indexOf('customer')
  document.edit([{ start, end: start + 'customer'.length, text: 'client' }])
  assert.deepEqual(
    document.problems().problems.map(({ rule }) => rule),
    ['unused-input', 'undefined-input'],
  )
})

const choice = 'inputs:\n  tier: { values: [free, pro] }\n  on: { type: boolean }\n  n: { values: [1, 2] }\n'
const comparisons = (condition: string) =>
  problemsIn(choice, `{{ tier }}{{ on }}{{ n }}{% if ${condition} %}x{% endif %}`)
const impossible = (name: string, rest: string) => [
  `impossible-comparison: A text that \`${name}\` is compared with must be ${rest}`,
]

test('comparisons with what an input can never be are reported', () => {
  const values = 'one of `free`, `pro`'
  for (const condition of [
    'tier == "por"',
    "tier != 'por'",
    'not (tier == "por") and on',
    'on and tier in ["free", "por"]',
    'tier not in ("por", "pro")',
    'x is defined or tier == "por"',
    '{"a": tier == "por"}',
    '"por" == tier',
    'on and not "por" != tier',
  ])
    assert.deepEqual(
      comparisons(condition).filter((it) => !it.startsWith('undefined')),
      impossible('tier', `${values}; did you mean \`pro\`?`),
      condition,
    )
  assert.deepEqual(comparisons('tier == "gold"'), impossible('tier', values))
  assert.deepEqual(comparisons('on == "true"'), impossible('on', 'a boolean, not a string'))
  assert.deepEqual(comparisons('n == "1"'), impossible('n', 'one of `1`, `2`'))
})

test('comparisons that may be true, or that are not with the input as it is, are not reported', () => {
  for (const condition of [
    'tier == "pro"',
    'tier in ["free", "pro"]',
    'tier | upper == "PRO"',
    'tier.name == "por"',
    'tier[0] == "p"',
    'tier ~ "x" == "prox"',
    '"x" ~ tier == "xpro"',
    'tier == "p" ~ "ro"',
    'tier == "por" | replace("or", "ro")',
    'tier in "profree"',
    'tier in ("profree")',
    'tier in ["FREE", "PRO"] | map("lower")',
    'tier not in (["FREE"] | map("lower"))',
    '"por" in tier',
    '"por" == tier ~ "x"',
    '"x" ~ "por" == tier',
    '"por" == tier | lower',
    '"por" == tier.name',
    '"por" < tier',
    'tier is eq("por")',
    'tier == n',
    'on == true',
    'n == 3',
    '(tier, "por") == (tier, "por")',
  ])
    assert.deepEqual(comparisons(condition), [], condition)
  assert.deepEqual(
    problemsIn(choice, '{{ on }}{{ n }}{% set tier = tier | upper %}{% if tier == "PRO" %}x{% endif %}'),
    [],
  )
})

test('names that a template cannot have are not suggested', () => {
  const named = 'inputs:\n  user-name: {}\n  more: { type: string }\n'
  assert.ok(
    problemsIn(named, '{{ user_name }}{{ more }}').includes(
      'undefined-input: `user_name` is not declared under `inputs`',
    ),
  )
})

test('an integer that would be rounded is reported where a number is wanted, and kept as text elsewhere', () => {
  const id = '12345678901234567890'
  const of = (type: string, value = id) =>
    problemsIn(`inputs:\n  id: { ${type} }\ncases:\n  a: { id: ${value} }\n`, '{{ id }}')
  const message =
    '`id` is too large to be read exactly; put it in quotes, and declare the input with `type: string`'
  for (const type of ['type: integer', 'type: number']) {
    assert.deepEqual(of(type), [`unfit-case: ${message}`])
    assert.deepEqual(of(type, `-${id}`), [`unfit-case: ${message}`])
    assert.deepEqual(of(type, '9007199254740991'), [])
  }
  for (const type of ['type: string', 'description: any']) assert.deepEqual(of(type), [])
  assert.match(
    problemsIn(`inputs:\n  id: { type: integer, default: ${id} }\n`, '{{ id }}').join(),
    /too large/,
  )
})

test('a block is not closed within a tag that is open', () => {
  const fixesOf = (body: string) => {
    const text = `version: 2.2\n${inputs}<|start|>user<|message|>${body}<|end|>\n`
    return new Document(text).problems().problems.flatMap(({ fixes }) => fixes.map(({ title }) => title))
  }
  assert.ok(fixesOf('{% for x in customer %}{{ n }}').includes('Add `{% endfor %}`'))
  assert.deepEqual(fixesOf('{% for x in customer %}{{ n'), [])
  assert.deepEqual(fixesOf('{% for x in customer %}{{ "n'), [])
})

test('what a misspelled value was meant to be is written by a fix', () => {
  const text = `version: 2.2\n${choice}<|start|>user<|message|>{{ on }}{{ n }}{% if tier == 'por' %}x{% endif %}<|end|>\n`
  const [found] = new Document(text).problems().problems
  assert.equal(applyEdits(text, found?.fixes[0]?.edits ?? []), text.replace('por', 'pro'))
})

test('a value that is written with other signs in a body is not suggested', () => {
  const values = 'inputs:\n  end: { values: ["<|end|>"] }\n'
  assert.deepEqual(
    problemsIn(values, '{% if end == "<<|ende|>" %}x{% endif %}'),
    impossible('end', 'one of `<|end|>`'),
  )
})
