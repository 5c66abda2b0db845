/** The text of a report, as bytes that another thread can print. */
import type { InputProblem } from '../files/input-problem.ts'
import type { Reporter, ReportOptions } from '../reporters/reporter.ts'
import type { FileReport } from './check-source.ts'
import { listedOfFile } from './report-limits.ts'

const pieceLength = 1 << 18 // code units: the whole may be longer than a string can be

const encoder = new TextEncoder()

/** Collects what a reporter writes about some files. */
export class ReportText {
  readonly #reporter: Reporter
  readonly #options: ReportOptions
  readonly #most: number
  readonly #bytes: Uint8Array[] = []
  #text = ''
  #nShown = 0
  #hasFile = false

  /** @param most how many problems are listed at most */
  constructor(reporter: Reporter, options: ReportOptions, most: number) {
    this.#reporter = reporter
    this.#options = options
    this.#most = most
  }

  /** How many problems of the next file are listed at most. */
  get room(): number {
    return Math.min(listedOfFile, Math.max(0, this.#most - this.#nShown))
  }

  /** Reports on one more file, of whose problems there are at most as many as there is room for. */
  add(report: FileReport): void {
    this.#nShown += report.problems.length
    this.#print(this.#reporter.file(report, this.#options))
  }

  /** Reports what could not be read, however many problems were listed before. */
  addInput(problem: InputProblem): void {
    this.#nShown++
    this.#print(this.#reporter.input(problem, this.#options))
  }

  #print(texts: Iterable<string>): void {
    let isStart = true
    for (const text of texts) {
      if (isStart && this.#hasFile) this.print(this.#reporter.separator)
      isStart = false
      this.#hasFile = true
      this.print(text)
    }
  }

  /** Adds `text` as it is. */
  print(text: string): void {
    this.#text += text
    if (this.#text.length >= pieceLength) this.#encode()
  }

  /** All of it. */
  end(): { readonly bytes: readonly Uint8Array[]; readonly nShown: number; readonly hasFile: boolean } {
    if (this.#text !== '') this.#encode()
    return { bytes: this.#bytes, nShown: this.#nShown, hasFile: this.#hasFile }
  }

  #encode(): void {
    this.#bytes.push(encoder.encode(this.#text))
    this.#text = ''
  }
}
