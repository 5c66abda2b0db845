/** What a status item shows of a document, for clients that ask for it. */
import { CancellationToken, type Connection, NotificationType } from 'vscode-languageserver'
import type { OpenDocument } from './open-document.ts'
import { unlessOutdated } from './scheduler.ts'
import type { ServerContext } from './server-context.ts'

/** What a status item shows of a document. */
export interface DocumentStatus {
  readonly uri: string
  readonly version: number
  readonly dialect: string
  readonly messages: number
  /** Messages that an end user sees. */
  readonly visibleMessages: number
  readonly problems: number
  /** UTF-16 code units. */
  readonly length: number
  readonly lines: number
  /** Tokens of the transcript as gpt-oss models see it; of what it was before the last edits while they are counted again. */
  readonly tokens?: number
}

/** Sends clients that asked for it what a status item shows. */
const statusNotification = new NotificationType<DocumentStatus>('openchatml.status')

/** Reports the status of documents. */
export class StatusTeller {
  readonly #connection: Connection
  readonly #context: ServerContext
  readonly #tokens = new WeakMap<OpenDocument, number>()

  constructor(connection: Connection, context: ServerContext) {
    this.#connection = connection
    this.#context = context
  }

  /** Reports the status now, and once more when the tokens are counted; an edit in the meantime is announced separately. */
  async tell(document: OpenDocument): Promise<void> {
    await this.#send(document)
    const { tokenCounts, textCounter } = this.#context
    if (!document.settings.tokenCount || !textCounter.canCount) return
    const total = await unlessOutdated(tokenCounts.total({ document, token: CancellationToken.None }))
    if (total === undefined || total === this.#tokens.get(document)) return
    this.#tokens.set(document, total)
    await this.#send(document)
  }

  #send(document: OpenDocument): Promise<void> {
    const tokens = document.settings.tokenCount ? this.#tokens.get(document) : undefined
    return this.#connection.sendNotification(statusNotification, statusOf(document, tokens))
  }
}

function statusOf(document: OpenDocument, tokens: number | undefined): DocumentStatus {
  const { uri, version, analysis, transcript, checker, visibleMessages } = document
  return {
    uri,
    version,
    dialect: analysis.dialect,
    messages: analysis.messageCount,
    visibleMessages,
    problems: checker.totalSoFar,
    length: transcript.length,
    lines: transcript.lineCount,
    ...(tokens !== undefined && { tokens }),
  }
}
