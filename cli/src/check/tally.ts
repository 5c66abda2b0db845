/** The sums of a run. */
import { type Problem, type Severity, safeFixOf } from '../../../core/src/internal.ts'
import { type InputProblem, inputCode } from '../files/input-problem.ts'
import type { CheckedFile } from './check-source.ts'
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

/** The sums of some files, as data. */
export interface Sums {
  readonly counts: Readonly<SeverityCounts>
  readonly rules: readonly RuleCount[]
  /** Samples of datasets count as files. */
  readonly nFiles: number
  readonly nSamples: number
  readonly nFixed: number
  /** Problems that are not reported, because the baseline has them. */
  readonly nKnown: number
  /** How many samples have each form, and the first dataset with one. */
  readonly forms: readonly FormCount[]
}

/** How many samples have a form. */
export interface FormCount {
  readonly form: string
  readonly count: number
  /** The first dataset that has one, as people see it. */
  readonly path: string
}

/** What is listed of the problems of a file. */
export interface ListedProblems {
  /** The first ones. */
  readonly problems: readonly Problem[]
  /** How many there are in all. */
  readonly nFound: number
}

/** Adds up. */
export class Tally implements Sums {
  readonly counts: SeverityCounts = countsOf([])
  readonly #rules = new Map<string, Writable<RuleCount>>()
  readonly #forms = new Map<string, FormCount>()
  nFiles = 0
  nSamples = 0
  nFixed = 0
  nKnown = 0

  /** Counts the problems of one more file, of which `most` are listed. */
  addFile({ problems, nFixed }: Pick<CheckedFile, 'problems' | 'nFixed'>, most: number): ListedProblems {
    this.nFixed += nFixed
    this.nFiles++
    return this.#addProblems(problems, most, (it) => safeFixOf(it) !== undefined)
  }

  /** Counts the problems of one more conversation that is JSON: a sample of a dataset, or a file. */
  addSample(
    { problems, nFixed }: Pick<CheckedFile, 'problems' | 'nFixed'>,
    { most, isFile }: { readonly most: number; readonly isFile: boolean },
  ): ListedProblems {
    this.nFixed += nFixed
    this.nFiles++
    if (!isFile) this.nSamples++
    return this.#addProblems(problems, most, () => false)
  }

  #addProblems(
    problems: Iterable<Problem>,
    most: number,
    isFixable: (it: Problem) => boolean,
  ): ListedProblems {
    const listed: Problem[] = []
    let nFound = 0
    for (const problem of problems) {
      this.#addProblem(problem, isFixable(problem))
      if (nFound++ < most) listed.push(problem)
    }
    return { problems: listed, nFound }
  }

  /** Counts a sample of a dataset, or several, by form. */
  addForm({ form, count, path }: FormCount): void {
    const sum = this.#forms.get(form)
    this.#forms.set(form, { form, count: count + (sum?.count ?? 0), path: sum?.path ?? path })
  }

  /** Counts what could not be read. */
  addInput({ severity }: Pick<InputProblem, 'severity'>): void {
    this.#addProblem({ ...inputCode, severity }, false)
  }

  #addProblem(
    { rule, code, severity }: Pick<Problem, 'rule' | 'code' | 'severity'>,
    isFixable: boolean,
  ): void {
    this.counts[severity]++
    add(this.#rules, { rule, code, severity, count: 1, nFixable: isFixable ? 1 : 0 })
  }

  /** Adds what was counted elsewhere. */
  add({ counts, rules, nFiles, nSamples, nFixed, nKnown, forms }: Sums): void {
    for (const severity of severities) this.counts[severity] += counts[severity]
    for (const it of rules) add(this.#rules, it)
    for (const it of forms) this.addForm(it)
    this.nFixed += nFixed
    this.nKnown += nKnown
    this.nFiles += nFiles
    this.nSamples += nSamples
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

  /** The forms of samples, the most frequent first. */
  get forms(): readonly FormCount[] {
    return [...this.#forms.values()].sort(
      (one, other) => other.count - one.count || (one.form < other.form ? -1 : 1),
    )
  }

  /** The sums so far, for another thread. */
  get sums(): Sums {
    const { counts, rules, nFiles, nSamples, nFixed, nKnown, forms } = this
    return { counts, rules, nFiles, nSamples, nFixed, nKnown, forms }
  }
}

type Writable<Data> = { -readonly [Key in keyof Data]: Data[Key] }

function add(rules: Map<string, Writable<RuleCount>>, it: RuleCount): void {
  const key = `${it.rule} ${it.severity}`
  const sum = rules.get(key)
  if (sum) {
    sum.count += it.count
    sum.nFixable += it.nFixable
  } else rules.set(key, { ...it })
}
