/** A body that is not what its constraint says. */
import { type JsonProblem, jsonBody } from '../../embedded/json-body.ts'
import { yamlBody } from '../../embedded/yaml-body.ts'
import type { YamlProblem } from '../../embedded/yaml-parse.ts'
import { type BodyText, bodyText } from '../../semantics/body-text.ts'
import { isCall } from '../../semantics/message-facts.ts'
import { callsIn } from '../../semantics/tool-calls.ts'
import { isTruncated } from '../message-states.ts'
import type { Finding, Fix, MessageContext, MessageRule } from '../rule.ts'

/** A body under `<|constrain|>` parses as that type (2.2 §6, D7). */
export const constraintViolation: MessageRule = {
  name: 'constraint-violation',
  code: 'E-BODY-CONSTRAINT-VIOLATION',
  severity: 'error',
  scope: 'message',
  section: '2.2 §6, §14, D7',
  summary: 'The body does not parse as the type that its header demands',
  why: 'A runtime must refuse such a message, and a tool never gets its arguments.\nThe body as meant is checked: escapes are resolved and the markers of literal blocks are left out.\nOnly `json` and `yaml` can be checked; a `content_type=` is a hint and not enforced.',
  bad: 'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a": 1,}<|call|>\n',
  good: 'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a": 1}<|call|>\n',
  check(context) {
    const { facts, segment } = context
    const type = facts.constraint
    if (type !== 'json' && type !== 'yaml') return undefined
    if (!facts.isMessage || isTruncated(facts)) return undefined
    // Valid arguments are parsed once for all rules.
    if (type === 'json' && isCall(facts) && callsIn(segment)[0]?.parsed) return undefined
    const body = bodyText(segment, facts)
    if (!body) return undefined
    const { problem } = type === 'json' ? jsonBody(body.text) : yamlBody(body.text)
    if (!problem || context.view.isCut) return undefined
    return findingOf(context, body, problem, type)
  },
}

function findingOf(
  { segment, facts, view }: MessageContext,
  body: BodyText,
  problem: JsonProblem | YamlProblem,
  type: 'json' | 'yaml',
): Finding {
  const { kind, range, message, related } = problem
  const isLimit = kind === 'too-deep' || kind === 'too-large'
  const { terminator } = view
  const isNothing = range.start === range.end && terminator !== undefined
  const fix = type === 'json' ? repairOf(body, problem) : undefined
  return {
    span: isNothing ? terminator.span : body.spanOf(range),
    message: isLimit ? message : messageOf(problem, type, isCall(facts)),
    ...(isLimit && { severity: 'information' }),
    related: related ? [{ segment, span: body.spanOf(related.range), message: related.message }] : [],
    fixes: fix ? [fix] : [],
  }
}

/** A removal that makes the body valid: of a comma too many, or of a bracket that closes nothing. */
function repairOf(body: BodyText, { kind, range }: JsonProblem | YamlProblem): Fix | undefined {
  if (kind !== 'trailing-comma' && kind !== 'extra-closer' && kind !== 'unexpected-comma') return undefined
  const repaired = body.text.slice(0, range.start) + body.text.slice(range.end)
  if (!jsonBody(repaired).ok) return undefined
  const title = `Remove \`${body.text.slice(range.start, range.end)}\``
  return { title, edits: [{ span: body.spanOf(range), text: '' }], isSafe: false }
}

/** Messages of the embedded languages are sentences of their own; most name the language already. */
function messageOf({ kind, message }: JsonProblem | YamlProblem, type: string, isCallBody: boolean): string {
  const language = type.toUpperCase()
  const text = message.includes(language) ? message : `The body is no ${language}: ${startLower(message)}`
  return kind === 'second-value' && isCallBody ? `${text}; a message makes one call` : text
}

/** Names such as `JSON` keep their capitals. */
function startLower(message: string): string {
  return /^[A-Z](?![A-Z])/.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message
}
