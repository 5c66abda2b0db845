/** A call of a defined tool whose body is no JSON object. */
import type { CallVerdict } from '../../semantics/tool-calls.ts'
import { definedHere, spanIn, verdictsOf } from '../call-findings.ts'
import type { Finding, MessageContext, MessageRule } from '../rule.ts'

/** The arguments of a call are one JSON object (D19). */
export const argumentsNotAnObject: MessageRule = {
  name: 'arguments-not-an-object',
  code: 'E-CALL-SCHEMA',
  severity: 'error',
  scope: 'message',
  section: '2.2 §8.2, §14, D19',
  summary: 'The body of a tool call is not one JSON object',
  why: 'A runtime reads the arguments by their names, so the body of a call is one JSON object.\nA tool without parameters takes `{}` or an empty body.\nUnder `<|constrain|>json`, a body that is no JSON at all breaks its constraint, and that alone is reported.',
  bad: 'version: 2.2\n<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace functions {\n\ntype get_weather = (_: {\nlocation: string,\n}) => any;\n\n} // namespace functions<|end|>\n<|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>["Oslo"]<|call|>\n',
  good: 'version: 2.2\n<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace functions {\n\ntype get_weather = (_: {\nlocation: string,\n}) => any;\n\n} // namespace functions<|end|>\n<|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo"}<|call|>\n',
  check(context) {
    return verdictsOf(context, 'no-object').map((it) => findingOf(context, it))
  },
}

function findingOf(
  { view }: MessageContext,
  { call, tool, problem }: Extract<CallVerdict, { kind: 'no-object' }>,
): Finding {
  const { text } = call.body
  const name = `\`${tool.definition.name}\``
  const whole = { start: text.length - text.trimStart().length, end: text.trimEnd().length }
  const isEmpty = whole.start >= whole.end
  const terminator = view.terminator?.span
  const span = isEmpty && terminator ? terminator : spanIn(call, problem && !isEmpty ? problem.range : whole)
  const why = problem && !isEmpty ? `: ${problem.message}` : ''
  const message = isEmpty
    ? `A call of ${name} needs a JSON object with its arguments`
    : `The arguments of ${name} are not one JSON object${why}`
  return { span, message, related: [definedHere(tool)] }
}
