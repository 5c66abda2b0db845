/** An extension beside ours that opens and changes documents without hands: quicker than keys, and while nobody looks at an editor on them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'

/** Opens a file of the workspace as a click in the explorer would, replaces text in it, or puts the cursor of the active editor somewhere. */
export type Request =
  | { readonly name: string; readonly replaced?: { readonly before: string; readonly after: string } }
  | { readonly cursor: { readonly line: number; readonly column: number } }

const requestFile = 'request.json' // in the workspace

const files = {
  'package.json': JSON.stringify({
    name: 'other-program',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.99.0' },
    main: './main.js',
    contributes: {
      commands: [{ command: 'other.ask', title: 'Show or Change a Document' }],
      keybindings: [{ command: 'other.ask', key: 'ctrl+alt+f9' }],
    },
  }),
  'main.js': `const vscode = require('vscode')
exports.activate = ({ subscriptions }) => {
  const answer = vscode.window.createStatusBarItem('answer')
  answer.show()
  subscriptions.push(answer, vscode.commands.registerCommand('other.ask', async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri
    const text = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, '${requestFile}'))
    const request = JSON.parse(new TextDecoder().decode(text))
    await act(folder, request)
    answer.text = 'done ' + request.number
  }))
  async function act(folder, { name, replaced, cursor }) {
    if (cursor) {
      const editor = vscode.window.activeTextEditor
      const position = new vscode.Position(cursor.line - 1, cursor.column - 1)
      editor.selection = new vscode.Selection(position, position)
      return editor.revealRange(editor.selection)
    }
    const file = vscode.Uri.joinPath(folder, name)
    if (!replaced) return vscode.commands.executeCommand('vscode.open', file, { preview: false })
    const document = await vscode.workspace.openTextDocument(file)
    const { before, after } = replaced
    const start = document.getText().indexOf(before)
    const edit = new vscode.WorkspaceEdit()
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + before.length)), after)
    await vscode.workspace.applyEdit(edit)
  }
}
`,
}

/** Writes the extension into a new folder. */
export async function writeOtherProgram(folder: string): Promise<void> {
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

let nRequests = 0

/** Lets the extension do something in a workspace, and waits until it is done. */
export async function ask({ page }: OpenedVSCode, workspace: string, request: Request): Promise<void> {
  const number = ++nRequests
  await writeFile(join(workspace, requestFile), JSON.stringify({ ...request, number }))
  await page.keyboard.press('Control+Alt+F9')
  await page.locator('.statusbar-item', { hasText: `done ${number}` }).waitFor({ state: 'attached' })
}
