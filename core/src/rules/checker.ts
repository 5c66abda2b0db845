/**
 * Runs the rules and keeps what they found per segment. An edit checks the segments it touched again, the calls and
 * replies whose exchange changed, and, only if settings changed, everything: in slices, when {@link Checker.advance} is called.
 */

import { lineBreakOf } from '../document/line-break.ts'
import type { Located } from '../document/segment-list.ts'
import type { Analysis, AnalysisChange } from '../semantics/analysis.ts'
import { MergeConflicts } from '../semantics/merge-conflicts.ts'
import { factsOf } from '../semantics/message-facts.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import type { Intent } from '../vocabulary/intents.ts'
import { withoutAllowed } from './allowed-findings.ts'
import { callsToCheck } from './calls-to-check.ts'
import { type CheckContext, CheckedMessage } from './checked-message.ts'
import { type FlaggedSegment, FoundProblems, type RuleFinding } from './found-problems.ts'
import { conflictFindings, mergeConflict } from './message/merge-conflict.ts'
import { type Problem, toProblem } from './problem.ts'
import { ReferenceMessages } from './reference-messages.ts'
import type { Conditions, FilledCase, PromptFinding, Rule, SampleTraits, Severity } from './rule.ts'
import { choiceOfRules, type RuleChoice } from './rule-choice.ts'
import { rules as allRules } from './rule-registry.ts'
import type { RuleSettings } from './rule-settings.ts'
import { RuleRun } from './run-rules.ts'
import { withoutTemplateFindings } from './template-findings.ts'
import { seenBehind } from './unseen-before.ts'

/** The problems of a document, or the first of them. */
export interface ProblemList {
  /** In order of the text. */
  readonly problems: readonly Problem[]
  /** How many there are in total. */
  readonly total: number
}

/** How the checker works. */
export interface CheckerOptions {
  /** The rules to run; by default all. */
  readonly rules?: readonly Rule[]
  /** What users set for rules, the least specific place first. What the header of the transcript says counts more. */
  readonly settings?: readonly RuleSettings[]
  /**
   * False to report what placeholders of templates, such as `{{ name }}`, cause; by default they are taken for what will be
   * there, and always in transcripts that declare `inputs`.
   */
  readonly templates?: boolean
  /** What transcripts are for that do not say it in their header. */
  readonly intent?: Intent | undefined
  /** What the transcript is a sample of, if it is one: then it is checked as training data as well. */
  readonly sample?: SampleTraits | undefined
  /** True to report what is wrong in fixtures as severely as elsewhere: for tests that expect it. */
  readonly judgesFixtures?: boolean
  /** Called when a rule throws, which is a bug: the other rules still run. */
  readonly onRuleError?: (rule: Rule, error: unknown) => void
}

const checkedAtOnce = 32 // messages after an edit; more of them are for time slices

/** The problems of a transcript, kept up to date. */
export class Checker {
  readonly #analysis: Analysis
  readonly #options: CheckerOptions
  #setup: CheckSetup
  readonly #found = new FoundProblems((segment) => this.#check(segment))
  readonly #references: ReferenceMessages
  /** Undefined in samples of datasets, which no merge writes. */
  readonly #conflicts: MergeConflicts | undefined
  /** What the rules on headers judged last. */
  #header: HeaderInputs
  /** The segment from which on nothing has been checked yet. */
  #next: Segment | undefined
  /** Segments to check again: calls whose definition changed, and what an edit changed besides the first few. */
  readonly #waiting = new Set<Segment>()
  #inLine = this.#waiting.values()
  /** What rules on prompts found when it was filled last, except in segments that were edited since. */
  readonly #inFilled = new Map<Segment, readonly RuleFinding[]>()
  #isFilled = false

  constructor(analysis: Analysis, options: CheckerOptions = {}) {
    this.#analysis = analysis
    this.#options = options
    this.#references = new ReferenceMessages(analysis)
    this.#conflicts = options.sample ? undefined : new MergeConflicts(analysis)
    this.#setup = this.#setupFor(this.#readConditions())
    this.#header = headerInputs(analysis)
    this.#next = analysis.preamble
  }

  /** True if segments still wait to be checked; see {@link advance}. */
  get isPending(): boolean {
    return this.#next !== undefined || this.#waiting.size > 0
  }

  /** How many problems were found so far: all of them unless checks are pending. */
  get totalSoFar(): number {
    return this.#found.total
  }

