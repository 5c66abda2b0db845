/** Counts and judges bytes of UTF-8. */

/** The UTF-16 code units of the characters that begin from `from` to before `to`, which may be inside of characters. */
export function utf16Length(bytes: Uint8Array, from: number, to: number): number {
  let length = 0
  for (let at = from; at < to; at++) {
    const it = bytes[at] as number // `at` is an index
    if (it < 0x80) length++
    else if (it >= 0xc0) length += it >= 0xf0 ? 2 : 1
  }
  return length
}

/** How many bytes at the beginning are whole characters of UTF-8: all of them, unless one is invalid or cut off. */
export function validUtf8Length(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const code = codePointAt(bytes, at, bytes.length)
    if (code === -1) return at
    at += utf8Length(code)
  }
  return at
}

/** The code point of the character of UTF-8 that begins at `at`; -1 if it is invalid, or does not end before `to`. */
export function codePointAt(bytes: Uint8Array, at: number, to: number): number {
  const lead = bytes[at] as number // `at` is an index
  if (lead < 0x80) return lead
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  if (lead < 0xc2 || lead > 0xf4 || at + length > to) return -1
  let code = lead & (0x7f >> length)
  for (let nth = 1; nth < length; nth++) {
    const next = bytes[at + nth] as number // before `to`
    if ((next & 0xc0) !== 0x80) return -1
    code = (code << 6) | (next & 0x3f)
  }
  const isSurrogate = 0xd800 <= code && code <= 0xdfff
  return utf8Length(code) === length && !isSurrogate && code <= 0x10ffff ? code : -1
}

/** The bytes of a code point in UTF-8. */
export function utf8Length(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}
