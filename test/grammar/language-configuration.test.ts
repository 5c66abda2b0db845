/** What a double click selects, and that the configuration is one VS Code takes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface LanguageConfiguration {
  readonly comments?: unknown
  readonly autoClosingPairs: readonly { readonly open: string; readonly close: string }[]
  readonly wordPattern: { readonly pattern: string; readonly flags: string }
}

const configuration = JSON.parse(readFileSync('language-configuration.json', 'utf8')) as LanguageConfiguration

function wordsOf(text: string): string[] {
  const { pattern, flags } = configuration.wordPattern
  return text.match(new RegExp(pattern, `${flags}g`)) ?? []
}

test('names of control tokens and tools, attributes and values are words', () => {
  assert.deepEqual(
    wordsOf(
      '<|start|>assistant to=functions.get_weather call_id=wx-1<|channel|>commentary<|constrain|>application/json',
    ),
    [
      ...['start', 'assistant', 'to', 'functions.get_weather', 'call_id', 'wx-1'],
      ...['channel', 'commentary', 'constrain', 'application/json'],
    ],
  )
})

// Behind a word, VS Code asks for no suggestions: the bracket that ends a token would not ask what follows.
test('words of prose and half-typed tokens', () => {
  assert.deepEqual(wordsOf('Köln, 20 °C. Done'), ['Köln', '20', 'C', 'Done'])
  assert.deepEqual(wordsOf('<|sta'), ['<|sta'])
  assert.deepEqual(wordsOf('<|start|'), ['<|start'])
})

test('a control token does not close itself: who types `|>` would have it twice, since editors overtype one character', () => {
  assert.ok(configuration.autoClosingPairs.every(({ open }) => !open.startsWith('<')))
})

test('there is no comment: only the YAML header has them, and it is in the language YAML', () => {
  assert.equal(configuration.comments, undefined)
})
