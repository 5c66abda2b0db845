/** `text`, of which no more than the first `most` code units are shown; no character is cut in half. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
}

/** As {@link shortened}, but no more than `most` code units with the sign for what is left out. */
export function fitted(text: string, most: number): string {
  return text.length > most ? shortened(text, most - 1) : text
}
