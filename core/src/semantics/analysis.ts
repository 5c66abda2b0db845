/**
 * The meaning of a transcript, kept up to date: facts of its messages, settings of its header, exchanges of calls and
 * replies. Edit through {@link Analysis.edit}; what it costs beyond the edited message is listed in docs/ARCHITECTURE.md.
 */
import type { EditResult, RequestTools, Transcript } from '../document/transcript.ts'
import type { Segment } from '../syntax/segment.ts'
import { invariant } from '../text/invariant.ts'
import type { TextEdit } from '../text/range.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import {
  type DocumentHeader,
  type DocumentSettings,
  headerOf,
  requestToolsOf,
  settingsOf,
} from './document-settings.ts'
import { ExchangeIndex, isCallOrReply } from './exchange-index.ts'
import { factsOf, type MessageFacts } from './message-facts.ts'
import { TemplateIndex } from './template-index.ts'
import { type ToolChange, ToolIndex } from './tool-index.ts'

/** What an edit changed in text and meaning. */
export interface AnalysisChange extends EditResult {
  /** Calls and replies that are still there, but whose exchange may have changed; empty until something asks for exchanges. */
  readonly exchanges: ReadonlySet<Segment>
  /** What changed about the tools: their calls are judged by that. */
  readonly tools: ToolChange
  /** True if something changed that every message is judged by: settings, or whether ids are in use. */
  readonly affectsAll: boolean
}

const noSegments: ReadonlySet<Segment> = new Set()

/** Transcript and meaning. */
export class Analysis {
  readonly transcript: Transcript
  readonly tools: ToolIndex
  /** Undefined until someone asks: a preview of what users see never does. */
  #exchanges: ExchangeIndex | undefined
  #version: number
  #settings: DocumentSettings
  #requestTools: RequestTools | undefined
  #templates: TemplateIndex | undefined
  #messages = 0
  #version2Messages = 0
  #messagesWithId = 0

  constructor(transcript: Transcript) {
    this.transcript = transcript
    this.#version = transcript.version
    this.#settings = settingsOf(this.preamble)
    const declaring: Segment[] = []
    transcript.forEachSegment((segment) => {
      const facts = factsOf(segment)
      if (!facts) return
      this.#count(facts, 1)
      if (facts.role === 'developer' || facts.role === 'system') declaring.push(segment)
    })
    this.#requestTools = transcript.requestTools ?? requestToolsOf(this.preamble)
    this.tools = new ToolIndex(transcript, declaring, this.#requestTools)
    this.#updateTemplates(undefined)
  }

  /** Which reply answers which call (D12). Made when it is first asked for, and kept up to date from then on. */
  get exchanges(): ExchangeIndex {
    this.#exchanges ??= new ExchangeIndex(this.transcript, this.#callsAndReplies(), factsOf)
    return this.#exchanges
  }

  /** The first segment: the header, possibly empty; in 0.1 possibly the first file of a sequence. */
  get preamble(): Segment {
    return this.transcript.segment(0).segment
  }

  /** The YAML header. */
  get header(): DocumentHeader {
    return headerOf(this.preamble)
  }

  /** What the header says about how messages are judged. */
  get settings(): DocumentSettings {
    this.#assertCurrent()
    return this.#settings
  }

  /** Number of messages. */
  get messageCount(): number {
    return this.#messages
  }

  /** True if a message uses what only OpenChatML 2.x has (D2). */
  get usesVersion2(): boolean {
    return this.#version2Messages > 0
  }

  /** Which messages use which inputs; undefined in a transcript without `inputs`. */
  get templates(): TemplateIndex | undefined {
    return this.#templates
  }

  /** The inputs that no body uses, in order; empty where bodies include parts, or are not read to their end: these may use them. */
  get unusedInputs(): readonly string[] {
    const templates = this.#templates
    if (!templates || templates.hasIncludes || templates.hasBroken) return []
    return this.settings.inputs?.filter((name) => templates.users(name).size === 0) ?? []
  }

  /** How many messages carry a call id (D12). */
  get messagesWithId(): number {
    return this.#messagesWithId
  }

  /** The last segment of the document, the only one that may end as a generation prompt (D18). */
  get lastSegment(): Segment {
    return this.transcript.lastSegment
  }

  /** The dialect, as forced or recognised. */
  get dialect(): DialectName {
    const forced = this.transcript.forcedDialect
    if (forced !== 'auto') return forced
    const { dialect } = this.transcript.framing
    if (dialect !== undefined) return dialect
    const { hasHeader, version, isHarmony } = this.settings
    if (isHarmony) return 'harmony'
    if (!hasHeader) return this.usesVersion2 || this.#messages === 0 ? '2.2' : '1.x'
    if (!version) return '2.2'
    if (version.major < 2) return '1.x'
    return version.major === 2 && version.minor === 0 ? '2.0' : '2.2'
  }

  /** Edits the transcript and brings the meaning up to date. @throws RangeError as {@link Transcript.edit} */
  edit(edits: readonly TextEdit[]): AnalysisChange {
    this.#assertCurrent()
    const usedIds = this.#messagesWithId > 0
    const result = this.transcript.edit(edits)
    this.#version = this.transcript.version
    for (const segment of result.removed) this.#count(factsOf(segment), -1)
    for (const segment of result.inserted) this.#count(factsOf(segment), 1)
    const exchanges = this.#exchanges?.update(result.removed, result.inserted) ?? noSegments
    const tools = this.tools.update(result.removed, result.inserted)
    const settings = settingsOf(this.preamble)
    // Calls of 0.1 are inside messages: no index knows them.
    const affectsTurns =
      this.transcript.framing.name === 'chatml' && tools.changed.size + tools.moved.size > 0
    const affectsAll =
      this.#updateRequestTools() ||
      settings !== this.#settings ||
      usedIds !== this.#messagesWithId > 0 ||
      tools.hasOtherFormats ||
      affectsTurns
    this.#settings = settings
    this.#updateTemplates(result)
    return { ...result, exchanges, tools, affectsAll }
  }

  /** Takes over the tools of the request from the header; true if calls must be judged again. */
  #updateRequestTools(): boolean {
    const before = this.#requestTools
    const now = this.transcript.requestTools ?? requestToolsOf(this.preamble)
    if (before === now || (before?.json === now?.json && before?.body === now?.body)) return false
    this.#requestTools = now
    this.tools.judgeBy(now)
    return true
  }

  /** Only transcripts with `inputs` have an index of names. */
  #updateTemplates(result: Pick<EditResult, 'removed' | 'inserted'> | undefined): void {
    if (!this.#settings.inputs) this.#templates = undefined
    else if (result && this.#templates) this.#templates.update(result.removed, result.inserted)
    else this.#templates = new TemplateIndex(this.transcript)
  }

  #callsAndReplies(): readonly Segment[] {
    const related: Segment[] = []
    this.transcript.forEachSegment((segment) => {
      if (isCallOrReply(factsOf(segment))) related.push(segment)
    })
    return related
  }

  #count(facts: MessageFacts | undefined, by: 1 | -1): void {
    if (!facts) return
    if (facts.isMessage) this.#messages += by
    if (facts.usesVersion2) this.#version2Messages += by
    if (facts.callId !== undefined) this.#messagesWithId += by
  }

  #assertCurrent(): void {
    invariant(
      this.#version === this.transcript.version,
      'a transcript under analysis is edited through its analysis',
    )
  }
}

/** The analysis of `transcript`. Linear; nothing is ever thrown for any text. */
export function analyze(transcript: Transcript): Analysis {
  return new Analysis(transcript)
}
