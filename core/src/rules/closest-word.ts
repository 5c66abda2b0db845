/** What a writer probably meant by a mistyped word. */
import { countWhile } from '../text/count-while.ts'
import { editDistance } from '../text/edit-distance.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import { listed } from './quoted.ts'

const comparedLength = 32 // no word of the format is longer, so a longer one is not a typo
const mostEdits = 2 // in a slip; one in a short word
const comparedAtMost = 128 // words; of a longer list, only those that begin or end most like the word

/**
 * The word of `known` that `word` is closest to, if it is close enough to be a slip; case does not count. Words that
 * `isOffered` refuses are left out. What is known of a long list is remembered with the list: hand in the same one.
 */
export function closestWord(
  word: string,
  known: readonly string[],
  isOffered: (candidate: string) => boolean = () => true,
): string | undefined {
  if (word.length > comparedLength) return undefined
  const written = word.toLowerCase()
  let closest: string | undefined
  let distance = Number.POSITIVE_INFINITY
  for (const candidate of known.length > comparedAtMost ? neighbours(written, orders(known)) : known) {
    const tolerated = candidate.length <= 4 ? 1 : mostEdits
    // Of a word of one or two letters, too little is left to know it by.
    if (Math.max(candidate.length, written.length) <= 2 && candidate.toLowerCase() !== written) continue
    if (Math.abs(candidate.length - written.length) > tolerated || !isOffered(candidate)) continue
    const candidateDistance = editDistance(written, candidate.toLowerCase(), mostEdits)
    if (candidateDistance <= tolerated && candidateDistance < distance) {
      closest = candidate
      distance = candidateDistance
    }
  }
  return closest
}

const suggestedAtMost = 100 // different words of one message; more of them are not typos

/** {@link closestWord} for the words of one message: those that come again cost nothing, and very many get no suggestion. */
export function closestWordsOfMessage(): (word: string, known: readonly string[]) => string | undefined {
  const found = new Map<readonly string[], Map<string, string | undefined>>()
  let left = suggestedAtMost
  return (word, known) => {
    const among = found.get(known) ?? new Map<string, string | undefined>()
    found.set(known, among)
    if (!among.has(word) && left-- > 0) among.set(word, closestWord(word, known))
    return among.get(word)
  }
}

/** `message` with what was probably meant: `` Unknown channel `finl`; did you mean `final`? ``. Unchanged without a `suggestion`. */
export function didYouMean(message: string, suggestion: string | undefined): string {
  return suggestion === undefined ? message : localize`${message}; did you mean \`${suggestion}\`?`
}

/** Like {@link didYouMean}, but without a `suggestion` it lists all the `known` words. */
export function expectedOneOf(
  message: string,
  suggestion: string | undefined,
  known: readonly string[],
): string {
  return suggestion ? didYouMean(message, suggestion) : localize`${message}; expected one of ${listed(known)}`
}

/** The words of a long list that can be meant at all, in two orders. */
interface Orders {
  readonly byBeginning: readonly string[]
  /** Each written backwards. */
  readonly byEnd: readonly string[]
}

const orders = perValue((known: readonly string[]): Orders => {
  const words = known.filter((it) => it.length <= comparedLength + mostEdits)
  return { byBeginning: words.sort(inOrder), byEnd: words.map(backwards).sort(inOrder) }
})

/** A slip leaves the beginning or the end of a word alone, so that its neighbours in one of the orders are enough. */
function neighbours(word: string, { byBeginning, byEnd }: Orders): ReadonlySet<string> {
  return new Set([...around(byBeginning, word), ...around(byEnd, backwards(word)).map(backwards)])
}

function around(sorted: readonly string[], word: string): readonly string[] {
  const place = countWhile(sorted.length, (index) => inOrder(sorted[index] ?? '', word) < 0)
  const each = comparedAtMost / 4
  return sorted.slice(Math.max(0, place - each), place + each)
}

/** Case does not count here either. */
function inOrder(one: string, other: string): number {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  if (first === second) return 0
  return first < second ? -1 : 1
}

function backwards(word: string): string {
  let reversed = ''
  for (let at = word.length - 1; at >= 0; at--) reversed += word.charAt(at)
  return reversed
}
