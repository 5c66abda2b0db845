/** How a message begins, for lists of messages: of one that users see, nothing that they do not see. */
import type { MessageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { factsOf } from './message-facts.ts'
import { isVisible, visibleText } from './visibility.ts'

/** The first `length` code units of the body of `segment`, white space as it is; without blocks of thought if users see the rest. */
export function messageBeginning(
  segment: Segment,
  { body }: Pick<MessageView, 'body'>,
  length: number,
): string {
  if (!body) return ''
  const written = segment.text.slice(body.from, Math.min(body.to, body.from + length))
  const facts = factsOf(segment)
  // Everything that is not plain text begins so.
  const isPlain = !written.includes('<|') || !facts || !isVisible(facts)
  return isPlain ? written : (visibleText(segment) ?? '').slice(0, length)
}
