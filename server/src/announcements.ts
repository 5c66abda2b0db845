/** Brings to the client what it does not ask for: checks that have run, pushed diagnostics, the status. */
import { CancellationToken, type Connection, type PublishDiagnosticsParams } from 'vscode-languageserver'
import { checkInBackground } from './diagnostics.ts'
import { StatusTeller } from './document-status.ts'
import { describe } from './guard.ts'
import type { OpenDocument } from './open-document.ts'
import { unlessOutdated, whenIdle } from './scheduler.ts'
import type { ServerContext } from './server-context.ts'

/** Announces documents that were opened, changed, or configured. */
export class Announcements {
  readonly #connection: Connection
  readonly #context: ServerContext
  readonly #settled: (document: OpenDocument) => Promise<void>
  readonly #status: StatusTeller
  readonly #announcing = new WeakSet<OpenDocument>()

  /** `settled` is fulfilled when the settings of a document are in force. */
  constructor(
    connection: Connection,
    context: ServerContext,
    settled: (document: OpenDocument) => Promise<void>,
  ) {
    this.#connection = connection
    this.#context = context
    this.#settled = settled
    this.#status = new StatusTeller(connection, context)
  }

  /**
   * Brings diagnostics and status to the client, once for all that happens in the meantime; while a control token is being
   * typed, when it is complete or typing stops.
   */
  announce(document: OpenDocument): void {
    if (document.beginsToken) {
      void this.#announceAsMeant(document)
      return
    }
    if (this.#announcing.has(document)) return
    const { client, options } = this.#context
    const isTold = !client.pullsDiagnostics || options.wantsStatus
    if (!isTold && !document.checker.isPending) return
    this.#announcing.add(document)
    this.#settleAndTell(document).catch((error) => this.#context.log(describe('checks', error)))
  }

  /** Brings problems to the client that were found without an edit. */
  announceFound(document: OpenDocument): void {
    this.announce(document)
    const { pullsDiagnostics, refreshesDiagnostics } = this.#context.client
    if (pullsDiagnostics && refreshesDiagnostics) this.#connection.languages.diagnostics.refresh()
  }

  /** Takes the diagnostics of a closed document from clients that do not pull them. */
  withdraw(document: OpenDocument): void {
    if (!this.#context.client.pullsDiagnostics)
      this.#publish({ uri: document.uri, version: document.version, diagnostics: [] })
  }

  async #announceAsMeant(document: OpenDocument): Promise<void> {
    const isMeant = await unlessOutdated(
      whenIdle({ document, token: CancellationToken.None }).then(() => true),
    )
    if (!isMeant) return // the edit in the meantime is announced itself
    document.takeAsMeant()
    this.announce(document)
  }

  async #settleAndTell(document: OpenDocument): Promise<void> {
    try {
      // Settings seldom make a difference, so checking does not wait for them.
      await Promise.all([this.#settled(document), checkInBackground(document)])
      await checkInBackground(document)
    } finally {
      this.#announcing.delete(document)
    }
    if (document.isClosed || document.beginsToken) return
    const { client, options, diagnostics } = this.#context
    if (!client.pullsDiagnostics) this.#publish(diagnostics.published(document))
    if (options.wantsStatus) await this.#status.tell(document)
  }

  #publish(message: PublishDiagnosticsParams): void {
    void this.#connection.sendDiagnostics(message)
  }
}
