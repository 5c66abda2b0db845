/** What the configuration file of a project sets for a document: the same file, found in the same way, as on the command line. */
import {
  type ConfigurationProblem,
  configurationFileNames,
  noPathSettings,
  type PathSettings,
  readConfiguration,
  settingsForPath,
} from '../../core/src/index.ts'

/** Reads a file; undefined if there is none. */
export type ReadFile = (uri: string) => Promise<string | undefined>

/** Told of each file that was looked for: its text, if there is one, and what is wrong with it. */
export type OnConfiguration = (
  uri: string,
  text: string | undefined,
  problems: readonly ConfigurationProblem[],
) => void

/**
 * What the settings of the document at `uri` are asked for. A sample of a dataset is a document of its own in the editor, and
 * is judged as the file that it stands in, so that the command line agrees; its address names that file.
 */
export function settledBy(uri: string): string {
  if (!uri.startsWith('openchatml-sample:') || !URL.canParse(uri)) return uri
  try {
    return decodeURIComponent(new URL(uri).search.slice(1)) || uri
  } catch {
    return uri // no address of a sample
  }
}

/** The settings of the nearest configuration file upwards from the document at `uri`. */
export async function projectSettings(
  uri: string,
  readFile: ReadFile,
  onConfiguration: OnConfiguration,
): Promise<PathSettings> {
  if (!URL.canParse(uri)) return noPathSettings
  const document = new URL(uri)
  if (!document.pathname.startsWith('/')) return noPathSettings // such as `untitled:Untitled-1`
  for (let folder = new URL('.', document); ; folder = new URL('..', folder)) {
    for (const name of configurationFileNames) {
      const file = new URL(name, folder).href
      const text = await readFile(file)
      if (text === undefined) {
        onConfiguration(file, undefined, [])
        continue
      }
      const { configuration, problems } = readConfiguration(text)
      onConfiguration(file, text, problems)
      return settingsForPath(configuration, pathBelow(folder, document))
    }
    if (folder.pathname.length <= 1) return noPathSettings
  }
}

function pathBelow(folder: URL, document: URL): string {
  return decodeURIComponent(document.pathname.slice(folder.pathname.length))
}
