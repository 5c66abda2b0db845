/** Examples in the documentation of rules, written as a reader sees them. */

/**
 * The text between the back-ticks, without the indentation that all of its lines share.
 * The line break after the opening back-tick doesn't count; a line break before the closing one does, without the
 * indentation after it. Nothing is escaped.
 */
export function example({ raw: [text = ''] }: TemplateStringsArray): string {
  const lines = text.replace(/^\n/, '').split('\n')
  const isIndented = (line: string) => line.trim() !== ''
  const indentation = Math.min(...lines.filter(isIndented).map((line) => line.search(/\S/)))
  const last = lines.length - 1
  return lines
    .map((line, index) => (index === last ? lastLine(line, indentation) : line.slice(indentation)))
    .join('\n')
}

/** The line with the closing back-tick is empty unless it has words. */
function lastLine(line: string, indentation: number): string {
  return line.trim() === '' ? '' : line.slice(indentation)
}
