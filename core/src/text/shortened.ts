/** `text`, of which no more than the first `most` code units are shown; no character is cut in half. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
}
