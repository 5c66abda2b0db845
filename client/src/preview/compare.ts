/** What a user sees of a file now and saw of its last commit, side by side in VS Code's own comparison. */

import * as vscode from 'vscode'
import { localize, visibleMessages } from '../../../core/src/internal.ts'
import { remarksOf, speakerOf } from '../../render/exported-conversation.ts'
import { showInformation } from '../notice.ts'
import { analysisOf } from './document-sessions.ts'

/** Documents of this scheme are the visible text of the document that their query names. */
const scheme = 'openchatml-visible'

/** Gives the visible text of documents to the editor, and keeps it up to date. */
export class VisibleTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changed.event
  readonly #subscriptions: vscode.Disposable[]

  constructor() {
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === 'openchatml') this.#changed.fire(visibleUri(document.uri))
      }),
    ]
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return visibleTextOf(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri.query, true)))
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }
}

/** Compares the visible text of `document` with that of its last commit. */
export async function compareWithCommit(document: vscode.TextDocument): Promise<void> {
  const committed = await committedUri(document.uri)
  if (!committed) {
    void showInformation(whyNoCommits())
    return
  }
  const name = document.uri.path.split('/').at(-1) ?? ''
  await vscode.commands.executeCommand(
    'vscode.diff',
    visibleUri(committed),
    visibleUri(document.uri),
    localize`${name}: visible text, last commit ↔ now`,
  )
}

/** Why there is nothing to compare with: VS Code runs its Git extension in trusted folders only. */
export function whyNoCommits(): string {
  return vscode.workspace.isTrusted
    ? localize`This transcript is not in a Git repository.`
    : localize`Git does not run in Restricted Mode.`
}

function visibleUri(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `${uri.path}.txt`, query: uri.toString() })
}

/** Each speaker on a line of its own, and below it, set in, what is said. */
function visibleTextOf(document: vscode.TextDocument): string {
  const analysis = analysisOf(document)
  let text = ''
  for (const message of visibleMessages(analysis)) {
    const said = message.parts.map((part) => part.text).join('')
    const label = [speakerOf(message), ...remarksOf(message)].join(', ')
    text += `${text === '' ? '' : '\n'}${label}\n${said.replaceAll(/^(?=.)/gm, '  ')}\n`
  }
  return text
}

/** The part of the API of VS Code's Git extension that is used. */
interface GitApi {
  getRepository(uri: vscode.Uri): GitRepository | null
  /** Makes a repository known that contains a folder; VS Code finds those of the workspace by itself, and may be at it. */
  openRepository(folder: vscode.Uri): Promise<GitRepository | null>
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri
}

interface GitRepository {
  /** What differs between the files of the workspace and a commit. */
  diffWith(ref: string): Promise<readonly Change[]>
  log(options: { readonly maxEntries: number }): Promise<readonly Commit[]>
}

/** A file that differs; `renameUri` is where it is now if it was renamed. */
interface Change {
  readonly originalUri: vscode.Uri
  readonly renameUri: vscode.Uri | undefined
}

/** A commit of a repository. */
export interface Commit {
  readonly hash: string
  readonly message: string
  readonly authorName?: string
  readonly authorDate?: Date
}

const mostCommits = 500 // to choose from

async function committedUri(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const versions = committedFiles()
  return (await versions.prepare(uri)) ? versions.of(uri) : undefined
}

/** The files of commits. */
export interface CommittedFiles {
  /** Finds the repository of `uri`; false if there is none. */
  prepare(uri: vscode.Uri): Promise<boolean>
  /** The version of a file of a repository that was found, at the last commit. */
  of(uri: vscode.Uri): vscode.Uri | undefined
  /** The way to the versions at `commit` of the files in the repository of `uri`, whatever their names were then. */
  at(uri: vscode.Uri, commit: string): Promise<(file: vscode.Uri) => vscode.Uri | undefined>
  /** The newest commits of the repository that was found last, the newest first. */
  commits(): Promise<readonly Commit[]>
}

/** Gives committed versions of files by VS Code's Git extension. */
export function committedFiles(): CommittedFiles {
  let api: GitApi | undefined
  let found: GitRepository | null = null
  /** By the repository and the commit, until another one is prepared. */
  let renamed = new Map<string, Promise<ReadonlyMap<string, vscode.Uri>>>()
  const repositoryOf = async (uri: vscode.Uri): Promise<GitRepository | null> => {
    const extension = vscode.extensions.getExtension<{
      readonly enabled: boolean
      getAPI(version: 1): GitApi
    }>('vscode.git')
    const git = await extension?.activate()
    if (!git?.enabled || uri.scheme !== 'file') return null
    api = git.getAPI(1)
    return api.getRepository(uri) ?? (await api.openRepository(vscode.Uri.joinPath(uri, '..')))
  }
  const version = (uri: vscode.Uri, commit: string) =>
    uri.scheme === 'file' ? api?.toGitUri(uri, commit) : undefined
  return {
    async prepare(uri) {
      renamed = new Map()
      found = await repositoryOf(uri)
      return Boolean(found)
    },
    of: (uri) => version(uri, 'HEAD'),
    async at(uri, commit) {
      const repository = await repositoryOf(uri)
      const key = `${commit} ${vscode.Uri.joinPath(uri, '..')}`
      const names = renamed.get(key) ?? renamesSince(repository, commit)
      renamed.set(key, names)
      const before = await names
      return (file) => version(before.get(file.toString()) ?? file, commit)
    },
    commits: async () => (await found?.log({ maxEntries: mostCommits })) ?? [],
  }
}

/** Where files were at `commit` that have another name now, by that; none if Git does not know. */
async function renamesSince(
  repository: GitRepository | null,
  commit: string,
): Promise<ReadonlyMap<string, vscode.Uri>> {
  try {
    const changes = (await repository?.diffWith(commit)) ?? []
    return new Map(
      changes.flatMap(({ originalUri, renameUri }) =>
        renameUri ? [[renameUri.toString(), originalUri]] : [],
      ),
    )
  } catch {
    return new Map() // such as a commit that is gone
  }
}
