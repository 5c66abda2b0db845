/** The steps of a conversation that evaluation compares: what users say, what tools are asked and reply, and what is answered. */
import {
  type Conversation,
  type ConversationMessage,
  isCallMessage,
  textOf,
} from '../conversation/conversation.ts'
import { isTooDeep, parseJson } from '../conversation/json-input.ts'
import { shownTextOf } from '../conversation/message-visibility.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import type { Range } from '../text/range.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'

/** What a step is. */
export type StepKind = 'user' | 'call' | 'reply' | 'answer'

/** A step. */
export interface Step {
  readonly kind: StepKind
  /** The tool of a call or reply without the namespace `functions`; empty if it has no name. */
  readonly tool: string
  /** What it says, escapes resolved; of an answer, what users see. */
  readonly text: string
  /** The arguments of a call, or the JSON of a reply; undefined if the text is not JSON. */
  readonly value: JsonValue | undefined
  /** The number of the message in its conversation, from 0. */
  readonly message: number
  /** Where the message is in its source, if that is text. */
  readonly range: Range | undefined
}

/** The steps of `conversation` in order. Instructions, reasoning, and other text that users do not see are not steps. */
export function stepsOf({ messages }: Pick<Conversation, 'messages'>): readonly Step[] {
  return messages.flatMap((message, index) => stepOf(message, index) ?? [])
}

function stepOf(message: ConversationMessage, index: number): Step | undefined {
  const place = { message: index, range: message.range }
  if (isCallMessage(message)) return toolStep('call', message.to, message, place)
  if (message.role === 'tool') return toolStep('reply', message.name, message, place)
  const shown = shownTextOf(message)
  if (shown === undefined) return undefined
  const kind = message.role === 'user' ? 'user' : 'answer'
  return { kind, tool: '', text: shown, value: undefined, ...place }
}

function toolStep(
  kind: 'call' | 'reply',
  name: string | undefined,
  message: ConversationMessage,
  place: Pick<Step, 'message' | 'range'>,
): Step {
  const text = textOf(message)
  return { kind, tool: withoutFunctionPrefix(name ?? ''), text, value: jsonIn(text), ...place }
}

/** JSON that is nested too deep is text. Integers with more digits than numbers have are strings: each is another value. */
function jsonIn(text: string): JsonValue | undefined {
  try {
    const value = parseJson(text)
    if (isTooDeep(value)) return undefined
    return longInteger.test(text) ? parseJson(text.replace(stringOrInteger, exactly)) : value
  } catch {
    return undefined // text
  }
}

const longInteger = /\d{16}/
// Linear: this is valid JSON, in which all strings are closed.
const stringOrInteger = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?/g

function exactly(token: string): string {
  return /^-?\d{16,}$/.test(token) ? `"${token}"` : token
}
