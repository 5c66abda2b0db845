/** The UTF-16 code units of texts as numbers in an array: many of them are looked at sooner there than in a string. */

declare const Buffer: { from(memory: ArrayBuffer): NativeBuffer } | undefined // Node has it, browsers have not

interface NativeBuffer {
  write(text: string, at: number, encoding: 'utf16le'): number
}

/** Code units that there is room for. */
export const mostUnits = 1 << 16

/** What was copied last, and zeros or remains behind it. Whoever copies is done with it before anybody else does. */
export const units = new Uint16Array(mostUnits + 16)

const native = typeof Buffer === 'undefined' ? undefined : Buffer.from(units.buffer)

/** True if {@link copyUnits} is several times as quick as reading a string. */
export const copiesQuickly = native !== undefined

/** Copies `text` to where `at` is, which must have room for it; answers where it ends. */
export function copyUnits(text: string, at: number): number {
  if (native) native.write(text, 2 * at, 'utf16le')
  else for (let index = 0; index < text.length; index++) units[at + index] = text.charCodeAt(index)
  return at + text.length
}
