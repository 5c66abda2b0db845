/** Which parts of a chat template wrote a place of its rendering. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTemplateProblem, renderTemplate, templateSourcesAt } from '../../core/src/internal.ts'

/** The parts of `source` that wrote the place of `words` in its rendering, the outermost first. */
function partsAt(source: string, words: string, context: Record<string, unknown> = {}): readonly string[] {
  const rendering = renderTemplate(source, context, { isTraced: true })
  assert.ok(!isTemplateProblem(rendering), JSON.stringify(rendering))
  assert.equal(rendering.text, withoutTrace(source, context))
  const at = rendering.text.indexOf(words)
  assert.ok(at !== -1, rendering.text)
  assert.ok(rendering.written)
  return templateSourcesAt(rendering.written, at).map(({ start, end }) => source.slice(start, end))
}

function withoutTrace(source: string, context: Record<string, unknown>): string {
  const rendering = renderTemplate(source, context)
  return isTemplateProblem(rendering) ? '' : rendering.text
}

const messages = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
]

describe('what a template wrote', () => {
  it('is traced to the tag of an expression, and to the line of a text', () => {
    const source = '{% for m in messages %}<{{ m.role }}>\nsays\n{{ m.content }}\n{% endfor %}'
    assert.deepEqual(partsAt(source, 'Hello', { messages }), ['{{ m.content }}'])
    assert.deepEqual(partsAt(source, 'assistant', { messages }), ['{{ m.role }}'])
    const [text = ''] = partsAt(source, 'ays', { messages })
    assert.equal(text, 'ays\n') // the rest of the text, from the place that was asked for
  })

  it('is traced through macros, captured blocks, and calls', () => {
    const macro =
      '{% macro line(m) %}[{{ m.content }}]{% endmacro %}{% for m in messages %}{{ line(m) }}{% endfor %}'
    assert.deepEqual(partsAt(macro, 'Hello', { messages }), ['{{ line(m) }}', '{{ m.content }}'])
    const captured = '{% set body %}<{{ messages[1].content }}>{% endset %}\n{{ body }}'
    assert.deepEqual(partsAt(captured, 'Hello', { messages }), ['{{ body }}', '{{ messages[1].content }}'])
    const filtered = '{% filter upper %}{{ messages[0].content }}{% endfilter %}'
    assert.deepEqual(partsAt(filtered, 'HI', { messages }), ['{% filter upper %}'])
  })

  it('is traced where generation is marked', () => {
    const source =
      '{% macro say(m) %}{% generation %}{{ m.content }}</s>{% endgeneration %}{% endmacro %}{% for m in messages %}<{{ m.role }}>{{ say(m) }}{% endfor %}'
    assert.deepEqual(partsAt(source, 'Hello', { messages }), ['{{ say(m) }}', '{{ m.content }}'])
    assert.deepEqual(partsAt(source, 'assistant', { messages }), ['{{ m.role }}'])
  })

  it('is not traced unless that is asked for, and has an end', () => {
    const rendering = renderTemplate('{{ 1 }}', {})
    assert.ok(!isTemplateProblem(rendering))
    assert.equal(rendering.written, undefined)
    const traced = renderTemplate('', {}, { isTraced: true })
    assert.ok(!isTemplateProblem(traced) && traced.written)
    assert.deepEqual(templateSourcesAt(traced.written, 0), [])
    const many = renderTemplate('{% for _ in range(90000) %}a{{ 1 }}{% endfor %}', {}, { isTraced: true })
    assert.ok(!isTemplateProblem(many))
    assert.equal(many.written, undefined)
  })
})
