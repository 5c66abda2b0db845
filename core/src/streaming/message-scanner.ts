/**
 * The control automaton for text that arrives in chunks: headers, bodies and terminators after the preamble, with the
 * same boundaries as {@link split}. What is in a header or a body is left to the parser of whole messages. It never
 * runs ahead of certainty: a character that may become part of a token waits for the next chunk, and a literal block
 * waits for its end.
 */
import { Effect, effectOf, State, stateBehind } from '../syntax/control-grammar.ts'
import { knownRoleFollows, roleLookahead } from '../syntax/role-word.ts'
import { afterLineBreak, nextLineBreak } from '../text/line-breaks.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

/** A step of the text. Offsets are absolute; `end` is where the step ends. */
export type ScanStep =
  /** A header up to the message token, or in 0.1 to the end of its line. */
  | { readonly kind: 'header'; readonly text: string; readonly end: number }
  /** A header that a terminator cuts, with the terminator (D16). */
  | { readonly kind: 'cut-header'; readonly text: string; readonly end: number }
  /** A header that the next start token or the end of the text cuts: no message. */
  | { readonly kind: 'lost-header'; readonly text: string; readonly end: number; readonly isLast: boolean }
  /** Source of a body; a token, an escape or a literal block is never cut in two. */
  | { readonly kind: 'body'; readonly text: string; readonly end: number }
  /** The token that ends a body; `end` is after it. */
  | {
      readonly kind: 'terminator'
      readonly terminator: ControlKind
      readonly bodyEnd: number
      readonly end: number
    }
  /** The body ends without terminator. */
  | { readonly kind: 'truncated'; readonly end: number; readonly isLast: boolean }

/** Cuts what follows the preamble into headers, bodies and terminators. One scanner reads one text. */
export class MessageScanner {
  readonly #framing: Framing
  readonly #hasTurns: boolean
  readonly #longestToken: number
  readonly #steps: ScanStep[] = []
  #state: State = State.gap
  /** True in a literal block, of which the end is awaited. */
  #isInLiteral = false
  /** Text not yet judged. */
  #text = ''
  /** Where the first character of the text is. */
  #offset: number
  /** What is judged of the header or of the literal block that is being read; joined when it is complete. */
  #held = ''
  #isFinal = false
  /** True where no `<|endliteral|>` follows any more: a literal marker is text (D9). */
  #isWithoutEndLiteral: boolean
  #kind: ControlKind = ControlKind.none
  /** After the token that was found last. */
  #tokenEnd = 0
  /** Where the text begins that may become a token. */
  #safe = 0
  /** UTF-16 code units looked at: the cost, for tests. */
  work = 0

  /** @param offset where the text begins that {@link scan} is given: at an opener, or at the end of the document */
  constructor(framing: Framing, offset: number) {
    this.#framing = framing
    this.#hasTurns = framing.headerEnd === 'line-break'
    this.#offset = offset
    this.#longestToken = Math.max(...framing.tokens.map(({ text }) => text.length))
    this.#isWithoutEndLiteral = framing.endLiteral === undefined
  }

