/** A sample as review mode shows it: its messages with their problems, its branches side by side, its other fields. */
import {
  type DatasetMapping,
  type Document,
  isObject,
  isSideField,
  isSideValue,
  type JsonObject,
  type JsonValue,
  jsonOf,
  judgedDocument,
  judgedForm,
  type Located,
  localize,
  localized,
  type Opinion,
  type Problem,
  rules,
  type SampleMetadata,
  sampleMetadata,
  sampleProblems,
  type TranscriptSample,
  visibleMessageOf,
} from '../../../core/src/internal.ts'
import { readSample, type UnreadSample } from '../datasets/listed-sample.ts'
import type { SummaryOptions } from '../datasets/summary.ts'
import { anyMessageOf } from '../preview/everything-source.ts'
import { everythingView } from '../preview/everything-view.ts'
import { HiddenCounter } from '../preview/message-group.ts'
import { visibleView } from '../preview/page-view.ts'
import { defaultLimits } from '../preview/page-window.ts'
import type { EverythingMessage, HiddenCounts, PageMessage } from '../preview/preview-protocol.ts'
import type {
  ReviewBranch,
  ReviewMessage,
  ReviewNote,
  ReviewProblem,
  ReviewSample,
} from './review-protocol.ts'

/** A sample that was read and judged; what is shown of it is made from it. */
export interface JudgedSample {
  readonly branches: readonly JudgedBranch[]
  /** Why the sample cannot be read. */
  readonly mistake: UnreadSample | undefined
  readonly metadata: string
}

interface JudgedBranch {
  readonly name: string | undefined
  readonly document: Document
  readonly problems: readonly Problem[]
  /** The training flags of each message. */
  readonly flags: SampleMetadata['allFlags']
  /** Problems without a place in the transcript. */
  readonly sampleProblems: readonly Pick<Problem, 'severity' | 'code' | 'rule' | 'message'>[]
}

const mostBranches = 8 // that fit next to each other, and more than any form of pairs has
const mostMetadata = 20_000 // UTF-16 code units
const mostProblems = 200

/** Reads and judges the sample with these bytes: all of its branches. Nothing is thrown. */
export function judgedSample(
  bytes: Uint8Array,
  options: SummaryOptions,
  mapping?: DatasetMapping,
): JudgedSample {
  const sample = readSample(bytes, { mapping })
  if (sample.kind === 'bad') return { branches: [], mistake: sample, metadata: '' }
  const [, ...others] = sample.branches ?? []
  const samples = [sample]
  for (const name of others.slice(0, mostBranches - 1)) {
    const branch = readSample(bytes, { branch: name, mapping })
    if (branch.kind === 'good') samples.push(branch)
  }
  return {
    branches: samples.map((it) => judgedBranch(it, options)),
    mistake: undefined,
    metadata: metadataOf(sample.value, mapping),
  }
}

function judgedBranch(sample: TranscriptSample, options: SummaryOptions): JudgedBranch {
  const document = judgedDocument(sample.text, judgedForm(sample), options)
  return {
    name: sample.branches && (sample.branch ?? sample.branches[0]),
    document,
    problems: document.problems().problems.slice(0, mostProblems),
    flags: sampleMetadata(sample).allFlags,
    sampleProblems: sampleProblems({ ...sample, from: sample.form }, options.settings).slice(0, mostProblems),
  }
}

/** Fields that are not text of the conversation, at any depth: what is hidden in it is hidden here as well. */
function metadataOf(value: JsonValue, mapping: DatasetMapping | undefined): string {
  const known = isObject(value) ? sideFieldsOf(value as JsonObject, '', mapping) : {}
  return Object.keys(known).length === 0 ? '' : jsonOf(known).slice(0, mostMetadata)
}

const mostLevels = 8

