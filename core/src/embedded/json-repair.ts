/** Repairs JSON that is nearly right: what models and people get wrong, with the changes that make it one valid value. */
import { jsonText } from '../text/json-text.ts'
import { trimmedEnd } from './embedded-problem.ts'
import { jsonBody } from './json-body.ts'
import { isDigit, isWordCharacter, type JsonProblem, stringEnd } from './json-token.ts'

/** A replacement in a JSON text. */
export interface JsonEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const changesAtMost = 50 // of one text; more is not a slip
const workAtMost = 200_000 // code units that are read for one repair

/**
 * The changes that make `text` one JSON value, in order of the text and not overlapping; undefined where it is valid, or
 * no one can tell what was meant. `problem` is the first mistake.
 */
export function jsonRepair(text: string, problem: JsonProblem): readonly JsonEdit[] | undefined {
  let edits: readonly JsonEdit[] = []
  let current = text
  let next: JsonProblem | undefined = problem
  let work = 0
  while (next) {
    work += current.length
    const steps = edits.length < changesAtMost && work <= workAtMost ? stepsFor(current, next) : undefined
    if (!steps) return undefined
    // From the end, so that the places of those before stay right.
    for (const step of [...steps].reverse()) {
      const added = withEdit(edits, step)
      if (!added) return undefined
      edits = added
      current = current.slice(0, step.start) + step.text + current.slice(step.end)
    }
    next = jsonBody(current).problem
  }
  return edits
}

/** `edits` with one more, which is in terms of the text that they made; undefined if it touches one of them. */
function withEdit(edits: readonly JsonEdit[], step: JsonEdit): readonly JsonEdit[] | undefined {
  let shift = 0
  let index = 0
  for (const { start, end, text } of edits) {
    const from = start + shift
    if (step.end <= from && step.start < from) break
    if (step.start < from + text.length || step.start < from) return undefined
    shift += text.length - (end - start)
    index++
  }
  const own = { start: step.start - shift, end: step.end - shift, text: step.text }
  return [...edits.slice(0, index), own, ...edits.slice(index)]
}

/** What is done about one mistake; two changes only for something that has two ends. */
function stepsFor(text: string, { kind, range }: JsonProblem): readonly JsonEdit[] | undefined {
  const written = text.slice(range.start, range.end)
  const replaced = (inserted: string) => [{ ...range, text: inserted }]
  const inserted = (at: number, it: string) => [{ start: at, end: at, text: it }]
  switch (kind) {
    case 'trailing-comma':
    case 'extra-closer':
    case 'unexpected-comma':
    case 'comment':
    case 'invisible-character':
      return replaced('')
    case 'unexpected-end': {
      const closers = missingClosers(text)
      return closers === '' ? undefined : inserted(trimmedEnd(text, 0, text.length), closers)
    }
    case 'unclosed-string': {
      const end = trimmedEnd(text, 0, text.length)
      if (range.end < end) return inserted(range.end, '"')
      return inserted(end, `"${missingClosers(`${text.slice(0, end)}"`)}`)
    }
    case 'wrong-quotes': {
      const inside = written.slice(1, -1).replaceAll("\\'", "'")
      return written.length < 2 || inside.includes('\\') ? undefined : replaced(jsonText(inside))
    }
    case 'unquoted-key':
    case 'unquoted-string':
      return replaced(jsonText(written))
    case 'foreign-word':
      return replaced(/^(?:True|TRUE)$/.test(written) ? 'true' : falseOrNull(written))
    case 'control-character':
      return replaced(jsonText(written).slice(1, -1))
    case 'bad-escape':
      return inserted(range.start, '\\')
    case 'bad-number':
      return number(written, replaced)
    case 'missing-comma':
      return isQuoteInString(text, range.start) ? undefined : inserted(range.start, ',')
    case 'code-fence':
      return range.start === firstVisible(text) ? withoutFence(text, range.end) : undefined
    default:
      return undefined
  }
}

function falseOrNull(word: string): string {
  return /^(?:False|FALSE)$/.test(word) ? 'false' : 'null'
}

function number(
  written: string,
  replaced: (text: string) => readonly JsonEdit[],
): readonly JsonEdit[] | undefined {
  const simple = written.replace(/^\+/, '').replace(/^(-?)\./, '$10.')
  return simple === written ? undefined : replaced(simple)
}

/** The brackets that close what is still open at the end. */
function missingClosers(text: string): string {
  const open: string[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '{') open.push('}')
    else if (character === '[') open.push(']')
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const { end } = stringEnd(text, at)
      if (end === undefined) return ''
      at = end - 1
    }
  }
  return open.reverse().join('')
}

/** True for a word directly after a quote: the quote is inside a string, and a comma would make it worse. */
function isQuoteInString(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return text.charAt(at - 1) === '"' && (isWordCharacter(code) || isDigit(code))
}

function firstVisible(text: string): number {
  return text.length - text.trimStart().length
}

const fence = '```'

/** The first line, and the line of the fence that closes it. */
function withoutFence(text: string, lineEnd: number): readonly JsonEdit[] | undefined {
  const opener = { start: 0, end: lineEnd, text: '' }
  const rest = text.slice(lineEnd).trimEnd()
  if (!rest.endsWith(fence)) return undefined
  const content = rest.slice(0, -fence.length).trimEnd()
  return [opener, { start: lineEnd + content.length, end: text.length, text: '' }]
}
