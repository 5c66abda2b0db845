/** The parser for text that arrives in chunks: what a user sees, and what happens, as early as it is certain (2.2 §9). */
import { factsOf, isCall, isReply, type MessageFacts } from '../semantics/message-facts.ts'
import { endingOf } from '../semantics/terminators.ts'
import { hiddenReason, visibleText } from '../semantics/visibility.ts'
import { messageSegment } from '../syntax/message-segment.ts'
import { viewMessage } from '../syntax/message-view.ts'
import { isContentType } from '../vocabulary/attributes.ts'
import type { DialectName, Framing } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { MessageScanner, type ScanStep } from './message-scanner.ts'
import { ParagraphBreaks } from './paragraph-breaks.ts'
import { PreambleReader, type PreambleResult } from './preamble-reader.ts'
import type { MessageLabel, StreamEvent, StreamTerminator } from './stream-event.ts'
import { VisibleBody } from './visible-body.ts'

/** How a stream is read. */
export interface StreamingOptions {
  /** A dialect that the user forces; by default it is recognised from the text. */
  readonly dialect?: DialectName | 'auto'
  /**
   * Text before the first chunk: usually the end of the prompt, such as `<|start|>assistant`.
   * Messages that are complete in it are not reported, though they are counted; of a message that it leaves unfinished,
   * everything is, with the first `push`.
   */
  readonly prefix?: string
}

/** A message whose body is being read. */
interface OpenMessage {
  readonly label: MessageLabel
  readonly facts: MessageFacts
  /** Where the body begins. */
  readonly bodyStart: number
  /** Undefined if the message is hidden. */
  readonly body: VisibleBody | undefined
  readonly paragraphs: ParagraphBreaks
}

/**
 * Reads a transcript in chunks of any size, cut anywhere: inside a token, a line break or a surrogate pair.
 *
 * - The deltas of a message, joined, are the text that {@link visibleTexts} gives for it in the whole transcript; so
 *   are the messages that end as `visible`.
 * - No event carries hidden text, and no delta runs ahead of certainty: what may still become a token, an escape or a
 *   private block is held back. That is a few characters, with these exceptions:
 *   - Until a line begins with a start token (or front matter is closed), nothing is certain; text without such a line
 *     is settled by {@link end} (D1).
 *   - A literal block is held until its end marker. Without one, everything from `<|literal|>` on is settled by
 *     {@link end} (D9), and memory grows up to then.
 *   - White space at the start of a body is held until something else follows, because a message of private blocks
 *     only is hidden.
 *   - A body of the assistant that begins with `{` is held until its terminator, because with `<|call|>` it is a call
 *     that lost its recipient (D11).
 *   - After a start token inside a body, up to 64 characters are held until the role is known (D10).
 * - Otherwise memory does not grow: text that has been reported is forgotten. Work is linear in the text, whatever the
 *   chunks.
 * - Any string is a transcript: nothing is ever thrown. After {@link end} or {@link cancel}, every method gives no events.
 */
export class StreamingParser {
  /** Forgotten, with all text that it keeps, when the first message is found. */
  #preamble: PreambleReader | undefined
  #framing: Framing | undefined
  #scanner: MessageScanner | undefined
  #events: StreamEvent[] = []
  #message: OpenMessage | undefined
  #messageCount = 0
  #lastTerminator: StreamTerminator = 'none'
  #isTruncated = false
  #isOver = false
  #work = 0

  constructor(options: StreamingOptions = {}) {
    this.#preamble = new PreambleReader(options.dialect ?? 'auto')
    if (options.prefix) this.#read(options.prefix)
    const openIndex = this.#message?.label.index
    this.#events = this.#events.filter((event) => openIndex !== undefined && indexOf(event) === openIndex)
  }

  /** UTF-16 code units looked at so far, repetitions included: what the stream has cost. */
  get work(): number {
    const { body } = this.#message ?? {}
    return this.#work + (this.#preamble?.work ?? 0) + (this.#scanner?.work ?? 0) + (body?.work ?? 0)
  }

