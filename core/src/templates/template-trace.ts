/** Which parts of a template wrote what of its rendering. */
import { countWhile } from '../text/count-while.ts'
import type { Range } from '../text/range.ts'

/** A rendering, stretch by stretch, as data that can be sent to another thread. */
export interface WrittenStretches {
  /** Where each stretch begins in the rendering, in UTF-16 code units. */
  readonly starts: readonly number[]
  /** The parts of the template that wrote each stretch, the outermost first: a call of a macro before what is in the macro. */
  readonly sources: readonly (readonly Range[])[]
  /** True for a stretch that is text of the template, character by character. */
  readonly areTexts: readonly boolean[]
}

/** The parts of the template that wrote what is at `offset` of its rendering, the outermost first; of a text, the rest of its line. */
export function templateSourcesAt(
  { starts, sources, areTexts }: WrittenStretches,
  offset: number,
): readonly Range[] {
  const index = countWhile(starts.length, (it) => (starts[it] ?? 0) <= offset) - 1
  const found = sources[index] ?? []
  const [start, last] = [starts[index] ?? 0, found.at(-1)]
  if (!areTexts[index] || !last) return found
  return [...found.slice(0, -1), { start: Math.min(last.start + offset - start, last.end), end: last.end }]
}

/** What was written at once. */
interface Piece {
  readonly length: number
  readonly sources: readonly Range[]
  readonly isText: boolean
}

/** Beyond it, single stretches are of no use, and the list would be longer than the text. */
const mostStretches = 100_000
const deepest = 8 // calls of macros inside each other that are noted, the innermost ones

/** Notes what is written, also into texts that are captured and written later. */
export class TemplateTrace {
  /** The marks of generation, which are no part of the rendering. */
  readonly #marks: readonly string[]
  #pieces: Piece[] = []
  /** What captured texts consist of, by the text: where they are written as they are, that is known. */
  readonly #captured = new Map<string, readonly Piece[]>()
  #count = 0

  constructor(marks: readonly string[]) {
    this.#marks = marks.filter((it) => it !== '')
  }

  /** `text` was written by the part `source` of the template; `isText` if it is that part. */
  write(text: string, source: Range, isText: boolean): void {
    if (this.#count > mostStretches) return
    const inner = isText ? undefined : this.#captured.get(text)
    if (!inner) this.#add({ length: this.#lengthOf(text), sources: [source], isText })
    else
      for (const it of inner)
        this.#add(it.sources.length < deepest ? { ...it, sources: [source, ...it.sources] } : it)
  }

  /** What `work` writes is no part of the rendering until the text that it returns is written. */
  captured(work: () => string): string {
    const outer = this.#pieces
    this.#pieces = []
    try {
      const text = work()
      if (text !== '') this.#captured.set(text, this.#pieces)
      return text
    } finally {
      this.#pieces = outer
    }
  }

  /** What was written; undefined if it is too much. */
  stretches(): WrittenStretches | undefined {
    if (this.#count > mostStretches) return undefined
    const starts: number[] = []
    let at = 0
    for (const { length } of this.#pieces) {
      starts.push(at)
      at += length
    }
    return {
      starts,
      sources: this.#pieces.map(({ sources }) => sources),
      areTexts: this.#pieces.map(({ isText }) => isText),
    }
  }

  #add(piece: Piece): void {
    this.#count++
    if (piece.length > 0 && this.#count <= mostStretches) this.#pieces.push(piece)
  }

  #lengthOf(text: string): number {
    let { length } = text
    for (const mark of this.#marks) length -= text.split(mark).length - 1
    return length
  }
}
