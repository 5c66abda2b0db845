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
    const lead = bytes[at] as number // `at` is an index
    if (lead < 0x80) {
      at++
      continue
    }
    const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    if (lead < 0xc2 || lead > 0xf4 || !isIn(bytes[at + 1], secondBytes[lead] ?? continuation)) return at
    for (let nth = 2; nth < length; nth++) if (!isIn(bytes[at + nth], continuation)) return at
    at += length
  }
  return at
}

const continuation = [0x80, 0xbf] as const

/** After these bytes, fewer may follow: no overlong forms, no surrogates, nothing above U+10FFFF. */
const secondBytes: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
}

function isIn(it: number | undefined, [least, most]: readonly [number, number]): boolean {
  return it !== undefined && least <= it && it <= most
}
