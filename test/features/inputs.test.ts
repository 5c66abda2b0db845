/** Inputs of a prompt in the editor: completion, hover, definitions, references, renaming, highlights. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  analyze,
  applyEdits,
  definition,
  documentHighlights,
  hover,
  references,
  refusalByParts,
  rename,
  renameRange,
  Transcript,
} from '../../core/src/internal.ts'
import { accept, labelsAt } from '../helpers/check-completion.ts'
import { withCursor } from '../helpers/marked-text.ts'

const header = `version: 2.2
inputs:
  customer: { type: string, description: "Who *asks*" }
  tone:
    values: [formal, friendly]
    default: friendly
cases:
  refund: { customer: Ada, tone: formal }
`
const prompt = (body: string) => `${header}<|start|>developer<|message|>${body}<|end|>\n`

function opened(marked: string) {
  const { text, offset } = withCursor(marked)
  return { text, offset, analysis: analyze(Transcript.parse(text)) }
}

suite('Completion', () => {
  test('inputs where a name may be', () => {
    for (const body of [
      '{{ $0',
      '{{ cus$0 }}',
      '{% if $0 %}',
      '{{ tone | default($0) }}',
      'a <<|end|> {{$0}}',
      '{{ "}}" ~ $0 }}',
      '{%- if not $0 -%}',
      '{% raw %}{{ x }}{% endraw %}{{ $0 }}',
    ]) {
      assert.equal(labelsAt(prompt(body)), 'customer, tone', body)
    }
  })

  test('a name is replaced whole', () => {
    for (const body of ['{{ to$0ne }}', '{{ tone$0 }}', '{{ $0tone }}', '{{ to$0n.x }}'])
      assert.equal(
        accept(prompt(body), 'tone'),
        prompt(body.includes('.x') ? '{{ tone.x }}' : '{{ tone }}'),
        body,
      )
  })

  test('no names that a template cannot have', () => {
    const named = prompt('{{ $0 }}').replace('  tone:', '  user-name: {}\n  tone:')
    assert.equal(labelsAt(named), 'customer, tone')
  })

  test('the values of an input that is compared', () => {
    const values = '"formal", "friendly", customer, tone'
    for (const [body, expected] of [
      ['{% if tone == $0 %}', values],
      ['{% if not tone != fo$0 %}', values],
      ['{% elif customer and tone in [$0] %}', values],
      ['{{ 1 if tone not in ("formal", $0) }}', values],
      ['{% if tone == "$0 %}', 'formal, friendly'],
      ["{% if tone == 'fo$0' %}", 'formal, friendly'],
      ['{% if tone in ["formal", "$0"] %}', 'formal, friendly'],
      ['{% if tone | lower == "$0" %}', ''],
      ['{% if x.tone == "$0" %}', ''],
      ['{% if customer == "$0" %}', ''],
      ['{% if tone == "a" and $0 %}', 'customer, tone'],
      ['{% set tone = 1 %}{% if tone == $0 %}', 'tone, customer'],
    ] as const)
      assert.equal(labelsAt(prompt(body)), expected, body)
    const friendly = prompt('{% if tone == "friendly" %}')
    assert.equal(accept(prompt('{% if tone == "fr$0" %}'), 'friendly'), friendly)
    assert.equal(accept(prompt('{% if tone == "fr$0 %}'), 'friendly'), friendly)
    assert.equal(accept(prompt('{% if tone == fr$0 %}'), '"friendly"'), friendly)
    assert.equal(accept(prompt('{% if tone == "fr$0iend" %}'), 'friendly'), friendly)
    assert.equal(
      accept(prompt('{% if tone == "$0formal" or x == "y" %}'), 'friendly'),
      prompt('{% if tone == "friendly" or x == "y" %}'),
    )
    assert.equal(
      accept(prompt('{% if tone == "$0 or x == "y" %}'), 'friendly'),
      prompt('{% if tone == "friendly" or x == "y" %}'),
    )
  })

  test('nothing elsewhere', () => {
    for (const body of [
      '$0',
      '{{ tone }} $0',
      '{{ tone | $0 }}',
      '{{ tone.$0 }}',
      '{% $0 %}',
      '{{ "$0" }}',
      '{{ 1$0 }}',
      '{{ tone is $0 }}',
      '{# {{ $0 #}',
      '{% raw %}{{ $0 }}{% endraw %}',
      '{% for $0 in customer %}',
      '{% set $0 = 1 %}',
      '{% macro $0() %}',
      '{% include $0 %}',
      '{% endif $0 %}',
    ]) {
      assert.equal(labelsAt(prompt(body)), '', body)
    }
    assert.equal(labelsAt('version: 2.2\n<|start|>user<|message|>{{ $0 }}<|end|>'), '')
  })

  test('names that the template itself gave a value, where they have it', () => {
    const inLoop = '{% set n = 1 %}{% for tone in customer %}{{ $0 }}{% endfor %}'
    assert.equal(labelsAt(prompt(inLoop)), 'n, loop, tone, customer')
    assert.equal(labelsAt(prompt(`${inLoop.replace('$0', 'n')}{{ $0 }}`)), 'n, customer, tone')
  })

  test('keys of an input in the header', () => {
    const text = header.replace('    values:', '    $0\n    values:')
    assert.equal(labelsAt(`${text}<|start|>user<|message|>Hi<|end|>`), 'type, description, required')
  })
})

test('inputs and their values are proposed in the cases of the header', () => {
  const text = (line: string) => `${header}${line}\n<|start|>user<|message|>{{ customer }}{{ tone }}<|end|>`
  assert.equal(labelsAt(text('  two:\n    $0')), 'customer, tone')
  assert.equal(labelsAt(text('  two:\n    tone: $0')), 'formal, friendly')
})

suite('Hover', () => {
  const shown = (marked: string) => {
    const { analysis, text, offset } = opened(marked)
    const found = hover(analysis, offset)
    return found && `«${text.slice(found.range.start, found.range.end)}» ${found.markdown}`
  }

  test('an input shows what it is; text of the document does nothing', () => {
    assert.equal(shown(prompt('{{ cust$0omer }}')), '«customer» **customer**: string\n\nWho \\*asks\\*')
    assert.equal(
      shown(prompt('{{ to$0ne }}')),
      '«tone» **tone**: any value, optional\n\nValues: formal, friendly\n\nDefault: friendly',
    )
  })

  test('an unknown name shows nothing', () => assert.equal(shown(prompt('{{ cust$0mer }}')), undefined))
})

const uses = '<<|end|> {{ customer }}{% for tone in tones %}{{ tone }}{% endfor %}{{ tone | upper }}'

test('definition', () => {
  const { analysis, text, offset } = opened(prompt(uses.replace('{{ customer', '{{ cust$0omer')))
  const found = definition(analysis, offset)
  assert.ok(found)
  assert.equal(text.slice(found.selection.start, found.selection.end), 'customer')
  assert.ok(found.selection.start < text.indexOf('cases:'))
})

test('references, highlights and renaming leave out names of the template itself', () => {
  const marked = prompt(uses.replace('tone | upper', 'to$0ne | upper'))
  const { analysis, text, offset } = opened(marked)
  const lines = references(analysis, offset, { includeDeclaration: true }).map(
    ({ start, end }) => `${text.slice(start, end)}${text.slice(end, end + 3)}`,
  )
  assert.deepEqual(lines, ['tone:\n ', 'tone: f', 'tone | '])
  assert.equal(references(analysis, offset, { includeDeclaration: false }).length, 2)
  assert.equal(documentHighlights(analysis, offset).length, 3)
  const range = renameRange(analysis, offset)
  assert.equal(range && text.slice(range.start, range.end), 'tone')
  const renaming = rename(analysis, offset, 'voice')
  assert.ok(renaming.kind === 'edits')
  assert.equal(
    applyEdits(text, renaming.edits),
    text
      .replace('  tone:\n', '  voice:\n')
      .replace('tone: formal', 'voice: formal')
      .replace('{{ tone | upper', '{{ voice | upper'),
  )
})

test('renaming is refused where two names would become one', () => {
  const { analysis, offset } = opened(prompt('{{ to$0ne }}{{ other }}'))
  for (const name of ['customer', 'other', 'two words', '1a', '', 'true', 'not', 'range']) {
    assert.equal(rename(analysis, offset, name).kind, 'refused', name)
  }
})

test('renaming is refused where a variable of a template would take the place of the input', () => {
  const { analysis, offset } = opened(
    prompt('{% for voice in customer %}{{ to$0ne }}{{ voice }}{% endfor %}'),
  )
  assert.equal(rename(analysis, offset, 'voice').kind, 'refused')
})

test('renaming is refused where names follow a tag that is not closed', () => {
  const { analysis, offset } = opened(prompt('{{ to$0ne }}{% if customer {{ tone }}'))
  const renaming = rename(analysis, offset, 'voice')
  assert.ok(renaming.kind === 'refused' && renaming.reason.includes('`tone`'))
})

test('renaming is refused where a part has a tag that is not closed', () => {
  const { analysis } = opened(prompt('{{ to$0ne }}'))
  const names = { name: 'tone', renamed: 'voice' }
  const refusal = (text: string) => refusalByParts(analysis, [{ kind: 'part', uri: '', text }], names)
  assert.equal(refusal('{{ tone }}'), undefined)
  assert.ok(refusal('{% if customer {{ tone }}')?.includes('`tone`'))
})

test('edits keep the places current', () => {
  const { analysis, text } = opened(prompt('$0{{ customer }}'))
  analysis.edit([{ start: text.indexOf('{{'), end: text.indexOf('{{'), text: 'Dear {{ tone }} ' }])
  assert.deepEqual(analysis.unusedInputs, [])
  const start = analysis.transcript.text().indexOf('Dear')
  analysis.edit([{ start, end: start + 'Dear {{ tone }} '.length, text: '' }])
  assert.deepEqual(analysis.unusedInputs, ['tone'])
})
