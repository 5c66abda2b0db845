/** The dialects: adding one is a vocabulary file and a line here. */
import { chatml } from './chatml-framing.ts'
import type { DialectName, Framing } from './framing.ts'
import { harmony } from './harmony-framing.ts'
import { openchatml } from './openchatml-framing.ts'

/** Every framing, for what must hold of all of them. */
export const framings: readonly Framing[] = [openchatml, harmony, chatml]

/** The framings that a text is recognized by, from the first token that opens one. Harmony's tokens are those of OpenChatML. */
export const recognizedFramings: readonly Framing[] = [openchatml, chatml]

/** The dialects that a user can name, and how each is framed. `1.x` is recognized by its first structural token. */
export const framingOfDialect: Readonly<Record<DialectName, Framing | undefined>> = {
  '2.2': openchatml,
  '2.0': openchatml,
  '1.x': undefined,
  harmony,
}

/** The names a user can choose from. */
export const dialectNames = Object.keys(framingOfDialect) as readonly DialectName[] // the keys are these names
