/** What a rule is: one diagnostic with its documentation, its examples, its check and its fix. */

import type { JsonValue } from '../embedded/yaml-header.ts'
import type { Analysis } from '../semantics/analysis.ts'
import type { DocumentSettings } from '../semantics/document-settings.ts'
import type { Exchange } from '../semantics/exchange-index.ts'
import type { Message } from '../semantics/message.ts'
import type { MessageFacts } from '../semantics/message-facts.ts'
import type { MessageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { SyntaxProblem, SyntaxProblemKind } from '../syntax/syntax-problem.ts'
import type { Range, Span, TextEdit } from '../text/range.ts'
import type { Intent } from '../vocabulary/intents.ts'

/** How bad a problem is: MUST → error, SHOULD → warning, otherwise hint; information for data that reports an event. */
export type Severity = 'error' | 'warning' | 'information' | 'hint'

/** A replacement inside the segment that a finding is about. */
export interface SpanEdit {
  readonly span: Span
  readonly text: string
}

/** A way to fix a finding. */
export interface Fix {
  /** What the fix does, as an imperative without final stop: `Remove the second channel`. */
  readonly title: string
  /** Edits in order of the text, not overlapping. */
  readonly edits: readonly SpanEdit[]
  /** True only if the fix cannot change what the transcript means. */
  readonly isSafe: boolean
  /** True for one of several values that may be meant: never applied without being chosen. */
  readonly isChoice?: boolean
}

/** Another place that helps to understand a finding. */
export interface RelatedSpan {
  readonly segment: Segment
  readonly span: Span
  readonly message: string
}

/** What a rule found in a segment. */
export interface Finding {
  /** The smallest text that a user would change, relative to the segment. */
  readonly span: Span
  /** What is wrong: one sentence in the present tense, no final stop, values in backticks. */
  readonly message: string
  /** If it differs from the severity of the rule. */
  readonly severity?: Severity
  readonly related?: readonly RelatedSpan[]
  /** Ways to fix it, the best first. */
  readonly fixes?: readonly Fix[]
  /** True if only a placeholder of a template causes it, wherever the finding is marked; false if it is about a template. */
  readonly isOnTemplate?: boolean
  /** Marks text that has no effect, or that is outdated. */
  readonly tag?: 'unnecessary' | 'deprecated'
}

/** What rules on training data know of the sample that a transcript is. */
export interface SampleTraits {
  /** True if the form has one message of the user and one of the assistant in turn. */
  readonly alternates: boolean
  /** True if its messages have the words of our headers. Those of other forms are what a reader made of the sample (F2). */
  readonly hasHeaders: boolean
}

/** What a rule knows of the message it looks at. */
export interface MessageContext {
  readonly segment: Segment
  readonly facts: MessageFacts
  readonly analysis: Analysis
  /** True if no segment follows. */
  readonly isLast: boolean
  /** True if a message of the user is before it. */
  readonly followsUser: boolean
  /** The hidden messages of the assistant since the last message that the user wrote or saw, nearest first; looked up when asked for. */
  readonly unseenBefore: readonly Segment[]
  /** What the transcript is for, by its header or by a setting; undefined if neither says. */
  readonly intent: Intent | undefined
  /** Undefined for a transcript that is not a sample of a dataset. */
  readonly sample: SampleTraits | undefined
  /** The message directly before it; looked up when asked for. Only rules of the group `data` may ask. */
  readonly previous: MessageFacts | undefined
  /** True if the message has a character that the scripts of Europe do not need: a quick check for rules about such characters. */
  readonly hasUnusualCharacters: boolean
  /** The parts of the message; made when asked for. */
  readonly view: MessageView
}

/** What a rule on calls and replies knows besides the message. */
export interface ExchangeContext extends MessageContext {
  readonly exchange: Exchange
  /** True if a user message or a final answer of the assistant is after the message (D13). */
  readonly turnMovedOn: boolean
}

/** The documentation of a rule; the pages and `ocm rules` are made from it. */
export interface RuleDocumentation {
  /** Named for the bad thing: `duplicate-call-id`. */
  readonly name: string
  /** The code that users see; several rules may share one. */
  readonly code: string
  readonly severity: Severity
  /** Where it is written: `2.2 §6, D6`. */
  readonly section: string
  /** `data` for a check of training data (S16): on for samples of datasets, and off for transcripts unless a setting says otherwise. */
  readonly group?: 'data'
  /** One line. */
  readonly summary: string
  /** Why it matters: a few sentences of Markdown, one per line. */
  readonly why: string
  /** A transcript with exactly this problem. */
  readonly bad: string
  /** A transcript without any error or warning; where there is a fix, what it makes of `bad`. */
  readonly good: string
}

/** Explains one kind of syntax problem. */
export interface SyntaxRule extends RuleDocumentation {
  readonly scope: 'syntax'
  readonly kind: SyntaxProblemKind
  /** Undefined if the document's settings make the finding lawful. */
  explain(problem: SyntaxProblem, context: MessageContext): Finding | undefined
}

/** What a rule on headers may look at: the preamble, what it says, and three facts about the messages. */
export type HeaderContext = Pick<
  Analysis,
  'preamble' | 'header' | 'settings' | 'dialect' | 'usesVersion2' | 'unusedInputs'
>

/** Looks at the header. Runs again when something of its context changes. */
export interface HeaderRule extends RuleDocumentation {
  readonly scope: 'header'
  check(context: HeaderContext): readonly Finding[]
}

/** What all messages of a document are judged by. */
export interface Conditions {
  readonly settings: DocumentSettings
  /** What the transcript is for, by its header or by a setting; undefined if neither says. */
  readonly intent: Intent | undefined
  /** True in OpenChatML 0.1, which has neither channels nor recipients nor call ids (D3). */
  readonly hasTurns: boolean
  /** Undefined for a transcript that is not a sample of a dataset. */
  readonly sample?: SampleTraits | undefined
}

/** Looks at one message, its facts and the document's settings. */
export interface MessageRule extends RuleDocumentation {
  readonly scope: 'message'
  /**
   * False for messages that the rule has nothing to say about. Only such messages are checked that concern the rule.
   * Asked once for all facts of a shape (`shapeOf`): what the words in the facts say is for `check`. By default, true.
   */
  concerns?(facts: MessageFacts, document: Conditions): boolean
  /** Findings that may be many are made one by one: of one message, the first thousands are kept. */
  check(context: MessageContext): Iterable<Finding> | Finding | undefined
}

/** Looks at a call or a reply and what it belongs to. */
export interface ExchangeRule extends RuleDocumentation {
  readonly scope: 'exchange'
  check(context: ExchangeContext): Iterable<Finding> | Finding | undefined
}

/** Looks at a file of a sequence or a fill-in-the-middle task (0.1). */
export interface SequenceRule extends RuleDocumentation {
  readonly scope: 'sequence'
  check(segment: Segment): Finding | undefined
}

/** Names what reading a sample of a dataset reports. Its examples are samples, as JSON on one line. */
export interface SampleRule extends RuleDocumentation {
  readonly scope: 'sample'
  /** The kinds of losses that it reports. */
  readonly notes: readonly string[]
}

/** Looks at the branches of a sample: a chosen and a rejected answer, or several completions. Its examples are samples. */
export interface BranchRule extends RuleDocumentation {
  readonly scope: 'branches'
  /** What is wrong, as one sentence without final stop; undefined if nothing is. */
  check(branches: readonly SampleBranch[]): string | undefined
}

/** A branch of a sample. */
export interface SampleBranch {
  readonly name: string
  /** All messages, with those of the prompt. */
  readonly messages: readonly Message[]
}

/** Looks at a sample as a chat template renders it. Its examples are a `tokenizer_config.json` on one line, and a sample. */
export interface RenderingRule extends RuleDocumentation {
  readonly scope: 'rendering'
  /** What is wrong, as one sentence without final stop; undefined if nothing is. `others` are the other branches of the sample. */
  check(rendering: SampleRendering, others: readonly SampleRendering[]): string | undefined
}

/** A sample as a chat template renders it. Offsets are UTF-16 code units of the text. */
export interface SampleRendering {
  /** Empty if the template fails. */
  readonly text: string
  readonly mask: string
  readonly unit: 'tokens' | 'characters'
  /** What counts in the loss. */
  readonly trained: readonly Range[]
  /** Where the maximal length ends. */
  readonly keptEnd: number
  readonly isAnswerCut: boolean
  /** Messages that are rendered differently without those that follow, by index. */
  readonly unstable: readonly number[]
  /** Messages of which something is missing in the text, by index. */
  readonly lost: readonly number[]
  /** Tools whose definitions are missing in the text, or parts of them, by name. */
  readonly lostTools: readonly string[]
  readonly nTrained: number
  /** How many are beyond the maximal length. */
  readonly nCut: number
  /** Why the template refuses the sample, in its own words; lines and columns from 1. */
  readonly failure?: { readonly line: number; readonly column: number; readonly message: string }
}

/** Looks at all samples of a run. Its examples are samples, one a line. */
export interface DatasetRule extends RuleDocumentation {
  readonly scope: 'dataset'
  /** What is wrong, as one sentence without final stop; undefined if nothing is. */
  check(sums: DatasetSums): string | undefined
  /** The samples that the problem is about, where removing or changing them fixes it; absent for a problem of all samples. */
  samples?(sums: DatasetSums): CountedSamples
  /** Those that it compares, if a problem is about all of them together. */
  compared?(sums: DatasetSums): CountedSamples
}

/** Samples that have something in common. */
export interface CountedSamples {
  readonly count: number
  /** All of them, from 0 in the order in which they were added. */
  readonly places: readonly number[]
  /** The first of them, as people see them: `data.jsonl:17`, or `data.jsonl:17 = data.jsonl:3`. */
  readonly examples: readonly string[]
}

/** What the samples of a run are, taken together. */
export interface DatasetSums {
  /** Those that say the same as an earlier one. */
  readonly duplicates: CountedSamples
  /** Those that say nearly the same as an earlier one. */
  readonly nearDuplicates: CountedSamples
  /** Those that are in the other dataset as well, or nearly. */
  readonly leaks: CountedSamples
  /** Those with arguments of calls as text, and as objects. */
  readonly textArguments: CountedSamples
  readonly objectArguments: CountedSamples
  /** Those with reasoning in tags of the answer, and in a field of its own. */
  readonly inlineReasoning: CountedSamples
  readonly separateReasoning: CountedSamples
  readonly pairs: CountedSamples
  /** How many of the pairs have the longer answer chosen. */
  readonly nLongerChosen: number
}

/** Looks at a prompt, filled with each of its cases. Its examples are prompts without parts. */
export interface PromptRule extends RuleDocumentation {
  readonly scope: 'prompt'
  check(prompt: FilledCases): Iterable<PromptFinding>
}

/** What a rule found in a prompt. */
export interface PromptFinding {
  /** In the prompt. */
  readonly range: Range
  /** What is wrong: one sentence in the present tense, no final stop, values in backticks. */
  readonly message: string
  /** Ways to fix it, in offsets of the prompt, the best first. */
  readonly fixes?: readonly {
    readonly title: string
    readonly edits: readonly TextEdit[]
    readonly isSafe: boolean
  }[]
}

/** A prompt with its cases. */
export interface FilledCases {
  /** The prompt as it is written. */
  readonly analysis: Analysis
  /** One without a name and values for a prompt that has no cases. */
  readonly cases: readonly FilledCase[]
}

/** A prompt, filled with a case. */
export interface FilledCase {
  readonly name: string | undefined
  /** The values of the inputs, with defaults. */
  readonly values: ReadonlyMap<string, JsonValue>
  /** The filled prompt; of a prompt that cannot be filled, what could be. */
  readonly analysis: Analysis
  /** Why it cannot be filled; `range` is in the prompt. Empty if it can. */
  readonly problems: readonly {
    readonly kind: 'value' | 'name' | 'part' | 'syntax' | 'template' | 'limit'
    readonly range: Range
    readonly message: string
  }[]
  /** False if its sizes are not compared with budgets, because only other cases were asked for. */
  readonly isChosen: boolean
  /** How large its parts are; undefined if they are not counted. */
  readonly sizes: readonly ItemSize[] | undefined
}

/** A part of a filled prompt with its tokens. */
export interface ItemSize {
  readonly kind: 'message' | 'section' | 'tool'
  /** The role of a message, the heading of a section, the name of a tool. */
  readonly name: string
  readonly tokens: number
}

/** Any rule; the scope determines its inputs, and so when it has to run again. */
export type Rule =
  | SyntaxRule
  | HeaderRule
  | MessageRule
  | ExchangeRule
  | SequenceRule
  | SampleRule
  | BranchRule
  | RenderingRule
  | DatasetRule
  | PromptRule
