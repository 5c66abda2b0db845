/** Reports what is lost where only transcripts have an attribute of message headers. */
import { attributeValue } from '../semantics/message-header.ts'
import { localize } from '../text/localize.ts'
import { type AttributeName, attributeOrder } from '../vocabulary/attributes.ts'
import type { ConversationMessage } from './conversation.ts'
import type { LossList } from './loss.ts'

/** The attributes that forms represent, or report themselves. */
const ofForms: readonly AttributeName[] = ['to', 'call_id', 'name', 'intent', 'content_type']

/** The others: a new one is reported until a form represents it. */
const ofTranscripts = attributeOrder.filter((name) => !ofForms.includes(name))

/** Notes the attributes of `message` that only transcripts have. */
export function noteTranscriptAttributes(message: ConversationMessage, losses: LossList): void {
  for (const name of ofTranscripts) {
    if (attributeValue(message, name) !== undefined)
      losses.add('attribute', localize`The attribute \`${name}\` is only for transcripts`, message.range)
  }
}
