/** Whatever a body leaves open ends with the body: the next message looks as it does alone, and nothing piles up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depthBehind, loadGrammar, pairedBrackets, scopedLines } from './textmate-grammar.ts'

const grammar = await loadGrammar()

const json = '<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>'
const yaml = '<|start|>assistant<|channel|>final<|constrain|>yaml<|message|>'
const python = '<|start|>assistant to=python<|channel|>analysis<|message|>'
const user = '<|start|>user<|message|>'
const developer = '<|start|>developer<|message|>'

/** Bodies that leave something open. `↵` is a line break. */
const unclosed: readonly (readonly [string, string])[] = [
  [json, '{"a": "open'],
  [json, '{"a": [1, {"b": /* open'],
  [json, '{"a": "open\\'],
  [json, '{↵"a": "open↵more'],
  [user, '```js↵let x = `open ${ [ /* open'],
  [user, '~~~↵open'],
  [user, '````md↵```js↵'],
  [user, '**bold *italic `code [link](http://x'],
  [user, '> quote↵> - list↵>   ```↵>   open'],
  [user, '1. one↵   - two↵↵         code'],
  [user, '<div class="open'],
  [user, '<!-- open↵open'],
  [user, '<script>let x = "open'],
  [user, '<style>a { color:'],
  [user, '| a | b |↵|---|---|↵| `open'],
  [developer, 'namespace f {↵/* open'],
  [developer, 'namespace f {↵type a = (_: {↵b: "open'],
  [developer, 'namespace f {↵type a = `open ${`open'],
  [developer, '```ts↵namespace f { // open'],
  [developer, 'namespace f { type a = /open'],
  [python, 'x = """open↵more'],
  [python, 'f("open↵, [1, {2: r"""(?P<open'],
  [python, 'x = f"{open'],
  [yaml, 'a: |↵  open↵  more'],
  [yaml, 'a: "open↵b'],
  [yaml, "- [1, {a: 'open"],
]

for (const [header, body] of unclosed) {
  for (const [name, end] of [
    ['on its line', '<|end|>\n'],
    ['on the next line', '\n<|end|>\n'],
    ['before the next message', '<|end|>'],
    ['that the next message cuts off', ''],
    ['that the next message cuts off on its line', '\n'],
  ] as const) {
    test(`${body}, ended ${name}`, () => {
      const before = `${header}${body.replaceAll('↵', '\n')}${end}`
      assertFresh(before, `${user}**Hi**<|end|>`)
    })
  }
}

/** Checks that the tokens of `message` behind `before` are those that it has alone. */
function assertFresh(before: string, message: string): void {
  const expected = scopedLines(grammar, message)[0]?.tokens.map(({ text, scopes }) => ({ text, scopes }))
  const line = scopedLines(grammar, before + message).at(-1)
  const from = line?.text.lastIndexOf(message) ?? 0
  const actual = line?.tokens.filter((it) => it.from >= from).map(({ text, scopes }) => ({ text, scopes }))
  assert.deepEqual(actual, expected)
  const once = depthBehind(grammar, `${message}\n`)
  assert.equal(depthBehind(grammar, `${`${before}${message}\n`.repeat(3)}`), once)
}

test('an unclosed literal block is the exception: it may close further down', () => {
  const [, second] = scopedLines(grammar, `${user}<|literal|><|end|>\n${user}Hi<|end|>`)
  assert.deepEqual(
    second?.tokens.map(({ scopes }) => scopes.at(-1)),
    ['string.unquoted.literal.openchatml'],
  )
})

test('a token that is being typed below the header is no YAML, and what follows is', () => {
  for (const typed of ['<', '<|', '<|sta', '<|start|']) {
    const [, line, next] = scopedLines(grammar, `version: 2.2\n${typed}\nmodel: x`)
    assert.deepEqual(
      line?.tokens.map(({ scopes }) => scopes.at(-1)),
      ['meta.preamble.openchatml'],
    )
    assert.ok(
      next?.tokens[0]?.scopes.includes('source.yaml') ||
        next?.tokens[0]?.scopes.some((it) => it.includes('yaml')),
    )
  }
})

test('brackets are paired in code and not in prose, where `1)` closes nothing', () => {
  const message = (body: string) =>
    `version: 2.2\n<|start|>assistant<|channel|>final<|message|>${body}<|end|>`
  assert.equal(pairedBrackets(grammar, message('a) one :) [and\n\n1) two\n- (three')), '')
  assert.equal(pairedBrackets(grammar, message('a) one\n```ts\nf([1])\n```\nb) two')), '([])')
  const call =
    'version: 2.2\n<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>{"a":[1]}<|call|>'
  assert.equal(pairedBrackets(grammar, call), '{[]}')
})
