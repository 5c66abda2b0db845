/** Inserts and converts headers. Keys, values and comments that are there stay, and no message ever changes. */

import { lineBreakOf } from '../document/line-break.ts'
import { Transcript } from '../document/transcript.ts'
import type { HeaderSchema } from '../embedded/header-schema.ts'
import { isObject } from '../embedded/json-value.ts'
import { blockOf, yamlEdits } from '../embedded/yaml-edit.ts'
import { type JsonObject, type JsonValue, versionOf } from '../embedded/yaml-header.ts'
import { applyEdits } from '../rules/apply-fix.ts'
import { Document } from '../rules/document.ts'
import { withReason } from '../rules/rule-off-entry.ts'
import { rules } from '../rules/rule-registry.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { documentHeaderSchema } from '../semantics/document-header-schema.ts'
import { byteOrderMarkLength } from '../syntax/preamble-end.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { TextEdit } from '../text/range.ts'

/**
 * What a header can be made to be: `version` declares 2.2; `capabilities` also lists what writers of 2.2 negotiate;
 * `harmony` also puts the Harmony profile in force, with all its keys; `fenced` puts it between `---` lines, `plain` does not.
 */
export type HeaderForm = 'version' | 'capabilities' | 'harmony' | 'fenced' | 'plain'

/** All forms, the simplest first. */
export const headerForms: readonly HeaderForm[] = ['version', 'capabilities', 'harmony', 'fenced', 'plain']

/** True if the transcript has a header, readable or not. */
export function hasHeader({ header }: Analysis): boolean {
  return header.isPresent
}

/**
 * The edits that insert a header of that form, or give the one that is there what the form asks for. Undefined if it has
 * that already, if it cannot be read, and where no header belongs: in 0.1 and raw Harmony text.
 */
export function headerEdits(analysis: Analysis, form: HeaderForm): readonly TextEdit[] | undefined {
  const { transcript, header } = analysis
  if (transcript.framing.name !== 'openchatml' && transcript.segmentCount > 1) return undefined
  if (header.isPresent && !header.yaml.value) return undefined
  const edits =
    form === 'fenced' || form === 'plain' ? fenceEdits(analysis, form) : valueEdits(analysis, form)
  if (!edits || edits.length === 0) return undefined
  const lineBreak = lineBreakOf(transcript)
  const written = edits.map((it) => ({ ...it, text: it.text.replaceAll('\n', lineBreak) }))
  return isHarmless(analysis, written, valuesOf(form)) ? written : undefined
}

/**
 * The edits after which the YAML header turns `rule` off, with a comment for the reason; a header is made if there is none.
 * Undefined where none belongs, where a new header would make other rules report more, for rules about a header that does not
 * exist, and for conflicts: they are to be resolved.
 */
export function ruleOffEdits(analysis: Analysis, rule: string): readonly TextEdit[] | undefined {
  const { transcript, header } = analysis
  if (rule === 'merge-conflict' || (!header.isPresent && isAboutHeader(rule))) return undefined
  if (transcript.framing.name !== 'openchatml' && transcript.segmentCount > 1) return undefined
  const lint = { lint: { [rule]: 'off' } }
  const values = header.isPresent ? lint : { version: 2.2, ...lint }
  const edits = header.isPresent
    ? header.yaml.value && yamlEdits(header.yaml, values)?.map((it) => moved(it, header.offset))
    : newHeader(analysis, values)
  const lineBreak = lineBreakOf(transcript)
  const after = (at: number) => transcript.text({ start: at, end: Math.min(at + 1, transcript.length) })
  const written = edits?.map((it) => ({
    ...it,
    text: withReason(it.text, after(it.end)).replaceAll('\n', lineBreak),
  }))
  if (!written || !isHarmless(analysis, written, values)) return undefined
  return header.isPresent || !reportsMore(analysis, written) ? written : undefined
}

function isAboutHeader(rule: string): boolean {
  return rules.some(({ name, scope }) => name === rule && scope === 'header')
}

/** Longer transcripts, in UTF-16 code units, are not checked twice. */
const longestChecked = 1_000_000

/** True if any rule reports more problems after `edits`, or no one knows. */
function reportsMore({ transcript }: Analysis, edits: readonly TextEdit[]): boolean {
  if (transcript.length > longestChecked) return true
  const counted = (text: string) => {
    const counts = new Map<string, number>()
    const { problems } = new Document(text, { dialect: transcript.forcedDialect }).problems()
    for (const { rule } of problems) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return counts
  }
  const text = transcript.text()
  const before = counted(text)
  return [...counted(applyEdits(text, edits))].some(([rule, count]) => count > (before.get(rule) ?? 0))
}

