/** Transcripts to begin with. Each is well formed. */
import { Transcript } from '../document/transcript.ts'
import { viewMessage } from '../syntax/message-view.ts'
import { escapedForSnippet } from '../text/snippet-text.ts'

/** A transcript to begin with. */
export interface TranscriptTemplate {
  readonly name: 'empty' | 'conversation' | 'reasoning' | 'tool-call' | 'preamble' | 'prompt'
  readonly text: string
}

const calculator = `<|start|>developer<|message|># Tools

## functions

namespace functions {

// Evaluates an arithmetic expression.
type calculate = (_: {
// For example 2 * (3 + 4)
expression: string,
}) => any;

} // namespace functions<|end|>
`

/** The templates, the simplest first. */
export const transcriptTemplates: readonly TranscriptTemplate[] = [
  {
    name: 'empty',
    text: `version: 2.2

<|start|>user<|message|><|end|>
`,
  },
  {
    name: 'conversation',
    text: `version: 2.2

<|start|>system<|message|>You are a helpful assistant.<|end|>
<|start|>user<|message|>What is 2 + 2?<|end|>
<|start|>assistant<|channel|>final<|message|>4.<|return|>
`,
  },
  {
    name: 'reasoning',
    text: `version: 2.2

<|start|>system<|message|>You are a helpful assistant.<|end|>
<|start|>user<|message|>What is 2 + 2?<|end|>
<|start|>assistant<|channel|>analysis<|message|>Simple arithmetic; answer directly.<|end|>
<|start|>assistant<|channel|>final<|message|>4.<|return|>
`,
  },
  {
    name: 'tool-call',
    text: `version: 2.2

<|start|>system<|message|>You are a helpful assistant.<|end|>
${calculator}<|start|>user<|message|>What is 17 * 23?<|end|>
<|start|>assistant<|channel|>analysis<|message|>Use the calculator.<|end|>
<|start|>assistant to=functions.calculate call_id=call_1<|channel|>commentary<|constrain|>json<|message|>{"expression":"17 * 23"}<|call|>
<|start|>tool name=functions.calculate call_id=call_1 to=assistant<|channel|>commentary<|message|>{"ok":true,"content":391,"error":null}<|end|>
<|start|>assistant<|channel|>final<|message|>17 × 23 is 391.<|return|>
`,
  },
  {
    name: 'preamble',
    text: `version: 2.2

<|start|>system<|message|>You are a helpful assistant.<|end|>
${calculator}<|start|>user<|message|>Add up 12, 30 and 58, then halve the sum.<|end|>
<|start|>assistant intent=preamble<|channel|>commentary<|message|>I will add the numbers and halve the sum.<|end|>
<|start|>assistant to=functions.calculate call_id=call_1<|channel|>commentary<|constrain|>json<|message|>{"expression":"(12 + 30 + 58) / 2"}<|call|>
<|start|>tool name=functions.calculate call_id=call_1 to=assistant<|channel|>commentary<|message|>{"ok":true,"content":50,"error":null}<|end|>
<|start|>assistant<|channel|>final<|message|>The sum is 100, and half of it is 50.<|return|>
`,
  },
  {
    name: 'prompt',
    text: `version: 2.2
inputs:
  customer: { type: string, description: The name of the person who asks }
  question: { type: string }
cases:
  first: { customer: Ada, question: Where is my order? }

<|start|>developer<|message|># Instructions

You help {{ customer }} with orders.<|end|>
<|start|>user<|message|>{{ question }}<|end|>
`,
  },
]

/** The template as a snippet whose tab stops are the bodies, in their order; the last one is its end. */
export function templateSnippet({ text }: TranscriptTemplate): string {
  let snippet = ''
  let written = 0
  let stop = 0
  let start = 0
  Transcript.parse(text).forEachSegment((segment) => {
    const body = segment.kind === 'message' ? viewMessage(segment).body : undefined
    const from = start + (body?.from ?? 0)
    const to = start + (body?.to ?? 0)
    start += segment.length
    if (!body) return
    const content = escapedForSnippet(text.slice(from, to))
    snippet += `${escapedForSnippet(text.slice(written, from))}\${${++stop}:${content}}`
    written = to
  })
  return `${snippet}${escapedForSnippet(text.slice(written))}$0`
}
