/** The configuration file of a folder of transcripts, for the editor and the command line: what it says, and what is wrong with it. */
import { type HeaderEntry, type YamlHeader, yamlHeader } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { type Intent, intentNamed, intents } from '../vocabulary/intents.ts'
import { closestWord, didYouMean } from './closest-word.ts'
import { lintEntries } from './lint-entries.ts'
import { matchesPath } from './path-pattern.ts'
import { listed, quoted } from './quoted.ts'
import { rules } from './registry.ts'
import { type RuleSettings, type SeveritySetting, settableNames } from './rule-settings.ts'

/** The names under which a configuration file is looked for, in each folder from that of the transcript upwards. */
export const configurationFileNames: readonly string[] = ['.openchatml.yaml', '.openchatml.json']

/** What a configuration file says. */
export interface Configuration {
  /** What holds for all transcripts. */
  readonly rules: RuleSettings
  /** False to report what placeholders of templates cause; undefined if the file does not say. */
  readonly templates: boolean | undefined
  /** What the transcripts are for that do not say it themselves. */
  readonly intent: Intent | undefined
  /** What holds for some, in the order of the file; the last one that fits counts most. */
  readonly overrides: readonly {
    /** Patterns of paths, relative to the file; any of them may fit. */
    readonly files: readonly string[]
    readonly rules: RuleSettings
    readonly templates: boolean | undefined
    readonly intent: Intent | undefined
  }[]
}

/** What is wrong with a configuration file. */
export interface ConfigurationProblem {
  readonly range: Range
  /** One sentence without final stop. */
  readonly message: string
  /** False for names that may be those of another version. */
  readonly isError: boolean
}

/** A configuration file as read. */
export interface ConfigurationReading {
  /** What can be understood of it. */
  readonly configuration: Configuration
  /** In order of the text. */
  readonly problems: readonly ConfigurationProblem[]
}

/** Reads the text of a configuration file, YAML or JSON. Never throws. */
export function readConfiguration(text: string): ConfigurationReading {
  const header = yamlHeader(text.replace(/^\ufeff/, ' '))
  const reader = new Reader(header)
  return { configuration: reader.configuration(), problems: reader.problems }
}

/** What a configuration file sets for one transcript. */
export interface PathSettings {
  /** The least specific first. */
  readonly rules: readonly RuleSettings[]
  /** Undefined if the file does not say. */
  readonly templates: boolean | undefined
  readonly intent: Intent | undefined
}

/** What is set where there is no configuration file. */
export const noPathSettings: PathSettings = { rules: [], templates: undefined, intent: undefined }

/** What `configuration` sets for the transcript at `path`, relative to the file and with `/` between its parts. */
export function settingsForPath(
  { rules, templates, intent, overrides }: Configuration,
  path: string,
): PathSettings {
  const special = overrides.filter(({ files }) => files.some((pattern) => matchesPath(pattern, path)))
  const intents = special.flatMap((it) => it.intent ?? [])
  const placeholders = special.flatMap((it) => it.templates ?? [])
  return {
    rules: [rules, ...special.map((it) => it.rules)],
    templates: placeholders.at(-1) ?? templates,
    intent: intents.at(-1) ?? intent,
  }
}

const topKeys = ['rules', 'templates', 'intent', 'overrides']
const overrideKeys = ['files', 'rules', 'templates', 'intent']

class Reader {
  readonly #header: YamlHeader
  readonly problems: ConfigurationProblem[] = []

  constructor(header: YamlHeader) {
    this.#header = header
    for (const { range, message } of header.problems) this.problems.push({ range, message, isError: true })
  }

  configuration(): Configuration {
    const { entries, value } = this.#header
    if (!value) return { rules: new Map(), templates: undefined, intent: undefined, overrides: [] }
    this.#reportUnknownKeys(entries, topKeys)
    return {
      rules: this.#rules(entryNamed(entries, 'rules')),
      templates: this.#boolean(entryNamed(entries, 'templates')),
      intent: this.#intent(entryNamed(entries, 'intent')),
      overrides: this.#items(entryNamed(entries, 'overrides')).map((item) => this.#override(item)),
    }
  }

  #override(item: HeaderEntry): Configuration['overrides'][number] {
    if (item.type !== 'object') {
      this.#report(item.valueRange, localize`An override is a mapping with \`files\` and \`rules\``)
      return { files: [], rules: new Map(), templates: undefined, intent: undefined }
    }
    this.#reportUnknownKeys(item.children, overrideKeys)
    const files = entryNamed(item.children, 'files')
    if (!files)
      this.#report(item.range, localize`An override needs \`files\`: a pattern, or a list of patterns`)
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
      this.#report(valueRange, localize`A pattern is a text such as \`fixtures/**\``)
      return []
    })
  }

  #boolean(entry: HeaderEntry | undefined): boolean | undefined {
    if (!entry || entry.type === 'null') return undefined
    if (typeof entry.value === 'boolean') return entry.value
    this.#report(entry.valueRange, localize`${quoted(String(entry.key))} takes \`true\` or \`false\``)
    return undefined
  }

  #intent(entry: HeaderEntry | undefined): Intent | undefined {
    if (!entry || entry.type === 'null') return undefined
    const intent = intentNamed(entry.value)
    if (!intent)
      this.#report(
        entry.valueRange,
        localize`\`intent\` is one of ${listed(intents.map(({ name }) => name))}`,
      )
    return intent
  }

  #items(entry: HeaderEntry | undefined): readonly HeaderEntry[] {
    if (!entry || entry.type === 'null') return []
    if (entry.type === 'array') return entry.children
    this.#report(entry.valueRange, localize`${quoted(String(entry.key))} takes a list`)
    return []
  }

  #rules(entry: HeaderEntry | undefined): RuleSettings {
    const settings = new Map<string, SeveritySetting>()
    if (!entry || entry.type === 'null') return settings
    if (entry.type !== 'object') {
      this.#report(entry.valueRange, localize`\`rules\` takes a mapping of rules and codes to severities`)
      return settings
    }
    for (const { name, setting, problem } of lintEntries(entry.children, settableNames(rules))) {
      if (setting) settings.set(name, setting)
      if (problem) {
        const { range, message } = problem
        this.problems.push({ range, message, isError: setting === undefined })
      }
    }
    return settings
  }

  #reportUnknownKeys(entries: readonly HeaderEntry[], known: readonly string[]): void {
    for (const { key, keyRange, range } of entries) {
      if (known.includes(String(key))) continue
      const advice = didYouMean(closestWord(String(key), known))
      this.#report(
        keyRange ?? range,
        localize`${quoted(String(key))} is no key of the configuration${advice}`,
      )
    }
  }

  #report(range: Range, message: string): void {
    this.problems.push({ range, message, isError: true })
  }
}

function entryNamed(entries: readonly HeaderEntry[], name: string): HeaderEntry | undefined {
  return entries.find(({ key }) => key === name)
}
