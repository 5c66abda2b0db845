/** Tools and their arguments in the editor: completion, hover, definitions, references, renaming, lenses, hints, actions. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  type Analysis,
  analyze,
  applyEdits,
  definition,
  documentHighlights,
  hover,
  inlayHints,
  references,
  rename,
  renameRange,
  selectionRanges,
  Transcript,
  toolActions,
  toolLenses,
} from '../../core/src/index.ts'
import { accept, completionsAt, labelsAt } from '../helpers/check-completion.ts'
import { withCursor } from '../helpers/marked-text.ts'

const declaration = `<|start|>developer<|message|>namespace functions {

// Gets the weather.
type get_weather = (_: {
// The city, e.g. Oslo
location: string,
format?: "celsius" | "fahrenheit", // default: celsius
days?: number,
windy?: boolean,
options?: {
    depth: number,
    tags?: string[],
    },
}) => any;

type get_time = () => any;

}<|end|>
`

const header =
  '<|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>'
const reply =
  '<|start|>tool name=functions.get_weather call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":true}<|end|>\n'

/** A transcript with the definitions and a call with `body`. */
function call(body: string): string {
  return `version: 2.2\n${declaration}${header}${body}<|call|>\n`
}

function opened(marked: string): {
  readonly analysis: Analysis
  readonly text: string
  readonly offset: number
} {
  const { text, offset } = withCursor(marked)
  return { analysis: analyze(Transcript.parse(text)), text, offset }
}

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

