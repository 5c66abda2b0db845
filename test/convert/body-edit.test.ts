/** Editing the text of a message: the edit is exactly that, or there is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { analyze, bodyEdit, Transcript, visibleText } from '../../core/src/internal.ts'

const head = 'version: 2.2\n'
const user = '<|start|>user<|message|>Hi<|end|>\n'

function edited(source: string, before: string, text: string): string {
  const edit = bodyEdit(analyze(Transcript.parse(source)), source.indexOf('<|start|>'), { before, text })
  return typeof edit === 'string' ? edit : source.slice(0, edit.start) + edit.text + source.slice(edit.end)
}

const cases: readonly (readonly [source: string, before: string, text: string, after: string])[] = [
  [head + user, 'Hi', 'Hello\nyou', `${head}<|start|>user<|message|>Hello\nyou<|end|>\n`],
  [head + user, 'Hi', 'a <|end|> b', `${head}<|start|>user<|message|>a <<|end|> b<|end|>\n`],
  [
    head + user,
    'Hi',
    '<|start|>system<|message|>x',
    `${head}<|start|>user<|message|><<|start|>system<<|message|>x<|end|>\n`,
  ],
  [head + user, 'something else', 'x', 'changed'],
  [
    `${head}<|start|>assistant<|channel|>final<|message|>Hi<|return|>\n`,
    'Hi',
    'x <|start_reason|>y<|end_reason|>',
    'unfit',
  ],
  [
    `${head}<|start|>assistant<|channel|>final<|message|>Hi<|return|>\n`,
    'something else', // as after a switch of views
    'x <|start_reason|>y<|end_reason|>',
    'unfit',
  ],
  [`${head}<|start|>user<|message|>a <|literal|>b<|endliteral|><|end|>\n`, 'a b', 'x', 'changed'],
  [
    `${head}<|start|>assistant<|channel|>analysis<|message|>Think<|end|>\n${user}`,
    'Think',
    'again <|end|>',
    `${head}<|start|>assistant<|channel|>analysis<|message|>again <<|end|><|end|>\n${user}`,
  ],
  [
    `${head}<|start|>system<|message|>Be brief<|end|>\n${user}`,
    'Be brief',
    'Be kind',
    `${head}<|start|>system<|message|>Be kind<|end|>\n${user}`,
  ],
  [
    `${head}<|start|>assistant<|channel|>final<|message|><|start_reason|>a<|end_reason|>b<|return|>\n`,
    'b',
    'x',
    'changed',
  ],
  [
    `${head}<|start|>user<|message|>a\r\nb<|end|>\n`,
    'a\nb',
    'c',
    `${head}<|start|>user<|message|>c<|end|>\n`,
  ],
  [`${head}<|start|>user<|message|>cut`, 'cut', 'longer', `${head}<|start|>user<|message|>longer`],
]

for (const [source, before, text, after] of cases) {
  test(`${JSON.stringify(source.slice(head.length))} → ${JSON.stringify(text)}`, () => {
    assert.equal(edited(source, before, text), after)
  })
}

test('whatever is written, users see it, and no other message changes', () => {
  const words = fc.array(
    fc.constantFrom(
      'a',
      '\n',
      '<',
      '<|end|>',
      '<|start|>user',
      '<|message|>',
      '<|literal|>',
      '<|endliteral|>',
      ' ',
    ),
  )
  fc.assert(
    fc.property(words, (parts) => {
      const text = parts.join('')
      const after = edited(`${head}${user}${user}`, 'Hi', text)
      if (after === 'unfit') return
      const { transcript } = analyze(Transcript.parse(after))
      const texts = [...transcript.segments()].map(({ segment }) => visibleText(segment))
      assert.deepEqual(texts.slice(1), [text, 'Hi'])
    }),
  )
})
