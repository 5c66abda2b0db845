/** What the configuration file of a project sets for a document: the same file, found in the same way, as on the command line. */
import {
  configurationFileNames,
  type PathSettings,
  readConfiguration,
  settingsForPath,
} from '../../core/src/index.ts'
import type { Log } from './guard.ts'

/** Reads a file; undefined if there is none. */
export type ReadFile = (uri: string) => Promise<string | undefined>

const nothing: PathSettings = { rules: [], templates: undefined, intent: undefined }

/** The settings of the nearest configuration file upwards from the document at `uri`. */
export async function projectSettings(uri: string, readFile: ReadFile, log: Log): Promise<PathSettings> {
  if (!URL.canParse(uri)) return nothing
  const document = new URL(uri)
  if (!document.pathname.startsWith('/')) return nothing // such as `untitled:Untitled-1`
  for (let folder = new URL('.', document); ; folder = new URL('..', folder)) {
    for (const name of configurationFileNames) {
      const file = new URL(name, folder).href
      const text = await readFile(file)
      if (text === undefined) continue
      const { configuration, problems } = readConfiguration(text)
      for (const { message } of problems) log(`${file}: ${message}`)
      return settingsForPath(configuration, pathBelow(folder, document))
    }
    if (folder.pathname.length <= 1) return nothing
  }
}

function pathBelow(folder: URL, document: URL): string {
  return decodeURIComponent(document.pathname.slice(folder.pathname.length))
}
