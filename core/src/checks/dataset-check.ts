/** Judges the samples of a run together: duplicates, leaks, mixed forms, a bias of pairs (S16). Memory: about 300 bytes a sample. */

import { problemOfSample } from '../datasets/sample-problems.ts'
import type { SampleMatcher } from '../query/match-query.ts'
import type { Problem } from '../rules/problem.ts'
import type { CountedSamples, DatasetRule, DatasetSums, Rule } from '../rules/rule.ts'
import { rules as allRules } from '../rules/rule-registry.ts'
import { type RuleSettings, severitySettingFor } from '../rules/rule-settings.ts'
import { inBackticks } from '../text/in-backticks.ts'
import { DuplicateIndex } from './duplicate-index.ts'
import type { DatasetMark } from './sample-marks.ts'

const listedAtMost = 10 // samples of a kind; the list in VS Code finds the others

class Counted implements CountedSamples {
  readonly places: number[] = []
  readonly examples: string[] = []

  get count(): number {
    return this.places.length
  }

  add(place: number, example: () => string): void {
    this.places.push(place)
    if (this.examples.length < listedAtMost) this.examples.push(inBackticks(example()))
  }
}

/** True if one of the rules on datasets is on: only then are marks worth their time. */
export function judgesDatasets(rules: readonly Rule[], settings: readonly RuleSettings[]): boolean {
  return rules.some((it) => it.scope === 'dataset' && severitySettingFor(it, settings) !== 'off')
}

const rulesOfDatasets = allRules.filter((it): it is DatasetRule => it.scope === 'dataset')
const rulesOfSamples = rulesOfDatasets.filter((it) => it.samples !== undefined)

/** True if the problem is about single samples among others, which the query `problem:CODE` lists. */
export function isAboutSamples({ rule: name }: Pick<Problem, 'rule'>): boolean {
  return rulesOfSamples.some((rule) => rule.name === name)
}

/** True if a query asks for such a problem, so that its samples must be compared. */
export function asksForComparison(matcher: Pick<SampleMatcher, 'asksForProblem'>): boolean {
  return rulesOfSamples.some(({ code, name: rule }) => matcher.asksForProblem({ code, rule }))
}

/** The file of a sample, as people see it, and its number there. */
interface SamplePlace {
  readonly shown: string
  readonly number: number
}

/** Takes the marks of samples, one after the other. */
export class DatasetCheck implements DatasetSums {
  readonly duplicates = new Counted()
  readonly nearDuplicates = new Counted()
  readonly leaks = new Counted()
  readonly textArguments = new Counted()
  readonly objectArguments = new Counted()
  readonly inlineReasoning = new Counted()
  readonly separateReasoning = new Counted()
  readonly pairs = new Counted()
  nLongerChosen = 0
  readonly #index = new DuplicateIndex()
  readonly #files: { readonly first: number; readonly shown: string }[] = []
  /** The numbers of samples in their files, in stretches that do not have to be copied. */
  readonly #numbers: Uint32Array[] = []
  #nOthers = 0

  /** How many samples were taken. */
  get size(): number {
    return this.#index.size - this.#nOthers
  }

  /** Takes a sample of the dataset that the others are compared with; before them. */
  addOther(mark: DatasetMark, shown: string, number: number): void {
    this.#remember(shown, number)
    this.#index.add(mark)
    this.#nOthers++
  }

