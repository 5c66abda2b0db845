/** An answer that is a tool call in disguise. */

import { jsonValue } from '../../embedded/json-body.ts'
import { isObject } from '../../embedded/json-value.ts'
import { bodyText } from '../../semantics/body-text.ts'
import { isVisible } from '../../semantics/visibility.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { channelSpan, roleSpan } from '../message-header-places.ts'
import { bodyHas, proseMatches } from '../prose.ts'
import { quoted } from '../quoted.ts'
import type { MessageContext, MessageRule } from '../rule.ts'

/** Calls are on commentary and name their tool in the header (2.2 §8). */
export const visibleToolCall: MessageRule = {
  name: 'visible-tool-call',
  code: 'H-LEAK-CALL',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §8, §11',
  summary: 'Visible text looks like a tool call',
  why: "Models that fall back to another format write the call into their answer.\nNo tool receives it, and the user sees JSON.\nAn answer in JSON is fine; this one has the members of a call: a tool's name and its arguments.\nTags and control tokens that other models write around a call or its result, such as `[TOOL_CALLS]` and `<|python_tag|>`, are reported as well.",
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>{"name": "list", "arguments": {"path": "/"}}<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.list call_id=c1<|channel|>commentary<|message|>{"path": "/"}<|call|>
  `,
  concerns(facts) {
    return facts.role === 'assistant' && isVisible(facts)
  },
  check(context) {
    const tool = toolOf(context)
    if (tool !== undefined) {
      const span = channelSpan(context.view, roleSpan(context.view))
      return {
        span,
        message: localize`The answer looks like a call to ${quoted(tool)}, but no tool receives it`,
      }
    }
    if (!signs.some((sign) => context.segment.text.includes(sign))) return undefined
    const [tag] = proseMatches(context, tags)
    const [mark] = tag ? [tag] : proseMatches(context, frames)
    if (!mark) return undefined
    return {
      span: mark.span,
      message: localize`${quoted(mark.match[0])} looks like part of a tool call, but no tool receives it`,
    }
  },
}

/** With what is around them in a call, so that text about calls is left in peace. */
/** A part of each tag that begins with a rare character, which is searched fastest. */
const signs = ['_call', '_use', '=functions.', '[TOOL_', '_tag|>', '\u2581call', 'tool\u2581', '<function=']
// Linear: what is looked at around a tag is bounded, and only a name that has ended is followed by blanks.
const tags =
  /<(?:tool_call|function_call|tool_use|function_calls)>(?=\s{0,9}[{[<])|(?<=[}\]>]\s{0,9})<\/(?:tool_call|function_call|tool_use|function_calls)>|(?<=(?:^|assistant|analysis|commentary|final)\s?)to=functions\.[\w.-]+|(?<!\S)to=functions\.[\w.-]+(?=[ \t]*(?:json|code)?[ \t]*\{)/g

/** What the templates of Mistral, Llama, DeepSeek, Kimi, and Qwen write around calls and their results. */
const frames =
  /\[TOOL_CALLS\](?=\s{0,9}(?:[[{]|[\w.-]{1,64}(?:\[ARGS\])?\{))|\[TOOL_RESULTS\](?=\s{0,9}[[{])|<\|python_tag\|>(?=\s{0,9}(?:\{|[\w.]{1,64}\())|<[|\uff5c]tool[_\u2581](?:calls?|outputs?)(?:[_\u2581]section)?[_\u2581]begin[|\uff5c]>|<function=[\w.-]{1,64}>(?=\s{0,9}(?:<parameter=|\{))/g

/** The name in an object that has the members of a call in one of the formats in use. */
function toolOf({ segment, facts }: MessageContext): string | undefined {
  if (!bodyHas(segment, '{')) return undefined
  const text = bodyText(segment, facts)?.text
  if (text === undefined || !beginning.test(text)) return undefined
  const value = jsonValue(text)
  return nameIn(Array.isArray(value) ? value[0] : value)
}

const beginning =
  /^\s*(?:\[\s*)?\{\s*"(?:name|arguments|function|type|id|tool_calls|recipient_name|parameters)"/

/** An object with other members is about something else. */
const callMembers: ReadonlySet<string> = new Set([
  ...['name', 'arguments', 'recipient_name', 'parameters', 'function', 'tool_calls'],
  ...['id', 'call_id', 'type', 'index', 'role', 'content', 'status'],
])

function nameIn(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).some((key) => !callMembers.has(key))) return undefined
  if (Array.isArray(value.tool_calls)) return nameIn(value.tool_calls[0])
  if (isObject(value.function)) return nameIn(value.function)
  const name = value.name ?? value.recipient_name
  const given = value.recipient_name === undefined ? value.arguments : value.parameters
  const isCall = isObject(given) || (typeof given === 'string' && given.trimStart().startsWith('{'))
  return typeof name === 'string' && isCall ? name : undefined
}
