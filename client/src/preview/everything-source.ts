/** Every message of a transcript, hidden ones included, with the reason why they are hidden: for *Everything* and exports. */
import {
  type Analysis,
  allSides,
  type ConflictSide,
  type Document,
  editableText,
  factsOf,
  type HiddenReason,
  hiddenReason,
  isPrivatePiece,
  kindOf,
  type Located,
  localize,
  type MessageFacts,
  type MessageSide,
  messageSide,
  type ParseOptions,
  renderedBody,
  renderedPieces,
  type SampleMetadata,
  type Segment,
  type SegmentConflicts,
  toolNameOf,
  type VisibleMessage,
  visibleMessageOf,
  whyHidden,
  withoutFunctionPrefix,
} from '../../../core/src/internal.ts'
import { groupOf, isHiddenByError } from './message-group.ts'
import type {
  EverythingCounts,
  EverythingGroup,
  EverythingProblem,
  EverythingReason,
} from './preview-protocol.ts'
import type { MessageSource } from './preview-session.ts'
import { type MessageKind, TranscriptSource } from './transcript-source.ts'

/** A message that users see, with what is cut out of it. */
export interface SeenMessage {
  readonly kind: 'visible'
  readonly message: VisibleMessage
  readonly privateText: string
}

/** A message that users do not see. */
export interface HiddenMessage {
  readonly kind: 'hidden'
  readonly role: string
  readonly labels: readonly string[]
  readonly text: string
  /** The same by the sides of merge conflicts, without their markers; absent without conflicts. */
  readonly sides?: readonly MessageSide[]
  readonly group: 'reasoning' | 'instructions' | undefined
  /** Set if the text can be edited in its source only. */
  readonly isSourceOnly?: true
  readonly why: EverythingReason
}

/** A message, whether or not users see it. */
export type AnyMessage = SeenMessage | HiddenMessage

/** A call and its reply, or one of them without the other. */
export interface ToolExchange {
  readonly kind: 'tool'
  readonly tool: string
  readonly call: HiddenMessage | undefined
  readonly reply: HiddenMessage | undefined
}

/** What *Everything* shows as one. */
export interface EverythingEntry {
  readonly shown: AnyMessage | ToolExchange
  /** The side of a merge conflict in which it begins. */
  readonly side?: ConflictSide
  readonly problems: readonly EverythingProblem[]
  /** What the sample says of them for training, as written. */
  readonly flags: readonly string[]
}

/** A problem and where it is. */
export interface PlacedProblem extends EverythingProblem {
  /** Zero-based line of the document, and UTF-16 character. */
  readonly line: number
  readonly character: number
}

/** What is known of a document besides its text. */
export interface EverythingKnowledge {
  /** What is wrong with the text as far as that is known. */
  problems(): readonly PlacedProblem[]
  /** The training flags of each message, of a sample as it was read; there may be other messages now. */
  flags(): SampleMetadata['allFlags']
}

/** Reads documents for *Everything*. */
export function parserForEverything(
  known: EverythingKnowledge,
): (text: string, options?: ParseOptions, touch?: () => void) => MessageSource<EverythingEntry> {
  return (text, options = {}, touch) => new TranscriptSource(text, options, new EverythingKind(known), touch)
}

class EverythingKind implements MessageKind<EverythingEntry> {
  readonly hasPrompt = true
  readonly #now: EverythingKnowledge
  #analysis: Analysis | undefined
  #known: readonly PlacedProblem[] = []
  #problems = new Map<Segment, EverythingProblem[]>()
  #counts: EverythingCounts | undefined
  /** The problems that were counted. */
  #counted: ReadonlyMap<Segment, readonly EverythingProblem[]> | undefined

  #knownFlags: SampleMetadata['allFlags'] = []
  #flags: ReadonlyMap<Segment, readonly string[]> = new Map()

  constructor(now: EverythingKnowledge) {
    this.#now = now
  }

  includes(segment: Segment): boolean {
    return factsOf(segment) !== undefined
  }

