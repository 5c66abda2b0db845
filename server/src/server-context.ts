/** What handlers work with: open documents, what the client can do, and the makers of diagnostics. */
import {
  ErrorCodes,
  type InitializeParams,
  ResponseError,
  type TextDocumentIdentifier,
  type WorkspaceEdit,
  type WorkspaceFoldersChangeEvent,
} from 'vscode-languageserver'
import { setTranslations, type TextEdit } from '../../core/src/internal.ts'
import { abilitiesOf, type ClientAbilities } from './client-abilities.ts'
import type { StartCounting } from './counting/count-protocol.ts'
import { TokenCounts } from './counting/segment-token-counts.ts'
import type { CountScripts } from './counting/start-browser.ts'
import { TextCounter } from './counting/text-counter.ts'
import { Diagnostics } from './diagnostics.ts'
import type { Log } from './guard.ts'
import type { OpenDocument } from './open-document.ts'
import type { ReadFile } from './project-settings.ts'
import { type InitializationOptions, initializationOptionsFrom } from './settings.ts'
import { type FileEdits, toWorkspaceEdit } from './to-lsp.ts'
import { TokenDeltas } from './token-deltas.ts'
import type { FindTranscripts } from './unopened-transcripts.ts'

/** What the environment of the server provides. */
export interface ServerHost {
  /** URI of the folder with a page per rule, for clients that name none. */
  readonly documentationBase?: string | undefined
  /** Reads configuration files, where there is a disk. */
  readonly readFile?: ReadFile
  /** Finds transcripts that are not open, where there is a disk. */
  readonly findTranscripts?: FindTranscripts
  /** Gives the way to start a thread that counts tokens, where there is one; `scripts` as the client names them. */
  readonly counting?: (scripts: CountScripts | undefined) => StartCounting | undefined
  /** True to compare every edited document with a fresh parse: slow, for tests and bug reports. */
  readonly isParanoid?: boolean
}

/** The ways to say something that was not asked for. */
export interface Voices {
  readonly log: Log
  /** Shows a sentence to the user. */
  readonly tell: (message: string) => void
}

/** The state of a server. */
export class ServerContext {
  readonly documents = new Map<string, OpenDocument>()
  readonly client: ClientAbilities
  readonly options: InitializationOptions
  readonly diagnostics: Diagnostics
  readonly tokenDeltas = new TokenDeltas()
  readonly textCounter: TextCounter
  readonly tokenCounts: TokenCounts
  readonly log: Log
  /** Shows a sentence to the user. */
  readonly tell: (message: string) => void
  /** Undefined where there is no disk. */
  readonly readFile: ReadFile | undefined
  /** Undefined where there is no disk. */
  readonly findTranscripts: FindTranscripts | undefined
  #folders: readonly string[]
  /** True to compare every edited document with a fresh parse. */
  readonly isParanoid: boolean

  constructor(params: InitializeParams, { log, tell }: Voices, host: ServerHost) {
    const { capabilities, initializationOptions } = params
    this.client = abilitiesOf(capabilities)
    const options = initializationOptionsFrom(initializationOptions)
    this.options = { ...options, documentationBase: options.documentationBase ?? host.documentationBase }
    this.diagnostics = new Diagnostics(this.options.documentationBase)
    this.log = log
    this.tell = tell
    setTranslations(this.options.translations) // a server serves one client
    this.textCounter = new TextCounter(host.counting?.(this.options.countScripts), log)
    this.tokenCounts = new TokenCounts(this.textCounter)
    this.readFile = host.readFile
    this.findTranscripts = host.findTranscripts
    this.#folders = foldersOf(params)
    this.isParanoid = host.isParanoid === true
  }

  /** URIs of the folders that are open. */
  get folders(): readonly string[] {
    return this.#folders
  }

  /** Takes over that folders were opened and closed. */
  changeFolders({ added, removed }: WorkspaceFoldersChangeEvent): void {
    const gone = new Set(removed.map(({ uri }) => uri))
    const stay = this.#folders.filter((uri) => !gone.has(uri))
    this.#folders = [...new Set([...stay, ...added.map(({ uri }) => uri)])]
  }

  /** Edits of `document` as a change that the client can make. */
  workspaceEdit(
    document: OpenDocument,
    edits: readonly TextEdit[],
    others: readonly FileEdits[] = [],
  ): WorkspaceEdit {
    return toWorkspaceEdit(document, edits, { hasVersions: this.client.hasVersionedEdits, others })
  }

  /** The open document that a request is about. @throws ResponseError InvalidParams if it is not open */
  document(identifier: TextDocumentIdentifier | undefined): OpenDocument {
    const uri = identifier?.uri
    const document = uri === undefined ? undefined : this.documents.get(uri)
    if (!document) throw new ResponseError(ErrorCodes.InvalidParams, `No such document is open: ${uri}`)
    return document
  }
}

/** Older clients name a single folder. */
function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  if (workspaceFolders) return workspaceFolders.map(({ uri }) => uri)
  return rootUri ? [rootUri] : []
}
