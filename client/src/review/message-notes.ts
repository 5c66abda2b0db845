/** Notes on the messages of a sample, as threads in its transcript. */
import { type Opinion, Transcript } from '../../../core/src/internal.ts'

/** A note on a message. */
export interface MessageNote {
  /** Empty for people without a name. */
  readonly by: string
  readonly text: string
  readonly isOwn: boolean
  /** The branch that it names. */
  readonly branch: string | undefined
}

/** The notes on one message. */
export interface MessageThread {
  /** Among the messages of the transcript, from 0. */
  readonly message: number
  /** The line of its header, from 0. */
  readonly line: number
  /** The reviewer's own last. */
  readonly notes: readonly MessageNote[]
}

/** Finds the messages of a transcript by their lines. */
export class MessageLines {
  /** The line that each message begins on. */
  readonly #starts: readonly number[]

  constructor(text: string) {
    const transcript = Transcript.parse(text)
    const starts: number[] = []
    for (const { segment, start } of transcript.segments())
      if (segment.kind === 'message') starts.push(transcript.positionAt(start).line)
    this.#starts = starts
  }

  /** The message on `line`, or the last one before it; undefined in the header of the transcript. */
  messageAt(line: number): number | undefined {
    const at = this.#starts.findLastIndex((start) => start <= line)
    return at === -1 ? undefined : at
  }

  /** The line that `message` begins on; that of the last one if there are fewer now. */
  lineOf(message: number): number {
    return this.#starts[message] ?? this.#starts.at(-1) ?? 0
  }

  /** The line that the first message begins on; undefined without messages. */
  get first(): number | undefined {
    return this.#starts[0]
  }

  /** The threads of a branch: the notes of each message. */
  threads(
    opinions: readonly Opinion[],
    { self, branch }: { readonly self: string; readonly branch: string | undefined },
  ): readonly MessageThread[] {
    const threads = new Map<number, MessageNote[]>()
    const ordered = [...opinions].sort((one, other) => Number(one.by === self) - Number(other.by === self))
    for (const { by, messageNotes } of ordered) {
      for (const { message, note, branch: about } of messageNotes) {
        if (about !== undefined && about !== branch) continue
        const notes = threads.get(message) ?? []
        threads.set(message, notes)
        notes.push({ by, text: note, isOwn: by === self, branch: about })
      }
    }
    return [...threads].map(([message, notes]) => ({ message, line: this.lineOf(message), notes }))
  }
}
