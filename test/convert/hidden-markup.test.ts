/** What is marked as reasoning in an answer is hidden, however marks of several kinds are in each other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { shownTextOf } from '../../core/src/conversation/message-visibility.ts'
import { readConversation } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

type Marks = readonly (readonly [begin: string, end: string])[]

/** Marks that count anywhere. */
const sure: Marks = [
  ['<think>', '</think>'],
  ['<Thinking effort="low">', '</Thinking>'],
  ['<seed:think>', '</seed:think>'],
  ['<thoughts>', '</thoughts>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|start_think|>', '<|end_think|>'],
  ['<|inner_prefix|>', '<|inner_suffix|>'],
  ['<|channel>thought\n', '<channel|>'],
  ['<details type="reasoning" done="true">', '</details>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
]
/** Marks that count where nothing that users see is before them. */
const first: Marks = [
  ['&lt;think&gt;', '&lt;/think&gt;'],
  ['＜think＞', '＜/think＞'],
  ['< think>', '</ think>'],
  ['<analysis>', '</analysis>'],
  ['<reason>', '</reason>'],
]
const sign = fc.constantFrom(...sure)
const anySign = fc.constantFrom(...sure, ...first)

/** A hidden text, perhaps with others in it. */
const { hidden } = fc.letrec<{ hidden: string }>((tie) => ({
  hidden: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('SECRET', ' SECRET\n', '<tool_call>SECRET</tool_call>'),
    fc
      .tuple(tie('hidden'), anySign, tie('hidden'), tie('hidden'))
      .map(([before, [begin, end], inner, after]) => before + begin + inner + end + after),
    // One that is never closed. Of one that is sure, the next end would be taken for its own.
    fc.tuple(fc.constantFrom(...first), tie('hidden')).map(([[begin], inner]) => begin + inner),
  ),
}))

/** Texts that users see, and hidden ones between them. */
const answer = fc
  .tuple(
    fc.option(fc.tuple(anySign, hidden), { freq: 3 }),
    fc.array(fc.tuple(fc.constantFrom('Seen.', 'a < b\n'), sign, hidden), { maxLength: 3 }),
    fc.constantFrom('Seen.', '`</think>` Seen.'), // without it, a name of data in tags is around data
  )
  .map(([begin, others, end]) => {
    const marked = ([[from, to], inner]: readonly [readonly [string, string], string]) => from + inner + to
    const head = begin === null ? '' : marked(begin)
    return `${head}${others.map(([seen, own, inner]) => seen + marked([own, inner])).join('')}${end}`
  })

test('what is marked is hidden, in whatever is around it', () => {
  fc.assert(
    fc.property(answer, (content) => {
      const sample = {
        messages: [
          { role: 'user', content: 'U' },
          { role: 'assistant', content },
        ],
      }
      const { conversation } = readConversation(JSON.stringify(sample), { from: 'messages' })
      for (const message of conversation.messages)
        assert.doesNotMatch(shownTextOf(message) ?? '', /SECRET/, content)
    }),
    { numRuns: 10 * propertyRuns },
  )
})
