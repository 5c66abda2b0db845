/**
 * The control automaton at segment level: where messages begin. It carries nothing over a boundary (I3), so that any
 * stretch that starts at a boundary can be split on its own.
 *
 * ```
 *   <|start|>user<|message|>Hello<|end|>\n<|start|>…
 *   ^ boundary   header    ^ body  ^ gap  ^ boundary
 * ```
 *
 * A literal block is skipped inside a body; when its end is not in the stretch but may stand behind it, the splitter says so.
 */
import { afterLineBreak, LineCounter, nextLineBreak } from '../text/line-breaks.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import { isBlankBetween, knownRoleFollows } from './role-word.ts'
import { Segment, type SegmentKind, type SegmentSummary } from './segment.ts'

/** What {@link split} made of a stretch. */
export interface SplitResult {
  readonly segments: readonly Segment[]
  /** False if `limit` lies inside a segment: more text is needed to know where the last segment ends. */
  readonly isSynchronized: boolean
  /** True if a literal block is open at `limit` and `hasLaterEndLiteral` says that it closes behind it. */
  readonly needsEndLiteral: boolean
}

/** What {@link split} is given beside the text. */
export interface SplitOptions {
  readonly framing: Framing
  /** True if a `<|endliteral|>` stands in the document behind `limit` (I4). */
  readonly hasLaterEndLiteral: boolean
}

/**
 * Splits `text` from the boundary at `start` up to `limit`.
 * Text behind `limit` is lookahead: it only tells whether `limit` is a boundary.
 */
export function split(text: string, start: number, limit: number, options: SplitOptions): SplitResult {
  if (start >= limit) return { segments: [], isSynchronized: true, needsEndLiteral: false }
  const splitter = new Splitter(text, start, limit, options)
  return options.framing.headerEnd === 'message-token' ? splitter.splitMessages() : splitter.splitTurns()
}

/** A message of which its writer knows the parts. */
export interface PlainMessage {
  /** From the start token to the message token. */
  readonly head: string
  /** Text without `<|`, and without `<` at its end. */
  readonly body: string
  /** A terminator, and white space. */
  readonly tail: string
}

/** The segment that {@link split} makes of `message` in OpenChatML 2.x, where another one or nothing follows. */
export function plainSegment({ head, body, tail }: PlainMessage, framing: Framing): Segment {
  const text = head + body + tail
  const lines = new LineCounter(text)
  lines.count(0, text.length)
  return new Segment(text, {
    kind: 'message',
    framing,
    lineBreaks: lines.lineBreaks,
    lastLineLength: lines.lastLineLength,
    endLiterals: 0,
    hasOpenLiteral: false,
    endsInBody: false,
    plainBodyStart: head.length,
    plainBodyEnd: head.length + body.length,
  })
}

class Splitter {
  readonly #text: string
  readonly #limit: number
  readonly #framing: Framing
  readonly #hasLaterEndLiteral: boolean
  readonly #lines: LineCounter
  readonly #segments: Segment[] = []
  readonly #endLiteral: string | undefined
  /** False once a search has told that no end of a literal block follows. */
  #mayCloseLiteral: boolean
  /** Scratch: the segment copies it, so that a message makes one object and not two. */
  readonly #summary: { -readonly [Key in keyof SegmentSummary]: SegmentSummary[Key] }
  #start: number
  #kind: SegmentKind = 'message'
  #endLiterals = 0
  #hasOpenLiteral = false
  #bodyStart = 0
  /** The terminator of a body that is plain so far, and what follows it; 0 if there is none. */
  #bodyEnd = 0
  #gapStart = 0

