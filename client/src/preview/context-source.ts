/**
 * What a model would be sent next, message by message, with its tokens: for the context view only. What is sent is decided by
 * {@link NextPrompt}. Texts are counted somewhere else, and what is read for that is read in slices.
 */
import {
  type Analysis,
  type Document,
  type DocumentSettings,
  factsOf,
  type HarmonyPiece,
  type Located,
  localize,
  NextPrompt,
  type ParseOptions,
  type PromptFate,
  type PromptMessage,
  type Segment,
} from '../../../core/src/internal.ts'
import type { ContextTotals } from './preview-protocol.ts'
import type { MessageSource } from './preview-session.ts'
import { type MessageKind, TranscriptSource } from './transcript-source.ts'

/** Counts tokens of ordinary texts; `undefined` where they can't be counted. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[] | undefined>

/** A message of the prompt, and how many tokens it has as far as that is known. */
export interface CountedMessage {
  readonly message: PromptMessage
  readonly tokens: number | undefined
}

/** What a message of a transcript is in the prompt. */
export interface PromptEntry {
  /** `start` for what asks for the next message, `nothing` for what is not a message. */
  readonly kind: 'messages' | 'start' | 'nothing'
  readonly author: string
  readonly messages: readonly CountedMessage[]
  /** Of a `start`. */
  readonly tokens?: number
}

/** Reads documents for the context view. */
export function parserForContext(
  count: CountTexts,
): (text: string, options: ParseOptions, touch: () => void) => MessageSource<PromptEntry> {
  return (text, options, touch) => new TranscriptSource(text, options, new PromptKind(count, touch))
}

/** How long the extension host may be busy at once, in milliseconds. */
const slice = 8

/** How much text is counted at once, in UTF-16 code units. */
const batchLength = 65_536

/** How many messages are looked at at once. */
const messagesAtMost = 1024

/** When to ask again where tokens could not be counted: the server may be starting. In milliseconds, one after the other. */
const patience = [500, 2000, 8000]

/** How often counts that arrive are shown, in milliseconds. */
const noticeTime = 150

interface Counts {
  readonly settings: DocumentSettings
  readonly isLast: boolean
  /** Tokens of each message. */
  readonly tokens: readonly number[]
}

class PromptKind implements MessageKind<PromptEntry> {
  readonly hasPrompt = true
  readonly #count: CountTexts
  readonly #touch: () => void
  readonly #counts = new WeakMap<Segment, Counts>()
  #prompt: NextPrompt | undefined
  #startTokens: number | undefined
  #totals: ContextTotals | undefined
  /** Counts edits: a count for an older one stops. */
  #generation = 0
  #lastNotice = 0
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(count: CountTexts, touch: () => void) {
    this.#count = count
    this.#touch = touch
  }

  includes({ kind }: Segment): boolean {
    return kind !== 'preamble'
  }

  read(analysis: Analysis, located: Located): PromptEntry | undefined {
    const prompt = this.#promptOf(analysis)
    const messages = prompt.messagesOf(located)
    const tokens = this.#known(analysis, located.segment)?.tokens
    const facts = factsOf(located.segment)
    const isStart = located.segment === analysis.lastSegment && facts?.isPrompt === true
    return {
      kind: isStart ? 'start' : messages.length === 0 ? 'nothing' : 'messages',
      author: messages[0]?.author ?? facts?.roleWord ?? localize`no role`,
      messages: messages.map((message, index) => ({ message, tokens: tokens?.[index] })),
      ...(isStart && this.#startTokens !== undefined && { tokens: this.#startTokens }),
    }
  }

  partnerOf(analysis: Analysis, segment: Segment): Segment | undefined {
    return analysis.exchanges.exchange(segment)?.partner
  }

  get summary(): ContextTotals | undefined {
    return this.#totals
  }

  changed({ analysis }: Document): void {
    this.#prompt = undefined
    this.#failures = 0
    this.dispose()
    void this.#countAll(analysis, this.#generation)
  }

  dispose(): void {
    this.#generation++
    clearTimeout(this.#retry)
  }

  #promptOf(analysis: Analysis): NextPrompt {
    this.#prompt ??= new NextPrompt(analysis)
    return this.#prompt
  }

  #known(analysis: Analysis, segment: Segment): Counts | undefined {
    const known = this.#counts.get(segment)
    const isSame =
      known?.settings === analysis.settings && known.isLast === (segment === analysis.lastSegment)
    return isSame ? known : undefined
  }

