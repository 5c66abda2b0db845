/** What a template would write for fewer messages: found in one rendering, and equal to a rendering of its own. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isTemplateProblem, renderTemplate } from '../../core/src/templates/render-template.ts'

const roles = ['system', 'user', 'assistant', 'tool', 'assistant', 'user', 'assistant']
const messages = roles.map((role, index) => ({ role, content: `${role} ${index}` }))
const request = { list: 'messages', flag: 'add_generation_prompt', isFlagged: () => true }

function rendered(source: string, count: number, isPrompt: boolean): string | undefined {
  const context = { messages: messages.slice(0, count), add_generation_prompt: isPrompt }
  const result = renderTemplate(source, context)
  return isTemplateProblem(result) ? undefined : result.text
}

/** The numbers of messages for which both renderings were found, after all that were found have been compared. */
function found(source: string): { plain: readonly number[]; flagged: readonly number[] } {
  const whole = renderTemplate(
    source,
    { messages, add_generation_prompt: false },
    { prefixes: request, isTraced: true },
  )
  assert.ok(!isTemplateProblem(whole), JSON.stringify(whole))
  assert.equal(whole.text, rendered(source, messages.length, false), 'the whole rendering is the same')
  const plain: number[] = []
  const flagged: number[] = []
  for (const [count, pair] of whole.prefixes ?? [])
    for (const [part, isPrompt] of [
      [pair.plain, false],
      [pair.flagged, true],
    ] as const) {
      if (!part) continue
      const text: string = whole.text.slice(0, part.shared) + part.rest
      assert.equal(text, rendered(source, count, isPrompt), `${count} messages, ${isPrompt}`)
      ;(isPrompt ? flagged : plain).push(count)
    }
  return { plain, flagged }
}

const line = '{{ m.role }}: {{ m.content }}\n'
const prompt = '{% if add_generation_prompt %}assistant:{% endif %}'
const all = [1, 2, 3, 4, 5, 6]