  constructor(text: string, start: number, limit: number, options: SplitOptions) {
    this.#text = text
    this.#start = start
    this.#limit = limit
    this.#framing = options.framing
    this.#hasLaterEndLiteral = options.hasLaterEndLiteral
    this.#lines = new LineCounter(text)
    this.#summary = {
      kind: 'message',
      framing: options.framing,
      lineBreaks: 0,
      lastLineLength: 0,
      endLiterals: 0,
      hasOpenLiteral: false,
      endsInBody: false,
      plainBodyStart: 0,
      plainBodyEnd: 0,
    }
    this.#endLiteral = options.framing.endLiteral
    this.#mayCloseLiteral = this.#endLiteral !== undefined
  }

  /** Framing with a message token: OpenChatML 2.x and Harmony. */
  splitMessages(): SplitResult {
    const { matcher, hasEscapes } = this.#framing
    const text = this.#text
    matcher.kindAt(text, this.#start)
    let at = this.#start + matcher.length
    let state: 'header' | 'body' | 'gap' = 'header'
    let bodyStart = 0
    let isPlain = false
    for (at = text.indexOf('<|', at); at !== -1; at = text.indexOf('<|', at)) {
      const kind = matcher.kindAtOpening(text, at)
      if (kind === ControlKind.none) {
        isPlain = false
        at += 2
        continue
      }
      const end = at + matcher.length
      if (kind === ControlKind.endLiteral) {
        isPlain = false
        // <|start|>user<|message|>no block is open<|endliteral|>
        //                                         ^
        this.#endLiterals++
      } else if (state === 'body') {
        const isEscaped = hasEscapes && at > bodyStart && text.charCodeAt(at - 1) === lessThan
        if (!isEscaped && isTerminator(kind)) {
          state = 'gap'
          if (isPlain) {
            this.#bodyStart = bodyStart
            this.#bodyEnd = at
            this.#gapStart = end
          }
          at = end
          continue
        }
        isPlain = false
        if (isEscaped) {
          // <|start|>user<|message|>Write <<|end|> to finish<|end|>
          //                                ^
        } else if (kind === ControlKind.start) {
          // <|start|>user<|message|>cut off<|start|>assistant…
          //                                ^
          if (knownRoleFollows(text, end, this.#framing)) {
            if (this.#emit(at, true)) return this.#finish(at)
            state = 'header'
          }
        } else if (kind === ControlKind.literal) {
          // <|start|>user<|message|>print <|literal|><|end|><|endliteral|><|end|>
          //                               ^
          const closed = this.#literalEnd(end)
          if (closed === undefined) {
            if (this.#hasLaterEndLiteral) return this.#unfinished(true)
            this.#hasOpenLiteral = true
          } else {
            this.#endLiterals++
            at = closed
            continue
          }
        }
      } else if (kind === ControlKind.start) {
        if (this.#emit(at, false)) return this.#finish(at)
        state = 'header'
      } else if (state === 'header') {
        if (kind === ControlKind.message) {
          state = 'body'
          bodyStart = end
          isPlain = true
        } else if (isTerminator(kind)) {
          state = 'gap'
        }
      }
      at = end
    }
    return this.#atEnd(state === 'body')
  }

  /** Framing by lines: OpenChatML 0.1 with turns, files and fill-in-the-middle tasks. */
  splitTurns(): SplitResult {
    const { matcher } = this.#framing
    const text = this.#text
    let state = this.#open(this.#start)
    let at = this.#start + matcher.length
    while (at < text.length) {
      const token = text.indexOf('<|', at)
      if (state === 'header') {
        const lineBreak = nextLineBreak(text, at, token === -1 ? text.length : token)
        if (lineBreak < text.length && lineBreak !== token) {
          state = 'turn'
          at = afterLineBreak(text, lineBreak)
          continue
        }
      }
      if (token === -1) break
      const kind = matcher.kindAtOpening(text, token)
      at = token + (kind === ControlKind.none ? 2 : matcher.length)
      if (kind === ControlKind.none) continue
      const length = matcher.length
      if (kind === ControlKind.end) {
        if (state === 'header' || state === 'turn') state = 'gap'
      } else if (this.#opensSegment(kind, state, at)) {
        if (this.#emit(token, state !== 'gap' && state !== 'header')) return this.#finish(token)
        state = this.#open(token)
      } else if (state === 'fim-start' && kind === ControlKind.fimPrefix) {
        state = 'fim'
      }
      at = token + length
    }
    return this.#atEnd(state !== 'gap' && state !== 'header')
  }

  /** Starts a segment at the opener at `at`: its kind, and the state behind it. */
  #open(at: number): TurnState {
    const kind = this.#framing.matcher.kindAt(this.#text, at)
    if (kind === ControlKind.fileSeparator) {
      this.#kind = 'file'
      return 'file'
    }
    if (kind === ControlKind.start) {
      this.#kind = 'message'
      return 'header'
    }
    this.#kind = 'fim'
    return kind === ControlKind.fimPrefix ? 'fim' : 'fim-start'
  }

  #opensSegment(kind: ControlKind, state: TurnState, behind: number): boolean {
    switch (kind) {
      case ControlKind.start:
        return state === 'gap' || state === 'header' || knownRoleFollows(this.#text, behind, this.#framing)
      case ControlKind.fileSeparator:
        return state === 'gap' || state === 'file' || state === 'fim' || state === 'fim-start'
      case ControlKind.fimPrefix:
        return state === 'gap' || state === 'fim'
      case ControlKind.fimMiddle:
      case ControlKind.fimSuffix:
        return state === 'gap'
      default:
        return false
    }
  }

  /** Behind the `<|endliteral|>` that closes a block whose content starts at `from`; undefined if the stretch has none. */
  #literalEnd(from: number): number | undefined {
    if (this.#endLiteral === undefined || !this.#mayCloseLiteral) return undefined
    const at = this.#text.indexOf(this.#endLiteral, from)
    this.#mayCloseLiteral = at !== -1
    return at === -1 ? undefined : at + this.#endLiteral.length
  }

  /** Ends the current segment at `end`; true if that is the limit, where the stretch is done. */
  #emit(end: number, endsInBody: boolean): boolean {
    if (end > this.#limit) return true
    this.#lines.count(this.#start, end)
    const summary = this.#summary
    summary.kind = this.#kind
    summary.lineBreaks = this.#lines.lineBreaks
    summary.lastLineLength = this.#lines.lastLineLength
    summary.endLiterals = this.#endLiterals
    summary.hasOpenLiteral = this.#hasOpenLiteral
    summary.endsInBody = endsInBody
    const isPlain = this.#bodyEnd > 0 && isBlankBetween(this.#text, this.#gapStart, end)
    summary.plainBodyStart = isPlain ? this.#bodyStart - this.#start : 0
    summary.plainBodyEnd = isPlain ? this.#bodyEnd - this.#start : 0
    this.#segments.push(new Segment(this.#text.slice(this.#start, end), summary))
    this.#start = end
    this.#endLiterals = 0
    this.#hasOpenLiteral = false
    this.#bodyEnd = 0
    return end === this.#limit
  }

  /** A boundary was found at or behind the limit. */
  #finish(boundary: number): SplitResult {
    return boundary === this.#limit ? this.#done() : this.#unfinished(false)
  }

  #atEnd(endsInBody: boolean): SplitResult {
    if (this.#limit < this.#text.length) return this.#unfinished(false)
    this.#emit(this.#limit, endsInBody)
    return this.#done()
  }

  #done(): SplitResult {
    return { segments: this.#segments, isSynchronized: true, needsEndLiteral: false }
  }

  #unfinished(needsEndLiteral: boolean): SplitResult {
    return { segments: this.#segments, isSynchronized: false, needsEndLiteral }
  }
}

type TurnState = 'header' | 'turn' | 'gap' | 'file' | 'fim-start' | 'fim'

const lessThan = 60
