/** A body that is not what its constraint says. */

import { type JsonProblem, jsonBody } from '../../embedded/json-body.ts'
import { yamlBody } from '../../embedded/yaml-body.ts'
import type { YamlProblem } from '../../embedded/yaml-data.ts'
import { type BodyText, bodyText } from '../../semantics/body-text.ts'
import { isCall } from '../../semantics/message-facts.ts'
import { callsIn } from '../../semantics/tool-calls.ts'
import { localize } from '../../text/localize.ts'
import { callPerValue } from '../call-per-value.ts'
import { example } from '../example.ts'
import { jsonRepairFix } from '../json-repair-fix.ts'
import { isTruncated } from '../message-states.ts'
import type { Finding, Fix, MessageContext, MessageRule } from '../rule.ts'

/** A body under `<|constrain|>` parses as that type (2.2 §6, D7). */
export const constraintViolation: MessageRule = {
  name: 'constraint-violation',
  code: 'E-BODY-CONSTRAINT-VIOLATION',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, §14, D7',
  summary: 'The body is not valid for the type that its message header requires',
  why: 'A runtime must reject such a message, and the tool never receives its arguments.\nThe body is checked with escapes resolved and without the markers of literal blocks.\nOnly `json` and `yaml` can be checked; a `content_type=` is a hint and not enforced.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a": 1,}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a": 1}<|call|>
  `,
  concerns(facts) {
    return facts.constraint !== undefined && facts.isMessage && !isTruncated(facts)
  },
  check(context) {
    const { facts, segment } = context
    const type = facts.constraint
    if (type !== 'json' && type !== 'yaml') return undefined
    // Valid arguments are parsed once for all rules.
    if (type === 'json' && isCall(facts) && callsIn(segment)[0]?.value !== undefined) return undefined
    const body = bodyText(segment, facts)
    if (!body) return undefined
    const { problem } = type === 'json' ? jsonBody(body.text) : yamlBody(body.text)
    if (!problem || context.view.isCut) return undefined
    return findingOf(context, body, problem, type)
  },
}

function findingOf(
  context: MessageContext,
  body: BodyText,
  problem: JsonProblem | YamlProblem,
  type: 'json' | 'yaml',
): Finding {
  const { segment, facts, view } = context
  const { kind, range, message, related } = problem
  const isLimit = kind === 'too-deep' || kind === 'too-large'
  const { terminator } = view
  const isNothing = range.start === range.end && terminator !== undefined
  return {
    span: isNothing ? terminator.span : body.spanOf(range),
    message: isLimit ? message : messageOf(problem, type, isCall(facts)),
    ...(isLimit && { severity: 'information' }),
    related: related ? [{ segment, span: body.spanOf(related.range), message: related.message }] : [],
    fixes: type === 'json' ? fixesOf(context, body, problem as JsonProblem) : [],
  }
}

/** Valid JSON where it is clear what was meant, or one call for each value. */
function fixesOf(context: MessageContext, body: BodyText, problem: JsonProblem): readonly Fix[] {
  const split = problem.kind === 'second-value' ? callPerValue(context, problem.range.start) : undefined
  const repair = split ?? jsonRepairFix(body, problem)
  return repair ? [repair] : []
}

/** Messages of the embedded languages are sentences of their own; most name the language already. */
function messageOf({ kind, message }: JsonProblem | YamlProblem, type: string, isCallBody: boolean): string {
  const language = type.toUpperCase()
  const text = message.includes(language)
    ? message
    : localize`The body is not valid ${language}: ${startLower(message)}`
  return kind === 'second-value' && isCallBody ? localize`${text}; a message can make only one call` : text
}

/** Names such as `JSON` keep their capitals. */
function startLower(message: string): string {
  return /^[A-Z](?![A-Z])/.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message
}
