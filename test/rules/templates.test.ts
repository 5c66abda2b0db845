/** Transcripts that a template language is yet to fill in: placeholders cause no problems, everything else does. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Transcript } from '../../core/src/document/transcript.ts'
import { templatesAt, templatesIn, withoutTemplates } from '../../core/src/embedded/template.ts'
import { Checker } from '../../core/src/rules/checker.ts'
import { analyze } from '../../core/src/semantics/analysis.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { shown } from './check-rules.ts'

const template = `version: {{ version }}
model: "{{ model }}"
{% if tools -%}
builtin_tools: {{ tools | tojson }}
{%- endif %}
{# a comment #}
profiles:
  harmony:
    enabled: true
<|start|>system<|message|>You are {{ name }}.<|end|>
{% for message in messages %}
<|start|>{{ message.role }}<|message|>{{ message.content }}<|end|>
{% endfor %}
<|start|>assistant to={{ tool }} call_id={{ id }}<|channel|>commentary<|constrain|>json<|message|>{{ arguments }}<|call|>
<|start|>tool name={{ tool }} call_id={{ id }}<|channel|>commentary<|message|>{{ result }}<|end|>
<|start|>assistant to=functions.{{name}} call_id=c2<|channel|>commentary<|constrain|>json<|message|>{"a": {{ value }}, "b": [{% for x in y %}{{ x }}{% endfor %}]}<|call|>
<|start|>tool name=functions.{{name}} call_id=c2<|channel|>commentary<|message|>1<|end|>
<|start|>assistant<|channel|>{{ channel }}<|message|>{{{ raw }}}<|return|>
`

function rulesIn(text: string, templates: boolean): readonly string[] {
  const checker = new Checker(analyze(Transcript.parse(text)), { templates })
  checker.advance()
  return checker.problems().problems.map(({ rule }) => rule)
}

describe('placeholders', () => {
  it('cause no problem in headers, in message headers, and in JSON bodies', () => {
    assert.deepEqual(shown(template), [])
  })

  it('are text like any other where templates are turned off', () => {
    const found = rulesIn(template, false)
    for (const rule of [
      'invalid-header',
      'unknown-channel',
      'unknown-role',
      'constraint-violation',
      'stray-text',
    ]) {
      assert.ok(found.includes(rule), rule)
    }
  })

  it('leave the rest of the header in force', () => {
    const { settings } = analyze(Transcript.parse(template))
    assert.equal(settings.isHarmony, true)
  })

  it('hide no other problem', () => {
    const message = '<|start|>asistant<|channel|>finl<|message|>{{ text }}<|end|>\n'
    assert.deepEqual(shown(`version: 2.2\n${message}`), [
      'error unknown-role «asistant»',
      'error unknown-channel «finl»',
    ])
    assert.deepEqual(
      shown('version: 2.2\nmodel: {{ m }}\na: [\n<|start|>user<|message|>a<|end|>\n').length,
      1,
    )
    assert.deepEqual(
      shown('version: 2.2\n{{ a }}\n<|start|>user<|message|>a<|end|>\nHello {{ b }} there\n').length,
      1,
    )
    const call = (body: string) =>
      `version: 2.0\n<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>${body}<|call|>\n`
    assert.equal(rulesIn(call('{{"a": 1}}'), true)[0], 'constraint-violation')
    assert.equal(rulesIn(call('{"a": {"b": {}}'), true)[0], 'constraint-violation')
    assert.deepEqual(rulesIn(call('{"a": {"b": {}}}'), true), [])
  })

  it('may stand for the whole header', () => {
    assert.deepEqual(shown('{{ header }}\n<|start|>user<|channel|>final<|message|>a<|end|>\n'), [])
  })
})

describe('the reasoning effort of a prompt', () => {
  const effortIn = (body: string) =>
    shown(
      `version: 2.2\ninputs: { a: }\ngeneration_settings: { reasoning_effort: high }\n<|start|>system<|message|>${body} {{ a }}<|end|>\n`,
    ).filter((it) => it.includes('contradicting-effort'))

  it('is judged where every case has it', () => {
    assert.deepEqual(effortIn('Reasoning: low'), ['warning contradicting-effort «low»'])
    assert.deepEqual(effortIn('{% if a %}A{% endif %}\nReasoning: low'), [
      'warning contradicting-effort «low»',
    ])
    assert.deepEqual(effortIn('{# Reasoning: low #}\n{{ "\nReasoning: low" }}\nReasoning: medium'), [
      'warning contradicting-effort «medium»',
    ])
    assert.deepEqual(effortIn('Reasoning: high'), [])
  })

  it('is not judged where it is written in some cases, or where a tag may continue it', () => {
    assert.deepEqual(effortIn('{% if a %}\nReasoning: low\n{% else %}\nReasoning: high\n{% endif %}'), [])
    assert.deepEqual(effortIn('{% if a %}{% if b %}\nReasoning: low\n{% endif %}'), [])
    assert.deepEqual(effortIn('Reasoning: low{{ a }}'), [])
    assert.deepEqual(effortIn('Reasoning: {{ a }}'), [])
  })
})

describe('templates in a text', () => {
  it('are found in the syntax of Jinja, Mustache and Handlebars', () => {
    const text =
      'a {{ b }} {{{c}}} {%- if d -%} {# e #} {{#each f}} {{/each}} {{ g | tojson }} {{^h}} {{!i}} {{> j}}'
    assert.deepEqual(
      templatesIn(text).map(({ from, to }) => text.slice(from, to)),
      text.split(/ (?=\{)/).slice(1),
    )
  })

  it('are not JSON, and not braces', () => {
    for (const text of ['{"a":{"b":{}}}', '{{"a": 1}}', '{{}}', '{ {a} }', '{{a}', '{{a\n}}', '{{ 1 }}']) {
      assert.deepEqual(templatesIn(text), [], text)
    }
  })

  it('are found around a place as in the whole text', () => {
    const pieces = ['{{ a }}', '{{{b}}}', '{% c %}', '{# d #}', '{', '}', '{{', '\n', 'x'.repeat(150), ' ']
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((it) => it.join(''))
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(20), (text, at, length) => {
        const from = text === '' ? 0 : at % text.length
        const span = { from, to: Math.min(text.length, from + length) }
        const touching = templatesIn(text).filter(
          (it) => it.from < Math.max(span.to, from + 1) && from < it.to,
        )
        assert.deepEqual(templatesAt(text, span), touching)
      }),
      { numRuns: 20 * propertyRuns },
    )
  })

  it('are replaced in the same length', () => {
    const text = 'version: {{ v }}\n  {% if a %}\n{{ b }}\r\nc: "{{ d }}"'
    const filled = withoutTemplates(text, templatesIn(text))
    assert.equal(filled, 'version: xxxxxxx\n            \n       \r\nc: "xxxxxxx"')
  })
})
