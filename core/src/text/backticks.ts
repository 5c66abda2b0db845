/** Code in Markdown is between more backticks than there are in a row within it. */

/** How many backticks are in a row at most. */
export function longestBackticks(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** `text` as Markdown code on one line, whatever is in it: it must not become a link or a picture. */
export function markdownCode(text: string): string {
  const line = text.replace(/\s+/g, ' ') || ' '
  const ticks = longestBackticks(line)
  const fence = '`'.repeat(ticks + 1)
  const gap = ticks > 0 ? ' ' : ''
  return `${fence}${gap}${line}${gap}${fence}`
}

/** `text` as a Markdown code block, whatever is in it. */
export function markdownBlock(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}
