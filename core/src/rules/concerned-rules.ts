/**
 * Which rules a message concerns, by the shape of its facts: decided once per shape, because most rules are about few messages.
 * Decided per message, the row "Full parse and every rule" of `npm run bench` would be 14 % slower.
 */
import { shapeOf } from '../semantics/facts-shape.ts'
import type { MessageFacts } from '../semantics/message-facts.ts'
import type { Conditions, MessageRule } from './rule.ts'

/** The rules on messages of one document. */
export class ConcernedRules {
  readonly #rules: readonly MessageRule[]
  readonly #document: Conditions
  readonly #byShape = new Map<number, readonly MessageRule[]>()

  constructor(rules: readonly MessageRule[], document: Conditions) {
    this.#rules = rules
    this.#document = document
  }

  /** The rules that have something to say about messages with such facts. */
  rulesFor(facts: MessageFacts): readonly MessageRule[] {
    const shape = shapeOf(facts)
    const known = this.#byShape.get(shape)
    if (known) return known
    const rules = this.#rules.filter((rule) => rule.concerns?.(facts, this.#document) ?? true)
    if (this.#byShape.size >= mostShapes) this.#byShape.clear()
    this.#byShape.set(shape, rules)
    return rules
  }
}

const mostShapes = 1024 // documents have a dozen; a text made for it could have thousands
