/** Which cards of the page are open, as long as it shows one document. */

/** What the reader opened and closed. */
export class Folds {
  readonly #chosen = new Map<string, boolean>()
  #all: boolean | undefined

  /** True if the card with this id is open; `usually` says it for cards that the reader has not touched. */
  isOpen(id: string, usually: boolean): boolean {
    return this.#chosen.get(id) ?? this.#all ?? usually
  }

  /** The reader opened or closed a card. */
  set(id: string, isOpen: boolean): void {
    this.#chosen.set(id, isOpen)
  }

  /** The reader opened or closed all of them, those that are not on the page yet, too. */
  setAll(isOpen: boolean): void {
    this.#chosen.clear()
    this.#all = isOpen
  }

  /** Another document begins. */
  reset(): void {
    this.#chosen.clear()
    this.#all = undefined
  }
}
