/** Messages of a transcript, kept in a list that an edit changes only where the text changed. */
import {
  type Analysis,
  type AnalysisChange,
  beginsToken,
  bodySpan,
  countWhile,
  Document,
  factsOf,
  type Located,
  MergeConflicts,
  type ParseOptions,
  type Segment,
  type SegmentConflicts,
  type Transcript,
} from '../../../core/src/internal.ts'
import type { EverythingGroup, GroupChoice } from './preview-protocol.ts'
import type { MessageRef, MessageSource, Summary, TextChange } from './preview-session.ts'

/** More new messages than this are not put into the list one by one; it is rebuilt. */
const manyMessages = 64

/** The first messages of a longer text are shown before its merge conflicts are looked for, in UTF-16 code units. */
const longText = 5_000_000

/** Counts all keys of all sources: a key is never used twice, not even when a document is read again. */
let keys = 0

/** Which messages a source has, and what it says of them. */
export interface MessageKind<Message> {
  /** The same whenever it is asked. */
  includes(segment: Segment): boolean
  /**
   * @param conflicts the merge conflicts that reach into the message
   * @param partnerConflicts those that reach into the other end of a call or reply
   */
  read(
    analysis: Analysis,
    located: Located,
    conflicts: SegmentConflicts | undefined,
    partnerConflicts: SegmentConflicts | undefined,
  ): Message | undefined
  /** True if a generation prompt at the end counts as well. */
  readonly hasPrompt: boolean
  /** The other end of a call or reply. */
  partnerOf(analysis: Analysis, segment: Segment): Segment | undefined
  /** The message with which this one is shown as one, such as the call of a reply; absent if each is shown alone. */
  hostOf?(analysis: Analysis, segment: Segment): Segment | undefined
  /** True if `segment` is in one of these groups. */
  isIn?(analysis: Analysis, segment: Segment, groups: readonly EverythingGroup[]): boolean
  /** As of the source. */
  readonly summary?: Summary | undefined
  /** Called when the document was read, and after each edit, with what it changed. */
  changed?(document: Document, change: AnalysisChange | undefined): void
  dispose?(): void
}

/** A document, and where merges left conflicts in it. */
interface ReadDocument {
  readonly analysis: Analysis
  /** Undefined until they are searched for. */
  conflicts: MergeConflicts | undefined
}

/** A message of the transcript, read when it is asked for. */
class SegmentRef<Message> implements MessageRef<Message> {
  readonly segment: Segment
  #key: string | undefined
  readonly #document: ReadDocument
  readonly #kind: MessageKind<Message>

  constructor(document: ReadDocument, kind: MessageKind<Message>, segment: Segment, key?: string) {
    this.#document = document
    this.#kind = kind
    this.segment = segment
    this.#key = key
  }

  get key(): string {
    this.#key ??= String(++keys)
    return this.#key
  }

  get offset(): number {
    return this.#document.analysis.transcript.locate(this.segment)?.start ?? 0
  }

  read(): Message | undefined {
    const { analysis, conflicts } = this.#document
    const located = analysis.transcript.locate(this.segment)
    if (!located) return undefined
    if (!conflicts || conflicts.isEmpty) return this.#kind.read(analysis, located, undefined, undefined)
    const partner = this.#kind.partnerOf(analysis, this.segment)
    return this.#kind.read(analysis, located, conflicts.of(this.segment), partner && conflicts.of(partner))
  }
}

/** A transcript as a list of messages of one kind. */
export class TranscriptSource<Message> implements MessageSource<Message> {
  readonly #document: Document
  readonly #read: ReadDocument
  #search: ReturnType<typeof setTimeout> | undefined
  readonly #kind: MessageKind<Message>
  /** What the kind includes, and a generation prompt if it would be. */
  #refs: SegmentRef<Message>[] = []
  readonly #gone = new Set<Segment>()
  readonly #come = new Set<Segment>()
  #choice: GroupChoice = { groups: [], without: [] }

  /** @param touch is called if messages change without an edit: the merge conflicts of a long text are looked for after the start */
  constructor(text: string, options: ParseOptions, kind: MessageKind<Message>, touch?: () => void) {
    this.#document = new Document(text, options)
    const { analysis } = this.#document
    this.#read = { analysis, conflicts: undefined }
    if (touch && text.length > longText) {
      this.#search = setTimeout(() => {
        if (!this.#findConflicts().isEmpty) touch()
      }, 0)
    } else this.#findConflicts()
    this.#kind = kind
    this.#readAll()
    kind.changed?.(this.#document, undefined)
  }

  get summary(): Summary | undefined {
    return this.#kind.summary
  }

