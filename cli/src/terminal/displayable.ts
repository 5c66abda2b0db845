/**
 * Text of a transcript, made safe to show: whatever could steer a terminal, reorder a line or hide in it becomes visible.
 * A hostile transcript cannot send an escape sequence, nor show other text than it has.
 */
import { inPieces } from '../../../core/src/internal.ts'

/** Control characters but tab and line feed, lone surrogates, invisible and reordering characters, and private tags. */
const unsafe =
  // The joiners and the plain direction marks are left: ordinary text in many scripts needs them.
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u180e\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu

/** `text` with every unsafe character replaced by a visible sign for it. Tabs and line feeds stay. */
export function displayable(text: string): string {
  return inPieces(text, (piece) => piece.replace(unsafe, signOf))
}

/** As {@link displayable}, for one line: line feeds become visible too, and tabs become spaces. */
export function displayableLine(text: string): string {
  return displayable(text).replaceAll('\n', '␊').replaceAll('\t', tab)
}

/**
 * As {@link displayableLine}, for the beginning of a line of output: in quotes if the line would be a command to a service that
 * reads the output of builds, such as `::set-output …` on GitHub, which trims lines.
 */
export function lineStart(text: string): string {
  const line = displayableLine(text)
  return line.trimStart().startsWith('::') ? `"${line}"` : line
}

/** JSON text with the characters escaped that {@link displayable} would replace; the value is the same. */
export function safeJson(json: string): string {
  return inPieces(json, (piece) => piece.replace(unsafe, escapesOf))
}

function escapesOf(character: string): string {
  let escapes = ''
  for (let index = 0; index < character.length; index++) {
    escapes += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }
  return escapes
}

/** What a tab is shown as. */
export const tab = '    '

function signOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCharCode(0x2400 + code) // Unicode has pictures of these
  if (code === 0x7f) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