  /** Reads the next chunk: what is certain now. */
  push(chunk: string): StreamEvent[] {
    if (this.#isOver) return []
    this.#read(chunk)
    return this.#takeEvents()
  }

  /**
   * The text ends here: what was held back, then `response.done`. If the text breaks off inside a message, an error with
   * the code E-STREAM-TRUNCATED comes instead; a bare start token and role at the end is a generation prompt and no
   * mistake (D18).
   */
  end(): StreamEvent[] {
    if (this.#isOver) return []
    if (this.#preamble) this.#startScanner(this.#preamble, this.#preamble.end(), true)
    else this.#scan('', true)
    this.#isOver = true
    if (!this.#isTruncated) this.#events.push({ type: 'response.done', terminator: this.#lastTerminator })
    return this.#takeEvents()
  }

  /** Stops: what is held back is dropped, and what comes after is ignored. */
  cancel(reason: string): StreamEvent[] {
    if (this.#isOver) return []
    this.#isOver = true
    this.#message = undefined
    this.#events = []
    return [{ type: 'response.cancel', reason }]
  }

  /** Says that the call with this id was canceled. The stream goes on; whether there is such a call is up to the caller. */
  cancelTool(callId: string, reason: string): StreamEvent[] {
    if (this.#isOver) return []
    return [{ type: 'tool.cancel', call_id: callId, reason }]
  }

  #takeEvents(): StreamEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  #read(chunk: string): void {
    if (!this.#preamble) {
      this.#scan(chunk, false)
      return
    }
    const result = this.#preamble.read(chunk)
    if (result) this.#startScanner(this.#preamble, result, false)
  }

  #startScanner(preamble: PreambleReader, { framing, offset, rest }: PreambleResult, isFinal: boolean): void {
    this.#work += preamble.work
    this.#preamble = undefined
    this.#framing = framing
    this.#scanner = new MessageScanner(framing, offset)
    this.#scan(rest, isFinal)
  }

  #scan(text: string, isFinal: boolean): void {
    const framing = this.#framing
    const steps = this.#scanner?.scan(text, isFinal)
    if (!framing || !steps) return
    for (const step of steps) this.#take(step, framing)
  }

  #take(step: ScanStep, framing: Framing): void {
    switch (step.kind) {
      case 'header':
        this.#open(step.text, step.end, framing)
        break
      case 'body':
        if (this.#message?.body) this.#show(this.#message, this.#message.body.add(step.text))
        break
      case 'terminator':
        this.#close(step.terminator, step.bodyEnd, step.end)
        break
      case 'truncated':
        this.#truncate(step.end, step.isLast)
        break
      case 'cut-header':
        this.#openAndClose(step.text, step.end, framing)
        break
      case 'lost-header':
        if (step.isLast) this.#breakOff(step.text, step.end, framing)
        break
      default:
        step satisfies never
    }
  }

  #open(header: string, end: number, framing: Framing): void {
    this.#work += header.length
    const facts = factsOf(messageSegment(header, framing))
    if (!facts) return
    const isShown = hiddenReason(facts) === undefined
    const label = this.#nextLabel(facts)
    this.#message = {
      label,
      facts,
      bodyStart: end,
      body: isShown ? new VisibleBody(framing, facts.role) : undefined,
      paragraphs: new ParagraphBreaks(),
    }
    this.#events.push({ type: 'message.start', ...label, visible: isShown, offset: end - header.length })
  }

  #show({ label, paragraphs }: OpenMessage, text: string): void {
    const { index: messageIndex, role } = label
    if (text === '' || (role !== 'user' && role !== 'assistant')) return
    let from = 0
    for (const end of paragraphs.endsIn(text)) {
      if (end > from) {
        this.#events.push({ type: 'response.delta', text: text.slice(from, end), messageIndex, role })
      }
      this.#events.push({ type: 'response.delta.flush', messageIndex })
      from = end
    }
    if (from < text.length)
      this.#events.push({ type: 'response.delta', text: text.slice(from), messageIndex, role })
  }