  read(
    analysis: Analysis,
    located: Located,
    conflicts: SegmentConflicts | undefined,
    partnerConflicts: SegmentConflicts | undefined,
  ): EverythingEntry | undefined {
    const shown = shownAt(analysis, located, conflicts, partnerConflicts)
    const side = conflicts?.sides[0]
    const partner = shown?.kind === 'tool' ? this.partnerOf(analysis, located.segment) : undefined
    const problems = this.#problemsIn(analysis)
    const flags = this.#flagsIn(analysis)
    const segments = partner ? [located.segment, partner] : [located.segment]
    return (
      shown && {
        shown,
        ...(side?.from === 0 && { side: side.side }),
        problems: segments.flatMap((it) => problems.get(it) ?? []),
        flags: [...new Set(segments.flatMap((it) => flags.get(it) ?? []))],
      }
    )
  }

  partnerOf(analysis: Analysis, segment: Segment): Segment | undefined {
    return analysis.exchanges.exchange(segment)?.partner
  }

  /** A reply is shown with its call. */
  hostOf(analysis: Analysis, segment: Segment): Segment | undefined {
    const exchange = analysis.exchanges.exchange(segment)
    return exchange?.kind === 'reply' ? exchange.partner : undefined
  }

  isIn(analysis: Analysis, segment: Segment, groups: readonly EverythingGroup[]): boolean {
    const group = groupOf(segment)
    if (group !== undefined && groups.includes(group)) return true
    if (!groups.includes('problems')) return false
    const problems = this.#problemsIn(analysis)
    const partner = this.partnerOf(analysis, segment)
    return (
      problems.has(segment) || isHiddenByError(segment) || (partner !== undefined && problems.has(partner))
    )
  }

  changed({ analysis }: Document): void {
    this.#analysis = analysis
    this.#known = []
    this.#problems = new Map()
    this.#knownFlags = []
    this.#flags = new Map()
    this.#counts = undefined
  }

