/** A session with a language server on standard input and output, with as little of its own cost as can be. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { memoryOf } from './measuring.ts'

const capabilities = {
  textDocument: {
    diagnostic: { dynamicRegistration: false },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    completion: { completionItem: { snippetSupport: true } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    synchronization: {},
  },
  general: { positionEncodings: ['utf-16'] },
}

const sweepPause = 100 // milliseconds: ten of the system's ticks
const tick = 10 // milliseconds, as on every common system
const longestSweep = 5000 // milliseconds

/** A place in a text, both parts from zero. */
export interface Position {
  readonly line: number
  readonly character: number
}

interface Waiting {
  readonly id: number
  readonly take: (result: unknown) => void
  readonly fail: (error: Error) => void
}

/** What a server says to a question. */
export interface Answer {
  readonly result: unknown
  /** Milliseconds from the question to the answer, read and understood. */
  readonly spent: number
}

/** A running server with one document. */
export class Session {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #reader = new MessageReader()
  #waiting: Waiting | undefined
  #ids = 0
  #version = 1
  #resultId: string | undefined
  readonly #uri: string

  /** Starts the program of a server with Node; `languageId` is what its document is in. */
  constructor(
    program: string,
    readonly languageId: string,
  ) {
    this.#uri = `file:///conversation.${languageId}`
    this.#process = spawn(process.execPath, [program, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#process.stdout.on('data', (chunk: Buffer) => this.#reader.read(chunk, (it) => this.#receive(it)))
    this.#process.on('exit', (code) => this.#waiting?.fail(new Error(`${program} ended with ${code}`)))
  }

  /** Says hello and waits for the answer. */
  async initialize(): Promise<void> {
    await this.#request('initialize', { processId: process.pid, rootUri: null, capabilities })
    this.#send(notification('initialized', {}))
  }

  /** Opens a text and waits for its diagnostics; the milliseconds from the first byte sent on. */
  async open(text: string): Promise<number> {
    const { languageId } = this
    const textDocument = { uri: this.#uri, languageId, version: this.#version, text }
    const opening = notification('textDocument/didOpen', { textDocument })
    const begun = performance.now()
    this.#send(opening)
    await this.#pull()
    return performance.now() - begun
  }

  /** Types texts at places, one after the other, and waits for diagnostics; the milliseconds. */
  async type(...insertions: readonly (Position & { readonly text: string })[]): Promise<number> {
    const changes = insertions.map((it) => this.#change({ start: it, end: it }, it.text))
    const begun = performance.now()
    for (const change of changes) this.#send(change)
    await this.#pull()
    return performance.now() - begun
  }

  /** Puts `text` in the place of `range`; the milliseconds until the last byte of the diagnostics is there, and what they are. */
  async replace(
    range: { readonly start: Position; readonly end: Position },
    text: string,
  ): Promise<{ readonly spent: number; readonly items: readonly unknown[] | undefined }> {
    const change = this.#change(range, text)
    const begun = performance.now()
    this.#send(change)
    const { items } = await this.#pull()
    return { spent: this.#reader.arrived - begun, items }
  }

  #change({ start, end }: { readonly start: Position; readonly end: Position }, text: string): Buffer {
    const textDocument = { uri: this.#uri, version: ++this.#version }
    const place = ({ line, character }: Position) => ({ line, character })
    const contentChanges = [{ range: { start: place(start), end: place(end) }, text }]
    return notification('textDocument/didChange', { textDocument, contentChanges })
  }

  /** Asks something about the document, and waits for the answer. */
  async ask(method: string, params: object = {}): Promise<Answer> {
    const begun = performance.now()
    const result = await this.#request(method, { textDocument: { uri: this.#uri }, ...params })
    return { result, spent: performance.now() - begun }
  }

  /** Asks for what an answer left out, such as the edit of an action. */
  async resolve(method: string, item: object): Promise<Answer> {
    const begun = performance.now()
    const result = await this.#request(method, item)
    return { result, spent: performance.now() - begun }
  }

  /** Sends something that is not answered. */
  tell(method: string, params: object): void {
    this.#send(notification(method, params))
  }

  /** What the process holds and held at most, in bytes; undefined where the system does not report it. */
  memory(): { readonly now: number; readonly peak: number } | undefined {
    return memoryOf(this.#process.pid)
  }

  /** The processor time that the process has used, in milliseconds; undefined where the system does not report it. */
  spent(): number | undefined {
    try {
      const folder = `/proc/${this.#process.pid}/task`
      let nanoseconds = 0
      for (const thread of readdirSync(folder))
        nanoseconds += Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0])
      return nanoseconds / 1e6
    } catch {
      return undefined // no such file: not Linux
    }
  }

  /** Waits until the process rests, because it sweeps up after what it has answered; at once where the system does not report it. */
  async rest(): Promise<void> {
    const end = performance.now() + longestSweep
    let worked = this.#worked()
    for (;;) {
      const before = worked
      await setTimeout(sweepPause)
      worked = this.#worked()
      if (worked === before || performance.now() > end) return
    }
  }

  /** Milliseconds that the process has worked, on all its threads; undefined where the system does not report it. */
  worked(): number | undefined {
    const ticks = this.#worked()
    return ticks === undefined ? undefined : ticks * tick
  }

  /** For how long the process has worked, in the system's ticks. */
  #worked(): number | undefined {
    try {
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, 'utf8')
      const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12)
      return Number(user) + Number(system)
    } catch {
      return undefined // no such file: not Linux, or the process has ended
    }
  }

  /** Ends the server. */
  async close(): Promise<void> {
    await this.#request('shutdown', undefined)
    const ended = once(this.#process, 'exit')
    this.#send(notification('exit', undefined))
    await ended
  }

  async #pull(): Promise<{ readonly items?: readonly unknown[] }> {
    const params = { textDocument: { uri: this.#uri }, previousResultId: this.#resultId }
    const report = (await this.#request('textDocument/diagnostic', params)) as {
      resultId?: string
      items?: readonly unknown[]
    }
    this.#resultId = report.resultId
    return report
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#ids
    const answer = new Promise<unknown>((take, fail) => {
      this.#waiting = { id, take, fail }
    })
    this.#send(framed({ jsonrpc: '2.0', id, method, params }))
    return answer
  }

  #receive({ id, method, result, error }: Message): void {
    const waiting = this.#waiting
    if (method !== undefined) {
      if (id !== undefined) this.#send(framed({ jsonrpc: '2.0', id, result: null }))
    } else if (id === waiting?.id) {
      this.#waiting = undefined
      if (error) waiting?.fail(new Error(JSON.stringify(error)))
      else waiting?.take(result)
    }
  }

  #send(message: Buffer): void {
    this.#process.stdin.write(message)
  }
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly error?: unknown
}

/** Cuts what a server writes into messages. */
class MessageReader {
  /** When the last message was there as a whole, by the clock of `performance`. */
  arrived = 0
  #unread: Buffer = Buffer.alloc(0)

  read(chunk: Buffer, take: (message: Message) => void): void {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk])
    for (;;) {
      const head = this.#unread.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.toString('latin1', 0, head))?.[1])
      const end = head + 4 + length
      if (this.#unread.length < end) return
      this.arrived = performance.now()
      const body = this.#unread.toString('utf8', head + 4, end)
      this.#unread = this.#unread.subarray(end)
      take(JSON.parse(body) as Message)
    }
  }
}

function notification(method: string, params: unknown): Buffer {
  return framed({ jsonrpc: '2.0', method, params })
}

function framed(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}
