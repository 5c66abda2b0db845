/** Reads the text of a configuration file: what it says, and what is wrong with it. */
import { type HeaderEntry, unmarked, type YamlHeader, yamlHeader } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { isRelativePath } from '../text/relative-path.ts'
import {
  type DatasetMapping,
  datasetMappingIn,
  mappedColumns,
  mappedTags,
  mappingKeys,
} from '../vocabulary/dataset-mapping.ts'
import { type Intent, intentNamed, intents } from '../vocabulary/intents.ts'
import { closestWord, didYouMean } from './closest-word.ts'
import {
  type Configuration,
  type ConfigurationProblem,
  type ConfigurationReading,
  configurationFileNames,
  type ExtendedPath,
  isConfigurationPath,
  type Override,
} from './configuration.ts'
import { lintEntries } from './lint-entries.ts'
import { listed, quoted } from './quoted.ts'
import { rules } from './rule-registry.ts'
import { type RuleSettings, type SeveritySetting, settableNames } from './rule-settings.ts'

/** Reads the text of a configuration file, YAML or JSON. Never throws. */
export function readConfiguration(text: string): ConfigurationReading {
  const header = yamlHeader(unmarked(text))
  const reader = new Reader(header)
  return { configuration: reader.configuration(), problems: reader.problems }
}

const topKeys = [
  'extends',
  'rules',
  'templates',
  'intent',
  'datasets',
  'review',
  'include',
  'exclude',
  'overrides',
]
/** For editors, and without effect. */
const schemaKey = '$schema'
const overrideKeys = ['files', 'rules', 'templates', 'intent']

/** Problems of YAML whose messages hold no words of the text. */
const quotesNothing: ReadonlySet<string> = new Set([
  'not-a-mapping',
  'second-document',
  'too-deep',
  'too-large',
])

const mostLabels = 9 // each has a key

/** Mistakes of one kind that are reported one by one. Where there are more, the first one counts them all. */
const reportedOfKind = 10

class Reader {
  readonly #header: YamlHeader
  readonly #mistakes = new Map<string, { readonly first: Mistake[]; count: number }>()

  constructor(header: YamlHeader) {
    this.#header = header
    const isOurs = looksLikeConfiguration(header)
    for (const { kind, range, message } of header.problems) {
      // A message of the YAML library may quote the text, which may be that of any file with this name.
      const isSafe = isOurs || quotesNothing.has(kind)
      const said = isSafe ? message : localize`This file is not a configuration: its YAML cannot be read`
      this.#report(kind, range, () => said)
    }
  }

  /** In order of the text. */
  get problems(): readonly ConfigurationProblem[] {
    const found: ConfigurationProblem[] = []
    for (const { first, count } of this.#mistakes.values()) {
      const explained = count > reportedOfKind ? first.slice(0, 1) : first
      for (const { explain, isError } of explained) {
        const { range, message } = explain()
        const counted = localize`${message} (one of ${count} problems of this kind)`
        found.push({ range, message: count > reportedOfKind ? counted : message, isError })
      }
    }
    return found.sort((one, other) => one.range.start - other.range.start)
  }

