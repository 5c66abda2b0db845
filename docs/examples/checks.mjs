/**
 * Checks for `ocm check --checks FILE`: each gets the conversation of a sample.
 *
 * @import { Conversation } from 'openchatml'
 */

/** The words of a message. */
const textOf = ({ content }) => content.map(({ text }) => text).join('')

export const checks = [
  {
    name: 'shouting',
    severity: 'hint',
    /** @param {Conversation} conversation */
    check({ messages }) {
      const shouted = messages.find((it) => it.role === 'assistant' && /[A-Z]{12}/.test(textOf(it)))
      return shouted && 'The assistant shouts'
    },
  },
  {
    name: 'long-call',
    /** @param {Conversation} conversation */
    check({ messages }) {
      const calls = messages.filter(({ role, to }) => role === 'assistant' && to !== undefined)
      return calls
        .filter((it) => textOf(it).length > 2000)
        .map(({ to }) => `The call of \`${to}\` is longer than 2,000 characters`)
    },
  },
]
