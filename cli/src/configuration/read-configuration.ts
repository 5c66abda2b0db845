/** Reads a configuration file, and says what is wrong with it. */
import { dirname, relative, resolve, sep } from 'node:path'
import { largestConfiguration } from '../../../client/disk/read-limits.ts'
import {
  type Configuration,
  type PathSettings,
  readConfiguration,
  settingsForPath,
} from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import { positionIn } from '../files/place-in.ts'
import { readTextBeside } from '../files/read-beside.ts'

/** A configuration file that is in force. */
export interface ConfigurationFile {
  readonly path: string
  /** What it sets for the transcript at `path`. */
  settingsFor(path: string): PathSettings
  /** What is wrong with it, each with its place. */
  readonly complaints: readonly FileProblem[]
  /** True if one of the complaints is more than an unknown name. */
  readonly isBroken: boolean
}

/**
 * The configuration in the file at `path`, whatever it holds; undefined if there is no such file.
 *
 * @param isNamed true if the user named it, so that it may be anywhere
 * @throws FileProblem if it may not or cannot be read
 */
export async function readConfigurationFile(
  path: string,
  { isNamed }: { readonly isNamed: boolean },
): Promise<ConfigurationFile | undefined> {
  const text = await readTextBeside(path, { bytes: largestConfiguration, isNamed })
  if (text === undefined) return undefined
  const { configuration, problems } = readConfiguration(text)
  return {
    path,
    settingsFor: (transcript) => settingsFor(configuration, dirname(path), transcript),
    complaints: problems.map(
      ({ range, message }) => new FileProblem(path, message, positionIn(text, range.start)),
    ),
    isBroken: problems.some(({ isError }) => isError),
  }
}

function settingsFor(configuration: Configuration, folder: string, path: string): PathSettings {
  const below = relative(resolve(folder), resolve(path))
  return settingsForPath(configuration, below.split(sep).join('/'))
}