  configuration(): Configuration {
    const { entries, value } = this.#header
    if (!value) return nothingSet
    if (!isOurs(this.#header)) {
      this.#mistakes.clear() // one sentence says it all
      this.#report('not ours', entries[0]?.range ?? noRange, () => notOurs())
      return nothingSet
    }
    this.#reportUnknownKeys(entries, [...topKeys, schemaKey])
    const include = entryNamed(entries, 'include')
    return {
      extends: this.#extends(entryNamed(entries, 'extends')),
      rules: this.#rules(entryNamed(entries, 'rules')),
      templates: this.#boolean(entryNamed(entries, 'templates')),
      intent: this.#intent(entryNamed(entries, 'intent')),
      datasets: this.#items(entryNamed(entries, 'datasets')).flatMap((item) => this.#mapping(item) ?? []),
      include: include && include.type !== 'null' ? this.#patterns(include) : undefined,
      exclude: this.#patterns(entryNamed(entries, 'exclude')),
      labels: this.#labels(entryNamed(entries, 'review')),
      overrides: this.#items(entryNamed(entries, 'overrides')).map((item) => this.#override(item)),
    }
  }

  #extends(entry: HeaderEntry | undefined): readonly ExtendedPath[] {
    const items = typeof entry?.value === 'string' ? [entry] : this.#items(entry)
    return items.flatMap(({ value, valueRange }) => {
      const isPath = typeof value === 'string' && isRelativePath(value) && !value.includes('\\')
      if (isPath && isConfigurationPath(value)) return [{ path: value, range: valueRange }]
      this.#report(
        'extends',
        valueRange,
        () =>
          localize`\`extends\` takes paths relative to this file, of files whose names end in ${listed(configurationFileNames)}`,
      )
      return []
    })
  }

  #labels(review: HeaderEntry | undefined): readonly string[] | undefined {
    if (!review || review.type === 'null') return undefined
    if (review.type !== 'object') {
      this.#report('review', review.valueRange, () => localize`\`review\` must be a mapping with \`labels\``)
      return undefined
    }
    this.#reportUnknownKeys(review.children, ['labels'])
    const items = this.#items(entryNamed(review.children, 'labels'))
    const labels = items.flatMap(({ value, valueRange }) => {
      if (typeof value === 'string' && value !== '') return [value]
      this.#report('label', valueRange, () => localize`A label must be text such as \`refusal\``)
      return []
    })
    const [surplus] = items.slice(mostLabels)
    if (surplus)
      this.#report('labels', surplus.valueRange, () => localize`Expected at most ${mostLabels} labels`)
    return labels.length > 0 ? labels.slice(0, mostLabels) : undefined
  }

  #mapping(item: HeaderEntry): DatasetMapping | undefined {
    const mapping = datasetMappingIn(item.value)
    if (!mapping) {
      this.#report(
        'mapping',
        item.valueRange,
        () => localize`An entry of \`datasets\` must be a mapping with \`file_name\`, a pattern of paths`,
      )
      return undefined
    }
    this.#reportUnknownKeys(item.children, mappingKeys)
    for (const [key, known] of [
      ['columns', mappedColumns],
      ['tags', Object.keys(mappedTags)],
    ] as const)
      this.#reportUnknownKeys(entryNamed(item.children, key)?.children ?? [], known)
    return mapping
  }

  #override(item: HeaderEntry): Override {
    if (item.type !== 'object') {
      this.#report(
        'override',
        item.valueRange,
        () => localize`An override must be a mapping with \`files\` and \`rules\``,
      )
      return { files: [], rules: new Map(), templates: undefined, intent: undefined }
    }
    this.#reportUnknownKeys(item.children, overrideKeys)
    const files = entryNamed(item.children, 'files')
    if (!files)
      this.#report(
        'files',
        item.range,
        () => localize`An override needs \`files\`: a pattern, or a list of patterns`,
      )
    return {
      files: this.#patterns(files),
      rules: this.#rules(entryNamed(item.children, 'rules')),
      templates: this.#boolean(entryNamed(item.children, 'templates')),
      intent: this.#intent(entryNamed(item.children, 'intent')),
    }
  }

  #patterns(entry: HeaderEntry | undefined): readonly string[] {
    if (!entry) return []
    if (typeof entry.value === 'string') return [entry.value]
    return this.#items(entry).flatMap(({ value, valueRange }) => {
      if (typeof value === 'string') return [value]
      this.#report('pattern', valueRange, () => localize`A pattern must be a string such as \`fixtures/**\``)
      return []
    })
  }

  #boolean(entry: HeaderEntry | undefined): boolean | undefined {
    if (!entry || entry.type === 'null') return undefined
    if (typeof entry.value === 'boolean') return entry.value
    this.#report(
      'boolean',
      entry.valueRange,
      () => localize`${quoted(String(entry.key))} takes \`true\` or \`false\``,
    )
    return undefined
  }

  #intent(entry: HeaderEntry | undefined): Intent | undefined {
    if (!entry || entry.type === 'null') return undefined
    const intent = intentNamed(entry.value)
    if (!intent)
      this.#report(
        'intent',
        entry.valueRange,
        () => localize`\`intent\` must be one of ${listed(intents.map(({ name }) => name))}`,
      )
    return intent
  }

  #items(entry: HeaderEntry | undefined): readonly HeaderEntry[] {
    if (!entry || entry.type === 'null') return []
    if (entry.type === 'array') return entry.children
    this.#report('list', entry.valueRange, () => localize`${quoted(String(entry.key))} takes a list`)
    return []
  }

  #rules(entry: HeaderEntry | undefined): RuleSettings {
    const settings = new Map<string, SeveritySetting>()
    if (!entry || entry.type === 'null') return settings
    if (entry.type !== 'object') {
      this.#report(
        'rules',
        entry.valueRange,
        () => localize`\`rules\` must be a mapping of rules and codes to severities`,
      )
      return settings
    }
    for (const { name, setting, mistake } of lintEntries(entry.children, settableNames(rules))) {
      if (setting) settings.set(name, setting)
      if (mistake) this.#add(mistake.of, { explain: mistake.explain, isError: mistake.of === 'value' })
    }
    return settings
  }

  #reportUnknownKeys(entries: readonly HeaderEntry[], known: readonly string[]): void {
    for (const { key, keyRange, range } of entries) {
      if (known.includes(String(key))) continue
      this.#report('key', keyRange ?? range, () => {
        const message = localize`Unknown configuration key ${quoted(String(key))}`
        return didYouMean(message, closestWord(String(key), known))
      })
    }
  }

  #report(kind: string, range: Range, explain: () => string): void {
    this.#add(kind, { explain: () => ({ range, message: explain() }), isError: true })
  }

  #add(kind: string, mistake: Mistake): void {
    const known = this.#mistakes.get(kind)
    if (!known) this.#mistakes.set(kind, { first: [mistake], count: 1 })
    else {
      known.count++
      if (known.count <= reportedOfKind) known.first.push(mistake)
    }
  }
}

const nothingSet: Configuration = {
  extends: [],
  rules: new Map(),
  templates: undefined,
  intent: undefined,
  datasets: [],
  include: undefined,
  exclude: [],
  labels: undefined,
  overrides: [],
}

interface Mistake {
  readonly explain: () => { readonly range: Range; readonly message: string }
  readonly isError: boolean
}

const noRange: Range = { start: 0, end: 0 }

function notOurs(): string {
  return localize`This file is not a configuration: it has none of the keys ${listed(topKeys)}`
}

/** True if the file has a key of a configuration, or none at all. */
export function isOurs({ entries }: Pick<YamlHeader, 'entries'>): boolean {
  return entries.length === 0 || entries.some(({ key }) => key === schemaKey || isNearKey(String(key)))
}

/** True for a key of a configuration, and for a slip in one. */
function isNearKey(key: string): boolean {
  return topKeys.includes(key) || closestWord(key, topKeys) !== undefined
}

/** True if a text that may be broken was meant as a configuration. */
function looksLikeConfiguration({ text, entries }: YamlHeader): boolean {
  return entries.some(({ key }) => isNearKey(String(key))) || topKeys.some((it) => text.includes(it))
}

function entryNamed(entries: readonly HeaderEntry[], name: string): HeaderEntry | undefined {
  return entries.find(({ key }) => key === name)
}
