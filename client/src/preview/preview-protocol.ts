/**
 * What the extension host and the page of a preview say to one another. Only messages that an end user may see fit into
 * {@link PageMessage} (D15): no header, attribute, channel or call has a place there, so none can cross by accident.
 * The views that show hidden text, which a reader must ask for, have kinds of their own whose names begin with the name of the
 * view (`everything`, `context`, `training`); nothing else carries what is hidden.
 */

import type { HiddenKind } from '../datasets/dataset-protocol.ts'
import {
  count,
  fieldsIn,
  flag,
  type MessageFields,
  messageIn,
  number,
  oneOf,
  recordIn,
  text,
  textUpTo,
} from '../page-messages.ts'

/** The views of a transcript, in the order of the switch. */
export const previewViews = ['user', 'everything', 'context', 'training', 'replay'] as const

/**
 * What a preview shows: what users see, every message, what a model would be sent next, what a model is trained on, or what users
 * saw as it streamed.
 */
export type PreviewView = (typeof previewViews)[number]

/** A field of a sample that is not part of its conversation. */
export interface SideField {
  readonly name: string
  readonly value: string
}

/** A stretch of a message: Markdown, or a literal block that is shown as it stands. */
export interface PagePart {
  readonly kind: 'markdown' | 'literal'
  readonly text: string
}

/** The sides of a merge conflict, and what both of them changed. */
export type PageSide = 'current' | 'base' | 'incoming'

/** A stretch of a message with merge conflicts. */
export interface PageStretch {
  /** Absent for what both sides have. */
  readonly side?: PageSide
  /** Absent for a side that can't be read without the other one. */
  readonly parts?: readonly PagePart[]
  /** Its first line in the message. */
  readonly line: number
}

/** One visible message, as the page gets it. */
export interface PageMessage {
  /** Stays the same while a message is edited; never used twice. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** Display alias of the speaker. */
  readonly name?: string
  /** True for what the assistant says before it acts. */
  readonly isPreamble: boolean
  /** True for JSON, which is code and not prose. */
  readonly isJson: boolean
  readonly parts: readonly PagePart[]
  /** What is shown in place of `parts`, which are copied and edited: the sides of merge conflicts apart, without their markers. */
  readonly sides?: readonly PageStretch[]
  /** Set if the text can be edited in its source only: the body has more than text. */
  readonly isSourceOnly?: true
  /** True if the message has no terminator: it was cut off. */
  readonly isTruncated: boolean
  /** Set while a replay has not shown all of it. */
  readonly isStreaming?: true
  /** UTF-16 code units that were left off because the message is too long for the page; usually 0. */
  readonly omitted: number
  /** What its sample says of it for training, as written: names with numbers or truth values. */
  readonly flags?: readonly string[]
}

/** A kind of message of *Everything* that a reader can ask for alone. */
export const everythingGroups = ['reasoning', 'tools', 'instructions', 'problems'] as const

/** One of {@link everythingGroups}. */
export type EverythingGroup = (typeof everythingGroups)[number]

/** Which messages of *Everything* a reader wants to see. */
export interface GroupChoice {
  /** These only; all if there are none. */
  readonly groups: readonly EverythingGroup[]
  /** None of these. */
  readonly without: readonly EverythingGroup[]
}

/** How many messages each group has. */
export type EverythingCounts = Readonly<Record<EverythingGroup, number>>

/** How many messages users do not see, by the group in which *Everything* shows them; `problems` are hidden because of errors. */
export interface HiddenCounts extends EverythingCounts {
  /** True if there is no message at all, not even one that is hidden. */
  readonly isEmpty: boolean
}

/** A problem of a message. */
export interface EverythingProblem {
  readonly severity: 'error' | 'warning' | 'information' | 'hint'
  readonly message: string
}

/** What all messages of *Everything* may have. */
interface EverythingCommon {
  readonly id: string
  readonly problems: readonly EverythingProblem[]
  /** The side of a merge conflict in which it begins. */
  readonly side?: PageSide
  /** What the sample says of it for training, as written; absent if it says nothing. */
  readonly flags?: readonly string[]
}