/** What the form asks for. */
function valuesOf(form: HeaderForm): JsonObject {
  const version = { version: 2.2 }
  const { capabilities, profiles } = documentHeaderSchema.properties ?? {}
  if (form === 'capabilities') return { ...version, capabilities: defaultsOf(capabilities) }
  if (form === 'harmony')
    return { ...version, profiles: { harmony: defaultsOf(profiles?.properties?.harmony) } }
  return form === 'version' ? version : {}
}

function defaultsOf(schema: HeaderSchema | undefined): JsonObject {
  const values: Record<string, JsonValue> = {}
  for (const [key, { default: initial }] of Object.entries(schema?.properties ?? {})) {
    if (initial !== undefined) values[key] = initial
  }
  return values
}

function valueEdits(analysis: Analysis, form: HeaderForm): readonly TextEdit[] | undefined {
  const { header } = analysis
  if (!header.isPresent) return newHeader(analysis, valuesOf(form))
  const version = versionOf(header.yaml)
  const isCurrent = version.kind === 'known' && version.major === 2 && version.minor >= 1
  const { version: current, ...rest } = valuesOf(form)
  const wanted = missing(rest, header.yaml.value ?? {})
  const values = { ...(!isCurrent && current !== undefined && { version: current }), ...wanted }
  return yamlEdits(header.yaml, values)?.map((it) => moved(it, header.offset))
}

/** A header before everything else. */
function newHeader({ preamble, transcript }: Analysis, values: JsonObject): readonly TextEdit[] {
  const at = preamble.kind === 'preamble' ? byteOrderMarkLength(preamble.text) : 0
  const gap = /^\s*\n/.test(preamble.text.slice(at)) || transcript.segmentCount === 1 ? '' : '\n'
  return [{ start: at, end: at, text: blockOf(values) + gap }]
}

function moved({ start, end, text }: TextEdit, by: number): TextEdit {
  return { start: start + by, end: end + by, text }
}

/** What of `wanted` is not there; of what is there, only `enabled: false` has to give way. */
function missing(wanted: JsonObject, present: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(wanted)) {
    const own = Object.hasOwn(present, key) ? present[key] : undefined
    if (own === undefined || own === null) result[key] = value
    else if (isObject(value)) {
      const rest = isObject(own) ? missing(value, own) : value
      if (Object.keys(rest).length > 0) result[key] = rest
    } else if (key === 'enabled' && own === false) result[key] = value
  }
  return result
}

function fenceEdits({ preamble, header }: Analysis, form: HeaderForm): readonly TextEdit[] | undefined {
  const { fences, yaml } = preambleView(preamble)
  if (preamble.kind !== 'preamble' || !header.isPresent) return undefined
  if (form === 'plain') {
    return fences.map(({ from, to }) => {
      const lineBreak = /^(?:\r\n|\n|\r)?/.exec(preamble.text.slice(to, to + 2))?.[0] ?? ''
      return { start: from, end: to + lineBreak.length, text: '' }
    })
  }
  if (fences.length > 0 || !yaml) return undefined
  const text = preamble.text.slice(yaml.from, yaml.to)
  const end = yaml.from + text.trimEnd().length
  return [
    { start: yaml.from, end: yaml.from, text: '---\n' },
    { start: end, end, text: '\n---' },
  ]
}

/** True if the messages are the same afterwards, and the header says what it said and what it shall. */
function isHarmless(analysis: Analysis, edits: readonly TextEdit[], wanted: JsonObject): boolean {
  const { transcript } = analysis
  const after = analyze(
    Transcript.parse(applyEdits(transcript.text(), edits), { dialect: transcript.forcedDialect }),
  )
  const offset = after.transcript.segmentCount - transcript.segmentCount
  if (offset < 0 || offset > 1 || after.transcript.framing !== transcript.framing) return false
  const [before, now] = [transcript.segments(), after.transcript.segments()]
  if (offset === 1) now.next()
  for (const { segment } of before) {
    const other = now.next().value
    if (segment.kind !== 'preamble' && other?.segment.text !== segment.text) return false
  }
  const value = after.header.yaml.value
  if (!value || after.header.yaml.problems.length > analysis.header.yaml.problems.length) return false
  return says(value, analysis.header.yaml.value ?? {}, wanted)
}

/** True if `value` has every key of both, and nothing else; where both have a key, either value. */
function says(value: JsonObject, one: JsonObject, other: JsonObject): boolean {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  if (keys.size !== Object.keys(value).length) return false
  for (const key of keys) {
    const [found, before, wanted] = [value[key], one[key], other[key]]
    if (found === undefined) return false
    if (isObject(found)) {
      const [left, right] = [before ?? {}, wanted ?? {}]
      if (!isObject(left) || !isObject(right) || !says(found, left, right)) return false
    } else if (![before, wanted].some((it) => JSON.stringify(it) === JSON.stringify(found))) return false
  }
  return true
}
