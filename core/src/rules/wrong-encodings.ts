/** Text in UTF-8 that was read as Windows-1252: how it looks, and what it was. */

/** The characters of Windows-1252 from 0x80 to 0x9F; those that it lacks are the controls of Latin-1. */
const upperHalf = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Replacement characters, and what is surely mojibake: Latin letters inside words, signs that `Â` is never before, typographic signs,
 * emoji, words in Cyrillic and in Chinese or Japanese, and a byte order mark. Letters such as `Ã` alone are words of Portuguese.
 * Text that was read as Latin-1 has control characters that no one writes.
 */
export const mojibake =
  // Linear: each alternative begins with another character, and only runs of one set of characters repeat.
  /\ufffd+|(?<=[a-z])Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ](?=[a-z])|Â[\u00a0£©®°§·½¿¡±²³«]|â€[\u0080-\u00bf“”œ™˜¦¢“”–—]|ð[Ÿ\u009f][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2}|(?:[ÐÑ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]){3,}|ï»¿|â\u0080[\u0080-\u00bf]|(?:[à-ï][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]{2}){2,}/gu

/** What `text` was before it was read as Windows-1252; undefined if it is not that. */
export function restored(text: string): string | undefined {
  const bytes: number[] = []
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const upper = upperHalf.indexOf(character)
    if (upper !== -1) bytes.push(0x80 + upper)
    else if (code < 0x100) bytes.push(code)
    else return undefined
  }
  try {
    return decodeURIComponent(bytes.map((it) => `%${it.toString(16).padStart(2, '0')}`).join(''))
  } catch {
    return undefined
  }
}
