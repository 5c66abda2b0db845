/** What the samples of a report are compared by: about 300 bytes a sample, and as many again where they are written for `--merge`. */
import { DatasetCheck } from '../../../core/src/internal.ts'
import { PackedMarks } from './report-json.ts'
import type { PlacedMark } from './report-work.ts'

/** Takes the marks of samples as they come, and keeps what is needed of them. */
export class ReportMarks {
  readonly check = new DatasetCheck()
  readonly others = new PackedMarks()
  readonly marks = new PackedMarks()
  readonly #areKept: boolean

  /** @param options.areKept true to write them later */
  constructor({ areKept }: { readonly areKept: boolean }) {
    this.#areKept = areKept
  }

  /** Takes a sample of the dataset that the others are compared with; before them. */
  addOther(placed: PlacedMark): void {
    this.check.addOther(placed.mark, placed.shown, placed.number)
    if (this.#areKept) this.others.add(placed)
  }

  /** Takes a sample of the dataset. */
  add(placed: PlacedMark): void {
    this.check.add(placed.mark, placed.shown, placed.number)
    if (this.#areKept) this.marks.add(placed)
  }
}
