/**
 * Marked text: a transcript in a test, with the places that matter written into it.
 *
 * `$0` stands for the cursor. A line that holds nothing but carets and a label marks the line above it:
 *
 *     <|start|>bot<|message|>Hi<|end|>
 *              ^^^ E-PARSE-HEADER unknown-role
 */

/** A labelled piece of a text; offsets in UTF-16 code units, half-open. */
export type Mark = { readonly start: number; readonly end: number; readonly label: string }

const cursorMark = '$0'
const markLine = /^[ \t]*(\^+)(?:[ \t]+(.*?))?[ \t]*$/

/** The text without its one `$0`, and where that stood. */
export function withCursor(marked: string): { readonly text: string; readonly offset: number } {
  const parts = marked.split(cursorMark)
  if (parts.length !== 2) throw new TypeError(`Expected one ${cursorMark}, found ${parts.length - 1}`)
  return { text: parts.join(''), offset: parts[0]!.length }
}

/** The text without every `$0`, and where those stood, for instance the two ends of a selection. */
export function withCursors(marked: string): { readonly text: string; readonly offsets: number[] } {
  const parts = marked.split(cursorMark)
  const offsets = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('').length)
  return { text: parts.join(''), offsets }
}

/** The text without its lines of carets, and what those mark, in the order of the text. */
export function withMarks(marked: string): { readonly text: string; readonly marks: Mark[] } {
  const marks: Mark[] = []
  let text = ''
  let lineStart = 0
  for (const line of marked.split(/(?<=\n)/)) {
    const carets = markLine.exec(line.replace(/\n$/, ''))
    if (!carets) {
      lineStart = text.length
      text += line
      continue
    }
    const start = lineStart + line.indexOf('^')
    marks.push({ start, end: start + carets[1]!.length, label: carets[2] ?? '' })
  }
  return { text, marks: marks.sort((a, b) => a.start - b.start) }
}

/**
 * The inverse of `withMarks`: the text with a line of carets below each marked line.
 * A mark that goes on behind its first line is drawn to the end of that line, an empty one with one caret.
 */
export function marked(text: string, marks: readonly Mark[]): string {
  const sorted = [...marks].sort((a, b) => a.start - b.start)
  let result = ''
  let lineStart = 0
  for (const line of text.split(/(?<=\n)/)) {
    const lineEnd = lineStart + line.length
    const isLast = lineEnd === text.length
    const content = line.replace(/\n$/, '')
    const here = sorted.filter(
      (it) => lineStart <= it.start && (it.start < lineEnd || (isLast && it.start === lineEnd)),
    )
    result += here.length > 0 && content === line ? `${line}\n` : line
    for (const it of here) {
      const column = it.start - lineStart
      const length = Math.max(1, Math.min(it.end - lineStart, content.length) - column)
      result += `${`${' '.repeat(column)}${'^'.repeat(length)} ${it.label}`.trimEnd()}\n`
    }
    lineStart = lineEnd
  }
  return result
}
