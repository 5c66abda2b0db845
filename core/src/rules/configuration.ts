/** What a configuration file sets, and for which paths. {@link ProjectConfigurations} finds the files. */
import { perValue } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import type { Intent } from '../vocabulary/intents.ts'
import { PathPattern } from './path-pattern.ts'
import type { RuleSettings } from './rule-settings.ts'

/** The names under which a configuration file is looked for, in each folder from that of the transcript upwards. */
export const configurationFileNames: readonly string[] = [
  '.openchatml.yaml',
  '.openchatml.yml',
  '.openchatml.json',
]

/** True for the path of a file that may be extended: `.openchatml.yaml`, `strict.openchatml.yaml`. Others are never read. */
export function isConfigurationPath(path: string): boolean {
  return configurationFileNames.some((it) => path.endsWith(it))
}

/** A file that a configuration file extends. */
export interface ExtendedPath {
  /** Relative to the file. */
  readonly path: string
  readonly range: Range
}

/** What a configuration file says. */
export interface Configuration {
  /** The files whose settings hold where this one sets nothing else, in the order of the file; the last one counts most. */
  readonly extends: readonly ExtendedPath[]
  /** What holds for all transcripts. */
  readonly rules: RuleSettings
  /** False to report what placeholders of templates cause; undefined if the file does not say. */
  readonly templates: boolean | undefined
  /** What the transcripts are for that do not say it themselves. */
  readonly intent: Intent | undefined
  /** How columns of datasets are called, in the order of the file; the first one that fits a path counts. */
  readonly datasets: readonly DatasetMapping[]
  /** Patterns of paths, relative to the file, that searches of directories are limited to; undefined if the file does not say. */
  readonly include: readonly string[] | undefined
  /** Patterns of paths, relative to the file, that searches of directories leave out. */
  readonly exclude: readonly string[]
  /** The labels that reviewers are offered; undefined if the file does not say. */
  readonly labels: readonly string[] | undefined
  /** What holds for some, in the order of the file; the last one that fits counts most. */
  readonly overrides: readonly Override[]
}

/** What a configuration file sets for some transcripts. */
export interface Override {
  /** Patterns of paths, relative to the file; any of them may fit. */
  readonly files: readonly string[]
  readonly rules: RuleSettings
  readonly templates: boolean | undefined
  readonly intent: Intent | undefined
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

/** What a configuration file sets for one transcript. */
export interface PathSettings {
  /** The least specific first. */
  readonly rules: readonly RuleSettings[]
  /** Undefined if the file does not say. */
  readonly templates: boolean | undefined
  readonly intent: Intent | undefined
  /** How the columns of a dataset at the path are called; undefined if they are to be recognized. */
  readonly mapping?: DatasetMapping | undefined
  /** True if searches of directories leave the path out; a file that is named or open is read all the same. */
  readonly isExcluded?: boolean
  /** False if `include` limits searches to other files; it says nothing about directories. */
  readonly isIncluded?: boolean | undefined
  /** The labels that reviewers are offered; undefined if the file does not say. */
  readonly labels?: readonly string[] | undefined
  /**
   * A file that has errors, so that not everything that it sets is known, such as that a rule is off: many problems at once are
   * not fixed then.
   */
  readonly broken?: string | undefined
}

/** What is set where there is no configuration file. */
export const noPathSettings: PathSettings = { rules: [], templates: undefined, intent: undefined }

/** The overrides for the transcript at `path`, with their places in the list; `path` is as for {@link settingsForPath}. */
export function overridesFor(
  { overrides }: Configuration,
  path: string,
): readonly (Override & { readonly index: number })[] {
  return overrides.flatMap((it, index) =>
    patternsOf(it.files).some((pattern) => pattern.matches(path)) ? [{ ...it, index }] : [],
  )
}

/** What `configuration` sets for the transcript at `path`, relative to the file and with `/` between its parts. */
export function settingsForPath(configuration: Configuration, path: string): PathSettings {
  const { rules, templates, intent, datasets, labels, include, exclude } = configuration
  const special = overridesFor(configuration, path)
  const intents = special.flatMap((it) => it.intent ?? [])
  const placeholders = special.flatMap((it) => it.templates ?? [])
  return {
    rules: [rules, ...special.map((it) => it.rules)],
    templates: placeholders.at(-1) ?? templates,
    intent: intents.at(-1) ?? intent,
    mapping: datasets.find((it) => patternOf(it).matches(path)),
    isExcluded: patternsOf(exclude).some((it) => it.matches(path)),
    isIncluded: include && patternsOf(include).some((it) => it.matches(path)),
    labels,
  }
}

/** What several files set together, the least specific first: the last one that sets something counts, and each can exclude a path. */
export function layeredSettings(layers: readonly PathSettings[]): PathSettings {
  const last = <Key extends keyof PathSettings>(key: Key): PathSettings[Key] | undefined =>
    layers.findLast((it) => it[key] !== undefined)?.[key]
  return {
    rules: layers.flatMap(({ rules }) => rules),
    templates: last('templates'),
    intent: last('intent'),
    mapping: last('mapping'),
    isExcluded: layers.some(({ isExcluded }) => isExcluded),
    isIncluded: last('isIncluded'),
    labels: last('labels'),
  }
}

const patternsOf = perValue((files: readonly string[]) => files.map((it) => new PathPattern(it)))

const patternOf = perValue(({ file }: DatasetMapping) => new PathPattern(file))
