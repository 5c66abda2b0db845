/**
 * A diagnostic as JSON in which the numbers of lines are left open: what an edit above only moves by lines is written again
 * by putting in other numbers.
 */
import type { Diagnostic, Range as LspRange } from 'vscode-languageserver'
import type { Position, Problem, Range } from '../../core/src/internal.ts'

/** A line, counted from the beginning of a segment. */
export interface AnchoredLine {
  /** Which segment: 0 for the one that has the problem; others are numbered by the caller. */
  readonly anchor: number
  readonly line: number
}

/** The JSON of a diagnostic but for its line numbers. */
export interface DiagnosticText {
  /** The pieces between the line numbers, in UTF-8. */
  readonly pieces: readonly Uint8Array[]
  /** The line numbers, one after each piece but the last; the marked text ends in the second of them. */
  readonly lines: readonly AnchoredLine[]
  /** The character at which the marked text ends. */
  readonly endCharacter: number
}

/**
 * The text of `diagnostic`, which was made of `problem`.
 *
 * @param anchorOf from where the lines of a place of the problem are counted
 */
export function diagnosticText(
  diagnostic: Diagnostic,
  problem: Problem,
  anchorOf: (place: Range) => AnchoredLine,
): DiagnosticText {
  const lines: AnchoredLine[] = []
  const open = ({ start, end }: LspRange, place: Range) => {
    const { anchor, line } = anchorOf(place)
    lines.push({ anchor, line: start.line - line }, { anchor, line: end.line - line })
    return { start: withoutLine(start), end: withoutLine(end) }
  }
  const { range, relatedInformation, ...rest } = diagnostic
  const text = JSON.stringify({
    range: open(range, problem.range),
    ...rest,
    ...(relatedInformation && {
      relatedInformation: relatedInformation.map(({ location, message }, index) => ({
        location: {
          uri: location.uri,
          range: open(location.range, problem.related[index]?.range ?? problem.range),
        },
        message,
      })),
    }),
  })
  const pieces = text.split('"line":"@"')
  return { pieces: encoded(pieces), lines, endCharacter: range.end.character }
}

// No text of a document looks like a member with this value: in JSON, its quotes are escaped.
function withoutLine({ character }: Position): { readonly line: string; readonly character: number } {
  return { line: '@', character }
}

const encoder = new TextEncoder()

/** The pieces of a diagnostic as views of one list of bytes. */
function encoded(pieces: readonly string[]): readonly Uint8Array[] {
  const last = pieces.length - 1
  const parts = pieces.map((it, index) => (index === last ? it : `${it}"line":`))
  const bytes = encoder.encode(parts.join(''))
  let at = 0
  return parts.map((part) => {
    const isPlain = bytes.length === 0 || /^[\x20-\x7f]*$/.test(part)
    const from = at
    at += isPlain ? part.length : encoder.encode(part).length
    return bytes.subarray(from, at)
  })
}

const zero = '0'.charCodeAt(0)
const longestNumber = 16 // digits of a line
const comma = encoder.encode(',')

/** JSON on its way to a client. */
export class JsonBytes {
  #bytes = new Uint8Array(1 << 12)
  #length = 0

  /** What was written, not to be changed; what is written later changes it. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Begins again. */
  clear(): void {
    this.#length = 0
  }

  addText(text: string): void {
    this.#addBytes(encoder.encode(text))
  }

  addComma(): void {
    this.#addBytes(comma)
  }

  /** Adds the diagnostic; `anchors` are the lines in which its anchors begin. */
  addDiagnostic({ pieces, lines }: DiagnosticText, anchors: readonly number[]): void {
    for (let index = 0; index < pieces.length; index++) {
      this.#addBytes(pieces[index] as Uint8Array)
      const place = lines[index]
      if (place) this.#addNumber((anchors[place.anchor] ?? 0) + place.line)
    }
  }

  #addBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #addNumber(value: number): void {
    this.#reserve(longestNumber)
    let nDigits = 1
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) nDigits++
    let rest = value
    for (let at = this.#length + nDigits - 1; at >= this.#length; at--) {
      this.#bytes[at] = zero + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    this.#length += nDigits
  }

  #reserve(size: number): void {
    if (this.#length + size <= this.#bytes.length) return
    const larger = new Uint8Array(2 * (this.#length + size))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}