/** A message that users do not see. Only *Everything* has it. */
export interface EverythingHiddenMessage extends EverythingCommon {
  readonly kind: 'hidden'
  /** What it is, if it is one of these. */
  readonly group: 'reasoning' | 'instructions' | undefined
  /** The role as written. */
  readonly role: string
  /** What else the header says, in words: channel, recipient, call id, and so on. */
  readonly labels: readonly string[]
  readonly text: string
  /** What is shown in place of `text`: the sides of merge conflicts apart, without their markers. */
  readonly sides?: readonly PageStretch[]
  /** As of {@link PageMessage}. */
  readonly isSourceOnly?: true
  readonly why: EverythingReason
  /** UTF-16 code units that were left off. */
  readonly omitted: number
}

/** Why users do not see a message. */
export interface EverythingReason {
  /** The end of a sentence. */
  readonly reason: string
  /** Where that is laid down: `2.2 §5, D15`. */
  readonly section: string
  /** True if readers do not expect it: it is not simply a call, a reply, instructions, or reasoning. */
  readonly isUnusual: boolean
}

/** A value of a call or reply: a string without its escapes, JSON on lines, or a diff. */
export interface EverythingBlock {
  readonly name?: string
  readonly kind: 'text' | 'json' | 'diff'
  readonly text: string
}

/** One side of a tool card. */
export interface EverythingToolSide {
  readonly labels: readonly string[]
  /** None if there are `sides`. */
  readonly blocks: readonly EverythingBlock[]
  /** The body by the sides of merge conflicts, without their markers. */
  readonly sides?: readonly PageStretch[]
  /** The body as written. */
  readonly raw: string
  readonly why: EverythingReason
  /** UTF-16 code units that were left off. */
  readonly omitted: number
}

/** A call and its reply as one, or one of them without the other. Only *Everything* has it. */
export interface EverythingToolMessage extends EverythingCommon {
  readonly kind: 'tool'
  /** The name of the tool, without `functions.`. */
  readonly tool: string
  readonly call: EverythingToolSide | undefined
  readonly reply: EverythingToolSide | undefined
  readonly isFailed: boolean
  /** In milliseconds. */
  readonly duration?: number
}

/** A message that users see, with what is cut out of it. Only *Everything* has it. */
export interface EverythingVisibleMessage extends EverythingCommon {
  readonly kind: 'visible'
  readonly message: PageMessage
  /** Private blocks that users do not see. */
  readonly privateText: string
}

/** A message of *Everything*. */
export type EverythingMessage = EverythingHiddenMessage | EverythingToolMessage | EverythingVisibleMessage

/** What one message puts into the prompt for the next one. Only the context view has it. */
export interface ContextPart {
  /** What becomes of it: it is sent, or dropped, or reasoning that is sent for a reason. */
  readonly fate: 'sent' | 'dropped' | 'unresolved' | 'behind-answer'
  /** The role, or the name of a tool. */
  readonly author: string
  /** What else its header says to the model, in words. */
  readonly labels: readonly string[]
  /** The body as the model gets it. */
  readonly text: string
  /** UTF-16 code units that were left off. */
  readonly omitted: number
  /** Why reasoning is sent or not: a sentence; and where that is laid down. */
  readonly why?: string
  readonly section?: string
  /** Tokens with header and terminator; absent until they are counted. */
  readonly tokens?: number
}

/** A message of the transcript in the context view. */
export interface ContextMessage {
  /** `start` for what asks the model to go on, `nothing` for what is not a message and is not sent. */
  readonly kind: 'messages' | 'start' | 'nothing'
  readonly id: string
  readonly author: string
  /** Usually one; more where a model gets one message as several. */
  readonly parts: readonly ContextPart[]
  /** Tokens of a `start`. */
  readonly tokens?: number
}

/** The whole prompt in numbers. */
export interface ContextTotals {
  /** Tokens that are sent, those with which the next message begins included. */
  readonly sent: number
  /** Tokens of reasoning that is left out. */
  readonly dropped: number
  readonly sentMessages: number
  readonly droppedMessages: number
  /** As long as it is `counting`, the numbers are those of a part; after a failure they mean nothing. */
  readonly state: 'counting' | 'done' | 'failed'
  /** While counting: the part that is done, from 0 to 1. */
  readonly progress?: number
  /** Set for a prompt with inputs, whose template tags are counted as they are written: a model never gets them. */
  readonly isTemplate?: true
}

