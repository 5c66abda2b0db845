/** The configuration of each transcript: of the nearest file upwards, or of the file that was named, or none. */
import { dirname, join, resolve } from 'node:path'
import { largestConfiguration } from '../../../client/disk/read-limits.ts'
import {
  type DatasetMapping,
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
import { readTextBeside } from '../files/read-beside.ts'
import { complaintsAbout, configurationSource, diskPath, slashPath } from './read-configuration.ts'

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

/** The configuration files of a run. Each folder is searched once. */
export class Configurations {
  readonly #options: ConfigurationOptions
  readonly #project: ProjectConfigurations
  readonly #named: string | undefined
  #reading: Promise<ProjectConfiguration> | undefined
  readonly #infoByFolder = new Map<string, Promise<string | undefined>>()
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
    if (configuration) this.#announce(configuration)
    const settings = configuration?.settingsFor(file) ?? noPathSettings
    const mapping = settings.mapping ?? (await this.#mappingBeside(resolve(path)))
    return {
      ...(configuration && { file: diskPath(configuration.path) }),
      extended: configuration?.files.slice(0, -1).map((it) => diskPath(it.path)) ?? [],
      settings: mapping ? { ...settings, mapping } : settings,
    }
  }

  /** The mapping in a `dataset_info.json` next to the data (F4). */
  async #mappingBeside(path: string): Promise<DatasetMapping | undefined> {
    if (!isDatasetName(path) && !isPackedName(path) && !/\.json$/i.test(path)) return undefined
    const folder = dirname(path)
    let reading = this.#infoByFolder.get(folder)
    if (!reading) {
      reading = this.#readInfo(join(folder, datasetInfoName))
      this.#infoByFolder.set(folder, reading)
    }
    const text = await reading
    return text === undefined ? undefined : mappingBeside(text, path)
  }

  async #readInfo(path: string): Promise<string | undefined> {
    try {
      return await readTextBeside(path, { bytes: largestConfiguration })
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      this.#options.onComplaint(error, true)
      return undefined
    }
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

  #announce({ files }: ProjectConfiguration): void {
    for (const file of files) {
      if (this.#announced.has(file.path)) continue
      this.#announced.add(file.path)
      const shown = file.path === this.#named ? this.#options.file : undefined
      const isBroken = hasErrors(file)
      for (const problem of complaintsAbout(file, shown)) this.#options.onComplaint(problem, isBroken)
    }
  }
}
