/** The review of what one page lists: which sample is shown, what the reviewer decides, and how far it is. */
import {
  type Decision,
  decisionOf,
  localize,
  type Opinion,
  type ReviewLine,
  reasonOf,
  type SampleOpinions,
  SeededSample,
  seededNumber,
} from '../../../core/src/internal.ts'
import { ChangedFileError } from '../datasets/byte-file.ts'
import type { UnreadSampleWords } from '../datasets/dataset-protocol.ts'
import { largestSample, type UnreadSample } from '../datasets/listed-sample.ts'
import { badRowOf } from '../datasets/row-source.ts'
import { holdSlices } from '../datasets/slices.ts'
import type { SummaryOptions } from '../datasets/summary.ts'
import type { DatasetReview, ReviewableDataset } from './dataset-review.ts'
import { ReviewMarks } from './review-marks.ts'
import type { PageAct, ReviewFrame, ReviewMark, ReviewOpinion, ToReviewPage } from './review-protocol.ts'
import { everythingSample, type JudgedSample, judgedSample, visibleSample } from './shown-sample.ts'

/** The samples that are listed, in their order. */
export interface ListedPlaces {
  readonly size: number
  placeAt(index: number): number | undefined
  /** The query that they match. */
  readonly text: string
}

/** What a review needs of the world around it. */
export interface ReviewSessionParts {
  readonly dataset: ReviewableDataset
  readonly review: DatasetReview
  readonly listing: ListedPlaces
  readonly options: () => SummaryOptions
  /** The labels that can be given. */
  readonly labels: () => readonly string[]
  /** True if what others say is hidden until the reviewer has decided. */
  readonly isBlind: () => boolean
  /** Who reviews; undefined if that is not known. */
  readonly reviewer: () => Promise<string | undefined>
  /** Asks whether hidden text may be shown, if that was not asked before. */
  readonly mayShowHidden: () => Promise<boolean>
  /** The sample in words. */
  readonly nameOf: (place: number) => string
  /** Opens a sample as a transcript; with `isFix`, until it is saved. */
  readonly open: (place: number, branch: string | undefined) => Promise<void>
  /** Opens the text of the file at a sample that cannot be read. */
  readonly openText: (place: number) => Promise<void>
  /** Shows next to the list what a model is trained on of a sample. */
  readonly openTraining: (place: number) => Promise<void>
  readonly post: (message: ToReviewPage) => void
  /** The time as ISO 8601. */
  readonly now: () => string
}

/** What is taken back by *Undo*: what was said before. */
interface Undo {
  readonly place: number
  readonly index: number
  readonly line: Partial<ReviewLine>
  /** True if the sample was fixed with it, which is not taken back. */
  readonly isFix: boolean
}

interface Prepared {
  readonly judged: JudgedSample
  readonly hash: string
}

const remembered = 4 // samples that are read: the one that is shown, and those next to it
const mostUndo = 1000

/** A review under way. */
export class ReviewSession {
  readonly #parts: ReviewSessionParts
  readonly #prepared = new Map<number, Promise<Prepared>>()
  readonly #undo: Undo[] = []
  /** By place: the hashes that samples had when they were opened to be fixed. */
  readonly #hashesBeforeFix = new Map<number, string>()
  readonly #stop: () => void
  #index: number | undefined
  #place: number | undefined
  #by: string | undefined
  #showsHidden = false
  /** The indices of a random sample, in order; undefined while all that is listed is reviewed. */
  #subset: readonly number[] | undefined
  #isSecond = false
  /** Commands are done one after the other, however fast keys come. */
  #turn: Promise<void> = Promise.resolve()
  readonly #marks: ReviewMarks
  /** What people say about the sample that is shown, as the page knows it. */
  #saidOfShown = ''
  #isTelling = false
  #isDisposed = false

