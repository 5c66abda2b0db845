/** A system message that asks for another reasoning effort than the header. */
import { templateOf } from '../../semantics/template-body.ts'
import { localize } from '../../text/localize.ts'
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
  why: 'Models read the line `Reasoning: low` of the system message, and runtimes read `reasoning_effort` of the header.\nWhere they differ, the effort depends on who reads which.',
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
  check({ segment, analysis, view }) {
    const wanted = analysis.settings.reasoningEffort
    const { body } = view
    if (wanted === undefined || !body || templateOf(segment)) return undefined
    const found = effortLine.exec(segment.text.slice(body.from, body.to))
    const [line, effort] = found ?? []
    if (!found || line === undefined || effort === undefined || effort === wanted) return undefined
    const from = body.from + found.index + line.length - effort.length
    const span = { from, to: from + effort.length }
    return {
      span,
      message: localize`The YAML header sets the reasoning effort to ${quoted(wanted)}, not ${quoted(effort)}`,
      fixes: efforts.has(wanted)
        ? [{ title: localize`Write ${quoted(wanted)}`, edits: [{ span, text: wanted }], isSafe: false }]
        : [],
    }
  },
}

const effortLine = /^Reasoning: (low|medium|high)\b/m
const efforts: ReadonlySet<string> = new Set(['low', 'medium', 'high'])
