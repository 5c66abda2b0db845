/**
 * Facts of a message whose header has nothing unusual, straight from its tokens: nearly all messages of nearly all
 * documents, and the reason why a large document opens quickly. Anything else is left to the view, and a property
 * test holds the two to the same answers.
 */

import type { Segment } from '../syntax/segment.ts'
import { type TokenBuffer, TokenKind } from '../syntax/token-run.ts'
import type { AttributeName } from '../vocabulary/attributes.ts'
import { type Channel, channelOf, channels } from '../vocabulary/channels.ts'
import { type Role, roles } from '../vocabulary/roles.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import { beginsAsArguments, FactFlag, FactsRecord, type FactWords } from './facts-record.ts'

/** The facts of the message with these tokens, or undefined if it takes a closer look. */
export function regularFacts(segment: Segment, tokens: TokenBuffer): FactsRecord | undefined {
  const { text, framing } = segment
  if (framing.name !== 'openchatml') return undefined
  const { kinds, ends, count } = tokens
  if (kinds[1] !== TokenKind.role) return undefined
  let from = ends[1] as number
  const role = wordAt(roleWords, text, ends[0] as number, from)
  if (role === undefined) return undefined
  reset(role)
  let flags: number = FactFlag.isMessage | FactFlag.isPlainBody
  if (role === 'developer') flags |= FactFlag.usesVersion2
  let section: number = TokenKind.start
  let index = 2
  for (; ; index++) {
    if (index >= count) return undefined
    const kind = kinds[index] as TokenKind
    const to = ends[index] as number
    if (kind === TokenKind.message) break
    if (kind === TokenKind.attributeName) {
      const value = ends[index + 2] as number
      if (index + 2 >= count || kinds[index + 2] !== TokenKind.attributeValue) return undefined
      if (!takeAttribute(text, from, to, value, section)) return undefined
      index += 2
      from = value
      continue
    }
    if (kind === TokenKind.channel) {
      if (section !== TokenKind.start || kinds[index + 1] !== TokenKind.channelName) return undefined
      const end = ends[index + 1] as number
      const channel = wordAt(channelWords, text, to, end)
      if (channel === undefined) return undefined
      words.channel = channel
      flags |= FactFlag.hasChannel | FactFlag.usesVersion2
      section = kind
      index++
      from = end
      continue
    }
    if (kind === TokenKind.constrain) {
      if (section !== TokenKind.channel || kinds[index + 1] !== TokenKind.constraintName) return undefined
      const end = ends[index + 1] as number
      words.constraint = constraintAt(text, to, end)
      section = kind
      index++
      from = end
      continue
    }
    if (kind !== TokenKind.blank) return undefined
    from = to
  }
  const bodyStart = ends[index] as number
  index++
  if (index < count && kinds[index] === TokenKind.text) index++
  if (index < count && !isTerminator(kinds[index] as ControlKind)) return undefined
  if (index < count) words.terminator = kinds[index] as ControlKind
  const isAtEnd = index + 1 >= count || (index + 2 === count && kinds[index + 1] === TokenKind.blank)
  if (!isAtEnd) return undefined
  if (words.to !== undefined) flags |= FactFlag.hasRecipient
  if (
    words.hasVersion2Attribute ||
    words.terminator === ControlKind.call ||
    words.terminator === ControlKind.return
  ) {
    flags |= FactFlag.usesVersion2
  }
  if (words.terminator === ControlKind.call && role === 'assistant') {
    if (beginsAsArguments(text.slice(bodyStart, ends[index - 1]))) flags |= FactFlag.isArguments
  }
  return new FactsRecord(words, flags)
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** Scratch, so that reading a message makes one object and not two. */
const words: Mutable<FactWords> & { hasVersion2Attribute: boolean } = {
  role: undefined,
  roleWord: undefined,
  channel: undefined,
  to: undefined,
  callId: undefined,
  name: undefined,
  intent: undefined,
  contentType: undefined,
  constraint: undefined,
  terminator: ControlKind.none,
  hasVersion2Attribute: false,
}

function reset(role: Role): void {
  words.role = role
  words.roleWord = role
  words.channel = 'final'
  words.to = undefined
  words.callId = undefined
  words.name = undefined
  words.intent = undefined
  words.contentType = undefined
  words.constraint = undefined
  words.terminator = ControlKind.none
  words.hasVersion2Attribute = false
}

/** Takes an attribute that may stand where it stands; false for a second one, an unknown one, or a late one. */
function takeAttribute(text: string, from: number, nameEnd: number, end: number, section: number): boolean {
  const name = wordAt(attributeWords, text, from, nameEnd)
  if (name === undefined) return false
  const isLate = section !== TokenKind.start
  switch (name) {
    case 'to':
      if (words.to !== undefined) return false
      words.to = text.slice(nameEnd + 1, end)
      break
    case 'call_id':
      if (isLate || words.callId !== undefined) return false
      words.callId = text.slice(nameEnd + 1, end)
      break
    case 'name':
      if (isLate || words.name !== undefined) return false
      words.name = text.slice(nameEnd + 1, end)
      return true
    case 'intent':
      if (words.intent !== undefined) return false
      words.intent = text.slice(nameEnd + 1, end)
      break
    case 'content_type':
      if (words.contentType !== undefined) return false
      words.contentType = text.slice(nameEnd + 1, end)
      break
    default:
      name satisfies never
  }
  words.hasVersion2Attribute = true
  return true
}

/** The usual constraint is kept once, not once per message. */
function constraintAt(text: string, from: number, to: number): string {
  return to - from === 4 && text.startsWith('json', from) ? 'json' : text.slice(from, to)
}

/** Words by their first letter, which tells them apart. */
type WordTable<Name extends string> = readonly (Name | undefined)[]

const roleWords = tableOf<Role>(roles.map(({ name }) => name))
const channelWords = tableOf<Channel>(channels.map(({ name }) => name).filter((it) => channelOf(it) === it))
const attributeWords = tableOf<AttributeName>(['to', 'call_id', 'name', 'intent'])

function tableOf<Name extends string>(names: readonly Name[]): WordTable<Name> {
  const table: (Name | undefined)[] = new Array(128).fill(undefined)
  for (const name of names) table[name.charCodeAt(0)] = name
  return table
}

function wordAt<Name extends string>(
  table: WordTable<Name>,
  text: string,
  from: number,
  to: number,
): Name | undefined {
  const code = text.charCodeAt(from)
  const name = code < 128 ? table[code] : undefined
  return name !== undefined && name.length === to - from && text.startsWith(name, from) ? name : undefined
}
