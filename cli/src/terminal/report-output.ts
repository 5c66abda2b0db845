/** Where a report goes: standard output, or the file of `--output-file`. */

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { fileProblem } from '../files/file-problem.ts'
import { Output } from './output.ts'

/** The place of a report. */
export class ReportOutput {
  readonly #standard: Output
  readonly #path: string | undefined
  #stream: WriteStream | undefined
  #file: Output | undefined

  /** @param path a file, which is replaced; undefined for `standard` */
  constructor(standard: Output, path: string | undefined) {
    this.#standard = standard
    this.#path = path
  }

  /** Opens the file, if there is one. @throws FileProblem */
  async open(): Promise<void> {
    if (this.#path === undefined) return
    this.#stream = createWriteStream(this.#path)
    try {
      await once(this.#stream, 'open')
    } catch (error) {
      this.#stream = undefined
      throw fileProblem(this.#path, error)
    }
    this.#file = new Output(this.#stream)
  }

  /** What to write to. */
  get output(): Output {
    return this.#file ?? this.#standard
  }

  /** Ends the file; standard output stays open. @throws FileProblem */
  async close(): Promise<void> {
    if (!this.#stream || !this.#file) return
    try {
      await this.#file.flush()
      this.#file.release()
      this.#stream.end()
      await once(this.#stream, 'close')
    } catch (error) {
      throw fileProblem(this.#path ?? '', error)
    }
  }
}
