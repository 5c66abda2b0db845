/** A framing: how a dialect's control tokens cut a text into messages. The dialect files supply the data. */
import type { AttributeName } from './attributes.ts'
import type { Role } from './roles.ts'
import { ControlKind, type ControlToken } from './tokens.ts'

/** The name of a dialect, as users and `ocm --dialect` write it; `1.x` covers 0.1. */
export type DialectName = '2.2' | '2.0' | '1.x' | 'harmony'

/** What the scanner needs to know of a dialect. */
export interface Framing {
  readonly name: 'openchatml' | 'harmony' | 'chatml'
  /** The dialect of a text in this framing; undefined where its YAML header says. */
  readonly dialect: DialectName | undefined
  /** All control tokens, structural ones and markers inside bodies. */
  readonly tokens: readonly ControlToken[]
  /** Tokens that end the YAML header where a line begins with one (D1). */
  readonly openers: readonly string[]
  /** True if doubling the first `<` makes a control token text (D8). */
  readonly hasEscapes: boolean
  /** The token that closes a literal block, if the dialect has them (D9). */
  readonly endLiteral: string | undefined
  /** The roles that a message may have, besides tool names in the place of a role. */
  readonly roles: readonly Role[]
  /** The attributes that its headers know. */
  readonly attributes: readonly AttributeName[]
  /** What ends a message header: the message token, or the end of its line. */
  readonly headerEnd: 'message-token' | 'line-break'
  readonly matcher: TokenMatcher
}

/** Finds the control token at a place in constant time. */
export interface TokenMatcher {
  /** The control token that begins at `at`; its kind is `none` where there is none. */
  tokenAt(text: string, at: number): FoundToken
  /** The same where `<|` is known to be at `at`. */
  tokenAtOpening(text: string, at: number): FoundToken
}

/** A control token in a text. */
export interface FoundToken {
  readonly kind: ControlKind
  /** UTF-16 code units; 0 for none. */
  readonly length: number
}

/** The spelling of the control token of `kind` in `framing`; empty if it has none. */
export function spelling(framing: Framing, kind: ControlKind): string {
  return framing.tokens.find((it) => it.kind === kind)?.text ?? ''
}

/** Completes the data of a dialect file to a framing. */
export function framing(data: Omit<Framing, 'matcher' | 'endLiteral'>): Framing {
  const endLiteral = data.tokens.find(({ kind }) => kind === ControlKind.endLiteral)?.text
  return { ...data, endLiteral, matcher: new PrefixMatcher(data.tokens) }
}

/** Compares only the tokens that begin with the same four characters, code unit by code unit: this is the hottest code there is. */
class PrefixMatcher implements TokenMatcher {
  readonly #candidates = new Array<readonly Candidate[]>(places).fill([])

  constructor(tokens: readonly ControlToken[]) {
    for (const token of tokens) {
      if (!token.text.startsWith(opening)) continue
      const candidate = candidateOf(token)
      const place = placeOf(candidate.beginning)
      this.#candidates[place] = [...(this.#candidates[place] ?? []), candidate]
    }
  }

  tokenAt(text: string, at: number): FoundToken {
    return text.startsWith(opening, at) ? this.tokenAtOpening(text, at) : noToken
  }

  tokenAtOpening(text: string, at: number): FoundToken {
    const beginning = (text.charCodeAt(at + 2) << 16) | text.charCodeAt(at + 3)
    const candidates = this.#candidates[placeOf(beginning)] as readonly Candidate[]
    for (let index = 0; index < candidates.length; index++) {
      const candidate = candidates[index] as Candidate
      if (beginning === candidate.beginning && continuesWith(text, at, candidate.codes)) return candidate
    }
    return noToken
  }
}

/** Of the same shape as all others, which keeps the code that reads them fast. */
const noToken: FoundToken = candidateOf({ text: '', kind: ControlKind.none })

const opening = '<|'
const places = 1 << 10

/** Where the tokens are listed whose third and fourth character these are: pairs of letters have a place of their own. */
function placeOf(beginning: number): number {
  return ((beginning >> 11) & (31 << 5)) | (beginning & 31)
}

interface Candidate extends FoundToken {
  readonly codes: Uint8Array
  /** The third and the fourth character. */
  readonly beginning: number
}

function candidateOf({ text, kind }: Pick<ControlToken, 'text' | 'kind'>): Candidate {
  const codes = Uint8Array.from(text, (character) => character.charCodeAt(0))
  return { kind, length: codes.length, codes, beginning: (text.charCodeAt(2) << 16) | text.charCodeAt(3) }
}

/** True if everything after the fourth character is the same. */
function continuesWith(text: string, at: number, codes: Uint8Array): boolean {
  for (let index = 4; index < codes.length; index++) {
    if (text.charCodeAt(at + index) !== codes[index]) return false
  }
  return true
}
