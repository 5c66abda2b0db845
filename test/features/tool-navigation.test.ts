/** Tools and their arguments in the editor: hover, definitions, references, renaming, lenses, hints. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  analyze,
  applyEdits,
  definition,
  documentHighlights,
  hover,
  inlayHints,
  references,
  rename,
  renameRange,
  Transcript,
  toolLenses,
} from '../../core/src/internal.ts'
import { call, header, opened, reply } from '../helpers/tool-transcript.ts'

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

  test('from its namespace, a tool is renamed with it', () => {
    for (const [tool, written] of [
      ['functions.get_weather', 'functions.forecast'],
      ['box.ff', 'box.gg'],
    ] as const) {
      const call = `<|start|>assistant to=${tool} call_id=c<|channel|>commentary<|message|>{}<|call|>\n`
      const { analysis, offset, text: all } = opened(call.replace('to=', 'to=$0'))
      const range = renameRange(analysis, offset)
      assert.equal(range && all.slice(range.start, range.end), tool)
      const renaming = rename(analysis, offset, written)
      assert.ok(renaming.kind === 'edits')
      assert.equal(applyEdits(all, renaming.edits), all.replace(tool, written))
    }
    const { analysis, offset } = opened('<|start|>assistant to=functions.$0<|message|>{}<|call|>')
    assert.equal(renameRange(analysis, offset), undefined)
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

  test('a tool that replies by its name in a header of 0.1, or under its own name', () => {
    for (const marked of [
      '<|im_start|>assistant\n<|function_call|>{"name":"ff","arguments":{}}<|im_end|>\n<|im_start|>tool name=f$0f\n1<|im_end|>\n',
      'version: 2.2\n<|start|>assistant to=box.f$0f call_id=c<|channel|>commentary<|message|>{}<|call|>\n<|start|>box.ff call_id=c to=assistant<|channel|>commentary<|message|>1<|end|>\n',
      'version: 2.2\n<|start|>assistant to=f$0f call_id=c<|channel|>commentary<|message|>{}<|call|>\n<|start|>ff call_id=c<|channel|>commentary<|message|>1<|end|>\n',
      '<|start|>assistant to=ff<|channel|>commentary<|message|>{}<|call|>\n<|start|>f$0f to=assistant<|channel|>commentary<|message|>1<|end|>\n',
    ]) {
      const { analysis, offset, text: all } = opened(marked)
      const renaming = rename(analysis, offset, 'gg')
      assert.ok(renaming.kind === 'edits')
      assert.equal(applyEdits(all, renaming.edits), all.replaceAll('ff', 'gg'))
    }
    // A role with a mistake in it answers by the id, and is no name of a tool.
    const { analysis, offset } = opened(
      'version: 2.2\n<|start|>assistant to=ff call_id=c<|channel|>commentary<|message|>{}<|call|>\n<|start|>to$0ol.s call_id=c<|channel|>commentary<|message|>1<|end|>\n',
    )
    assert.equal(renameRange(analysis, offset), undefined)
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
    [`reply: line ${line}`, 'no reply'],
  )
})

test('time stamps tell how long a call took', () => {
  const analysis = analyze(
    Transcript.parse(
      '<|start|>assistant to=f call_id=c<|channel|>commentary<|message|>{"timestamp":"2025-08-08T10:00:00.000Z"}<|call|>\n<|start|>tool name=f call_id=c<|channel|>commentary<|message|>{"ok":true,"provenance":{"timestamp":"2025-08-08T10:00:00.120Z"}}<|end|>',
    ),
  )
  const [hint] = inlayHints(analysis, { start: 0, end: analysis.transcript.length })
  assert.equal(hint?.label, 'reply: line 2 · 120 ms later')
})

test('lenses count the calls of 0.1, which no header names', () => {
  const wrapped = '<|im_start|>assistant\n<|function_call|>{"name": "f", "arguments": {}}<|im_end|>\n'
  const definition =
    '<|im_start|>system\n<|function_list|>\n{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}\n<|im_end|>\n'
  const analysis = analyze(Transcript.parse(`${definition}${wrapped}${wrapped}`))
  assert.deepEqual(
    [...toolLenses(analysis)].map(({ title, calls }) => [title, calls.length]),
    [['2 calls', 2]],
  )
})
