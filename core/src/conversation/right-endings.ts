/**
 * Ends each message of a conversation with the token that belongs there: what `ocm check --fix` writes, a canonical transcript
 * has. Messages that are cut off stay so, and nothing becomes a call without a recipient (D11).
 */
import type { JsonObject } from '../embedded/yaml-header.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { isAnswer } from '../semantics/message-kind.ts'
import { answerTerminator, endingOf, endsAnswers, rightTerminator } from '../semantics/terminators.ts'
import { localize } from '../text/localize.ts'
import { type Intent, intentNamed } from '../vocabulary/intents.ts'
import type { Conversation, ConversationMessage, Ending } from './conversation.ts'
import { field, isObject } from './json-input.ts'
import type { LossList } from './loss.ts'
import { spelled } from './spelling.ts'

/**
 * `conversation` with the right endings, as its header's intent wants them too. What belonged to another kind of message is
 * told; what the header asks for is not.
 */
export function withRightEndings(conversation: Conversation, losses: LossList): Conversation {
  const { header, messages, promptRole } = conversation
  const intent = intentOf(header)
  const last = messages.length - 1
  let changed: ConversationMessage[] | undefined
  for (let index = 0; index <= last; index++) {
    const message = messages[index] as ConversationMessage // the index is one of the list
    const { ending } = message
    // Nearly every message, and nothing is to be asked of it.
    if (ending === undefined || (ending === 'end' && message.to === undefined && intent === undefined))
      continue
    const isLast = index === last && promptRole === undefined
    const right = rightEnding({ ...message, ending }, intent, isLast, losses)
    if (right === ending) continue
    changed ??= [...messages]
    changed[index] = { ...message, ending: right }
  }
  return changed ? { ...conversation, messages: changed } : conversation
}

function rightEnding(
  message: ConversationMessage & { readonly ending: Ending },
  intent: Intent | undefined,
  isLast: boolean,
  losses: LossList,
): Ending {
  const { ending, range } = message
  const facts = factsOfMessage(message)
  if (facts.role === undefined) return ending // its kind is unknown
  const right = endingOf(rightTerminator(facts)) ?? ending
  if (right !== ending) {
    const [was, is] = [spelled[ending], spelled[right]]
    losses.add(
      'terminator',
      localize`\`${was}\` ended a message of another kind and is replaced with \`${is}\``,
      range,
    )
  }
  if (!isAnswer(facts) || !endsAnswers(facts.terminator)) return right
  return endingOf(answerTerminator(intent, isLast)) ?? right
}

function intentOf(header: JsonObject | undefined): Intent | undefined {
  const profiles = header && field(header, 'profiles')
  return isObject(profiles) ? intentNamed(field(profiles, 'intent')) : undefined
}
