/** Transcripts to begin with. Each is well formed. */

/** A transcript to begin with. */
export interface TranscriptTemplate {
  readonly name: 'conversation' | 'reasoning' | 'tool-call' | 'preamble'
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
]
