/**
 * Reads the tokens of a message into a view: what each word of the header is, what is missing, and what is wrong.
 * It recovers as D16 says and gives each root cause one problem.
 */
import type { Span } from '../text/range.ts'
import { attributeOf, attributeOrder } from '../vocabulary/attributes.ts'
import { channelOf } from '../vocabulary/channels.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { isReplyRole, type Role, roleOf, rolePrefixOf } from '../vocabulary/roles.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import { openThoughts } from './body.ts'
import type { AttributeView, MarkedWordView, MessageView, WordView } from './message-view.ts'
import { keptOfEachKind, ProblemCollector } from './problem-collector.ts'
import type { Segment } from './segment.ts'
import type { SyntaxProblemKind } from './syntax-problem.ts'
import { TokenKind, type TokenRun } from './token-run.ts'

const noAttributes: readonly AttributeView[] = []
const none: readonly never[] = []

const mostAttributes = 10_000 // of a message; there are names for eight
const mostOtherWords = 1000 // of a message; one may have a meaning

/** Reads one message. The tokens are used only while {@link read} runs. */
export class MessageReader {
  readonly #text: string
  readonly #framing: Framing
  readonly #tokens: TokenRun
  readonly #literal: string | undefined
  readonly #mayHaveOpenLiteral: boolean
  #index = 0
  #from = 0
  #to = 0
  #kind: TokenKind = TokenKind.none
  #problems: ProblemCollector | undefined
  #attributes: AttributeView[] | undefined
  #seenAttributes = 0
  #hasBadChannel = false
  #hasWordBeforeChannel = false
  #roleWord: WordView | undefined
  #role: Role | undefined
  #channel: MarkedWordView | undefined
  #constraint: MarkedWordView | undefined
  #hasConflictingChannels = false
  #bareWords: WordView[] | undefined
  #hasWordBehindConstraint = false
  #otherWords: WordView[] | undefined
  #isPlainBody = true
  #hasMarkers = false

  constructor(segment: Segment, tokens: TokenRun) {
    this.#text = segment.text
    this.#framing = segment.framing
    this.#literal = segment.framing.tokens.find(({ kind }) => kind === ControlKind.literal)?.text
    this.#mayHaveOpenLiteral = segment.hasOpenLiteral
    this.#tokens = tokens
  }

