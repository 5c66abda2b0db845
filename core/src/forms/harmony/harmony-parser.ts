/** Reads Harmony text by the rules of the reference's parser (HARMONY b), so that both agree on every text. */

import type { Ending } from '../../conversation/conversation.ts'
import { ConversionError } from '../../conversation/loss.ts'
import { spelled } from '../../conversation/spelling.ts'
import { endingOf } from '../../semantics/terminators.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { shortened } from '../../text/shortened.ts'
import { harmony } from '../../vocabulary/harmony-framing.ts'
import { roles } from '../../vocabulary/roles.ts'
import type { HarmonyMessage } from './harmony-message.ts'

/** A message with its place. */
export interface LocatedHarmonyMessage extends HarmonyMessage {
  readonly range: Range
}

/** How text is read. */
export interface HarmonyParseOptions {
  /** The role of the first header, if the text is what a model added to a prompt. */
  readonly role?: string
  /** True to read as the reference does, to which a terminator in a header is a word of it; false to refuse such a header. */
  readonly isStrict: boolean
}

/** The messages of `text`. @throws ConversionError where the reference raises an error, with the offset */
export function parseHarmony(text: string, options: HarmonyParseOptions): readonly LocatedHarmonyMessage[] {
  const messages: LocatedHarmonyMessage[] = []
  const nextStop = stopFinder(text)
  const nextMessage = finderOf(text, spelled.message)
  let at = 0
  let role = options.role
  let isFirst = true
  while (at < text.length || (isFirst && role !== undefined)) {
    const start = at
    if (role === undefined) {
      if (!text.startsWith(spelled.start, at)) {
        throw new ConversionError(localize`Expected \`${spelled.start}\` at the start of a message`, at)
      }
      at += spelled.start.length
    }
    const messageAt = nextMessage(at)
    const stop = options.isStrict ? undefined : nextStop(at)
    if (stop && (messageAt === -1 || stop.at < messageAt)) {
      const token = spelled[stop.ending]
      throw new ConversionError(localize`\`${token}\` ends a header before its \`${spelled.message}\``, start)
    }
    if (messageAt === -1) throw new ConversionError(localize`The text ends inside a header`, start)
    const header = parseHeader(text.slice(at, messageAt), role, at)
    const bodyAt = messageAt + spelled.message.length
    const bodyEnd = nextStop(bodyAt)
    header.content = text.slice(bodyAt, bodyEnd?.at)
    at = bodyEnd?.end ?? text.length
    if (bodyEnd) header.ending = bodyEnd.ending
    header.range = { start, end: at }
    messages.push(header)
    role = undefined
    isFirst = false
  }
  return messages
}

interface Stop {
  readonly at: number
  readonly end: number
  readonly ending: Ending
}

/** Finds the first stop token from a place on; places only grow, so all searches together are one pass. */
function stopFinder(text: string): (from: number) => Stop | undefined {
  let last: Stop | undefined = nowhereYet
  return (from) => {
    if (last && last.at < from) last = firstStop(text, from)
    return last
  }
}

const nowhereYet: Stop = { at: -1, end: -1, ending: 'end' }

function firstStop(text: string, from: number): Stop | undefined {
  const { matcher } = harmony
  for (let at = text.indexOf('<|', from); at !== -1; at = text.indexOf('<|', at + 2)) {
    const token = matcher.tokenAtOpening(text, at)
    const ending = endingOf(token.kind)
    if (ending) return { at, end: at + token.length, ending }
  }
  return undefined
}

/** Finds the first `token` from a place on, -1 if there is none; places only grow, so all searches together are one pass. */
function finderOf(text: string, token: string): (from: number) => number {
  let last = -2
  return (from) => {
    if (last !== -1 && last < from) last = text.indexOf(token, from)
    return last
  }
}

/** A message under way: its object is filled, not copied, because files have many. */
type LocatedMessageUnderWay = { -readonly [Key in keyof LocatedHarmonyMessage]: LocatedHarmonyMessage[Key] }

/** Cuts the channel out of a header (P5, P6). */
function cutChannel(
  header: string,
  offset: number,
): { readonly channel: string | undefined; readonly rest: string } {
  const marker = header.indexOf(spelled.channel)
  if (marker === -1) return { channel: undefined, rest: header }
  const behind = header.slice(marker + spelled.channel.length)
  const length = behind.search(/[\p{White_Space}<]/u)
  const channel = length === -1 ? behind : behind.slice(0, length)
  if (channel === '')
    throw new ConversionError(localize`A channel marker is not followed by a channel`, offset + marker)
  return { channel, rest: header.slice(0, marker) + behind.slice(channel.length) }
}

function wordsOf(rest: string): string[] {
  if (oneWord.test(rest)) return [rest]
  const spaced = trimmed(rest).replaceAll(spelled.constrain, ` ${spelled.constrain}`)
  return trimmed(spaced)
    .split(/[\t\n\f\r ]+/)
    .filter((it) => it !== '')
}

const oneWord = /^[\w.=:-]+$/

function trimmed(text: string): string {
  return text.replace(/^\p{White_Space}+/u, '').trimEnd()
}

/** Reads a header (P5 to P16). Content and place are for the caller to fill. @throws ConversionError */
function parseHeader(header: string, prefix: string | undefined, offset: number): LocatedMessageUnderWay {
  const { role, name, recipient, channel, contentType } = readHeader(header, prefix, offset)
  const message: LocatedMessageUnderWay = { role, content: '', range: nowhere }
  if (name !== undefined) message.name = name
  if (recipient !== undefined) message.recipient = recipient
  if (channel !== undefined) message.channel = channel
  if (contentType !== undefined) message.contentType = contentType
  return message
}

type HeaderWord = 'name' | 'recipient' | 'channel' | 'contentType'

type Header = { readonly role: string } & { readonly [Key in HeaderWord]: string | undefined }

function readHeader(header: string, prefix: string | undefined, offset: number): Header {
  const { channel, rest } = cutChannel(header, offset)
  const words = wordsOf(rest)
  const first = words[0]
  let role = prefix
  let name: string | undefined
  if (role === undefined) {
    if (first === undefined)
      throw new ConversionError(localize`The message header is missing its role`, offset)
    role = roles.find((it) => it.name === first)?.name
    if (role === undefined) {
      if (words.length < 2 && !first.startsWith('to='))
        throw new ConversionError(localize`Unknown role: ${first}`, offset)
      words.shift()
      role = 'tool'
    }
    if (role === 'tool') name = first
  }
  if (words[0] === role) words.shift()
  let recipient: string | undefined
  let contentType: string | undefined
  const isOnly = words.length === 1
  const last = words.pop()
  if (last?.startsWith('to=') || isOnly) recipient = last && withoutTo(last)
  else if (last !== undefined) {
    contentType = last
    const before = words.pop()
    recipient = before && withoutTo(before)
  }
  if (words.length > 0) {
    throw new ConversionError(
      localize`Unexpected words in a message header: ${shortened(words.join(' '), 80)}`,
      offset,
    )
  }
  return { role, name, recipient, channel, contentType }
}

const nowhere: Range = { start: 0, end: 0 }

function withoutTo(word: string): string {
  return word.startsWith('to=') ? word.slice(3) : word
}
