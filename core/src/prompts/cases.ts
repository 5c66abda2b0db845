/** The cases of a prompt: sets of values for its inputs, in its header and in `NAME.cases.yaml` next to it. */
import { isObject } from '../embedded/json-value.ts'
import {
  type HeaderEntry,
  type JsonObject,
  type JsonValue,
  readMapping,
  unmarked,
  valueAt,
  type YamlLimits,
  type YamlProblem,
} from '../embedded/yaml-header.ts'
import { caseFindings } from '../rules/case-findings.ts'
import { quoted } from '../rules/quoted.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { casesKey, type Input, inputsKey, inputsOf } from '../semantics/inputs.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'

/** A case. */
export interface PromptCase {
  readonly name: string
  /** The values that it gives, without defaults. */
  readonly values: JsonObject
  readonly isInHeader: boolean
  /** Where it is in the transcript, or in the file of cases. */
  readonly range: Range
  /** What is wrong with it, at places in the same text. */
  readonly problems: readonly CaseProblem[]
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

/** How much of a file of cases is read. */
export const largestCases: YamlLimits = { length: 500_000, elements: 250_000 } // half a second at most

/** Why the inputs and cases of a prompt are unknown: its header cannot be read. Undefined if it can. */
export function unreadHeader({ header: { filled } }: Analysis): YamlProblem | undefined {
  return filled.value === undefined ? filled.problems[0] : undefined
}

/** True if cases can fill a transcript: it declares inputs, or its header cannot be read, but what is left of it has `inputs` or `cases`. */
export function mayHaveCases(analysis: Analysis): boolean {
  if (analysis.settings.inputs !== undefined) return true
  const { filled } = analysis.header
  return unreadHeader(analysis) !== undefined && filled.entries.some(({ key }) => promptKeys.has(String(key)))
}

const promptKeys: ReadonlySet<string> = new Set([inputsKey, casesKey])

/** The cases of the header. The rule `unfit-case` reports what is wrong with them. */
export function casesInHeader({ header }: Analysis): readonly PromptCase[] {
  const declared = header.filled.value && valueAt(header.filled, [casesKey])
  const inputs = inputsOf(header.filled) ?? []
  return (declared?.children ?? []).map((it) => ({
    ...caseOf(it, inputs, header.offset),
    isInHeader: true,
  }))
}

/** The case of `entry`, in a text that begins at `offset`. */
function caseOf(
  entry: HeaderEntry,
  inputs: readonly Input[],
  offset: number,
): Omit<PromptCase, 'isInHeader'> {
  const { key, value } = entry
  const placed = ({ start, end }: Range) => ({ start: offset + start, end: offset + end })
  return {
    name: String(key),
    values: isObject(value) ? value : noValues,
    range: placed(entry.range),
    problems: [...caseFindings([entry], inputs)].map((it) => ({ ...it, range: placed(it.range) })),
  }
}

const noValues: JsonObject = {}

/** The cases in `text`, a file of them for the inputs of `analysis`, and what is wrong with them. Never throws. */
export function readCases(text: string, analysis: Analysis): CaseReading {
  const mapping = readMapping(unmarked(text), largestCases)
  const [broken] = mapping.value ? [] : mapping.problems
  if (broken?.kind === 'not-a-mapping') {
    const message = localize`A file of cases must be a YAML mapping from names to cases`
    return { cases: [], problems: [{ ...broken, message }] }
  }
  if (broken) return { cases: [], problems: [broken] }
  const inputs = inputsOf(analysis.header.filled) ?? []
  const inHeader = new Set(casesInHeader(analysis).map(({ name }) => name))
  const cases = mapping.entries.map((it) => {
    const read = { ...caseOf(it, inputs, 0), isInHeader: false }
    if (!inHeader.has(read.name)) return read
    const message = localize`The header already has a case ${quoted(read.name)}`
    return { ...read, problems: [{ range: it.keyRange ?? it.range, message }, ...read.problems] }
  })
  return { cases, problems: [...mapping.problems, ...cases.flatMap(({ problems }) => problems)] }
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
