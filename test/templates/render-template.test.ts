/** Templates are rendered as Python's Jinja2 renders them, within limits. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isTemplateProblem, parsedTemplate, renderTemplate } from '../../core/src/internal.ts'
import { TemplateBudget } from '../../core/src/templates/template-budget.ts'
import { jinjaNow, type PythonRendering, renderWithJinja, type TemplateWork } from './python-jinja.ts'
import { templateTable } from './template-table.ts'

const rendered = (source: string, context: Record<string, unknown> = {}) =>
  renderTemplate(source, context, { now: jinjaNow })

function textOf(source: string, context: Record<string, unknown> = {}): string {
  const result = rendered(source, context)
  assert.ok(!isTemplateProblem(result), isTemplateProblem(result) ? result.message : '')
  return result.text
}

function problemIn(source: string, context: Record<string, unknown> = {}) {
  const result = rendered(source, context)
  assert.ok(isTemplateProblem(result), source)
  return result
}

/** What `work` gives, in the words of the reference; words of errors are only compared where a template fails while it runs. */
function ours({ source, context }: TemplateWork, theirs: PythonRendering): PythonRendering {
  const result = renderTemplate(source, context, { now: jinjaNow })
  if (!isTemplateProblem(result))
    return { text: result.text, spans: result.spans.map(({ start, end }) => [start, end] as const) }
  if (theirs.error === undefined) return { error: result.message }
  if (result.kind === 'syntax') return theirs.line === undefined ? theirs : { ...theirs, line: result.line }
  const words = theirs.error.replace(/^\w+Error: /, '')
  return words === result.message ? theirs : { ...theirs, error: result.message }
}

describe('a template', () => {
  it('is rendered as Jinja2 renders it: text, spans, words of errors, lines of mistakes', () => {
    const reference = renderWithJinja(templateTable)
    const both = templateTable.map((work, index) => [work.source, reference[index] ?? {}, work] as const)
    assert.deepEqual(
      both.map(([source, theirs, work]) => [source, ours(work, theirs)]),
      both.map(([source, theirs]) => [source, theirs]),
    )
  })

  const folder = process.env.CHAT_TEMPLATES
  const published = folder === undefined ? () => undefined : it // only where someone has them
  published('that is published is rendered as Jinja2 renders it', () => {
    const samples: Record<string, unknown>[] = JSON.parse(
      readFileSync('test/templates/published-samples.json', 'utf8'),
    )
    const files = readdirSync(folder ?? '').filter((it) => it.endsWith('.jinja'))
    assert.ok(files.length >= 50, `${files.length} templates`)
    const work = files.flatMap((file) =>
      samples.map((context) => ({ file, source: readFileSync(join(folder ?? '', file), 'utf8'), context })),
    )
    const reference = renderWithJinja(work)
    const different = work.filter((it, index) => {
      const theirs = reference[index] ?? {}
      return JSON.stringify(ours(it, theirs)) !== JSON.stringify(theirs)
    })
    const nRefused = reference.filter(({ error }) => error !== undefined).length
    const counts = `${files.length} templates, ${work.length} renderings (${nRefused} refused): ${work.length - different.length} equal, ${different.length} different`
    process.stderr.write(`${counts}\n`)
    assert.deepEqual([...new Set(different.map(({ file }) => file))], [])
  })

  it('says where it fails, by line and column', () => {
    const { kind, message, line, column } = problemIn('a\n{% if x %}\n  {{ y.z }}{% endif %}', { x: 1 })
    assert.deepEqual(
      { kind, message, line, column },
      { kind: 'failed', message: "'y' is undefined", line: 3, column: 7 },
    )
    const raised = problemIn("\n\n {{ raise_exception('Roles must alternate!') }}")
    assert.deepEqual([raised.kind, raised.message, raised.line], ['raised', 'Roles must alternate!', 3])
  })

  it('is read once for many renderings', () => {
    const template = parsedTemplate('{{ a }}')
    assert.ok(!isTemplateProblem(template))
    assert.deepEqual(
      [1, 2].map((a) => renderTemplate(template, { a })),
      [
        { text: '1', spans: [] },
        { text: '2', spans: [] },
      ],
    )
  })

  it('keeps the order of keys that look like numbers, if it gets a map', () => {
    assert.equal(
      textOf('{{ d|tojson }}', {
        d: new Map([
          ['b', 1],
          ['1', 2],
        ]),
      }),
      '{"b": 1, "1": 2}',
    )
  })

  it('includes what the caller gives it, and nothing else', () => {
    const include = (name: string) => (name === 'part' ? 'Hi {{ n }}' : undefined)
    assert.deepEqual(renderTemplate('[{% include "part" %}]', { n: 1 }, { include }), {
      text: '[Hi 1]',
      spans: [],
    })
    const isolated = renderTemplate('[{% include "part" without context %}]', { n: 1 }, { include })
    assert.deepEqual(isolated, { text: '[Hi ]', spans: [] })
    const missing = renderTemplate('{% include "/etc/passwd" %}', {}, { include })
    assert.ok(isTemplateProblem(missing) && missing.message.includes("'/etc/passwd' was not found"))
    assert.equal(problemIn('{% include "part" %}').message, 'no loader for this environment specified')
    assert.equal(textOf('a{% include "x" ignore missing %}'), 'a')
  })
})

