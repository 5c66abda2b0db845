/** Code in Markdown is between more backticks than there are in a row within it. */

/** How many backticks are in a row at most. */
export function longestBackticks(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}
