/** The settings of open documents: what the client answers, and above that what the file of the project says. */
import { CodeLensRefreshRequest, type Connection } from 'vscode-languageserver'
import { fileReader } from './client-files.ts'
import { sampleOrigin } from './client-samples.ts'
import { ConfigurationProblems } from './configuration-problems.ts'
import { describe } from './guard.ts'
import type { OpenDocument } from './open-document.ts'
import { projectSettings, type ReadFile, settledBy } from './project-settings.ts'
import type { ServerContext } from './server-context.ts'
import { type Settings, settingsFrom, settingsSection, showSame } from './settings.ts'

/** Fetches settings, and says when those of a document are known. */
export class SettingsInForce {
  readonly #connection: Connection
  readonly #context: ServerContext
  readonly #readFile: ReadFile | undefined
  readonly #configurationProblems: ConfigurationProblems
  readonly #onChange: (document: OpenDocument) => void
  /** Settings that clients sent without being asked; the last word for clients that cannot be asked. */
  #pushed: Settings
  readonly #settling = new WeakMap<OpenDocument, Promise<boolean>>()
  /** How often the settings of a document were asked for. */
  readonly #questions = new WeakMap<OpenDocument, number>()

  /** `onChange` is called when a document has got settings that make a difference. */
  constructor(connection: Connection, context: ServerContext, onChange: (document: OpenDocument) => void) {
    this.#connection = connection
    this.#context = context
    this.#onChange = onChange
    this.#readFile = fileReader(connection, context)
    this.#configurationProblems = new ConfigurationProblems(connection, context.log)
    this.#pushed = context.options.settings
  }

  /** What holds for a document until its own settings are fetched. */
  get pushed(): Settings {
    return this.#pushed
  }

  /** Takes over settings that the client has pushed, if there are any in `section`. */
  push(section: unknown): void {
    if (section !== undefined) this.#pushed = settingsFrom(section)
  }

  /** The settings that belong to no document. */
  global(): Promise<Settings> {
    return this.#ask({})
  }

  /**
   * Fetches the settings of `documents`; {@link settled} waits for them from now on. Makes the client pull again, once, if
   * settings arrive that make a difference.
   */
  async fetch(documents: Iterable<OpenDocument>): Promise<void> {
    const fetched: Promise<boolean>[] = []
    for (const document of documents) {
      const settings = this.#fetch(document)
      this.#settling.set(document, settings)
      fetched.push(settings)
    }
    const changes = await Promise.all(fetched)
    if (!changes.includes(true) || !this.#context.client.refreshesDiagnostics) return
    this.#connection.languages.diagnostics.refresh()
  }

  /** Fulfilled when the settings of `document` are in force. */
  async settled(document: OpenDocument): Promise<void> {
    let settling: Promise<boolean> | undefined
    while (settling !== this.#settling.get(document)) {
      settling = this.#settling.get(document)
      await settling
    }
  }

  /** What the client answers; what it sent when it started the server, or pushed since, if it has no answer. */
  async #ask(item: { readonly scopeUri?: string }): Promise<Settings> {
    if (!this.#context.client.answersConfiguration) return this.#pushed
    try {
      const request = { ...item, section: settingsSection }
      const answer: unknown = await this.#connection.workspace.getConfiguration(request)
      return answer === null ? this.#pushed : settingsFrom(answer)
    } catch (error) {
      this.#context.log(describe('workspace/configuration', error))
      return this.#pushed
    }
  }

  /**
   * Fetches and takes over the settings of `document`; true if they make a difference. Never fails.
   * Answers may come in another order than they were asked for: only the last question counts.
   */
  async #fetch(document: OpenDocument): Promise<boolean> {
    const question = (this.#questions.get(document) ?? 0) + 1
    this.#questions.set(document, question)
    const [asked, origin] = await Promise.all([
      this.#ask({ scopeUri: settledBy(document.uri) }),
      sampleOrigin(this.#connection, this.#context, document.uri),
    ])
    const settings = { ...(await this.#withProjectSettings(document, asked)), ...origin }
    if (document.isClosed || this.#questions.get(document) !== question) return false
    const showsSame = showSame(document.settings, settings)
    const countsSame = document.settings.tokenCount === settings.tokenCount
    const isChanged = document.configure(settings)
    if (!showsSame) this.#refreshNotes()
    if (isChanged || !countsSame) this.#onChange(document)
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
      broken,
    } = await projectSettings(settledBy(uri), {
      readFile,
      folders: this.#context.folders,
      onConfiguration: (...found) => this.#configurationProblems.found(...found),
    })
    return { ...settings, rules: [...settings.rules, ...rules], templates, intent, broken }
  }
}
