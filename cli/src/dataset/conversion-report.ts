/** Reports on standard error what conversions lost, without flooding it. */
import { ConversionError, type Loss, Transcript } from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import type { Console } from '../terminal/console.ts'

const shownAtMost = 100 // the kinds repeat; who needs all of them reads one file at a time

/** What a run lost. */
export class ConversionReport {
  readonly #console: Console
  #count = 0

  constructor(console: Console) {
    this.#console = console
  }

  /** How many losses there were. */
  get count(): number {
    return this.#count
  }

  /** Reports the losses of one conversation; `where` is its path, with the line in a dataset. `text` makes positions of offsets. */
  add(where: string, losses: readonly Loss[], text?: string): void {
    if (losses.length === 0) return
    const transcript = text === undefined ? undefined : Transcript.parse(text)
    for (const { message, range } of losses) {
      this.#count++
      if (this.#count > shownAtMost) continue
      const position = range && transcript?.positionAt(range.start)
      const place = position ? `:${position.line + 1}:${position.character + 1}` : ''
      this.#console.complain(`${where}${place}: lost: ${message}`)
    }
  }

  /** Reports how many were not listed. */
  end(): void {
    const hidden = this.#count - shownAtMost
    if (hidden > 0) this.#console.complain(`${hidden} more losses are not listed`)
  }
}

/** The problem that a refused conversion of `text` is. Other errors are thrown again. */
export function conversionProblem(path: string, error: unknown, text: string): FileProblem {
  if (!(error instanceof ConversionError)) throw error
  if (error.offset === undefined) return new FileProblem(path, error.message)
  const { line, character } = Transcript.parse(text).positionAt(error.offset)
  return new FileProblem(path, error.message, { line, character })
}
