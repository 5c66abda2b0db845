/** Writes text so that a reader of OpenChatML gets that text back, whatever it holds (D8). */
import { coreTokens } from '../vocabulary/tokens.ts'
import type { ContentPart } from './conversation.ts'
import { spelled } from './spelling.ts'

// Linear: one of a few words, none of which repeats anything.
const anyToken = new RegExp(coreTokens.map(({ text }) => text.replace(/[|]/g, '\\$&')).join('|'), 'g')

/**
 * `text` as it is written in a body: each control token gets another `<`. A `<` at the end would escape the token after
 * it, so it is in a literal block.
 */
export function escapeBody(text: string): string {
  const escaped = text.includes('<|') ? text.replace(anyToken, '<$&') : text
  let end = escaped.length
  while (escaped.charAt(end - 1) === '<') end--
  if (end === escaped.length) return escaped
  return escaped.slice(0, end) + spelled.literal + escaped.slice(end) + spelled.endLiteral
}

/** A body of several pieces as it is written. Literal blocks stay blocks. */
export function writtenBody(content: readonly ContentPart[]): string {
  let body = ''
  let text = ''
  for (const part of content) {
    if (part.kind === 'text' || part.text.includes(spelled.endLiteral)) {
      text += part.text // what would end the block early is written as text
      continue
    }
    body += escapeBody(text) + spelled.literal + part.text + spelled.endLiteral
    text = ''
  }
  return body + escapeBody(text)
}
