/** The words that values of the YAML header come from (2.2 §2, §9): completion, hover and validation read them. */
import { channels } from './channels.ts'
import { intents } from './intents.ts'
import { roles } from './roles.ts'
import { coreTokens } from './tokens.ts'

/** What a header value can be, by the list it belongs to. */
export const headerWords = {
  roles,
  channels,
  tokens: coreTokens.map(({ text, summary }) => ({ name: text, summary })),
  streamingEvents: [
    { name: 'response.delta', summary: 'Slices of the final answer, for display' },
    { name: 'response.delta.flush', summary: 'A boundary at which the display can catch up' },
    { name: 'response.cancel', summary: 'The answer is canceled: stop rendering' },
    { name: 'tool.cancel', summary: 'A tool call is canceled; names its `call_id`' },
  ],
  intents,
  builtinTools: [
    { name: 'browser', summary: 'Searches, opens, and reads pages' },
    { name: 'python', summary: 'Runs Python code' },
  ],
} as const
