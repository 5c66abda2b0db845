/** Opens, changes, configures and closes documents as the client says. */

import type {
  Connection,
  DidChangeConfigurationParams,
  DidChangeTextDocumentParams,
  DidCloseTextDocumentParams,
  DidOpenTextDocumentParams,
} from 'vscode-languageserver'
import { releaseTexts } from '../../core/src/internal.ts'
import { Announcements } from './announcements.ts'
import { fromContentChange } from './from-lsp.ts'
import { describe } from './guard.ts'
import { OpenDocument } from './open-document.ts'
import { PromptFiller } from './prompt-filler.ts'
import type { ServerContext } from './server-context.ts'
import { settingsSection } from './settings.ts'
import { SettingsInForce } from './settings-in-force.ts'

/** The documents of a session. */
export class Workspace {
  readonly settings: SettingsInForce
  readonly prompts: PromptFiller
  readonly #context: ServerContext
  readonly #announcements: Announcements

  constructor(connection: Connection, context: ServerContext) {
    this.#context = context
    const settled = (document: OpenDocument) => this.settings.settled(document)
    this.settings = new SettingsInForce(connection, context, (it) => this.#follow(it))
    this.#announcements = new Announcements(connection, context, settled)
    const onFound = (document: OpenDocument) => this.#announcements.announceFound(document)
    this.prompts = new PromptFiller(connection, context, { settled, onFound })
  }

  async open({ textDocument }: DidOpenTextDocumentParams): Promise<void> {
    const { uri, version, text } = textDocument
    const before = this.#context.documents.get(uri)
    before?.close()
    if (before) this.prompts.forget(before)
    const document = new OpenDocument({
      uri,
      version,
      text,
      settings: this.settings.pushed,
      isParanoid: this.#context.isParanoid,
      onError: (where, error) => this.#context.log(describe(where, error)),
    })
    this.#context.documents.set(uri, document)
    const fetched = this.settings.fetch([document])
    this.#follow(document)
    await fetched
  }

  change({ textDocument, contentChanges }: DidChangeTextDocumentParams): void {
    const document = this.#context.document(textDocument)
    document.change(contentChanges.map(fromContentChange), textDocument.version)
    this.#follow(document)
  }

  close({ textDocument }: DidCloseTextDocumentParams): void {
    const document = this.#context.document(textDocument)
    document.close()
    this.prompts.forget(document)
    this.#context.documents.delete(textDocument.uri)
    releaseTexts()
    this.#announcements.withdraw(document)
    if (this.#context.documents.size === 0) this.#context.textCounter.rest()
  }

  /** Takes over changed settings, for all documents. */
  async configure({ settings }: DidChangeConfigurationParams): Promise<void> {
    this.settings.push(
      (settings as { readonly [key: string]: unknown } | null | undefined)?.[settingsSection],
    )
    await this.refetch()
  }

  #follow(document: OpenDocument): void {
    this.#announcements.announce(document)
    this.prompts.follow(document)
  }

  /** Reads the settings of all documents again. */
  refetch(): Promise<void> {
    return this.settings.fetch(this.#context.documents.values())
  }
}
