/**
 * One document as its previews see it: a list of messages, kept up to date from the editor's changes. What the messages
 * are is the source's choice: the usual one gives visible messages only, and {@link PreviewSession.entries} is the only
 * way out.
 */
import { countWhile, type Range } from '../../../core/src/internal.ts'
import type { Moment } from '../moments.ts'
import { type Entry, keepIds } from './keyed-list.ts'
import type {
  ContextTotals,
  EverythingCounts,
  GroupChoice,
  HiddenCounts,
  TrainingTotals,
} from './preview-protocol.ts'

/** One change of the document, in the coordinates of the text that the change before it left. */
export interface TextChange {
  /** UTF-16 code units from the start of the document. */
  readonly offset: number
  /** UTF-16 code units that go. */
  readonly length: number
  readonly text: string
}

/** A message of a source, known by its key and read when it is needed. */
export interface MessageRef<Message> {
  /** Another one as soon as the message changes; never used twice. */
  readonly key: string
  /** UTF-16 code units from the start of the document; current. */
  readonly offset: number
  /** The message, or `undefined` if the document no longer has it. */
  read(): Message | undefined
  /** Where in the document the text at an offset of the message comes from; absent where messages are not texts with offsets. */
  sourceOffset?(offset: number): number
  /** The parts of a chat template that wrote what is at an offset of the message, the outermost first; absent without a template. */
  templateParts?(offset: number): readonly Range[]
}

/** The parsed document, as far as a preview needs it. */
export interface MessageSource<Message> {
  /** Length of the document in UTF-16 code units. */
  readonly length: number
  edit(change: TextChange): void
  /** True if `change`, the last one, typed the beginning of a control token. */
  beginsToken(change: TextChange): boolean
  /** The messages in document order. */
  messages(): readonly MessageRef<Message>[]
  /** Offset of the message that answers the one at `offset`, or is answered by it; always `undefined` in most sources. */
  partnerOf(offset: number): number | undefined
  /** Zero-based line of an offset. */
  lineAt(offset: number): number
  /** Offset at which a line starts; the length of the document after its last line. */
  lineStart(line: number): number
  /** Has only the chosen messages from now on. Without effect on sources without groups. */
  choose(choice: GroupChoice): void
  /** Offset at which the message starts in which `offset` is shown. */
  messageStart(offset: number): number
  /** Offset at which the body of the message that contains `offset` starts. */
  bodyStart(offset: number): number
  /** What there is to say of all messages together, another object when that changes; always `undefined` in most sources. */
  readonly summary: Summary | undefined
  /** It is not used any more. */
  dispose(): void
}

/** What there is to say of all messages together. */
export type Summary = ContextTotals | EverythingCounts | HiddenCounts | TrainingTotals

/** Reads a whole text. A source that finds out more later calls `touch`. */
export type ParseText<Message> = (text: string, touch: () => void) => MessageSource<Message>

/** Runs `task` once, at `moment`; the result takes it back. */
export type Schedule = (task: () => void, moment: Moment) => () => void

let sessions = 0

/** The messages of one document, for any number of pages. */
export class PreviewSession<Message> {
  readonly #parse: ParseText<Message>
  readonly #schedule: Schedule
  readonly #listeners = new Set<() => void>()
  readonly #prefix = `${++sessions}-`
  #source: MessageSource<Message>
  #entries: readonly Entry<Message>[] = []
  #ids = 0
  #isStale = true
  #cancel: (() => void) | undefined
  #moment: Moment = 'frame'
  #choice: GroupChoice = { groups: [], without: [] }

  /**
   * @param parse reads a whole text
   * @param schedule when listeners hear of changes: many changes in one turn are one notice; what the beginning of a
   *   control token does to the messages waits for the next character
   */
  constructor(text: string, parse: ParseText<Message>, schedule: Schedule) {
    this.#parse = parse
    this.#schedule = schedule
    this.#source = this.#read(text)
  }

