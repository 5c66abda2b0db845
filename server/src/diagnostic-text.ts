/**
 * A diagnostic as JSON in which the numbers of its positions are left open: what an edit before it only moves is written again by
 * putting in other numbers.
 */
import type { Diagnostic, Range as LspRange } from 'vscode-languageserver'
import type { Position, Problem, Range } from '../../core/src/internal.ts'

/** A position, counted from the beginning of a segment. */
export interface AnchoredPosition {
  /** Which segment: 0 for the one that has the problem; others are numbered by the caller. */
  readonly anchor: number
  readonly line: number
  /** In the line in which the segment begins, from there; in others, from their start. */
  readonly character: number
}

/** A segment, and where it begins. */
export interface Anchor {
  readonly anchor: number
  readonly position: Position
}

/** The JSON of a diagnostic but for the numbers of its positions. */
export interface DiagnosticText {
  /** The pieces between the positions, in UTF-8. */
  readonly pieces: readonly Uint8Array[]
  /** One after each piece but the last; the first two are those of the marked text. */
  readonly positions: readonly AnchoredPosition[]
}

/**
 * The text of `diagnostic`, which was made of `problem`.
 *
 * @param anchorOf from where the positions of a place of the problem are counted
 */
export function diagnosticText(
  diagnostic: Diagnostic,
  problem: Problem,
  anchorOf: (place: Range) => Anchor,
): DiagnosticText {
  const positions: AnchoredPosition[] = []
  const open = ({ start, end }: LspRange, place: Range) => {
    const anchor = anchorOf(place)
    positions.push(anchored(start, anchor), anchored(end, anchor))
    return { start: openPosition, end: openPosition }
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
  return { pieces: encoded(text.split(JSON.stringify(openPosition).slice(1, -1))), positions }
}

// No text of a document looks like members with these values: in JSON, its quotes are escaped.
const openPosition = { line: '@', character: '@' }

/** `position`, counted from where a segment begins. */
export function anchored({ line, character }: Position, { anchor, position }: Anchor): AnchoredPosition {
  const isFirst = line === position.line
  return {
    anchor,
    line: line - position.line,
    character: isFirst ? character - position.character : character,
  }
}

/** Where `place` is if the segment that it is counted from begins at `begin`. */
export function positionFrom(begin: Position, place: AnchoredPosition): Position {
  const character = place.line === 0 ? begin.character + place.character : place.character
  return { line: begin.line + place.line, character }
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
const character = encoder.encode(',"character":')
const start: Position = { line: 0, character: 0 }

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

  /** Adds the diagnostic; `anchors` are the positions at which its anchors begin. */
  addDiagnostic({ pieces, positions }: DiagnosticText, anchors: readonly Position[]): void {
    for (let index = 0; index < pieces.length; index++) {
      this.#addBytes(pieces[index] as Uint8Array)
      const place = positions[index]
      if (!place) continue
      const position = positionFrom(anchors[place.anchor] ?? start, place)
      this.#addNumber(position.line)
      this.#addBytes(character)
      this.#addNumber(position.character)
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
