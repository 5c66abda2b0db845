/** Calls against the definitions of their tools: what is reported, where, and how it is mended. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Problem } from '../../core/src/rules/problem.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { fixed, problemsIn } from './check-rules.ts'

const definitions = `# Tools

## functions

namespace functions {

// Gets the weather.
type get_weather = (_: {
// The city
location: string,
format?: "celsius" | "fahrenheit", // default: celsius
days?: number,
tags?: string[],
options?: {
    wind: boolean,
    depth?: number,
    },
}) => any;

type get_time = () => any;

type anything = (_: any) => any;

} // namespace functions`

/** A call of `tool` with `body`, behind the definitions. */
function transcript(tool: string, body: string, header = '<|channel|>commentary<|constrain|>json'): string {
  return `version: 2.2\n<|start|>developer<|message|>${definitions}<|end|>\n<|start|>assistant to=${tool} call_id=c1${header}<|message|>${body}<|call|>\n`
}

/** The problems of a call, each as `severity rule «marked» message`. */
function problemsOf(text: string): readonly string[] {
  return problemsIn(text)
    .filter(({ code }) => code === 'E-CALL-SCHEMA')
    .map(
      ({ severity, rule, range, message }) =>
        `${severity} ${rule} «${text.slice(range.start, range.end)}» ${message}`,
    )
}

/** Values of every type of JSON, by the arguments that the tool has. */
const anyArguments = fc.record(
  {
    location: fc.jsonValue({ maxDepth: 2 }),
    format: fc.jsonValue({ maxDepth: 2 }),
    days: fc.jsonValue({ maxDepth: 2 }),
    tags: fc.jsonValue({ maxDepth: 2 }),
    options: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: [] },
)

/** The call after the first fix of its first problem. */
function mended(text: string, title?: string): string {
  const [problem] = problemsIn(text).filter(({ code }) => code === 'E-CALL-SCHEMA')
  const fix = problem?.fixes.find((it) => title === undefined || it.title === title)
  assert.ok(fix, problem?.fixes.map((it) => it.title).join(', ') ?? 'no problem')
  return fixed(text, fix).slice(text.indexOf('<|start|>assistant'))
}