/** What a message of a sample becomes in the text that a model is trained on. Only the training view has it. */
export interface TrainingMessage {
  readonly id: string
  readonly role: string
  /** What the sample says of it for training, as written. */
  readonly flags: readonly string[]
  readonly text: string
  /** UTF-16 code units that were left off. */
  readonly omitted: number
  readonly tokens: TrainingTokens
  /** The index in `tokens` of the first one beyond the maximal length, if it is in this message. */
  readonly limit?: number
}

/** Tokens of a text, by index. Without a tokenizer, they are stretches of it. */
export interface TrainingTokens {
  /** Index of the first of them among all tokens of the sample. */
  readonly first: number
  /** Empty without a tokenizer. */
  readonly ids: readonly number[]
  /** UTF-16 code units of the text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  /** Special is 1, trained 2, cut 4, added up. */
  readonly flags: readonly number[]
  /** Of tokens that are not whole characters: index, and the first byte and that after the last one, of these characters. */
  readonly parts: readonly (readonly [index: number, from: number, to: number])[]
}

/** What a reader of the training view can choose. */
export const trainingChoices = ['template', 'tokenizer', 'mask', 'length'] as const

/** One of {@link trainingChoices}. */
export type TrainingChoiceName = (typeof trainingChoices)[number]

/** The whole sample in numbers, and what it is rendered by. */
export interface TrainingTotals {
  /** While `rendering`, what is shown is that of before. */
  readonly state: 'rendering' | 'done' | 'failed'
  readonly trained: number
  readonly total: number
  readonly unit: 'tokens' | 'characters'
  /** What is chosen, in words. */
  readonly choices: Readonly<Record<TrainingChoiceName, string>>
  /** True if the template can be opened. */
  readonly hasTemplateFile: boolean
  /** What readers have to know of these numbers, and the problems of the sample. */
  readonly notes: readonly string[]
  /** Why nothing can be shown, after `failed`. */
  readonly failure?: string
}

/** A moment of a replay: the first `length` UTF-16 code units of a message had arrived. */
export interface ReplayStep {
  /** Index into the messages of the replay. */
  readonly message: number
  readonly length: number
}

/** Visible messages as they streamed: after each step, a user had seen a little more. */
export interface Replay {
  readonly messages: readonly PageMessage[]
  readonly steps: readonly ReplayStep[]
  /** The step at which the reader's message begins. */
  readonly start: number
  /** True if the last message has no terminator: the stream breaks off. */
  readonly isTruncated: boolean
  /** True if more messages follow that are not replayed. */
  readonly isCut: boolean
}

/** One step from an old window of messages to a new one. Steps apply in order. */
export type PageChange<Shown extends { readonly id: string } = PageMessage> =
  | { readonly kind: 'remove'; readonly id: string }
  /** Inserts after the message `after`, or at the top of the window without one. */
  | { readonly kind: 'insert'; readonly after?: string; readonly message: Shown }
  /** Replaces the content of the message with the same id, where it is. */
  | { readonly kind: 'replace'; readonly message: Shown }

/** A window of messages that changed. */
export interface WindowUpdate<Shown extends { readonly id: string }> {
  readonly sequence: number
  /** Index of the first message of the window among all. */
  readonly first: number
  readonly total: number
  readonly changes: readonly PageChange<Shown>[]
  /** The message that has to come to the top, if the reader jumped. */
  readonly top?: MessageLine
}

/** A line of a message: zero-based, counted in its visible text; a fraction is between two lines. */
export interface MessageLine {
  readonly id: string
  readonly line: number
}

/** Where a reader is: the message at the top of the screen. */
export interface PagePlace {
  /** Index among all messages of the view. */
  readonly index: number
  /** Line of that message at the top. */
  readonly line: number
}

/** What a page keeps over a reload: where it was, never what it showed. The place is that in the usual view. */
export interface PageState extends PagePlace {
  readonly uri: string
  readonly isLocked: boolean
  /** The place in a view that shows hidden text, while there is one: it has more messages. */
  readonly hidden?: PagePlace
}

/** What a page gets when a document begins. */
export interface PageSettings {
  readonly uri: string
  /** True if the panel stays with the document. */
  readonly isLocked: boolean
  /** True if TeX in messages is shown as formulas. */
  readonly hasMath: boolean
}

/** A match of a search, in the message with this id. */
export interface CurrentMatch {
  readonly id: string
  /** Its place among the matches in the message, from zero. */
  readonly nth: number
  /** Its place among all matches, from zero. */
  readonly number: number
}