  #close(terminator: ControlKind, bodyEnd: number, end: number): void {
    const message = this.#message
    if (!message) return
    this.#end(message, terminator, end)
    const { facts, label, bodyStart } = message
    this.#reportCall(label, facts, bodyStart, bodyEnd)
  }

  #truncate(end: number, isLast: boolean): void {
    const message = this.#message
    if (!message) return
    const isPrompt = isLast && message.facts.isPrompt && end === message.bodyStart
    this.#end(isPrompt ? { ...message, body: undefined } : message, ControlKind.none, end)
    if (!isPrompt) this.#reportTruncation(end, isLast, message.label.index)
  }

  /** Ends `message`: the rest of its text, and what it turned out to be. */
  #end(message: OpenMessage, terminator: ControlKind, offset: number): void {
    const rest = message.body?.end(terminator)
    if (rest !== undefined) this.#show(message, rest)
    this.#work += message.body?.work ?? 0
    this.#message = undefined
    this.#lastTerminator = endingOf(terminator) ?? 'none'
    this.#events.push({
      type: 'message.end',
      ...message.label,
      visible: rest !== undefined,
      terminator: this.#lastTerminator,
      offset,
    })
  }

  /** A header that a terminator cuts: its left-over text is the body (D16). */
  #openAndClose(text: string, end: number, framing: Framing): void {
    this.#work += text.length
    const segment = messageSegment(text, framing)
    const facts = factsOf(segment)
    if (!facts) return
    const label = this.#nextLabel(facts)
    const shown = visibleText(segment)
    const offset = end - text.length
    const message = { label, facts, bodyStart: end, body: undefined, paragraphs: new ParagraphBreaks() }
    this.#events.push({ type: 'message.start', ...label, visible: shown !== undefined, offset })
    if (shown !== undefined) this.#show(message, shown)
    this.#lastTerminator = endingOf(facts.terminator) ?? 'none'
    this.#events.push({
      type: 'message.end',
      ...label,
      visible: shown !== undefined,
      terminator: this.#lastTerminator,
      offset: end,
    })
    const { body } = viewMessage(segment)
    if (body) this.#reportCall(label, facts, offset + body.from, offset + body.to)
  }

  /** The text ends inside a header. */
  #breakOff(header: string, end: number, framing: Framing): void {
    this.#work += header.length
    const facts = factsOf(messageSegment(header, framing))
    if (!facts?.isPrompt) this.#reportTruncation(end, true)
    this.#lastTerminator = 'none'
  }

  #reportCall(label: MessageLabel, facts: MessageFacts, start: number, end: number): void {
    if (!isCall(facts) || facts.to === undefined) return
    const contentType = facts.constraint ?? facts.contentType
    this.#events.push({
      type: 'tool.call',
      index: label.index,
      ...(facts.callId !== undefined && { callId: facts.callId }),
      recipient: facts.to,
      ...(contentType !== undefined && isContentType(contentType) && { contentType }),
      isMalformed: facts.isMalformed,
      start,
      end,
    })
  }

  #reportTruncation(offset: number, isLast: boolean, messageIndex?: number): void {
    if (isLast) this.#isTruncated = true
    this.#events.push({
      type: 'error',
      code: 'E-STREAM-TRUNCATED',
      message: isLast
        ? 'The stream ends before a terminator ends the message'
        : 'The next message starts before a terminator ends this one',
      ...(messageIndex !== undefined && { messageIndex }),
      offset,
    })
  }

  #nextLabel(facts: MessageFacts): MessageLabel {
    const { role, channel, name, to, callId, intent } = facts
    const known = {
      index: this.#messageCount++,
      ...(role !== undefined && { role }),
      ...(channel !== undefined && { channel }),
    }
    // In a malformed header, what looks like an attribute may be text that went astray.
    if (facts.isMalformed && !isCall(facts) && !isReply(facts)) return known
    return {
      ...known,
      ...(name !== undefined && { name }),
      ...(to !== undefined && { recipient: to }),
      ...(callId !== undefined && { callId }),
      ...(intent !== undefined && { intent }),
    }
  }
}

function indexOf(event: StreamEvent): number | undefined {
  if ('messageIndex' in event) return event.messageIndex
  return 'index' in event ? event.index : undefined
}