suite('Arguments of get_weather', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['{"location":"Oslo"}', []],
    [' {"location": "Oslo", "format": "celsius", "deadline_ms": 500}\n', []],
    [
      '{"location":[1],"format":{},"days":[],"tags":{"a":1},"options":[]}',
      [
        'error invalid-arguments «[1]» `location` must be a string, but is an array',
        'error invalid-arguments «{}» `format` must be `"celsius"` or `"fahrenheit"`, but is an object',
        'error invalid-arguments «[]» `days` must be a number, but is an array',
        'error invalid-arguments «{"a":1}» `tags` must be an array, but is an object',
        'error invalid-arguments «[]» `options` must be an object, but is an array',
      ],
    ],
    ['{"location":7}', ['error invalid-arguments «7» `location` must be a string, but is the number `7`']],
    [
      '{"location":"Oslo","format":"Celcius"}',
      [
        'error invalid-arguments «"Celcius"» `format` must be `"celsius"` or `"fahrenheit"`, but is the string `"Celcius"`',
      ],
    ],
    ['{}', ['error invalid-arguments «{}» The argument `location` of `get_weather` is missing']],
    [
      '{"location":"Oslo","when":"now"}',
      ['warning unexpected-argument «"when"» `get_weather` does not accept the argument `when`'],
    ],
    [
      '{"location":"Oslo","fromat":"celsius"}',
      [
        'warning unexpected-argument «"fromat"» `get_weather` does not accept the argument `fromat`; did you mean `format`?',
      ],
    ],
    [
      '{"Location":"Oslo"}',
      [
        'error invalid-arguments «"Location"» The argument `location` is missing; `Location` looks like a typo of it',
      ],
    ],
    [
      '{"location":"Oslo","tags":["a",2]}',
      ['error invalid-arguments «2» `tags[1]` must be a string, but is the number `2`'],
    ],
    [
      '{"location":"Oslo","options":{"depth":"deep"}}',
      [
        'error invalid-arguments «{"depth":"deep"}» `options` is missing `wind`',
        'error invalid-arguments «"deep"» `depth` must be a number, but is the string `"deep"`',
      ],
    ],
    [
      '{\n  "format": "celsius"\n}',
      ['error invalid-arguments «{» The argument `location` of `get_weather` is missing'],
    ],
    [
      '["Oslo"]',
      ['error arguments-not-an-object «["Oslo"]» The arguments of `get_weather` are not a JSON object'],
    ],
    ['', []],
    ['{"location":', []],
    [
      '{"location":"Oslo","deadline_ms":0}',
      ['error invalid-deadline «0» `deadline_ms` must be a positive integer, but is the number `0`'],
    ],
    [
      '{"location":"Oslo","deadline_ms":"soon"}',
      [
        'error invalid-deadline «"soon"» `deadline_ms` must be a positive integer, but is the string `"soon"`',
      ],
    ],
  ]
  for (const [body, expected] of rows) {
    test(body.replaceAll('\n', '⏎'), () =>
      assert.deepEqual(problemsOf(transcript('functions.get_weather', body)), expected),
    )
  }

  test('without a constraint, no JSON is no object', () => {
    const [found] = problemsOf(transcript('functions.get_weather', 'Oslo', '<|channel|>commentary'))
    assert.match(
      found ?? '',
      /^error arguments-not-an-object «Oslo» The arguments of `get_weather` are not a JSON object: /,
    )
    const [empty] = problemsOf(transcript('functions.get_weather', '', '<|channel|>commentary'))
    assert.equal(
      empty,
      'error arguments-not-an-object «<|call|>» A call to `get_weather` needs a JSON object with its arguments',
    )
  })

  test('places behind escapes and in literal blocks are right', () => {
    const text = transcript(
      'functions.get_weather',
      '{"location":"<<|end|>","days":"<|literal|>x<|endliteral|>"}',
    )
    const [found] = problemsIn(text).filter(({ code }) => code === 'E-CALL-SCHEMA')
    assert.equal(found && text.slice(found.range.start, found.range.end), '"<|literal|>x<|endliteral|>"')
  })
})

suite('Tools', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['functions.get_time', '{}', []],
    ['functions.get_time', '{"deadline_ms":1}', []],
    [
      'functions.get_time',
      '{"a":1}',
      ['warning unexpected-argument «"a"» `get_time` does not accept the argument `a`'],
    ],
    ['functions.anything', '{"a":{"b":[]}}', []],
    ['get_weather', '{"location":"Oslo"}', []],
    [
      'get_weather',
      '{}',
      ['error invalid-arguments «{}» The argument `location` of `get_weather` is missing'],
    ],
    [
      'functions.get_wether',
      '{}',
      [
        'error unknown-tool «functions.get_wether» `functions` does not define the tool `get_wether`; did you mean `get_weather`?',
      ],
    ],
    [
      'functions.order',
      '{}',
      ['error unknown-tool «functions.order» `functions` does not define the tool `order`'],
    ],
    ['mcp.order', '{}', []],
    ['browser.search', '{"query":1}', []],
    ['functions.browser.search', '{}', []],
    ['python', '{}', []],
  ]
  for (const [tool, body, expected] of rows) {
    test(`${tool} ${body}`, () => assert.deepEqual(problemsOf(transcript(tool, body)), expected))
  }

  test('a tool without parameters takes an empty body', () => {
    assert.deepEqual(problemsOf(transcript('functions.get_time', '', '<|channel|>commentary')), [])
  })

  test('a broken definition silences what depends on it', () => {
    const broken = (text: string) => text.replace('}) => any;\n\ntype get_time', '} => any;\n\ntype get_time')
    assert.deepEqual(problemsOf(broken(transcript('functions.get_weather', '{}'))), [])
    assert.equal(problemsOf(broken(transcript('functions.get_time', '{"a":1}'))).length, 1)
    const stray = transcript('functions.order', '{}').replace(
      'type get_time',
      'Further tools: …\n\ntype get_time',
    )
    assert.deepEqual(problemsOf(stray), [])
  })

  test('related information leads to the definition', () => {
    const text = transcript('functions.get_weather', '{"location":7}')
    const [found] = problemsIn(text).filter(({ code }) => code === 'E-CALL-SCHEMA') as [Problem]
    const shown = found.related.map(
      ({ range, message }) => `«${text.slice(range.start, range.end)}» ${message}`,
    )
    assert.deepEqual(shown, ['«location» `location` is declared here'])
  })
})

