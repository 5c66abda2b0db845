/** The files that an agent may use: regular files in the folders that the user named, wherever links lead. */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AgentFiles, AgentToolError } from '../../../client/agent/agent-tool.ts'
import { isBelow, readWorkspaceFile } from '../../../client/disk/read-workspace-file.ts'
import { refusalText } from '../../../client/disk/refusal-text.ts'
import { Configurations } from '../configuration/configurations.ts'
import { FileProblem, fileProblem } from '../files/file-problem.ts'
import { replaceFile } from '../files/replace-file.ts'

/**
 * The files in `folders`. A relative path is one in the first of them that has it, or in the current directory, from which
 * the user named the folders. @throws FileProblem for a folder that is not there
 */
export async function folderFiles(folders: readonly string[]): Promise<AgentFiles> {
  const roots = await Promise.all(folders.map(realFolder))
  const placeOf = (path: string) => {
    const places = [...roots, '.'].map((it) => resolve(it, path))
    const mayBeRead = (place: string) => roots.some((it) => isBelow(it, place)) && existsSync(place)
    return places.find(mayBeRead) ?? resolve(roots[0] ?? '.', path)
  }
  return {
    async read(path, bytes) {
      const reading = await readWorkspaceFile(placeOf(path), {
        bytes,
        within: roots,
        isConfined: true,
      })
      if (reading.kind === 'read') return reading.bytes
      if (reading.kind === 'missing')
        throw new AgentToolError(
          `The file does not exist in ${folders.map((it) => `\`${it}\``).join(' or ')}; paths are relative to these folders`,
        )
      const { refusal } = reading
      if (refusal.reason === 'outside') throw new AgentToolError('The file is outside of the folders')
      if (refusal.reason === 'directory') throw new AgentToolError('It is a folder; name a file')
      if (refusal.reason === 'error') throw new AgentToolError('The file cannot be read')
      throw new AgentToolError(refusalText(refusal))
    },
    async replace(path, before, text) {
      const target = await realpath(placeOf(path)).catch(() => '')
      const root = roots.find((it) => target !== '' && isBelow(it, target))
      if (root === undefined) throw new AgentToolError('The file is outside of the folders')
      try {
        await replaceFile(target, before, text, { within: root })
      } catch (error) {
        if (error instanceof FileProblem) throw new AgentToolError(`${path}: ${error.reason}`)
        throw error
      }
    },
    async settingsFor(path) {
      // Read each time: the files may change as long as the server runs.
      const options = { file: undefined, isOff: false, onComplaint: () => undefined }
      const settings = await new Configurations(options).settingsFor(placeOf(path))
      if (settings.broken !== undefined)
        throw new AgentToolError('The configuration of the file has errors; `ocm check` reports them')
      return settings
    },
  }
}

async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    throw fileProblem(folder, error)
  }
}
