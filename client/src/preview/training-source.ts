/**
 * What a model is trained on, message by message, for the training view only. The sample is rendered somewhere else; until that is
 * done, what was rendered before stays.
 */
import {
  bodySpan,
  ConversionError,
  type DialectName,
  type Document,
  localize,
  type PackedTrainingView,
  type ParseOptions,
  type Problem,
  placeOfText,
  type Range,
  type RenderingRequest,
  renderingOf,
  renderingProblems,
  type Segment,
  type TemplateProblem,
  type Transcript,
  templateSourcesAt,
  tokenFlags,
  type WrittenStretches,
} from '../../../core/src/internal.ts'
import { moments } from '../moments.ts'
import type { TrainingTokens, TrainingTotals } from './preview-protocol.ts'
import type { MessageRef, MessageSource } from './preview-session.ts'
import { type TrainedDocument, type TrainedSample, trainedDocument } from './trained-document.ts'
import { type MessageKind, TranscriptSource } from './transcript-source.ts'

/** A message of a sample, as it is rendered. */
export interface TrainingEntry {
  readonly role: string
  readonly flags: readonly string[]
  readonly text: string
  readonly tokens: TrainingTokens
  readonly limit: number | undefined
}

/** What samples are rendered by. */
export interface TrainingSetup extends Omit<RenderingRequest, 'sample'> {
  /** Words for what is chosen. */
  readonly choices: TrainingTotals['choices']
  readonly hasTemplateFile: boolean
}

/** A rendering of the sample by the setup. */
export type SampleRendering =
  | { readonly kind: 'view'; readonly view: PackedTrainingView; readonly doubt: string | undefined }
  | { readonly kind: 'template'; readonly problem: TemplateProblem }
  | { readonly kind: 'failed'; readonly message: string }

/** What the training view needs of others. */
export interface TrainingAccess<Uri> {
  /**
   * What is chosen. Never fails.
   *
   * @param isFirst true when a view opens: then files are looked for again, because no watcher reports every new file
   */
  setup(
    uri: Uri,
    isFirst: boolean,
  ): Promise<
    TrainingSetup | { readonly kind: 'failed'; readonly message: string; readonly setup: TrainingSetup }
  >
  render(setup: TrainingSetup, sample: RenderingRequest['sample']): Promise<SampleRendering>
  /** The sample that the document at `uri` is; undefined for a transcript. */
  sampleOf(uri: Uri): TrainedSample | undefined
  /** Called with where the template failed; undefined once it does not. */
  failedAt(problem: TemplateProblem | undefined): void
}

/** Reads documents for the training view. */
export function parserForTraining<Uri>(
  access: TrainingAccess<Uri>,
): (text: string, options: ParseOptions, touch: () => void, uri: Uri) => MessageSource<TrainingEntry> {
  return (text, options, touch, uri) =>
    new TrainingSource(text, options, new Training(access, uri, options, touch))
}

/** UTF-16 code units of the longest transcript that is rendered: what it becomes has to cross to the page. */
const longestTranscript = 4_000_000

interface Rendered {
  readonly refs: readonly TrainedRef[]
  /** The message in which each segment is shown. */
  readonly hosts: ReadonlyMap<Segment, TrainedRef>
}

/** Every rendering has messages of its own: what is on the page of an earlier one must not stay. */
let keys = 0

const nothing: Rendered = { refs: [], hosts: new Map() }

/** What a message became. */
interface MessageRendering {
  readonly entry: TrainingEntry
  /** Where it begins in the rendering. */
  readonly start: number
  readonly written: WrittenStretches | undefined
}

/** A message of one rendering; it stays with its segments while the document is edited. */
class TrainedRef implements MessageRef<TrainingEntry> {
  readonly key: string
  readonly segments: readonly Segment[]
  readonly #entry: TrainingEntry
  readonly #transcript: Transcript
  readonly #rendering: MessageRendering

  constructor(
    key: string,
    rendering: MessageRendering,
    segments: readonly Segment[],
    transcript: Transcript,
  ) {
    this.key = key
    this.#entry = rendering.entry
    this.#rendering = rendering
    this.segments = segments
    this.#transcript = transcript
  }

  get offset(): number {
    for (const it of this.segments) {
      const start = this.#transcript.locate(it)?.start
      if (start !== undefined) return start
    }
    return 0
  }