  /** Takes the sample `number` of the file that people see as `shown`. */
  add(mark: DatasetMark, shown: string, number: number): void {
    const at = this.size
    const place = `${shown}:${number}`
    this.#remember(shown, number)
    const found = this.#index.add(mark)
    if (found) {
      const { kind, earlier } = found
      const list =
        earlier < this.#nOthers ? this.leaks : kind === 'same' ? this.duplicates : this.nearDuplicates
      list.add(at, () => this.#pair({ shown, number }, this.#fileAndNumber(earlier)))
    }
    if (mark.hasTextArguments) this.textArguments.add(at, () => place)
    if (mark.hasObjectArguments) this.objectArguments.add(at, () => place)
    if (mark.hasInlineReasoning) this.inlineReasoning.add(at, () => place)
    if (mark.hasSeparateReasoning) this.separateReasoning.add(at, () => place)
    if (mark.longerBy === undefined) return
    this.pairs.add(at, () => place)
    if (mark.longerBy > 0) this.nLongerChosen++
  }

  /** The problems, each summed up once. */
  problems(settings: readonly RuleSettings[] = [], rules: readonly Rule[] = allRules): readonly Problem[] {
    return rules
      .filter((it): it is DatasetRule => it.scope === 'dataset')
      .flatMap((rule) => {
        const message = rule.check(this)
        return message === undefined ? [] : problemOfSample(rule, { message }, settings)
      })
  }

  /** The file, as people see it, of the first sample that a problem of {@link problems} is about. */
  fileOf({ rule: name }: Pick<Problem, 'rule'>): string | undefined {
    const rule = rulesOfDatasets.find((it) => it.name === name)
    const [first] = (rule?.samples?.(this) ?? rule?.compared?.(this))?.places ?? []
    return first === undefined ? undefined : this.#fileAndNumber(this.#nOthers + first).shown
  }

  /** How many samples a problem of {@link problems} is about; 1 if it is about all of them together. */
  countOf({ rule: name }: Pick<Problem, 'rule'>): number {
    return rulesOfSamples.find((it) => it.name === name)?.samples?.(this).count ?? 1
  }

  /** The problems of single samples among the others, by the places of the samples, from 0 in the order in which they were added. */
  problemsOfSamples(settings: readonly RuleSettings[] = []): ReadonlyMap<number, readonly Problem[]> {
    const found = new Map<number, Problem[]>()
    for (const rule of rulesOfSamples) {
      const problems = problemOfSample(rule, { message: rule.summary }, settings)
      for (const place of problems.length > 0 ? (rule.samples?.(this).places ?? []) : []) {
        const known = found.get(place)
        if (known) known.push(...problems)
        else found.set(place, [...problems])
      }
    }
    return found
  }

  /** The same by the files of the samples, as people see these, and by the numbers of the samples in them. */
  problemsByFile(
    settings: readonly RuleSettings[] = [],
  ): ReadonlyMap<string, ReadonlyMap<number, readonly Problem[]>> {
    const found = new Map<string, Map<number, readonly Problem[]>>()
    for (const [place, problems] of this.problemsOfSamples(settings)) {
      const { shown, number } = this.#fileAndNumber(this.#nOthers + place)
      const ofFile = found.get(shown) ?? new Map<number, readonly Problem[]>()
      ofFile.set(number, [...(ofFile.get(number) ?? []), ...problems])
      found.set(shown, ofFile)
    }
    return found
  }

  #remember(shown: string, number: number): void {
    const index = this.#index.size
    if (this.#files.at(-1)?.shown !== shown) this.#files.push({ first: index, shown })
    if (index % chunkLength === 0) this.#numbers.push(new Uint32Array(chunkLength))
    const chunk = this.#numbers.at(-1)
    if (chunk) chunk[index % chunkLength] = number
  }

  /** The later sample first; shards have those of one file in turn, and are taken one after the other. */
  #pair(taken: SamplePlace, known: SamplePlace): string {
    const isLater = taken.shown !== known.shown || taken.number > known.number
    const [later, earlier] = isLater ? [taken, known] : [known, taken]
    return `${later.shown}:${later.number} = ${earlier.shown}:${earlier.number}`
  }

  #fileAndNumber(index: number): SamplePlace {
    const shown = this.#files.findLast(({ first }) => first <= index)?.shown ?? ''
    return { shown, number: this.#numbers[Math.floor(index / chunkLength)]?.[index % chunkLength] ?? 0 }
  }
}

const chunkLength = 4096
