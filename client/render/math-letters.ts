/**
 * Letters of mathematical alphabets. MathML in browsers has no `mathvariant`, so a letter of another alphabet is written as the
 * character that Unicode has for it.
 */

/** Where the alphabets of one style begin; 0 where Unicode has none. */
interface Alphabet {
  readonly upper: number
  readonly digit?: number
  /** Greek capital alpha; the small letters follow 26 places later. */
  readonly greek?: number
  /** Letters that Unicode had before, and so elsewhere. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

const alphabets: Readonly<Record<string, Alphabet>> = {
  bold: { upper: 0x1d400, digit: 0x1d7ce, greek: 0x1d6a8 },
  italic: { upper: 0x1d434, greek: 0x1d6e2, elsewhere: { h: 'ℎ' } },
  'bold-italic': { upper: 0x1d468, greek: 0x1d71c },
  script: {
    upper: 0x1d49c,
    elsewhere: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
  },
  fraktur: { upper: 0x1d504, elsewhere: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' } },
  'double-struck': {
    upper: 0x1d538,
    digit: 0x1d7d8,
    elsewhere: { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
  },
  'bold-fraktur': { upper: 0x1d56c },
  'sans-serif': { upper: 0x1d5a0, digit: 0x1d7e2 },
  'bold-sans-serif': { upper: 0x1d5d4, digit: 0x1d7ec },
  'sans-serif-italic': { upper: 0x1d608 },
  'sans-serif-bold-italic': { upper: 0x1d63c },
  monospace: { upper: 0x1d670, digit: 0x1d7f6 },
}

/** `text` in the letters of `variant`; what has no letter there stays as it is. */
export function inAlphabet(text: string, variant: string): string {
  const alphabet = Object.hasOwn(alphabets, variant) ? alphabets[variant] : undefined
  if (!alphabet) return text
  let result = ''
  for (const character of text) result += letterIn(character, alphabet)
  return result
}

function letterIn(character: string, { upper, digit, greek, elsewhere }: Alphabet): string {
  const known = elsewhere && Object.hasOwn(elsewhere, character) ? elsewhere[character] : undefined
  if (known !== undefined) return known
  const code = character.charCodeAt(0)
  if (65 <= code && code <= 90) return String.fromCodePoint(upper + code - 65)
  if (97 <= code && code <= 122) return String.fromCodePoint(upper + code - 97 + 26)
  if (digit !== undefined && 48 <= code && code <= 57) return String.fromCodePoint(digit + code - 48)
  if (greek !== undefined && 0x391 <= code && code <= 0x3a9) return String.fromCodePoint(greek + code - 0x391)
  if (greek !== undefined && 0x3b1 <= code && code <= 0x3c9)
    return String.fromCodePoint(greek + code - 0x3b1 + 26)
  return character
}