/** From the extension host to the page. */
export type ToPage =
  /** Another document begins; the messages of the one before go with the next update. */
  | ({ readonly kind: 'open' } & PageSettings)
  /** The window of visible messages changed. */
  | ({ readonly kind: 'update' } & WindowUpdate<PageMessage>)
  /** How many messages users do not see, as numbers and nothing more. */
  | { readonly kind: 'hiddenCounts'; readonly counts: HiddenCounts }
  /** *Everything* has to show this group alone. */
  | { readonly kind: 'everythingGroup'; readonly group: EverythingGroup }
  /** As `open`, for *Everything*: the page says above all else that it shows hidden text. */
  | ({ readonly kind: 'everythingOpen' } & PageSettings)
  /** As `update`, for *Everything*, after `everythingOpen` only. */
  | ({ readonly kind: 'everythingUpdate' } & WindowUpdate<EverythingMessage>)
  /** How many messages each group has, in *Everything* only. */
  | { readonly kind: 'everythingCounts'; readonly counts: EverythingCounts }
  /** As `open`, for the context view. */
  | ({ readonly kind: 'contextOpen' } & PageSettings)
  /** As `update`, for the context view, after `contextOpen` only. */
  | ({ readonly kind: 'contextUpdate' } & WindowUpdate<ContextMessage>)
  /** How many tokens the context has, in the context view only. */
  | { readonly kind: 'contextTotals'; readonly totals: ContextTotals }
  /** As `open`, for the training view. */
  | ({ readonly kind: 'trainingOpen' } & PageSettings)
  /** As `update`, for the training view, after `trainingOpen` only. */
  | ({ readonly kind: 'trainingUpdate' } & WindowUpdate<TrainingMessage>)
  /** How much of the sample is trained, in the training view only. */
  | { readonly kind: 'trainingTotals'; readonly totals: TrainingTotals }
  | ({ readonly kind: 'reveal' } & MessageLine)
  /** The reader wants the text of this message on the clipboard. */
  | { readonly kind: 'copyMessage'; readonly id: string }
  /**
   * The reader wants to edit this message, which may come with the next update; `text` is what they wrote already, which
   * could not be saved.
   */
  | { readonly kind: 'edit'; readonly id: string; readonly text?: string }
  /** *Everything* has to leave out the group of this message. */
  | { readonly kind: 'everythingHide'; readonly id: string }
  /** The text cursor is in this message, or in none that is visible. */
  | { readonly kind: 'mark'; readonly id?: string }
  | { readonly kind: 'lock'; readonly isLocked: boolean }
  /** As `open`, for a replay, which the page then asks for. */
  | ({ readonly kind: 'replayOpen' } & PageSettings)
  /** The conversation as it streamed, after `replayOpen` only. */
  | { readonly kind: 'replay'; readonly replay: Replay }
  /** What a sample says besides its conversation: names and short values; none takes back what was shown. */
  | { readonly kind: 'metadata'; readonly fields: readonly SideField[] }
  /** What a query found in the sample that is shown: stretches of visible text, and the names of hidden texts. */
  | { readonly kind: 'found'; readonly texts: readonly string[]; readonly hidden: readonly HiddenKind[] }
  /** How often the view has the words that the reader looks for, on the page and beyond it, and the match to go to. */
  | {
      readonly kind: 'matches'
      readonly query: string
      readonly total: number
      /** True if there are more. */
      readonly isCut: boolean
      readonly current?: CurrentMatch
    }
  /** There is nothing to show, because the document cannot be read. */
  | { readonly kind: 'unavailable' }

/**
 * How long the side that follows the other's scrolling stays silent, in milliseconds: longer than both need to settle. While
 * the editor leads, the page says so in the attribute `data-lead` of its root.
 */
export const leadTime = 250

/** The most that a reader can look for, in UTF-16 code units. */
export const longestQuery = 1000

