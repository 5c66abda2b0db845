/** Chat Completions: requests, lists of messages, and what hosts add to them. */

import { localizable } from '../text/localize.ts'
import { fromMessages } from './chat/read-messages.ts'
import { toMessages } from './chat/write-messages.ts'
import { defineForm } from './form.ts'

/** The form. */
export const messages = defineForm({
  name: 'messages',
  title: 'Chat Completions',
  summary: localizable`A request with messages, tools and calls`,
  documentation: 'a Chat Completions request: `messages`, `tools`, and whatever else it has',
  language: 'json',
  holds: 'json',
  lists: ['messages'],
  joinsAnswers: true,
  recognizedBy: {
    message: (sample) => sample.hasItemKey('tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning'),
  },
  read: (value, { losses, rest }) => fromMessages(value, losses, rest),
  write: (conversation, { losses }) => toMessages(conversation, losses),
})
