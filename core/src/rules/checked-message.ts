/** What rules get of the message that they check. What not every rule needs is computed on demand. */
import type { Analysis } from '../semantics/analysis.ts'
import type { Exchange } from '../semantics/exchange-index.ts'
import { factsOf, type MessageFacts } from '../semantics/message-facts.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Intent } from '../vocabulary/intents.ts'
import type { ReferenceMessages } from './reference-messages.ts'
import type { ExchangeContext, MessageContext, SampleTraits } from './rule.ts'
import { unseenBefore } from './unseen-before.ts'

/** What the checks of all messages of a document share. */
export interface CheckContext {
  readonly analysis: Analysis
  readonly references: ReferenceMessages
  readonly intent: Intent | undefined
  readonly sample: SampleTraits | undefined
}

/** A message under check. Always of one shape, also without an exchange: rules read it by the million. */
export class CheckedMessage implements MessageContext {
  readonly segment: Segment
  readonly facts: MessageFacts
  readonly analysis: Analysis
  readonly intent: Intent | undefined
  readonly sample: SampleTraits | undefined
  /** Undefined if the message is neither a call nor a reply. */
  readonly exchange: Exchange | undefined
  readonly turnMovedOn: boolean
  readonly #references: ReferenceMessages
  readonly #index: number | undefined
  #hasUnusualCharacters: boolean | undefined
  #view: MessageView | undefined

  /** `index` is where the segment is, if that is known already. */
  constructor(segment: Segment, facts: MessageFacts, index: number | undefined, context: CheckContext) {
    this.segment = segment
    this.facts = facts
    this.analysis = context.analysis
    this.intent = context.intent
    this.sample = context.sample
    this.#index = index
    this.#references = context.references
    const mayTakePart = facts.role === 'tool' || facts.to !== undefined
    this.exchange = mayTakePart ? this.analysis.exchanges.exchange(segment) : undefined
    const isCall = this.exchange?.kind === 'call'
    this.turnMovedOn = isCall && this.#references.hasTurnMovedOn(segment, !this.exchange.partner)
    this.#hasUnusualCharacters = undefined
    this.#view = undefined
  }

  get isLast(): boolean {
    return this.segment === this.#references.last
  }

  get followsUser(): boolean {
    return this.#references.isBehindFirstUser(this.segment)
  }

  get unseenBefore(): readonly Segment[] {
    const index = this.#index ?? this.analysis.transcript.locate(this.segment)?.index
    return index === undefined ? [] : unseenBefore(this.analysis, index)
  }

  get previous(): MessageFacts | undefined {
    const { transcript } = this.analysis
    const index = this.#index ?? transcript.locate(this.segment)?.index ?? 0
    return index > 0 ? factsOf(transcript.segment(index - 1).segment) : undefined
  }

  get hasUnusualCharacters(): boolean {
    this.#hasUnusualCharacters ??= unusual.test(this.segment.text)
    return this.#hasUnusualCharacters
  }

  get view(): MessageView {
    this.#view ??= viewMessage(this.segment)
    return this.#view
  }

  /** True for what rules on calls and replies look at. */
  isInExchange(): this is ExchangeContext {
    return this.exchange !== undefined
  }
}

/** One range of characters, which is the fastest search: everything above the scripts of Europe. */
const unusual = /[\u200b-\uffff]/
