/**
 * Runs the rules and keeps what they found per segment. An edit checks the segments it touched again, the calls and
 * replies whose exchange changed, and, only if settings changed, everything: in slices, when {@link Checker.advance} is called.
 */
import type { Located } from '../document/segment-list.ts'
import type { Analysis, AnalysisChange } from '../semantics/analysis.ts'
import type { DocumentSettings } from '../semantics/document-settings.ts'
import { factsOf, isCall, type MessageFacts } from '../semantics/message-facts.ts'
import { type MessageView, viewMessage } from '../syntax/message-view.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { SyntaxProblemKind } from '../syntax/syntax-problem.ts'
import { type Span, toRange } from '../text/range.ts'
import type { Intent } from '../vocabulary/intents.ts'
import { callsToCheck } from './calls-to-check.ts'
import type { Problem } from './problem.ts'
import { rules as allRules } from './registry.ts'
import type {
  ExchangeRule,
  Finding,
  HeaderRule,
  MessageContext,
  MessageRule,
  Rule,
  SequenceRule,
  Severity,
  SyntaxRule,
} from './rule.ts'
import { type RuleSettings, ruleSettingsFrom, severitySettingFor } from './rule-settings.ts'
import { withoutTemplateFindings } from './template-findings.ts'
import { seenBehind, unseenBefore } from './unseen-before.ts'

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
  /** False to report what placeholders of templates, such as `{{ name }}`, cause; by default they are taken for what will stand there. */
  readonly templates?: boolean
  /** What transcripts are for that do not say it in their header. */
  readonly intent?: Intent | undefined
  /** True to report what is wrong in fixtures as severely as elsewhere: for tests that expect it. */
  readonly judgesFixtures?: boolean
  /** Told when a rule throws, which is a bug: the other rules still run. */
  readonly onRuleError?: (rule: Rule, error: unknown) => void
}

interface RuleFinding {
  readonly rule: Rule
  readonly finding: Finding
}

/** The problems of a transcript, kept up to date. */
export class Checker {
  readonly #analysis: Analysis
  readonly #allRules: readonly Rule[]
  readonly #ruleSettings: readonly RuleSettings[]
  /** The settings of the document that {@link #rules} and {@link #severities} were chosen by. */
  #settings: DocumentSettings
  #rules: RulesByScope
  /** The severities that users set; a rule that is not among them has its own. */
  #severities: ReadonlyMap<Rule, Severity>
  readonly #knowsTemplates: boolean
  readonly #intent: Intent | undefined
  readonly #judgesFixtures: boolean
  readonly #onRuleError: ((rule: Rule, error: unknown) => void) | undefined
  readonly #findings = new Map<Segment, readonly RuleFinding[]>()
  #total = 0
  #last: Segment
  #turnMarker: Segment | undefined
  /** The calls without reply that were judged as still waited for: no turn marker stands behind them. */
  readonly #openCalls = new Set<Segment>()
  #firstUser: Segment | undefined
  /** The messages that are judged by where the first user message stands. */
  readonly #systemMessages = new Set<Segment>()
  #pending: IterableIterator<Located> | undefined
  /** Calls to judge again because the definition of their tool changed. */
  readonly #waiting = new Set<Segment>()

  constructor(analysis: Analysis, options: CheckerOptions = {}) {
    this.#analysis = analysis
    this.#allRules = options.rules ?? allRules
    this.#ruleSettings = options.settings ?? []
    this.#settings = analysis.settings
    const { rules, severities } = this.#chosenRules()
    this.#rules = rules
    this.#severities = severities
    this.#intent = options.intent
    this.#judgesFixtures = options.judgesFixtures ?? false
    this.#knowsTemplates = options.templates ?? true
    this.#onRuleError = options.onRuleError
    this.#last = analysis.lastSegment
    this.#turnMarker = analysis.transcript.findLastSegment(isTurnMarker)
    this.#firstUser = firstUserMessage(analysis)
    this.#pending = analysis.transcript.segments()
  }

  /** True if segments still wait to be checked; see {@link advance}. */
  get isPending(): boolean {
    return this.#pending !== undefined || this.#waiting.size > 0
  }

  /** Checks up to `segments` waiting segments; true when none waits any more. */
  advance(segments = Number.POSITIVE_INFINITY): boolean {
    let checked = 0
    for (; this.#pending && checked < segments; checked++) {
      const next = this.#pending.next()
      if (next.done) this.#pending = undefined
      else this.#check(next.value.segment)
    }
    for (const segment of this.#waiting) {
      if (checked++ >= segments) break
      this.#waiting.delete(segment)
      this.#check(segment)
    }
    return !this.isPending
  }