function sideFieldsOf(
  object: JsonObject,
  path: string,
  mapping: DatasetMapping | undefined,
  level = 1,
): JsonObject {
  const fields = Object.entries(object).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
    const own = `${path}${key}`
    if (!isSideField(own, mapping) || !isSideValue(value)) return []
    if (!isObject(value)) return isPlain(value) ? [[key, value]] : []
    const inside = level < mostLevels ? sideFieldsOf(value as JsonObject, `${own}.`, mapping, level + 1) : {}
    return Object.keys(inside).length > 0 ? [[key, inside]] : []
  })
  return Object.fromEntries(fields)
}

/** False for a list with more than values in it: of messages, steps, or calls, whatever it is called. */
function isPlain(value: JsonValue): boolean {
  return !Array.isArray(value) || value.every((it: JsonValue) => typeof it !== 'object' || it === null)
}

/** What is shown of a sample. */
export interface ShownSample<Shown> {
  readonly shared: readonly ReviewMessage<Shown>[]
  readonly branches: readonly ReviewBranch<Shown>[]
  /** Problems that belong to no message that is shown. */
  readonly problems: readonly ReviewProblem[]
}

/** A way to show messages. */
interface Showing<Shown> {
  /** True if what is said of problems may quote what users do not see. */
  readonly quotes: boolean
  shown(document: Document, located: Located, id: string, flags: readonly string[]): Shown | undefined
  /** UTF-16 code units of its text, also of what does not fit into a page. */
  lengthOf(message: Shown): number
}

/** The messages that users see, and how many others there are. */
export function visibleSample(
  sample: JudgedSample,
  opinions: readonly Opinion[],
  self: string,
): ShownSample<PageMessage> & Pick<ReviewSample, 'hidden'> {
  const shown = shownSample<PageMessage>(sample, opinions, self, {
    quotes: false,
    shown: ({ analysis }, located, id, flags) => {
      const message = visibleMessageOf(analysis, located)
      const shown = message && visibleView.shown(id, message, defaultLimits.messageText)
      return shown && flags.length > 0 ? { ...shown, flags } : shown
    },
    lengthOf: lengthOfMessage,
  })
  return { ...shown, hidden: hiddenIn(sample) }
}

function hiddenIn({ branches }: JudgedSample): HiddenCounts {
  const counter = new HiddenCounter()
  const [first = [], ...others] = branches.map(({ document }) =>
    [...document.transcript.segments()].map(({ segment }) => segment),
  )
  counter.update({ inserted: first, removed: [] })
  for (const own of others) {
    const nShared = own.findIndex(({ text }, at) => text !== first[at]?.text)
    if (nShared >= 0) counter.update({ inserted: own.slice(nShared), removed: [] })
  }
  return counter.counts
}

/** All messages. */
export function everythingSample(
  sample: JudgedSample,
  opinions: readonly Opinion[],
  self: string,
): ShownSample<EverythingMessage> {
  return shownSample(sample, opinions, self, {
    quotes: true,
    shown: ({ analysis }, located, id, flags) => {
      const message = anyMessageOf(analysis, located)
      const entry = message && { shown: message, problems: [], flags }
      return entry && everythingView.shown(id, entry, defaultLimits.messageText)
    },
    lengthOf: (it) => {
      if (it.kind === 'visible') return lengthOfMessage(it.message)
      return it.kind === 'hidden' ? it.text.length + it.omitted : 0
    },
  })
}

function lengthOfMessage({ parts, omitted }: PageMessage): number {
  return parts.reduce((sum, { text }) => sum + text.length, omitted)
}

function shownSample<Shown>(
  { branches }: JudgedSample,
  opinions: readonly Opinion[],
  self: string,
  showing: Showing<Shown>,
): ShownSample<Shown> {
  const problems: ReviewProblem[] = []
  const shown = branches.map((branch, nth) => {
    const own = new BranchMessages(branch, nth, opinions, self, showing)
    problems.push(...own.problems)
    return own
  })
  const [first] = shown
  if (!first) return { shared: [], branches: [], problems }
  const nShared = shown.length === 1 ? first.messages.length : sharedMessages(shown)
  return {
    shared: first.messages.slice(0, nShared),
    branches:
      shown.length === 1
        ? [{ length: 0, messages: [], nMore: first.nMore }]
        : shown.map(({ name, lengths, messages, nMore }) => ({
            ...(name !== undefined && { name }),
            length: lengths.slice(nShared).reduce((sum, it) => sum + it, 0),
            messages: messages.slice(nShared),
            nMore,
          })),
    problems: distinct(problems),
  }
}