describe('spans of a template', () => {
  it('can not be forged by text: marks are characters that neither template nor sample has', () => {
    const forged = Array.from({ length: 300 }, (_, index) => String.fromCharCode(0xe000 + index)).join('')
    const source = 'x{% generation %}{{ a }}{% endgeneration %}{{ a }}{{ "\\ue200" }}'
    const result = rendered(source, { a: forged })
    assert.deepEqual(result, { text: `x${forged}${forged}\ue200`, spans: [{ start: 1, end: 301 }] })
  })
})

describe('limits of a template', () => {
  const hostile: Readonly<Record<string, string>> = {
    'loops in loops': '{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}',
    'text that doubles':
      "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    'text that is repeated': "{{ 'x' * 99999999999 }}",
    'lists that double':
      '{% set ns = namespace(l=[1]) %}{% for i in range(99) %}{% set ns.l = ns.l + ns.l %}{% endfor %}',
    'output that grows': "{% for i in range(99999) %}{{ 'x' * 10000 }}{% endfor %}",
    'a macro that calls itself': '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}',
    'a loop that calls itself': '{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}',
    'brackets in brackets': `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`,
    'blocks in blocks': '{% if 1 %}'.repeat(50_000) + '{% endif %}'.repeat(50_000),
    'a long chain': `{{ 1${' + 1'.repeat(50_000)} }}`,
    'a chain of members': `{{ a${'[0]'.repeat(50_000)} }}`,
    'a range': '{{ range(999999999) }}',
    'wide padding': "{% for i in range(99999) %}{{ 'x'.center(99999999) }}{% endfor %}",
    'replacing everything': "{% set s = 'x' * 1000000 %}{{ s.replace('x', s) }}",
    'a list that is sorted again and again':
      '{% for i in range(99999) %}{% set x = range(99999)|sort %}{% endfor %}',
    'an inclusion of itself': '{% include "self" %}',
  }
  for (const [name, source] of Object.entries(hostile)) {
    it(`end ${name}`, () => {
      const result = renderTemplate(source, {}, { include: () => source })
      assert.ok(isTemplateProblem(result))
      assert.equal(result.kind, 'limit', result.message)
    })
  }

  // What one operation does for a value that was cheap to make. Each would go on for minutes, or forever.
  const tree = (name: string) =>
    `{% set ns.${name} = ['x'] %}{% for i in range(40) %}{% set ns.${name} = [ns.${name}, ns.${name}] %}{% endfor %}`
  const again = (work: string) => `{% for i in range(99999) %}{% set x = ${work} %}{% endfor %}`
  const list =
    '{% set ns = namespace(t=(1,)) %}{% for i in range(14) %}{% set ns.t = ns.t + ns.t %}{% endfor %}'
  const single: Readonly<Record<string, string>> = {
    'what is not a number': `{% set n = 10.0**400 - 10.0**400 %}{% set x = [] * n %}${again('range(9999)|list')}`,
    'a list in itself as text': `{% set ns = namespace() %}${tree('a')}{{ ns.a }}`,
    'a list in itself as JSON': `{% set ns = namespace() %}${tree('a')}{{ ns.a|tojson }}`,
    'lists in themselves that are equal': `{% set ns = namespace() %}${tree('a')}${tree('b')}{{ ns.a == ns.b }}`,
    'lists in themselves that are compared': `{% set ns = namespace() %}${tree('a')}${tree('b')}{{ ns.a < ns.b }}`,
    'lists in themselves that are joined': `{% set ns = namespace() %}${tree('a')}{{ ns.a|join }}`,
    'a dictionary that is copied': `{% set d = dict(range(20000)|batch(2)) %}${again('dict(d)')}`,
    'a namespace of a dictionary': `{% set d = dict(range(20000)|batch(2)) %}${again('namespace(d)')}`,
    'arguments from a dictionary': `{% macro m() %}{{ kwargs|length }}{% endmacro %}{% set d = dict(range(20000)|batch(2)) %}${again('m(**d)')}`,
    'a search in a tuple': `${list}${again('2 in ns.t')}`,
    'a test of a tuple': `${list}${again('2 is in(ns.t)')}`,
    'a tuple as a list': `${list}${again('ns.t|list')}`,
    'a count in a list': `{% set l = range(99999) %}${again('l.count(5)')}`,
    'an index in a list': `{% set l = range(99999) %}${again('l.index(99998)')}`,
    'a format of much text': `{% set s = 'a' * 100000 %}${again('s % ()')}`,
    'a text that is written often': `{% set s = 'a' * 1000000 %}{{ ('{0}' * 50).format(s)|length }}`,
    'a text in a list of the same': `{% set s = 'a' * 1000000 %}{{ ([s] * 50)|string|length }}`,
    'a long path of members': `{% set p = '.' * 100000 %}{{ range(99999)|map(attribute=p, default=1)|list|length }}`,
    'beginnings to choose from': `{% set ns = namespace(t=('a' * 100000,)) %}{% for i in range(14) %}{% set ns.t = ns.t + ns.t %}{% endfor %}{{ ('a' * 99999 ~ 'b').startswith(ns.t) }}`,
    'characters to strip': `{% set s = 'a' * 100000 %}${again("'b'.strip(s)")}`,
    'a test of case': `{% set s = 'a' * 100000 %}${again('s is upper')}`,
    'a test of equality': `{% set s = 'a' * 100000 %}{% set t = 'a' * 99999 ~ 'a' %}${again('s is eq(t)')}`,
    padding: again("'x'.rjust(10000)"),
    'rows that are filled': again('[1]|batch(10000, 0)|list|length'),
    'columns that are filled': again('[1]|slice(10000, 0)|list|length'),
    'numbers that are rounded': again('5e-324|round(323)'),
    'widths that a field gives': `{% set s = '1' * 1000000 %}${again("'{:{}}'.format(1, s)")}`,
    'a character of a long text': `{% set s = '😀' * 100000 %}${again('s[0]')}`,
  }
  for (const [name, source] of Object.entries(single)) {
    it(`end ${name}`, () => {
      const result = renderTemplate(source, {}, { budget: new TemplateBudget(1_000_000) })
      assert.ok(isTemplateProblem(result))
      assert.equal(result.kind, 'limit', result.message)
    })
  }

  it('shorten what a template fails with', () => {
    assert.equal(problemIn("{{ raise_exception('x' * 1000000) }}").message, `${'x'.repeat(1000)}…`)
  })

  it('refuse steps of a slice that are not whole numbers', () => {
    for (const step of ['0.0000000001', '10.0**400', '10.0**400 - 10.0**400', "'x'"])
      assert.match(problemIn(`{{ 'ab'[::${step}] }}`).message, /slice indices must be integers/)
  })

  it('find text in linear time, also text that repeats itself', () => {
    const texts = "{% set t = 'a' * 1000000 %}{% set s = 'a' * 250000 ~ 'b' ~ 'a' * 250000 %}"
    for (const search of [
      't.find(s)',
      't.rfind(s)',
      't.split(s)[1] is defined',
      "t.replace(s, '') != t",
      's in t',
    ])
      assert.match(textOf(`${texts}{{ ${search} }}`), /^(?:-1|False)$/, search)
    assert.equal(textOf(`${texts}{{ (t ~ s ~ t).rfind(s) }}`), '1000000')
    assert.equal(textOf("{{ ('\t' * 100000).expandtabs()|length }}"), '800000')
  })

  it('let a template have very many statements', () => {
    const source = `{% for m in messages %}{{ m }}{% endfor %}${'{% set a = 1 %}'.repeat(100_000)}`
    const prefixes = { list: 'messages', flag: 'flag', isFlagged: () => true }
    const result = renderTemplate(source, { messages: ['a', 'b', 'c'], flag: false }, { prefixes })
    assert.ok(!isTemplateProblem(result))
    assert.equal(result.prefixes?.size, 2)
  })

  it('leave no way out: what objects of JavaScript have is not there', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'prototype', 'hasOwnProperty', '__class__'])
      for (const value of ["''", '[]', '{}', '1', 'namespace()', 'range'])
        assert.equal(textOf(`{{ ${value}.${name} is defined }}`), 'False', `${value}.${name}`)
    assert.equal(
      textOf("{{ constructor }}{{ __proto__ }}{{ 'x' is test }}{{ 'constructor' is filter }}"),
      'FalseFalse',
    )
  })

  it('hold for deep data', () => {
    let deep: unknown = 'x'
    for (let index = 0; index < 100_000; index++) deep = [deep]
    const { kind } = problemIn('{{ deep }}', { deep })
    assert.equal(kind, 'limit')
  })
})
