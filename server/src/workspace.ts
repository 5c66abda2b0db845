/** Opens, changes and closes documents, fetches their settings, and tells the client what it does not ask for. */

import {
  CancellationToken,
  CodeLensRefreshRequest,
  type Connection,
  type DidChangeConfigurationParams,
  type DidChangeTextDocumentParams,
  type DidCloseTextDocumentParams,
  type DidOpenTextDocumentParams,
  NotificationType,
  ResponseError,
} from 'vscode-languageserver'
import { releaseTexts } from '../../core/src/internal.ts'
import { fileReader } from './client-files.ts'
import { ConfigurationProblems } from './configuration-problems.ts'
import { checkInBackground } from './diagnostics.ts'
import { fromContentChange } from './from-lsp.ts'
import { describe } from './guard.ts'
import { OpenDocument } from './open-document.ts'
import { projectSettings, type ReadFile, settledBy } from './project-settings.ts'
import { whenIdle } from './scheduler.ts'
import type { ServerContext } from './server-context.ts'
import { type Settings, settingsFrom, settingsSection, showSame } from './settings.ts'

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

/** Tells clients that asked for it what a status item shows. */
export const statusNotification = new NotificationType<DocumentStatus>('openchatml.status')

/** The documents of a session. */
export class Workspace {
  readonly #connection: Connection
  readonly #context: ServerContext
  readonly #readFile: ReadFile | undefined
  readonly #configurationProblems: ConfigurationProblems
  /** Settings that clients sent without being asked; the last word for clients that cannot be asked. */
  #pushedSettings: Settings
  readonly #settling = new WeakMap<OpenDocument, Promise<boolean>>()
  /** How often the settings of a document were asked for. */
  readonly #questions = new WeakMap<OpenDocument, number>()
  readonly #announcing = new WeakSet<OpenDocument>()
  readonly #tokens = new WeakMap<OpenDocument, number>()

  constructor(connection: Connection, context: ServerContext) {
    this.#connection = connection
    this.#context = context
    this.#readFile = fileReader(connection, context)
    this.#configurationProblems = new ConfigurationProblems(connection, context.log)
    this.#pushedSettings = context.options.settings
  }

  async open({ textDocument }: DidOpenTextDocumentParams): Promise<void> {
    const { uri, version, text } = textDocument
    this.#context.documents.get(uri)?.close()
    const document = new OpenDocument({
      uri,
      version,
      text,
      settings: this.#pushedSettings,
      isParanoid: this.#context.isParanoid,
      onError: (where, error) => this.#context.log(describe(where, error)),
    })
    this.#context.documents.set(uri, document)
    const settings = this.#fetchSettings(document)
    this.#settling.set(document, settings)
    this.#announce(document)
    await this.#refreshIf([settings])
  }

  change({ textDocument, contentChanges }: DidChangeTextDocumentParams): void {
    const document = this.#context.document(textDocument)
    document.change(contentChanges.map(fromContentChange), textDocument.version)
    this.#announce(document)
  }