  /** Takes over an edit that the analysis has made. */
  update(change: AnalysisChange): void {
    const { transcript } = this.#analysis
    for (const segment of change.removed) {
      this.#record(segment, [])
      this.#waiting.delete(segment)
      this.#systemMessages.delete(segment)
      this.#openCalls.delete(segment)
    }
    if (this.#settings !== this.#analysis.settings) {
      this.#settings = this.#analysis.settings
      const { rules, severities } = this.#chosenRules()
      this.#rules = rules
      this.#severities = severities
    }
    const hasFirstUserMoved = this.#moveFirstUser(change)
    if (change.affectsAll || this.#pending) {
      this.#last = this.#analysis.lastSegment
      this.#turnMarker = transcript.findLastSegment(isTurnMarker)
      this.#pending = transcript.segments()
      this.#waiting.clear()
      return
    }
    const toCheck = new Set<Segment>(change.inserted)
    for (const segment of change.exchanges) toCheck.add(segment)
    toCheck.add(this.#analysis.preamble)
    if (this.#last !== this.#analysis.lastSegment) {
      if (transcript.locate(this.#last)) toCheck.add(this.#last)
      this.#last = this.#analysis.lastSegment
      toCheck.add(this.#last)
    }
    if (this.#moveTurnMarker(change)) {
      for (const call of this.#callsToJudgeAgain()) toCheck.add(call)
    }
    if (hasFirstUserMoved) {
      for (const segment of this.#systemMessages) toCheck.add(segment)
    }
    for (const segment of callsToCheck(this.#analysis, change, (it) => this.#findings.has(it))) {
      this.#waiting.add(segment)
    }
    for (const segment of change.behind) {
      const seen = seenBehind(this.#analysis, segment)
      if (seen) toCheck.add(seen)
    }
    for (const segment of toCheck) {
      this.#waiting.delete(segment)
      this.#check(segment)
    }
    if (this.#waiting.size <= checkedAtOnce) this.advance()
  }

  /** The problems in order of the text, at most `limit`. Complete only when nothing is pending. */
  problems(limit = Number.POSITIVE_INFINITY): ProblemList {
    const problems: Problem[] = []
    for (const { segment, start } of this.#flagged(limit)) {
      for (const it of this.#findings.get(segment) ?? []) {
        if (problems.length >= limit) break
        problems.push(this.#problem(it, start))
      }
    }
    return { problems, total: this.#total }
  }

  /** The problems of one segment. */
  problemsOf({ segment, start }: Located): readonly Problem[] {
    return (this.#findings.get(segment) ?? []).map((it) => this.#problem(it, start))
  }

  /** The segments with findings in order, at least as many as `limit` problems need. */
  #flagged(limit: number): readonly Located[] {
    const { transcript } = this.#analysis
    if (this.#findings.size <= sortAtMost) {
      const located: Located[] = []
      for (const segment of this.#findings.keys()) {
        const place = transcript.locate(segment)
        if (place) located.push(place)
      }
      return located.sort((one, other) => one.index - other.index)
    }
    const located: Located[] = []
    let found = 0
    for (const place of transcript.segments()) {
      const findings = this.#findings.get(place.segment)
      if (!findings) continue
      located.push(place)
      found += findings.length
      if (found >= limit) break
    }
    return located
  }

  #check(segment: Segment): void {
    const found: RuleFinding[] = []
    const run = <R extends Rule>(rule: R, check: (rule: R) => readonly Finding[] | Finding | undefined) => {
      try {
        const result = check(rule)
        if (result === undefined) return
        if (isList(result)) for (const finding of result) found.push({ rule, finding })
        else found.push({ rule, finding: result })
      } catch (error) {
        this.#onRuleError?.(rule, error)
        found.push({ rule, finding: internalFinding(rule) })
      }
    }
    if (segment === this.#analysis.preamble) this.#checkPreamble(segment, run)
    const facts = factsOf(segment)
    if (facts) this.#checkMessage(segment, facts, run)
    if (segment.kind === 'fim' || segment.kind === 'file') {
      for (const rule of this.#rules.sequence) run(rule, (it) => it.check(segment))
    }
    if (found.length > 1) found.sort((one, other) => one.finding.span.from - other.finding.span.from)
    this.#record(segment, this.#knowsTemplates ? withoutTemplateFindings(segment, found) : found)
  }

  #checkPreamble(segment: Segment, run: RunRule): void {
    for (const rule of this.#rules.header) run(rule, (it) => it.check(this.#analysis))
    if (segment.kind !== 'preamble') return
    const { stray } = preambleView(segment)
    const rule = this.#rules.syntax.get('stray-text')
    if (!stray || !rule) return
    const context = { segment, analysis: this.#analysis }
    run(rule, (it) => it.explain({ kind: 'stray-text', span: stray }, context as MessageContext))
  }

  #checkMessage(segment: Segment, facts: MessageFacts, run: RunRule): void {
    if (facts.role === 'system') this.#systemMessages.add(segment)
    const context = new Context(segment, facts, this.#analysis, {
      isLast: segment === this.#last,
      firstUser: this.#firstUser,
      intent: this.#settings.intent ?? this.#intent,
    })
    if (facts.hasProblems) {
      for (const problem of context.view.problems) {
        const rule = this.#rules.syntax.get(problem.kind)
        if (rule) run(rule, (it) => it.explain(problem, context))
      }
    }
    for (const rule of this.#rules.message) run(rule, (it) => it.check(context))
    const exchange = this.#analysis.exchanges.exchange(segment)
    if (!exchange) return
    const isUnanswered = exchange.kind === 'call' && !exchange.partner
    const turnMovedOn = isUnanswered && this.#isBeforeTurnMarker(segment)
    if (isUnanswered && !turnMovedOn) this.#openCalls.add(segment)
    else this.#openCalls.delete(segment)
    const inExchange = Object.assign(context, { exchange, turnMovedOn })
    for (const rule of this.#rules.exchange) run(rule, (it) => it.check(inExchange))
  }

  /** The rules that are not off, and the severities that are set: decided once per rule, not per finding. */
  #chosenRules(): { readonly rules: RulesByScope; readonly severities: ReadonlyMap<Rule, Severity> } {
    const places = [...this.#ruleSettings, ruleSettingsFrom(Object.fromEntries(this.#settings.lint))]
    const rules: Rule[] = []
    const severities = new Map<Rule, Severity>()
    for (const rule of this.#allRules) {
      const setting = severitySettingFor(rule, places)
      if (setting === 'off') continue
      rules.push(rule)
      if (setting) severities.set(rule, setting)
    }
    return { rules: byScope(rules), severities }
  }

  /** A fixture may be broken on purpose. */
  #ownSeverity(severity: Severity): Severity {
    const isFixture = (this.#settings.intent ?? this.#intent) === 'fixture' && !this.#judgesFixtures
    return isFixture && (severity === 'error' || severity === 'warning') ? 'information' : severity
  }

  #isBeforeTurnMarker(segment: Segment): boolean {
    const { transcript } = this.#analysis
    const marker = this.#turnMarker && transcript.locate(this.#turnMarker)
    const place = marker && transcript.locate(segment)
    return place !== undefined && marker !== undefined && place.index < marker.index
  }

  /** The calls that the turn marker has passed, forwards or backwards. */
  *#callsToJudgeAgain(): IterableIterator<Segment> {
    for (const call of this.#openCalls) if (this.#isBeforeTurnMarker(call)) yield call
    const { transcript, exchanges } = this.#analysis
    const marker = this.#turnMarker && transcript.locate(this.#turnMarker)
    for (const { segment } of transcript.segments(marker ? marker.index + 1 : 0)) {
      if (exchanges.unanswered.has(segment) && !this.#openCalls.has(segment)) yield segment
    }
  }

  /** Looks for the last message that shows that a turn moved on; true if it is another one than before. */
  #moveTurnMarker(change: AnalysisChange): boolean {
    const before = this.#turnMarker
    const isGone = before !== undefined && change.removed.includes(before)
    if (!isGone && !change.inserted.some(isTurnMarker)) return false
    this.#turnMarker = this.#analysis.transcript.findLastSegment(isTurnMarker)
    return this.#turnMarker !== before
  }

  /** Looks for the first message of the user; true if it is another one than before. */
  #moveFirstUser(change: AnalysisChange): boolean {
    const before = this.#firstUser
    const isGone = before !== undefined && change.removed.includes(before)
    if (!isGone && !change.inserted.some(isUserMessage)) return false
    this.#firstUser = firstUserMessage(this.#analysis)
    return this.#firstUser !== before
  }

  #record(segment: Segment, found: readonly RuleFinding[]): void {
    this.#total += found.length - (this.#findings.get(segment)?.length ?? 0)
    if (found.length === 0) this.#findings.delete(segment)
    else this.#findings.set(segment, found)
  }

  #problem({ rule, finding }: RuleFinding, start: number): Problem {
    const { length } = this.#analysis.transcript
    const rangeOf = (span: Span, origin: number) => {
      const range = toRange(span, origin)
      return { start: Math.min(range.start, length), end: Math.min(range.end, length) }
    }
    return {
      code: rule.code,
      rule: rule.name,
      severity: this.#severities.get(rule) ?? this.#ownSeverity(finding.severity ?? rule.severity),
      message: finding.message,
      range: rangeOf(finding.span, start),
      related: (finding.related ?? []).flatMap(({ segment, span, message }) => {
        const place = this.#analysis.transcript.locate(segment)
        return place ? [{ range: rangeOf(span, place.start), message }] : []
      }),
      fixes: (finding.fixes ?? []).map(({ title, edits, isSafe }) => ({
        title,
        isSafe,
        edits: edits.map(({ span, text }) => ({ ...rangeOf(span, start), text })),
      })),
      tag: finding.tag,
    }
  }
}

const checkedAtOnce = 32 // calls of an edited definition; more of them are for time slices

const sortAtMost = 2000 // beyond that, walking the document up to the limit is cheaper than sorting all of it

type RunRule = <R extends Rule>(rule: R, check: (rule: R) => readonly Finding[] | Finding | undefined) => void

class Context implements MessageContext {
  readonly segment: Segment
  readonly facts: MessageFacts
  readonly analysis: Analysis
  readonly isLast: boolean
  readonly intent: Intent | undefined
  readonly #firstUser: Segment | undefined
  #view: MessageView | undefined

  constructor(
    segment: Segment,
    facts: MessageFacts,
    analysis: Analysis,
    place: {
      readonly isLast: boolean
      readonly firstUser: Segment | undefined
      readonly intent: Intent | undefined
    },
  ) {
    this.segment = segment
    this.facts = facts
    this.analysis = analysis
    this.isLast = place.isLast
    this.#firstUser = place.firstUser
    this.intent = place.intent
  }

  get followsUser(): boolean {
    const { transcript } = this.analysis
    const first = this.#firstUser && transcript.locate(this.#firstUser)
    const place = first && transcript.locate(this.segment)
    return first !== undefined && place !== undefined && first.index < place.index
  }

  get unseenBefore(): readonly Segment[] {
    return unseenBefore(this.analysis, this.segment)
  }

  get view(): MessageView {
    this.#view ??= viewMessage(this.segment)
    return this.#view
  }
}

interface RulesByScope {
  readonly syntax: ReadonlyMap<SyntaxProblemKind, SyntaxRule>
  readonly header: readonly HeaderRule[]
  readonly message: readonly MessageRule[]
  readonly exchange: readonly ExchangeRule[]
  readonly sequence: readonly SequenceRule[]
}

function byScope(rules: readonly Rule[]): RulesByScope {
  const syntax = new Map<SyntaxProblemKind, SyntaxRule>()
  const header: HeaderRule[] = []
  const message: MessageRule[] = []
  const exchange: ExchangeRule[] = []
  const sequence: SequenceRule[] = []
  for (const rule of rules) {
    switch (rule.scope) {
      case 'syntax':
        syntax.set(rule.kind, rule)
        break
      case 'header':
        header.push(rule)
        break
      case 'message':
        message.push(rule)
        break
      case 'exchange':
        exchange.push(rule)
        break
      case 'sequence':
        sequence.push(rule)
        break
      default:
        rule satisfies never
    }
  }
  return { syntax, header, message, exchange, sequence }
}

/** A user message or a final answer: whoever called a tool before it does not wait for it any more (D13). */
function isTurnMarker(segment: Segment): boolean {
  const facts = factsOf(segment)
  if (!facts?.isMessage) return false
  if (facts.role === 'user') return true
  return facts.role === 'assistant' && facts.channel === 'final' && !isCall(facts)
}

function isUserMessage(segment: Segment): boolean {
  const facts = factsOf(segment)
  return facts?.isMessage === true && facts.role === 'user'
}

function firstUserMessage({ transcript }: Analysis): Segment | undefined {
  for (const { segment } of transcript.segments()) {
    if (isUserMessage(segment)) return segment
  }
  return undefined
}

function isList(result: readonly Finding[] | Finding): result is readonly Finding[] {
  return Array.isArray(result)
}

function internalFinding(rule: Rule): Finding {
  const message = `Internal problem: the rule \`${rule.name}\` failed here; the other rules were run`
  return { span: { from: 0, to: 0 }, message, severity: 'information' }
}
