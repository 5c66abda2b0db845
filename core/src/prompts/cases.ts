/** The cases of a prompt: sets of values for its inputs, in its header and in `NAME.cases.yaml` beside it. */
import { isObject } from '../embedded/json-value.ts'
import { type JsonObject, type JsonValue, readMapping, valueAt } from '../embedded/yaml-header.ts'
import { caseFindings } from '../rules/case-findings.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { casesKey, type Input, inputsOf } from '../semantics/inputs.ts'
import type { Range } from '../text/range.ts'

/** A case. */
export interface PromptCase {
  readonly name: string
  /** The values that it gives, without defaults. */
  readonly values: JsonObject
  readonly isInHeader: boolean
  /** Where it is in the transcript, or in the file of cases. */
  readonly range: Range
}

/** What is wrong with a file of cases. */
export interface CaseProblem {
  readonly range: Range
  readonly message: string
  /** What to write there instead, where that is clear. */
  readonly replacement?: string | undefined
}

/** Cases as read. */
export interface CaseReading {
  readonly cases: readonly PromptCase[]
  readonly problems: readonly CaseProblem[]
}

/** The most characters of a file of cases that are read. */
export const largestCases = 500_000 // UTF-16 code units; a second at most

/** `support.cases.yaml` for `support.ocm`. */
export function casesPath(path: string): string {
  return `${path.replace(/\.ocm$/i, '')}.cases.yaml`
}

/** `support.ocm` for `support.cases.yaml`; undefined for other files. */
export function promptPath(path: string): string | undefined {
  return /\.cases\.yaml$/i.test(path) ? path.replace(/\.cases\.yaml$/i, '.ocm') : undefined
}

/** The cases of the header. What is wrong with them is for the rule `unfit-case`. */
export function casesInHeader({ header }: Analysis): readonly PromptCase[] {
  const declared = header.filled.value && valueAt(header.filled, [casesKey])
  return (declared?.children ?? []).map(({ key, value, range }) => ({
    name: String(key),
    values: isObject(value) ? value : noValues,
    isInHeader: true,
    range: { start: header.offset + range.start, end: header.offset + range.end },
  }))
}

const noValues: JsonObject = {}

/** The cases in `text`, a file of them for the inputs of `analysis`, and what is wrong with them. Never throws. */
export function readCases(text: string, analysis: Analysis): CaseReading {
  const mapping = readMapping(text.replace(/^\ufeff/, ' '), largestCases)
  const [broken] = mapping.value ? [] : mapping.problems
  if (broken) return { cases: [], problems: [broken] }
  const inputs = inputsOf(analysis.header.filled) ?? []
  const cases = mapping.entries.map(({ key, value, range }) => ({
    name: String(key),
    values: isObject(value) ? value : noValues,
    isInHeader: false,
    range,
  }))
  return { cases, problems: [...mapping.problems, ...caseFindings(mapping.entries, inputs)] }
}

/** What a prompt is filled with: the values of a case, and defaults for what it leaves out. Values that are not declared are left out. */
export function valuesOf(inputs: readonly Input[], values: JsonObject): ReadonlyMap<string, JsonValue> {
  const result = new Map<string, JsonValue>()
  for (const { name, default: initial } of inputs) {
    const value = Object.hasOwn(values, name) ? values[name] : initial
    if (value !== undefined) result.set(name, value)
  }
  return result
}