describe('renderings with fewer messages', () => {
  const plainCases: Readonly<Record<string, string>> = {
    'a loop': `{% for m in messages %}${line}{% endfor %}${prompt}`,
    'a header of the first message': `{% if messages[0].role == 'system' %}S{% endif %}{% for m in messages %}{% if not loop.first %}${line}{% endif %}{% endfor %}${prompt}`,
    'the message before': `{% for m in messages %}{% if loop.index0 > 0 and messages[loop.index0 - 1].role == 'tool' %}after a tool {% endif %}${line}{% endfor %}${prompt}`,
    'a list by another name': `{% set list = messages %}{% for m in list %}${line}{% endfor %}{{ list | length }}${prompt}`,
    'a namespace that what follows changes': `{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}${line}{% endfor %}{% set ns.n = ns.n * 10 %}{% set ns.new = 1 %}{{ ns.n }}${prompt}`,
    'a name that what follows changes': `{% set end = 1 %}{% macro m2() %}{{ end }}{{ messages | length }}{{ add_generation_prompt }}{% endmacro %}{% for m in messages %}${line}{% endfor %}{% set end = end + 1 %}{{ m2() }}`,
    'a second loop': `{% for m in messages %}${line}{% endfor %}{% for m in messages %}{{ loop.index }}/{{ loop.length }}{% endfor %}`,
    'a loop over all before': `{% for m in messages %}{% if m.role == 'x' %}1{% endif %}{% endfor %}{% for m in messages %}${line}{% endfor %}`,
    'whether names are defined': `{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}{% if messages is defined and messages %}{% for m in messages %}${line}{% endfor %}{% endif %}`,
    'what is made of a stream at once': `{% set n = [1, 2] | map('string') | join %}{% for m in messages %}{{ n }}${line}{% endfor %}${prompt}`,
    generation: `{% for m in messages %}{% generation %}${line}{% endgeneration %}{% endfor %}{% generation %}end{% endgeneration %}${prompt}`,
  }
  for (const [name, source] of Object.entries(plainCases))
    it(`are found: ${name}`, () => {
      const isInside = name === 'whether names are defined' // the loop is in a block
      assert.deepEqual(found(source), { plain: isInside ? [] : all, flagged: isInside ? [] : all })
    })

  it('are found for a list without its first messages', () => {
    const source = `{% if messages[0].role == 'system' %}{% set messages = messages[1:] %}{% endif %}{% for m in messages %}${line}{% endfor %}{{ messages | length }}${prompt}`
    assert.deepEqual(found(source), { plain: [2, 3, 4, 5, 6], flagged: [2, 3, 4, 5, 6] })
  })

  it('are found where later messages did not matter', () => {
    const source = `{% for m in messages %}${line}{% if m.role == 'tool' and (loop.last or messages[loop.index0 + 1].role != 'tool') %}.{% endif %}{% endfor %}${prompt}`
    assert.deepEqual(found(source), { plain: [1, 2, 3, 5, 6], flagged: [1, 2, 3, 5, 6] })
  })

  it('are found without the flag, where that was looked at', () => {
    const source = `{% for m in messages %}${line}{% if add_generation_prompt %}!{% endif %}{% endfor %}`
    assert.deepEqual(found(source), { plain: all, flagged: [] })
    const set = `{% set add_generation_prompt = 0 %}{% for m in messages %}${line}{% endfor %}{{ add_generation_prompt }}`
    assert.deepEqual(found(set), { plain: all, flagged: [] })
  })

  const otherCases: Readonly<Record<string, string>> = {
    'how many there are': `{{ messages | length }}{% for m in messages %}${line}{% endfor %}`,
    'the last one': `{{ messages[-1].role }}{% for m in messages %}${line}{% endfor %}`,
    'all in reverse order': `{% for m in messages[::-1] %}{{ m.role }}{% endfor %}{% for m in messages %}${line}{% endfor %}`,
    'the loop itself': `{% for m in messages %}${line}{{ loop.last }}{% endfor %}`,
    'how many are left': `{% for m in messages %}${line}{{ loop.revindex }}{% endfor %}`,
    'the next one': `{% for m in messages %}${line}{{ loop.nextitem is defined }}{% endfor %}`,
    'some of them': `{% for m in messages if m.role != 'tool' %}${line}{{ loop.index }}{% endfor %}`,
    'all in a list': `{% set x = [messages] %}{% for m in messages %}${line}{% endfor %}{{ x[0] | length }}`,
    'all in a namespace': `{% set ns = namespace(x=messages) %}{% for m in messages %}${line}{% endfor %}{{ ns.x | length }}`,
    'all in a macro': `{% macro n() %}{{ messages | length }}{% endmacro %}{% for m in messages %}${line}{{ n() }}{% endfor %}`,
    'a joiner': `{% set sep = joiner('|') %}{% for m in messages %}{{ sep() }}${line}{% endfor %}{{ sep() }}end`,
    'a cycler': `{% set c = cycler(1, 2, 3) %}{% for m in messages %}${line}{% endfor %}{{ c.next() }}`,
    'a stream that is kept': `{% set s = [1, 2] | map('string') %}{% for m in messages %}${line}{% endfor %}{{ s | join }}`,
    'a stream in a list': `{% set s = [[1, 2] | map('string')] %}{% for m in messages %}${line}{% endfor %}{{ s[0] | join }}`,
    'a stream in a namespace': `{% set s = namespace(x=([1, 2] | map('string'))) %}{% for m in messages %}${line}{% endfor %}{{ s.x | join }}`,
    'streams in a stream': `{% set s = [[1, 2]] | map('map', 'string') | list %}{% for m in messages %}${line}{% endfor %}{{ s[0] | join }}`,
    'a loop that is left': `{% for m in messages %}{% if loop.index > 1 %}{% break %}{% endif %}${line}{% endfor %}`,
  }
  for (const [name, source] of Object.entries(otherCases))
    it(`are right or not found: ${name}`, () => {
      const { plain } = found(source)
      assert.ok(plain.length < 6, `found for ${plain}`)
    })

  it('are not found where what follows keeps the loop', () => {
    const source = `{% set ns = namespace(l=0) %}{% for m in messages %}{% set ns.l = loop %}${line}{% endfor %}{{ ns.l.last }}`
    assert.deepEqual(found(source).plain, [])
  })

  it('are not found where they fail', () => {
    const source = `{% for m in messages %}${line}{% endfor %}{% if messages | length % 2 == 0 %}{{ raise_exception('even') }}{% endif %}`
    assert.deepEqual(found(source).plain, [1, 3, 5])
  })
})