/** The messages of one branch that are shown, as far as they fit into a page. */
class BranchMessages<Shown> {
  readonly name: string | undefined
  readonly messages: ReviewMessage<Shown>[] = []
  /** The same messages, as they compare. */
  readonly keys: string[] = []
  /** The length of each, and of those that do not fit. */
  readonly lengths: number[] = []
  readonly problems: ReviewProblem[] = []
  nMore = 0

  constructor(
    { name, document, problems, flags, sampleProblems: ofSample }: JudgedBranch,
    nth: number,
    opinions: readonly Opinion[],
    self: string,
    showing: Showing<Shown>,
  ) {
    this.name = name
    const { transcript } = document
    const bySegment = new Map<number, ReviewProblem[]>()
    for (const problem of problems) {
      const { index } = transcript.segmentAt(Math.min(problem.range.start, transcript.length))
      bySegment.set(index, [...(bySegment.get(index) ?? []), reviewProblem(problem, showing.quotes)])
    }
    this.problems.push(...ofSample.map((it) => reviewProblem(it, showing.quotes)))
    let index = 0
    let room = defaultLimits.text
    for (const located of transcript.segments()) {
      const isMessage = located.segment.kind === 'message'
      const own = bySegment.get(located.index) ?? []
      const message = isMessage
        ? showing.shown(document, located, `review-${nth}-${index}`, flags[index] ?? [])
        : undefined
      const length = message === undefined ? 0 : showing.lengthOf(message)
      const shownLength = Math.min(length, defaultLimits.messageText)
      const hasRoom =
        this.messages.length < defaultLimits.messages && (this.messages.length === 0 || shownLength <= room)
      if (message !== undefined) this.lengths.push(length)
      if (message === undefined) this.problems.push(...own)
      else if (hasRoom && this.nMore === 0) {
        room -= shownLength
        const notes = notesOf(opinions, { self, index, branch: name })
        this.messages.push({ shown: message, index, problems: distinct(own), notes })
        this.keys.push(located.segment.text)
      } else {
        this.nMore++
        this.problems.push(...own)
      }
      if (isMessage) index++
    }
  }
}

/** Messages that all branches begin with. */
function sharedMessages<Shown>(branches: readonly BranchMessages<Shown>[]): number {
  const [first, ...others] = branches
  const differs = first?.keys.findIndex((key, at) => others.some(({ keys }) => keys[at] !== key)) ?? 0
  return differs < 0 ? (first?.keys.length ?? 0) : differs
}

function notesOf(
  opinions: readonly Opinion[],
  {
    self,
    index,
    branch,
  }: { readonly self: string; readonly index: number; readonly branch: string | undefined },
): readonly ReviewNote[] {
  return opinions.flatMap(({ by, messageNotes }) =>
    messageNotes
      .filter((it) => it.message === index && (it.branch === undefined || it.branch === branch))
      .map(({ note }) => ({ by, text: note, isOwn: by === self })),
  )
}

const summaries: ReadonlyMap<string, string> = new Map(rules.map(({ name, summary }) => [name, summary]))

function reviewProblem(
  { severity, code, rule, message }: Pick<Problem, 'severity' | 'code' | 'rule' | 'message'>,
  quotes: boolean,
): ReviewProblem {
  const summary = summaries.get(rule)
  const text =
    quotes || summary === undefined
      ? quotes
        ? message
        : localize`A problem in the sample`
      : localized(summary)
  return { severity, code, text: text.replaceAll('`', '') }
}

/** The same problem of many messages is reported once. */
function distinct(problems: readonly ReviewProblem[]): readonly ReviewProblem[] {
  const seen = new Map(problems.map((it) => [`${it.code} ${it.text}`, it]))
  return [...seen.values()]
}
