/**
 * What users see of one body that arrives in pieces. The reader of whole bodies reads these pieces too, and remembers between
 * them which private blocks are open.
 */
import { beginsAsArguments } from '../semantics/parted-body.ts'
import { BodyReader, isPrivatePiece } from '../syntax/body.ts'
import { messageSegment } from '../syntax/message-segment.ts'
import { TokenBuffer } from '../syntax/token-run.ts'
import { tokenize } from '../syntax/tokenize.ts'
import type { Framing } from '../vocabulary/framing.ts'
import type { Role } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

/** What becomes of the text that is not yet released. */
type Stage =
  /** Nothing but white space so far: a message of private blocks and white space is hidden. */
  | 'leading'
  /** An object that the assistant wrote: arguments of a call, if the message ends as one does (D11). */
  | 'arguments'
  | 'released'

/** Collects and releases the visible text of one message. */
export class VisibleBody {
  readonly #framing: Framing
  readonly #role: Role | undefined
  readonly #mayBeArguments: boolean
  readonly #header: string
  #stage: Stage = 'leading'
  #held = ''
  readonly #reader = new BodyReader()
  #hasPrivate = false
  /** UTF-16 code units looked at: the cost, for tests. */
  work = 0

  constructor(framing: Framing, role: Role | undefined) {
    this.#framing = framing
    this.#role = role
    this.#mayBeArguments = role === 'assistant' && framing.headerEnd === 'message-token'
    this.#header = emptyHeader(framing)
  }

  /** Takes the next piece of the source; the visible text that is certain now. */
  add(source: string): string {
    const text = this.#visibleIn(source)
    if (this.#stage === 'released' || text === '') return text
    this.#held += text
    if (this.#stage === 'arguments' || text.trim() === '') return ''
    this.#stage = this.#mayBeArguments && beginsAsArguments(text) ? 'arguments' : 'released'
    return this.#stage === 'released' ? this.#release() : ''
  }

  /** The body ends: the rest of the visible text, or undefined if the whole message turns out to be hidden. */
  end(terminator: ControlKind): string | undefined {
    if (this.#stage === 'leading' && this.#hasPrivate) return undefined
    if (this.#stage === 'arguments' && terminator === ControlKind.call) return undefined
    return this.#release()
  }

  #release(): string {
    const text = this.#held
    this.#held = ''
    return text
  }

  #visibleIn(source: string): string {
    if (!source.includes('<|')) {
      this.work += source.length
      const { openKind } = this.#reader
      return openKind !== undefined && isPrivatePiece(openKind, this.#role) ? '' : source
    }
    const text = this.#header + source
    this.work += text.length
    tokenize(messageSegment(text, this.#framing), tokens)
    const visible: string[] = []
    for (const piece of this.#reader.read(text, tokens)) {
      if (isPrivatePiece(piece.kind, this.#role)) this.#hasPrivate = true
      else visible.push(piece.text)
    }
    return visible.join('')
  }
}

const tokens = new TokenBuffer() // reused: pieces are read one at a time

/** A header that says nothing, so that a piece of a body can be read as the body of a message. */
function emptyHeader({ tokens, headerEnd }: Framing): string {
  const spelling = (kind: ControlKind) => tokens.find((it) => it.kind === kind)?.text ?? ''
  const end = headerEnd === 'message-token' ? spelling(ControlKind.message) : '\n'
  return spelling(ControlKind.start) + end
}
