/** A word in the place of the role that is not a role. */

import { isDeclaredReply } from '../../semantics/message-facts.ts'
import type { MessageView, WordView } from '../../syntax/message-view.ts'
import { localize } from '../../text/localize.ts'
import { channelOf } from '../../vocabulary/channels.ts'
import type { Framing } from '../../vocabulary/framing.ts'
import { functionPrefix, rolePrefixOf } from '../../vocabulary/roles.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { choiceFixes } from '../choice-fixes.ts'
import { closestWord } from '../closest-word.ts'
import { example } from '../example.ts'
import { attributeNamed, tokenText } from '../message-header-places.ts'
import { listed, quoted } from '../quoted.ts'
import type { SyntaxRule } from '../rule.ts'

/** Roles are few and fixed; a tool may also reply under its own name (2.2 §4, D5). */
export const unknownRole: SyntaxRule = {
  name: 'unknown-role',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'unknown-role',
  section: '2.2 §4, D5',
  summary: 'A message header starts with an unknown role',
  why: 'The role determines authority and visibility, so readers must not guess it: the message is hidden.\nIn a sample of another form, this is a warning.\nOften, the word is a channel, the start of text that was generated without a header, or two words that ran together.',
  bad: example`
    version: 2.2
    <|start|>assistantassistant<|channel|>final<|message|>Hi<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>Hi<|return|>
  `,
  explain({ span }, { segment, view, facts, analysis, sample }) {
    const word = view.roleWord
    if (!word || isDeclaredReply(segment, facts, analysis.settings.builtinTools)) return undefined
    if (sample?.hasHeaders === false) {
      const message = localize`Unknown role ${quoted(word.text)}, so the message is hidden`
      return { span, severity: 'warning', message }
    }
    const { message, replacements = [] } = explanationOf(word, view, segment.framing)
    return { span, message, fixes: choiceFixes(span, replacements) }
  },
}

interface Explanation {
  readonly message: string
  readonly replacements?: readonly string[]
}

function explanationOf({ text }: WordView, view: MessageView, framing: Framing): Explanation {
  const shown = quoted(text)
  const channelToken = tokenText(framing, ControlKind.channel)
  if (channelOf(text) && channelToken) {
    const start = tokenText(framing, ControlKind.start)
    const replacement = view.channel ? 'assistant' : `assistant${channelToken}${text}`
    return {
      message: localize`${shown} is a channel, not a role; write \`${start}${replacement}\``,
      replacements: [replacement],
    }
  }
  const known = rolePrefixOf(text)
  const prefix = known && framing.roles.includes(known) ? known : undefined
  const rest = prefix && text.slice(prefix.length)
  if (prefix && rest) {
    const message = localize`Unknown role ${shown}; it starts with the role \`${prefix}\``
    if (rest === prefix) {
      return { message: localize`Unknown role ${shown}; did you mean \`${prefix}\`?`, replacements: [prefix] }
    }
    if (channelOf(rest) && channelToken && !view.channel) {
      return { message, replacements: [`${prefix}${channelToken}${rest}`] }
    }
    return rest.includes('=') ? { message, replacements: [`${prefix} ${rest}`] } : { message }
  }
  const suggestion = closestWord(text, framing.roles)
  if (suggestion) {
    return {
      message: localize`Unknown role ${shown}; did you mean \`${suggestion}\`?`,
      replacements: [suggestion],
    }
  }
  if (text === functionPrefix) return { message: localize`${shown} is missing the name of a tool` }
  if (text.includes('.') && framing.attributes.includes('name') && !attributeNamed(view, 'name')) {
    const replacement = `tool name=${text}`
    const message = localize`Unknown role ${shown}; tools reply as ${quoted(replacement)}`
    return { message, replacements: [replacement] }
  }
  const message = localize`Unknown role ${shown}; expected one of ${listed(framing.roles)}`
  return { message, replacements: framing.roles }
}
