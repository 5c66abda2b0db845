/** Says in words who sees a message, for hover, outline and status. */
import type { MessageFacts } from './message-facts.ts'
import { type HiddenReason, hiddenReason } from './visibility.ts'

const reasons: Readonly<Record<HiddenReason, string>> = {
  'no-message': 'there is no body yet',
  role: 'messages of this role are never shown',
  'unknown-role': 'its role is unknown, and whatever is in doubt stays hidden',
  'unknown-channel': 'its channel is unknown, and whatever is in doubt stays hidden',
  'conflicting-channels': 'it names two channels, and whatever is in doubt stays hidden',
  analysis: '`analysis` is private reasoning, whoever wrote it',
  commentary: '`commentary` is shown only where the assistant wrote it with `intent=preamble`',
  call: 'a tool call is never shown',
  recipient: 'it is addressed to somebody else than the user',
  'private-blocks': 'its body consists of private blocks',
}

/** Why the message with these facts is hidden, as the end of a sentence in Markdown; undefined if users see it. */
export function whyHidden(facts: MessageFacts): string | undefined {
  const reason = hiddenReason(facts)
  return reason && reasons[reason]
}
