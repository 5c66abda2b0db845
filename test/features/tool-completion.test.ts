/** Completion of tools and their arguments. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { hover } from '../../core/src/internal.ts'
import { accept, completionsAt, labelsAt } from '../helpers/check-completion.ts'
import { call, declaration, header, opened } from '../helpers/tool-transcript.ts'

suite('Completion of arguments', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['$0', '{ … }'],
    ['{$0}', 'location, format, days, windy, options, deadline_ms'],
    ['{"$0"}', 'location, format, days, windy, options, deadline_ms'],
    ['{"lo$0', 'location, format, days, windy, options, deadline_ms'],
    ['{"location":"Oslo",$0}', 'format, days, windy, options, deadline_ms'],
    ['{"format":$0}', '"celsius", "fahrenheit"'],
    ['{"format":"$0"}', '"celsius", "fahrenheit"'],
    ['{"format":"cel$0', '"celsius", "fahrenheit"'],
    ['{"windy":$0}', 'true, false'],
    ['{"options":{$0}}', 'depth, tags'],
    ['{"options":$0}', '{ … }'],
    ['{"location":"Oslo $0"}', ''],
    ['{"unknown":$0}', ''],
  ]
  for (const [body, labels] of rows) test(body, () => assert.equal(labelsAt(call(body)), labels))

  const accepted: readonly (readonly [string, string, string])[] = [
    ['{$0}', 'location', '{"location":"${1}"}'],
    ['{"loc$0"}', 'location', '{"location":"${1}"}'],
    ['{"loc$0', 'location', '{"location":"${1}"'],
    ['{"loc$0": "Oslo"}', 'location', '{"location": "Oslo"}'],
    ['{"days": 1, $0}', 'format', '{"days": 1, "format": ${1|"celsius","fahrenheit"|}}'],
    ['{"days":1,"dead$0"}', 'deadline_ms', '{"days":1,"deadline_ms":${1:30000}}'],
    ['{$0"days":1}', 'windy', '{"windy":${1:false},"days":1}'],
    ['{"format":"$0"}', '"fahrenheit"', '{"format":"fahrenheit"}'],
    ['{"format":fah$0}', '"fahrenheit"', '{"format":"fahrenheit"}'],
    ['$0', '{ … }', '{"location":"${1}"$0\\}'],
  ]
  for (const [body, label, expected] of accepted) {
    test(`${body} + ${label}`, () => {
      const result = accept(call(body), label)
      assert.equal(
        result.slice(result.indexOf(header) + header.length, result.lastIndexOf('<|call|>')),
        expected,
      )
    })
  }

  test('the comment and type of an argument come along', () => {
    const found = completionsAt(call('{$0}')).find(({ label }) => label === 'location')
    assert.equal(found?.detail, 'string')
    assert.match(found?.documentation ?? '', /The city, e\\\.g\\\. Oslo/)
  })

  test('built-in tools are known without declaration', () => {
    const text =
      'version: 2.2\n<|start|>assistant to=browser.search call_id=c1<|channel|>analysis<|message|>{$0}<|call|>\n'
    assert.equal(labelsAt(text), 'query, topn, source, deadline_ms')
  })

  test('recipients come with their signature', () => {
    const found = completionsAt(`version: 2.2\n${declaration}<|start|>assistant to=$0`)
    const tool = found.find(({ label }) => label === 'functions.get_weather')
    assert.match(
      tool?.documentation ?? '',
      /get_weather\(location: string, format\?: "celsius" \| "fahrenheit"/,
    )
  })

  test('of variants, those that agree with what is written', () => {
    const schema = {
      type: 'object',
      properties: {
        shape: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'circle' }, r: { type: 'number' } },
              required: ['kind', 'r'],
            },
            {
              type: 'object',
              title: 'A box',
              properties: { kind: { const: 'box' }, w: { $ref: '#/$defs/w' } },
              required: ['kind'],
            },
          ],
        },
        mode: { oneOf: [{ const: 'x', description: 'Mode X' }, { const: 'y' }] },
        tags: { type: 'array', items: { enum: ['a', 'b'] } },
        sizes: { type: 'object', additionalProperties: { enum: [1, 2] } },
      },
      $defs: { w: { type: 'number', default: 3, description: 'The width' } },
    }
    const inCall = (body: string) =>
      `version: 2.2\n<|start|>developer<|message|>${JSON.stringify({ type: 'function', function: { name: 'f', parameters: schema } })}<|end|>\n<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>${body}<|call|>\n`
    const variants: readonly (readonly [string, string])[] = [
      ['{"shape":$0}', '{ kind: "circle", … }, { A box }'],
      ['{"shape":{$0}}', 'kind, r, w'],
      ['{"shape":{"kind":"box",$0}}', 'w'],
      ['{"shape":{"kind":"bo$0"}}', '"circle", "box"'],
      ['{"shape":{"kind":"box","w":$0}}', '3'],
      ['{"mode":$0}', '"x", "y"'],
      ['{"tags":$0}', '[ … ]'],
      ['{"tags":["a",$0]}', '"a", "b"'],
      ['{"sizes":{"k":$0}}', '1, 2'],
    ]
    for (const [body, labels] of variants) assert.equal(labelsAt(inCall(body)), labels, body)
    for (const body of ['{}$0', '{}\n $0', '{"shape":{}$0}', '{"shape":{} $0}'])
      assert.equal(labelsAt(inCall(body)), '', body)
    assert.match(accept(inCall('{"shape":$0}'), '{ A box }'), /"shape":\{"kind":"\$\{1:box\}"\$0\\\}/)
    const shown = (marked: string) => {
      const { analysis, offset } = opened(inCall(marked))
      return hover(analysis, offset)?.markdown ?? ''
    }
    assert.match(shown('{"mode":"$0x"}'), /Mode X$/)
    assert.match(shown('{"tags":["$0a"]}'), /tags\?: \("a" \| "b"\)\[\]/)
    assert.match(shown('{"shape":{"kind":"box","w$0":1}}'), /The width/)
  })

  test('answers in a format that is asked for', () => {
    const asked = (body: string) =>
      `version: 2.2\n<|start|>developer<|message|># Response Formats\n\n## list\n\n{"type":"object","properties":{"items":{"type":"array","description":"What to buy","items":{"enum":["coffee","tea"]}}},"required":["items"]}<|end|>\n<|start|>assistant<|channel|>final<|constrain|>json<|message|>${body}<|return|>\n`
    assert.equal(labelsAt(asked('$0')), '{ … }')
    assert.equal(labelsAt(asked('{$0}')), 'items')
    assert.equal(labelsAt(asked('{"items":[$0]}')), '"coffee", "tea"')
    assert.equal(labelsAt(asked('Sure $0')), '')
    const { analysis, offset } = opened(asked('{"it$0ems":[]}'))
    assert.match(hover(analysis, offset)?.markdown ?? '', /What to buy/)
  })

  test('the envelope of a reply', () => {
    const reply = (body: string) =>
      `version: 2.2\n<|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>${body}<|end|>\n`
    assert.equal(labelsAt(reply('{$0}')), 'ok, content, error, provenance')
    assert.equal(labelsAt(reply('{"o$0"}')), 'ok, content, error, provenance')
    assert.equal(labelsAt(reply('{"ok":true,$0}')), 'content, error, provenance')
    assert.equal(labelsAt(reply('{"ok":true,"provenance":{$0}}')), 'source, timestamp')
    const { analysis, offset } = opened(reply('{"ok":false,"er$0ror":"gone"}'))
    assert.match(hover(analysis, offset)?.markdown ?? '', /Why the call failed/)
    // What a tool gives back in its own form is its own matter.
    assert.equal(labelsAt(reply('{"city":"Oslo",$0}')), '')
    assert.equal(labelsAt(reply('[{$0}]')), '')
    assert.equal(labelsAt(reply('$0')), '')
  })

  test('also in 0.1', () => {
    const text =
      '<|im_start|>system\n<|function_list|>\n{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}\n<|im_end|>\n<|im_start|>assistant\n<|function_call|>\n{"name":"f","arguments":{$0}}\n<|im_end|>\n'
    assert.equal(labelsAt(text), 'city, deadline_ms')
  })
})
