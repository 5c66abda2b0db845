/** What a body says: escapes resolved, literal markers removed, private blocks separated (D8, D9, D3). */
import type { Span } from '../text/range.ts'
import type { Role } from '../vocabulary/roles.ts'
import type { Segment } from './segment.ts'
import { eachToken, type Token, TokenBuffer, TokenKind, type TokenRun } from './token-run.ts'
import { passingTokensOf, tokenize } from './tokenize.ts'

/** What a piece of a body is; `thought` and `function` pieces are private wherever they stand. */
export type BodyPieceKind = 'text' | 'literal' | 'thought' | 'function'

/** True for a piece that no user sees. In a user's own message the tag of a function is but text (D3). */
export function isPrivatePiece(kind: BodyPieceKind, role: Role | undefined): boolean {
  return kind === 'thought' || (kind === 'function' && role !== 'user')
}

/** A piece of a body in order of the text. */
export interface BodyPiece {
  readonly kind: BodyPieceKind
  /** The text as meant. Markers of thoughts and functions are kept: they are body, though private. */
  readonly text: string
  /** The marker that opens a thought or a function payload; for other pieces, the source of `text`. */
  readonly span: Span
  /** The marker of the function to whose payload the piece belongs. After a thought, the payload continues in a separate piece. */
  readonly payload: Span | undefined
}

const buffer = new TokenBuffer()

/** The body of a message as meant: escapes resolved, literal markers removed, nothing trimmed. */
export function renderedBody(segment: Segment): string {
  return renderedPieces(segment)
    .map(({ text }) => text)
    .join('')
}

/** The pieces of a message's body. */
export function renderedPieces(segment: Segment): readonly BodyPiece[] {
  return bodyPieces(segment.text, passingTokensOf(segment, buffer))
}

/**
 * {@link renderedPieces} between each two of `cuts`, which are in the body and in order. A block that is open at a cut is open
 * after it. Cuts divide text; a token is before the cut that is inside it.
 */
export function piecesBetween(segment: Segment, cuts: readonly number[]): readonly (readonly BodyPiece[])[] {
  tokenize(segment, buffer)
  const reader = new BodyReader()
  const stretch = new TokenBuffer()
  const tokens = [...eachToken(buffer)]
  let index = tokens.findIndex(({ kind }) => kind === TokenKind.message || kind === TokenKind.headerEnd) + 1
  return cuts.slice(1).map((end, before) => {
    stretch.clear()
    // So that the reader takes what follows for a body.
    stretch.push(TokenKind.message, Math.max(cuts[before] ?? 0, tokens[index]?.from ?? 0))
    for (; (tokens[index]?.from ?? end) < end; index++) {
      const { kind, to } = tokens[index] as Token
      const isDivided = end < to && (kind === TokenKind.text || kind === TokenKind.literalText)
      stretch.push(kind, isDivided ? end : to)
      if (isDivided) break
    }
    return reader.read(segment.text, stretch)
  })
}

/** The pieces of the body among `tokens`, which are those of a message with the text `text`. */
function bodyPieces(text: string, tokens: TokenRun): readonly BodyPiece[] {
  return new BodyReader().read(text, tokens)
}

/** The markers of thoughts in that body that nothing closes, in order of the text. */
export function openThoughts(text: string, tokens: TokenRun): readonly Span[] {
  const reader = new BodyReader()
  reader.read(text, tokens)
  return reader.openThoughts()
}

/** Reads one body, whole or in stretches: blocks that are open at the end of a stretch are open in the next one. */
export class BodyReader {
  #text = ''
  #pieces: BodyPiece[] = []
  #open: OpenBlock | undefined
  /** What was collected for the piece that is being read, and the stretch after it that is all of one piece so far. */
  #collected: string[] = []
  #start = 0
  #from = 0
  #to = 0

  /** The kind of the block that is open; undefined in plain text. */
  get openKind(): 'thought' | 'function' | undefined {
    return this.#open?.kind
  }