  /** Reads on, as far as the text is certain; all of it if `isFinal`. */
  scan(chunk: string, isFinal: boolean): readonly ScanStep[] {
    this.#steps.length = 0
    this.#text += chunk
    this.#isFinal = isFinal
    this.work += this.#text.length
    while (this.#advance()) {}
    if (isFinal) this.#finish()
    return this.#steps
  }

  /** Goes on in the current state; false if that takes more text. */
  #advance(): boolean {
    if (this.#isInLiteral) return this.#readLiteral()
    if (this.#state === State.header) return this.#readHeader()
    return this.#state === State.body ? this.#readBody() : this.#skip()
  }

  // Between messages, and in 0.1 in files and fill-in-the-middle tasks: nothing is read up to the start of a message.
  //
  //   …<|end|>\n<|start|>user     <|file_separator|>a.txt<|im_start|>user
  //           ^                                      ^
  #skip(): boolean {
    for (let at = this.#find(0); at !== -1; at = this.#find(this.#tokenEnd)) {
      const effect = this.#effect()
      if (effect === Effect.openBeforeRole && this.#isRoleOpen(at)) {
        this.#consume(at)
        return false
      }
      if (effect === Effect.open || (effect === Effect.openBeforeRole && this.#isRoleBehind())) {
        return this.#open(at)
      }
      if (effect === Effect.prefix) this.#state = State.task
    }
    this.#consume(this.#safe)
    return false
  }

  // In a header, which `<|message|>` or in 0.1 the end of its line ends. A `\r` at the end of a chunk may be half of a
  // line break.
  //
  //   <|start|>user name=x<|message|>Hello<|end|>     <|im_start|>user\r\nHello<|im_end|>
  //            ^                                                  ^
  #readHeader(): boolean {
    for (;;) {
      const at = this.#find(0)
      const limit = at === -1 ? this.#safe : at
      const lineBreak = this.#hasTurns ? nextLineBreak(this.#text, 0, limit) : limit
      if (lineBreak < limit) {
        if (lineBreak + 1 < this.#text.length || this.#isFinal || this.#text.endsWith('\n')) {
          return this.#closeHeader(afterLineBreak(this.#text, lineBreak))
        }
        this.#hold(lineBreak)
        return false
      }
      if (at === -1) {
        this.#hold(limit)
        return false
      }
      switch (this.#effect()) {
        case Effect.open:
          return this.#loseHeader(at)
        case Effect.beginBody:
          return this.#closeHeader(this.#tokenEnd)
        case Effect.end:
          return this.#cutHeader()
        default:
          this.#hold(this.#tokenEnd)
      }
    }
  }

  // In a body. `look` is after the tokens that turned out to be text.
  //
  //   <|start|>user<|message|>Write <<|end|> to finish<|end|>
  //                           ^
  #readBody(): boolean {
    const { hasEscapes } = this.#framing
    let look = 0
    for (let at = this.#find(look); at !== -1; at = this.#find(look)) {
      look = this.#tokenEnd
      if (hasEscapes && at > 0 && this.#text.charCodeAt(at - 1) === lessThan) continue
      switch (this.#effect()) {
        case Effect.end: {
          const terminator = this.#kind
          const end = this.#offset + look
          this.#emitBody(at)
          this.#steps.push({ kind: 'terminator', terminator, bodyEnd: this.#offset, end })
          this.#consume(end - this.#offset)
          this.#state = State.gap
          return true
        }
        case Effect.openBeforeRole:
          if (this.#isRoleOpen(at)) {
            this.#emitBody(at)
            return false
          }
          if (!this.#isRoleBehind()) break
          this.#emitBody(at)
          this.#steps.push({ kind: 'truncated', end: this.#offset, isLast: false })
          return this.#open(0, look - at)
        case Effect.literal:
          if (this.#isWithoutEndLiteral) break
          this.#emitBody(at)
          this.#held = ''
          this.#hold(look - at)
          this.#isInLiteral = true
          return true
        default:
      }
    }
    this.#emitBody(this.#certainBody())
    return false
  }

  // In a literal block, which is text like any other if the document ends without its end (D9).
  //
  //   print <|literal|><|end|><|endliteral|><|end|>
  //                    ^
  #readLiteral(): boolean {
    const marker = this.#framing.endLiteral ?? ''
    const at = this.#text.indexOf(marker)
    if (at !== -1) {
      const end = at + marker.length
      const text = this.#held + this.#text.slice(0, end)
      this.#consume(end)
      this.#steps.push({ kind: 'body', text, end: this.#offset })
    } else if (this.#isFinal) {
      this.#offset -= this.#held.length
      this.#text = this.#held + this.#text
      this.work += this.#text.length
      this.#isWithoutEndLiteral = true
    } else {
      this.#hold(Math.max(0, this.#text.length - marker.length + 1))
      return false
    }
    this.#held = ''
    this.#isInLiteral = false
    return true
  }

  /** The text ends here, and all of it is judged. */
  #finish(): void {
    const end = this.#offset
    if (this.#state === State.header)
      this.#steps.push({ kind: 'lost-header', text: this.#held, end, isLast: true })
    if (this.#state === State.body) this.#steps.push({ kind: 'truncated', end, isLast: true })
    this.#state = State.gap
  }

  /** Begins what the token that was found last begins; it is at `at`. */
  #open(at: number, length = this.#tokenEnd - at): true {
    this.#consume(at)
    this.#held = ''
    this.#hold(length)
    this.#state = stateBehind(this.#kind)
    return true
  }

  #closeHeader(end: number): true {
    this.#hold(end)
    this.#steps.push({ kind: 'header', text: this.#held, end: this.#offset })
    this.#held = ''
    this.#state = State.body
    return true
  }

  #cutHeader(): true {
    this.#hold(this.#tokenEnd)
    this.#steps.push({ kind: 'cut-header', text: this.#held, end: this.#offset })
    this.#held = ''
    this.#state = State.gap
    return true
  }

