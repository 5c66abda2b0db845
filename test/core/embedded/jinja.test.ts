/** The scanner of Jinja: the names that a template takes from outside, its parts, and what keeps it from being read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longestTags, scanJinja } from '../../../core/src/embedded/jinja.ts'
import { jinjaTags } from '../../../core/src/embedded/jinja-tokens.ts'

/** The names, each checked against the text at its range. */
function namesIn(template: string): string {
  const { names } = scanJinja(template)
  for (const { name, range } of names) assert.equal(template.slice(range.start, range.end), name)
  return names.map(({ name }) => name).join(' ')
}

const names: readonly (readonly [template: string, names: string])[] = [
  ['no tag, not even { this }', ''],
  ['{{ customer }}', 'customer'],
  ['{{customer}} {{- order.id -}} {{+ a }}{%+ if a +%}{% endif %}', 'customer order a a'],
  ['{{ a.b.c[d] }}', 'a d'],
  ['{{ name | default("you") | upper }}', 'name'],
  ['{{ items | join(sep) }}', 'items sep'],
  ['{{ f(a, key=b) }}', 'f a b'],
  ['{{ "a" ~ b if c is defined and d is not none else e }}', 'b c d e'],
  ["{{ 'it\\'s }} ' + x }}", 'x'],
  ['{{ {"a": {"b": c}} }} {{ d }}', 'c d'],
  ['{{ true and none or False }}', ''],
  [
    '{% for item in items if item.ok and all %}{{ loop.index }} {{ item }}{% endfor %}{{ item }}',
    'items all item',
  ],
  ['{% for key, value in map.items() %}{{ key }}{{ value }}{% endfor %}', 'map'],
  ['{% for x in x %}{{ x }}{% endfor %}', 'x'],
  ['{% set total = price * n %}{{ total }}', 'price n'],
  ['{% set a, b = pair %}{{ a }}{{ b }}', 'pair'],
  ['{% set text %}{{ inner }}{% endset %}{{ text }}', 'inner'],
  ['{% set ns = namespace(found=false) %}{% set ns.found = hit %}{{ ns.found }}', 'hit'],
  ['{% if a %}{% elif b == 1 %}{% else %}{{ c }}{% endif %}', 'a b c'],
  [
    '{% macro greet(who, how="warm") %}{{ who }}{{ how }}{{ other }}{% endmacro %}{{ greet(me) }}',
    'other me',
  ],
  ['{% with x = a, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}', 'a x x'],
  ['{% filter upper %}{{ a }}{% endfilter %}', 'a'],
  ['{% call(row) table(rows) %}{{ row }}{% endcall %}', 'table rows'],
  ['{# {{ nothing }} #}{{ a }}', 'a'],
  ['{% raw %}{{ not_a_name }}{% endraw %}{{ a }}', 'a'],
  ['{%- if größe -%}x{%- endif -%}', 'größe'],
  ['{{ range(3) }}{{ dict(a=b) }}', 'b'],
  ['{% include "a.md" %}{% include part %}', 'part'],
]

describe('names that a template takes from outside', () => {
  for (const [template, expected] of names) test(template, () => assert.equal(namesIn(template), expected))
})

const problems: readonly (readonly [template: string, problem: string])[] = [
  ['{{ a', 'unclosed-tag {{'],
  ['{% if a', 'unclosed-tag {%'],
  ['{# a', 'unclosed-tag {#'],
  ['{{ "a }}', 'unclosed-string {{'],
  ['{% if a %}', 'unclosed-block if'],
  ['{% for a in b %}{% if a %}{% endfor %}', 'unexpected-end endfor, unclosed-block for, unclosed-block if'],
  ['{% endif %}', 'unexpected-end endif'],
  ['{% raw %}', 'unclosed-block raw'],
  ['{% if a %}{{ "{% endif %}" }}{% endif %}', ''],
]

describe('what keeps a template from being read', () => {
  for (const [template, expected] of problems) {
    test(template, () => {
      const found = scanJinja(template).problems.map(({ kind, word }) => `${kind} ${word}`)
      assert.equal(found.join(', '), expected)
    })
  }
})

test('parts', () => {
  const template = '{% include "a.md" %}{%- include \'b/c.md\' ignore missing -%}{% include x ~ ".md" %}'
  const found = scanJinja(template).includes.map(({ path, pathRange, isOptional }) => [
    path,
    template.slice(pathRange.start, pathRange.end),
    isOptional,
  ])
  assert.deepEqual(found, [
    ['a.md', 'a.md', false],
    ['b/c.md', 'b/c.md', true],
    [undefined, 'x ~ ".md"', false],
  ])
})

test('text that is captured first is told apart', () => {
  const { tags } = scanJinja('{{ a }}{% set b %}{{ c }}{% endset %}{{ d }}')
  assert.deepEqual(
    tags.filter(({ kind }) => kind === 'output').map(({ isCaptured }) => isCaptured),
    [false, true, false],
  )
})

test('no text makes it throw, and ranges stay within', () => {
  for (const unit of [
    '{{',
    '{%',
    '{#',
    '{{ "',
    "{% set a = '",
    '{% for ',
    '{{ a[',
    '}}',
    '%}',
    '{% endif %}',
    '{% if x %}',
    '\\',
    '\ud800',
  ]) {
    for (const n of [1, 2, 3, 1000]) {
      const template = unit.repeat(n)
      const { tags, problems: found } = scanJinja(template)
      for (const { range } of [...tags, ...found]) assert.ok(0 <= range.start && range.end <= template.length)
    }
  }
})

describe('tags beyond what is read', () => {
  const many = '{{ a }}'.repeat(10 * longestTags)
  const one = `{{ a${' + a'.repeat(10 * longestTags)} }}`
  for (const [kind, template] of Object.entries({ many, one })) {
    test(`are not read: ${kind}`, () => {
      const { names, problems } = scanJinja(template)
      assert.equal(names.length, kind === 'many' ? Math.floor(longestTags / '{{ a }}'.length) : 0)
      assert.deepEqual(
        problems.map((it) => it.kind),
        ['too-long'],
      )
      const last = [...jinjaTags(template, { atMost: longestTags })].at(-1)
      assert.ok(last?.isCut && !last.isClosed && last.fault !== undefined)
    })
  }

  test('are not those after long text and long comments', () => {
    const template = `{{ a }}${'x'.repeat(2 * longestTags)}{# ${'y'.repeat(2 * longestTags)} #}{{ b }}`
    assert.deepEqual([namesIn(template), scanJinja(template).problems], ['a b', []])
  })
})