  /**
   * The pieces of the body among `tokens`, which are those of a message with the text `text`. In later stretches, the spans of
   * blocks that an earlier one opened are those of the earlier text.
   */
  read(text: string, tokens: TokenRun): readonly BodyPiece[] {
    this.#text = text
    this.#pieces = []
    this.#from = 0
    this.#to = 0
    let from = 0
    let isBody = false
    for (let index = 0; index < tokens.count; index++) {
      const kind = tokens.kinds[index] as TokenKind
      const to = tokens.ends[index] ?? from
      if (!isBody) isBody = kind === TokenKind.message || kind === TokenKind.headerEnd
      else if (kind === TokenKind.end || kind === TokenKind.call || kind === TokenKind.return) break
      else if (from === this.#to && from > this.#from && isOrdinary(kind)) this.#to = to
      else this.#add(kind, from, to)
      from = to
    }
    this.#finishPiece(this.#open?.kind === 'function')
    return this.#pieces
  }

  /** The markers of thoughts that nothing has closed so far. */
  openThoughts(): readonly Span[] {
    return [...(this.#open?.thoughts.values() ?? [])].flat().sort((one, other) => one.from - other.from)
  }

  #add(kind: TokenKind, from: number, to: number): void {
    switch (kind) {
      case TokenKind.escape:
      case TokenKind.literal:
      case TokenKind.endLiteral:
        return
      case TokenKind.thoughtStart:
        this.#openThought({ from, to })
        break
      case TokenKind.thoughtEnd:
        this.#collect(from, to)
        this.#closeThought(this.#text.slice(from, to), to)
        return
      case TokenKind.functionList:
      case TokenKind.functionCall:
      case TokenKind.functionOutput:
        if (this.#open?.kind === 'thought') break
        this.#close()
        this.#open = { kind: 'function', span: { from, to }, payload: { from, to }, thoughts: new Map() }
        break
      case TokenKind.literalText:
        if (this.#open) break
        this.#close()
        this.#pieces.push({
          kind: 'literal',
          text: this.#text.slice(from, to),
          span: { from, to },
          payload: undefined,
        })
        return
      default:
    }
    this.#collect(from, to)
  }

  /** Blocks nest and may overlap (D3): text in a block that is still open is private, whatever has closed meanwhile. */
  #openThought(marker: Span): void {
    if (this.#open?.kind !== 'thought') {
      const payload = this.#open?.payload
      this.#close()
      this.#open = { kind: 'thought', span: marker, payload, thoughts: new Map() }
    }
    const closer = this.#text.slice(marker.from, marker.to).replace('start_', 'end_')
    const known = this.#open.thoughts.get(closer)
    if (known) known.push(marker)
    else this.#open.thoughts.set(closer, [marker])
  }

  #closeThought(closer: string, to: number): void {
    const open = this.#open
    const ofKind = open?.thoughts.get(closer)
    if (!open || !ofKind) return
    ofKind.pop()
    if (ofKind.length === 0) open.thoughts.delete(closer)
    if (open.thoughts.size > 0) return
    this.#close()
    const { payload } = open
    if (payload) this.#open = { kind: 'function', span: { from: to, to }, payload, thoughts: new Map() }
  }

  /** Text that goes on where it stopped needs no string of its own: a body can have a million tokens in it. */
  #collect(from: number, to: number): void {
    if (this.#to === from && this.#to > this.#from) {
      this.#to = to
      return
    }
    this.#flush()
    if (this.#collected.length === 0) this.#start = from
    this.#from = from
    this.#to = to
  }

  #flush(): void {
    if (this.#to > this.#from) this.#collected.push(this.#text.slice(this.#from, this.#to))
    this.#from = this.#to
  }

  #close(): void {
    this.#finishPiece(false)
    this.#open = undefined
  }

  /** Ends the current piece, but not the block it belongs to. An empty piece counts only if `mayBeEmpty`. */
  #finishPiece(mayBeEmpty: boolean): void {
    this.#flush()
    if (this.#collected.length > 0 || mayBeEmpty) {
      const text = this.#collected.join('')
      const span = this.#open?.span ?? { from: this.#start, to: this.#start + text.length }
      this.#pieces.push({ kind: this.#open?.kind ?? 'text', text, span, payload: this.#open?.payload })
    }
    this.#collected = []
  }
}

/** True for what belongs to the piece before it: a body can have a million such tokens. */
function isOrdinary(kind: TokenKind): boolean {
  return kind === TokenKind.text || kind === TokenKind.strayToken || kind === TokenKind.escapedToken
}

/** A private block that is being read. */
interface OpenBlock {
  readonly kind: 'thought' | 'function'
  /** The marker that opened it. */
  readonly span: Span
  readonly payload: Span | undefined
  /** The markers of thoughts that are open, outermost first, by what closes them. */
  readonly thoughts: Map<string, Span[]>
}
