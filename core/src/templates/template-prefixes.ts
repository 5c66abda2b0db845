/**
 * What a template would write if a list ended earlier, found while it is rendered with the whole list.
 *
 * Chat templates go through the messages in one loop. When it has gone through `n` of them, what has been written is the same as
 * with only the first `n`, unless something was looked at that is different then: later messages, how many there are, or another
 * name. For each such `n`, only what follows the loop is run again.
 */
import { isList, type PythonValue, Stream } from './python-value.ts'
import type { TemplateStatement } from './template-tree.ts'

/** What is to be known of renderings with fewer items. */
export interface PrefixRequest {
  /** The name of the list. */
  readonly list: string
  /** A name that is false, and true for the second rendering of each pair. */
  readonly flag: string
  /** True if the second rendering with as many items is wanted as well. */
  readonly isFlagged: (count: number) => boolean
}

/** A rendering with fewer items: the first characters of the whole one, and what follows them. */
export interface TemplatePrefix {
  /** UTF-16 code units. */
  readonly shared: number
  readonly rest: string
}

/**
 * The renderings with as many items, without the flag and with it; undefined where the template has to be rendered for that, or where
 * it is not wanted.
 */
export interface PrefixPair {
  readonly plain: TemplatePrefix | undefined
  readonly flagged: TemplatePrefix | undefined
}

/** Notes what a template looks at of the list and of the flag, and what it would have written with fewer items. */
export class PrefixWatch {
  readonly flag: string
  readonly #isFlagged: PrefixRequest['isFlagged']
  /** By the number of items. */
  readonly pairs = new Map<number, PrefixPair>()
  /** The statement of the template that is run, and the index of the first that follows it. */
  following: { readonly statement: TemplateStatement; readonly from: number } | undefined
  readonly #offsets = new Map<PythonValue, number>()
  #reach = 0
  #isFlagRead = false
  #count: number | undefined
  #isSpoiled = false

  constructor(list: PythonValue | undefined, { flag, isFlagged }: PrefixRequest) {
    this.flag = flag
    this.#isFlagged = isFlagged
    if (list !== undefined && isList(list)) this.#offsets.set(list, 0)
  }

  /** How many items at the front of the list are missing in `value`; undefined if it is not part of the list. */
  offsetOf(value: PythonValue): number | undefined {
    return isList(value) ? this.#offsets.get(value) : undefined
  }

  /** `part` is what `list` has from the item `from` on. */
  derive(list: PythonValue, part: PythonValue, from: number): void {
    this.#offsets.set(part, (this.offsetOf(list) ?? 0) + from)
  }

  /** True while what follows the loop is run for fewer items. */
  get isApart(): boolean {
    return this.#count !== undefined
  }

  /** `list` as far as it is in force now: a list that is looked at as a whole has all items, or as many as it is run for. */
  inForce(list: PythonValue): PythonValue {
    const offset = this.offsetOf(list)
    if (offset === undefined) return list
    if (this.#count !== undefined && isList(list)) return list.slice(0, Math.max(0, this.#count - offset))
    this.spoil()
    return list
  }

  /** As many items of the list were looked at. */
  reach(count: number): void {
    if (this.isApart) this.#isSpoiled = true
    else this.#reach = Math.max(this.#reach, count)
  }

  /** Something was looked at that depends on the whole list, or made that changes when it is used. */
  spoil(): void {
    if (!this.isApart) this.#reach = Number.POSITIVE_INFINITY
  }

  /** A value is kept for later, perhaps one that changes when it is used. */
  keep(value: PythonValue): void {
    if (value instanceof Stream) this.spoil()
  }

  /** The flag was looked at or set. */
  readFlag(): void {
    if (!this.isApart) this.#isFlagRead = true
  }

  /** Notes the pair of `count` items. @param run writes what follows the loop, and returns it */
  pair(count: number, run: (isFlagged: boolean) => TemplatePrefix | undefined): void {
    if (this.#reach > count) return
    const apart = (isFlagged: boolean) => {
      this.#count = count
      this.#isSpoiled = false
      const prefix = run(isFlagged)
      this.#count = undefined
      return this.#isSpoiled ? undefined : prefix
    }
    const isWanted = !this.#isFlagRead && this.#isFlagged(count)
    this.pairs.set(count, { plain: apart(false), flagged: isWanted ? apart(true) : undefined })
  }
}