  /** The messages in document order; always current. The list is a new one after each change. */
  get entries(): readonly Entry<Message>[] {
    if (this.#isStale) {
      this.#isStale = false
      this.#entries = keepIds(this.#entries, this.#source.messages(), () => this.#prefix + ++this.#ids)
    }
    return this.#entries
  }

  /** Length of the document in UTF-16 code units, to notice a change that was missed. */
  get length(): number {
    return this.#source.length
  }

  /** What there is to say of all messages together. */
  get summary(): Summary | undefined {
    return this.#source.summary
  }

  /** Calls `listener` soon after changes; the result ends that. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows the editor. */
  edit(changes: readonly TextChange[]): void {
    if (changes.length === 0) return
    for (const change of changes) this.#source.edit(change)
    const [change] = changes
    this.#touch(changes.length === 1 && change && this.#source.beginsToken(change) ? 'pause' : 'frame')
  }

  /** Starts over with another text of the same document; messages that are still there keep their ids where they can. */
  replace(text: string): void {
    this.#source.dispose()
    this.#source = this.#read(text)
    this.#source.choose(this.#choice)
    this.#touch('frame')
  }

  /** The message of the list whose text, hidden parts included, contains `offset`. */
  entryAt(offset: number): Entry<Message> | undefined {
    const start = this.#source.messageStart(offset)
    const entry = this.entries[this.indexBefore(start)]
    return start === entry?.ref.offset ? entry : undefined
  }

  /** Index of the last message that starts at or before `offset`; -1 if none does. */
  indexBefore(offset: number): number {
    const { entries } = this
    return countWhile(entries.length, (index) => (entries[index]?.ref.offset ?? 0) <= offset) - 1
  }

  /** Index of the message with this id among all; -1 if it is gone. */
  indexOf(id: string): number {
    return this.entries.findIndex((entry) => entry.id === id)
  }

  /** The place in the preview that shows line `line` of the document, or what a user sees last before it. */
  placeOfLine(line: number): { readonly index: number; readonly line: number } {
    const { entries } = this
    // A message that starts within the line counts: what matters is the line's end.
    const index = this.indexBefore(
      this.#source.messageStart(this.#source.lineStart(Math.floor(line) + 1) - 1),
    )
    const entry = entries[index]
    if (!entry) return { index: 0, line: 0 }
    return { index, line: Math.max(0, line - this.#bodyLine(entry)) }
  }

  /** The line of the document that shows line `line` of a message. */
  lineOfPlace(entry: Entry<Message>, line: number): number {
    return line === 0 ? this.#source.lineAt(entry.ref.offset) : this.#bodyLine(entry) + line
  }

  /** The line of the document in which the message starts that answers the one with this id. */
  lineOfReply(id: string): number | undefined {
    const entry = this.entries[this.indexOf(id)]
    const offset = entry && this.#source.partnerOf(entry.ref.offset)
    return offset === undefined ? undefined : this.#source.lineAt(offset)
  }

  /** Has only the chosen messages from now on. */
  choose(choice: GroupChoice): void {
    this.#choice = choice
    this.#source.choose(choice)
    this.#touch('frame')
  }

  /** What is said of messages may have changed, although the text has not. */
  touch(): void {
    this.#touch('frame')
  }

  /** Ends the session: nothing is reported any more. */
  dispose(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#listeners.clear()
    this.#source.dispose()
  }

  #read(text: string): MessageSource<Message> {
    return this.#parse(text, () => {
      this.#isStale = true
      if (!this.#cancel) this.#notify('frame')
    })
  }

  #bodyLine(entry: Entry<Message>): number {
    return this.#source.lineAt(this.#source.bodyStart(entry.ref.offset))
  }

  #touch(moment: Moment): void {
    this.#isStale = true
    const isSoon = this.#cancel && this.#moment === 'frame'
    if (isSoon && moment === 'frame') return
    this.#cancel?.()
    this.#notify(moment)
  }

  #notify(moment: Moment): void {
    this.#moment = moment
    this.#cancel = this.#schedule(() => {
      this.#cancel = undefined
      for (const listener of [...this.#listeners]) listener()
    }, moment)
  }
}
