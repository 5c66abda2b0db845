/** A framing: how a dialect's control tokens cut a text into messages. The dialect files supply the data. */
import type { AttributeName } from './attributes.ts'
import type { Role } from './roles.ts'
import { ControlKind, type ControlToken } from './tokens.ts'

/** The name of a dialect, as users and `ocm --dialect` write it; `1.x` covers 0.1. */
export type DialectName = '2.2' | '2.0' | '1.x' | 'harmony'

/** What the scanner needs to know of a dialect. */
export interface Framing {
  readonly name: 'openchatml' | 'harmony' | 'chatml'
  /** All control tokens, structural ones and markers inside bodies. */
  readonly tokens: readonly ControlToken[]
  /** Tokens that end the YAML header where a line begins with one (D1). */
  readonly openers: readonly string[]
  /** True if doubling the first `<` makes a control token text (D8). */
  readonly hasEscapes: boolean
  /** The token that closes a literal block, if the dialect has them (D9). */
  readonly endLiteral: string | undefined
  /** The roles that a message may have, beside tool names in the place of a role. */
  readonly roles: readonly Role[]
  /** The attributes that its headers know. */
  readonly attributes: readonly AttributeName[]
  /** What ends a message header: the message token, or the end of its line. */
  readonly headerEnd: 'message-token' | 'line-break'
  readonly matcher: TokenMatcher
}

/** Finds the control token at a place in constant time. */
export interface TokenMatcher {
  /** The kind of the control token that begins at `at`, or `ControlKind.none`. */
  kindAt(text: string, at: number): ControlKind
  /** The length of the token that {@link kindAt} found last. */
  readonly length: number
}

/** Completes the data of a dialect file to a framing. */
export function framing(data: Omit<Framing, 'matcher' | 'endLiteral'>): Framing {
  const endLiteral = data.tokens.find(({ kind }) => kind === ControlKind.endLiteral)?.text
  return { ...data, endLiteral, matcher: new PrefixMatcher(data.tokens) }
}

const discriminatorAt = 2 // tokens start `<|`, so their third character tells most of them apart

/** Compares only the tokens that share the third character. */
class PrefixMatcher implements TokenMatcher {
  length = 0
  readonly #candidates: (readonly ControlToken[] | undefined)[] = new Array(128).fill(undefined)

  constructor(tokens: readonly ControlToken[]) {
    for (const token of tokens) {
      if (!token.text.startsWith('<|')) continue
      const code = token.text.charCodeAt(discriminatorAt)
      this.#candidates[code] = [...(this.#candidates[code] ?? []), token]
    }
  }

  kindAt(text: string, at: number): ControlKind {
    const candidates = this.#candidates[text.charCodeAt(at + discriminatorAt)]
    if (candidates === undefined) return ControlKind.none
    for (const token of candidates) {
      if (text.startsWith(token.text, at)) {
        this.length = token.text.length
        return token.kind
      }
    }
    return ControlKind.none
  }
}
