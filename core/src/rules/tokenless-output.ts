/** How the output of a model looks that has lost its tokens, or only the first of them. */

import { rightTerminator, usualTerminator } from '../semantics/terminators.ts'
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { channelOf, channels, reasoningChannel } from '../vocabulary/channels.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { isReplyRole } from '../vocabulary/roles.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import { tokenText } from './message-header-places.ts'
import type { Fix } from './rule.ts'

/** The word that `text` begins with, and the role if it is one. */
export function startingWord(
  text: string,
  framing: Framing,
): { readonly word: string; readonly role: string | undefined } {
  const word = /^[^\s<]*/.exec(text)?.[0] ?? ''
  const isRole = framing.roles.some((role) => role === word) || isReplyRole(word)
  return { word, role: isRole ? word : undefined }
}

/**
 * What the prompt of `role` ended with before `output`, which begins with a word or a token and ends with its first token. Text alone
 * may be reasoning: in doubt it stays hidden.
 */
export function promptBefore(output: string, framing: Framing, role = 'assistant'): string {
  const [start, channel, message] = [ControlKind.start, ControlKind.channel, ControlKind.message].map(
    (kind) => tokenText(framing, kind) ?? '',
  )
  const { role: ownRole, word } = startingWord(output, framing)
  const last = output.lastIndexOf('<|')
  if (word === '') return `${start}${role}`
  if (channelOf(word)) return `${start}${role}${channel}`
  if (/^[a-z_]+=/.test(word)) return `${start}${role} `
  if (ownRole !== undefined) return `${start}`
  const isText = last === -1 || isTerminator(framing.matcher.tokenAt(output, last).kind)
  if (!isText) return word.length === last ? `${start}` : `${start}${role} ` // one word may be a misspelt role
  return role === 'assistant'
    ? `${start}${role}${channel}${reasoningChannel}${message}`
    : `${start}${role}${message}`
}

/** A header without its tokens: `assistantfinal`, `analysis`, `commentary to=functions.f json`, `assistant to=functions.fcommentary json`. */
export interface DecodedHeader {
  readonly start: number
  readonly end: number
  readonly channel: string
  readonly recipient: string | undefined
  readonly type: string | undefined
}

const channelWords = channels.map(({ name }) => name).join('|')
const recipientWord = '[\\w.-]{1,200}?'
const typeWord = '(?:json|code)'

/** The channel before the recipient, and perhaps after it again. */
// Linear: sticky, tried at one place a header, and every repetition in it is bounded.
const channelFirst = new RegExp(
  `(?<channel>${channelWords})(?:\\s{1,4}to=(?<recipient>${recipientWord})(?:${channelWords})?(?=\\s|[{[]|$)(?:\\s{1,4}(?<type>${typeWord})(?![a-z]))?)?`,
  'y',
)
// Linear: as above.
const recipientFirst = new RegExp(
  `\\s{0,4}to=(?<recipient>${recipientWord})\\s{0,4}(?<channel>${channelWords})(?=\\s|[{[]|$)(?:\\s{1,4}(?<type>${typeWord})(?![a-z]))?`,
  'y',
)

/** The header at `at`, after the word of the role if that is there. */
function decodedHeaderAt(text: string, at: number, start: number): DecodedHeader | undefined {
  for (const pattern of [recipientFirst, channelFirst]) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match?.groups) continue
    const { channel = '', recipient, type } = match.groups
    return { start, end: pattern.lastIndex, channel, recipient, type }
  }
  return undefined
}

const role = 'assistant'
const afterRole = /\s{0,4}/y

/** The header that begins with the role at `start`; the channel follows at once, or on the next line. */
function roleHeaderAt(text: string, start: number): DecodedHeader | undefined {
  const behind = start + role.length
  afterRole.lastIndex = behind
  const gap = afterRole.exec(text)?.[0] ?? ''
  const isBroken = gap.includes('\n') || gap.includes('\r')
  return decodedHeaderAt(text, isBroken ? behind + gap.length : behind, start)
}

/**
 * The headers in `text` if it is Harmony output decoded with special tokens skipped; empty if it is not. Linear. That a
 * word is a channel is sure where another word of a header goes with it; elsewhere prose may begin with it.
 */
export function decodedHeaders(text: string): readonly DecodedHeader[] {
  const begin = text.search(/\S/)
  if (begin === -1) return []
  const hasRole = text.startsWith(role, begin)
  const first = hasRole ? roleHeaderAt(text, begin) : decodedHeaderAt(text, begin, begin)
  if (!first) return []
  const headers = [first]
  for (let at = text.indexOf(role, first.end); at !== -1; at = text.indexOf(role, at + 1)) {
    const next = roleHeaderAt(text, at)
    if (next) headers.push(next)
  }
  const isSure = hasRole || first.recipient !== undefined || headers.length > 1
  return isSure || /[^\s:<a-z]/.test(text.charAt(first.end)) ? headers : []
}

/** True if `text` begins like Harmony output decoded with special tokens skipped: `assistantfinalFour`, `analysisWe need`. */
export function looksDecoded(text: string): boolean {
  return decodedHeaders(text).length > 0
}

/**
 * `text`, which is Harmony output decoded with special tokens skipped, with the tokens where they were; undefined if it does
 * not look like that. Blanks around the words of headers stood for tokens.
 */
export function withTokensRestored(text: string, framing: Framing): string | undefined {
  const headers = text.includes('<|') ? [] : decodedHeaders(text) // where one token is left, others were never there
  if (headers.length === 0) return undefined
  const token = (kind: ControlKind) => tokenText(framing, kind) ?? ''
  const isSpaced = /^\s/.test(text.slice(headers[0]?.end))
  let result = ''
  for (const [index, { end, channel, recipient, type }] of headers.entries()) {
    const next = headers[index + 1]
    const body = text.slice(end, next?.start)
    const message = { role, channel: channelOf(channel), to: recipient, intent: undefined } as const
    const terminator = next
      ? usualTerminator(message)
      : rightTerminator({ ...message, terminator: ControlKind.return })
    const to = recipient === undefined ? '' : ` to=${recipient}`
    const constraint = type === undefined ? '' : `${token(ControlKind.constrain)}${type}`
    const head = `${token(ControlKind.start)}${role}${to}${token(ControlKind.channel)}${channel}${constraint}`
    result += `${head}${token(ControlKind.message)}${isSpaced ? body.trim() : body}${token(terminator)}`
    if (next) result += '\n'
  }
  return result
}

/** The fix that puts `restored` in the place of what has lost its tokens. */
export function restoreTokens(span: Span, restored: string): Fix {
  return {
    title: localize`Restore the special tokens`,
    edits: [{ span, text: restored }],
    isSafe: false,
  }
}
