/** A call of a defined tool whose body is not a JSON object. */

import { jsonValue } from '../../embedded/json-body.ts'
import { argumentsSchema } from '../../embedded/tool-arguments.ts'
import { placeholder } from '../../embedded/tool-placeholder.ts'
import type { CallVerdict } from '../../semantics/tool-calls.ts'
import { inBackticks } from '../../text/in-backticks.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { definedHere, findingsOf, mayCall, spanIn } from '../call-findings.ts'
import { definedTools, example, weatherTool } from '../example.ts'
import { jsonRepairFix } from '../json-repair-fix.ts'
import type { Finding, Fix, MessageContext, MessageRule } from '../rule.ts'

/** The arguments of a call are one JSON object (D19). */
export const argumentsNotAnObject: MessageRule = {
  name: 'arguments-not-an-object',
  code: 'E-CALL-SCHEMA',
  severity: 'error',
  scope: 'message',
  section: '2.2 §8.2, §14, D19',
  summary: 'The body of a tool call is not a single JSON object',
  why: 'A runtime reads the arguments by their names, so the body of a call must be a single JSON object.\nA tool without parameters takes `{}` or an empty body.\nUnder `<|constrain|>json`, a body that is not JSON at all violates its constraint, and only that is reported.',
  bad: example`
    ${definedTools(weatherTool)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>["Oslo"]<|call|>
  `,
  good: example`
    ${definedTools(weatherTool)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo"}<|call|>
  `,
  concerns(facts) {
    return mayCall(facts)
  },
  check(context) {
    return findingsOf(context, 'no-object', (it) => findingOf(context, it))
  },
}

function findingOf({ view }: MessageContext, verdict: Extract<CallVerdict, { kind: 'no-object' }>): Finding {
  const { call, tool, problem } = verdict
  const { text } = call.body
  const name = inBackticks(tool.definition.name)
  const whole = { start: text.length - text.trimStart().length, end: text.trimEnd().length }
  const isEmpty = whole.start >= whole.end
  const terminator = view.terminator?.span
  const span = isEmpty && terminator ? terminator : spanIn(call, problem && !isEmpty ? problem.range : whole)
  const message = isEmpty
    ? localize`A call to ${name} needs a JSON object with its arguments`
    : problem
      ? localize`The arguments of ${name} are not a JSON object: ${problem.message}`
      : localize`The arguments of ${name} are not a JSON object`
  return {
    span,
    message,
    related: [definedHere(tool)],
    fixes: isEmpty ? emptyFix(verdict) : fixesOf(verdict, whole),
  }
}

type NoObject = Extract<CallVerdict, { kind: 'no-object' }>

/** The required arguments with values to begin with. */
function emptyFix({ call, tool }: NoObject): readonly Fix[] {
  const schema = argumentsSchema(tool.definition)
  if (!schema) return []
  const edits = [{ span: spanIn(call, { start: 0, end: call.body.text.length }), text: placeholder(schema) }]
  return [{ title: localize`Insert the required arguments`, edits, isSafe: false }]
}

/** The object that is in a list, or in a string; or what makes the text JSON. */
function fixesOf({ call, problem }: NoObject, whole: Range): readonly Fix[] {
  if (problem) {
    const fix = jsonRepairFix(call.body, problem)
    return fix ? [fix] : []
  }
  const value: unknown = call.value
  const inner = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : decoded(value)
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return []
  const title = Array.isArray(value)
    ? localize`Unwrap the object from the list`
    : localize`Write the object instead of a string`
  const text =
    typeof value === 'string' ? value.trim() : call.body.text.slice(whole.start + 1, whole.end - 1).trim()
  return [{ title, edits: [{ span: spanIn(call, whole), text }], isSafe: false }]
}

/** What a string that holds JSON stands for. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined
  return jsonValue(value)
}
