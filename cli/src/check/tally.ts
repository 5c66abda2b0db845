/** The sums of a run. */
import type { Problem, Severity } from '../../../core/src/index.ts'
import type { FileReport } from './check-source.ts'
import { safeFixOf } from './safe-fixes.ts'
import { countsOf, type SeverityCounts, severities } from './severities.ts'

/** How often a rule reports with a severity. */
export interface RuleCount {
  readonly rule: string
  readonly code: string
  readonly severity: Severity
  readonly count: number
  /** How many of them have a safe fix. */
  readonly nFixable: number
}

/** What is summed of one file. */
export interface FileTally {
  readonly counts: SeverityCounts
  readonly rules: readonly RuleCount[]
  readonly nFixed: number
}

/** The sums of one report. */
export function tallyOf({ problems, nFixed }: Pick<FileReport, 'problems' | 'nFixed'>): FileTally {
  const rules = new Map<string, RuleCount>()
  for (const problem of problems) add(rules, countOf(problem))
  return { counts: countsOf(problems), rules: [...rules.values()], nFixed }
}

/** The sums of many. */
export class Tally {
  readonly counts: SeverityCounts = countsOf([])
  readonly #rules = new Map<string, RuleCount>()
  nFiles = 0
  nFixed = 0

  add({ counts, rules, nFixed }: FileTally): void {
    for (const severity of severities) this.counts[severity] += counts[severity]
    for (const it of rules) add(this.#rules, it)
    this.nFixed += nFixed
    this.nFiles++
  }

  /** How many problems have a safe fix. */
  get nFixable(): number {
    let sum = 0
    for (const { nFixable } of this.#rules.values()) sum += nFixable
    return sum
  }

  /** The most frequent first. */
  get rules(): readonly RuleCount[] {
    return [...this.#rules.values()].sort(
      (one, other) => other.count - one.count || (one.rule < other.rule ? -1 : 1),
    )
  }
}

function countOf(problem: Problem): RuleCount {
  const { rule, code, severity } = problem
  return { rule, code, severity, count: 1, nFixable: safeFixOf(problem) ? 1 : 0 }
}

function add(rules: Map<string, RuleCount>, { count, nFixable, ...it }: RuleCount): void {
  const key = `${it.rule} ${it.severity}`
  const sum = rules.get(key)
  rules.set(key, {
    ...it,
    count: count + (sum?.count ?? 0),
    nFixable: nFixable + (sum?.nFixable ?? 0),
  })
}