  /** The view of the message. */
  read(): MessageView {
    this.#next()
    const start = this.#span()
    this.#next()
    const cutAt = this.#cutPosition()
    const leftOver = this.#readHeader(cutAt)
    let message: Span | undefined
    let body: Span | undefined
    if (this.#kind === TokenKind.message || this.#kind === TokenKind.headerEnd) {
      message = this.#span()
      this.#next()
      body = this.#readBody(message.to)
    } else if (cutAt !== undefined) {
      body = { from: leftOver ?? cutAt, to: cutAt }
      while (this.#from < cutAt) this.#next()
    }
    let terminator: MessageView['terminator']
    let end = this.#from
    if (isTerminator(this.#kind as ControlKind)) {
      terminator = { kind: this.#kind as ControlKind, span: this.#span() }
      end = this.#to
      this.#next()
      if (this.#kind === TokenKind.end) {
        end = this.#to
        this.#next()
      }
    } else if (message === undefined) {
      end = this.#text.length
      while (end > start.to && this.#text.charCodeAt(end - 1) <= 32) end--
    }
    if (cutAt !== undefined) {
      this.#problems = undefined // one root cause: the header was cut (D16)
      this.#report('cut-header', this.#cutSpan(start, leftOver, cutAt))
    } else if (message !== undefined) {
      this.#judgeBareWords()
      this.#judgeRole(start)
    } else {
      this.#problems = undefined // one root cause: the header is unfinished
    }
    if (message !== undefined && this.#framing.headerEnd === 'line-break') this.#judgeThoughts()
    const stray = this.#readStray()
    return {
      start,
      roleWord: this.#roleWord,
      role: this.#role,
      attributes: this.#attributes ?? noAttributes,
      channel: this.#channel,
      hasConflictingChannels: this.#hasConflictingChannels,
      constraint: this.#constraint,
      bareContentType: this.#bareContentType(),
      otherWords: this.#otherWords ?? none,
      message,
      body,
      isPlainBody: this.#isPlainBody,
      hasMarkers: this.#hasMarkers,
      terminator,
      isCut: cutAt !== undefined,
      end,
      stray,
      problems: this.#problems?.problems ?? none,
      surplus: this.#problems?.surplus ?? none,
    }
  }

  /** Offset of the terminator that ends the header before `<|message|>`, if one does. */
  #cutPosition(): number | undefined {
    const { kinds, ends, count } = this.#tokens
    for (let index = 1; index < count; index++) {
      const kind = kinds[index] as TokenKind
      if (kind === TokenKind.message || kind === TokenKind.headerEnd) return undefined
      if (isTerminator(kind as ControlKind)) return ends[index - 1] ?? 0
    }
    return undefined
  }

  /** Reads header parts; in a cut header, returns where the left-over text begins. */
  #readHeader(cutAt: number | undefined): number | undefined {
    const isCut = cutAt !== undefined
    let section: TokenKind = TokenKind.start
    while (this.#index <= this.#tokens.count) {
      switch (this.#kind) {
        case TokenKind.blank:
          if (this.#isBlankBehindMarker(section)) this.#report('space-after-token', this.#span())
          break
        case TokenKind.role: {
          const leftOver = this.#readRole(isCut)
          if (leftOver !== undefined) return leftOver
          break
        }
        case TokenKind.attributeName:
          this.#readAttribute(section)
          continue
        case TokenKind.channel:
        case TokenKind.constrain:
          section = this.#kind
          this.#readMarked(section)
          continue
        case TokenKind.word:
        case TokenKind.channelName:
        case TokenKind.constraintName:
          if (isCut) return this.#from
          this.#readBareWord(section)
          break
        case TokenKind.strayToken:
          if (isCut) return this.#from
          this.#report('token-in-header', this.#span())
          this.#addOtherWord(this.#word())
          break
        default:
          return undefined
      }
      this.#next()
    }
    return undefined
  }

  #readRole(isCut: boolean): number | undefined {
    const word = this.#word()
    this.#roleWord = word
    this.#role = this.#roleOf(word.text)
    if (this.#role !== undefined || !isCut) return undefined
    // <|start|>assistantWe must refuse.<|end|>
    //          ^ role    ^ left-over
    const prefix = rolePrefixOf(word.text)
    if (prefix === undefined || !this.#framing.roles.includes(prefix)) return undefined
    const span = { from: word.span.from, to: word.span.from + prefix.length }
    this.#roleWord = { text: prefix, span }
    this.#role = prefix
    return span.to
  }

  #roleOf(word: string): Role | undefined {
    if (this.#framing.name === 'harmony' && word.includes(':')) {
      return this.#roleOf(word.slice(0, word.indexOf(':')))
    }
    const role = roleOf(word)
    if (role === undefined || !this.#framing.roles.includes(role)) return undefined
    return this.#framing.headerEnd === 'line-break' && isReplyRole(word) ? undefined : role
  }

  #readAttribute(section: TokenKind): void {
    const name = this.#word()
    this.#next()
    const equals = this.#span()
    this.#next()
    let value: WordView | undefined
    if (this.#kind === TokenKind.attributeValue) {
      value = this.#word()
      this.#next()
    }
    const isBehindChannel = section !== TokenKind.start
    const known = attributeOf(name.text)
    const bit =
      known && this.#framing.attributes.includes(known.name) ? 1 << attributeOrder.indexOf(known.name) : 0
    const isFirst = (this.#seenAttributes & bit) === 0
    if (bit === 0) this.#report('unknown-attribute', name.span)
    else if (!isFirst) this.#report('duplicate-attribute', wholeOfAttribute(name, value, equals))
    else if (value === undefined) this.#report('empty-attribute', wholeOfAttribute(name, value, equals))
    else if (isBehindChannel && !known?.mayFollowChannel)
      this.#report('late-attribute', wholeOfAttribute(name, value, equals))
    this.#seenAttributes |= bit
    this.#attributes ??= []
    if ((bit === 0 || !isFirst) && this.#attributes.length >= mostAttributes) return // reported all the same
    this.#attributes.push({ name, value, isBehindChannel })
  }

  #readMarked(section: TokenKind): void {
    const marker = this.#span()
    const isChannel = section === TokenKind.channel
    this.#next()
    if (this.#kind === TokenKind.blank && this.#isWordNext(section)) {
      this.#report('space-after-token', this.#span())
      this.#next()
    }
    let value: WordView | undefined
    if (this.#kind === (isChannel ? TokenKind.channelName : TokenKind.constraintName)) {
      value = this.#word()
      this.#next()
    }
    if (isChannel) this.#addChannel({ marker, value })
    else this.#addConstraint({ marker, value })
  }

  #addChannel(channel: MarkedWordView): void {
    if (this.#channel) {
      const isSame = channel.value?.text === this.#channel.value?.text
      if (!isSame) this.#hasConflictingChannels = true
      if (this.#hasBadChannel) return // one root cause: a word that is not a channel is in its place
      this.#report('repeated-channel', wholeOf(channel))
      return
    }
    this.#channel = channel
    this.#hasBadChannel = channel.value === undefined || channelOf(channel.value.text) === undefined
    if (channel.value === undefined) this.#report('empty-channel', channel.marker)
    else if (this.#hasBadChannel) this.#report('unknown-channel', channel.value.span)
  }

  #addConstraint(constraint: MarkedWordView): void {
    if (this.#constraint) {
      this.#report('repeated-constraint', wholeOf(constraint))
      return
    }
    this.#constraint = constraint
    if (constraint.value === undefined) this.#report('empty-constraint', constraint.marker)
    else if (this.#isChannelAhead()) this.#report('early-constraint', wholeOf(constraint))
  }

  #isChannelAhead(): boolean {
    if (this.#channel) return false
    const { kinds, count } = this.#tokens
    for (let index = this.#index - 1; index < count; index++) {
      const kind = kinds[index]
      if (kind === TokenKind.channel) return true
      if (kind === TokenKind.message) return false
    }
    return false
  }

  #readBareWord(section: TokenKind): void {
    const word = this.#word()
    this.#addOtherWord(word)
    if (section === TokenKind.start) {
      if (!this.#hasWordBeforeChannel) this.#report('word-before-channel', word.span)
      this.#hasWordBeforeChannel = true
      return
    }
    this.#bareWords ??= []
    this.#bareWords.push(word)
    if (section === TokenKind.constrain) this.#hasWordBehindConstraint = true
  }

  #addOtherWord(word: WordView): void {
    this.#otherWords ??= []
    if (this.#otherWords.length < mostOtherWords) this.#otherWords.push(word)
  }

  #bareContentType(): WordView | undefined {
    return this.#bareWords?.length === 1 && !this.#hasWordBehindConstraint ? this.#bareWords[0] : undefined
  }

  /** One bare word after the channel is a content type; more are a mistake, of which the first is shown (D7). */
  #judgeBareWords(): void {
    const first = this.#bareWords?.[0]
    if (!first || !this.#bareWords) return
    if (this.#bareWords.length > 1 || this.#hasWordBehindConstraint) this.#report('extra-word', first.span)
    else if (!this.#attributes?.some((it) => it.name.text === 'to'))
      this.#report('bare-content-type', first.span)
  }

  #judgeRole(start: Span): void {
    if (this.#role !== undefined) return
    if (this.#roleWord === undefined) this.#report('missing-role', start)
    else this.#report('unknown-role', this.#roleWord.span)
  }

  /** A block of thought that nothing closes is private up to the end of the message (D3). */
  #judgeThoughts(): void {
    for (const span of openThoughts(this.#text, this.#tokens)) this.#report('open-thought', span)
  }

  /** Reads the body up to its terminator: a loop over the tokens alone, because a body can have a million of them. */
  #readBody(from: number): Span {
    const { kinds, ends, count } = this.#tokens
    let to = this.#from
    let index = this.#index - 1
    let nStray = 0
    let nOthers = 0
    let others: Span | undefined
    for (; index < count; index++) {
      const kind = kinds[index] as TokenKind
      const end = ends[index] as number
      if (kind !== TokenKind.text) {
        if (isTerminator(kind as ControlKind)) break
        this.#isPlainBody = false
        if (kind >= TokenKind.thoughtStart && kind <= TokenKind.functionOutput) this.#hasMarkers = true
        else if (kind === TokenKind.strayToken) {
          if (this.#mayHaveOpenLiteral && this.#isLiteral(to, end)) this.#reportAt('open-literal', to, end)
          else if (nStray < keptOfEachKind) {
            nStray++
            this.#reportAt('token-in-body', to, end)
          } else if (nOthers++ === 0) others = { from: to, to: end }
        }
      }
      to = end
    }
    if (others) this.#problems?.count('token-in-body', nOthers, others)
    this.#index = index
    this.#to = to
    this.#next()
    return { from, to }
  }

  #isLiteral(from: number, to: number): boolean {
    return to - from === this.#literal?.length && this.#text.startsWith(this.#literal, from)
  }

  #readStray(): Span | undefined {
    let from: number | undefined
    let to = 0
    while (this.#index <= this.#tokens.count) {
      if (this.#kind === TokenKind.stray || this.#kind === TokenKind.strayToken) {
        from ??= this.#from
        to = this.#to
      }
      this.#next()
    }
    if (from === undefined) return undefined
    const stray = { from, to }
    this.#report('stray-text', stray)
    return stray
  }

  /** What to mark in a cut header: the word that should not be there, else the place where the message token is missing. */
  #cutSpan(start: Span, leftOver: number | undefined, cutAt: number): Span {
    if (leftOver === undefined) return { from: start.from, to: cutAt }
    let to = leftOver
    while (to < cutAt && this.#text.charCodeAt(to) > 32) to++
    if (to > leftOver) return { from: leftOver, to }
    return { from: start.from, to: leftOver }
  }

  #isBlankBehindMarker(section: TokenKind): boolean {
    return section === TokenKind.start && this.#roleWord === undefined && this.#isWordNext(section)
  }

  #isWordNext(section: TokenKind): boolean {
    const next = this.#tokens.kinds[this.#index]
    if (this.#index >= this.#tokens.count) return false
    if (section === TokenKind.start) return next === TokenKind.role
    return next === (section === TokenKind.channel ? TokenKind.channelName : TokenKind.constraintName)
  }

  /** Moves to the next token; after the last one the kind is `none`. */
  #next(): void {
    this.#from = this.#to
    if (this.#index < this.#tokens.count) {
      this.#kind = this.#tokens.kinds[this.#index] as TokenKind
      this.#to = this.#tokens.ends[this.#index] ?? this.#to
    } else {
      this.#kind = TokenKind.none
    }
    this.#index++
  }

  #span(): Span {
    return { from: this.#from, to: this.#to }
  }

  #word(): WordView {
    return { text: this.#text.slice(this.#from, this.#to), span: this.#span() }
  }

  #report(kind: SyntaxProblemKind, { from, to }: Span): void {
    this.#reportAt(kind, from, to)
  }

  /** As {@link #report}, without an object for a place that may only be counted. */
  #reportAt(kind: SyntaxProblemKind, from: number, to: number): void {
    this.#problems ??= new ProblemCollector()
    this.#problems.add(kind, from, to)
  }
}

function wholeOfAttribute(name: WordView, value: WordView | undefined, equals: Span): Span {
  return { from: name.span.from, to: value?.span.to ?? equals.to }
}

function wholeOf({ marker, value }: MarkedWordView): Span {
  return { from: marker.from, to: value?.span.to ?? marker.to }
}
