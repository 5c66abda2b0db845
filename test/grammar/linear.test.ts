/**
 * The grammar's cost grows with a line, not faster. By day, its searches are counted. What a search costs can't be counted, so at night
 * the ratio of processor times is measured, too: four times the line may take at most nine times as long, where four is linear and
 * sixteen would be quadratic.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import textmate, { type StateStack } from 'vscode-textmate'
import { nightly } from '../helpers/nightly.ts'
import { loadGrammar, searchCount } from './textmate-grammar.ts'

const grammar = await loadGrammar()

const user = '<|start|>user<|message|>'
const developer = '<|start|>developer<|message|>'
const json = '<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>'
const header = '<|start|>assistant<|channel|>final'
const turn = '<|im_start|>user\n'

/** Lines: what stands before, what is repeated, what stands behind. */
const shapes: readonly (readonly [string, string, string])[] = [
  [user, 'lorem ipsum ', '<|end|>'],
  [user, 'lorem ipsum ', ''],
  [user, '<', '<|end|>'],
  [user, '<', ''],
  [user, '< ', '<|end|>'],
  [user, '<|', '<|end|>'],
  [user, '|>', '<|end|>'],
  [user, '\\<', '<|end|>'],
  [user, '<<|end|>', '<|end|>'],
  [user, '<<|end|>', ''],
  [user, '<|literal|>x<|endliteral|>', '<|end|>'],
  [user, '<|literal|>x', ''],
  [user, '<|endliteral|>', '<|end|>'],
  [user, '<|start|>', '<|end|>'],
  [user, '<|message|>', ''],
  [user, '<|start_reason|>x', '<|end|>'],
  [user, '`', '<|end|>'],
  [user, '` <|', '<|end|>'],
  [user, '`a<|literal|>` ', ''],
  [user, '漢😀', '<|end|>'],
  ['', '<|start|>user', ''],
  ['<|start|>', ' ', 'x'],
  ['<|start|>', 'x', ''],
  ['<|start|>', 'functions.', '<|message|>'],
  ['<|start|>assistant', ' word', '<|message|>x<|end|>'],
  ['<|start|>assistant', ' to=x', ''],
  ['<|start|>assistant to=', 'x', ''],
  ['<|start|>assistant', ' ', '<|message|>'],
  ['<|start|>assistant', '<|channel|>final', ''],
  ['<|start|>assistant', '<|constrain|>json', '<|message|>'],
  [header, ' json', ''],
  [header, ' content_type=a/b+c/', ''],
  [header + ' content_type=', 'a/', ''],
  [header, '=', ''],
  [json + '"', 'x', '"<|call|>'],
  [json + '"', '\\\\<', '<|call|>'],
  [json, ' ', '{<|call|>'],
  [developer + 'namespace f { ', '} ', ''],
  [developer + 'namespace f {', 'type a = () => any; ', '}'],
  [developer + 'namespace f {', '//} ', ''],
  [developer + 'namespace ', 'f', ''],
  [developer, '```ts ', ''],
  [developer, ' ', 'namespace f {'],
  ['', 'a: ', ''],
  ['', 'a:b', ''],
  ['', 'a b ', ''],
  ['', ' ', 'x'],
  ['xx ', 'a <|start|>', ''],
  ['---', ' ', ''],
  [turn, 'x <|reason|> ', '<|im_end|>'],
  [turn, '<|im_start|>', ''],
  [turn, '<|function_call|>{"a":1}', ''],
  ['', '<|file_separator|>x', ''],
  ['', '[BOS]', ''],
]

for (const [before, unit, behind] of shapes) {
  const name = `${before}${unit}…${behind}`.replaceAll('\n', '↵')
  const text = (size: number) => before + unit.repeat(Math.ceil(size / unit.length)) + behind
  test(`searches of ${name}`, () => assertLinearSearches(text(2_500), text(10_000)))
  nightly(`time of ${name}`, () => assertLinearTime(text(12_500), text(50_000)))
}

// Each body that ends on its line is embedded as a capture, for which vscode-textmate copies the line up to its end. That is
// quadratic, with a small factor, and beyond a grammar; VS Code gives it no line above 20 000 characters by default.
// The searches are the grammar's own: each message takes as many as the first.
for (const message of [`${user}Hello there<|end|>`, `${json}{"a":1}<|call|>`, `${user}cut off `]) {
  test(`many messages on a line: ${message}`, () => {
    assert.ok(searchesOf(message.repeat(100)) > 100)
    assertLinearSearches(message.repeat(100), message.repeat(400))
  })
}

/** Asserts that `long`, which is four times as long as `short`, takes at most four times as many searches. */
function assertLinearSearches(short: string, long: string): void {
  const few = searchesOf(short)
  const many = searchesOf(long)
  assert.ok(many <= 4.1 * few, `${few} searches became ${many}`)
}

function searchesOf(text: string): number {
  const before = searchCount()
  tokenize(text)
  return searchCount() - before
}

/** Asserts that `long`, which is four times as long as `short`, does not take nine times as long. */
function assertLinearTime(short: string, long: string): void {
  timeOf(short) // compiles the expressions
  for (let attempt = 0; ; attempt++) {
    const ratio = timeOf(long) / timeOf(short)
    if (ratio < 9) return
    assert.ok(attempt < 5, `four times the line took ${ratio.toFixed(1)} times as long`)
  }
}

const enough = 5 // milliseconds, so that one measurement is not all noise

/** The processor time that tokenizing `text` takes, in milliseconds: what else goes on here takes none of it. */
function timeOf(text: string): number {
  const begun = process.cpuUsage()
  let runs = 0
  let passed = 0
  do {
    tokenize(text)
    runs++
    const { user, system } = process.cpuUsage(begun)
    passed = (user + system) / 1000
  } while (passed < enough)
  return passed / runs
}

/** Tokenizes as VS Code does. */
function tokenize(text: string): void {
  let state: StateStack = textmate.INITIAL
  for (const line of text.split('\n')) {
    const result = grammar.tokenizeLine2(line, state)
    assert.ok(!result.stoppedEarly)
    state = result.ruleStack
  }
}
