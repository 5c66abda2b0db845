/** How `ocm` reads configuration files: from the disk, each file once. */
import { resolve, sep } from 'node:path'
import { largestConfiguration } from '../../../client/disk/read-limits.ts'
import type { ConfigurationFile, ConfigurationSource, ConfigurationText } from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import { positionIn } from '../files/place-in.ts'
import { type BesideLimits, readTextBeside } from '../files/read-beside.ts'

/** The absolute path of a file with `/` between names: on Windows, `/C:/data/a.ocm`. */
export function slashPath(path: string): string {
  return sep === '/' ? resolve(path) : `/${resolve(path).split(sep).join('/')}`
}

/** The path of the system that {@link slashPath} comes from. */
export function diskPath(path: string): string {
  return sep === '/' ? path : path.slice(1).split('/').join(sep)
}

/** Reads from the disk. @param named the file that the user named, which may be anywhere; undefined if there is none */
export function configurationSource(named: string | undefined): ConfigurationSource {
  const texts = new Map<string, Promise<ConfigurationText>>()
  return {
    folders: [slashPath('.')],
    parse: async (text) => (await import('./parse-configuration.ts')).parseConfiguration(text),
    read: (path, within) => {
      const key = `${within === undefined} ${path}`
      const limits = { isNamed: path === named, confinedTo: within?.map(diskPath) }
      const text = texts.get(key) ?? readConfigurationText(diskPath(path), limits)
      texts.set(key, text)
      return text
    },
  }
}

/** Reads the file at `path`, which may say how others are read. */
export async function readConfigurationText(
  path: string,
  limits: Omit<BesideLimits, 'bytes'>,
): Promise<ConfigurationText> {
  try {
    const text = await readTextBeside(path, { bytes: largestConfiguration, ...limits })
    return text === undefined ? { kind: 'missing' } : { kind: 'read', text }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    return { kind: 'refused', reason: error.reason }
  }
}

/** What is wrong with a configuration file, each with its place. @param shown the file as people see it, if they named it */
export function complaintsAbout(
  { path, text, problems }: ConfigurationFile,
  shown = diskPath(path),
): readonly FileProblem[] {
  return problems.map(
    ({ range, message }) =>
      new FileProblem(shown, message, text === undefined ? undefined : positionIn(text, range.start)),
  )
}
