/** The configuration of each transcript: of the nearest file upwards, or of the file that was named, or none. */
import { dirname, join, resolve } from 'node:path'
import {
  type ConfigurationFile,
  type DatasetInfo,
  datasetInfoName,
  folderOf,
  hasErrors,
  isDatasetName,
  isPackedName,
  mappingBeside,
  noPathSettings,
  type PathSettings,
  type ProjectConfiguration,
  ProjectConfigurations,
} from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { FileProblem } from '../files/file-problem.ts'
import {
  complaintsAbout,
  configurationSource,
  diskPath,
  readConfigurationText,
  slashPath,
} from './read-configuration.ts'

/** The options of commands that read configuration files. */
export const configurationOptions = {
  config: { kind: 'text', placeholder: 'FILE', summary: 'The configuration file for all transcripts' },
  'no-config': { kind: 'flag', summary: 'Read no configuration file' },
} as const

type ConfigurationValues = Arguments<typeof configurationOptions>['values']

/** @throws UsageError if both options are given */
export function assertOneConfiguration(values: ConfigurationValues): void {
  if (values.config !== undefined && values['no-config']) {
    throw new UsageError('`--config` and `--no-config` cannot be used together')
  }
}

/** Where configuration comes from. */
export interface ConfigurationOptions {
  /** The file that holds for all transcripts. */
  readonly file: string | undefined
  /** True if no file is looked for. */
  readonly isOff: boolean
  /** Called for mistakes in configuration files, once for each. */
  readonly onComplaint: (problem: FileProblem, isError: boolean) => void
}

/** The configuration that holds for a file. */
export interface ConfigurationInForce {
  /** The nearest file; undefined if there is none. */
  readonly file?: string
  /** The files that it extends, the one that counts least first. */
  readonly extended: readonly string[]
  readonly settings: PathSettings
}

/** A `dataset_info.json` that was found; without its text if it cannot be read. */
type InfoFile = ConfigurationFile & Pick<DatasetInfo, 'mappings'>

/** The configuration files of a run. Each folder is searched once. */
export class Configurations {
  readonly #options: ConfigurationOptions
  readonly #project: ProjectConfigurations
  readonly #named: string | undefined
  #reading: Promise<ProjectConfiguration> | undefined
  readonly #infoByFolder = new Map<string, Promise<InfoFile | undefined>>()
  /** The files whose mistakes have been reported. */
  readonly #announced = new Set<string>()

  constructor(options: ConfigurationOptions) {
    this.#options = options
    this.#named = options.file === undefined ? undefined : slashPath(options.file)
    this.#project = new ProjectConfigurations(configurationSource(this.#named))
  }

  /**
   * What is set for the transcript at `path`.
   *
   * @throws FileProblem if a file was named for all and cannot be read
   */
  async settingsFor(path: string): Promise<PathSettings> {
    return (await this.inForce(path)).settings
  }

  /** As {@link settingsFor}, with the files that say so. */
  async inForce(path: string): Promise<ConfigurationInForce> {
    if (this.#options.isOff) return { extended: [], settings: noPathSettings }
    const file = slashPath(path)
    const configuration = await this.#configurationFor(file)
    for (const it of configuration?.files ?? []) this.#announce(it)
    const settings = configuration?.settingsFor(file) ?? noPathSettings
    const info = settings.mapping ? undefined : await this.#infoBeside(resolve(path))
    if (info) this.#announce(info)
    const mapping = settings.mapping ?? (info && mappingBeside(info, path))
    const broken = settings.broken ?? (info && hasErrors(info) ? info.path : undefined)
    return {
      ...(configuration && { file: diskPath(configuration.path) }),
      extended: configuration?.files.slice(0, -1).map((it) => diskPath(it.path)) ?? [],
      settings: { ...settings, ...(mapping && { mapping }), ...(broken !== undefined && { broken }) },
    }
  }

  /** The `dataset_info.json` next to the data (F4); undefined if there is none. */
  async #infoBeside(path: string): Promise<InfoFile | undefined> {
    if (!isDatasetName(path) && !isPackedName(path) && !/\.json$/i.test(path)) return undefined
    const folder = dirname(path)
    let reading = this.#infoByFolder.get(folder)
    if (!reading) {
      reading = readInfo(join(folder, datasetInfoName))
      this.#infoByFolder.set(folder, reading)
    }
    return reading
  }

  #configurationFor(file: string): Promise<ProjectConfiguration | undefined> {
    if (this.#named === undefined) return this.#project.nearest(folderOf(file))
    this.#reading ??= this.#read(this.#named)
    return this.#reading
  }

  async #read(path: string): Promise<ProjectConfiguration> {
    const shown = this.#options.file ?? ''
    const configuration = await this.#project.at(path)
    const file = configuration?.files.at(-1)
    if (!configuration || !file) throw new FileProblem(shown, 'there is no such file or directory')
    if (file.text === undefined) throw new FileProblem(shown, file.problems[0]?.message ?? '')
    return configuration
  }

  #announce(file: ConfigurationFile): void {
    if (this.#announced.has(file.path)) return
    this.#announced.add(file.path)
    const shown = file.path === this.#named ? this.#options.file : undefined
    const isBroken = hasErrors(file)
    for (const problem of complaintsAbout(file, shown)) this.#options.onComplaint(problem, isBroken)
  }
}

async function readInfo(path: string): Promise<InfoFile | undefined> {
  const reading = await readConfigurationText(path, {})
  if (reading.kind === 'missing') return undefined
  const file = slashPath(path)
  if (reading.kind === 'refused')
    return {
      path: file,
      text: undefined,
      mappings: [],
      problems: [{ range: { start: 0, end: 0 }, message: reading.reason, isError: true }],
    }
  const { parseDatasetInfo } = await import('./parse-configuration.ts')
  return { path: file, text: reading.text, ...parseDatasetInfo(reading.text) }
}
