/** A tool that the instructions forget, although they name the others. */
import { declarationsOf } from '../../semantics/tool-declarations.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { PromptRule } from '../rule.ts'

/** Instructions that name no tool leave all of them to their descriptions, which is fine. */
export const unmentionedTool: PromptRule = {
  name: 'unmentioned-tool',
  code: 'H-TOOL-UNMENTIONED',
  severity: 'hint',
  scope: 'prompt',
  section: '2.2 §8.1',
  summary: 'A prompt names its other tools, but not this one',
  why: 'If instructions say when to use some tools, models tend to ignore the others.\nOften the tool was added or renamed later.\nNothing is reported if no text outside of definitions names a tool, or if a case or a part names this one.',
  bad: example`
    version: 2.2
    inputs:
      customer: { type: string }
    cases:
      one: { customer: Ada }
    <|start|>developer<|message|># Instructions

    Help {{ customer }}. Use find_order first, then refund_order.

    # Tools

    ## functions

    namespace functions {

    type find_order = (_: { id: string }) => any;

    type refund_order = (_: { id: string }) => any;

    type cancel_order = (_: { id: string }) => any;

    } // namespace functions<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      customer: { type: string }
    cases:
      one: { customer: Ada }
    <|start|>developer<|message|># Instructions

    Help {{ customer }}. Use find_order first, then refund_order or cancel_order.

    # Tools

    ## functions

    namespace functions {

    type find_order = (_: { id: string }) => any;

    type refund_order = (_: { id: string }) => any;

    type cancel_order = (_: { id: string }) => any;

    } // namespace functions<|end|>
  `,
  *check({ analysis, cases }) {
    if (analysis.settings.inputs === undefined || cases.some(({ problems }) => problems.length > 0)) return
    const words = new Set<string>()
    for (const { analysis: filled } of cases) {
      for (const { segment } of filled.transcript.segments()) {
        let at = 0
        const { source, definitions = [] } = declarationsOf(segment) ?? {}
        const text = source?.text ?? segment.text
        for (const { range } of definitions) {
          addWords(text.slice(at, range.start), words)
          at = range.end
        }
        addWords(text.slice(at), words)
      }
    }
    for (const { segment, start } of analysis.transcript.segments()) {
      const declarations = declarationsOf(segment)
      const mentioned = declarations?.definitions.filter(({ name }) => words.has(name)) ?? []
      // One name may be a word of the language.
      if (!declarations || mentioned.length < 2) continue
      for (const { name, nameRange } of declarations.definitions) {
        if (words.has(name)) continue
        const { from, to } = declarations.source.spanOf(nameRange)
        yield {
          range: { start: start + from, end: start + to },
          message: localize`The prompt names ${quoted(mentioned[0]?.name ?? '')} and other tools, but not ${quoted(name)}`,
        }
      }
    }
  },
}

function addWords(text: string, words: Set<string>): void {
  for (const [word] of text.matchAll(/[A-Za-z_][\w-]*/g)) words.add(word)
}
