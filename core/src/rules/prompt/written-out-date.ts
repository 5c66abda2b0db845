/** The current date, written out in a prompt that has an input for it. */
import { inputsOf } from '../../semantics/inputs.ts'
import { factsOf } from '../../semantics/message-facts.ts'
import { wholeBody } from '../../semantics/tool-declarations.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { PromptRule } from '../rule.ts'

/** Harmony has the line `Current date:` in the system message. */
export const writtenOutDate: PromptRule = {
  name: 'written-out-date',
  code: 'W-PROMPT-DATE',
  severity: 'warning',
  scope: 'prompt',
  section: '2.2 §2',
  summary: 'Instructions write out the current date, although the header declares an input for it',
  why: 'A date that is written out is wrong from the next day on, and contradicts the value that the prompt is filled with.\nOnly lines such as `Current date: 2025-08-08` are checked, in prompts with an input such as `date`, `today`, or `current_date`.',
  bad: example`
    version: 2.2
    inputs:
      current_date: { type: string }
    <|start|>system<|message|>You are a tutor.
    Current date: 2025-08-08<|end|>
    <|start|>user<|message|>Today is {{ current_date }}. Is it a holiday?<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      current_date: { type: string }
    <|start|>system<|message|>You are a tutor.
    Current date: {{ current_date }}<|end|>
    <|start|>user<|message|>Today is {{ current_date }}. Is it a holiday?<|end|>
  `,
  *check({ analysis: { header, transcript } }) {
    const input = (inputsOf(header.filled) ?? []).find(({ name }) => dateNames.has(name.toLowerCase()))
    if (!input) return
    for (const { segment, start } of transcript.segments()) {
      const facts = factsOf(segment)
      if (facts?.role !== 'system' && facts?.role !== 'developer') continue
      const source = wholeBody(segment, facts)
      const found = source && dateLine.exec(source.text)
      const [line = '', date = ''] = found ?? []
      if (!source || !found) continue
      const end = found.index + line.length
      const span = source.spanOf({ start: end - date.length, end })
      const range = { start: start + span.from, end: start + span.to }
      const text = `{{ ${input.name} }}`
      yield {
        range,
        message: localize`The date is written out, although the header declares the input ${quoted(input.name)}`,
        fixes: [{ title: localize`Write ${quoted(text)}`, edits: [{ ...range, text }], isSafe: false }],
      }
    }
  },
}

const dateLine = /^(?:Current|Today's) date: (\d{4}-\d{2}-\d{2})\b/m
const dateNames: ReadonlySet<string> = new Set([
  'date',
  'today',
  'current_date',
  'currentdate',
  'todays_date',
])
