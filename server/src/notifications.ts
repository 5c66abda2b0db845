/** Who gets which change: documents, settings, files, folders. */
import {
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  NotificationType,
} from 'vscode-languageserver'
import { configurationFileNames } from '../../core/src/internal.ts'
import { guardNotification } from './guard.ts'
import type { ServerContext } from './server-context.ts'
import { settingsSection } from './settings.ts'
import type { TranscriptIndex } from './transcript-index.ts'
import type { Workspace } from './workspace.ts'

/** Parts and cases of prompts, saved or not, as reported by a client that reads them for the server. */
const promptFilesChanged = new NotificationType<{ readonly uris: readonly string[] }>(
  'openchatml.promptFilesChanged',
)

/** Files that prompts are filled from, as far as their names show: a part may have any name. */
const promptFiles = ['*.cases.yaml', '*.md', '*.txt', '*.jinja', '*.j2']

/** Who gets changes. */
export interface Listeners {
  readonly context: ServerContext
  readonly workspace: Workspace
  readonly index: TranscriptIndex | undefined
}

/** Takes over changes that the client reports. */
export function listenToChanges(connection: Connection, { context, workspace, index }: Listeners): void {
  const on = <Params>(
    { method }: NotificationType<Params>,
    listener: (params: Params) => void | Promise<void>,
  ) => connection.onNotification(method, guardNotification(method, context.log, listener))
  on(DidOpenTextDocumentNotification.type, (it) => workspace.open(it))
  on(DidChangeTextDocumentNotification.type, (it) => workspace.change(it))
  on(DidCloseTextDocumentNotification.type, (it) => workspace.close(it))
  on(DidChangeConfigurationNotification.type, async (it) => {
    index?.invalidate()
    await workspace.configure(it)
  })
  on(DidChangeWatchedFilesNotification.type, async ({ changes }) => {
    index?.invalidate()
    workspace.prompts.changed(changes.map(({ uri }) => uri))
    if (changes.some(({ uri }) => configurationFileNames.some((name) => uri.endsWith(name))))
      await workspace.refetch()
  })
  on(promptFilesChanged, ({ uris }) => workspace.prompts.changed(uris))
  on(DidChangeWorkspaceFoldersNotification.type, async ({ event }) => {
    context.changeFolders(event)
    index?.invalidate()
    await workspace.refetch() // settings may be those of a folder
  })
}

/** Asks the client to report changed settings and files, as far as it can. */
export function watchForChanges(connection: Connection, context: ServerContext, hasIndex: boolean): void {
  const { client, options, log, readFile } = context
  const canRead = readFile !== undefined || options.readsFiles
  const readsAlone = readFile !== undefined && !options.readsFiles
  // Also those that others extend, such as `strict.openchatml.yaml`.
  const files = configurationFileNames.map((it) => `*${it}`)
  const names = [
    ...(canRead ? files : []),
    ...(hasIndex ? ['*.ocm'] : []),
    ...(readsAlone ? promptFiles : []),
  ]
  if (client.registersWatchers && names.length > 0) {
    const watchers = names.map((name) => ({ globPattern: `**/${name}` }))
    connection.client
      .register(DidChangeWatchedFilesNotification.type, { watchers })
      .catch(() => log('The client does not tell of changed files'))
  }
  if (client.registersConfiguration) {
    connection.client
      .register(DidChangeConfigurationNotification.type, { section: settingsSection })
      .catch(() => log('The client does not tell of changed settings'))
  }
}
