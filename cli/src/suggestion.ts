/** Finds the word that a mistyped one probably stands for. */
import { editDistance } from '../../core/src/internal.ts'

/** `; did you mean …?` with the nearest of `known`, or nothing if none is near. */
export function suggestionFor(word: string, known: Iterable<string>): string {
  const nearest = nearestOf(word, known)
  return nearest === undefined ? '' : `; did you mean \`${nearest}\`?`
}

/** The word of `known` that is nearest to `word`, or undefined if all differ too much. Letter case does not count. */
function nearestOf(word: string, known: Iterable<string>): string | undefined {
  const typed = word.slice(0, longest).toLowerCase()
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1 // one mistake in three letters, as people make them
  for (const candidate of known) {
    const lower = candidate.toLowerCase()
    const isBeginning = typed.length >= 3 && lower.startsWith(typed)
    const distance = isBeginning ? 1 : editDistance(typed, lower)
    if (distance < least) {
      least = distance
      nearest = candidate
    }
  }
  return nearest
}

/** `a, b or c` */
export function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

const longest = 100 // an argument may be a whole transcript by mistake
