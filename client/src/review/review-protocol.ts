/**
 * What the extension host and the page of a dataset say to each other while samples are reviewed. As in the preview, only what end
 * users see fits into {@link ReviewSample}; `everything` samples, which the reader must ask for, have a kind of their own.
 */
import type { UnreadSampleWords } from '../datasets/dataset-protocol.ts'
import { count, type MessageFields, messageIn, oneOf, text, textUpTo } from '../page-messages.ts'
import type { EverythingMessage, HiddenCounts, PageMessage } from '../preview/preview-protocol.ts'

/** A problem of a sample. */
export interface ReviewProblem {
  readonly severity: 'error' | 'warning' | 'information' | 'hint'
  readonly code: string
  /** A sentence. Without hidden text, it is what the rule reports in general, and quotes nothing. */
  readonly text: string
}

/** A note of a reviewer. */
export interface ReviewNote {
  /** Empty for people without a name. */
  readonly by: string
  readonly text: string
  readonly isOwn: boolean
}

/** A message with what there is to say about it. */
export interface ReviewMessage<Shown> {
  readonly shown: Shown
  /** Among the messages of the conversation, from 0. */
  readonly index: number
  readonly problems: readonly ReviewProblem[]
  readonly notes: readonly ReviewNote[]
}

/** A conversation of a sample. */
export interface ReviewBranch<Shown> {
  /** Absent if the sample has one conversation. */
  readonly name?: string
  /** UTF-16 code units of its text, without the messages that all branches begin with. */
  readonly length: number
  readonly messages: readonly ReviewMessage<Shown>[]
  /** Messages that are not shown, because the page would become too large. */
  readonly nMore: number
}

/** What a reviewer says about the sample as a whole. */
export interface ReviewOpinion {
  readonly by: string
  readonly isOwn: boolean
  readonly decision?: 'keep' | 'reject' | 'fix'
  /** The branch that is preferred. */
  readonly branch?: string
  readonly labels: readonly string[]
  readonly note?: string
}

/** A sample, as far as it does not depend on what is shown of its messages. */
export interface ReviewFrame {
  /** Among those listed, from 0. */
  readonly index: number
  /** The sample in words: its line, its place in a list, or its file with both. */
  readonly name: string
  /** Why the sample cannot be read. */
  readonly mistake?: UnreadSampleWords
  /** Problems that belong to no message that is shown. */
  readonly problems: readonly ReviewProblem[]
  readonly opinions: readonly ReviewOpinion[]
  /** True if all opinions are about what the sample was before it changed. */
  readonly isStale: boolean
  /** True if what others say is not shown, because the reviewer has not decided. */
  readonly isBlind: boolean
  /** The labels that can be given, in the order of their keys. */
  readonly labels: readonly string[]
  /** The other fields of the sample, as JSON. */
  readonly metadata: string
}

/** A sample with the messages that users see. */
export interface ReviewSample extends ReviewFrame {
  /** Messages that all branches begin with; all of them if there is one conversation. */
  readonly shared: readonly ReviewMessage<PageMessage>[]
  readonly branches: readonly ReviewBranch<PageMessage>[]
  /** How many messages users do not see; those that branches begin with together count once. */
  readonly hidden: HiddenCounts
}

/** A sample with all messages. */
export interface ReviewEverything extends ReviewFrame {
  readonly shared: readonly ReviewMessage<EverythingMessage>[]
  readonly branches: readonly ReviewBranch<EverythingMessage>[]
}

/** How far the review is. */
export interface ReviewProgress {
  readonly decided: number
  readonly total: number
  /** Those decided, by decision; `conflict` where people decide differently. */
  readonly counts: { readonly [Decision in ReviewMark]?: number }
  /** True while decisions are still compared with the samples. */
  readonly isCounting: boolean
}

/** What the list shows of a sample's review. */
export type ReviewMark = 'keep' | 'reject' | 'fix' | 'conflict' | 'stale'

/** What the reviewer asks the page itself to do. */
export type PageAct = 'note' | 'messageNote' | 'metadata' | 'swap' | 'keys' | 'preferFirst' | 'preferSecond'

/** From the extension host to the page. */
export type ToReviewPage =
  /** The reviewer begins: the page says with which sample. */
  | { readonly kind: 'reviewBegin' }
  | { readonly kind: 'reviewSample'; readonly sample: ReviewSample }
  /** After the reader asked for hidden text only. */
  | { readonly kind: 'reviewEverything'; readonly sample: ReviewEverything }
  | { readonly kind: 'reviewProgress'; readonly progress: ReviewProgress }
  /** All samples of the dataset that have one, by their places; the others have none. */
  | {
      readonly kind: 'reviewMarks'
      /** True if no other sample has a mark; otherwise the others keep theirs. */
      readonly isAll: boolean
      readonly marks: readonly (readonly [place: number, mark?: ReviewMark])[]
    }
  | { readonly kind: 'reviewAct'; readonly act: PageAct }
  /** A sentence for the status line: what was done, or why it was not. */
  | { readonly kind: 'reviewStatus'; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'reviewEnd' }

/** From the page to the extension host. */
export type FromReviewPage =
  /** The page was loaded, perhaps again. */
  | { readonly kind: 'reviewReady' }
  /** The reviewer begins, or goes to another sample of the list. */
  | { readonly kind: 'reviewShow'; readonly index: number }
  | { readonly kind: 'reviewEnd' }
  /** A button was pressed instead of its key. */
  | { readonly kind: 'reviewCommand'; readonly command: ReviewButton }
  | { readonly kind: 'reviewPrefer'; readonly branch: string }
  | { readonly kind: 'reviewLabel'; readonly index: number }
  | { readonly kind: 'reviewFix'; readonly branch?: string }
  | {
      readonly kind: 'reviewNote'
      readonly text: string
      readonly message?: number
      readonly branch?: string
    }
  | { readonly kind: 'reviewCopy'; readonly text: string }
  | { readonly kind: 'reviewLink'; readonly href: string }

/** The commands that have a button. */
const reviewButtons = [
  'keep',
  'reject',
  'fix',
  'tie',
  'confirm',
  'undo',
  'next',
  'previous',
  'nextUndecided',
  'showHidden',
  'showTraining',
] as const

/** A command that has a button. */
export type ReviewButton = (typeof reviewButtons)[number]

const branch = textUpTo(1000)

const fromPageFields: MessageFields<FromReviewPage> = {
  reviewReady: {},
  reviewShow: { index: count },
  reviewEnd: {},
  reviewCommand: { command: oneOf(reviewButtons) },
  reviewPrefer: { branch },
  reviewLabel: { index: count },
  reviewFix: { branch: { ifPresent: branch } },
  reviewNote: { text: textUpTo(10_000), message: { ifPresent: count }, branch: { ifPresent: branch } },
  reviewCopy: { text },
  reviewLink: { href: text },
}

/** Checks what came from a page; undefined for what is not a message about a review. */
export function fromReviewPage(value: unknown): FromReviewPage | undefined {
  return messageIn(value, fromPageFields)
}