  dispose(): void {
    clearTimeout(this.#search)
    this.#kind.dispose?.()
  }

  get length(): number {
    return this.#transcript.length
  }

  edit({ offset, length, text }: TextChange): void {
    const change = this.#document.edit([{ start: offset, end: offset + length, text }])
    this.#read.conflicts?.update(change)
    const { removed, inserted } = change
    for (const segment of removed) {
      if (this.#kind.includes(segment)) this.#gone.add(segment)
      this.#come.delete(segment)
    }
    for (const segment of inserted) {
      if (this.#kind.includes(segment)) this.#come.add(segment)
    }
    this.#kind.changed?.(this.#document, change)
  }

  beginsToken({ offset, length, text }: TextChange): boolean {
    return beginsToken({ start: offset, end: offset + length, text }, (start, end) =>
      this.#transcript.text({ start, end: this.#clamp(end) }),
    )
  }

  messages(): readonly MessageRef<Message>[] {
    if (this.#come.size > manyMessages) this.#readAll()
    else this.#catchUp()
    const last = this.#refs.at(-1)
    if (this.#kind.hostOf) return this.#joined()
    if (this.#kind.hasPrompt) return this.#refs
    const isPrompt = last?.segment === this.#analysis.lastSegment && factsOf(last.segment)?.isPrompt === true
    return isPrompt ? this.#refs.slice(0, -1) : this.#refs
  }

  lineAt(offset: number): number {
    return this.#transcript.positionAt(this.#clamp(offset)).line
  }

  lineStart(line: number): number {
    if (this.#transcript.lineCount <= line) return this.length
    return this.#transcript.offsetAt({ line: Math.max(0, line), character: 0 })
  }

  messageStart(offset: number): number {
    const { segment, start } = this.#transcript.segmentAt(this.#clamp(offset))
    const host = this.#kind.hostOf?.(this.#analysis, segment)
    return (host && this.#transcript.locate(host)?.start) ?? start
  }

  /** The segment that contains `offset`. */
  protected segmentAt(offset: number): Segment {
    return this.#transcript.segmentAt(this.#clamp(offset)).segment
  }

  choose(choice: GroupChoice): void {
    this.#choice = choice
  }

  partnerOf(offset: number): number | undefined {
    const { segment } = this.#transcript.segmentAt(this.#clamp(offset))
    const partner = this.#kind.partnerOf(this.#analysis, segment)
    return partner && this.#transcript.locate(partner)?.start
  }

  bodyStart(offset: number): number {
    const { segment, start } = this.#transcript.segmentAt(this.#clamp(offset))
    const body = bodySpan(segment)
    return start + (body?.from ?? 0)
  }

  #findConflicts(): MergeConflicts {
    this.#read.conflicts = new MergeConflicts(this.#analysis)
    return this.#read.conflicts
  }

  get #analysis(): Analysis {
    return this.#document.analysis
  }

  get #transcript(): Transcript {
    return this.#document.transcript
  }

  /** The messages of the groups that were chosen. One that is shown with others changes when one of these changes. */
  #joined(): readonly SegmentRef<Message>[] {
    const guests = new Map<Segment, string>()
    const shown: SegmentRef<Message>[] = []
    for (const ref of this.#refs) {
      const host = this.#kind.hostOf?.(this.#analysis, ref.segment)
      if (host) guests.set(host, ref.key)
      else if (this.#isChosen(ref.segment)) shown.push(ref)
    }
    return shown.map((ref) => {
      const guest = guests.get(ref.segment)
      return guest === undefined
        ? ref
        : new SegmentRef(this.#read, this.#kind, ref.segment, `${ref.key} ${guest}`)
    })
  }

  #isChosen(segment: Segment): boolean {
    const { groups, without } = this.#choice
    const isIn = (these: readonly EverythingGroup[]) => this.#kind.isIn?.(this.#analysis, segment, these)
    return (groups.length === 0 || isIn(groups) !== false) && (without.length === 0 || isIn(without) !== true)
  }

  /** A new list, because callers compare it with the old one. */
  #catchUp(): void {
    if (this.#gone.size === 0 && this.#come.size === 0) return
    const refs = this.#refs.filter((ref) => !this.#gone.has(ref.segment))
    for (const segment of this.#come) {
      const start = this.#transcript.locate(segment)?.start
      if (start === undefined) continue
      refs.splice(firstBehind(refs, start), 0, this.#refTo(segment))
    }
    this.#refs = refs
    this.#gone.clear()
    this.#come.clear()
  }

  #readAll(): void {
    const known = new Map(this.#refs.map((ref) => [ref.segment, ref]))
    const refs: SegmentRef<Message>[] = []
    this.#transcript.forEachSegment((segment) => {
      if (!this.#kind.includes(segment)) return
      refs.push(known.get(segment) ?? this.#refTo(segment))
    })
    this.#refs = refs
    this.#gone.clear()
    this.#come.clear()
  }

  #refTo(segment: Segment): SegmentRef<Message> {
    return new SegmentRef(this.#read, this.#kind, segment)
  }

  #clamp(offset: number): number {
    return Math.max(0, Math.min(offset, this.length))
  }
}

/** Index of the first message that starts after `offset`. */
function firstBehind(refs: readonly { readonly offset: number }[], offset: number): number {
  return countWhile(refs.length, (index) => (refs[index]?.offset ?? 0) <= offset)
}
