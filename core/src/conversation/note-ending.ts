/** Reports what is lost where a form has no words for how messages end. */
import { endingOf, usualTerminator } from '../semantics/terminators.ts'
import { localize } from '../text/localize.ts'
import type { ConversationMessage } from './conversation.ts'
import type { LossList } from './loss.ts'
import { spelled } from './spelling.ts'

/** Notes that `message` is cut off, or ends otherwise than messages of its kind do. */
export function noteEnding(message: ConversationMessage, losses: LossList): void {
  const { ending, range } = message
  if (ending === undefined)
    losses.add('truncation', localize`The result does not show that a message is cut off`, range)
  else if (!endsAsUsual(message))
    losses.add(
      'terminator',
      localize`The result does not show that a message ends with \`${spelled[ending]}\``,
      range,
    )
}

/** True if the message ends as messages of its kind do, which need not be said. */
export function endsAsUsual(message: ConversationMessage): boolean {
  return message.ending === endingOf(usualTerminator(message))
}
