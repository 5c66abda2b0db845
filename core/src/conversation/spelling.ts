/** The control tokens by what they do, as they are written. */
import { ControlKind, spellingOf } from '../vocabulary/tokens.ts'
import type { Ending } from './conversation.ts'

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

/** The ending that `kind` is; undefined for another token. */
export function endingOf(kind: ControlKind | undefined): Ending | undefined {
  if (kind === ControlKind.end) return 'end'
  if (kind === ControlKind.call) return 'call'
  return kind === ControlKind.return ? 'return' : undefined
}
