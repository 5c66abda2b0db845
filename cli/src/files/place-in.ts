/** Places in files other than transcripts, as people write them. */

/** `line:column` of `offset` in `text`, both from 1. */
export function placeIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n?|\n/)
  return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`
}
