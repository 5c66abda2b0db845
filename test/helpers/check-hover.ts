/** Hover as text: the line with what is explained marked below it, then the explanation. */
import { analyze, hover, Transcript } from '../../core/src/internal.ts'
import { withCursor } from './marked-text.ts'

/** The explanation at `$0`, with `↑` under the cursor and `▔` under what is explained. */
export function hoverAt(marked: string): string {
  const { text, offset } = withCursor(marked)
  const found = hover(analyze(Transcript.parse(text)), offset)
  if (!found) return 'no explanation'
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const line = text.slice(lineStart).split('\n', 1)[0] ?? ''
  const marks = [...line].map((_, index) => markAt(lineStart + index, offset, found.range)).join('')
  return `${line}\n${marks.trimEnd()}\n${found.markdown}`
}

function markAt(
  offset: number,
  cursor: number,
  range: { readonly start: number; readonly end: number },
): string {
  if (offset === cursor) return '↑'
  return range.start <= offset && offset < range.end ? '▔' : ' '
}
