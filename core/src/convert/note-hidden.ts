/** Keeps messages of the assistant hidden in forms that would show them to users, and tells what that costs. */
import { beginsAsArguments } from '../semantics/facts-record.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { preambleIntent } from '../vocabulary/attributes.ts'
import { type ConversationMessage, isCallMessage, textOf } from './conversation.ts'
import type { LossList } from './loss.ts'

/** Notes that a message on `channel` is left out, which users do not see and a request could only show. */
export function noteHidden(channel: string, range: Range | undefined, losses: LossList): void {
  const message =
    channel === 'commentary'
      ? localize`Commentary that users do not see is left out`
      : localize`A message on the unknown channel \`${channel}\`, which users do not see, is left out`
  losses.add('hidden-message', message, range)
}

/**
 * The channel of `message` in a form that cannot hide it otherwise: `analysis` for a call of the assistant that lost its
 * recipient, and for words to somebody else than the user where the form has no recipients (D15).
 */
export function hidingChannel(
  message: ConversationMessage,
  hasRecipients: boolean,
  losses: LossList,
): string | undefined {
  const { role, channel = 'final', intent, to, ending, range } = message
  const isShown = channel === 'final' || (channel === 'commentary' && intent === preambleIntent)
  if (role !== 'assistant' || !isShown || isCallMessage(message)) return message.channel
  const isForOthers = to !== undefined && to !== 'user' && to !== 'all'
  const isLostCall = ending === 'call' && beginsAsArguments(textOf(message))
  if (!isLostCall && (hasRecipients || !isForOthers)) return message.channel
  losses.add('hidden-message', localize`A message that users do not see is put on \`analysis\``, range)
  return 'analysis'
}
