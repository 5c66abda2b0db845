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
  /** True for a thought that nothing closes. */
  readonly isOpen: boolean
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
  #open:
    | { readonly kind: 'thought' | 'function'; readonly closer: string | undefined; readonly span: Span }
    | undefined
  #collected: string[] = []
  #from = 0

  constructor(text: string) {
    this.#text = text
  }

  add(kind: TokenKind, from: number, to: number): void {
    const text = this.#text.slice(from, to)
    switch (kind) {
      case TokenKind.escape:
      case TokenKind.literal:
      case TokenKind.endLiteral:
        return
      case TokenKind.thoughtStart:
        if (this.#open?.kind === 'thought') break
        this.#close(false)
        this.#open = { kind: 'thought', closer: text.replace('start_', 'end_'), span: { from, to } }
        break
      case TokenKind.thoughtEnd:
        this.#collect(text, from)
        if (this.#open?.closer === text) this.#close(false)
        return
      case TokenKind.functionList:
      case TokenKind.functionCall:
      case TokenKind.functionOutput:
        if (this.#open?.kind === 'thought') break
        this.#close(false)
        this.#open = { kind: 'function', closer: undefined, span: { from, to } }
        break
      case TokenKind.literalText:
        if (this.#open) break
        this.#close(false)
        this.#pieces.push({ kind: 'literal', text, span: { from, to }, isOpen: false })
        return
      default:
    }
    this.#collect(text, from)
  }

  done(): readonly BodyPiece[] {
    this.#close(true)
    return this.#pieces
  }

  #collect(text: string, from: number): void {
    if (this.#collected.length === 0) this.#from = from
    this.#collected.push(text)
  }

  #close(isAtEnd: boolean): void {
    if (this.#collected.length > 0) {
      const text = this.#collected.join('')
      const span = this.#open?.span ?? { from: this.#from, to: this.#from + text.length }
      this.#pieces.push({
        kind: this.#open?.kind ?? 'text',
        text,
        span,
        isOpen: isAtEnd && this.#open?.kind === 'thought',
      })
    }
    this.#collected = []
    this.#open = undefined
  }
}
