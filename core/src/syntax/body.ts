/** What a body says: escapes resolved, literal markers removed, private blocks told apart (D8, D9, D3). */
import type { Span } from '../text/range.ts'
import type { Role } from '../vocabulary/roles.ts'
import type { Segment } from './segment.ts'
import { TokenBuffer, TokenKind } from './token-run.ts'
import { tokenize } from './tokenize.ts'

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
  /** The markers of thoughts that nothing closes; only the last piece of a body has any. */
  readonly openThoughts: readonly Span[]
  /** The marker of the function to whose payload the piece belongs. Behind a thought the payload goes on in a piece of its own. */
  readonly payload: Span | undefined
}

const noThoughts: readonly Span[] = []

const buffer = new TokenBuffer()

/** The body of a message as meant: escapes resolved, literal markers removed, nothing trimmed. */
export function renderedBody(segment: Segment): string {
  return renderedPieces(segment)
    .map(({ text }) => text)
    .join('')
}

/** The pieces of a message's body. */
export function renderedPieces(segment: Segment): readonly BodyPiece[] {
  tokenize(segment, buffer)
  return bodyPieces(segment.text, buffer)
}

/** The pieces of the body among `tokens`, which are those of a message with the text `text`. */
export function bodyPieces(text: string, tokens: TokenBuffer): readonly BodyPiece[] {
  const pieces = new PieceList(text)
  let from = 0
  let isBody = false
  for (let index = 0; index < tokens.count; index++) {
    const kind = tokens.kinds[index] as TokenKind
    const to = tokens.ends[index] ?? from
    if (!isBody) isBody = kind === TokenKind.message || kind === TokenKind.headerEnd
    else if (kind === TokenKind.end || kind === TokenKind.call || kind === TokenKind.return) break
    else pieces.add(kind, from, to)
    from = to
  }
  return pieces.done()
}

class PieceList {
  readonly #text: string
  readonly #pieces: BodyPiece[] = []
  #open: OpenBlock | undefined
  /** What was collected for the piece that is being read, and the stretch behind it that is all of one piece so far. */
  #collected: string[] = []
  #start = 0
  #from = 0
  #to = 0

  constructor(text: string) {
    this.#text = text
  }

  add(kind: TokenKind, from: number, to: number): void {
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
        this.#close(false)
        this.#open = { kind: 'function', span: { from, to }, payload: { from, to }, thoughts: new Map() }
        break
      case TokenKind.literalText:
        if (this.#open) break
        this.#close(false)
        this.#pieces.push({
          kind: 'literal',
          text: this.#text.slice(from, to),
          span: { from, to },
          openThoughts: noThoughts,
          payload: undefined,
        })
        return
      default:
    }
    this.#collect(from, to)
  }

  done(): readonly BodyPiece[] {
    this.#close(true)
    return this.#pieces
  }

  /** Blocks may overlap: what stands in one that is still open is private, whatever has closed meanwhile. */
  #openThought(marker: Span): void {
    if (this.#open?.kind !== 'thought') {
      const payload = this.#open?.payload
      this.#close(false)
      this.#open = { kind: 'thought', span: marker, payload, thoughts: new Map() }
    }
    const closer = this.#text.slice(marker.from, marker.to).replace('start_', 'end_')
    if (!this.#open.thoughts.has(closer)) this.#open.thoughts.set(closer, marker)
  }

  #closeThought(closer: string, to: number): void {
    const open = this.#open
    if (!open?.thoughts.delete(closer) || open.thoughts.size > 0) return
    this.#close(false)
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

  #close(isAtEnd: boolean): void {
    this.#flush()
    const isResumedPayload = isAtEnd && this.#open?.kind === 'function'
    if (this.#collected.length > 0 || isResumedPayload) {
      const text = this.#collected.join('')
      const span = this.#open?.span ?? { from: this.#start, to: this.#start + text.length }
      this.#pieces.push({
        kind: this.#open?.kind ?? 'text',
        text,
        span,
        openThoughts: isAtEnd && this.#open ? [...this.#open.thoughts.values()] : noThoughts,
        payload: this.#open?.payload,
      })
    }
    this.#collected = []
    this.#open = undefined
  }
}

/** A private block that is being read. */
interface OpenBlock {
  readonly kind: 'thought' | 'function'
  /** The marker that opened it. */
  readonly span: Span
  readonly payload: Span | undefined
  /** The markers of thoughts that are open, by what closes them. */
  readonly thoughts: Map<string, Span>
}
