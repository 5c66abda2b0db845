/**
 * Replacing in text that may be long. `replace` and `replaceAll` with a text to put in make a string for each match and each
 * piece between them, which takes up to 100 bytes a match; here only the matches of one piece are held.
 */

/** UTF-16 code units of a piece. */
const pieceLength = 1 << 16

/** What `change` makes of `text`, piece by piece. No piece ends within a character or between a carriage return and a line feed. */
export function inPieces(text: string, change: (piece: string) => string): string {
  if (text.length <= pieceLength) return change(text)
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = from + pieceLength
    if (/^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])/.test(text.slice(to - 1, to + 1))) to++
    pieces.push(change(text.slice(from, to)))
    from = to
  }
  return pieces.join('')
}

/** What `change` makes of the lines of `text`, many at a time. A piece ends after a line feed, or at the end of the text. */
export function inLines(text: string, change: (lines: string) => string): string {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from + pieceLength - 1)
    const to = end === -1 ? text.length : end + 1
    pieces.push(change(text.slice(from, to)))
    from = to
  }
  return pieces.join('')
}

/**
 * `text` with characters replaced, one kind after the other.
 *
 * @param replacements pairs of a UTF-16 code unit and the text that takes its place
 */
export function withEach(text: string, replacements: readonly (readonly [string, string])[]): string {
  return inPieces(text, (piece) => {
    let result = piece
    for (const [unit, replacement] of replacements)
      if (result.includes(unit)) result = result.split(unit).join(replacement)
    return result
  })
}

/** `text` with line feeds only: no carriage return is left. */
export function withLineFeeds(text: string): string {
  if (!text.includes('\r')) return text
  return inPieces(text, (piece) => piece.split(/\r\n?/).join('\n'))
}
