/** A document that the client has open: its analysis and its problems, kept up to date with every change. */
import {
  type Analysis,
  applyEdits,
  beginsToken,
  type Checker,
  type CheckerOptions,
  commonEnds,
  Document,
  EditedText,
  type Position,
  type Rule,
  selfCheck,
  type TextEdit,
  Transcript,
} from '../../core/src/internal.ts'
import { defaultSettings, findSame, type Settings } from './settings.ts'

/** A change as in the protocol: a replacement, or without range the whole new text. */
export interface ContentChange {
  readonly range: { readonly start: Position; readonly end: Position } | undefined
  readonly text: string
}

/** What a document is opened with. */
export interface OpenDocumentOptions {
  readonly uri: string
  readonly version: number
  readonly text: string
  readonly settings?: Settings
  /** True to compare everything with a fresh parse after each change: for tests and bug reports. */
  readonly isParanoid?: boolean
  /** Called when something of ours fails; the document goes on. */
  readonly onError: (where: string, error: unknown) => void
}

/** Lines, both ends included, in which positions are not what they were. */
export interface MovedLines {
  readonly first: number
  readonly last: number
}

/** Of more changes in one notification, only the result is read: each would read the message that it changes. */
const appliedSingly = 500

/** An open document. Requests compare {@link generation} to see whether it changed under them. */
export class OpenDocument {
  readonly uri: string
  readonly #onError: (where: string, error: unknown) => void
  readonly #isParanoid: boolean
  #version: number
  #generation = 0
  #settings: Settings
  #document: Document
  #movedLines: MovedLines | undefined
  #beginsToken = false
  #isClosed = false

  constructor({
    uri,
    version,
    text,
    settings = defaultSettings,
    isParanoid = false,
    onError,
  }: OpenDocumentOptions) {
    this.uri = uri
    this.#isParanoid = isParanoid
    this.#version = version
    this.#settings = settings
    this.#onError = onError
    this.#document = this.#read(text)
  }

  /** The client's number for the current text. */
  get version(): number {
    return this.#version
  }

  /** Counts everything that may change an answer: edits, settings, closing. */
  get generation(): number {
    return this.#generation
  }

  get settings(): Settings {
    return this.#settings
  }

  get analysis(): Analysis {
    return this.#document.analysis
  }

  get transcript(): Transcript {
    return this.#document.transcript
  }

  get checker(): Checker {
    return this.#document.checker
  }

  /** How many messages an end user sees. */
  get visibleMessages(): number {
    return this.#document.visibleMessages
  }

  /**
   * True if the last edit typed the beginning of a control token. What that means for the text is not worth telling
   * before the next character is typed, or {@link takeAsMeant} says that none came.
   */
  get beginsToken(): boolean {
    return this.#beginsToken
  }

  /** The text is meant as it is: nothing was typed for a while. */
  takeAsMeant(): void {
    this.#beginsToken = false
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * The lines that edits have moved or changed since this was last asked: where a position was that is no longer in
   * the same place. One who remembers positions asks; undefined if there was no edit.
   */
  takeMovedLines(): MovedLines | undefined {
    const moved = this.#movedLines
    this.#movedLines = undefined
    return moved
  }

  /** Applies `changes` in order, each in the coordinates that the one before it left. */
  change(changes: readonly ContentChange[], version: number): void {
    this.#version = version
    this.#generation++
    let edit: TextEdit | undefined
    if (changes.length > appliedSingly)
      this.#apply(differenceOf(this.transcript.text(), this.#after(changes)))
    else
      for (const change of changes) {
        edit = this.#editOf(change)
        this.#apply(edit)
      }
    this.#beginsToken = changes.length === 1 && edit !== undefined && beginsToken(edit, this.#textBetween)
    if (this.#isParanoid) this.#doubt()
  }

  /** Takes over other settings; true if they make a difference. */
  configure(settings: Settings): boolean {
    const before = this.#settings
    const isSameReading = before.dialect === settings.dialect && isSameTools(before, settings)
    const isSameCheck = findSame(before, settings)
    this.#settings = settings // formatting asks for them when it runs
    if (isSameReading && isSameCheck && before.maxProblems === settings.maxProblems) return false
    this.#generation++
    if (!isSameReading) this.#document = this.#read(this.transcript.text())
    else if (!isSameCheck) this.#document.configure(this.#checkerOptions())
    return true
  }

  /** Ends all work on the document. */
  close(): void {
    this.#isClosed = true
    this.#generation++
  }

  #editOf({ range, text }: ContentChange): TextEdit | undefined {
    return range ? editAt(range, text, this.transcript) : differenceOf(this.transcript.text(), text)
  }

  /** The text after many changes, which is read once. */
  #after(changes: readonly ContentChange[]): string {
    let edited: EditedText | undefined
    for (const { range, text } of changes) {
      if (range) {
        edited ??= new EditedText(this.transcript.text())
        edited.edit(editAt(range, text, edited))
      } else edited = new EditedText(text)
    }
    return edited?.text() ?? this.transcript.text()
  }

