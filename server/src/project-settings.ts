/** What the configuration file of a project sets for a document: the same file, found in the same way, as on the command line. */

import { largestConfiguration } from '../../client/disk/read-limits.ts'
import {
  type ConfigurationProblem,
  folderOf,
  noPathSettings,
  type PartReading,
  type PathSettings,
  ProjectConfigurations,
  readConfiguration,
} from '../../core/src/internal.ts'

/** What may be read. */
export interface FileLimits {
  readonly bytes: number
  /** URIs of the folders in which links are followed. */
  readonly folders: readonly string[]
  /** True if the file itself must be in one of them. */
  readonly isConfined?: boolean | undefined
}

/** Reads a file. Never fails. */
export type ReadFile = (uri: string, limits: FileLimits) => Promise<PartReading>

/** Called for each file that was looked for, with its text, which is empty if it was not read, and what is wrong with it. */
export type OnConfiguration = (uri: string, text: string, problems: readonly ConfigurationProblem[]) => void

/** Where configuration comes from. */
export interface ProjectFiles {
  readonly readFile: ReadFile
  /** URIs of the folders of the workspace. */
  readonly folders: readonly string[]
  readonly onConfiguration: OnConfiguration
}

/**
 * What the settings of the document at `uri` are asked for. A sample of a dataset is a document of its own in the editor, and
 * is judged as the file that it is in, so that the command line agrees; its address names that file.
 */
export function settledBy(uri: string): string {
  if (!isSample(uri) || !URL.canParse(uri)) return uri
  try {
    return decodeURIComponent(new URL(uri).search.slice(1)) || uri
  } catch {
    return uri // no address of a sample
  }
}

/** True for the address of a sample of a dataset. */
export function isSample(uri: string): boolean {
  return uri.startsWith('openchatml-sample:')
}

/** The settings of the nearest configuration file upwards from the document at `uri`, and of those that it extends; `broken` is a URI. */
export async function projectSettings(
  uri: string,
  { readFile, folders, onConfiguration }: ProjectFiles,
): Promise<PathSettings> {
  if (!URL.canParse(uri)) return noPathSettings
  const document = new URL(uri)
  if (!document.pathname.startsWith('/')) return noPathSettings // such as `untitled:Untitled-1`
  const uriOf = (path: string) => uriAt(document, path)
  const read = async (path: string, within?: readonly string[]) => {
    const isConfined = within !== undefined
    const reading = await readFile(uriOf(path), {
      bytes: largestConfiguration,
      folders: within?.map(uriOf) ?? folders,
      isConfined,
    })
    if (reading.kind === 'missing') onConfiguration(uriOf(path), '', [])
    return reading
  }
  const path = pathOf(document)
  const here = folders.filter((it) => URL.canParse(it)).map((it) => new URL(it))
  const reachable = here.filter(
    ({ protocol, host }) => protocol === document.protocol && host === document.host,
  )
  const configuration = await new ProjectConfigurations({
    read,
    parse: readConfiguration,
    folders: reachable.map(pathOf),
  }).nearest(folderOf(path))
  if (!configuration) return noPathSettings
  for (const it of configuration.files) onConfiguration(uriOf(it.path), it.text ?? '', it.problems)
  const settings = configuration.settingsFor(path)
  return settings.broken === undefined ? settings : { ...settings, broken: uriOf(settings.broken) }
}

function pathOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}

function uriAt(document: URL, path: string): string {
  const url = new URL(document)
  url.pathname = path.replaceAll('%', '%25')
  url.search = ''
  url.hash = ''
  return url.href
}
