/** Turns a rule off in a configuration file. */
import { yamlEdits } from '../embedded/yaml-edit.ts'
import { type HeaderPath, type JsonObject, unmarked, yamlHeader } from '../embedded/yaml-header.ts'
import { applyEdits, withLineBreaksOf } from './apply-fix.ts'
import { overridesFor, settingsForPath } from './configuration.ts'
import { isOurs, readConfiguration } from './configuration-reader.ts'
import { rules } from './rule-registry.ts'
import { severitySettingFor } from './rule-settings.ts'

/**
 * `text`, a configuration file in YAML or JSON or nothing, with `rule` turned off for all transcripts, also in the overrides
 * that set it for the one at `path`, which is relative to the file. YAML gets a comment for the reason; everything else stays
 * as it is. Undefined if the text has no place for it or is not a configuration, and if the rule would not be off afterwards.
 */
export function configurationWithRuleOff(text: string, rule: string, path: string): string | undefined {
  const named = rules.find(({ name }) => name === rule)
  const header = yamlHeader(unmarked(text))
  if (!named || (!header.value && !header.isEmpty) || !isOurs(header)) return undefined
  const before = readConfiguration(text)
  const overrides = overridesFor(before.configuration, path).filter(
    (it) => severitySettingFor(named, [it.rules]) !== undefined,
  )
  const places: HeaderPath[] = [[], ...overrides.map(({ index }) => ['overrides', index])]
  const off: JsonObject = { rules: { [rule]: 'off' } }
  const edits = places.map((it) => yamlEdits(header, off, it))
  if (!edits.every((it) => it !== undefined)) return undefined
  const isJson = /^\s*\{/.test(header.text)
  const written = edits
    .flat()
    .map((it) => (isJson ? it : { ...it, text: withReason(it.text, text.charAt(it.end)) }))
    .sort((one, other) => one.start - other.start)
  const result = applyEdits(text, withLineBreaksOf(text, written))
  const after = readConfiguration(result)
  const setting = severitySettingFor(named, settingsForPath(after.configuration, path).rules)
  if (setting !== 'off' || after.problems.length > before.problems.length) return undefined
  return saysOff(yamlHeader(unmarked(result)).value, header.value, places, rule) ? result : undefined
}

/** True if `value` is `before`, and turns `rule` off at `places`. */
function saysOff(
  value: JsonObject | undefined,
  before: JsonObject | undefined,
  places: readonly HeaderPath[],
  rule: string,
): boolean {
  const wanted: MutableObject = JSON.parse(JSON.stringify(before ?? {}))
  for (const place of places) {
    let at = wanted
    for (const key of place) at = at[key] as MutableObject
    at.rules = { ...(at.rules as MutableObject | null), [rule]: 'off' }
  }
  return JSON.stringify(value) === JSON.stringify(wanted)
}

type MutableObject = Record<string, unknown>

/** `text`, which may set a rule to `"off"`, with a comment for the reason, if that ends its line; `next` is the character after it. */
export function withReason(text: string, next: string): string {
  const off = '"off"'
  const end = text.indexOf(off) + off.length
  const isLast = end < text.length ? text[end] === '\n' : next === '' || next === '\n' || next === '\r'
  return text.includes(off) && isLast ? `${text.slice(0, end)} # reason:${text.slice(end)}` : text
}
