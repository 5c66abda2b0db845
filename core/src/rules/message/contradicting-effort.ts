/** A system message that asks for another reasoning effort than the header. */

import { type TemplateBody, templateOf } from '../../semantics/template-body.ts'
import { wholeBody } from '../../semantics/tool-declarations.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { writingFixes } from '../choice-fixes.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** The effort is in two places: for the runtime in the header, for the model in the system message (2.2 §2). */
export const contradictingEffort: MessageRule = {
  name: 'contradicting-effort',
  code: 'W-EFFORT-CONTRADICTION',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §2',
  summary: 'The system message asks for another reasoning effort than the header',
  why: 'Models read the line `Reasoning: low` of the system message, and runtimes read `reasoning_effort` of the header.\nIf they differ, the effort depends on the reader.\nIn a prompt, only lines that apply to every case are checked: those outside of tags and blocks.',
  bad: example`
    version: 2.2
    generation_settings:
      reasoning_effort: high
    <|start|>system<|message|>You are a tutor.
    Reasoning: low<|end|>
  `,
  good: example`
    version: 2.2
    generation_settings:
      reasoning_effort: high
    <|start|>system<|message|>You are a tutor.
    Reasoning: high<|end|>
  `,
  concerns(facts, { settings }) {
    return facts.role === 'system' && settings.reasoningEffort !== undefined
  },
  check({ segment, facts, analysis }) {
    const wanted = analysis.settings.reasoningEffort
    const template = templateOf(segment)
    const source = template?.source ?? wholeBody(segment, facts)
    if (wanted === undefined || !source) return undefined
    for (const { index, 0: line, 1: effort = '' } of source.text.matchAll(effortLine)) {
      const range = { start: index + line.length - effort.length, end: index + line.length }
      if (template && !isAlwaysWritten({ start: index, end: range.end }, template)) continue
      if (effort === wanted) return undefined
      const span = source.spanOf(range)
      return {
        span,
        message: localize`The YAML header sets the reasoning effort to ${quoted(wanted)}, not ${quoted(effort)}`,
        isOnTemplate: false,
        fixes: writingFixes(span, efforts.has(wanted) ? wanted : undefined),
      }
    }
    return undefined
  },
}

function isAlwaysWritten({ start, end }: Range, { tags, blocks }: TemplateBody): boolean {
  const touches = (it: Range) => it.start < end && start < it.end
  return !tags.some(({ range }) => touches(range)) && !blocks.some(touches)
}

// A tag in the line may write more of the word.
const effortLine = /^Reasoning: (low|medium|high)(?![\w{])/gm
const efforts: ReadonlySet<string> = new Set(['low', 'medium', 'high'])
