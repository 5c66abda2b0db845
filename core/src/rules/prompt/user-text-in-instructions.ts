/** What a user says, put into the instructions of the developer. */
import { factsOf } from '../../semantics/message-facts.ts'
import { templateOf } from '../../semantics/template-body.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { PromptRule } from '../rule.ts'

/** An input that is all that a message of the user says is the user's. */
export const userTextInInstructions: PromptRule = {
  name: 'user-text-in-instructions',
  code: 'W-USER-INSTRUCTIONS',
  severity: 'warning',
  scope: 'prompt',
  section: '2.2 §3',
  summary: 'Instructions contain an input that is the user message elsewhere',
  why: 'Models give system and developer messages more authority than user messages.\nIf the text of a user is part of them, models follow the instructions in it with the same authority.\nOnly an input that is the whole body of a user message counts as text of a user.',
  bad: example`
    version: 2.2
    inputs:
      question: { type: string }
    <|start|>developer<|message|># Instructions

    Answer in one sentence. The user asks: {{ question }}<|end|>
    <|start|>user<|message|>{{ question }}<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      question: { type: string }
    <|start|>developer<|message|># Instructions

    Answer in one sentence.<|end|>
    <|start|>user<|message|>{{ question }}<|end|>
  `,
  *check({ analysis }) {
    const ofUsers = new Set<string>()
    for (const { segment } of analysis.transcript.segments()) {
      const template = factsOf(segment)?.role === 'user' ? templateOf(segment) : undefined
      const [tag] = template?.tags ?? []
      const [name] = template?.names ?? []
      if (!template || !tag || !name || template.tags.length > 1 || template.names.length > 1) continue
      const { text } = template.source
      const rest = text.slice(0, tag.range.start) + text.slice(tag.range.end)
      if (tag.kind === 'output' && rest.trim() === '') ofUsers.add(name.name)
    }
    if (ofUsers.size === 0) return
    for (const { segment, start } of analysis.transcript.segments()) {
      const role = factsOf(segment)?.role
      if (role !== 'developer' && role !== 'system') continue
      const template = templateOf(segment)
      for (const { name, range } of template?.names ?? []) {
        const isWritten = template?.tags.some(
          (it) => it.kind === 'output' && it.range.start <= range.start && range.end <= it.range.end,
        )
        if (!template || !isWritten || !ofUsers.has(name)) continue
        const { from, to } = template.source.spanOf(range)
        yield {
          range: { start: start + from, end: start + to },
          message: localize`${quoted(name)} is the user message; here, it has the authority of instructions`,
        }
      }
    }
  },
}