  /** Counts what is not known yet, from the start of the document on, and adds everything up. */
  async #countAll(analysis: Analysis, generation: number): Promise<void> {
    const isOutdated = () => generation !== this.#generation
    await pause()
    if (isOutdated()) return
    const { transcript } = analysis
    const sums = new Sums()
    const start = await this.#countPieces([this.#promptOf(analysis).start])
    if (isOutdated()) return
    if (!start) return this.#fail(analysis, sums)
    this.#startTokens = start[0] ?? 0
    sums.add('sent', this.#startTokens, 0)
    for (let index = 0; index < transcript.segmentCount; ) {
      const end = this.#endOfBatch(analysis, index)
      const isCounted = await this.#countBatch(analysis, index, end)
      if (isOutdated()) return
      if (!isCounted) return this.#fail(analysis, sums)
      for (; index < end; index++) this.#addUp(analysis, transcript.segment(index), sums)
      const progress = index / transcript.segmentCount
      if (performance.now() - this.#lastNotice > noticeTime) {
        this.#tell(analysis, { ...sums.totals, state: 'counting', progress })
      }
      await pause()
      if (isOutdated()) return
    }
    this.#failures = 0
    this.#tell(analysis, { ...sums.totals, state: 'done' })
  }

  #fail(analysis: Analysis, sums: Sums): void {
    this.#tell(analysis, { ...sums.totals, state: 'failed' })
    const wait = patience[this.#failures++]
    if (wait === undefined) return
    const generation = this.#generation
    this.#retry = setTimeout(() => void this.#countAll(analysis, generation), wait)
  }

  /** Index after the segments that may be read at once. */
  #endOfBatch({ transcript }: Analysis, from: number): number {
    let length = 0
    let index = from
    while (index < transcript.segmentCount && length < batchLength && index - from < messagesAtMost) {
      length += transcript.segment(index).segment.length
      index++
    }
    return index
  }

  async #countBatch(analysis: Analysis, from: number, end: number): Promise<boolean> {
    const generation = this.#generation
    const fresh: {
      readonly segment: Segment
      readonly size: number
      readonly counts: Omit<Counts, 'tokens'>
    }[] = []
    const pieces: (readonly HarmonyPiece[])[] = []
    let begun = performance.now()
    for (let index = from; index < end; index++) {
      const located = analysis.transcript.segment(index)
      if (this.#known(analysis, located.segment)) continue
      const messages = this.#promptOf(analysis).messagesOf(located)
      const { segment } = located
      const counts = { settings: analysis.settings, isLast: segment === analysis.lastSegment }
      fresh.push({ segment, size: messages.length, counts })
      for (const message of messages) pieces.push(message.pieces)
      if (performance.now() - begun < slice) continue
      await pause()
      if (generation !== this.#generation) return true
      begun = performance.now()
    }
    if (fresh.length === 0) return true
    const tokens = await this.#countPieces(pieces)
    if (!tokens) return false
    // What was edited meanwhile is another segment by now, so that these counts hold.
    let at = 0
    for (const { segment, size, counts } of fresh) {
      this.#counts.set(segment, { ...counts, tokens: tokens.slice(at, at + size) })
      at += size
    }
    return true
  }

  /** The tokens of each list of pieces: special tokens are one each, texts are encoded one by one. */
  async #countPieces(lists: readonly (readonly HarmonyPiece[])[]): Promise<number[] | undefined> {
    const texts = lists.flatMap((pieces) => pieces.filter((it) => !it.isSpecial).map((it) => it.text))
    const counts = texts.length === 0 ? [] : await this.#count(texts)
    if (!counts) return undefined
    let at = 0
    return lists.map((pieces) =>
      pieces.reduce((sum, { isSpecial }) => sum + (isSpecial ? 1 : (counts[at++] ?? 0)), 0),
    )
  }

  #addUp(analysis: Analysis, located: Located, sums: Sums): void {
    const tokens = this.#known(analysis, located.segment)?.tokens ?? []
    this.#promptOf(analysis)
      .fatesOf(located)
      .forEach((fate, index) => {
        sums.add(fate, tokens[index] ?? 0, 1)
      })
  }

  #tell({ settings }: Analysis, totals: ContextTotals): void {
    this.#totals = settings.inputs === undefined ? totals : { ...totals, isTemplate: true }
    this.#lastNotice = performance.now()
    this.#touch()
  }
}

/** Adds up what is sent and what is dropped. */
class Sums {
  #sent = 0
  #dropped = 0
  #sentMessages = 0
  #droppedMessages = 0

  add(fate: PromptFate, tokens: number, messages: number): void {
    if (fate === 'dropped') {
      this.#dropped += tokens
      this.#droppedMessages += messages
    } else {
      this.#sent += tokens
      this.#sentMessages += messages
    }
  }

  get totals() {
    return {
      sent: this.#sent,
      dropped: this.#dropped,
      sentMessages: this.#sentMessages,
      droppedMessages: this.#droppedMessages,
    }
  }
}

/** Lets others have their turn. */
function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0))
}
