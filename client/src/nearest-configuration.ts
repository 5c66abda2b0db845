/** The configuration file in force for a file of the workspace. */
import * as vscode from 'vscode'
import {
  configurationFileNames,
  configurationPaths,
  folderOf,
  type ProjectConfiguration,
  ProjectConfigurations,
  readConfiguration,
} from '../../core/src/internal.ts'
import { largestConfiguration } from '../disk/read-limits.ts'
import { showWarning } from './notice.ts'
import { exists, type ReadWorkspaceFile } from './workspace-files.ts'

/** The nearest configuration file upwards from the file at `uri`, with those that it extends. It never rejects. */
export async function nearestConfiguration(
  uri: vscode.Uri,
  readFile: ReadWorkspaceFile,
): Promise<ProjectConfiguration | undefined> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri
  const uriAt = (path: string) => uri.with({ path, query: '', fragment: '' })
  const read = (path: string, within?: readonly string[]) =>
    readFile(uriAt(path), largestConfiguration, within && { roots: within.map(uriAt) })
  // All at once: on a file system far away each question takes its time.
  const candidates = new Map(configurationPaths(uri.path).map((path) => [path, read(path)]))
  const configurations = new ProjectConfigurations({
    parse: readConfiguration,
    folders: root ? [root.path] : [],
    read: (path, within) => (within ? undefined : candidates.get(path)) ?? read(path, within),
  })
  return configurations.nearest(folderOf(uri.path))
}

/** Says that no problems are fixed because the configuration file at `uri` has errors. */
export function showBroken(uri: vscode.Uri): void {
  const name = vscode.workspace.asRelativePath(uri)
  void showWarning(vscode.l10n.t('Correct the errors in {0} first: it may turn off rules.', name))
}

/** A configuration file to write to. */
export interface ConfigurationPlace {
  readonly uri: vscode.Uri
  /** True if it does not exist yet. */
  readonly isNew: boolean
}

/**
 * Where what holds for the file at `uri` is written: the configuration in force, or a new one at the top of the workspace.
 * Undefined if what is there can't be read.
 */
export async function configurationFor(
  uri: vscode.Uri,
  readFile: ReadWorkspaceFile,
): Promise<ConfigurationPlace | undefined> {
  const nearest = await nearestConfiguration(uri, readFile)
  if (nearest) {
    const text = nearest.files.at(-1)?.text
    return text === undefined ? undefined : { uri: uri.with({ path: nearest.path }), isNew: false }
  }
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..')
  const file = vscode.Uri.joinPath(folder, configurationFileNames[0] ?? '')
  // What is there and was not read may be a link that leads elsewhere.
  return (await exists(file)) ? undefined : { uri: file, isNew: true }
}
