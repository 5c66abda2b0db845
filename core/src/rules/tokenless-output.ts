/** How the output of a model looks that has lost its tokens, or only the first of them. */
import { channels } from '../vocabulary/channels.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { isReplyRole } from '../vocabulary/roles.ts'

/** The word that `text` begins with, and the role if it is one. */
export function startingWord(
  text: string,
  framing: Framing,
): { readonly word: string; readonly role: string | undefined } {
  const word = /^[^\s<]*/.exec(text)?.[0] ?? ''
  const isRole = framing.roles.some((role) => role === word) || isReplyRole(word)
  return { word, role: isRole ? word : undefined }
}

/** True if `text` begins like Harmony output decoded with special tokens skipped: `assistantfinalFour`, `analysisWe need`. */
export function looksDecoded(text: string): boolean {
  const role = 'assistant'
  const header = text.startsWith(role) ? text.slice(role.length) : text
  const channel = channels.find(({ name }) => header.startsWith(name))?.name
  if (channel === undefined) return false
  const behind = header.slice(channel.length)
  return header !== text || behind.startsWith(' to=') || /^[^\s:<a-z]/.test(behind)
}