  constructor(parts: ReviewSessionParts) {
    this.#parts = parts
    this.#marks = new ReviewMarks(parts, (about) => this.#markOf(about))
    this.#stop = parts.review.onChanged((place) => this.#changed(place))
  }

  /** True while samples are reviewed. */
  get isActive(): boolean {
    return this.#index !== undefined
  }

  /** Begins, or goes to the sample at `index` of the list. */
  show(index: number): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.isActive) await this.#identify()
      await this.#show(index)
    })
  }

  /** The name of the reviewer may be another one now. */
  reviewerChanged(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#index !== undefined && (await this.#identify())) await this.#show(this.#index)
    })
  }

  /** Begins with the sample that the page has the focus on. */
  begin(): void {
    this.#parts.post({ kind: 'reviewBegin' })
  }

  /** The page was loaded again. */
  resume(): void {
    void this.#showAgain(() => true)
    this.#tell()
  }

  /** Ends the review. */
  end(): void {
    this.#index = undefined
    this.#place = undefined
    this.#subset = undefined
    this.#isSecond = false
    this.#marks.recount()
    this.#prepared.clear()
    this.#parts.post({ kind: 'reviewEnd' })
  }

  /** Reads the sample that is shown again: it, or how samples are judged, changed. */
  refresh(place?: number): void {
    if (place === undefined) this.#prepared.clear()
    else this.#prepared.delete(place)
    void this.#showAgain(() => place === undefined || place === this.#place)
  }

  /** Shows the sample again that is shown once commands under way are done, which may go on to another one. */
  #showAgain(isMeant: () => boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#index !== undefined && isMeant()) await this.#show(this.#index)
    })
  }

  /** Decides, and goes on to the next sample. */
  decide(decision: Decision): Promise<void> {
    return this.#say({ decision }, (own) => ({ decision: own?.decision ?? null, ...branchOf(own) }), true)
  }

  /** Prefers a branch, and goes on. */
  prefer(branch: string): Promise<void> {
    const before = (own: Opinion | undefined) => ({ decision: own?.decision ?? null, ...branchOf(own) })
    return this.#say({ decision: 'keep', branch }, before, true)
  }

  /** Both branches are as good: the pair teaches nothing. */
  tie(): Promise<void> {
    const before = (own: Opinion | undefined) => ({
      decision: own?.decision ?? null,
      labels: own?.labels ?? [],
      ...branchOf(own),
    })
    return this.#say(
      (own) => ({ decision: 'reject', labels: [...new Set([...(own?.labels ?? []), 'tie'])] }),
      before,
      true,
    )
  }

  /** Gives the label at `nth`, or takes it away. */
  async label(nth: number): Promise<void> {
    const label = this.#parts.labels()[nth]
    if (label === undefined) return this.#status(localize`There is no label ${nth + 1}`)
    await this.#say(
      (own) => {
        const labels = own?.labels ?? []
        return { labels: labels.includes(label) ? labels.filter((it) => it !== label) : [...labels, label] }
      },
      (own) => ({ labels: own?.labels ?? [] }),
    )
  }

  /** Writes a note about the sample, or about one of its messages; an empty one takes it away. */
  note(text: string, about: { readonly message?: number; readonly branch?: string } = {}): Promise<void> {
    return this.#say({ note: text === '' ? null : text, ...about }, (own) => {
      if (about.message === undefined) return { note: own?.note ?? null }
      const before = own?.messageNotes.find(
        (it) => it.message === about.message && it.branch === about.branch,
      )
      return { note: before?.note ?? null, ...about }
    })
  }

  /** Says again what was said about the sample before it changed. */
  confirm(): Promise<void> {
    return this.#inTurn(async () => {
      const about = await this.#about()
      const own = about && ownOf(about, this.#by ?? '')
      const opinion = own?.decision === undefined ? about?.opinions.find((it) => it.decision) : own
      if (!about?.isStale || !opinion?.decision)
        return this.#status(localize`This sample has no stale decision`)
      const { decision } = opinion
      const line = { decision, ...branchOf(opinion) }
      if (!(await this.#sayAgain(line, { ...opinion, messageNotes: own?.messageNotes ?? [] }))) return
      await this.#step(1, true)
    })
  }

  /** Takes back what was said last, and shows its sample. */
  undo(): Promise<void> {
    return this.#inTurn(async () => {
      const last = this.#undo.pop()
      if (!last) return this.#status(localize`There is nothing to undo`)
      await this.#show(last.index)
      if (this.#place !== last.place || !(await this.#append(last.line, undefined))) return
      await this.#show(last.index)
      if (last.isFix) this.#status(localize`The decision is undone, but the sample stays as you fixed it`)
    })
  }

  /** Shows the sample after or before this one. */
  next(step: 1 | -1): Promise<void> {
    return this.#inTurn(() => this.#step(step, false))
  }

  /** Shows the next sample that is not decided. */
  nextUndecided(): Promise<void> {
    return this.#inTurn(() => this.#step(1, true))
  }

  /** Marks the sample to be fixed, and opens it, or one of its branches; of a sample that cannot be read, only opens the text. */
  fix(branch?: string): Promise<void> {
    return this.#inTurn(async () => {
      const place = this.#place
      if (place === undefined) return
      const about = await this.#about()
      const own = about && ownOf(about, this.#by ?? '')
      const before = { decision: own?.decision ?? null, ...branchOf(own) }
      const { judged, hash } = await this.#prepare(place)
      if (judged.mistake !== undefined) return this.#parts.openText(place)
      this.#hashesBeforeFix.set(place, hash)
      const isFirst = branch === undefined || branch === judged.branches[0]?.name
      if (await this.#append({ decision: 'fix' }, before))
        await this.#parts.open(place, isFirst ? undefined : branch)
    })
  }

  /** A sample that was opened to be fixed was saved: as it is now, it is kept. */
  fixed(place: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#prepared.delete(place)
      if (
        this.#place === place &&
        (await this.#sayAgain({ decision: 'keep' }, await this.#saidBeforeFix(place), true))
      )
        await this.#step(1, true)
    })
  }

  /** What the reviewer says about the sample as it was before it was fixed; undefined if the conversation did not change. */
  async #saidBeforeFix(place: number): Promise<Opinion | undefined> {
    const before = this.#hashesBeforeFix.get(place)
    this.#hashesBeforeFix.delete(place)
    if (before === undefined || before === (await this.#prepare(place)).hash) return undefined
    const { store, number } = this.#parts.dataset.placeOf(place)
    return ownOf(store.review.of(number, before), this.#by ?? '')
  }

  /** Shows or hides hidden text. */
  toggleHidden(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#showsHidden && !(await this.#parts.mayShowHidden())) return
      this.#showsHidden = !this.#showsHidden
      if (this.#index !== undefined) await this.#show(this.#index)
    })
  }

  /** Shows what a model is trained on, which has hidden text. */
  showTraining(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#place === undefined || !(await this.#parts.mayShowHidden())) return
      await this.#parts.openTraining(this.#place)
    })
  }

  /** Has the page do something itself. */
  act(act: PageAct): void {
    if (this.isActive) this.#parts.post({ kind: 'reviewAct', act })
  }

  /** Reviews a random choice of the samples that others decided on, without what they say. @returns how many there are */
  async beginSecond(count: number, seed: number): Promise<number> {
    await this.#identify()
    const chosen = new SeededSample<number>(count)
    const { listing, review } = this.#parts
    for (let index = 0; index < listing.size; index++) {
      const place = listing.placeAt(index)
      const about = place === undefined ? undefined : review.known.get(place)
      const isOfOthers = about?.opinions.some(({ by, decision }) => decision !== undefined && by !== this.#by)
      if (place === undefined || !isOfOthers || about?.isStale) continue
      chosen.add(seededNumber(seed, String(place)), index)
    }
    const indices = chosen.items()
    const [first] = indices
    if (first === undefined) return 0
    this.#subset = indices
    this.#isSecond = true
    this.#marks.recount()
    await this.show(first)
    return indices.length
  }

  dispose(): void {
    this.#isDisposed = true
    this.#stop()
  }

  /** True if what others say is hidden until the reviewer has decided. */
  get isBlind(): boolean {
    return this.#isSecond || this.#parts.isBlind()
  }

  /** True if what others say about a sample is not shown, because the reviewer has not decided. */
  #isBlindTo(about: SampleOpinions): boolean {
    return this.isBlind && (about.isStale || ownOf(about, this.#by ?? '')?.decision === undefined)
  }

  /** Appends what the reviewer says now; `before` is what they said, to which *Undo* goes back. */
  #say(
    line: Partial<ReviewLine> | ((own: Opinion | undefined) => Partial<ReviewLine>),
    before: (own: Opinion | undefined) => Partial<ReviewLine>,
    goesOn = false,
  ): Promise<void> {
    return this.#inTurn(async () => {
      const about = await this.#about()
      if (!about) return
      const own = about.isStale ? undefined : ownOf(about, this.#by ?? '')
      if (!(await this.#append(typeof line === 'function' ? line(own) : line, before(own)))) return
      if (goesOn) await this.#step(1, false)
      else if (this.#index !== undefined) await this.#show(this.#index)
    })
  }

  /**
   * Decides on a sample that changed, with the labels and notes of `opinion`, which is about what it was before.
   *
   * @returns false if not all could be saved
   */
  async #sayAgain(line: Partial<ReviewLine>, opinion: Opinion | undefined, isFix = false): Promise<boolean> {
    const { labels = [], note, messageNotes = [] } = opinion ?? {}
    const whole = { ...line, ...(labels.length > 0 && { labels }), ...(note && { note }) }
    if (!(await this.#append(whole, { decision: null }, isFix))) return false
    for (const { branch, ...note } of messageNotes) {
      if (!(await this.#append({ ...note, ...(branch !== undefined && { branch }) }, undefined))) return false
    }
    return true
  }

  async #append(
    line: Partial<ReviewLine>,
    before: Partial<ReviewLine> | undefined,
    isFix = false,
  ): Promise<boolean> {
    const [place, index] = [this.#place, this.#index]
    if (place === undefined || index === undefined) return false
    try {
      const { judged, hash } = await this.#prepare(place)
      if (line.decision === 'keep' && judged.mistake !== undefined) {
        this.#status(localize`This sample cannot be read. Reject it, or fix its text`)
        return false
      }
      if (!(await this.#isAsShown(place, hash))) throw new ChangedFileError()
      const { store, number } = this.#parts.dataset.placeOf(place)
      const by = this.#by === '' ? undefined : this.#by
      await store.append({
        place: number,
        hash,
        ...line,
        ...(by !== undefined && { by }),
        at: this.#parts.now(),
      })
      if (before) this.#undo.push({ place, index, line: before, isFix })
      if (this.#undo.length > mostUndo) this.#undo.shift()
      return true
    } catch (error) {
      this.#status(localize`Nothing was saved: ${reasonOf(error)}`, true)
      return false
    }
  }

  /** False if another program changed the sample since it was shown with that hash. Checks the file first. */
  async #isAsShown(place: number, hash: string): Promise<boolean> {
    const { view } = this.#parts.dataset
    const { generation } = view
    await view.refresh()
    if (view.generation === generation) return true
    this.#prepared.clear()
    this.#parts.review.forget()
    return (await this.#prepare(place).catch(() => undefined))?.hash === hash
  }

  /** Asks who reviews. @returns true if it is someone else now, who can't undo what was said before */
  async #identify(): Promise<boolean> {
    const by = (await this.#parts.reviewer()) ?? ''
    if (by === this.#by) return false
    this.#by = by
    this.#undo.length = 0
    return true
  }

  async #about(): Promise<SampleOpinions | undefined> {
    return this.#place === undefined ? undefined : this.#parts.review.opinionsAt(this.#place)
  }

  async #step(step: 1 | -1, isUndecided: boolean): Promise<void> {
    if (this.#index === undefined) return
    const next = isUndecided ? await this.#undecidedAfter(this.#index) : this.#neighbour(this.#index, step)
    if (next !== undefined) return this.#show(next)
    await this.#show(this.#index)
    this.#status(
      isUndecided
        ? localize`All samples after this one are decided`
        : step === 1
          ? localize`This is the last sample`
          : localize`This is the first sample`,
    )
  }

  #neighbour(index: number, step: 1 | -1): number | undefined {
    if (this.#subset) {
      const at =
        step === 1 ? this.#subset.find((it) => it > index) : this.#subset.findLast((it) => it < index)
      return at
    }
    const next = index + step
    return 0 <= next && next < this.#parts.listing.size ? next : undefined
  }

  /** The first sample after `index` without a decision; after the end of the list, it goes on from its beginning. */
  async #undecidedAfter(index: number): Promise<number | undefined> {
    const { size } = this.#parts.listing
    const order = this.#subset ?? { length: size, at: (nth: number) => nth }
    const start = this.#subset ? this.#subset.filter((it) => it <= index).length : index + 1
    for (let nth = 0; nth < order.length; nth++) {
      const candidate = order.at((start + nth) % order.length)
      const place = candidate === undefined ? undefined : this.#parts.listing.placeAt(candidate)
      if (candidate === undefined || place === undefined || candidate === index) continue
      if (!this.#parts.review.known.has(place)) return candidate
      const mark = this.#markOf(this.#parts.review.known.get(place))
      if (mark === undefined || mark === 'stale') return candidate
    }
    return undefined
  }

  async #show(index: number): Promise<void> {
    const place = this.#parts.listing.placeAt(index)
    if (place === undefined) return
    this.#index = index
    this.#place = place
    try {
      const { judged } = await this.#prepare(place)
      const about = await this.#parts.review.opinionsAt(place)
      if (this.#isDisposed || this.#index !== index) return
      this.#post(index, place, judged, about)
      // What comes next is read while this one is looked at.
      const next = this.#neighbour(index, 1)
      const nextPlace = next === undefined ? undefined : this.#parts.listing.placeAt(next)
      if (nextPlace !== undefined) void this.#prepare(nextPlace).catch(() => undefined)
    } catch (error) {
      this.#unreadable(error)
    }
    this.#tell(place)
  }

  #post(index: number, place: number, judged: JudgedSample, about: SampleOpinions): void {
    const self = this.#by ?? ''
    const own = ownOf(about, self)
    const hidesOthers = this.#isBlindTo(about)
    this.#saidOfShown = JSON.stringify(about)
    const shownOpinions = hidesOthers ? (own ? [own] : []) : about.opinions
    const frame = (problems: ReviewFrame['problems']): ReviewFrame => ({
      index,
      name: this.#parts.nameOf(place),
      ...(judged.mistake && { mistake: this.#wordsOf(judged.mistake, place) }),
      problems,
      opinions: shownOpinions.map((it) => reviewOpinion(it, self)),
      isStale: about.isStale,
      isBlind: hidesOthers,
      labels: this.#parts.labels(),
      metadata: judged.metadata,
    })
    if (this.#showsHidden) {
      const { problems, ...shown } = everythingSample(judged, shownOpinions, self)
      this.#parts.post({ kind: 'reviewEverything', sample: { ...frame(problems), ...shown } })
    } else {
      const { problems, ...shown } = visibleSample(judged, shownOpinions, self)
      this.#parts.post({ kind: 'reviewSample', sample: { ...frame(problems), ...shown } })
    }
  }

  #wordsOf(mistake: UnreadSample, place: number): UnreadSampleWords {
    const { view } = this.#parts.dataset
    return {
      samples: view.kind,
      number: view.index.numberOf(place),
      origin: view.originOf?.(place),
      content: badRowOf(mistake, view.index.positionOf(place)),
    }
  }

  #prepare(place: number): Promise<Prepared> {
    const known = this.#prepared.get(place)
    if (known) return known
    const made = this.#read(place)
    this.#prepared.set(place, made)
    made.catch(() => this.#prepared.delete(place))
    for (const it of this.#prepared.keys()) {
      if (this.#prepared.size <= remembered) break
      this.#prepared.delete(it)
    }
    return made
  }

  async #read(place: number): Promise<Prepared> {
    const { start, end } = this.#parts.dataset.view.index.rangeOf(place)
    if (end - start > largestSample) throw new Error(localize`it is too large`)
    const bytes = await this.#parts.dataset.bytesOf(place)
    const mapping = await this.#parts.dataset.view.mapping(place)
    return {
      judged: judgedSample(bytes, this.#parts.options(), mapping),
      hash: await this.#parts.review.hashAt(place),
    }
  }

  #changed(place?: number): void {
    this.#tell(place)
    const [index, shown] = [this.#index, this.#place]
    if (index === undefined || shown === undefined || (place !== undefined && place !== shown)) return
    // Someone else says something about the sample that is shown.
    void this.#inTurn(async () => {
      if (this.#place !== shown || this.#index !== index) return
      const about = await this.#parts.review.opinionsAt(shown).catch(() => undefined) // the file is another one: it is read again
      if (!about || this.#isBlindTo(about) || JSON.stringify(about) === this.#saidOfShown) return
      await this.#show(index)
    })
  }

  #unreadable(error: unknown): void {
    this.#status(localize`The sample cannot be read: ${reasonOf(error)}`, true)
  }

  #status(text: string, isError = false): void {
    this.#parts.post({ kind: 'reviewStatus', text, isError })
  }

  /** Sends marks and progress, once for all that happens at the same time: of the sample at `place`, or of all. */
  #tell(place?: number): void {
    this.#marks.changed(place)
    if (this.#isTelling || this.#isDisposed) return
    this.#isTelling = true
    setTimeout(() => {
      this.#isTelling = false
      if (this.#isDisposed) return
      const marks = this.#marks.take(`${this.isBlind} ${this.#by}`)
      if (marks.isAll || marks.marks.length > 0) this.#parts.post({ kind: 'reviewMarks', ...marks })
      if (!this.isActive) return
      this.#parts.post({ kind: 'reviewProgress', progress: this.#marks.progress(this.#subset, this.#place) })
    }, 0)
  }

  /** What the list shows of a sample; of a blind review, what the reviewer says. */
  #markOf(about: SampleOpinions | undefined): ReviewMark | undefined {
    if (!about) return undefined
    const own = ownOf(about, this.#by ?? '')
    if (this.isBlind && own?.decision === undefined) return undefined
    if (about.isStale) return 'stale'
    return this.isBlind ? own?.decision : decisionOf(about)
  }

  /** Never rejects: no caller waits for what a key does, and the file may be gone by then. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(async () => {
      holdSlices()
      if (!this.#isDisposed) await act().catch((error) => this.#unreadable(error))
    })
    return this.#turn
  }
}

function ownOf({ opinions }: SampleOpinions, self: string): Opinion | undefined {
  return opinions.find(({ by }) => by === self)
}

function branchOf(own: Opinion | undefined): { readonly branch?: string } {
  return own?.branch === undefined ? {} : { branch: own.branch }
}

function reviewOpinion({ by, decision, branch, labels, note }: Opinion, self: string): ReviewOpinion {
  return {
    by,
    isOwn: by === self,
    ...(decision !== undefined && { decision }),
    ...(branch !== undefined && { branch }),
    labels,
    ...(note !== undefined && { note }),
  }
}