  close({ textDocument }: DidCloseTextDocumentParams): void {
    const document = this.#context.document(textDocument)
    document.close()
    this.#context.documents.delete(textDocument.uri)
    releaseTexts()
    if (!this.#context.client.pullsDiagnostics) this.#publish(document, [])
    if (this.#context.documents.size === 0) this.#context.textCounter.rest()
  }

  /** Takes over changed settings, for all documents. */
  async configure({ settings }: DidChangeConfigurationParams): Promise<void> {
    const section = (settings as { readonly [key: string]: unknown } | null | undefined)?.[settingsSection]
    if (section !== undefined) this.#pushedSettings = settingsFrom(section)
    await this.refetch()
  }

  /** The settings that belong to no document. */
  async settings(): Promise<Settings> {
    return this.#ask({})
  }

  /** What the client answers; what it told when it started the server, or pushed since, if it has no answer. */
  async #ask(item: { readonly scopeUri?: string }): Promise<Settings> {
    if (!this.#context.client.answersConfiguration) return this.#pushedSettings
    try {
      const request = { ...item, section: settingsSection }
      const answer: unknown = await this.#connection.workspace.getConfiguration(request)
      return answer === null ? this.#pushedSettings : settingsFrom(answer)
    } catch (error) {
      this.#context.log(describe('workspace/configuration', error))
      return this.#pushedSettings
    }
  }

  /** Reads the settings of all documents again. */
  async refetch(): Promise<void> {
    const fetched: Promise<boolean>[] = []
    for (const document of this.#context.documents.values()) {
      const settings = this.#fetchSettings(document)
      this.#settling.set(document, settings)
      fetched.push(settings)
    }
    await this.#refreshIf(fetched)
  }

  /** Fulfilled when the settings of `document` are in force. */
  async settled(document: OpenDocument): Promise<void> {
    let settling: Promise<boolean> | undefined
    while (settling !== this.#settling.get(document)) {
      settling = this.#settling.get(document)
      await settling
    }
  }

  /** Makes the client pull again, once, if settings arrived that make a difference. */
  async #refreshIf(settings: readonly Promise<boolean>[]): Promise<void> {
    const changes = await Promise.all(settings)
    if (!changes.includes(true) || !this.#context.client.refreshesDiagnostics) return
    this.#connection.languages.diagnostics.refresh()
  }

  /**
   * Fetches and takes over the settings of `document`; true if they make a difference. Never fails.
   * Answers may come in another order than they were asked for: only the last question counts.
   */
  async #fetchSettings(document: OpenDocument): Promise<boolean> {
    const question = (this.#questions.get(document) ?? 0) + 1
    this.#questions.set(document, question)
    const asked = await this.#ask({ scopeUri: settledBy(document.uri) })
    const settings = await this.#withProjectSettings(document, asked)
    if (document.isClosed || this.#questions.get(document) !== question) return false
    const showsSame = showSame(document.settings, settings)
    const countsSame = document.settings.tokenCount === settings.tokenCount
    const isChanged = document.configure(settings)
    if (!showsSame) this.#refreshNotes()
    if (isChanged || !countsSame) this.#announce(document)
    return isChanged
  }

  /** Makes the client ask again for the notes that it shows in the text. */
  #refreshNotes(): void {
    const { refreshesInlayHints, refreshesCodeLenses } = this.#context.client
    const refreshed: Promise<void>[] = []
    if (refreshesInlayHints) refreshed.push(this.#connection.languages.inlayHint.refresh())
    if (refreshesCodeLenses) refreshed.push(this.#connection.sendRequest(CodeLensRefreshRequest.type))
    for (const it of refreshed) it.catch(() => this.#context.log('The client does not show notes again'))
  }

  /** What the file of the project says counts more than the editor's settings, so that the command line agrees. */
  async #withProjectSettings({ uri }: OpenDocument, settings: Settings): Promise<Settings> {
    const readFile = this.#readFile
    if (!readFile) return settings
    const {
      rules,
      templates = settings.templates,
      intent = settings.intent,
    } = await projectSettings(settledBy(uri), {
      readFile,
      folders: this.#context.folders,
      onConfiguration: (...found) => this.#configurationProblems.found(...found),
    })
    return { ...settings, rules: [...settings.rules, ...rules], templates, intent }
  }

  /**
   * Brings diagnostics and status to the client, once for all that happens in the meantime; while a control token is being
   * typed, when it is complete or nobody types on.
   */
  #announce(document: OpenDocument): void {
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

  async #announceAsMeant(document: OpenDocument): Promise<void> {
    const isMeant = await unlessOutdated(
      whenIdle({ document, token: CancellationToken.None }).then(() => true),
    )
    if (!isMeant) return // the edit in the meantime is announced itself
    document.takeAsMeant()
    this.#announce(document)
  }

  async #settleAndTell(document: OpenDocument): Promise<void> {
    try {
      // Settings seldom make a difference, so checking does not wait for them.
      await Promise.all([this.settled(document), checkInBackground(document)])
      await checkInBackground(document)
    } finally {
      this.#announcing.delete(document)
    }
    if (document.isClosed || document.beginsToken) return
    if (!this.#context.client.pullsDiagnostics)
      this.#publish(document, this.#context.diagnostics.items(document))
    if (!this.#context.options.wantsStatus) return
    await this.#tellStatus(document)
    await this.#countTokens(document)
  }

  #tellStatus(document: OpenDocument): Promise<void> {
    return this.#connection.sendNotification(
      statusNotification,
      statusOf(document, document.settings.tokenCount ? this.#tokens.get(document) : undefined),
    )
  }

  /** Tells the status once more when the tokens are counted; an edit in the meantime is announced itself. */
  async #countTokens(document: OpenDocument): Promise<void> {
    const { tokenCounts, textCounter } = this.#context
    if (!document.settings.tokenCount || !textCounter.canCount) return
    const total = await unlessOutdated(tokenCounts.total({ document, token: CancellationToken.None }))
    if (total === undefined || total === this.#tokens.get(document)) return
    this.#tokens.set(document, total)
    await this.#tellStatus(document)
  }

  #publish({ uri, version }: OpenDocument, items: ReturnType<ServerContext['diagnostics']['items']>): void {
    void this.#connection.sendDiagnostics({ uri, version, diagnostics: [...items] })
  }
}

/** The result; undefined if the document changed while it was made. */
async function unlessOutdated<Result>(promise: Promise<Result>): Promise<Result | undefined> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof ResponseError) return undefined
    throw error
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
