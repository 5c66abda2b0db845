/**
 * What the extension host and the page of a preview say to one another. Only messages that an end user may see fit into
 * these types (D15): no header, attribute, channel or call has a place here, so none can cross by accident.
 */

/** A stretch of a message: Markdown, or a literal block that is shown as it stands. */
export interface PagePart {
  readonly kind: 'markdown' | 'literal'
  readonly text: string
}

/** One visible message, as the page gets it. */
export interface PageMessage {
  /** Stays the same while a message is edited; never used twice. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** Display alias of the speaker. */
  readonly name?: string
  /** True for what the assistant says before it acts. */
  readonly isPreamble: boolean
  readonly parts: readonly PagePart[]
  /** True if the message has no terminator: it is still being streamed. */
  readonly isTruncated: boolean
  /** UTF-16 code units that were left off because the message is too long for the page; usually 0. */
  readonly omitted: number
}

/** One step from an old window of messages to a new one. Steps apply in order. */
export type PageChange =
  | { readonly kind: 'remove'; readonly id: string }
  /** Inserts behind the message `after`, or at the top of the window without one. */
  | { readonly kind: 'insert'; readonly after?: string; readonly message: PageMessage }
  /** Replaces the content of the message with the same id, where it stands. */
  | { readonly kind: 'replace'; readonly message: PageMessage }

/** A line of a message: zero-based, counted in its visible text; a fraction lies between two lines. */
export interface MessageLine {
  readonly id: string
  readonly line: number
}

/** What a page keeps over a reload: where it was, never what it showed. */
export interface PageState {
  readonly uri: string
  readonly isLocked: boolean
  /** Index of the message at the top, among all visible messages. */
  readonly index: number
  /** Line of that message at the top. */
  readonly line: number
}

/** From the extension host to the page. */
export type ToPage =
  /** Another document begins; the messages of the one before go with the next update. */
  | { readonly kind: 'open'; readonly uri: string; readonly isLocked: boolean }
  /** The window of messages changed. `first` is the index of its first message among `total` visible messages. */
  | {
      readonly kind: 'update'
      readonly sequence: number
      readonly first: number
      readonly total: number
      readonly changes: readonly PageChange[]
      /** The message that has to come to the top, if the reader jumped. */
      readonly top?: MessageLine
    }
  | ({ readonly kind: 'reveal' } & MessageLine)
  /** The text cursor is in this message, or in none that is visible. */
  | { readonly kind: 'mark'; readonly id?: string }
  | { readonly kind: 'lock'; readonly isLocked: boolean }
  /** There is nothing to show, because the document cannot be read. */
  | { readonly kind: 'unavailable' }

/** From the page to the extension host. */
export type FromPage =
  /** The page was loaded, perhaps again, and shows nothing; it was at this message of this document. */
  | { readonly kind: 'ready'; readonly uri: string; readonly index: number; readonly line: number }
  /** The update with this number is on the screen. */
  | { readonly kind: 'applied'; readonly sequence: number }
  /** The reader came near an edge of the window, or jumped: messages around this index are wanted. */
  | { readonly kind: 'want'; readonly index: number; readonly isJump: boolean }
  /** The reader scrolled. */
  | ({ readonly kind: 'scrolled' } & MessageLine)
  | ({ readonly kind: 'openSource' } & MessageLine)
  | { readonly kind: 'openLink'; readonly href: string }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'setLocked'; readonly isLocked: boolean }

/** `value` as a message from the page, or `undefined` if it is none: what comes over the wire is checked, not trusted. */
export function fromPage(value: unknown): FromPage | undefined {
  if (!isRecord(value)) return undefined
  const { kind } = value
  switch (kind) {
    case 'ready':
      return typeof value.uri === 'string' && isCount(value.index) && isNumber(value.line)
        ? { kind, uri: value.uri, index: value.index, line: value.line }
        : undefined
    case 'applied':
      return isCount(value.sequence) ? { kind, sequence: value.sequence } : undefined
    case 'want':
      return isCount(value.index) && typeof value.isJump === 'boolean'
        ? { kind, index: value.index, isJump: value.isJump }
        : undefined
    case 'scrolled':
    case 'openSource':
      return typeof value.id === 'string' && isNumber(value.line)
        ? { kind, id: value.id, line: value.line }
        : undefined
    case 'openLink':
      return typeof value.href === 'string' ? { kind, href: value.href } : undefined
    case 'copy':
      return typeof value.text === 'string' ? { kind, text: value.text } : undefined
    case 'setLocked':
      return typeof value.isLocked === 'boolean' ? { kind, isLocked: value.isLocked } : undefined
    default:
      return undefined
  }
}

/** `value` as the state of a page, or `undefined` if it is none. */
export function pageState(value: unknown): PageState | undefined {
  if (!isRecord(value) || typeof value.uri !== 'string') return undefined
  return {
    uri: value.uri,
    isLocked: value.isLocked === true,
    index: isCount(value.index) ? value.index : 0,
    line: isNumber(value.line) ? value.line : 0,
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && 0 <= value
}

function isCount(value: unknown): value is number {
  return isNumber(value) && Number.isInteger(value)
}
