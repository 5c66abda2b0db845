/** What a conversion could not represent, and why a conversion was refused. */
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import type { Places } from './json-places.ts'

/** What was lost; stable words, for programs. */
export type LossKind =
  | 'header-key'
  | 'attribute'
  | 'header-value'
  | 'malformed-header'
  | 'stray-text'
  | 'not-a-message'
  | 'literal-block'
  | 'markup'
  | 'call-id'
  | 'intent'
  | 'name'
  | 'channel'
  | 'recipient'
  | 'content-type'
  | 'role'
  | 'truncation'
  | 'terminator'
  | 'order'
  | 'reasoning'
  | 'hidden-message'
  | 'content-part'
  | 'field'
  | 'tool-definition'
  | 'lone-surrogate'
  | 'message-boundary'
  | 'pairing'
  | 'duplicate-key'
  | 'rounded-number'
  | 'unread'
  | 'unreadable'
  | 'open-reasoning'
  | 'branch'
  | 'unframed'
  | 'stale'

/** Something that the result does not say although the source does. */
export interface Loss {
  readonly kind: LossKind
  /** One sentence without final stop. */
  readonly message: string
  /** Its position in the source: UTF-16 offsets; absent if the source was not text, or if the loss concerns all of it. */
  readonly range?: Range
  /** True if a message is lost as a whole. */
  readonly isMessage?: true
}

const noLosses: readonly Loss[] = []

/** Collects losses; many equal ones are reported once, with the first place. */
export class LossList {
  /** Undefined until there is one: every sample of a dataset has lists, and few of them losses. */
  #losses: Map<string, Loss> | undefined
  /** What is noted before all else once someone asks. */
  #first: ((losses: LossList) => void) | undefined
  /** The place of losses without a range: the message that is read. */
  place: Range | undefined
  /** The positions of things in the source, if they are to be reported. */
  readonly places: Places | undefined

  constructor(places?: Places) {
    this.places = places
  }

  /** Notes a loss. */
  add(kind: LossKind, message: string, range: Range | undefined = this.place): void {
    this.#note({ kind, message, ...(range && { range }) })
  }

  /** Notes that a message is lost as a whole. */
  addMessage(kind: LossKind, message: string, range: Range | undefined = this.place): void {
    this.#note({ kind, message, ...(range && { range }), isMessage: true })
  }

  #note(loss: Loss): void {
    const key = `${loss.kind} ${loss.message} ${loss.range?.start ?? ''}`
    this.#losses ??= new Map()
    if (!this.#losses.has(key)) this.#losses.set(key, loss)
  }

  /** Before all else, `note` notes what it finds, but only if someone asks: columns and queries seldom do. */
  addFirst(note: (losses: LossList) => void): void {
    this.#first = note
  }

  /** Notes the loss of the value at `key` of `parent`, or of all of `parent`, which was read from JSON. */
  addAt(kind: LossKind, message: string, parent: object, key?: string | number): void {
    this.add(kind, message, this.places?.of(parent, key) ?? this.place)
  }

  /** True if nothing was lost. */
  get isEmpty(): boolean {
    this.#noteFirst()
    return this.#losses === undefined
  }

  /** All losses in the order they were noted. */
  get all(): readonly Loss[] {
    this.#noteFirst()
    return this.#losses ? [...this.#losses.values()] : noLosses
  }

  #noteFirst(): void {
    const note = this.#first
    if (!note) return
    this.#first = undefined
    const later = this.#losses
    this.#losses = undefined
    note(this)
    for (const [key, loss] of later ?? [])
      this.#losses = (this.#losses ?? new Map<string, Loss>()).set(key, loss)
  }
}

/** `text` as UTF-8 can hold it: lone surrogates become U+FFFD, which is noted in `losses`. */
export function wellFormed(text: string, losses: LossList): string {
  if (text.isWellFormed()) return text
  const message = localize`Half a character (a lone surrogate) cannot be written as UTF-8`
  losses.add('lone-surrogate', message, losses.places?.loneSurrogate())
  return text.toWellFormed()
}

/** A source that cannot be read as what it is said to be, or that a form cannot hold safely. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError'
  /** Where in the source, if that is known: a UTF-16 offset. */
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }
}
