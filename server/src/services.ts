/** What a server does once the client knows what it may ask for. The same in Node and in a Web Worker. */
import {
  type Connection,
  type InitializeParams,
  MessageType,
  ShowMessageNotification,
} from 'vscode-languageserver'
import { describe, type Log } from './guard.ts'
import { listenToChanges, watchForChanges } from './notifications.ts'
import { answerRequests } from './requests.ts'
import { ServerContext, type ServerHost } from './server-context.ts'
import { TranscriptIndex } from './transcript-index.ts'
import { transcriptFiles } from './unopened-transcripts.ts'
import { warmUp } from './warm-up.ts'
import { Workspace } from './workspace.ts'

/** What the services are started with. */
export interface ServiceOptions {
  readonly params: InitializeParams
  readonly host: ServerHost
  readonly log: Log
}

/** Services that answer. */
export interface RunningServices {
  /** Asks the client to report what changes, which it may be asked from `initialized` on, and warms up until it opens a document. */
  initialized(): void
}

/** Answers what comes on `connection` from now on. */
export function startServices(
  connection: Connection,
  { params, host, log }: ServiceOptions,
): RunningServices {
  const tell = (message: string) =>
    void connection.sendNotification(ShowMessageNotification.type, { type: MessageType.Info, message })
  const context = new ServerContext(params, { log, tell }, host)
  const workspace = new Workspace(connection, context)
  const { settings, prompts } = workspace
  const files = transcriptFiles(connection, context)
  const index =
    files &&
    new TranscriptIndex({
      files,
      isTold: context.client.registersWatchers,
      largestFile: async () => (await settings.global()).largestIndexedFile,
      log,
    })
  listenToChanges(connection, { context, workspace, index })
  answerRequests(connection, { context, settings, prompts, index })
  return {
    initialized: () => {
      watchForChanges(connection, context, index !== undefined)
      warmUp(() => context.documents.size === 0).catch((error) => log(describe('Warming up', error)))
    },
  }
}
