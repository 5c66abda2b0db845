/** Tokens of a segment as two parallel arrays. A token starts where the previous one ends, so tokens cannot leave a gap (I1). */
import { ControlKind } from '../vocabulary/tokens.ts'

/** What a token is: a control token with effect ({@link ControlKind}), or one of the kinds of text. */
export const TokenKind = {
  ...ControlKind,
  byteOrderMark: 32,
  fence: 33,
  yaml: 34,
  blank: 35,
  stray: 36,
  /** A control token where it has no effect; it is text (D10). */
  strayToken: 37,
  role: 40,
  attributeName: 41,
  equals: 42,
  attributeValue: 43,
  channelName: 44,
  constraintName: 45,
  word: 46,
  headerEnd: 47,
  text: 50,
  /** The `<` that makes the control token after it text (D8). */
  escape: 51,
  escapedToken: 52,
  literalText: 53,
} as const

/** One of {@link TokenKind}. */
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind]

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(TokenKind).map(([name, kind]) => [kind, name]),
)

/** The name of `kind`, for dumps and tests. */
export function tokenKindName(kind: TokenKind): string {
  return names.get(kind) ?? 'none'
}

/** The tokens of one segment; offsets are relative to it. */
export interface TokenRun {
  readonly count: number
  readonly kinds: Uint8Array
  readonly ends: Uint32Array
}

/** A token taken out of a run. */
export interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
}

/** The tokens of `run` one by one. */
export function* eachToken(run: TokenRun): IterableIterator<Token> {
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const to = run.ends[index] ?? 0
    yield { kind: run.kinds[index] as TokenKind, from, to }
    from = to
  }
}

/** A run that grows; one is reused for all segments, so that tokenizing allocates nothing. */
export class TokenBuffer implements TokenRun {
  count = 0
  kinds = new Uint8Array(64)
  ends = new Uint32Array(64)
  #start = 0

  /** Forgets the tokens, not the memory. The first one starts at `start`. */
  clear(start = 0): void {
    this.count = 0
    this.#start = start
  }

  /** Where the next token starts. */
  get end(): number {
    return this.count === 0 ? this.#start : (this.ends[this.count - 1] ?? 0)
  }

  /** Adds a token that ends at `end`; an empty one is left out. */
  push(kind: TokenKind, end: number): void {
    if (end === this.end) return
    if (this.count === this.kinds.length) this.#grow()
    this.kinds[this.count] = kind
    this.ends[this.count] = end
    this.count++
  }

  /** A copy that stays as it is. */
  copy(): TokenRun {
    return { count: this.count, kinds: this.kinds.slice(0, this.count), ends: this.ends.slice(0, this.count) }
  }

  #grow(): void {
    const kinds = new Uint8Array(this.kinds.length * 2)
    kinds.set(this.kinds)
    this.kinds = kinds
    const ends = new Uint32Array(this.ends.length * 2)
    ends.set(this.ends)
    this.ends = ends
  }
}