  read(): TrainingEntry {
    return this.#entry
  }

  templateParts(offset: number): readonly Range[] {
    const { start, written } = this.#rendering
    return written ? templateSourcesAt(written, start + offset) : []
  }

  /** Where in the document the text at `offset` of the entry comes from: a word of a body, or the message. */
  sourceOffset(offset: number): number {
    let at = 0
    for (const segment of this.segments) {
      const body = bodySpan(segment)
      const start = this.#transcript.locate(segment)?.start
      if (!body || start === undefined) continue
      const words = segment.text.slice(body.from, body.to)
      const lead = words.length - words.trimStart().length
      const found = words.trim() === '' ? -1 : placeOfText(this.#entry.text, words.trim(), at)
      if (found === -1) continue
      at = found + words.trim().length
      if (found <= offset && offset < at) return start + body.from + lead + offset - found
    }
    return this.offset
  }
}

/** The rendering of a document, brought up to date after edits and choices. */
class Training<Uri> implements MessageKind<TrainingEntry> {
  readonly hasPrompt = true
  readonly #access: TrainingAccess<Uri>
  readonly #uri: Uri
  readonly #dialect: DialectName | 'auto'
  readonly #touch: () => void
  #rendered: Rendered = nothing
  #totals: TrainingTotals | undefined
  #generation = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(access: TrainingAccess<Uri>, uri: Uri, options: ParseOptions, touch: () => void) {
    this.#access = access
    this.#uri = uri
    this.#dialect = options.dialect ?? 'auto'
    this.#touch = touch
  }

  get rendered(): Rendered {
    return this.#rendered
  }

  get summary(): TrainingTotals | undefined {
    return this.#totals
  }

  includes(): boolean {
    return false
  }

  read(): undefined {
    return undefined
  }

  partnerOf(): undefined {
    return undefined
  }

  changed(document: Document): void {
    const generation = ++this.#generation
    clearTimeout(this.#timer)
    const wait = this.#totals === undefined ? 0 : moments.pause
    this.#timer = setTimeout(() => void this.#render(document, generation), wait)
  }

  dispose(): void {
    this.#generation++
    clearTimeout(this.#timer)
  }

  async #render({ transcript }: Document, generation: number): Promise<void> {
    const chosen = await this.#access.setup(this.#uri, this.#totals === undefined)
    if (generation !== this.#generation) return
    const setup = 'setup' in chosen ? chosen.setup : chosen
    if ('setup' in chosen) return this.#fail(setup, chosen.message)
    if (transcript.length > longestTranscript)
      return this.#fail(
        setup,
        localize`This sample is too long for this view. Use \`ocm render --as training\`.`,
      )
    this.#tell(setup, { state: 'rendering' })
    let trained: TrainedDocument
    try {
      const text = transcript.text({ start: 0, end: transcript.length })
      trained = trainedDocument(text, {
        dialect: this.#dialect,
        sample: this.#access.sampleOf(this.#uri),
        template: setup.template,
      })
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error
      return this.#fail(setup, error.message)
    }
    const result = await this.#access.render(setup, trained.sample)
    if (generation !== this.#generation) return
    this.#access.failedAt(result.kind === 'template' ? result.problem : undefined)
    if (result.kind === 'failed') return this.#fail(setup, result.message)
    if (result.kind === 'template') {
      const { line, column, message } = result.problem
      return this.#fail(setup, localize`The template fails in line ${line}, column ${column}: ${message}`)
    }
    const { view, doubt } = result
    this.#rendered = renderedOf(view, trained, transcript)
    const { nTrained: trainedCount, nTotal: total, unit } = view
    const notes = [...notesOf(view, doubt), ...problemsOf(view, trained).map(({ message }) => message)]
    this.#tell(setup, { state: 'done', trained: trainedCount, total, unit, notes })
  }

  #fail(setup: TrainingSetup, failure: string): void {
    this.#rendered = nothing
    this.#tell(setup, { ...noNumbers, state: 'failed', failure })
  }

  #tell({ choices, hasTemplateFile }: TrainingSetup, changes: Partial<TrainingTotals>): void {
    const { failure: _, ...known }: Partial<TrainingTotals> = this.#totals ?? {}
    this.#totals = { ...noNumbers, state: 'rendering', ...known, choices, hasTemplateFile, ...changes }
    this.#touch()
  }
}

