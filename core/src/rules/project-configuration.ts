/**
 * The configuration files of a project: the nearest one from the folder of a file upwards, and the files that it extends. The
 * editor and the command line differ in how a file is read, and in nothing else. Paths are absolute, with `/` between names.
 */
import { localize } from '../text/localize.ts'
import { namedPath, relativePath } from '../text/relative-path.ts'
import {
  type Configuration,
  type ConfigurationProblem,
  type ConfigurationReading,
  configurationFileNames,
  type ExtendedPath,
  layeredSettings,
  type PathSettings,
  settingsForPath,
} from './configuration.ts'
import { quoted } from './quoted.ts'

/** The result of reading a configuration file. */
export type ConfigurationText =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'missing' }
  /** `reason` has no final stop, and nothing of the file. */
  | { readonly kind: 'refused'; readonly reason: string }

/** How configuration files are read. */
export interface ConfigurationSource {
  /** The file at `path`. A file that another one extends must be in one of `within`, also after links. Never fails. */
  read(path: string, within: readonly string[] | undefined): Promise<ConfigurationText>
  /** What a text says: {@link readConfiguration}, which knows all rules, so a program may load it for the first text. */
  parse(text: string): ConfigurationReading | Promise<ConfigurationReading>
  /** Folders in which extended files may be, besides that of the nearest file. */
  readonly folders: readonly string[]
}

/** A configuration file of a project. */
export interface ConfigurationFile {
  readonly path: string
  /** Undefined if the file cannot be read, which is its only problem then. */
  readonly text: string | undefined
  /** In order of the text. */
  readonly problems: readonly ConfigurationProblem[]
}

/** The nearest configuration file, with those that it extends. */
export class ProjectConfiguration {
  /** The nearest file. */
  readonly path: string
  readonly #layers: readonly Layer[]

  constructor(path: string, layers: readonly Layer[]) {
    this.path = path
    this.#layers = layers
  }

  /** The files, the one that counts least first. */
  get files(): readonly ConfigurationFile[] {
    return this.#layers
  }

  /** What they set for the file at `path`. Patterns are relative to the file that they are in. */
  settingsFor(path: string): PathSettings {
    const settings = layeredSettings(
      this.#layers.map((it) => settingsForPath(it.configuration, relativePath(it.path, path))),
    )
    const broken = this.#layers.find(hasErrors)?.path
    return broken === undefined ? settings : { ...settings, broken }
  }
}

/** True if `file` has errors, not only warnings. */
export function hasErrors({ problems }: ConfigurationFile): boolean {
  return problems.some(({ isError }) => isError)
}

/** The configurations of a project. Each folder is searched once. */
export class ProjectConfigurations {
  readonly #source: ConfigurationSource
  readonly #byFolder = new Map<string, Promise<ProjectConfiguration | undefined>>()

  constructor(source: ConfigurationSource) {
    this.#source = source
  }

  /** That of the nearest file upwards from `folder`; undefined if there is none. */
  nearest(folder: string): Promise<ProjectConfiguration | undefined> {
    const known = this.#byFolder.get(folder)
    if (known) return known
    const found = this.#search(folder)
    this.#byFolder.set(folder, found)
    return found
  }

  /** That of the file at `path`; undefined if there is none. */
  async at(path: string): Promise<ProjectConfiguration | undefined> {
    const reading = await this.#source.read(path, undefined)
    if (reading.kind === 'missing') return undefined
    const loading = new Loading(this.#source, folderOf(path))
    await loading.add(path, reading, [])
    return new ProjectConfiguration(path, loading.layers)
  }

  async #search(folder: string): Promise<ProjectConfiguration | undefined> {
    for (const path of configurationsIn(folder)) {
      const found = await this.at(path)
      if (found) return found
    }
    const above = folderOf(folder)
    return above === folder ? undefined : this.nearest(above)
  }
}

/** Where configuration files are looked for that hold for the file at `path`, the nearest first. */
export function configurationPaths(path: string): readonly string[] {
  const paths: string[] = []
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    paths.push(...configurationsIn(folder))
    if (folderOf(folder) === folder) return paths
  }
}

function configurationsIn(folder: string): readonly string[] {
  return configurationFileNames.map((name) => `${folder.replace(/\/$/, '')}/${name}`)
}

/** The folder of a file or folder; the root is in itself. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** A file, and what it sets. */
interface Layer extends ConfigurationFile {
  readonly configuration: Configuration
}

const mostExtended = 20 // files in all: each may be on a slow disk

class Loading {
  /** The layer that counts least first. */
  readonly layers: Layer[] = []
  readonly #source: ConfigurationSource
  readonly #folders: readonly string[]
  #nExtended = 0

  constructor(source: ConfigurationSource, folder: string) {
    this.#source = source
    this.#folders = [folder, ...source.folders]
  }

  /** Adds a file after those that it extends. @param chain the files that lead to it */
  async add(
    path: string,
    reading: Exclude<ConfigurationText, { kind: 'missing' }>,
    chain: readonly string[],
  ): Promise<void> {
    const text = reading.kind === 'read' ? reading.text : undefined
    const { configuration, problems } = await this.#source.parse(text ?? '')
    const found = [...problems]
    if (reading.kind === 'refused')
      found.push({ range: { start: 0, end: 0 }, message: reading.reason, isError: true })
    for (const it of configuration.extends) {
      const message = await this.#extend(it, [...chain, path])
      if (message !== undefined) found.push({ range: it.range, message, isError: true })
    }
    found.sort((one, other) => one.range.start - other.range.start)
    this.layers.push({ path, text, configuration, problems: found })
  }

  /** Adds an extended file; what is wrong with that. */
  async #extend(
    { path: written }: ExtendedPath,
    chain: readonly [...string[], string],
  ): Promise<string | undefined> {
    const path = namedPath(chain[chain.length - 1] ?? '', written) ?? ''
    if (chain.includes(path))
      return localize`${quoted(written)} extends this file, directly or through others`
    if (this.layers.some((it) => it.path === path)) return undefined
    if (!this.#folders.some((it) => path.startsWith(`${it.replace(/\/$/, '')}/`)))
      return localize`${quoted(written)} is outside the project, so it is not read`
    if (this.#nExtended === mostExtended)
      return localize`${quoted(written)} is not read: expected at most ${mostExtended} extended files`
    this.#nExtended++
    const reading = await this.#source.read(path, this.#folders)
    if (reading.kind === 'missing') return localize`There is no file ${quoted(written)}`
    if (reading.kind === 'refused') return `${quoted(written)}: ${reading.reason}`
    await this.add(path, reading, chain)
    return undefined
  }
}
