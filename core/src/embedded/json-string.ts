/** Places of strings in valid JSON, and inside of them, where one code unit of the value may be written as six. */

/** The offset in `text` of the code unit `index` of the string that opens at `start`; of its closing quote for indexes after the end. */
export function offsetInString(text: string, start: number, index: number): number {
  let at = start + 1
  for (let left = index; left > 0; left--) {
    const next = text.indexOf('\\', at)
    if (next === -1 || next - at >= left) return at + left
    left -= next - at
    at = unitEnd(text, next)
  }
  return at
}

/** Where the code unit of the value ends that is written at `at`. */
export function unitEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== backslash) return at + 1
  return at + (text.charCodeAt(at + 1) === letterU ? 6 : 2)
}

/** Where the string opens that is the last value of `key` in the object that `text` is; undefined if there is none. */
export function stringMember(text: string, key: string): number | undefined {
  let found: number | undefined
  let depth = 0
  let isKey = false
  let isWanted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = stringClose(text, at)
      if (depth === 1 && isKey) isWanted = JSON.parse(text.slice(at, end + 1)) === key
      else if (depth === 1 && isWanted) found = at
      at = end
    } else if (code === openBrace || code === openBracket) depth++
    else if (code === closeBrace || code === closeBracket) depth--
    else if (code === colon && depth === 1) isKey = false
    if (depth === 1 && (code === comma || code === openBrace)) isKey = true
  }
  return found
}

/** The quote that closes the string that opens at `start`, or the end of the text. The search is left to the engine. */
export function stringClose(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((at - before) % 2 === 0) return at
  }
  return text.length
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const letterU = 0x75
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
