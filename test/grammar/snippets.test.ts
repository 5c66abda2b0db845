/** Every snippet inserts text that parses without a problem, and whose structure the grammar colours. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseToJson } from '../../core/src/internal.ts'
import { grammarMarks, parserMarks } from './marks.ts'
import { loadGrammar } from './textmate-grammar.ts'

interface Snippet {
  readonly description: string
  readonly body: readonly string[]
}

const snippets = JSON.parse(readFileSync('snippets/openchatml.json', 'utf8')) as Record<string, Snippet>
const grammar = await loadGrammar()

/** What VS Code inserts: placeholders with their text, choices with their first, tab stops that repeat mirrored. */
function inserted({ body }: Snippet, typed: Readonly<Record<string, string>> = {}): string {
  const values: Record<string, string> = { ...typed }
  return body
    .join('\n')
    .replace(/\$\{(\d+)\|([^,|]*)[^|]*\|\}/g, '$${$1:$2}')
    .replace(
      /\$\{(\d+):((?:[^}\\]|\\.)*)\}|\$(\d+)/g,
      (_, defined: string, text: string, repeated: string) => {
        if (defined !== undefined) values[defined] ??= text.replace(/\\(.)/g, '$1')
        return values[defined ?? repeated] ?? ''
      },
    )
}

/** A snippet where it is used: some begin a transcript, others stand in one. */
function inTranscript(name: string, text: string): string {
  return text.startsWith('version:') ? text : `version: 2.2\n\n${before[name] ?? ''}${text}`
}

/** What has to stand before a snippet to make sense. */
const before: Readonly<Record<string, string>> = {
  'Failed reply of a tool':
    '<|start|>assistant to=functions.get_weather call_id=call_1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
}

for (const [name, snippet] of Object.entries(snippets)) {
  test(`the snippet "${name}" is legal`, () => {
    const text = inTranscript(name, inserted(snippet))
    assert.deepEqual(parseToJson(text).diagnostics, [])
    assert.deepEqual(grammarMarks(grammar, text), parserMarks(text))
  })

  test(`the snippet "${name}" ends on a line of its own, and VS Code proposes it nowhere by itself`, () => {
    assert.ok(!('prefix' in snippet), 'the server proposes messages where they may begin')
    assert.equal(snippet.body.at(-1), '$0')
    assert.ok(snippet.description.length > 0)
  })
}

test('a reply takes over what is typed as tool and call id of the call', () => {
  const call = snippets['Tool call and reply']
  assert.ok(call)
  const { messages } = parseToJson(`version: 2.2\n${inserted(call, { 1: 'functions.f', 2: 'c9' })}`)
  assert.deepEqual(
    messages.map(({ to, name, call_id }) => ({ to, name, call_id })),
    [
      { to: 'functions.f', name: null, call_id: 'c9' },
      { to: 'assistant', name: 'functions.f', call_id: 'c9' },
    ],
  )
})

test('what hidden snippets insert is hidden, and what visible ones insert is visible', () => {
  const visible = Object.entries(snippets)
    .filter(([name, snippet]) => parseToJson(inTranscript(name, inserted(snippet))).visible.length > 0)
    .map(([name]) => name)
  assert.deepEqual(visible, [
    'Transcript',
    'User message',
    'Preamble',
    'Final answer',
    'User message with a literal block',
  ])
})
