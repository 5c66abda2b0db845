/**
 * Grammar and parser find the same control tokens, escapes and header words: on every fixture and sample, and the
 * same structure on random text. What a grammar cannot know, because it sees one line at a time, is listed with its reason.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { grammarMarks, hasOpenLiteral, isStructural, parserMarks } from './marks.ts'
import { loadGrammar } from './textmate-grammar.ts'

const grammar = await loadGrammar()

/** Fixtures that need later lines or settings to be read. Each must differ, so that the list stays true. */
const beyondGrammars: ReadonlyMap<string, string> = new Map([
  ['decisions/d01-indented-start.ocm', 'no line of the document begins with a start token'],
  ['decisions/d01-no-line-begins.ocm', 'no line of the document begins with a start token'],
  ['decisions/d09-unterminated-after-closed.ocm', 'whether a literal block is closed further down'],
  ['decisions/d09-unterminated-twice.ocm', 'whether a literal block is closed further down'],
  ['decisions/d09-unterminated.ocm', 'whether a literal block is closed further down'],
  ['decisions/dialect-forced-harmony.ocm', 'whether a literal block is closed further down'],
])

for (const folder of ['test/fixtures', 'samples']) {
  for (const name of transcriptsIn(folder)) {
    const reason = beyondGrammars.get(name)
    test(`${folder}/${name}${reason ? ` is beyond grammars: ${reason}` : ''}`, () => {
      const text = readFileSync(join(folder, name), 'utf8')
      const marks = grammarMarks(grammar, text)
      if (reason === undefined) assert.deepEqual(marks, parserMarks(text))
      else assert.notDeepEqual(marks, parserMarks(text))
    })
  }
}

function transcriptsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((it) => it.replaceAll('\\', '/'))
    .filter((it) => it.endsWith('.ocm'))
    .sort()
}

/** Begins messages, in every kind of body. */
const openings = [
  '<|start|>user<|message|>',
  '<|start|>developer<|message|>',
  '<|start|>assistant<|channel|>final<|message|>',
  '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":',
  '<|start|>assistant to=python<|channel|>analysis<|message|>',
  '<|start|>assistant content_type=yaml<|message|>',
  '<|start|>tool name=functions.f<|message|>{',
]

const tokens = [
  ...['<|start|>', '<|channel|>', '<|message|>', '<|constrain|>', '<|call|>', '<|return|>', '<|end|>'],
  ...['<|literal|>', '<|endliteral|>', '<<|end|>', '<<|start|>user', '<<<|literal|>', '<|start_reason|>'],
  ...['<', '<|', '|>', 'user', 'final', ' to=functions.f', ' content_type=json', ' json', '='],
]

/** What opens something in an embedded language, or closes it. */
const openers = [
  ...['"', "'", '"""', '`', '```', '```\n', '```ts\n', '/*', '*/', '//', '${', '{', '}', '[', ']', '(', '\\'],
  ...[
    '# ',
    '**',
    '- ',
    '> ',
    '<b>',
    '<!--',
    '---',
    'a: |\n',
    'namespace f {\n',
    '}\n',
    'type g = (_: {',
    '\n    ',
  ],
  ...[' ', '\t', '\n', '\n', '\r\n', 'x', '😀'],
]

test('random text has the same structure for both', () => {
  const pieces = fc.array(fc.constantFrom(...openings, ...tokens, ...tokens, ...openers, ...openers), {
    minLength: 2,
    maxLength: 40,
    size: 'max',
  })
  checkStructure(
    pieces.map((it) => `<|start|>user<|message|>Hi<|end|>\n${it.join('')}`),
    // Beyond grammars: a role on the next line, and half a token glued to the role, which makes it another word.
    (text) => !hasOpenLiteral(text) && !/<\|start\|>\s*(?:[\r\n]|\w*<\|(?![a-z]+\|>))/.test(text),
  )
})

test('random text of 0.1 has the same structure for both', () => {
  const turns = [
    '<|im_start|>user\n',
    '<|im_start|>assistant name=x\n',
    '<|im_end|>',
    '<|im_end|>\n',
    '<|im_start|>',
  ]
  const markers = [
    '<|reason|>',
    '<|start_reason|>',
    '\n<|function_call|>\n',
    '<|function_list|>{',
    'tool',
    'system',
  ]
  const pieces = fc.array(
    fc.constantFrom(...turns, ...turns, ...markers, ...openers, '<|end|>', '<|literal|>'),
    {
      minLength: 2,
      maxLength: 40,
      size: 'max',
    },
  )
  checkStructure(
    pieces.map((it) => `<|im_start|>user\nHi<|im_end|>\n${it.join('')}`),
    // Also beyond the grammar: a token of another dialect glued to the role, which makes it another word.
    (text) => !/<\|im_start\|>(?:\s*[\r\n]|\s*\w*<\|(?!im_))/.test(text),
  )
})

function checkStructure(texts: fc.Arbitrary<string>, isWithinGrammars: (text: string) => boolean): void {
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(isWithinGrammars(text))
      const structure = (marks: readonly string[]) => marks.filter(isStructural)
      assert.deepEqual(structure(grammarMarks(grammar, text)), structure(parserMarks(text)))
    }),
    { numRuns: 3 * propertyRuns, maxSkipsPerRun: 20 },
  )
}
