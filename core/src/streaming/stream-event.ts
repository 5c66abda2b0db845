/** What a streaming parser reports (2.2 §9). No event carries hidden text: only deltas have text, and only visible text. */
import type { Channel } from '../vocabulary/channels.ts'
import type { Role } from '../vocabulary/roles.ts'

/** Everything that {@link StreamingParser} reports, distinguished by `type`. */
export type StreamEvent =
  | MessageStart
  | ResponseDelta
  | ResponseFlush
  | MessageEnd
  | ToolCall
  | StreamError
  | ResponseCancel
  | ToolCancel
  | ResponseDone

/** The kind of token that ended a message, whatever the dialect spells it; `none` if nothing did. */
export type StreamTerminator = 'end' | 'call' | 'return' | 'none'

/**
 * What the header of a message says. Words are as written; a property that is not there was not in the text.
 * Of a malformed header only role and channel are reported, unless the message is a call or a reply: other words may be
 * text that went astray.
 */
export interface MessageLabel {
  /** Counts the messages of the stream from 0, hidden ones included; a header without a body is not a message. */
  readonly index: number
  /** Legacy reply roles are `tool`; absent if the role is unknown. */
  readonly role?: Role
  /** The effective channel: `final` where none is given; absent if it is unknown. */
  readonly channel?: Channel
  /** Display alias, or the tool's name on a reply. */
  readonly name?: string
  readonly recipient?: string
  readonly callId?: string
  readonly intent?: string
}

/**
 * A header is complete and the body begins.
 * If a terminator cuts the header, the message starts and ends at once (D16).
 */
export interface MessageStart extends MessageLabel {
  readonly type: 'message.start'
  /** False if nothing of the message will be shown; true if its text, as far as it is not private, will be. */
  readonly visible: boolean
  /** Where the start token is: UTF-16 code units from the start of the text, the prefix included. */
  readonly offset: number
}

/** The next piece of visible text of a message, of the assistant or, in a replayed transcript, of the user. */
export interface ResponseDelta {
  readonly type: 'response.delta'
  /** Never empty; escapes are resolved and private blocks cut out. It does not end inside a surrogate pair. */
  readonly text: string
  readonly messageIndex: number
  readonly role: 'user' | 'assistant'
}

/** The visible text so far ends in a blank line after something: a good moment to render. A hint only. */
export interface ResponseFlush {
  readonly type: 'response.delta.flush'
  readonly messageIndex: number
}

/** A message is over. */
export interface MessageEnd extends MessageLabel {
  readonly type: 'message.end'
  /**
   * True if the message is one that users see, perhaps with empty text.
   * It differs from the start for a message of private blocks only, for a JSON object on `final` that turned out to be
   * a call, and for a generation prompt of 0.1 at the end of the stream.
   */
  readonly visible: boolean
  readonly terminator: StreamTerminator
  /** The offset after the terminator, or where the message broke off. */
  readonly offset: number
}

/** A call of a tool is complete. Its arguments are hidden text, so the event says where they are and not what. */
export interface ToolCall {
  readonly type: 'tool.call'
  readonly index: number
  readonly callId?: string
  readonly recipient: string
  /** The constraint, or else the content type, if it is a known one or a media type. */
  readonly contentType?: string
  /** True if the header has mistakes (D16): think twice before you execute this. */
  readonly isMalformed: boolean
  /** Where the arguments begin: UTF-16 code units from the start of the text, the prefix included. */
  readonly start: number
  /** Where the arguments end. */
  readonly end: number
}

/** A message without terminator: the stream broke off, or the next message started inside its body (D18). */
export interface StreamError {
  readonly type: 'error'
  readonly code: 'E-STREAM-TRUNCATED'
  readonly message: string
  /** Absent if the stream ended inside a header, which makes no message. */
  readonly messageIndex?: number
  /** Where the text breaks off: UTF-16 code units from the start of the text, the prefix included. */
  readonly offset: number
}

/** Rendering stops: the response was canceled. The last event of its stream. */
export interface ResponseCancel {
  readonly type: 'response.cancel'
  readonly reason: string
}

/** A call was canceled (2.2 §8.1). */
export interface ToolCancel {
  readonly type: 'tool.cancel'
  readonly call_id: string
  readonly reason: string
}

/** The stream is over and no message was left unfinished. The last event of its stream. */
export interface ResponseDone {
  readonly type: 'response.done'
  /** How the last message ended; `none` if there was no message, or the stream ends in a generation prompt. */
  readonly terminator: StreamTerminator
}
