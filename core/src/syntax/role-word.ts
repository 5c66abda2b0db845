/** The word after a start token, which decides whether a start token inside a body begins a message (D10). */
import type { Framing } from '../vocabulary/framing.ts'
import { roleOf } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

const toleratedSpaces = 8 // a few blanks after a start token are a slip; more of them are prose

/** How far a start token and the word after it reach at the most, as far as {@link knownRoleFollows} looks. */
export const roleLookahead = 64 // the longest token, the tolerated blanks, the longest role and one more token

/** True if a known role is after the start token that ends at `at` (I3: it depends only on the text after it). */
export function knownRoleFollows(text: string, at: number, framing: Framing): boolean {
  let start = at
  while (start < at + toleratedSpaces && isBlank(text.charCodeAt(start))) start++
  const word = text.slice(start, roleWordEnd(text, start, framing))
  return roleOf(word) !== undefined || isNamedRole(word, framing)
}

/** Harmony writes a name after the role: `user:alice` (HARMONY a.2). */
function isNamedRole(word: string, framing: Framing): boolean {
  if (framing.name !== 'harmony') return false
  const colon = word.indexOf(':')
  return colon !== -1 && roleOf(word.slice(0, colon)) !== undefined
}

const longestRoleNeeded = 24 // `functions.` and `browser.` are known by their prefix, the others are shorter

function roleWordEnd(text: string, start: number, framing: Framing): number {
  const limit = Math.min(text.length, start + longestRoleNeeded)
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) return at
    if (code === lessThan && framing.matcher.tokenAt(text, at).kind !== ControlKind.none) return at
  }
  return limit
}

const lessThan = 60

/** True for white space between the words of a header. */
export function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 0xa0 && isWideBlank(code))
}

/** True for what else Unicode and JavaScript call white space. */
function isWideBlank(code: number): boolean {
  if (code >= 0x2000 && code <= 0x200a) return true
  return wideBlanks.includes(code)
}

const wideBlanks = [0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]

/** True if nothing but white space is in `[from, to)`. */
export function isBlankBetween(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    if (!isBlank(text.charCodeAt(at))) return false
  }
  return true
}
