/** The part of the header that the meaning of messages depends on, interned: an edit that changes none of it changes nothing. */

import type { RequestTools } from '../document/transcript.ts'
import { isLargerThan, isObject } from '../embedded/json-value.ts'
import { shownTools, toolList } from '../embedded/request-tools.ts'
import { templatesIn, withoutTemplates } from '../embedded/template.ts'
import {
  headerSizeLimit,
  type JsonValue,
  valueAt,
  versionOf,
  type YamlHeader,
  yamlHeader,
} from '../embedded/yaml-header.ts'
import { type PreambleView, preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { perValue } from '../text/memo.ts'
import { type Intent, intentNamed } from '../vocabulary/intents.ts'
import { requestKey } from '../vocabulary/kept-keys.ts'
import { inputsOf } from './inputs.ts'

/** What messages are judged by. */
export interface DocumentSettings {
  /** True if there is a header, readable or not. */
  readonly hasHeader: boolean
  /** The declared version; undefined if there is none or it is not `major[.minor]`. */
  readonly version: { readonly major: number; readonly minor: number } | undefined
  /** True if `profiles.harmony.enabled` is true. */
  readonly isHarmony: boolean
  /** True if assistant messages must name their channel (D4). */
  readonly requiresChannels: boolean
  /** Tools that the header lists as built-in; undefined if it has no such list. */
  readonly builtinTools: ReadonlySet<string> | undefined
  /** What `lint` says of rules and codes, as written: severities, or `off`. */
  readonly lint: ReadonlyMap<string, string>
  /** What the transcript is for, as `profiles.intent` says. */
  readonly intent: Intent | undefined
  /** `generation_settings.reasoning_effort`, as written. */
  readonly reasoningEffort: string | undefined
  /** The names that `inputs` declares, for the templates in bodies; undefined without the key. */
  readonly inputs: readonly string[] | undefined
}

/** The header of a document and where it is in the preamble. */
export interface DocumentHeader {
  readonly yaml: YamlHeader
  /** The header with words in the place of what a template fills in; without templates the same as `yaml`. */
  readonly filled: YamlHeader
  /** Offset of the YAML text in the preamble segment, which is also its offset in the document. */
  readonly offset: number
  /** True if there are fences or anything but white space and comments. */
  readonly isPresent: boolean
}

/** The header in `preamble`. Equal headers of equal preambles are the same object, as long as those are remembered. */
export function headerOf(preamble: Segment): DocumentHeader {
  return preamble.kind === 'preamble' ? headerIn(preambleView(preamble)) : headerBeside(preamble)
}

const headerBeside = perValue((_file: Segment): DocumentHeader => {
  const yaml = yamlHeader('')
  return { yaml, filled: yaml, offset: 0, isPresent: false }
})

const headerIn = perValue((view: PreambleView): DocumentHeader => {
  const text = view.yamlText
  const yaml = yamlHeader(text)
  const templates = templatesIn(text)
  const filled = templates.length === 0 ? yaml : yamlHeader(withoutTemplates(text, templates))
  const isPresent = view.fences.length > 0 || !yaml.isEmpty
  return { yaml, filled, offset: view.yaml?.from ?? view.fences[0]?.to ?? 0, isPresent }
})

/** The settings that `preamble` makes. Equal settings are the same object. */
export function settingsOf(preamble: Segment): DocumentSettings {
  const { filled: yaml, isPresent } = headerOf(preamble)
  // In 0.1 nothing needs a header: text that is not a mapping is stray text, not a broken header (D3).
  const hasHeader = isPresent && (preamble.framing.name !== 'chatml' || yaml.value !== undefined)
  return hasHeader ? withHeader(yaml) : withoutHeader(yaml)
}

// By the header as data, which documents of the same text share: samples of a dataset are many and short.
const withHeader = perValue((yaml: YamlHeader) => settingsIn(yaml, true))
const withoutHeader = perValue((yaml: YamlHeader) => settingsIn(yaml, false))

function settingsIn(yaml: YamlHeader, hasHeader: boolean): DocumentSettings {
  const version = versionOf(yaml)
  const isHarmony = settingAt(yaml, ['profiles', 'harmony', 'enabled']) === true
  const required = settingAt(yaml, ['profiles', 'harmony', 'require_channels'])
  const effort = settingAt(yaml, ['generation_settings', 'reasoning_effort'])
  const tools =
    settingAt(yaml, ['builtin_tools']) ?? settingAt(yaml, ['generation_settings', 'builtin_tools'])
  return intern({
    hasHeader,
    version: version.kind === 'known' ? { major: version.major, minor: version.minor } : undefined,
    isHarmony,
    requiresChannels: isHarmony && !(Array.isArray(required) && required.length === 0),
    builtinTools: Array.isArray(tools) ? new Set(tools.filter((it) => typeof it === 'string')) : undefined,
    lint: lintOf(yaml),
    intent: intentNamed(settingAt(yaml, ['profiles', 'intent'])),
    reasoningEffort: typeof effort === 'string' ? effort : undefined,
    inputs: inputsOf(yaml)?.map(({ name }) => name),
  })
}

/** The tools of the request that the header in `preamble` keeps; undefined if it keeps none. */
export function requestToolsOf(preamble: Segment): RequestTools | undefined {
  return keptTools(headerOf(preamble).filled)
}

const keptTools = perValue((yaml: YamlHeader): RequestTools | undefined => {
  const request = settingAt(yaml, [requestKey])
  const tools = isObject(request) ? toolList(request) : undefined
  return isLargerThan(tools, largestTools) ? undefined : shownTools(tools).requestTools
})

/** Characters and values: aliases can make more of a header than honest tools take. */
const largestTools = 4 * headerSizeLimit

const interned = new Map<string, DocumentSettings>()
const internedAtMost = 1000 // headers differ little; a flood of them only costs sharing

function intern(settings: DocumentSettings): DocumentSettings {
  const key = JSON.stringify({
    ...settings,
    builtinTools: settings.builtinTools && [...settings.builtinTools],
    lint: [...settings.lint],
  })
  const known = interned.get(key)
  if (known) return known
  if (interned.size < internedAtMost) interned.set(key, settings)
  return settings
}

const noLint: ReadonlyMap<string, string> = new Map()

function lintOf(yaml: YamlHeader): ReadonlyMap<string, string> {
  const lint = settingAt(yaml, ['lint'])
  if (typeof lint !== 'object' || lint === null || Array.isArray(lint)) return noLint
  return new Map(
    Object.entries(lint).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function settingAt(yaml: YamlHeader, path: readonly string[]): JsonValue | undefined {
  return yaml.value && valueAt(yaml, path)?.value
}
