/** Places inside of strings of JSON, where one character of the value may be written as six. */

/** The offset in `text` of the code unit `index` of the valid string that opens at `start`; its closing quote for what is behind. */
export function offsetInString(text: string, start: number, index: number): number {
  let at = start + 1
  for (let unit = 0; unit < index && text.charCodeAt(at) !== quote; unit++) at = unitEnd(text, at)
  return at
}

/** Where the code unit of the value ends that is written at `at`. */
export function unitEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== backslash) return at + 1
  return at + (text.charCodeAt(at + 1) === letterU ? 6 : 2)
}

const quote = 0x22
const backslash = 0x5c
const letterU = 0x75
