/** What is offered at calls and tools, how selections grow in arguments, and that no broken text makes any of it fail. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  applyEdits,
  definition,
  hover,
  inlayHints,
  references,
  rename,
  selectionRanges,
  Transcript,
  toolActions,
  toolLenses,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { completionsAt } from '../helpers/check-completion.ts'
import { call, declaration, opened, reply } from '../helpers/tool-transcript.ts'

suite('Actions', () => {
  const after = (marked: string, title: string) => {
    const { analysis, text, offset } = opened(marked)
    const found = toolActions(analysis, { start: offset, end: offset })
    const action = found.find((it) => it.title === title)
    assert.ok(action, found.map((it) => it.title).join(', '))
    return applyEdits(text, action.edits())
  }

  test('a reply for a call that waits', () => {
    const result = after(call('{$0}'), 'Insert a reply to this call')
    assert.match(
      result,
      /<\|call\|>\n<\|start\|>tool name=functions\.get_weather call_id=c1 to=assistant<\|channel\|>commentary<\|message\|>\{"ok":true,"content":\{\}\}<\|end\|>\n$/,
    )
  })

  test('new lines have the line break of the document', () => {
    const marked = call('{"location": "Oslo", "x": {}$0}').replaceAll('\n', '\r')
    for (const title of ['Insert a reply to this call', 'Lay out the JSON on several lines']) {
      assert.doesNotMatch(after(marked, title), /\n/)
    }
  })

  test('JSON of half a megabyte is laid out at once', () => {
    const rows = Array.from({ length: 8000 }, (_, index) => ({ id: index, tags: ['a', 'b'], isOpen: true }))
    const body = JSON.stringify({ rows })
    const before = process.cpuUsage()
    const result = after(call(`${body}$0`), 'Lay out the JSON on several lines')
    const { user, system } = process.cpuUsage(before)
    assert.ok(result.includes(JSON.stringify({ rows }, undefined, 2)))
    assert.ok(
      user + system < 8_000_000,
      'takes a fraction of a second, and minutes if each edit copies the text',
    )
  })

  test('a reply in raw Harmony text', () => {
    const text =
      '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>'
    const analysis = analyze(Transcript.parse(text, { dialect: 'harmony' }))
    const [action] = toolActions(analysis, { start: 3, end: 3 })
    assert.equal(
      action && applyEdits(text, action.edits()),
      `${text}<|start|>functions.f to=assistant<|channel|>commentary<|message|>{"ok":true,"content":{}}<|end|>`,
    )
  })

  test('an id for a call and its reply', () => {
    const marked = `version: 2.2\n<|start|>assistant to=functions.f<|channel|>commentary<|message|>{$0}<|call|>\n<|start|>tool name=functions.f to=assistant<|channel|>commentary<|message|>1<|end|>\n`
    const result = after(marked, 'Add an ID to the call and the reply')
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
    { numRuns: Math.ceil(propertyRuns / 4) },
  )
})
