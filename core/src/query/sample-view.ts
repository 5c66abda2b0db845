/** What a query and the columns see of a sample. Nothing is computed before something asks for it. */
import {
  type Conversation,
  type ConversationMessage,
  isCallMessage,
  textOf,
} from '../conversation/conversation.ts'
import { hiddenTextOf, shownTextOf } from '../conversation/message-visibility.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import type { Range } from '../text/range.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { roleOf } from '../vocabulary/roles.ts'

/** What a text of a sample is. Only `user` and `assistant` are texts that users see. */
export type TextKind = 'user' | 'assistant' | 'system' | 'developer' | 'tool' | 'reasoning' | 'call'

/** A text of a sample. */
export interface SampleText {
  readonly kind: TextKind
  /** Of the message in the conversation, from 0. */
  readonly message: number
  readonly text: string
  readonly isHidden: boolean
}

/** What a reviewer said about a sample (S9). */
export interface SampleReview {
  readonly decision: string | undefined
  readonly labels: readonly string[]
  readonly notes: number
  /** The notes themselves. */
  readonly noteTexts: readonly string[]
  /** Who decided on it, without people that have no name. */
  readonly reviewers: readonly string[]
  /** True if the sample changed after it was decided on. */
  readonly isStale: boolean
}

/** A problem, as far as queries and columns are concerned. */
export interface SampleProblem {
  readonly code: string
  readonly rule: string
  readonly severity: string
  /** What is wrong, to be shown. */
  readonly message?: string
  /** Where it is in the transcript of the sample, if it is there. */
  readonly range?: Range
}

/** Where what is known of a sample comes from. Each is called at most once. */
export interface SampleSource {
  /** The line from 1, or the element of a list or the row of a table from 0. */
  readonly place: number
  /** The form by its name, or `broken` for a sample that cannot be read. */
  readonly form: string
  /** The sample; undefined if it is not JSON. */
  readonly value: JsonValue | undefined
  /** How a user says that its columns are called. */
  readonly mapping: DatasetMapping | undefined
  /** The text of the sample, for one that is not JSON. */
  readonly source: string
  /** The names of the branches, if there are several (S11). */
  readonly branches: readonly string[]
  /** All branches of the sample, each with the prompt before it; none if it is broken. */
  conversations(): readonly Conversation[]
  problems(): readonly SampleProblem[]
  /** Undefined if nothing counts tokens. */
  tokens(): number | undefined
  /** The tokens that count in the loss; undefined if no template is chosen, or if it refuses the sample. */
  trained(): number | undefined
  review(): SampleReview | undefined
}

/** A sample as queries and columns see it. */
export class SampleView {
  readonly #source: SampleSource
  #conversations: readonly Conversation[] | undefined
  #texts: readonly SampleText[] | undefined
  #problems: readonly SampleProblem[] | undefined
  #tokens: { readonly count: number | undefined } | undefined
  #trained: { readonly count: number | undefined } | undefined
  #review: { readonly review: SampleReview | undefined } | undefined

  constructor(source: SampleSource) {
    this.#source = source
  }

  get place(): number {
    return this.#source.place
  }

  get form(): string {
    return this.#source.form
  }

  get value(): JsonValue | undefined {
    return this.#source.value
  }

  get mapping(): DatasetMapping | undefined {
    return this.#source.mapping
  }

  /** The JSON of the sample, or what is in the place of it. */
  get source(): string {
    return this.#source.source
  }

  get branches(): readonly string[] {
    return this.#source.branches
  }

  get conversations(): readonly Conversation[] {
    this.#conversations ??= this.#source.conversations()
    return this.#conversations
  }

  /** The messages of the conversation, or of the first branch. */
  get messages(): readonly ConversationMessage[] {
    return this.conversations[0]?.messages ?? []
  }

  /** The texts of all branches in their order; what branches share is there once. */
  get texts(): readonly SampleText[] {
    this.#texts ??= [...textsOf(this.conversations)]
    return this.#texts
  }

  get problems(): readonly SampleProblem[] {
    this.#problems ??= this.#source.problems()
    return this.#problems
  }

  get tokens(): number | undefined {
    this.#tokens ??= { count: this.#source.tokens() }
    return this.#tokens.count
  }

  get trained(): number | undefined {
    this.#trained ??= { count: this.#source.trained() }
    return this.#trained.count
  }

  get review(): SampleReview | undefined {
    this.#review ??= { review: this.#source.review() }
    return this.#review.review
  }

  /** True if any text of the sample, in its conversation or in another field, meets `condition`. */
  someText(condition: (text: string) => boolean): boolean {
    const { value, source } = this.#source
    if (value === undefined) return condition(source)
    return someString(value, condition) || this.texts.some(({ text }) => condition(text))
  }
}

/** Columns hold strings in strings, and lists in lists, but no sample nests them without end. */
function someString(value: JsonValue, condition: (text: string) => boolean): boolean {
  const open: JsonValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') {
      if (condition(next)) return true
    } else if (typeof next === 'object' && next !== null) {
      for (const it of Object.values(next)) if (it !== null && it !== undefined) open.push(it)
    }
  }
  return false
}

function* textsOf(conversations: readonly Conversation[]): IterableIterator<SampleText> {
  const [first, ...others] = conversations
  if (first === undefined) return
  for (const [index, message] of first.messages.entries()) yield* textsOfMessage(message, index)
  for (const { messages } of others) {
    const shared = messages.findIndex((it, index) => !isSameMessage(it, first.messages[index]))
    const from = shared < 0 ? messages.length : shared
    for (const [index, message] of messages.slice(from).entries())
      yield* textsOfMessage(message, from + index)
  }
}

function isSameMessage(one: ConversationMessage, other: ConversationMessage | undefined): boolean {
  if (other === undefined) return false
  return (
    one === other ||
    (one.role === other.role && one.channel === other.channel && textOf(one) === textOf(other))
  )
}

function* textsOfMessage(message: ConversationMessage, index: number): IterableIterator<SampleText> {
  const role = roleOf(message.role)
  if (isCallMessage(message)) {
    yield { kind: 'call', message: index, text: textOf(message), isHidden: true }
    return
  }
  if (role === 'system' || role === 'developer' || role === 'tool') {
    yield { kind: role, message: index, text: textOf(message), isHidden: true }
    return
  }
  const shown = shownTextOf(message)
  const hidden = hiddenTextOf(message)
  if (hidden !== '') {
    const kind = role === 'user' ? 'user' : 'reasoning'
    yield { kind, message: index, text: hidden, isHidden: true }
  }
  if (shown !== undefined && role !== undefined)
    yield { kind: role, message: index, text: shown, isHidden: false }
}
