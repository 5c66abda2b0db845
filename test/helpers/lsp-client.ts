/** A client of the language server, for tests: starts the real server as a process and talks to it on standard input and output. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { join } from 'node:path'
import {
  type CancellationToken,
  type ClientCapabilities,
  createMessageConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type InitializeResult,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node'

const deadline = 60_000 // generous: the machine may be busy

/** What VS Code can do, as far as the server looks at it. */
export const editorCapabilities: ClientCapabilities = {
  workspace: {
    configuration: true,
    didChangeConfiguration: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    diagnostic: {},
    completion: { completionItem: { snippetSupport: true } },
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'source'] } } },
    semanticTokens: {
      requests: { range: true, full: true },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ['relative'],
    },
  },
}

/** How a client starts the server. */
export interface ClientOptions {
  readonly capabilities?: ClientCapabilities
  readonly initializationOptions?: unknown
  /** URI of the folder that is open. */
  readonly folder?: string
  /** Answers `workspace/configuration`. */
  readonly settings?: unknown
  /** The program; by default the built server. */
  readonly command?: readonly string[]
}

/** The whole answer to `initialize`, with a client that is ready to work. */
export async function startClient(options: ClientOptions = {}): Promise<LspClient> {
  const client = new LspClient(options)
  await client.initialize(options)
  return client
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const it of running) it.kill()
})

/** A session with a server. Every wait has a deadline. */
export class LspClient {
  readonly process: ChildProcess
  readonly connection: MessageConnection
  /** What the server wrote to the log. */
  readonly log: string[] = []
  /** What the server showed to the user. */
  readonly shown: string[] = []
  initializeResult: InitializeResult | undefined
  #settings: unknown
  #version = 0
  readonly #notifications: { readonly method: string; readonly params: unknown }[] = []
  readonly #waiting = new Set<() => void>()

  constructor({
    settings,
    command = [process.execPath, join('dist', 'server', 'node.js'), '--stdio'],
  }: ClientOptions) {
    const [program = process.execPath, ...args] = command
    this.#settings = settings
    // Paranoid mode: an edit that leads elsewhere than a fresh parse is in the log, which tests expect to be empty.
    const env = { ...process.env, OCM_PARANOID: '1' }
    this.process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env })
    const { stdin, stdout } = this.process
    assert.ok(stdin && stdout)
    // A test that failed half-way leaves its server behind: it must not keep the tests from ending.
    this.process.unref()
    for (const pipe of [stdin, stdout]) if (pipe instanceof Socket) pipe.unref()
    running.add(this.process)
    this.process.once('exit', () => running.delete(this.process))
    this.connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin))
    this.connection.onNotification((method, params) => {
      if (method === 'window/logMessage') this.log.push((params as { message: string }).message)
      if (method === 'window/showMessage') this.shown.push((params as { message: string }).message)
      this.#notifications.push({ method, params })
      for (const wake of [...this.#waiting]) wake()
    })
    this.connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) =>
      items.map(() => this.#settings ?? null),
    )
    this.connection.onRequest('client/registerCapability', () => null)
    this.connection.onRequest('workspace/diagnostic/refresh', () => {
      this.#notifications.push({ method: 'workspace/diagnostic/refresh', params: undefined })
      for (const wake of [...this.#waiting]) wake()
      return null
    })
    this.connection.listen()
  }

  async initialize({
    capabilities = editorCapabilities,
    initializationOptions,
    folder = undefined,
  }: ClientOptions): Promise<void> {
    const params = { processId: process.pid, rootUri: folder ?? null, capabilities, initializationOptions }
    this.initializeResult = await this.request<InitializeResult>('initialize', params)
    this.notify('initialized', {})
  }

  /** Sends a request and waits for its answer. @throws ResponseError as answered */
  request<Result>(method: string, params: unknown, token?: CancellationToken): Promise<Result> {
    const answer: Promise<Result> = token
      ? this.connection.sendRequest(method, params, token)
      : this.connection.sendRequest(method, params)
    return withDeadline(method, answer)
  }

  notify(method: string, params: unknown): void {
    void this.connection.sendNotification(method, params)
  }

  /** The next notification of `method` that has not been taken yet. */
  async notification<Params>(
    method: string,
    condition: (params: Params) => boolean = () => true,
  ): Promise<Params> {
    const take = () => {
      const index = this.#notifications.findIndex(
        (it) => it.method === method && condition(it.params as Params),
      )
      return index === -1 ? undefined : this.#notifications.splice(index, 1)[0]
    }
    for (;;) {
      const found = take()
      if (found) return found.params as Params
      await withDeadline(
        method,
        new Promise<void>((done) => {
          const wake = () => {
            this.#waiting.delete(wake)
            done()
          }
          this.#waiting.add(wake)
        }),
      )
    }
  }

  /** Opens a document and answers its URI. */
  open(text: string, uri = `untitled:Untitled-${++this.#version}`): string {
    this.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'openchatml', version: ++this.#version, text },
    })
    return uri
  }

  /** Changes a document; each change as the protocol has it. */
  change(uri: string, ...contentChanges: readonly unknown[]): void {
    this.notify('textDocument/didChange', { textDocument: { uri, version: ++this.#version }, contentChanges })
  }

  close(uri: string): void {
    this.notify('textDocument/didClose', { textDocument: { uri } })
  }

  /** Changes what `workspace/configuration` answers, and tells the server. */
  configure(settings: unknown): void {
    this.#settings = settings
    this.notify('workspace/didChangeConfiguration', { settings: null })
  }

  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
    return this.request('textDocument/diagnostic', { textDocument: { uri }, previousResultId })
  }

  /** The diagnostics of a full report. */
  async diagnostics(uri: string): Promise<readonly Diagnostic[]> {
    const report = await this.pull(uri)
    assert.equal(report.kind, 'full')
    return report.kind === 'full' ? report.items : []
  }

  /** Ends the session as the protocol wants it; answers the exit code. */
  async stop(): Promise<number | null> {
    await this.request('shutdown', undefined)
    return this.exit()
  }

  /** Says `exit` and answers the exit code. */
  async exit(): Promise<number | null> {
    const closed = once(this.process, 'exit')
    void this.connection.sendNotification('exit')
    const [code] = (await withDeadline('exit', closed)) as [number | null]
    this.connection.dispose()
    return code
  }
}

function withDeadline<Result>(what: string, answer: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new Error(`${what}: no answer within ${deadline / 1000} seconds`)),
      deadline,
    )
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
