/** The control tokens by what they do, as they are written. */
import { ControlKind, spellingOf } from '../vocabulary/tokens.ts'

/** The spelling of each structural token. */
export const spelled = {
  start: spellingOf(ControlKind.start),
  channel: spellingOf(ControlKind.channel),
  message: spellingOf(ControlKind.message),
  constrain: spellingOf(ControlKind.constrain),
  call: spellingOf(ControlKind.call),
  return: spellingOf(ControlKind.return),
  end: spellingOf(ControlKind.end),
  literal: spellingOf(ControlKind.literal),
  endLiteral: spellingOf(ControlKind.endLiteral),
} as const