/** From the page to the extension host. */
export type FromPage =
  /** The page was loaded, perhaps again, and shows nothing; it was at this message of this document. */
  | ({ readonly kind: 'ready' } & Omit<PageState, 'isLocked'>)
  /**
   * The reader looks for words, none to stop: from the message at `index` on, or one match further than the current one, or
   * back.
   */
  | { readonly kind: 'find'; readonly query: string; readonly index: number; readonly step: -1 | 0 | 1 }
  /** The update with this number is on the screen. */
  | { readonly kind: 'applied'; readonly sequence: number }
  /** The reader came near an edge of the window, or jumped: messages around this index are wanted. */
  | { readonly kind: 'want'; readonly index: number; readonly isJump: boolean }
  /** The reader scrolled. */
  | ({ readonly kind: 'scrolled' } & MessageLine)
  | ({ readonly kind: 'openSource' } & MessageLine)
  /** The reader wants a message that said `before` to say `text`. */
  | { readonly kind: 'editMessage'; readonly id: string; readonly before: string; readonly text: string }
  /** What would be edited if the reader left the field of a message: a panel that is closed can't say it. No text if nothing would be. */
  | { readonly kind: 'keepDraft'; readonly id: string; readonly before: string; readonly text?: string }
  /** The reader takes the last change of the document back, or does it again. */
  | { readonly kind: 'undo' | 'redo' }
  /** The reader saves the document. */
  | { readonly kind: 'save' }
  | { readonly kind: 'openLink'; readonly href: string }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'setLocked'; readonly isLocked: boolean }
  /** The page is ready for the messages of a replay. */
  | { readonly kind: 'startReplay' }
  /** The reader chose a view. The extension host decides whether to show it. */
  | { readonly kind: 'chooseView'; readonly view: PreviewView; readonly group?: EverythingGroup }
  /** Opens the source of the reply in a tool card. */
  | { readonly kind: 'openReply'; readonly id: string }
  /** Asks the reader for a template, and so on, of the training view. */
  | { readonly kind: 'chooseTraining'; readonly name: TrainingChoiceName }
  /** Opens the template next to the view, where it failed if it did. */
  | { readonly kind: 'openTemplate' }
  /** Opens the source of what is at an offset of the text of a message of the training view, in UTF-16 code units. */
  | { readonly kind: 'openTrained'; readonly id: string; readonly offset: number }
  /** The reader points at that place: the lines of the template that wrote it are marked, where the template is open. */
  | { readonly kind: 'pointTrained'; readonly id: string; readonly offset: number }
  /** *Everything* has to show these groups only, where none means all, without those that are left out. */
  | ({ readonly kind: 'chooseGroups' } & GroupChoice)

const place = (value: unknown) => fieldsIn<PagePlace>(value, { index: count, line: number })
const groups = (value: unknown) =>
  Array.isArray(value) ? everythingGroups.filter((it) => value.includes(it)) : undefined
const lineOfMessage = { id: text, line: number }
const offsetInMessage = { id: text, offset: count }

const fromPageFields: MessageFields<FromPage> = {
  ready: { uri: text, index: count, line: number, hidden: { ifPresent: place } },
  find: { query: textUpTo(longestQuery), index: count, step: oneOf([-1, 0, 1] as const) },
  applied: { sequence: count },
  want: { index: count, isJump: flag },
  scrolled: lineOfMessage,
  openSource: lineOfMessage,
  editMessage: { id: text, before: text, text },
  keepDraft: { id: text, before: text, text: { ifPresent: text } },
  undo: {},
  redo: {},
  save: {},
  openLink: { href: text },
  copy: { text },
  setLocked: { isLocked: flag },
  startReplay: {},
  chooseView: { view: oneOf(previewViews), group: { ifPresent: oneOf(everythingGroups) } },
  openReply: { id: text },
  chooseTraining: { name: oneOf(trainingChoices) },
  openTemplate: {},
  openTrained: offsetInMessage,
  pointTrained: offsetInMessage,
  chooseGroups: { groups, without: groups },
}

/** `value` as a message from the page, or `undefined` if it is not one: what comes over the wire is checked, not trusted. */
export function fromPage(value: unknown): FromPage | undefined {
  return messageIn(value, fromPageFields)
}

/** `value` as the state of a page, or `undefined` if it is not one. */
export function pageState(value: unknown): PageState | undefined {
  const state = recordIn(value) ?? {}
  const uri = text(state.uri)
  const hidden = place(state.hidden)
  if (uri === undefined) return undefined
  return {
    uri,
    isLocked: state.isLocked === true,
    index: count(state.index) ?? 0,
    line: number(state.line) ?? 0,
    ...(hidden && { hidden }),
  }
}
