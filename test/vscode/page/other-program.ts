/**
 * An extension beside ours that acts without hands: it opens and changes documents, puts the cursor somewhere, and runs commands.
 * That costs a fraction of what keys and lists cost, which paint the window each time, and works while nobody looks at an editor.
 * It connects to the process of the test, again whenever the extension host starts anew.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Opens a file of the workspace, `briefly` in the tab of the one that was opened so before, replaces text in it, puts the cursor of the active editor somewhere, or begins a command. */
export type Request =
  | { readonly name: string; readonly briefly?: true }
  | { readonly name: string; readonly replaced: { readonly before: string; readonly after: string } }
  | { readonly cursor: { readonly line: number; readonly column: number } }
  | { readonly command: string }

/** The extension, from outside. */
export interface OtherProgram {
  /** Environment variables for the extension host: by them, the extension finds this process. */
  readonly env: Readonly<Record<string, string>>
  /** Lets the extension do something, and waits until it is done; a command only has to have begun. */
  ask(request: Request): Promise<void>
  /** Begins what ends the extension host, and waits until another one runs. */
  restarts(begin: () => Promise<void>): Promise<void>
  /** Waits for no more connections. */
  close(): void
}

/** A connection to one extension host, with the requests that it has not answered yet. */
interface Connection {
  readonly socket: Socket
  readonly open: Map<number, { done: () => void; fail: (error: Error) => void }>
}

const files = {
  'package.json': JSON.stringify({
    name: 'other-program',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.99.0' },
    main: './main.js',
    activationEvents: ['*'],
  }),
  'main.js': `const vscode = require('vscode')
const { connect } = require('node:net')
const { createInterface } = require('node:readline')
exports.activate = ({ subscriptions }) => {
  const socket = connect(Number(process.env.OTHER_PROGRAM_PORT), '127.0.0.1')
  socket.on('error', () => {}) // the test is over
  subscriptions.push({ dispose: () => socket.destroy() })
  createInterface(socket).on('line', async (line) => {
    const { number, request } = JSON.parse(line)
    const say = (answer) => socket.write(JSON.stringify({ number, ...answer }) + '\\n')
    try {
      await act(request, say)
      say({})
    } catch (error) {
      say({ failure: String(error) })
    }
  })
}
/** The active editor: the extension host hears of it later than the window shows it. */
function activeEditor() {
  if (vscode.window.activeTextEditor) return vscode.window.activeTextEditor
  return new Promise((done) => {
    const listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (!editor) return
      listening.dispose()
      done(editor)
    })
  })
}
async function act({ name, briefly = false, replaced, cursor, command }, say) {
  if (command) {
    // A command that asks something ends when it is answered.
    vscode.commands.executeCommand(command).then(undefined, (error) => say({ failure: command + ': ' + error }))
    return
  }
  if (cursor) {
    const editor = await activeEditor()
    const position = new vscode.Position(cursor.line - 1, cursor.column - 1)
    editor.selection = new vscode.Selection(position, position)
    editor.revealRange(editor.selection)
    // The window has put the cursor there once it has answered what it was asked later.
    return vscode.commands.executeCommand('setContext', 'otherProgram.cursor', true)
  }
  const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name)
  if (!replaced) return vscode.commands.executeCommand('vscode.open', file, { preview: briefly })
  const document = await vscode.workspace.openTextDocument(file)
  const { before, after } = replaced
  const start = document.getText().indexOf(before)
  const edit = new vscode.WorkspaceEdit()
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + before.length)), after)
  await vscode.workspace.applyEdit(edit)
}
`,
}

/** Writes the extension into a new folder, and waits for it to connect when it is asked for something. */
export async function otherProgram(folder: string): Promise<OtherProgram> {
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)

  let nRequests = 0
  let connection: Connection | undefined
  const server = createServer((socket) => {
    const connected: Connection = { socket, open: new Map() }
    connection = connected
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (connection === connected) connection = undefined
      for (const { fail } of connected.open.values()) fail(new Error('the extension host has ended'))
    })
    createInterface(socket).on('line', (line) => {
      const { number, failure } = JSON.parse(line)
      const waiting = connected.open.get(number)
      connected.open.delete(number)
      if (failure === undefined) waiting?.done()
      else if (waiting === undefined) console.error(failure)
      else waiting.fail(new Error(failure))
    })
    server.emit('other-program')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { env: { OTHER_PROGRAM_PORT: String(port) }, ask, restarts, close }

  async function ask(request: Request): Promise<void> {
    if (connection === undefined) await once(server, 'other-program', { signal: AbortSignal.timeout(60_000) })
    assert.ok(connection)
    const { socket, open } = connection
    const number = ++nRequests
    const answer = new Promise<void>((done, fail) => open.set(number, { done, fail }))
    socket.write(`${JSON.stringify({ number, request })}\n`)
    await answer
  }

  async function restarts(begin: () => Promise<void>): Promise<void> {
    const next = once(server, 'other-program', { signal: AbortSignal.timeout(60_000) })
    await begin()
    await next
  }

  function close(): void {
    connection?.socket.destroy()
    server.close()
  }
}
