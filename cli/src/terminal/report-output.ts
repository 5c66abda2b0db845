/** Where a report goes: standard output, or the file of `--output-file`. */
import { Writable } from 'node:stream'
import type { Spool } from '../../../core/src/internal.ts'
import { assertReportPlace, writeReport } from '../files/report-file.ts'
import { temporarySpool } from '../files/temporary-spool.ts'
import { Output } from './output.ts'

const writtenAtOnce = 2 ** 20 // bytes

/** The place of a report. */
export class ReportOutput {
  readonly #standard: Output
  readonly #path: string | undefined
  /** Keeps the report until it is complete. */
  #spool: Spool | undefined
  #length = 0
  #file: Output | undefined

  /** @param path a file, which is replaced; undefined for `standard` */
  constructor(standard: Output, path: string | undefined) {
    this.#standard = standard
    this.#path = path
  }

  /** Prepares the file, if there is one: it is written by {@link finish}. @throws FileProblem */
  async open(): Promise<void> {
    if (this.#path === undefined) return
    await assertReportPlace(this.#path)
    const spool = await temporarySpool()
    this.#spool = spool
    const stream = new Writable({
      write: (chunk: Uint8Array, _encoding, done) => {
        this.#length += chunk.length
        spool.append(chunk).then(() => done(), done)
      },
    })
    this.#file = new Output(stream)
  }

  /** What to write to. */
  get output(): Output {
    return this.#file ?? this.#standard
  }

  /** Writes the file, if there is one, now that the report is complete. @throws FileProblem */
  async finish(): Promise<void> {
    await this.output.flush()
    if (this.#path !== undefined) await writeReport(this.#path, this.#chunks())
  }

  /** Lets go of the report. Standard output stays open. */
  async close(): Promise<void> {
    await this.#spool?.close()
  }

  async *#chunks(): AsyncIterable<Uint8Array> {
    for (let start = 0; start < this.#length; start += writtenAtOnce) {
      const bytes = await this.#spool?.read({ start, end: Math.min(this.#length, start + writtenAtOnce) })
      if (bytes) yield bytes
    }
  }
}