  /** Grows whenever problems come, go, or change in a way that is not only a matter of where they are. */
  get revision(): number {
    return this.#found.revision
  }

  /** Checks up to `segments` waiting segments; true when none waits any more. */
  advance(segments = Number.POSITIVE_INFINITY): boolean {
    let left = segments
    if (this.#next) {
      this.#next = this.#analysis.transcript.findFirstSegment((segment, index) => {
        if (left-- <= 0) return true
        this.#found.setFirst(segment, this.#check(segment, index))
        return false
      }, this.#firstUnchecked())
    }
    while (this.#waiting.size > 0 && left-- > 0) this.#recheck(this.#nextWaiting())
    return !this.isPending
  }

  /** Takes the first segment that waits. One iterator is kept, as each new one passes all places of those taken before. */
  #nextWaiting(): Segment {
    const { done, value } = this.#inLine.next()
    if (done) {
      this.#inLine = this.#waiting.values()
      return this.#nextWaiting()
    }
    this.#waiting.delete(value)
    return value
  }

  /** Takes over an edit that the analysis has made. */
  update(change: AnalysisChange): void {
    const analysis = this.#analysis
    for (const segment of change.removed) {
      this.#found.set(segment, [])
      this.#waiting.delete(segment)
      this.#inFilled.delete(segment)
    }
    const judgedByReferences = this.#references.update(change)
    for (const segment of this.#conflicts?.update(change) ?? []) {
      if (analysis.transcript.locate(segment)) this.#waiting.add(segment)
    }
    const conditions = this.#readConditions()
    if (!isSame(conditions, this.#setup.conditions)) this.#setup = this.#setupFor(conditions)
    if (change.affectsAll) {
      this.#header = headerInputs(analysis)
      this.#next = analysis.preamble
      this.#waiting.clear()
      return
    }
    this.#findNext(change)
    const toCheck = new Set<Segment>(change.inserted)
    for (const segment of change.exchanges) toCheck.add(segment)
    for (const segment of judgedByReferences) toCheck.add(segment)
    if (this.#hasHeaderChanged()) toCheck.add(analysis.preamble)
    for (const segment of callsToCheck(analysis, change, this.#found.segments())) this.#waiting.add(segment)
    for (const segment of change.behind) {
      const seen = seenBehind(analysis, segment)
      if (seen) toCheck.add(seen)
      // Rules on training data look at the message before.
      if (conditions.sample && analysis.transcript.locate(segment)) toCheck.add(segment)
    }
    let left = checkedAtOnce
    for (const segment of toCheck) {
      if (left-- <= 0) {
        this.#waiting.add(segment)
        continue
      }
      this.#waiting.delete(segment)
      this.#recheck(segment)
    }
    if (!this.#next && this.#waiting.size <= checkedAtOnce) this.advance()
  }

  /** True if the transcript is a prompt whose cases were given to {@link fill}. */
  get isFilled(): boolean {
    return this.#isFilled
  }

  /**
   * Takes over how the transcript looks filled with each of its cases, or undefined for one that is not a prompt: the rules on
   * prompts run now. What they find in a message holds until the message is edited.
   */
  fill(cases: readonly FilledCase[] | undefined): void {
    const { transcript } = this.#analysis
    if (!cases && !this.#isFilled) return
    const changed = new Set(this.#inFilled.keys())
    this.#inFilled.clear()
    this.#isFilled = cases !== undefined
    const prompt = cases && { analysis: this.#analysis, cases }
    for (const { rule, finding } of prompt ? this.#setup.run.checkPrompt(prompt) : []) {
      const { segment, start } = transcript.segmentAt(Math.min(finding.range.start, transcript.length))
      const before = this.#inFilled.get(segment) ?? []
      this.#inFilled.set(segment, [...before, { rule, finding: inSegment(finding, start) }])
      changed.add(segment)
    }
    // Whether an allowance is used is known only now.
    transcript.forEachSegment((segment) => {
      if (factsOf(segment)?.hasAllow) changed.add(segment)
    })
    for (const segment of changed) this.#recheck(segment)
  }

  /** The problems in order of the text, at most `limit`; checks what is still pending first. */
  problems(limit = Number.POSITIVE_INFINITY): ProblemList {
    this.advance()
    return this.problemsSoFar(limit)
  }

  /** The problems found so far, in order of the text, at most `limit`: for a server, which checks in time slices. */
  problemsSoFar(limit = Number.POSITIVE_INFINITY): ProblemList {
    const problems: Problem[] = []
    for (const { segment, start } of this.flagged(limit)) {
      for (const it of this.#found.of(segment)) {
        if (problems.length >= limit) break
        problems.push(this.#problem(it, start))
      }
    }
    return { problems, total: this.totalSoFar }
  }

  /**
   * All problems in order of the text, for reports on texts with millions of them: what is checked for it is not kept, and is checked
   * again if one asks again. Don't edit the document while you iterate.
   */
  *eachProblem(): IterableIterator<Problem> {
    if (this.#waiting.size > 0) this.advance()
    const firstUnchecked = this.#firstUnchecked()
    for (const { segment, start, index } of this.#analysis.transcript.segments()) {
      const found = index < firstUnchecked ? this.#found.look(segment) : this.#check(segment, index)
      for (const it of found) yield this.#problem(it, start)
    }
  }

  /** The index of the segment from which on nothing has been checked yet; infinite if all has. */
  #firstUnchecked(): number {
    const { preamble, transcript } = this.#analysis
    if (!this.#next) return Number.POSITIVE_INFINITY
    return this.#next === preamble ? 0 : (transcript.locate(this.#next)?.index ?? 0)
  }

  /** The problems found so far in one segment, at most `limit`. */
  problemsOf(
    { segment, start }: Pick<Located, 'segment' | 'start'>,
    limit = Number.POSITIVE_INFINITY,
  ): readonly Problem[] {
    const found = this.#found.of(segment)
    const first = found.length > limit ? found.slice(0, limit) : found
    return first.map((it) => this.#problem(it, start))
  }

  /** The problems found so far in one segment that touch `range`, at most `limit`; the others cost no more than a look. */
  problemsTouching(
    { segment, start }: Pick<Located, 'segment' | 'start'>,
    range: Range,
    limit: number,
  ): readonly Problem[] {
    const problems: Problem[] = []
    for (const it of this.#found.of(segment)) {
      const { from, to } = it.finding.span
      if (start + from > range.end || start + to < range.start) continue
      if (problems.length === limit) break
      problems.push(this.#problem(it, start))
    }
    return problems
  }

  /** The segments in which problems were found so far, in order of the text, at least as many as `limit` problems need. */
  flagged(limit = Number.POSITIVE_INFINITY): readonly FlaggedSegment[] {
    return this.#found.inOrder(this.#analysis, limit)
  }

  /** Checks again what was checked before, or is looked at early. */
  #recheck(segment: Segment): void {
    this.#found.setIfChanged(segment, this.#check(segment))
  }

  #check(segment: Segment, index?: number): readonly RuleFinding[] {
    const analysis = this.#analysis
    const { run, context, choice } = this.#setup
    if (segment === analysis.preamble) run.checkPreamble(analysis)
    const facts = factsOf(segment)
    if (facts) {
      run.checkMessage(new CheckedMessage(segment, facts, index, context))
    }
    if (segment.kind === 'fim' || segment.kind === 'file') run.checkSequence(segment)
    let found = this.#withConflicts(segment, this.#withFilled(segment, run.take()))
    if (facts?.hasAllow) {
      const { rules = allRules } = this.#options
      const runs = (rule: Rule) => choice.has(rule) && (rule.scope !== 'prompt' || this.#isFilled)
      found = withoutAllowed(segment, found, { rules, runs })
    }
    const knowsTemplates = (this.#options.templates ?? true) || analysis.settings.inputs !== undefined
    return knowsTemplates ? withoutTemplateFindings(segment, found) : found
  }

  #withFilled(segment: Segment, found: readonly RuleFinding[]): readonly RuleFinding[] {
    const inFilled = this.#inFilled.get(segment)
    if (!inFilled) return found
    return [...found, ...inFilled].sort((one, other) => one.finding.span.from - other.finding.span.from)
  }

  /** What the rules found without what conflicts cause, and the conflicts. */
  #withConflicts(segment: Segment, found: readonly RuleFinding[]): readonly RuleFinding[] {
    const conflicts = this.#conflicts?.of(segment)
    const { choice } = this.#setup
    if (!conflicts || !choice.has(mergeConflict)) return found
    const { covered } = conflicts
    const isCaused = ({ finding }: RuleFinding) =>
      covered.some(({ from, to }) => finding.span.from < to && from <= finding.span.to)
    // A header with a conflict in it can't be read.
    const isLost = segment === this.#analysis.preamble && covered.length > 0
    return [
      ...(isLost ? [] : found.filter((it) => !isCaused(it))),
      ...conflictFindings(conflicts).map((finding) => ({ rule: mergeConflict, finding })),
    ].sort((one, other) => one.finding.span.from - other.finding.span.from)
  }

  /** Where checking goes on after an edit, if not everything was checked before it. */
  #findNext({ inserted, behind }: AnalysisChange): void {
    const { transcript } = this.#analysis
    if (!this.#next || transcript.locate(this.#next)) return
    // It is gone: what follows it is at or after the first place where something was replaced.
    let first = Number.POSITIVE_INFINITY
    for (const segments of [inserted, behind]) {
      for (const segment of segments) first = Math.min(first, transcript.locate(segment)?.index ?? first)
    }
    this.#next = Number.isFinite(first) ? transcript.segment(first).segment : this.#analysis.preamble
  }

  /** True if rules on headers would see something else than the last time. */
  #hasHeaderChanged(): boolean {
    const before = this.#header
    this.#header = headerInputs(this.#analysis)
    const { preamble, dialect, usesVersion2, unusedInputs } = this.#header
    return (
      preamble !== before.preamble ||
      dialect !== before.dialect ||
      usesVersion2 !== before.usesVersion2 ||
      unusedInputs.join() !== before.unusedInputs.join()
    )
  }

  #readConditions(): Conditions {
    const { settings, transcript } = this.#analysis
    const intent = settings.intent ?? this.#options.intent
    const hasTurns = transcript.framing.headerEnd === 'line-break'
    return { settings, intent, hasTurns, sample: this.#options.sample }
  }

  #setupFor(conditions: Conditions): CheckSetup {
    const { rules = allRules, settings = [], onRuleError } = this.#options
    const choice = choiceOfRules(rules, settings, conditions)
    const context = {
      analysis: this.#analysis,
      references: this.#references,
      intent: conditions.intent,
      sample: conditions.sample,
    }
    return { conditions, choice, run: new RuleRun(choice, onRuleError), context }
  }

  #problem({ rule, finding }: RuleFinding, start: number): Problem {
    const severity =
      this.#setup.choice.severities.get(rule) ?? this.#ownSeverity(finding.severity ?? rule.severity)
    const { transcript } = this.#analysis
    return toProblem({ rule, finding, severity }, start, {
      transcript,
      lineBreak: () => lineBreakOf(transcript),
    })
  }

  /** A fixture may be broken on purpose. */
  #ownSeverity(severity: Severity): Severity {
    const isFixture = this.#setup.conditions.intent === 'fixture' && !this.#options.judgesFixtures
    return isFixture && (severity === 'error' || severity === 'warning') ? 'information' : severity
  }
}

/** A finding in a prompt as one in the segment that starts at `start`. */
function inSegment({ range, message, fixes = [] }: PromptFinding, start: number): RuleFinding['finding'] {
  const spanOf = (it: Range) => ({ from: it.start - start, to: it.end - start })
  return {
    span: spanOf(range),
    message,
    // It is about the filled text, so no placeholder excuses it.
    isOnTemplate: false,
    fixes: fixes.map(({ title, isSafe, edits }) => ({
      title,
      isSafe,
      edits: edits.map((it) => ({ span: spanOf(it), text: it.text })),
    })),
  }
}

/** What is decided once for all messages, until the settings of the document change. */
interface CheckSetup {
  readonly conditions: Conditions
  readonly choice: RuleChoice
  readonly run: RuleRun
  readonly context: CheckContext
}

function isSame(one: Conditions, other: Conditions): boolean {
  return one.settings === other.settings && one.hasTurns === other.hasTurns
}

/** What rules on headers may look at besides the preamble, see {@link HeaderRule}: all else is in it. */
interface HeaderInputs {
  readonly preamble: Segment
  readonly dialect: DialectName
  readonly usesVersion2: boolean
  readonly unusedInputs: readonly string[]
}

function headerInputs({ preamble, dialect, usesVersion2, unusedInputs }: Analysis): HeaderInputs {
  return { preamble, dialect, usesVersion2, unusedInputs }
}
