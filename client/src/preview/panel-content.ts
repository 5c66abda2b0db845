/** What a panel shows: a document's session and the page's channel, of visible messages or of *Everything*. */
import type * as vscode from 'vscode'
import type { FoundTexts, Range, SampleMetadata } from '../../../core/src/internal.ts'
import type { DocumentSessions } from './document-sessions.ts'
import { PageChannel, type PageRequest } from './page-channel.ts'
import type { PageView } from './page-view.ts'
import type { FromPage, GroupChoice, MessageLine, PagePlace, ToPage } from './preview-protocol.ts'
import type { PreviewSession } from './preview-session.ts'

/** One document in one panel. */
export class PanelContent<Message, Shown extends { readonly id: string }> {
  readonly #documents: DocumentSessions<Message>
  readonly #channel: PageChannel<Message, Shown>
  #session: PreviewSession<Message> | undefined
  #stopListening: (() => void) | undefined

  /**
   * @param post sends to the page
   * @param request gets what the page asks of the editor
   */
  constructor(
    view: PageView<Message, Shown>,
    documents: DocumentSessions<Message>,
    post: (message: ToPage) => void,
    request: (request: PageRequest) => void,
  ) {
    this.#documents = documents
    this.#channel = new PageChannel(view, post, request)
  }

  /** True if there is a document to show. */
  get hasSession(): boolean {
    return this.#session !== undefined
  }

  /** Shows `document`, or that the one at `uri` cannot be read. */
  open(
    uri: vscode.Uri,
    document: vscode.TextDocument | undefined,
    options: {
      readonly place?: PagePlace | undefined
      readonly metadata: () => SampleMetadata | undefined
      readonly found: () => FoundTexts | undefined
      readonly onChanged: () => void
    },
  ): void {
    this.#leave()
    this.#session = document && this.#documents.acquire(document)
    this.#channel.open(
      { uri: uri.toString(), session: this.#session, metadata: options.metadata, found: options.found },
      options.place,
    )
    this.#stopListening = this.#session?.onChanged(options.onChanged)
  }

  /** As {@link open}, in a page that was loaded for another content: at the message that contains `offset`. */
  takeOver(
    uri: vscode.Uri,
    document: vscode.TextDocument | undefined,
    options: {
      readonly offset: number
      readonly metadata: () => SampleMetadata | undefined
      readonly found: () => FoundTexts | undefined
      readonly onChanged: () => void
    },
  ): void {
    const { metadata, found, onChanged } = options
    this.open(uri, document, { metadata, found, onChanged })
    const index = this.#session?.indexBefore(options.offset) ?? 0
    this.#channel.takeOver({ index: Math.max(0, index), line: 0 })
  }

  receive(message: FromPage): void {
    this.#channel.receive(message)
  }

  sleep(): void {
    this.#channel.sleep()
  }

  /** The query of a list found something else. */
  tellFound(): void {
    this.#channel.tellFound()
  }

  setLocked(isLocked: boolean): void {
    this.#channel.setLocked(isLocked)
  }

  setMath(hasMath: boolean): void {
    this.#channel.setMath(hasMath)
  }

  /** Takes over a text that may have changed unseen. */
  replace(text: string): void {
    this.#session?.replace(text)
  }

  /** Marks the message that contains `offset`. */
  markAt(offset: number): void {
    if (this.#session) this.#channel.mark(this.#session.entryAt(offset)?.id)
  }

  /** Brings what shows `line` of the document to the top. */
  revealLine(line: number): void {
    if (this.#session) this.#channel.reveal(this.#session.placeOfLine(line))
  }

  /** The line of the document in which the message starts that answers the one with this id. */
  lineOfReply(id: string): number | undefined {
    return this.#session?.lineOfReply(id)
  }

  /** Shows only the chosen messages. */
  choose(choice: GroupChoice): void {
    this.#session?.choose(choice)
  }

  /** The line of the document that shows a line of a message. */
  lineOf({ id, line }: MessageLine): number | undefined {
    const entry = this.#session?.entries.find((candidate) => candidate.id === id)
    return entry && Math.floor(this.#session?.lineOfPlace(entry, line) ?? 0)
  }

  /** Offset of the message with this id. */
  offsetOf(id: string): number | undefined {
    return this.#session?.entries.find((entry) => entry.id === id)?.ref.offset
  }

  /** Where in the document the text at `offset` of the message with this id comes from. */
  sourceOffset(id: string, offset: number): number | undefined {
    const ref = this.#session?.entries.find((entry) => entry.id === id)?.ref
    return ref?.sourceOffset?.(offset) ?? ref?.offset
  }

  /** The parts of the chat template that wrote what is at `offset` of the message with this id. */
  templateParts(id: string, offset: number): readonly Range[] {
    const ref = this.#session?.entries.find((entry) => entry.id === id)?.ref
    return ref?.templateParts?.(offset) ?? []
  }

  /** The message whose text contains `offset`. */
  idAt(offset: number): string | undefined {
    return this.#session?.entryAt(offset)?.id
  }

  /** Offset of the message at which the reader is. */
  get offset(): number {
    const { centre } = this.#channel
    // Who reads the first message has not left the start.
    return centre === 0 ? 0 : (this.#session?.entries[centre]?.ref.offset ?? 0)
  }

  dispose(): void {
    this.#channel.dispose()
    this.#leave()
  }

  #leave(): void {
    this.#stopListening?.()
    this.#stopListening = undefined
    if (this.#session) this.#documents.release(this.#session)
    this.#session = undefined
  }
}
