/** An error in words that may be logged: where it happened, and nothing that a document or a file says. */
import { InvariantError } from './invariant.ts'

/**
 * The name of `error` and the places it came through, for a log or a bug report. Its message is left out, because engines put
 * values into messages (`Unexpected token 'S', "SECRET" is not valid JSON`), unless it is an {@link InvariantError}, whose
 * message holds no text of any document.
 */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { stack = '', message } = error
  const name = /^\w{1,60}$/.test(error.name) ? error.name : 'Error'
  const words = error instanceof InvariantError ? `${name}: ${message}` : name
  // The stack begins with the message, which may have lines that look like places. If it does not, nothing of it is safe.
  const heading = [`${error.name}: ${message}`, `Error: ${message}`].find((it) => stack.startsWith(it))
  const places = heading === undefined ? [] : stack.slice(heading.length).split('\n').filter(isPlace)
  return [words, ...places].join('\n')
}

// Linear: only lines of less than 800 code units are looked at.
const frame = /^ {4}at (?:[^\n]{1,300} \()?(?:[^\n() ]{1,300}:\d+:\d+|<anonymous>|native)\)?$/

function isPlace(line: string): boolean {
  return line.length < 800 && frame.test(line)
}