const noNumbers = { trained: 0, total: 0, unit: 'tokens', notes: [] } as const

/** A transcript whose messages are those of its rendering. */
class TrainingSource<Uri> extends TranscriptSource<TrainingEntry> {
  readonly #training: Training<Uri>

  constructor(text: string, options: ParseOptions, training: Training<Uri>) {
    super(text, options, training)
    this.#training = training
  }

  override messages(): readonly MessageRef<TrainingEntry>[] {
    return this.#training.rendered.refs
  }

  override messageStart(offset: number): number {
    const host = this.#training.rendered.hosts.get(this.segmentAt(offset))
    return host?.offset ?? super.messageStart(offset)
  }
}

function renderedOf(view: PackedTrainingView, trained: TrainedDocument, transcript: Transcript): Rendered {
  const hosts = new Map<Segment, TrainedRef>()
  const tokens = view.unit === 'tokens' ? view.tokens : stretchesOf(view)
  const starts = view.places.map(({ start }, index) => (index === 0 ? 0 : start))
  if (starts.length === 0) starts.push(0)
  const limit = tokens.flags.findIndex((it) => (it & tokenFlags.cut) !== 0)
  let token = 0
  const refs = starts.map((start, index) => {
    const end = starts[index + 1] ?? view.text.length
    const first = token
    while (token < tokens.starts.length && ((tokens.starts[token] ?? 0) < end || index === starts.length - 1))
      token++
    const message = trained.messages[index]
    const entry: TrainingEntry = {
      role: message?.role ?? '',
      flags: message?.flags ?? [],
      text: view.text.slice(start, end),
      tokens: {
        first,
        ids: tokens.ids.slice(first, token),
        starts: tokens.starts.slice(first, token).map((it) => it - start),
        ends: tokens.ends.slice(first, token).map((it) => Math.min(it, end) - start),
        flags: tokens.flags.slice(first, token),
        parts: tokens.parts.flatMap(([at, from, to]) =>
          first <= at && at < token ? [[at - first, from, to] as const] : [],
        ),
      },
      limit: first <= limit && limit < token ? limit - first : undefined,
    }
    const segments = (message?.offsets ?? []).map((offset) => transcript.segmentAt(offset).segment)
    const rendering = { entry, start, written: view.written }
    const ref = new TrainedRef(`training ${++keys}`, rendering, segments, transcript)
    for (const it of segments) hosts.set(it, ref)
    return ref
  })
  return { refs, hosts }
}

/** Without a tokenizer: what is trained and what is not, up to the maximal length and beyond. */
function stretchesOf({ text, trained, keptEnd }: PackedTrainingView): PackedTrainingView['tokens'] {
  const ends = [...new Set([...trained.flatMap(({ start, end }) => [start, end]), keptEnd, text.length])]
    .filter((it) => it > 0)
    .sort((one, other) => one - other)
  const starts = [0, ...ends.slice(0, -1)].slice(0, ends.length)
  let next = 0
  const flags = starts.map((start) => {
    while ((trained[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    if (start >= keptEnd) return tokenFlags.cut
    return (trained[next]?.start ?? Number.POSITIVE_INFINITY) <= start ? tokenFlags.trained : 0
  })
  return { ids: [], starts, ends, flags, parts: [] }
}

function notesOf({ unit, isExact, nCut }: PackedTrainingView, doubt: string | undefined): string[] {
  const notes: string[] = []
  if (unit === 'characters') notes.push(localize`No tokenizer is chosen: characters are counted.`)
  if (doubt !== undefined)
    notes.push(localize`Token counts are estimates: ${doubt} is split differently here.`)
  if (!isExact) notes.push(localize`The positions of tokens are estimates.`)
  if (nCut > 0) {
    const cut =
      unit === 'characters'
        ? localize`Characters beyond the maximum length: ${nCut}`
        : localize`Tokens beyond the maximum length: ${nCut}`
    notes.push(cut)
  }
  return notes
}

function problemsOf(view: PackedTrainingView, { sample }: TrainedDocument): readonly Problem[] {
  return renderingProblems([renderingOf(view, 'context' in sample ? sample : undefined)])
}
