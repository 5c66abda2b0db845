/**
 * What users set about rules: a severity, or off, by the name of a rule or by a code. Several places may say something;
 * the most specific place counts, and within one place the name of the rule counts more than its code.
 */
import type { RuleDocumentation, Severity } from './rule.ts'

/** What can be set for a rule. */
export type SeveritySetting = Severity | 'off'

/** Rules and codes with what is set for them, in one place. */
export type RuleSettings = ReadonlyMap<string, SeveritySetting>

/** All that can be set, as users write it. */
export const severitySettings: readonly SeveritySetting[] = ['error', 'warning', 'information', 'hint', 'off']

/** What `value` sets, or undefined if it is none of {@link severitySettings}. */
export function severitySettingOf(value: unknown): SeveritySetting | undefined {
  return severitySettings.find((it) => it === value)
}

/** The settings in `value`, an object of rules and codes; what makes no sense is left out. */
export function ruleSettingsFrom(value: unknown): RuleSettings {
  const settings = new Map<string, SeveritySetting>()
  if (typeof value !== 'object' || value === null) return settings
  for (const [name, it] of Object.entries(value)) {
    const setting = severitySettingOf(it)
    if (setting) settings.set(name, setting)
  }
  return settings
}

/** What `places`, the least specific first, set for `rule`; undefined if none says anything. */
export function severitySettingFor(
  { name, code }: Pick<RuleDocumentation, 'name' | 'code'>,
  places: readonly RuleSettings[],
): SeveritySetting | undefined {
  for (let index = places.length - 1; index >= 0; index--) {
    const setting = places[index]?.get(name) ?? places[index]?.get(code)
    if (setting) return setting
  }
  return undefined
}

/** The names that settings may use: rules, then codes. */
export function settableNames(rules: readonly RuleDocumentation[]): readonly string[] {
  return [...new Set([...rules.map(({ name }) => name), ...rules.map(({ code }) => code)])]
}
