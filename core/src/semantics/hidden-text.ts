/** Says in words who sees a message, for hover, outline and status. */
import { localizable, localized } from '../text/localize.ts'
import type { MessageFacts } from './message-facts.ts'
import { type HiddenReason, hiddenReason } from './visibility.ts'

const reasons: Readonly<Record<HiddenReason, string>> = {
  'no-message': localizable`there is no body yet`,
  role: localizable`messages of this role are never shown`,
  'unknown-role': localizable`its role is unknown, and doubtful messages stay hidden`,
  'unknown-channel': localizable`its channel is unknown, and doubtful messages stay hidden`,
  'doubtful-header': localizable`a word of its header contradicts its channel or recipient, and doubtful messages stay hidden`,
  analysis: localizable`\`analysis\` is private reasoning, regardless of the author`,
  commentary: localizable`\`commentary\` is shown only where the assistant wrote it with \`intent=preamble\``,
  call: localizable`a tool call is never shown`,
  recipient: localizable`it is addressed to someone other than the user`,
  'private-blocks': localizable`its body consists of private blocks`,
}

/** Why the message with these facts is hidden, as the end of a sentence in Markdown; undefined if users see it. */
export function whyHidden(facts: MessageFacts): string | undefined {
  const reason = hiddenReason(facts)
  return reason && localized(reasons[reason])
}