  get summary(): EverythingCounts | undefined {
    const analysis = this.#analysis
    if (!analysis) return undefined
    const problems = this.#problemsIn(analysis)
    if (this.#counts && this.#counted === problems) return this.#counts
    this.#counted = problems
    const counts = { reasoning: 0, tools: 0, instructions: 0, problems: 0 }
    analysis.transcript.forEachSegment((segment) => {
      if (problems.has(segment) || isHiddenByError(segment)) counts.problems++
      const group = groupOf(segment)
      if (group !== undefined && !this.hostOf(analysis, segment)) counts[group]++
    })
    this.#counts = counts
    return counts
  }

  /** The problems of each segment: what was found in the text as it was a moment ago is shown where it is now. */
  #problemsIn({ transcript }: Analysis): ReadonlyMap<Segment, readonly EverythingProblem[]> {
    const now = this.#now.problems()
    if (now === this.#known) return this.#problems
    this.#known = now
    this.#problems = new Map()
    for (const { line, character, severity, message } of now) {
      if (line >= transcript.lineCount) continue
      const start = transcript.offsetAt({ line, character: 0 })
      const { segment } = transcript.segmentAt(Math.min(start + character, transcript.length))
      const known = this.#problems.get(segment) ?? []
      known.push({ severity, message })
      this.#problems.set(segment, known)
    }
    return this.#problems
  }

  /** The training flags of each segment, unless messages came or went since the sample was read. */
  #flagsIn({ transcript }: Analysis): ReadonlyMap<Segment, readonly string[]> {
    const now = this.#now.flags()
    if (now === this.#knownFlags) return this.#flags
    this.#knownFlags = now
    const messages = [...transcript.segments()].filter(({ segment }) => segment.kind === 'message')
    const isSame = messages.length === now.length
    this.#flags = new Map(isSame ? messages.map(({ segment }, index) => [segment, now[index] ?? []]) : [])
    return this.#flags
  }
}

/** What is shown of the message at `located`: with its other end, if it is a call. */
function shownAt(
  analysis: Analysis,
  located: Located,
  conflicts: SegmentConflicts | undefined,
  partnerConflicts: SegmentConflicts | undefined,
): AnyMessage | ToolExchange | undefined {
  const message = anyMessageOf(analysis, located, conflicts)
  const facts = factsOf(located.segment)
  if (!facts || message?.kind !== 'hidden' || groupOf(located.segment) !== 'tools') return message
  const tool = withoutFunctionPrefix(toolNameOf(facts) ?? facts.to ?? facts.name ?? message.role)
  if (kindOf(facts) === 'reply') return { kind: 'tool', tool, call: undefined, reply: message }
  const exchange = analysis.exchanges.exchange(located.segment)
  const partner = exchange?.partner && analysis.transcript.locate(exchange.partner)
  const reply = partner && anyMessageOf(analysis, partner, partnerConflicts)
  return { kind: 'tool', tool, call: message, reply: reply?.kind === 'hidden' ? reply : undefined }
}

/** The message of one segment, visible or not; `undefined` if it is not a message. */
export function anyMessageOf(
  analysis: Analysis,
  located: Located,
  conflicts?: SegmentConflicts,
): AnyMessage | undefined {
  const facts = factsOf(located.segment)
  if (!facts) return undefined
  const message = visibleMessageOf(analysis, located, conflicts)
  return message ? seen(message, located, facts) : hidden(analysis, located, { facts, conflicts })
}

function seen(message: VisibleMessage, { segment }: Located, facts: MessageFacts): SeenMessage {
  const privateText = renderedPieces(segment)
    .filter(({ kind }) => isPrivatePiece(kind, facts.role))
    .map(({ text }) => text)
    .join('')
  return { kind: 'visible', message, privateText }
}

function hidden(
  analysis: Analysis,
  located: Located,
  { facts, conflicts }: { readonly facts: MessageFacts; readonly conflicts: SegmentConflicts | undefined },
): HiddenMessage {
  const { segment } = located
  const reason = hiddenReason(facts)
  const group = groupOf(segment)
  const isPrompt = facts.isPrompt && segment === analysis.lastSegment
  const sides = conflicts && facts.isMessage ? allSides(segment, conflicts) : undefined
  return {
    kind: 'hidden',
    role: facts.roleWord ?? localize`no role`,
    labels: labelsOf(facts),
    text: facts.isMessage ? renderedBody(segment) : '',
    ...(sides && { sides: sides.map(messageSide) }),
    group: group === 'reasoning' || group === 'instructions' ? group : undefined,
    ...(editableText(segment) === undefined && { isSourceOnly: true }),
    why: {
      reason: isPrompt
        ? localize`it asks for the next message and has no text.`
        : `${plain(whyHidden(facts) ?? '')}.`,
      section: isPrompt || reason === undefined ? '2.2 §9, D18' : sections[reason],
      isUnusual: isPrompt || reason === undefined || !usual.has(reason),
    },
  }
}

const sections: Readonly<Record<HiddenReason, string>> = {
  'no-message': '2.2 §6, D16',
  role: '2.2 §4, D15',
  'unknown-role': '2.2 §4, D15',
  'unknown-channel': '2.2 §5, D15',
  'doubtful-header': '2.2 §5, D16',
  analysis: '2.2 §5, D15',
  commentary: '2.2 §5, D15, D21',
  call: '2.2 §8, D15',
  recipient: '2.2 §6, D15',
  'private-blocks': '2.2 §7, D3',
}

/** Reasons that every reader of a transcript expects. */
const usual: ReadonlySet<HiddenReason> = new Set(['role', 'analysis', 'call'])

function labelsOf({ channel, hasChannel, to, callId, name, intent, constraint, contentType }: MessageFacts) {
  const labels: string[] = []
  if (name !== undefined) labels.push(name)
  if (hasChannel) labels.push(channel ?? localize`unknown channel`)
  if (to !== undefined) labels.push(localize`to ${to}`)
  if (callId !== undefined) labels.push(localize`call ${callId}`)
  if (intent !== undefined) labels.push(intent)
  const type = constraint ?? contentType
  if (type !== undefined) labels.push(type)
  return labels
}

/** Words without the marks of code in them. */
function plain(words: string): string {
  return words.replaceAll('`', '')
}
