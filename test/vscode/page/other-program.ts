/** An extension beside ours that opens and changes documents without hands: quicker than keys, and while nobody looks at an editor on them. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'

/** Opens a file of the workspace as a click in the explorer would, or replaces text in it. */
export interface Request {
  readonly name: string
  readonly replaced?: { readonly before: string; readonly after: string }
}

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
  subscriptions.push(vscode.commands.registerCommand('other.ask', async () => {
    const folder = vscode.workspace.workspaceFolders[0].uri
    const request = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, '${requestFile}'))
    const { name, replaced } = JSON.parse(new TextDecoder().decode(request))
    const file = vscode.Uri.joinPath(folder, name)
    if (!replaced) return vscode.commands.executeCommand('vscode.open', file, { preview: false })
    const document = await vscode.workspace.openTextDocument(file)
    const { before, after } = replaced
    const start = document.getText().indexOf(before)
    const edit = new vscode.WorkspaceEdit()
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(start + before.length)), after)
    await vscode.workspace.applyEdit(edit)
  }))
}
`,
}

/** Writes the extension into a new folder. */
export async function writeOtherProgram(folder: string): Promise<void> {
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

/** Lets the extension do something in a workspace. One who asks again waits until the last request has shown its effect. */
export async function ask({ page }: OpenedVSCode, workspace: string, request: Request): Promise<void> {
  await writeFile(join(workspace, requestFile), JSON.stringify(request))
  await page.keyboard.press('Control+Alt+F9')
}
