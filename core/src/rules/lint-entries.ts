/** Severities by rule or code as people write them in YAML, in the header of a transcript or in a configuration file. */

import type { HeaderEntry } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { closestWord, didYouMean, expectedOneOf } from './closest-word.ts'
import { quoted } from './quoted.ts'
import { type SeveritySetting, severitySettingOf, severitySettings } from './rule-settings.ts'

/** One entry: `rule: severity`. */
export interface LintEntry {
  readonly name: string
  /** Undefined if the value is not one that can be set. */
  readonly setting: SeveritySetting | undefined
  /** What is wrong: the value, or else the name. Looking for what was meant takes time, so it is explained on request. */
  readonly mistake: { readonly of: 'value' | 'name'; readonly explain: () => LintExplanation } | undefined
}

/** A mistake in words. */
export interface LintExplanation {
  readonly range: Range
  readonly message: string
  /** What was probably meant. */
  readonly suggestions: readonly string[]
}

/** The entries of a mapping; `known` are the names of rules and codes. */
export function lintEntries(entries: readonly HeaderEntry[], known: readonly string[]): readonly LintEntry[] {
  const names = new Set(known)
  return entries.map((entry) => {
    const name = String(entry.key)
    const setting = severitySettingOf(entry.value)
    if (!setting) return { name, setting, mistake: { of: 'value', explain: () => valueProblem(entry, name) } }
    if (names.has(name)) return { name, setting, mistake: undefined }
    return { name, setting, mistake: { of: 'name', explain: () => nameProblem(entry, name, known) } }
  })
}

function nameProblem(
  { keyRange, range }: HeaderEntry,
  name: string,
  known: readonly string[],
): LintExplanation {
  const suggestion = nearestName(name, known)
  const message = didYouMean(localize`Unknown rule or code ${quoted(name)}`, suggestion)
  return { range: keyRange ?? range, message, suggestions: suggestion === undefined ? [] : [suggestion] }
}

function valueProblem({ value, valueRange, range }: HeaderEntry, name: string): LintExplanation {
  const suggestion = typeof value === 'string' ? closestWord(value, severitySettings) : undefined
  const isEmpty = valueRange.start === valueRange.end
  const message = expectedOneOf(severityProblem(name, value, isEmpty), suggestion, severitySettings)
  const suggestions = suggestion === undefined ? severitySettings : [suggestion]
  return { range: isEmpty ? range : valueRange, message, suggestions: isEmpty ? [] : suggestions }
}

function severityProblem(name: string, value: unknown, isEmpty: boolean): string {
  if (isEmpty) return localize`${quoted(name)} is missing a severity`
  if (typeof value === 'string') return localize`Unknown severity ${quoted(value)} for ${quoted(name)}`
  return localize`The severity for ${quoted(name)} must be a word`
}

/** The rule or code among `known` that `name` probably means; codes are written in capitals. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const code = name.toUpperCase()
  if (known.includes(code)) return code
  return closestWord(name, known) ?? closestCode(code, known)
}

function closestCode(code: string, known: readonly string[]): string | undefined {
  const codes = known.filter((it) => it === it.toUpperCase()).map((it) => it.toLowerCase())
  return closestWord(code, codes)?.toUpperCase()
}