  #loseHeader(at: number): true {
    const length = this.#tokenEnd - at
    this.#hold(at)
    this.#steps.push({ kind: 'lost-header', text: this.#held, end: this.#offset, isLast: false })
    return this.#open(0, length)
  }

  #emitBody(end: number): void {
    if (end === 0) return
    const text = this.#text.slice(0, end)
    this.#consume(end)
    this.#steps.push({ kind: 'body', text, end: this.#offset })
  }

  /** How much of the text is body whatever follows: no half token, no `<` that may escape one, no half of a pair. */
  #certainBody(): number {
    const { length } = this.#text
    if (this.#isFinal) return length
    const safe = this.#safe
    if (safe < length) {
      const mayEscape = this.#framing.hasEscapes && safe > 0 && this.#text.charCodeAt(safe - 1) === lessThan
      return mayEscape ? safe - 1 : safe
    }
    return length > 0 && isHighSurrogate(this.#text.charCodeAt(length - 1)) ? length - 1 : length
  }

  /** What the token that was found last does. */
  #effect(): Effect {
    return effectOf(this.#state, this.#kind)
  }

  #isRoleBehind(): boolean {
    return knownRoleFollows(this.#text, this.#tokenEnd, this.#framing)
  }

  /** True if the word after the start token at `at` may go on in the next chunk. */
  #isRoleOpen(at: number): boolean {
    return !this.#isFinal && this.#text.length - at < roleLookahead
  }

  /** The first token at or after `from`; -1 if there is none, and then `#safe` is as far as that is certain. */
  #find(from: number): number {
    const text = this.#text
    const { matcher } = this.#framing
    for (let at = text.indexOf('<|', from); at !== -1; at = text.indexOf('<|', at + 2)) {
      const { kind, length } = matcher.tokenAtOpening(text, at)
      if (kind !== ControlKind.none) {
        this.#kind = kind
        this.#tokenEnd = at + length
        return at
      }
      if (!this.#isFinal && this.#mayBecomeToken(at)) {
        this.#safe = at
        return -1
      }
    }
    const isOpen = !this.#isFinal && text.endsWith('<')
    this.#safe = isOpen ? text.length - 1 : text.length
    return -1
  }

  #mayBecomeToken(at: number): boolean {
    if (this.#text.length - at >= this.#longestToken) return false
    const beginning = this.#text.slice(at)
    return this.#framing.tokens.some(({ text }) => text.startsWith(beginning))
  }

  /** Moves text to what is held. */
  #hold(end: number): void {
    this.#held += this.#text.slice(0, end)
    this.#consume(end)
  }

  #consume(end: number): void {
    this.#text = this.#text.slice(end)
    this.#offset += end
  }
}

const lessThan = 60

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
