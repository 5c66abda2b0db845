/** What the configuration file of a project sets for a document: the same file, found in the same way, as on the command line. */

import { largestConfiguration, type Refusal } from '../../client/disk/read-limits.ts'
import { refusalText } from '../../client/disk/refusal-text.ts'
import {
  type ConfigurationProblem,
  configurationFileNames,
  noPathSettings,
  type PathSettings,
  readConfiguration,
  settingsForPath,
} from '../../core/src/internal.ts'

/** What came of reading a file. */
export type TextReading =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Reads a file of at most `bytes`. Links are followed within the folders with the URIs `folders`. Never fails. */
export type ReadFile = (
  uri: string,
  limits: { readonly bytes: number; readonly folders: readonly string[] },
) => Promise<TextReading>

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
 * is judged as the file that it stands in, so that the command line agrees; its address names that file.
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

/** The settings of the nearest configuration file upwards from the document at `uri`. */
export async function projectSettings(
  uri: string,
  { readFile, folders, onConfiguration }: ProjectFiles,
): Promise<PathSettings> {
  if (!URL.canParse(uri)) return noPathSettings
  const document = new URL(uri)
  if (!document.pathname.startsWith('/')) return noPathSettings // such as `untitled:Untitled-1`
  for (let folder = new URL('.', document); ; folder = new URL('..', folder)) {
    for (const name of configurationFileNames) {
      const file = new URL(name, folder).href
      const reading = await readFile(file, { bytes: largestConfiguration, folders })
      if (reading.kind === 'missing') {
        onConfiguration(file, '', [])
        continue
      }
      if (reading.kind === 'refused') {
        onConfiguration(file, '', [
          { range: { start: 0, end: 0 }, message: refusalText(reading.refusal), isError: true },
        ])
        return noPathSettings
      }
      const { configuration, problems } = readConfiguration(reading.text)
      onConfiguration(file, reading.text, problems)
      return settingsForPath(configuration, pathBelow(folder, document))
    }
    if (folder.pathname.length <= 1) return noPathSettings
  }
}

function pathBelow(folder: URL, document: URL): string {
  return decodeURIComponent(document.pathname.slice(folder.pathname.length))
}