  #apply(edit: TextEdit | undefined): void {
    if (!edit) return
    const versionBefore = this.transcript.version
    const lines = this.#linesOf(edit)
    const linesBefore = this.transcript.lineCount
    try {
      this.#document.edit([edit])
      this.#addMovedLines(lines, this.transcript.lineCount === linesBefore)
    } catch (error) {
      // A bug of ours: reading the document again keeps the text in step with the client's.
      this.#onError('edit', error)
      const isApplied = this.transcript.version !== versionBefore
      const text = this.transcript.text()
      this.#document = this.#read(isApplied ? text : applyEdits(text, [edit]))
    }
  }

  readonly #textBetween = (start: number, end: number) =>
    this.transcript.text({ start, end: Math.min(end, this.transcript.length) })

  #linesOf({ start, end }: TextEdit): MovedLines {
    const first = this.transcript.positionAt(start).line
    return { first, last: end === start ? first : this.transcript.positionAt(end).line }
  }

  /** Below an edit that keeps the number of lines, everything stays where it is. */
  #addMovedLines({ first, last }: MovedLines, keepsLines: boolean): void {
    const before = this.#movedLines ?? { first, last }
    this.#movedLines = {
      first: Math.min(before.first, first),
      last: keepsLines ? Math.max(before.last, last) : Number.POSITIVE_INFINITY,
    }
  }

  #read(text: string): Document {
    const { dialect, requestTools } = this.#settings
    const transcript = Transcript.parse(text, { dialect })
    transcript.requestTools = requestTools
    return new Document(transcript, this.#checkerOptions())
  }

  #checkerOptions(): CheckerOptions {
    return {
      settings: this.#settings.rules,
      templates: this.#settings.templates,
      intent: this.#settings.intent,
      sample: this.#settings.sample,
      onRuleError: (rule: Rule, error) => this.#onError(`rule ${rule.name}`, error),
    }
  }

  /** Paranoid mode: logs if edits and a fresh parse differ. Never text of the document. */
  #doubt(): void {
    const difference = selfCheck(this.analysis, this.checker, this.#checkerOptions())
    if (difference) this.#onError(`edit to version ${this.#version}`, new Error(difference))
  }
}

/** Positions that do not exist are clamped to the line and to the text. */
function editAt(
  range: NonNullable<ContentChange['range']>,
  text: string,
  places: Pick<Transcript, 'offsetAt'>,
): TextEdit {
  const start = places.offsetAt(range.start)
  const isInsertion = range.start.line === range.end.line && range.start.character === range.end.character
  const end = isInsertion ? start : places.offsetAt(range.end)
  return { start: Math.min(start, end), end: Math.max(start, end), text }
}

function isSameTools({ requestTools: one }: Settings, { requestTools: other }: Settings): boolean {
  return one?.json === other?.json && one?.body === other?.body
}

/** The smallest single replacement that makes `after` of `before`; undefined if they are equal. */
function differenceOf(before: string, after: string): TextEdit | undefined {
  if (before === after) return undefined
  const { head, tail } = commonEnds(before, after)
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) }
}
