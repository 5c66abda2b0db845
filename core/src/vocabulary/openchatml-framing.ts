/** OpenChatML 2.x, and 1.x with `<|start|>` framing: nine control tokens, escapes and literal blocks. */
import { attributes } from './attributes.ts'
import { framing } from './framing.ts'
import { roles } from './roles.ts'
import { coreTokens, thoughtTokens } from './tokens.ts'

/** The framing of OpenChatML 2.2 and 2.0 (2.2 §3). */
export const openchatml = framing({
  name: 'openchatml',
  dialect: undefined,
  tokens: [...coreTokens, ...thoughtTokens],
  openers: ['<|start|>'],
  hasEscapes: true,
  roles: roles.map(({ name }) => name),
  attributes: attributes.map(({ name }) => name),
  headerEnd: 'message-token',
})