suite('Fixes', () => {
  const rows: readonly (readonly [string, string, string | undefined, string])[] = [
    ['functions.get_weather', '{}', undefined, '{"location":""}'],
    [
      'functions.get_weather',
      '{"days": 3, "tags": []}',
      undefined,
      '{"days": 3, "tags": [], "location": ""}',
    ],
    ['functions.get_weather', '{\n  "days": 3\n}', undefined, '{\n  "days": 3,\n  "location": ""\n}'],
    [
      'functions.get_weather',
      '{"location":"Oslo","format":"Fahrenhait"}',
      undefined,
      '{"location":"Oslo","format":"fahrenheit"}',
    ],
    [
      'functions.get_weather',
      '{"location":"Oslo","format":"k"}',
      'Write `"fahrenheit"`',
      '{"location":"Oslo","format":"fahrenheit"}',
    ],
    ['functions.get_weather', '{"location":"Oslo","days":"3"}', undefined, '{"location":"Oslo","days":3}'],
    ['functions.get_weather', '{"location":7}', undefined, '{"location":"7"}'],
    ['functions.get_weather', '{"Location":"Oslo"}', undefined, '{"location":"Oslo"}'],
    ['functions.get_weather', '{"location":"Oslo","when":"now"}', undefined, '{"location":"Oslo"}'],
    ['functions.get_weather', '{"when":"now", "location":"Oslo"}', undefined, '{"location":"Oslo"}'],
    [
      'functions.get_weather',
      '{"location":"Oslo","options":{}}',
      undefined,
      '{"location":"Oslo","options":{"wind":false}}',
    ],
  ]
  for (const [tool, body, title, expected] of rows) {
    test(`${body.replaceAll('\n', '⏎')} → ${expected.replaceAll('\n', '⏎')}`, () => {
      const call = mended(transcript(tool, body), title)
      assert.equal(call.slice(call.indexOf('<|message|>') + 11, call.indexOf('<|call|>')), expected)
    })
  }

  test('what a definition says of control tokens does not end the call', () => {
    const tool = { type: 'function', name: 'f', parameters: { type: 'object', required: ['a', 'b<|end|>'] } }
    const properties = {
      a: { type: 'string', default: '<|end|><|start|>user' },
      'b<|end|>': { enum: ['<|call|>'] },
    }
    const json = JSON.stringify({ ...tool, parameters: { ...tool.parameters, properties } })
    const text = `version: 2.2\n<|start|>developer<|message|>${json.replaceAll('<|', '<<|')}<|end|>\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n`
    const result = mended(text)
    assert.match(result, /\{"a":"\\u003c\|end\|>.*"b\\u003c\|end\|>":"\\u003c\|call\|>"\}<\|call\|>\n$/)
    assert.deepEqual(problemsOf(text.slice(0, text.indexOf('<|start|>assistant')) + result), [])
  })

  test('a glued content type becomes a constraint', () => {
    const text = transcript('functions.get_weatherjson', '{"location":"Oslo"}', '<|channel|>commentary')
    assert.equal(
      mended(text),
      '<|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo"}<|call|>\n',
    )
    const late = text.replace(
      ' to=functions.get_weatherjson call_id=c1<|channel|>commentary',
      '<|channel|>commentary to=functions.get_weatherjson',
    )
    assert.match(mended(late), /to=functions\.get_weather<\|constrain\|>json<\|message\|>/)
  })
})

suite('0.1', () => {
  const turns = (payload: string) =>
    `<|im_start|>system\nTools:\n<|function_list|>\n{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}\nUse them.\n<|im_end|>\n<|im_start|>assistant\nSure.\n<|function_call|>\n${payload}\n<|im_end|>\n`
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['{"name":"f","arguments":{"a":"x"}}', []],
    ['{"name":"f","arguments":{}}', ['error invalid-arguments «{}» The argument `a` of `f` is missing']],
    [
      '{"name":"f","arguments":{"a":1}}',
      ['error invalid-arguments «1» `a` must be a string, but is the number `1`'],
    ],
    ['{"name":"g","arguments":{}}', ['error unknown-tool «g» `functions` does not define the tool `g`']],
    [
      '{"name":"f"}',
      ['error malformed-function-call «{» The call is missing `arguments`, which must be an object'],
    ],
  ]
  for (const [payload, expected] of rows)
    test(payload, () => assert.deepEqual(problemsOf(turns(payload)), expected))
})

test('2.0: tools as JSON objects in a developer body', () => {
  const tools = JSON.stringify([
    {
      type: 'function',
      function: {
        name: 'order_pizza',
        parameters: {
          type: 'object',
          properties: { size: { enum: ['small', 'large'] } },
          required: ['size'],
        },
      },
    },
  ])
  const text = `version: 2.0\n<|start|>developer<|message|>\n${tools}\n<|end|>\n<|start|>assistant to=functions.order_pizza<|channel|>commentary<|message|>\n{"size":"huge"}<|call|>\n`
  assert.deepEqual(problemsOf(text), [
    'error invalid-arguments «"huge"» `size` must be `"small"` or `"large"`, but is the string `"huge"`',
  ])
})

test('hints about replies and answers are hints', () => {
  const reply = (body: string) =>
    problemsIn(
      `version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n<|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>${body}<|end|>\n`,
    ).map(({ severity, rule, message }) => `${severity} ${rule} ${message}`)
  assert.deepEqual(reply('{"ok":true,"content":{}}'), [])
  assert.deepEqual(reply('{"ok":true,"error":null,"provenance":{"source":"x"}}'), [])
  assert.deepEqual(reply('plain text with "ok"'), [])
  assert.deepEqual(reply('{"ok":"yes"}'), ['hint inconsistent-reply `ok` of a reply must be a boolean'])
  assert.deepEqual(reply('{"ok":true,"error":"x"}'), [
    'hint inconsistent-reply `ok` is `true`, but there is an `error`',
  ])
})

test('whatever the arguments are, no rule fails on them', () => {
  fc.assert(
    fc.property(anyArguments, (values) => {
      const text = transcript('functions.get_weather', JSON.stringify(values).replaceAll('<|', '\\u003c|'))
      const failed = problemsIn(text).filter(({ message }) => message.startsWith('Internal error'))
      assert.deepEqual(failed, [])
    }),
    { numRuns: propertyRuns },
  )
})

test('arguments that do not fit and are nested beyond the limit are reported as such', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  for (const levels of [600, 20_000]) {
    const [problem = '', ...others] = problemsOf(
      transcript('functions.get_weather', `{"location":${deep(levels)}}`),
    )
    assert.match(
      problem,
      /^error invalid-arguments «\[» The arguments do not match `get_weather`: .*512 levels/,
    )
    assert.deepEqual(others, [])
  }
  assert.deepEqual(problemsOf(transcript('functions.anything', `{"a":${deep(600)}}`)), [])
})

test('version 2.0 needs no name on a reply (2.0 §4, §6)', () => {
  const reply = '<|start|>tool to=assistant<|channel|>commentary<|message|>1<|end|>\n'
  const namesIn = (version: string) =>
    problemsIn(`version: ${version}\n${reply}`)
      .map(({ rule }) => rule)
      .filter((it) => it === 'missing-tool-name')
  assert.deepEqual(namesIn('2.0'), [])
  assert.deepEqual(namesIn('2.2'), ['missing-tool-name'])
})
