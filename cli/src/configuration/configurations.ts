/** The configuration of each transcript: of the nearest file upwards, or of the file that was named, or none. */
import { dirname, join, resolve } from 'node:path'
import { largestConfiguration } from '../../../client/disk/read-limits.ts'
import {
  configurationFileNames,
  type DatasetMapping,
  datasetInfoName,
  isDatasetName,
  isPackedName,
  mappingBeside,
  noPathSettings,
  type PathSettings,
} from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { FileProblem } from '../files/file-problem.ts'
import { readTextBeside } from '../files/read-beside.ts'
import { type ConfigurationFile, readConfigurationFile } from './read-configuration.ts'

/** The options of commands that read configuration files. */
export const configurationOptions = {
  config: { kind: 'text', placeholder: 'FILE', summary: 'The configuration file for all transcripts' },
  'no-config': { kind: 'flag', summary: 'Read no configuration file' },
} as const

type ConfigurationValues = Arguments<typeof configurationOptions>['values']

/** @throws UsageError if both options are given */
export function assertOneConfiguration(values: ConfigurationValues): void {
  if (values.config !== undefined && values['no-config']) {
    throw new UsageError('`--config` and `--no-config` do not go together')
  }
}

/** Where configuration comes from. */
export interface ConfigurationOptions {
  /** The file that holds for all transcripts. */
  readonly file: string | undefined
  /** True if no file is looked for. */
  readonly isOff: boolean
  /** Told of mistakes in configuration files, once for each. */
  readonly onComplaint: (problem: FileProblem, isError: boolean) => void
}

/** The configuration files of a run. Each folder is searched once. */
export class Configurations {
  readonly #options: ConfigurationOptions
  readonly #byFolder = new Map<string, Promise<ConfigurationFile | undefined>>()
  readonly #infoByFolder = new Map<string, Promise<string | undefined>>()
  #named: Promise<ConfigurationFile> | undefined

  constructor(options: ConfigurationOptions) {
    this.#options = options
  }

  /**
   * What is set for the transcript at `path`.
   *
   * @throws FileProblem if a file was named for all and cannot be read
   */
  async settingsFor(path: string): Promise<PathSettings> {
    return (await this.inForce(path)).settings
  }

  /** As {@link settingsFor}, with the file that says so, if there is one. */
  async inForce(
    path: string,
  ): Promise<{ readonly file?: string | undefined; readonly settings: PathSettings }> {
    if (this.#options.isOff) return { settings: noPathSettings }
    const file = await (this.#options.file === undefined
      ? this.#nearest(dirname(resolve(path)))
      : this.#read(this.#options.file))
    const settings = file?.settingsFor(path) ?? noPathSettings
    const mapping = settings.mapping ?? (await this.#mappingBeside(resolve(path)))
    return { file: file?.path, settings: mapping ? { ...settings, mapping } : settings }
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

  #read(path: string): Promise<ConfigurationFile> {
    this.#named ??= this.#readNamed(path)
    return this.#named
  }

  #nearest(folder: string): Promise<ConfigurationFile | undefined> {
    const known = this.#byFolder.get(folder)
    if (known) return known
    const found = this.#search(folder)
    this.#byFolder.set(folder, found)
    return found
  }

  async #search(folder: string): Promise<ConfigurationFile | undefined> {
    for (const name of configurationFileNames) {
      const path = join(folder, name)
      try {
        const file = await readConfigurationFile(path, { isNamed: false })
        if (file) return this.#announced(file)
      } catch (error) {
        if (!(error instanceof FileProblem)) throw error
        this.#options.onComplaint(error, true)
        return undefined
      }
    }
    const above = dirname(folder)
    return above === folder ? undefined : this.#nearest(above)
  }

  async #readNamed(path: string): Promise<ConfigurationFile> {
    const file = await readConfigurationFile(path, { isNamed: true })
    if (!file) throw new FileProblem(path, 'there is no such file or directory')
    return this.#announced(file)
  }

  #announced(file: ConfigurationFile): ConfigurationFile {
    for (const complaint of file.complaints) this.#options.onComplaint(complaint, file.isBroken)
    return file
  }
}
