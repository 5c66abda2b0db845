/** Reads a configuration file, and says what is wrong with it. */
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import {
  type Configuration,
  type PathSettings,
  readConfiguration,
  settingsForPath,
} from '../../../core/src/index.ts'
import { fileProblem } from '../files/file-problem.ts'
import { placeIn } from '../files/place-in.ts'

/** A configuration file that is in force. */
export interface ConfigurationFile {
  /** What it sets for the transcript at `path`. */
  settingsFor(path: string): PathSettings
  /** What is wrong with it, as `path:line:column: message`. */
  readonly complaints: readonly string[]
  /** True if one of the complaints is more than an unknown name. */
  readonly isBroken: boolean
}

/** The configuration in the file at `path`, whatever it holds. @throws FileProblem if it cannot be read */
export async function readConfigurationFile(path: string): Promise<ConfigurationFile> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw fileProblem(path, error)
  }
  const { configuration, problems } = readConfiguration(text)
  return {
    settingsFor: (transcript) => settingsFor(configuration, dirname(path), transcript),
    complaints: problems.map(({ range, message }) => `${path}:${placeIn(text, range.start)}: ${message}`),
    isBroken: problems.some(({ isError }) => isError),
  }
}

function settingsFor(configuration: Configuration, folder: string, path: string): PathSettings {
  const below = relative(resolve(folder), resolve(path))
  return settingsForPath(configuration, below.split(sep).join('/'))
}
