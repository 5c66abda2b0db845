/** Who reviews: the name in the settings, or the one that git signs commits with. */
import * as vscode from 'vscode'
import { inTime } from '../../disk/in-time.ts'

/** The part of the API of VS Code's git extension that is used. */
interface GitExtension {
  getAPI(version: 1): {
    readonly repositories: readonly GitRepository[]
    getRepository(uri: vscode.Uri): GitRepository | null
  }
}

interface GitRepository {
  getConfig(key: string): Promise<string>
  getGlobalConfig(key: string): Promise<string>
}

const patience = 3000 // milliseconds

/** The name of the reviewer of the dataset at `uri`; undefined if it is not known. It never rejects. */
export async function reviewerName(uri: vscode.Uri): Promise<string | undefined> {
  const named = vscode.workspace.getConfiguration('openchatml', uri).get<string>('review.name', '').trim()
  if (named !== '') return named
  return inTime(
    nameInGit(uri).catch(() => undefined),
    patience,
    undefined,
  )
}

async function nameInGit(uri: vscode.Uri): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git')
  if (!extension) return undefined // as in browsers
  const api = (await extension.activate()).getAPI(1)
  const repository = api.getRepository(uri) ?? api.repositories[0]
  if (!repository) return undefined
  const own = await repository.getConfig('user.name').catch(() => '')
  return (own || (await repository.getGlobalConfig('user.name'))).trim() || undefined
}
