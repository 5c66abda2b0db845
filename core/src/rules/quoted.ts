/** Words of the text inside messages: in backticks, on one line, and short whatever the text holds. */
import { inBackticks } from '../text/in-backticks.ts'
import { localize } from '../text/localize.ts'

const longest = 48 // fits a line of a problem list

/** `text` in backticks; white space is one space, and a long text is cut. */
export function quoted(text: string): string {
  const head = text.slice(0, longest + 1)
  const line = head.replace(/\s+/g, ' ')
  return inBackticks(text.length > longest ? `${line.slice(0, longest)}…` : line)
}

const listedAtMost = 20 // words: a longer list is not read

/** `words` as a list in a sentence: `` `a`, `b`, and `c` ``; a long list is cut to its first words and the number of others. */
export function listed(words: readonly string[]): string {
  if (words.length > listedAtMost) {
    const shown = words.slice(0, listedAtMost - 1).map(quoted)
    return localize`${shown.join(', ')}, and ${words.length - shown.length} others`
  }
  const last = words.at(-1)
  if (words.length < 2) return last === undefined ? '' : quoted(last)
  if (words.length === 2) return localize`${quoted(words[0] ?? '')} and ${quoted(last ?? '')}`
  return localize`${words.slice(0, -1).map(quoted).join(', ')}, and ${quoted(last ?? '')}`
}
