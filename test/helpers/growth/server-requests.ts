/** Every request that the server answers about a document, as editors send it, and what a session with it is. */
import type { MessageConnection } from 'vscode-languageserver-protocol/node'

/** A place in a document, as the protocol has it. */
export interface Place {
  readonly line: number
  readonly character: number
}

/** A request about a place, or about the whole document. */
export interface ServerRequest {
  /** The method, and what makes it different from others of that method. */
  readonly name: string
  readonly method: string
  /** False if the answer is the same at every place. */
  readonly hasPlace: boolean
  /** What is sent, beside the document. */
  readonly params: (place: Place, end: Place) => object
}

const options = { tabSize: 2, insertSpaces: true }
const screen = 50 // lines

function atPlace(method: string, more: object = {}): ServerRequest {
  return { name: method, method, hasPlace: true, params: (position) => ({ position, ...more }) }
}

function inRange(
  method: string,
  more: object,
  { name = method, lines = 0 }: { readonly name?: string; readonly lines?: number } = {},
): ServerRequest {
  const endOf = ({ line, character }: Place) =>
    lines > 0 ? { line: line + lines, character: 0 } : { line, character }
  return {
    name,
    method,
    hasPlace: true,
    params: (start) => ({ range: { start, end: endOf(start) }, ...more }),
  }
}

function ofAll(method: string, more: object = {}, name = method): ServerRequest {
  return { name, method, hasPlace: false, params: () => more }
}

function ofWholeRange(method: string, more: object, name: string): ServerRequest {
  const start = { line: 0, character: 0 }
  return { name, method, hasPlace: false, params: (_, end) => ({ range: { start, end }, ...more }) }
}

const actions = (only?: readonly string[]) => ({ context: { diagnostics: [], ...(only && { only }) } })

/** Every request about a document. */
export const serverRequests: readonly ServerRequest[] = [
  ofAll('diagnostic'),
  atPlace('hover'),
  atPlace('completion'),
  atPlace('definition'),
  atPlace('references', { context: { includeDeclaration: true } }),
  atPlace('documentHighlight'),
  atPlace('linkedEditingRange'),
  atPlace('prepareRename'),
  atPlace('rename', { newName: 'renamed' }),
  atPlace('onTypeFormatting', { ch: '>', options }),
  atPlace('prepareCallHierarchy'),
  {
    name: 'selectionRange',
    method: 'selectionRange',
    hasPlace: true,
    params: (place) => ({ positions: [place] }),
  },
  inRange('codeAction', actions()),
  inRange('codeAction', actions(['refactor', 'source']), { name: 'codeAction, refactor and source' }),
  ofWholeRange('codeAction', actions(), 'codeAction, everything selected'),
  inRange('inlayHint', {}, { lines: screen }),
  inRange('rangeFormatting', { options }, { lines: screen }),
  inRange('semanticTokens/range', {}, { lines: screen }),
  ofWholeRange('inlayHint', {}, 'inlayHint, whole document'),
  ofWholeRange('rangeFormatting', { options }, 'rangeFormatting, whole document'),
  ofAll('documentSymbol'),
  ofAll('foldingRange'),
  ofAll('documentLink'),
  ofAll('codeLens'),
  ofAll('formatting', { options }),
  ofAll('semanticTokens/full'),
  ofAll('semanticTokens/full/delta', { previousResultId: '1' }),
]

/** Opens documents in a server, types into them, and asks. */
export class ServerSession {
  readonly #connection: MessageConnection
  #documents = 0
  #version = 0

  constructor(connection: MessageConnection) {
    this.#connection = connection
  }

  /** Begins the session. */
  async start(): Promise<void> {
    this.#connection.onRequest('client/registerCapability', () => null)
    this.#connection.onRequest('workspace/diagnostic/refresh', () => null)
    this.#connection.listen()
    const capabilities = {
      workspace: { diagnostics: { refreshSupport: true }, workspaceEdit: { documentChanges: true } },
      textDocument: {
        diagnostic: {},
        completion: { completionItem: { snippetSupport: true } },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        codeAction: {
          codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source'] } },
          dataSupport: true,
          resolveSupport: { properties: ['edit'] },
        },
      },
    }
    await this.#connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities })
    await this.#connection.sendNotification('initialized', {})
  }

  /** Opens a document, and answers its URI. */
  async open(text: string): Promise<string> {
    const uri = `untitled:Growth-${++this.#documents}`
    const textDocument = { uri, languageId: 'openchatml', version: ++this.#version, text }
    await this.#connection.sendNotification('textDocument/didOpen', { textDocument })
    return uri
  }

  /** Types `text` at `place`, and waits until the server has taken it. */
  async type(uri: string, place: Place, text: string): Promise<void> {
    const contentChanges = [{ range: { start: place, end: place }, text }]
    await this.#connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: ++this.#version },
      contentChanges,
    })
    await this.settled(uri)
  }

  /** Waits until everything that was sent is done. */
  async settled(uri: string): Promise<void> {
    await this.ask(uri, 'linkedEditingRange', { position: { line: 0, character: 0 } })
  }

  /** Asks about a document; a refusal by the protocol is an answer, too. A failure of the server is thrown. */
  async ask(uri: string, method: string, params: object): Promise<unknown> {
    const request = { textDocument: { uri }, ...params }
    try {
      return await this.#connection.sendRequest(`textDocument/${method}`, request)
    } catch (error) {
      if ((error as { readonly code?: number }).code === internalError) throw error
      return undefined
    }
  }

  /** Asks for the symbols of the workspace. */
  async askSymbols(query: string): Promise<unknown> {
    return this.#connection.sendRequest('workspace/symbol', { query })
  }

  close(uri: string): Promise<void> {
    return this.#connection.sendNotification('textDocument/didClose', { textDocument: { uri } })
  }
}

const internalError = -32603

/** The start, the middle and the end of `text`. */
export function placesOf(text: string): { readonly [name in 'start' | 'middle' | 'end']: Place } {
  return {
    start: { line: 0, character: 0 },
    middle: placeAt(text, Math.floor(text.length / 2)),
    end: placeAt(text, text.length),
  }
}

function placeAt(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}
