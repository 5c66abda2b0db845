/** Finds the blank lines between paragraphs in a text that arrives in pieces, whatever the pieces. */

const lineFeed = 10
const carriageReturn = 13
const space = 32
const tab = 9

/** Remembers between pieces whether there was text before, and how many line breaks ended it. */
export class ParagraphBreaks {
  #hasContent = false
  #lineBreaks = 0
  /** True after a `\r`, which is a line break of its own unless a `\n` follows. */
  #isBehindReturn = false

  /** Where in `text` paragraphs end: offsets after a line break that leaves a blank line. Linear. */
  endsIn(text: string): readonly number[] {
    const ends: number[] = []
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === lineFeed) {
        if (this.#endsWithBreak()) ends.push(at + 1)
        this.#isBehindReturn = false
        continue
      }
      if (this.#isBehindReturn && this.#endsWithBreak()) ends.push(at)
      this.#isBehindReturn = code === carriageReturn
      if (code === carriageReturn || code === space || code === tab) continue
      this.#hasContent = true
      this.#lineBreaks = 0
    }
    return ends
  }

  /** Counts a line break; true for the second one after something. */
  #endsWithBreak(): boolean {
    this.#lineBreaks++
    return this.#hasContent && this.#lineBreaks === 2
  }
}
