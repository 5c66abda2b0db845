/** Runs rules on a segment. A rule that throws is a bug: it is reported and shown, and the others still run. */

import type { Analysis } from '../semantics/analysis.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { SyntaxProblem, SyntaxSurplus } from '../syntax/syntax-problem.ts'
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import type { CheckedMessage } from './checked-message.ts'
import type { RuleFinding } from './found-problems.ts'
import type { FilledCases, Finding, MessageContext, PromptFinding, Rule, Severity } from './rule.ts'
import type { RuleChoice } from './rule-choice.ts'

/** Called when a rule throws. */
export type OnRuleError = ((rule: Rule, error: unknown) => void) | undefined

/** Of one message, mistakes in its syntax; as many as editors show of a whole file. What is left is counted. */
const explainedAtMost = 1000

/** Findings of one rule in one message; a text made for it has millions, and memory is for what users can read. */
const listedOfEachRule = 10_000

const nothing: readonly RuleFinding[] = []

/** Collects what the chosen rules find. */
export class RuleRun {
  #found: RuleFinding[] = []
  readonly #choice: RuleChoice
  readonly #onRuleError: OnRuleError

  constructor(choice: RuleChoice, onRuleError: OnRuleError) {
    this.#choice = choice
    this.#onRuleError = onRuleError
  }

  /** What was found since this was asked last. */
  take(): readonly RuleFinding[] {
    const found = this.#found
    if (found.length === 0) return nothing
    this.#found = []
    return found.sort((one, other) => one.finding.span.from - other.finding.span.from)
  }

  /** The rules on headers, and text between the header and the first message. */
  checkPreamble(analysis: Analysis): void {
    const segment = analysis.preamble
    if (segment.kind !== 'preamble') {
      this.#checkHeader(analysis)
      return
    }
    const view = preambleView(segment)
    const sound = this.#choice.soundPreambles(analysis)
    if (sound.has(view)) return
    const nBefore = this.#found.length
    this.#checkHeader(analysis)
    const { stray } = view
    if (stray) this.#explain({ kind: 'stray-text', span: stray }, { segment, analysis } as MessageContext)
    if (this.#found.length === nBefore) sound.add(view)
  }

  #checkHeader(analysis: Analysis): void {
    for (const rule of this.#choice.header) {
      try {
        this.#add(rule, rule.check(analysis))
      } catch (error) {
        this.#fail(rule, error)
      }
    }
  }

  /** The rules on messages, and those on syntax and exchanges; explicit loops, because there are many messages. */
  checkMessage(message: CheckedMessage): void {
    if (message.facts.hasProblems) this.#explainSyntax(message)
    for (const rule of this.#choice.message.rulesFor(message.facts)) {
      try {
        const result = rule.check(message)
        if (result !== undefined) this.#add(rule, result)
      } catch (error) {
        this.#fail(rule, error)
      }
    }
    if (!message.isInExchange()) return
    for (const rule of this.#choice.exchange) {
      try {
        const result = rule.check(message)
        if (result !== undefined) this.#add(rule, result)
      } catch (error) {
        this.#fail(rule, error)
      }
    }
  }

  /** The rules on files and fill-in-the-middle tasks. */
  checkSequence(segment: Segment): void {
    for (const rule of this.#choice.sequence) {
      try {
        this.#add(rule, rule.check(segment))
      } catch (error) {
        this.#fail(rule, error)
      }
    }
  }

  /** The rules on prompts, with what each found. */
  *checkPrompt(prompt: FilledCases): Iterable<{ readonly rule: Rule; readonly finding: PromptFinding }> {
    for (const rule of this.#choice.prompt) {
      try {
        for (const finding of rule.check(prompt)) yield { rule, finding }
      } catch (error) {
        this.#onRuleError?.(rule, error)
        yield { rule, finding: { range: { start: 0, end: 0 }, message: failureOf(rule) } }
      }
    }
  }

  #explainSyntax(message: CheckedMessage): void {
    const { problems, surplus } = message.view
    const explained = problems.length <= explainedAtMost ? problems : problems.slice(0, explainedAtMost)
    for (const problem of explained) this.#explain(problem, message)
    const others = problems.slice(explained.length).map((it) => ({ ...it, count: 1 }))
    if (others.length + surplus.length > 0) this.#countSyntax([...others, ...surplus])
  }

  /** One finding for what is not explained, at the first of it and as bad as the worst. */
  #countSyntax(all: readonly SyntaxSurplus[]): void {
    const { syntax, severities } = this.#choice
    const severityOf = (rule: Rule) => severities.get(rule) ?? rule.severity
    let worst: Rule | undefined
    let total = 0
    let first: Span | undefined
    for (const { kind, count, span } of all) {
      const rule = syntax.get(kind)
      if (!rule) continue
      if (!worst || isWorse(severityOf(rule), severityOf(worst))) worst = rule
      total += count
      if (!first || span.from < first.from) first = span
    }
    if (!worst || !first) return
    const message = localize`${total} more problems in this message are not explained; the limit is ${explainedAtMost}`
    this.#found.push({ rule: worst, finding: { span: first, message } })
  }

  #explain(problem: SyntaxProblem, context: MessageContext): void {
    const rule = this.#choice.syntax.get(problem.kind)
    if (!rule) return
    try {
      this.#add(rule, rule.explain(problem, context))
    } catch (error) {
      this.#fail(rule, error)
    }
  }

  #add(rule: Rule, result: Iterable<Finding> | Finding | undefined): void {
    if (result === undefined) return
    if (!isList(result)) {
      this.#found.push({ rule, finding: result })
      return
    }
    let left = listedOfEachRule
    for (const finding of result) {
      if (left-- === 0) {
        const message = localize`This message has more problems of this kind; the first ${listedOfEachRule} are listed`
        this.#found.push({ rule, finding: { span: finding.span, message } })
        return
      }
      this.#found.push({ rule, finding })
    }
  }

  #fail(rule: Rule, error: unknown): void {
    this.#onRuleError?.(rule, error)
    const message = failureOf(rule)
    this.#found.push({ rule, finding: { span: { from: 0, to: 0 }, message, severity: 'information' } })
  }
}

function failureOf({ name }: Rule): string {
  return localize`Internal error: the rule \`${name}\` failed here; all other rules ran`
}

function isList(result: Iterable<Finding> | Finding): result is Iterable<Finding> {
  return Symbol.iterator in result
}

const fromWorst: readonly Severity[] = ['error', 'warning', 'information', 'hint']

function isWorse(one: Severity, other: Severity): boolean {
  return fromWorst.indexOf(one) < fromWorst.indexOf(other)
}
