/** Review files of file systems that cannot append: they are written as a whole, and looked at again afterwards. */
import * as vscode from 'vscode'
import { areSameBytes, joinedBytes, largestReview } from '../../../core/src/internal.ts'
import { bytesAt, writeInPlaceOf } from '../virtual-bytes.ts'
import type { ReviewAccess } from './review-access.ts'

const attempts = 5 // so that two windows that write at the same time both succeed
const mostKept = 100 // what was appended before so many others is not overwritten any more

const lineFeed = 0x0a

/** The review file at `uri`. */
export function virtualReview(uri: vscode.Uri): ReviewAccess {
  return new VirtualReview(uri)
}

/**
 * A file that another window may write at the same moment, on top of what it read before: then the lines of one are gone. Whose
 * lines they are sees that when it reads the file again, and appends them again.
 */
class VirtualReview implements ReviewAccess {
  readonly #uri: vscode.Uri
  /** What this window appended last, and what the file had before that. */
  #own: readonly string[] = []
  #base: Uint8Array = new Uint8Array()

  constructor(uri: vscode.Uri) {
    this.#uri = uri
  }

  async read(): Promise<string | undefined> {
    const found = await this.#bytes()
    const lost = this.#lostFrom(found)
    const now = lost === '' ? found : await this.#added(lost).catch(() => found) // the next time it is tried again
    return now && new TextDecoder().decode(now)
  }

  async append(lines: string): Promise<void> {
    await this.#added(lines)
    this.#own = [...this.#own, lines]
  }

  /** Adds `lines`, and those that are lost, to the file; what it has then. */
  async #added(lines: string): Promise<Uint8Array> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const before = await this.#bytes() // kept as it is, also where it is not text
      const lost = this.#lostFrom(before)
      if (this.#own.length === 0) this.#base = before ?? new Uint8Array()
      const isInLine = before !== undefined && before.length > 0 && before.at(-1) !== lineFeed
      const all = lost.includes(lines) ? lost : lost + lines
      const added = new TextEncoder().encode(isInLine ? `\n${all}` : all)
      await writeInPlaceOf(before, this.#uri, joinedBytes([before ?? new Uint8Array(), added]))
      const now = await this.#bytes()
      if (now && new TextDecoder().decode(now).includes(all)) return now
    }
    throw new Error(vscode.l10n.t('Another program is writing to the review file'))
  }

  /** The lines of this window that another one has overwritten, if the file is `found`. */
  #lostFrom(found: Uint8Array | undefined): string {
    const { length } = this.#base
    const isOfSameFile =
      found !== undefined && found.length > length && areSameBytes(found.subarray(0, length), this.#base)
    if (!isOfSameFile || this.#own.length > mostKept) this.#own = [] // such as an earlier version, which someone restored
    if (!isOfSameFile || this.#own.length === 0) return ''
    const text = new TextDecoder().decode(found.subarray(length))
    return this.#own.filter((it) => !text.includes(it)).join('')
  }

  #bytes(): Promise<Uint8Array | undefined> {
    return bytesAt(this.#uri, largestReview, () => vscode.l10n.t('The review file is too large'))
  }
}
