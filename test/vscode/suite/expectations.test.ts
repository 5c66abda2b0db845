/** Transcripts with expectations in VS Code's Testing view, run and compared by its own commands. */
import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { eventually, nightly } from './harness.ts'
import { closed } from './untitled-documents.ts'

const message = '<|start|>user<|message|>Hi<|end|>\n'
const misplaced = '<|start|>assistant<|channel|>final call_id=c<|message|>Hi<|return|>\n'

nightly(
  'a transcript with expectations is a test, which fails where something else is reported',
  async () => {
    const at = await folderOf({
      'passes.ocm': `version: 2.2\nexpect: []\n\n${message}`,
      'fails.ocm': `version: 2.2\nexpect:\n  - E-CALL-SCHEMA\n\n${message}`,
      'beside.ocm': `version: 2.2\n\n${message}`,
      'beside.expected.yaml': 'problems: [E-CALL-SCHEMA]\n',
      'none.ocm': misplaced, // expects nothing, so it isn't a test
    })
    try {
      await vscode.window.showTextDocument(at('fails.ocm'))
      assert.match(await comparedIn('fails.ocm', 'testing.debugCurrentFile'), /^\d+: .*`E-CALL-SCHEMA`\n ↔ $/)
      await closed()
      await vscode.window.showTextDocument(at('beside.ocm'))
      assert.match(await comparedIn('beside.ocm', 'testing.debugCurrentFile'), /`E-CALL-SCHEMA`\n ↔ $/)
      await closed()
      const { document } = await vscode.window.showTextDocument(at('passes.ocm'))
      const edit = new vscode.WorkspaceEdit()
      edit.insert(document.uri, document.positionAt(document.getText().length), 'stray <|bogus|>\n')
      await vscode.workspace.applyEdit(edit)
      // What is in the editor counts; a file that is as expected opens no comparison.
      assert.match(await comparedIn('passes.ocm', 'testing.debugCurrentFile'), /^ ↔ \d+: (?:error|warning) /)
    } finally {
      await closed()
      await vscode.workspace.fs.delete(at('.'), { recursive: true })
    }
  },
)

/** Both sides of the comparison that `command` opens. */
async function comparedIn(name: string, command: string): Promise<string> {
  return eventually(`a comparison of ${name}`, async () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input
    if (!(input instanceof vscode.TabInputTextDiff)) {
      await vscode.commands.executeCommand(command)
      return undefined
    }
    const sides = [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri))
    return (await Promise.all(sides)).map((it) => it.getText()).join(' ↔ ')
  })
}

async function folderOf(files: Readonly<Record<string, string>>): Promise<(name: string) => vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  if (!folder) throw new Error('The suite needs a folder')
  const at = (name: string) => vscode.Uri.joinPath(folder, 'expectations', name)
  for (const [name, text] of Object.entries(files))
    await vscode.workspace.fs.writeFile(at(name), new TextEncoder().encode(text))
  return at
}
