/** Writes a conversation as canonical OpenChatML 2.2: attributes in their places, one message a line, nothing else changed. */

import { Transcript } from '../document/transcript.ts'
import { headerSizeLimit, type JsonObject } from '../embedded/yaml-header.ts'
import { type HeaderField, headerOfMessage } from '../semantics/message-header.ts'
import { preambleEnd } from '../syntax/preamble-end.ts'
import { localizable, localize, localized } from '../text/localize.ts'
import { perText, perValue } from '../text/memo.ts'
import { roleOf } from '../vocabulary/roles.ts'
import type { Conversation, ConversationMessage } from './conversation.ts'
import { writtenBody } from './escape-body.ts'
import { type LossList, wellFormed } from './loss.ts'
import { spelled } from './spelling.ts'
import { yamlText } from './yaml-text.ts'

/** The text of `conversation`. */
export function writeOcm(conversation: Conversation, losses: LossList): string {
  return wellFormed(writeOcmUnits(conversation, losses), losses)
}

/** As {@link writeOcm}, with lone surrogates as they are: for what is made into text of another form. */
export function writeOcmUnits(conversation: Conversation, losses: LossList): string {
  const lines = [headerOf(conversation, losses), '\n']
  const { messages, promptRole } = conversation
  for (const [index, message] of messages.entries()) {
    const nextRole = index === messages.length - 1 ? promptRole : messages[index + 1]?.role
    lines.push(writtenMessage(message, nextRole, losses))
  }
  if (promptRole !== undefined)
    lines.push(`${spelled.start}${headerWord(promptRole, 'role', undefined, losses)}`)
  return lines.join('')
}

/** One message; without a line break after it if it is cut off, because that would be its body. */
function writtenMessage(
  message: ConversationMessage,
  nextRole: string | undefined,
  losses: LossList,
): string {
  const { content, range } = message
  const text = headOf(message, losses) + writtenBody(content)
  if (message.ending !== undefined) return `${text}${spelled[message.ending]}\n`
  if (nextRole === undefined || roleOf(nextRole) !== undefined) return text
  losses.add('truncation', localize`A message that is cut off is closed`, range)
  return `${text}${spelled.end}\n`
}

/** The header of a message, its message token included. */
function headOf(message: ConversationMessage, losses: LossList): string {
  const word = (value: string, field: HeaderField) => headerWord(value, field, message.range, losses)
  return spelled.start + headerOfMessage(message, word) + spelled.message
}

const unfit = /[\s\0]|<\|/

const changed: Readonly<Record<HeaderField, string>> = {
  role: localizable`A role that a header cannot contain is changed`,
  to: localizable`A recipient that a header cannot contain is changed`,
  callId: localizable`A call ID that a header cannot contain is changed`,
  name: localizable`A name that a header cannot contain is changed`,
  intent: localizable`An intent that a header cannot contain is changed`,
  contentType: localizable`A content type that a header cannot contain is changed`,
  allow: localizable`Allowed problems that a header cannot contain are changed`,
  channel: localizable`A channel that a header cannot contain is changed`,
  constraint: localizable`A constraint that a header cannot contain is changed`,
}

/** Words that stand alone, where `key=value` is an attribute. */
const bareWords: ReadonlySet<HeaderField> = new Set(['role', 'channel', 'constraint'])

const attribute = /^[a-zA-Z_][\w-]*=/

/** `value` as a word of a header: white space and control tokens would end it (2.2 §11). */
function headerWord(
  value: string,
  what: HeaderField,
  range: ConversationMessage['range'],
  losses: LossList,
): string {
  const isBare = bareWords.has(what)
  if (value !== '' && !unfit.test(value) && !(isBare && attribute.test(value))) return value
  losses.add('header-value', localized(changed[what]), range)
  if (value === '') return 'unknown'
  const word = value.replace(/[\s\0]+/g, '_').replaceAll('<|', '_')
  return isBare && attribute.test(word) ? word.replaceAll('=', '_') : word
}

/** The header as it was, or as its data says; version 2.2 in any case. */
function headerOf({ header, headerText, messages, promptRole }: Conversation, losses: LossList): string {
  const hasMessages = messages.length > 0 || promptRole !== undefined
  if (headerText !== undefined) {
    const versioned = withVersion(headerText, header)
    if (versioned !== undefined && isOnlyHeader(versioned, hasMessages)) return versioned
    if (header === undefined)
      losses.add('header-key', localize`A header text that contains messages is left out`)
  }
  const text = headerYaml(header ?? {})
  return isOnlyHeader(text, hasMessages) ? text : `---\n${text}---\n`
}

/** The YAML of a header's data, its version first. */
export const headerYaml = perValue((header: JsonObject): string => {
  if (Object.keys(header)[0] === 'version' && isCurrent(header)) return yamlText(header)
  const { version: _version, ...rest } = header
  return yamlText({ version: (isCurrent(header) ? header.version : undefined) ?? 2.2, ...rest })
})

function isCurrent(header: JsonObject | undefined): boolean {
  const version = header?.version
  const [major, minor] = String(version ?? '').split('.')
  return major === '2' && Number(minor) >= 1
}

/** `text` with its version line saying 2.2, if that is not so already; undefined if there is no such line. */
function withVersion(text: string, header: JsonObject | undefined): string | undefined {
  if (isCurrent(header)) return `${text}\n`
  // Linear: a match is one line, and each run in it ends where the next begins.
  const line = /^version[ \t]*:[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s#]*)/m
  // Linear: as above.
  const lines = text.match(new RegExp(line.source, 'gm'))
  return lines?.length === 1 ? `${text.replace(line, 'version: 2.2')}\n` : undefined
}

/** True if `text` is a header to a reader, up to its end. Without messages after it, a token in it would open one (D1). */
function isOnlyHeader(text: string, hasMessages: boolean): boolean {
  return hasMessages ? isHeaderBeforeMessages(text) : Transcript.parse(text).segmentCount === 1
}

/** Remembered, because the samples of a dataset have few headers. */
const isHeaderBeforeMessages = perText(endsAtMessages, { texts: 32, length: 4 * headerSizeLimit })

function endsAtMessages(text: string): boolean {
  const { end } = preambleEnd(`${text}\n${spelled.start}user${spelled.message}${spelled.end}`)
  return end === text.length + 1
}
