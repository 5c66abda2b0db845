/** Harmony, the raw text of gpt-oss models: seven control tokens, no escapes, no literal blocks. */
import { attributes } from './attributes.ts'
import { framing } from './framing.ts'
import { roles } from './roles.ts'
import { ControlKind, coreTokens, thoughtTokens } from './tokens.ts'

/** The framing of Harmony text. */
export const harmony = framing({
  name: 'harmony',
  dialect: 'harmony',
  tokens: [
    ...coreTokens.filter(({ kind }) => kind !== ControlKind.literal && kind !== ControlKind.endLiteral),
    ...thoughtTokens,
  ],
  openers: ['<|start|>'],
  hasEscapes: false,
  roles: roles.map(({ name }) => name),
  attributes: attributes.map(({ name }) => name),
  headerEnd: 'message-token',
})
