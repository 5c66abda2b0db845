/** A training view as few lists of numbers: views with hundreds of thousands of tokens are sent to other processes. */
import type { TrainingToken, TrainingView } from './training-view.ts'

/** A view without an object for each token. */
export interface PackedTrainingView extends Omit<TrainingView, 'tokens'> {
  readonly tokens: PackedTokens
}

/** Tokens, by index. */
export interface PackedTokens {
  readonly ids: readonly number[]
  /** UTF-16 code units of the text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** {@link tokenFlags}, added up. */
  readonly flags: readonly number[]
  /** Of tokens that are not whole characters: index, first byte, and the byte after the last, as of a token's `part`. */
  readonly parts: readonly (readonly [index: number, from: number, to: number])[]
}

/** What is true of a token. */
export const tokenFlags = { special: 1, trained: 2, cut: 4 } as const

/** `view` with its tokens packed. */
export function packedView({ tokens, ...rest }: TrainingView): PackedTrainingView {
  const ids: number[] = []
  const starts: number[] = []
  const ends: number[] = []
  const flags: number[] = []
  const parts: [number, number, number][] = []
  for (const [index, token] of tokens.entries()) {
    ids.push(token.id)
    starts.push(token.start)
    ends.push(token.end)
    flags.push(flagsOf(token))
    if (token.part) parts.push([index, token.part.from, token.part.to])
  }
  return { ...rest, tokens: { ids, starts, ends, flags, parts } }
}

function flagsOf({ isSpecial, isTrained, isCut }: TrainingToken): number {
  return (
    (isSpecial ? tokenFlags.special : 0) + (isTrained ? tokenFlags.trained : 0) + (isCut ? tokenFlags.cut : 0)
  )
}
