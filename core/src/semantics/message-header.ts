/** The printer of message headers: what is between the start token and the body, each word in its place (2.2 §6, §8.2). */
import { type AttributeName, attributeOrder, replyAttributeOrder } from '../vocabulary/attributes.ts'
import { ControlKind, spellingOf } from '../vocabulary/tokens.ts'
import type { Message } from './message.ts'

/** The parts of a message header as they are written. */
export interface HeaderParts {
  readonly role: string
  /** `name=value`, before the channel. */
  readonly before: readonly string[]
  readonly channel?: string | undefined
  /** The words after the channel. */
  readonly behind?: readonly string[]
  /** The constraint with its token, and the space before it, if any. */
  readonly constraint?: string
}

/** The header that consists of `parts`, without the tokens around it. */
export function headerText({ role, before, channel, behind = none, constraint = '' }: HeaderParts): string {
  let text = role
  for (const word of before) text += ` ${word}`
  if (channel !== undefined) text += channelToken + channel
  for (const word of behind) text += ` ${word}`
  return text + constraint
}

const none: readonly never[] = []
const channelToken = spellingOf(ControlKind.channel)
const constrainToken = spellingOf(ControlKind.constrain)

/** The field of a message that each attribute is read into and written from. */
const fields = {
  to: 'to',
  call_id: 'callId',
  name: 'name',
  intent: 'intent',
  content_type: 'contentType',
  allow: 'allow',
} as const satisfies Readonly<Record<AttributeName, keyof Message>>

/** The fields that are what the facts of a message say, under the same names; those of the others depend on its role and its rules. */
export const factFields = Object.values(fields).filter((it) => it !== 'name' && it !== 'allow')

/** A word of a header: the field of the message that holds it. */
export type HeaderField = 'role' | 'channel' | 'constraint' | (typeof fields)[AttributeName]

/** The value of the attribute `name` of `message`; undefined if it has none. */
export function attributeValue(message: Pick<Message, HeaderField>, name: AttributeName): string | undefined {
  return message[fields[name]]
}

/** The header of `message` as the specification writes it; `word` makes each value one that a header can hold. */
export function headerOfMessage(
  message: Pick<Message, HeaderField>,
  word: (value: string, field: HeaderField) => string = (value) => value,
): string {
  const { role, channel, constraint } = message
  const before: string[] = []
  for (const name of orderFor(role)) {
    const field = fields[name]
    const value = message[field]
    if (value !== undefined) before.push(`${name}=${word(value, field)}`)
  }
  return headerText({
    role: word(role, 'role'),
    before,
    channel: channel === undefined ? undefined : word(channel, 'channel'),
    constraint: constraint === undefined ? '' : constrainToken + word(constraint, 'constraint'),
  })
}

/** The attributes in the order in which a message of `role` has them. */
export function orderFor(role: string | undefined): readonly AttributeName[] {
  return role === 'tool' ? replyAttributeOrder : attributeOrder
}

/** `attributes` in `order`, then those that are not in it, as they were. */
export function inOrder<Attribute>(
  attributes: readonly Attribute[],
  order: readonly string[],
  nameOf: (attribute: Attribute) => string,
): readonly Attribute[] {
  const rank = (it: Attribute) => {
    const index = order.indexOf(nameOf(it))
    return index === -1 ? order.length : index
  }
  return attributes.toSorted((one, other) => rank(one) - rank(other))
}
