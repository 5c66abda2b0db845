/** A call of an undefined tool in a namespace that is defined. */

import type { CallVerdict } from '../../semantics/tool-calls.ts'
import { viewMessage } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { contentTypes } from '../../vocabulary/attributes.ts'
import { functionPrefix, withoutFunctionPrefix } from '../../vocabulary/roles.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { closestName, findingsOf, mayCall } from '../call-findings.ts'
import { didYouMean } from '../closest-word.ts'
import { definedTools, example, weatherTool } from '../example.ts'
import { onDemand } from '../finding-on-demand.ts'
import { tokenText } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { Finding, Fix, MessageContext, MessageRule } from '../rule.ts'

/** A namespace that is defined has no other tools than those (D19). */
export const unknownTool: MessageRule = {
  name: 'unknown-tool',
  code: 'E-CALL-SCHEMA',
  severity: 'error',
  scope: 'message',
  section: '2.2 §8.2, §14, D19',
  summary: 'A call goes to a tool that its namespace does not define',
  why: 'No tool can answer such a call.\nOnly namespaces that the transcript defines are checked.\nModels tend to append the content type to the name (`shelljson` for `shell` and `<|constrain|>json`).',
  bad: example`
    ${definedTools(weatherTool)}
    <|start|>assistant to=functions.get_wether call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo"}<|call|>
  `,
  good: example`
    ${definedTools(weatherTool)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo"}<|call|>
  `,
  concerns(facts) {
    return mayCall(facts)
  },
  check(context) {
    return findingsOf(context, 'unknown-tool', (it) => onDemand(() => findingOf(context, it)))
  },
}

function findingOf(
  { analysis, segment }: MessageContext,
  { call, namespace }: Extract<CallVerdict, { kind: 'unknown-tool' }>,
): Finding {
  const bare = withoutFunctionPrefix(call.name)
  const glued = contentTypes.find(
    ({ name }) => bare.endsWith(name) && analysis.tools.has(namespace, bare.slice(0, -name.length)),
  )?.name
  const meant =
    glued === undefined
      ? closestName(bare, analysis.tools.keysIn(namespace))
      : bare.slice(0, bare.length - glued.length)
  const prefix = call.name.startsWith(functionPrefix) ? functionPrefix : ''
  const fixes = meant === undefined ? [] : [renaming(segment, call.nameSpan, { name: prefix + meant, glued })]
  const message = didYouMean(localize`\`${namespace}\` does not define the tool ${quoted(bare)}`, meant)
  const tool = meant === undefined ? undefined : analysis.tools.tool(meant, segment)
  const related = tool && {
    segment: tool.segment,
    span: tool.source.spanOf(tool.definition.nameRange),
    message: localize`\`${tool.definition.name}\` is defined here`,
  }
  return { span: call.nameSpan, message, related: related ? [related] : [], fixes }
}

interface Meant {
  readonly name: string
  /** The content type that was glued to the name. */
  readonly glued: string | undefined
}

/** Corrects the name; a content type that was glued to it becomes a constraint where there is none. */
function renaming(segment: Segment, span: Span, { name, glued }: Meant): Fix {
  const rename = { span, text: name }
  const { message, constraint, bareContentType } = viewMessage(segment)
  const marker = tokenText(segment.framing, ControlKind.constrain)
  if (glued === undefined || !message || constraint || bareContentType || marker === undefined) {
    return { title: localize`Call ${quoted(name)}`, edits: [rename], isSafe: false }
  }
  const constrain = { span: { from: message.from, to: message.from }, text: `${marker}${glued}` }
  const edits = span.to === message.from ? [{ span, text: `${name}${marker}${glued}` }] : [rename, constrain]
  return { title: localize`Call ${quoted(name)} with ${quoted(marker + glued)}`, edits, isSafe: false }
}
