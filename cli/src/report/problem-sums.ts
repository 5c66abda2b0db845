/** How often each rule reports, with the first samples of each. Sums of parts merge to those of the whole. */
import { isObject, type Severity, severitySettingOf } from '../../../core/src/internal.ts'

/** A sample with a problem. */
export interface ProblemExample {
  /** `data.jsonl:17` */
  readonly place: string
  readonly message: string
  /** The first words of the sample, as far as they may be shown. */
  readonly words: string
}

/** What a rule reported. */
export interface ProblemSum {
  readonly code: string
  readonly rule: string
  readonly severity: Severity
  readonly count: number
  readonly examples: readonly ProblemExample[]
}

/** The sums as data. */
export type ProblemSumsData = readonly ProblemSum[]

const examplesAtMost = 5

/** Adds up. */
export class ProblemSums {
  readonly #sums = new Map<string, { -readonly [Key in keyof ProblemSum]: ProblemSum[Key] }>()

  /** Counts a problem; what it is an example of is made only if it is shown. */
  add(
    { code, rule, severity }: Pick<ProblemSum, 'code' | 'rule' | 'severity'>,
    example: () => ProblemExample,
  ): void {
    const key = `${rule} ${severity}`
    const sum = this.#sums.get(key) ?? { code, rule, severity, count: 0, examples: [] }
    this.#sums.set(key, sum)
    sum.count++
    if (sum.examples.length < examplesAtMost) sum.examples = [...sum.examples, example()]
  }

  /** Adds the sums of another part: one that comes after this one, or another shard of the same files. */
  merge(data: ProblemSumsData): void {
    for (const it of data) {
      const key = `${it.rule} ${it.severity}`
      const sum = this.#sums.get(key)
      if (!sum) this.#sums.set(key, { ...it })
      else {
        sum.count += it.count
        sum.examples = inOrder([...sum.examples, ...it.examples]).slice(0, examplesAtMost)
      }
    }
  }

  /** The most severe first, and of these the most frequent. */
  data(): ProblemSumsData {
    const order: readonly Severity[] = ['error', 'warning', 'information', 'hint']
    return [...this.#sums.values()].sort(
      (one, other) =>
        order.indexOf(one.severity) - order.indexOf(other.severity) ||
        other.count - one.count ||
        (one.rule < other.rule ? -1 : 1),
    )
  }
}

/** By file, in the order in which these are met, and by the number of the sample: shards have stretches of one file in turn. */
function inOrder(examples: readonly ProblemExample[]): readonly ProblemExample[] {
  const byFile = new Map<string, { readonly number: number; readonly it: ProblemExample }[]>()
  for (const it of examples) {
    const end = it.place.lastIndexOf(':')
    const file = it.place.slice(0, end)
    const found = { number: Number(it.place.slice(end + 1)), it }
    const others = byFile.get(file)
    if (others) others.push(found)
    else byFile.set(file, [found])
  }
  return [...byFile.values()].flatMap((found) =>
    found.sort((one, other) => one.number - other.number).map(({ it }) => it),
  )
}

/** True for what {@link ProblemSums.data} may be. */
export function areProblemSums(value: unknown): value is ProblemSumsData {
  return (
    Array.isArray(value) &&
    value.every((it) => {
      if (!isObject(it)) return false
      const { code, rule, severity, count, examples } = it as Record<string, unknown>
      const isKnown = severitySettingOf(severity) !== undefined && severity !== 'off'
      const isText = typeof code === 'string' && typeof rule === 'string'
      return (
        isKnown &&
        isText &&
        Number.isSafeInteger(count) &&
        Array.isArray(examples) &&
        examples.every(isExample)
      )
    })
  )
}

function isExample(value: unknown): boolean {
  if (!isObject(value)) return false
  const { place, message, words } = value as Record<string, unknown>
  return typeof place === 'string' && typeof message === 'string' && typeof words === 'string'
}