suite('Hover', () => {
  const shown = (marked: string) => {
    const { analysis, text, offset } = opened(marked)
    const found = hover(analysis, offset)
    return found && `«${text.slice(found.range.start, found.range.end)}» ${found.markdown}`
  }

  test('an argument shows its type, comment and default', () => {
    assert.match(
      shown(call('{"loc$0ation":"Oslo"}')) ?? '',
      /^«"location"» ```typescript\nlocation: string\n```\n\nThe city/,
    )
    assert.match(
      shown(call('{"format":"cel$0sius"}')) ?? '',
      /^«"celsius"» .*\nformat\?: "celsius" \| "fahrenheit"\n```\n\nDefault: `+ ?"celsius"/,
    )
    assert.match(shown(call('{"options":{"depth":$01}}')) ?? '', /^«1» ```typescript\ndepth: number/)
    assert.equal(shown(call('{"other":$01}')), undefined)
  })

  test('a definition shows how often it is called', () => {
    assert.match(
      shown(call('{}').replace('type get_weather', 'type get_$0weather')) ?? '',
      /Called as `functions\.get_weather`, once/,
    )
  })

  test('a built-in tool shows what it is for', () => {
    const text =
      'version: 2.2\n<|start|>assistant to=browser.se$0arch call_id=c1<|channel|>analysis<|message|>{}<|call|>\n'
    assert.match(shown(text) ?? '', /search\(query: string, topn\?: number, source\?: string\)/)
  })

  test('text of the document does nothing in Markdown', () => {
    const text = call('{"loc$0ation":1}').replace(
      'The city, e.g. Oslo',
      '![x](https://example.com/x.png) <b>',
    )
    assert.match(shown(text) ?? '', /\\!\\\[x\\\]\\\(https:\/\/example\\\.com\/x\\\.png\\\) \\<b\\>/)
  })
})

suite('Navigation', () => {
  const text = `${call('{"location":"Oslo"}')}${reply}`

  const led = (marked: string) => {
    const { analysis, text: all, offset } = opened(marked)
    const found = definition(analysis, offset)
    return found && all.slice(found.selection.start, found.selection.end)
  }

  test('from a call to its tool, from an argument to its declaration, from a reply to its call', () => {
    assert.equal(led(text.replace('to=functions.get', 'to=functions.$0get')), 'get_weather')
    assert.equal(led(text.replace('{"location"', '{"loc$0ation"')), 'location')
    assert.equal(led(text.replace('c1 to=assistant', 'c$01 to=assistant')), 'c1')
  })

  test('references and highlights of a tool', () => {
    for (const [before, after] of [
      ['type get_weather', 'type get_$0weather'],
      ['to=functions.get_weather', 'to=functions.get_$0weather'],
      ['name=functions.get_weather', 'name=functions.get_$0weather'],
    ] as const) {
      const { analysis, offset, text: all } = opened(text.replace(before, after))
      const found = references(analysis, offset, { includeDeclaration: true })
      assert.equal(found.length, 3)
      for (const { start, end } of found) assert.equal(all.slice(start, end), 'get_weather')
      assert.equal(references(analysis, offset, { includeDeclaration: false }).length, 2)
      assert.deepEqual(documentHighlights(analysis, offset), found)
    }
  })

  test('renaming a tool', () => {
    const {
      analysis,
      offset,
      text: all,
    } = opened(text.replace('to=functions.get_weather', 'to=functions.get_$0weather'))
    const range = renameRange(analysis, offset)
    assert.equal(range && all.slice(range.start, range.end), 'get_weather')
    const renaming = rename(analysis, offset, 'forecast')
    assert.ok(renaming.kind === 'edits')
    assert.equal(applyEdits(all, renaming.edits), all.replaceAll('get_weather', 'forecast'))
    // Who writes the namespace out means the same.
    assert.deepEqual(rename(analysis, offset, 'functions.forecast'), renaming)
    for (const name of [
      'get_time',
      'functions.get_time',
      'python',
      'functions.',
      '.x',
      '',
      'a b',
      'x<|end|>',
    ]) {
      assert.equal(rename(analysis, offset, name).kind, 'refused', name)
    }
  })

  test('built-in tools keep their names', () => {
    const { analysis, offset } = opened(
      '<|start|>assistant to=browser.se$0arch<|channel|>analysis<|message|>{}<|call|>',
    )
    assert.equal(renameRange(analysis, offset), undefined)
  })

  test('a tool of 0.1 in all its places', () => {
    const {
      analysis,
      offset,
      text: all,
    } = opened(
      '<|im_start|>system\n<|function_list|>\n{"type":"function","function":{"name":"f$0f"}}\n<|im_end|>\n<|im_start|>assistant\n<|function_call|>\n{"name":"ff","arguments":{}}\n<|im_end|>\n<|im_start|>tool\n<|function_output|>\n{"name":"ff","content":1}\n<|im_end|>\n',
    )
    const renaming = rename(analysis, offset, 'gg')
    assert.ok(renaming.kind === 'edits')
    assert.equal(applyEdits(all, renaming.edits), all.replaceAll('ff', 'gg'))
  })
})

test('lenses count calls, hints say where they are answered', () => {
  const second = header.replace('c1', 'c2')
  const analysis = analyze(Transcript.parse(`${call('{}')}${reply}${second}{}<|call|>\n`))
  const lenses = [...toolLenses(analysis)]
  assert.deepEqual(
    lenses.map(({ title, calls }) => [title, calls.length]),
    [
      ['2 calls', 2],
      ['0 calls', 0],
    ],
  )
  const all = { start: 0, end: analysis.transcript.length }
  const line = analysis.transcript.positionAt(analysis.transcript.text().indexOf('<|start|>tool')).line + 1
  assert.deepEqual(
    [...inlayHints(analysis, all)].map(({ label }) => label),
    [`answered in line ${line}`, 'unanswered'],
  )
})

test('time stamps tell how long a call took', () => {
  const analysis = analyze(
    Transcript.parse(
      '<|start|>assistant to=f call_id=c<|channel|>commentary<|message|>{"timestamp":"2025-08-08T10:00:00.000Z"}<|call|>\n<|start|>tool name=f call_id=c<|channel|>commentary<|message|>{"ok":true,"provenance":{"timestamp":"2025-08-08T10:00:00.120Z"}}<|end|>',
    ),
  )
  const [hint] = inlayHints(analysis, { start: 0, end: analysis.transcript.length })
  assert.equal(hint?.label, 'answered in line 2 · 120 ms after')
})

suite('Actions', () => {
  const after = (marked: string, title: string) => {
    const { analysis, text, offset } = opened(marked)
    const found = toolActions(analysis, { start: offset, end: offset })
    const action = found.find((it) => it.title === title)
    assert.ok(action, found.map((it) => it.title).join(', '))
    return applyEdits(text, action.edits)
  }

  test('a reply for a call that waits', () => {
    const result = after(call('{$0}'), 'Insert a reply to this call')
    assert.match(
      result,
      /<\|call\|>\n<\|start\|>tool name=functions\.get_weather call_id=c1 to=assistant<\|channel\|>commentary<\|message\|>\{"ok":true,"content":\{\}\}<\|end\|>\n$/,
    )
  })

  test('a reply in raw Harmony text', () => {
    const text =
      '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>'
    const analysis = analyze(Transcript.parse(text, { dialect: 'harmony' }))
    const [action] = toolActions(analysis, { start: 3, end: 3 })
    assert.equal(
      action && applyEdits(text, action.edits),
      `${text}<|start|>functions.f to=assistant<|channel|>commentary<|message|>{"ok":true,"content":{}}<|end|>`,
    )
  })

  test('an id for a call and its reply', () => {
    const marked = `version: 2.2\n<|start|>assistant to=functions.f<|channel|>commentary<|message|>{$0}<|call|>\n<|start|>tool name=functions.f to=assistant<|channel|>commentary<|message|>1<|end|>\n`
    const result = after(marked, 'Give call and reply an id')
    assert.equal(
      result,
      'version: 2.2\n<|start|>assistant to=functions.f call_id=call_1<|channel|>commentary<|message|>{}<|call|>\n<|start|>tool name=functions.f to=assistant call_id=call_1<|channel|>commentary<|message|>1<|end|>\n',
    )
  })

  test('a tool is declared from its call, in its namespace or in a message of its own', () => {
    const body = '{"city":"Oslo","days":3,"tags":["a"],"at":{"x":1.5}}'
    const inside = after(call(`$0${body}`).replace('get_weather call_id', 'book call_id'), 'Declare `book`')
    assert.match(
      inside,
      /type get_time = \(\) => any;\n\ntype book = \(_: \{\ncity: string,\ndays: number,\ntags: string\[\],\nat: \{\n {4}x: number,\n {4}\},\n\}\) => any;\n\n\}<\|end\|>/,
    )
    const own = after(
      'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n<|start|>assistant to=functions.book call_id=c1<|channel|>commentary<|message|>{$0}<|call|>\n',
      'Declare `book`',
    )
    assert.match(
      own,
      /^version: 2\.2\n<\|start\|>developer<\|message\|># Tools\n\n## functions\n\nnamespace functions \{\n\ntype book = \(\) => any;\n\n\} \/\/ namespace functions<\|end\|>\n<\|start\|>user/,
    )
    assert.deepEqual(
      [...analyze(Transcript.parse(own)).tools.tools()].map(({ definition: it }) => it.name),
      ['book'],
    )
  })

  test('a tool of another namespace is declared there', () => {
    const before =
      'version: 2.2\n<|start|>developer<|message|>namespace calc {\ntype sub = () => any;\n}<|end|>\n'
    const add = '<|start|>assistant to=calc.add call_id=c1<|channel|>commentary<|message|>{"a$0":1}<|call|>\n'
    const own = after(`version: 2.2\n${add}`, 'Declare `add`')
    assert.match(
      own,
      /## calc\n\nnamespace calc \{\n\ntype add = \(_: \{\na: number,\n\}\) => any;\n\n\} \/\/ namespace calc/,
    )
    assert.match(after(before + add, 'Declare `add`'), /type sub = \(\) => any;\ntype add = /)
  })

  test('what a call says of its tool cannot end the message that declares it', () => {
    const text = after(
      'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{"$0<<|end|><<|start|>user":1}<|call|>\n',
      'Declare `f`',
    )
    const { tools, transcript } = analyze(Transcript.parse(text))
    assert.equal(transcript.segmentCount, 3)
    const [tool] = tools.tools()
    assert.ok(tool?.definition.parameters.kind === 'schema')
    assert.deepEqual(
      [...(tool.definition.parameters.schema.properties?.keys() ?? [])],
      ['<|end|><|start|>user'],
    )
  })

  test('arguments to nobody go to the tool that they fit', () => {
    const lost = (body: string) =>
      `version: 2.2\n${declaration}<|start|>assistant<|channel|>commentary<|message|>$0${body}<|end|>\n`
    assert.equal(
      after(lost('{"location":"Oslo"}'), 'Send these arguments to `functions.get_weather`'),
      `version: 2.2\n${declaration}<|start|>assistant to=functions.get_weather call_id=call_1<|channel|>commentary<|message|>{"location":"Oslo"}<|call|>\n`,
    )
    for (const body of ['{"place":"Oslo"}', '{"location":1}', 'Hi', '{"location":']) {
      const { analysis, offset } = opened(lost(body))
      const titles = toolActions(analysis, { start: offset, end: offset }).map(({ title }) => title)
      assert.equal(titles.filter((it) => it.startsWith('Send')).length, 0, body)
    }
  })

  test('JSON is laid out and put together again', () => {
    const lines = after(call('{"location":"Oslo, $0here","days":1}'), 'Lay out the JSON on several lines')
    assert.match(lines, /<\|message\|>\{\n {2}"location": "Oslo, here",\n {2}"days": 1\n\}<\|call\|>/)
    const cursor = lines.indexOf('"days"')
    const again = after(`${lines.slice(0, cursor)}$0${lines.slice(cursor)}`, 'Put the JSON on one line')
    assert.match(again, /<\|message\|>\{"location":"Oslo, here","days":1\}<\|call\|>/)
  })
})

test('a selection grows through the values of JSON', () => {
  const { analysis, text, offset } = opened(call('{"options":{"tags":["a$0b"]}}'))
  const shown = selectionRanges(analysis, offset).map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(shown.slice(0, 7), [
    'ab',
    '"ab"',
    '["ab"]',
    '"tags":["ab"]',
    '{"tags":["ab"]}',
    '"options":{"tags":["ab"]}',
    '{"options":{"tags":["ab"]}}',
  ])
})

test('nothing throws at any offset of a broken text', () => {
  const text = `${call('{"location":"Oslo","options":{"depth":1}}')}${reply}`
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(30),
      fc.constantFrom('', '"', '{', '}', '<|end|>', '<|literal|>', 'x', ':', ','),
      (at, length, insert) => {
        const broken = text.slice(0, at) + insert + text.slice(at + length)
        const analysis = analyze(Transcript.parse(broken))
        for (let offset = Math.max(0, at - 30); offset <= Math.min(broken.length, at + 30); offset++) {
          completionsAt(`${broken.slice(0, offset)}$0${broken.slice(offset)}`)
          hover(analysis, offset)
          definition(analysis, offset)
          references(analysis, offset, { includeDeclaration: true })
          rename(analysis, offset, 'other')
          toolActions(analysis, { start: offset, end: offset })
          selectionRanges(analysis, offset)
        }
        for (const { range } of toolLenses(analysis)) assert.ok(range.end <= broken.length)
        for (const hint of inlayHints(analysis, { start: 0, end: broken.length }))
          assert.ok(hint.offset <= broken.length)
      },
    ),
    { numRuns: 60 },
  )
})
