/** Chat Completions: requests, lists of messages, and what hosts add to them. */

import { localizable } from '../text/localize.ts'
import { choicesIn, fromMessages } from './chat/read-messages.ts'
import { toMessages } from './chat/write-messages.ts'
import { defineForm } from './form.ts'
import { converseAnswer } from './samples/converse.ts'
import { conversationKeys } from './samples/sample-columns.ts'

/** The form. */
export const messages = defineForm({
  name: 'messages',
  title: 'Chat Completions',
  summary: localizable`A request with messages, tools, and calls`,
  documentation: 'a Chat Completions request: `messages`, `tools`, and its other fields',
  language: 'json',
  holds: 'json',
  lists: conversationKeys,
  joinsAnswers: true,
  recognizedBy: {
    message: (sample) =>
      (sample.hasList || sample.has('role')) &&
      sample.hasItemKey('tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning'),
    list: (sample) => sample.hasList,
    refused: (sample) => sample.refusedKey !== undefined,
    choices: ({ object }) =>
      object !== undefined && (choicesIn(object) !== undefined || converseAnswer(object) !== undefined),
  },
  read: fromMessages,
  write: (conversation, { losses }) => toMessages(conversation, losses),
})
