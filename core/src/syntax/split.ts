/**
 * The control automaton at segment level: where messages begin. It carries nothing over a boundary (I3), so that any
 * stretch that starts at a boundary can be split on its own.
 *
 * ```
 *   <|start|>user<|message|>Hello<|end|>\n<|start|>…
 *   ^ boundary   header    ^ body  ^ gap  ^ boundary
 * ```
 *
 * A literal block is skipped inside a body; when its end is not in the stretch but may be after it, the splitter says so.
 */
import { afterLineBreak, LineCounter, type LineSummary, nextLineBreak } from '../text/line-breaks.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { Effect, effectOf, isOpenState, State, stateBehind } from './control-grammar.ts'
import { isBlankBetween, knownRoleFollows } from './role-word.ts'
import { Segment, type SegmentKind, type SegmentSummary } from './segment.ts'

/** What {@link split} made of a stretch. */
export interface SplitResult {
  readonly segments: readonly Segment[]
  /** False if `limit` is inside a segment: more text is needed to know where the last segment ends. */
  readonly isSynchronized: boolean
  /** True if a literal block is open at `limit` and `hasLaterEndLiteral` says that it closes after it. */
  readonly needsEndLiteral: boolean
}

/** What {@link split} needs besides the text. */
export interface SplitOptions {
  readonly framing: Framing
  /** True if a `<|endliteral|>` is in the document after `limit` (I4). */
  readonly hasLaterEndLiteral: boolean
  /** The lines of the whole stretch, if they are known: searching for them takes longer than anything else. */
  readonly lines?: LineSummary | undefined
}

/**
 * Splits `text` from the boundary at `start` up to `limit`.
 * Text after `limit` is lookahead: it only shows whether `limit` is a boundary.
 */
export function split(text: string, start: number, limit: number, options: SplitOptions): SplitResult {
  if (start >= limit) return { segments: [], isSynchronized: true, needsEndLiteral: false }
  return new Splitter(text, start, limit, options).split()
}

class Splitter {
  readonly #text: string
  readonly #limit: number
  readonly #framing: Framing
  readonly #hasLaterEndLiteral: boolean
  #lines: LineCounter | undefined
  readonly #wholeLines: LineSummary | undefined
  readonly #segments: Segment[] = []
  readonly #endLiteral: string | undefined
  /** False once a search has shown that no end of a literal block follows. */
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
    this.#wholeLines = options.lines
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

  split(): SplitResult {
    const { matcher, hasEscapes, headerEnd } = this.#framing
    const hasTurns = headerEnd === 'line-break'
    const text = this.#text
    const opener = matcher.tokenAt(text, this.#start)
    let state = this.#open(opener.kind)
    let bodyStart = 0
    let isPlain = false
    let from = this.#start + opener.length
    for (;;) {
      const at = text.indexOf('<|', from)
      if (hasTurns && state === State.header) {
        // <|im_start|>user\nHello<|im_end|>
        //                 ^
        const limit = at === -1 ? text.length : at
        const lineBreak = nextLineBreak(text, from, limit)
        if (lineBreak < limit) {
          state = State.body
          from = afterLineBreak(text, lineBreak)
          continue
        }
      }
      if (at === -1) return this.#atEnd(isOpenState(state))
      const { kind, length } = matcher.tokenAtOpening(text, at)
      if (kind === ControlKind.none) {
        isPlain = false
        from = at + 2
        continue
      }
      from = at + length
      const effect = effectOf(state, kind)
      if (effect === Effect.part) continue
      if (effect === Effect.beginBody) {
        state = State.body
        bodyStart = from
        isPlain = true
        continue
      }
      if (hasEscapes && text.charCodeAt(at - 1) === lessThan && state === State.body && at > bodyStart) {
        // <|start|>user<|message|>Write <<|end|> to finish<|end|>
        //                                ^
        isPlain = false
        if (effect !== Effect.endLiteral) continue
      }
      if (effect !== Effect.end) isPlain = false
      switch (effect) {
        case Effect.end:
          // <|start|>user<|message|>Hello<|end|>
          //                              ^
          if (isPlain) {
            this.#bodyStart = bodyStart
            this.#bodyEnd = at
            this.#gapStart = from
          }
          state = State.gap
          break
        case Effect.open:
          if (this.#emit(at, isOpenState(state))) return this.#finish(at)
          state = this.#open(kind)
          break
        case Effect.openBeforeRole:
          // <|start|>user<|message|>cut off<|start|>assistant…
          //                                ^
          if (!knownRoleFollows(text, from, this.#framing)) break
          if (this.#emit(at, true)) return this.#finish(at)
          state = this.#open(kind)
          break
        case Effect.literal: {
          // <|start|>user<|message|>print <|literal|><|end|><|endliteral|><|end|>
          //                               ^
          const closed = this.#literalEnd(from)
          if (closed !== undefined) {
            this.#endLiterals++
            from = closed
          } else {
            if (this.#hasLaterEndLiteral) return this.#unfinished(true)
            this.#hasOpenLiteral = true
          }
          break
        }
        case Effect.endLiteral:
          // <|start|>user<|message|>no block is open<|endliteral|>
          //                                         ^
          this.#endLiterals++
          break
        case Effect.prefix:
          state = State.task
          break
        case Effect.none:
          break
        default:
          effect satisfies never
      }
    }
  }

  /** Starts a segment with a token of `kind`; the state after it. */
  #open(kind: ControlKind): State {
    const state = stateBehind(kind)
    this.#kind = state === State.header ? 'message' : state === State.file ? 'file' : 'fim'
    return state
  }

  /** After the `<|endliteral|>` that closes a block whose content starts at `from`; undefined if the stretch has none. */
  #literalEnd(from: number): number | undefined {
    if (this.#endLiteral === undefined || !this.#mayCloseLiteral) return undefined
    const at = this.#text.indexOf(this.#endLiteral, from)
    this.#mayCloseLiteral = at !== -1
    return at === -1 ? undefined : at + this.#endLiteral.length
  }

  /** Ends the current segment at `end`; true if that is the limit, where the stretch is done. */
  #emit(end: number, endsInBody: boolean): boolean {
    if (end > this.#limit) return true
    const lines = this.#linesUpTo(end)
    const summary = this.#summary
    summary.kind = this.#kind
    summary.lineBreaks = lines.lineBreaks
    summary.lastLineLength = lines.lastLineLength
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

  /** The lines of the current segment, which ends at `end`. */
  #linesUpTo(end: number): LineSummary {
    if (this.#wholeLines && end === this.#limit && this.#segments.length === 0) return this.#wholeLines
    this.#lines ??= new LineCounter(this.#text)
    this.#lines.count(this.#start, end)
    return this.#lines
  }

  /** A boundary was found at or after the limit. */
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

const lessThan = 60
