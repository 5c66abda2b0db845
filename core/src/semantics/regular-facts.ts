/**
 * Facts of a message whose header has nothing unusual, straight from its text: nearly all messages of nearly all
 * documents. Anything else is left to the view, and a property test holds the two to the same answers. Without it, the row
 * "Full parse" of `npm run bench` takes three times as long, also if the facts of headers are remembered by their text:
 * each call and reply has an ID of its own.
 */

import { isBlank, isBlankBetween } from '../syntax/role-word.ts'
import type { Segment } from '../syntax/segment.ts'
import { type AttributeName, intents } from '../vocabulary/attributes.ts'
import { type Channel, channels } from '../vocabulary/channels.ts'
import { openchatml } from '../vocabulary/openchatml-framing.ts'
import { type Role, roles } from '../vocabulary/roles.ts'
import { ControlKind, spellingOf } from '../vocabulary/tokens.ts'
import { FactFlag, type FactsRecord, type FactWords, factsRecord, noWords } from './facts-record.ts'

/** The facts of the message in `segment`, or undefined if it takes a closer look. */
export function regularFacts(segment: Segment): FactsRecord | undefined {
  const { text, framing, plainBodyStart, plainBodyEnd } = segment
  if (plainBodyEnd === 0 || framing !== openchatml) return undefined
  const headerEnd = plainBodyStart - messageToken.length
  let at = startToken.length
  const role = wordAt(roleWords, text, at)
  if (role === undefined) return undefined
  at += role.length
  reset(role)
  while (text.charCodeAt(at) === space) {
    at = attributeEnd(text, at + 1)
    if (at === -1) return undefined
  }
  if (at < headerEnd) {
    at = channelEnd(text, at)
    if (at === -1) return undefined
  }
  if (at < headerEnd) {
    at = constraintEnd(text, at)
    if (at === -1) return undefined
  }
  if (at !== headerEnd) return undefined
  words.terminator = framing.matcher.tokenAtOpening(text, plainBodyEnd).kind
  let flags = FactFlag.isMessage | FactFlag.isPlainBody | headerFlags
  if (words.terminator !== ControlKind.end) flags |= FactFlag.usesVersion2
  if (words.terminator === ControlKind.call && role === 'assistant' && beginsWithBrace(segment)) {
    flags |= FactFlag.isArguments
  }
  return factsRecord(words, flags)
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** Scratch, so that reading a message makes one object and not two. */
const words: Mutable<FactWords> = { ...noWords }
let headerFlags = 0

function reset(role: Role): void {
  words.role = role
  words.roleWord = role
  words.channel = 'final'
  words.to = undefined
  words.callId = undefined
  words.name = undefined
  words.intent = undefined
  words.constraint = undefined
  headerFlags = role === 'developer' ? FactFlag.usesVersion2 : 0
}

/** Takes the attribute at `at`; where it ends, or -1 for a second one, an unknown one, or one without value. */
function attributeEnd(text: string, at: number): number {
  const name = wordAt(attributeWords, text, at)
  if (name === undefined) return -1
  const from = at + name.length + 1
  if (text.charCodeAt(from - 1) !== equalsSign) return -1
  const end = valueEnd(text, from)
  if (end === -1) return -1
  const value = text.slice(from, end)
  switch (name) {
    case 'to':
      if (words.to !== undefined) return -1
      words.to = value
      headerFlags |= FactFlag.hasRecipient
      break
    case 'call_id':
      if (words.callId !== undefined) return -1
      words.callId = value
      break
    case 'name':
      if (words.name !== undefined) return -1
      words.name = value
      return end
    case 'intent':
      if (words.intent !== undefined) return -1
      if (!knownIntents.has(value)) return -1
      words.intent = value
      break
    default:
      return -1
  }
  headerFlags |= FactFlag.usesVersion2
  return end
}

/** Where a value that is not empty ends: at a space or a token. -1 for whatever is less plain than that. */
function valueEnd(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (code === space || code === lessThan) return at > from ? at : -1
    if (!(code < 128) || code === verticalBar || isBlank(code)) return -1
  }
}

/** Takes the channel whose token is at `at`; where its name ends, or -1. */
function channelEnd(text: string, at: number): number {
  if (!text.startsWith(channelToken, at)) return -1
  const channel = wordAt(channelWords, text, at + channelToken.length)
  if (channel === undefined) return -1
  words.channel = channel
  headerFlags |= FactFlag.hasChannel | FactFlag.usesVersion2
  return at + channelToken.length + channel.length
}

/** Takes the constraint whose token is at `at`, if it is the usual one; where its name ends, or -1. */
function constraintEnd(text: string, at: number): number {
  if (!text.startsWith(usualConstraint, at)) return -1
  words.constraint = 'json'
  return at + usualConstraint.length
}

function beginsWithBrace({ text, plainBodyStart, plainBodyEnd }: Segment): boolean {
  const brace = text.indexOf('{', plainBodyStart)
  return brace !== -1 && brace < plainBodyEnd && isBlankBetween(text, plainBodyStart, brace)
}

/** Words by their first letter, by which they differ. */
type WordTable<Name extends string> = readonly (Name | undefined)[]

const roleWords = tableOf<Role>(roles.map(({ name }) => name))
const channelWords = tableOf<Channel>(channels.map(({ name }) => name))
const knownIntents: ReadonlySet<string> = new Set(intents.map(({ name }) => name))
const attributeWords = tableOf<AttributeName>(['to', 'call_id', 'name', 'intent'])

function tableOf<Name extends string>(names: readonly Name[]): WordTable<Name> {
  const table: (Name | undefined)[] = new Array(128).fill(undefined)
  for (const name of names) table[name.charCodeAt(0)] = name
  return table
}

/** The word of `table` at `at`, if nothing but what may follow it does: a caller looks at the next character. */
function wordAt<Name extends string>(table: WordTable<Name>, text: string, at: number): Name | undefined {
  const code = text.charCodeAt(at)
  const name = code < 128 ? table[code] : undefined
  return name !== undefined && text.startsWith(name, at) ? name : undefined
}

const startToken = spellingOf(ControlKind.start)
const messageToken = spellingOf(ControlKind.message)
const channelToken = spellingOf(ControlKind.channel)
const usualConstraint = `${spellingOf(ControlKind.constrain)}json`

const space = 32
const equalsSign = 61
const lessThan = 60
const verticalBar = 124
