/** Compressed and Parquet datasets without a disk: read in memory, edited beside the file, and saved as JSONL. */
import assert from 'node:assert/strict'
import { parquetWriteBuffer } from 'hyparquet-writer'
import * as vscode from 'vscode'
import { eventually, nightly, test } from '../suite/harness.ts'

const line = '{"messages":[{"role":"user","content":"Question"},{"role":"assistant","content":"Answer"}]}'

/** The line, packed by the programs `zstd` and `gzip` and by `hyparquet-writer`. */
const packings: Readonly<Record<string, () => Uint8Array>> = {
  'packed.jsonl.zst': () =>
    fromBase64(
      'KLUv/SRcNQIAYsQOFaA5B/5gSyoreVt8YKFAGY0Y1NBYAcAiVpGTY5B4efNfWcVj8k5CrYlOPEVLkZ9q9XFQ1WC9jfuNVAUCAE2dI6hQUE/ePyg=',
    ),
  'packed.jsonl.gz': () =>
    fromBase64(
      'H4sIAAAAAAACA6tWyk0tLk5MTy1WsoquVirKz0lVslIqLU4tUtJRSs7PK0nNKwEKBJamFpdk5ucp1erAFSUWF2cWlyQC5ZFVOuYVlwM118bWcgEArGlESVwAAAA=',
    ),
  'packed.parquet': () => {
    const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const
    const buffer = parquetWriteBuffer({
      schema: [
        { name: 'schema', num_children: 1 },
        { name: 'messages', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
        { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
        { name: 'element', num_children: 2, repetition_type: 'OPTIONAL' },
        { name: 'role', ...text },
        { name: 'content', ...text },
      ],
      columnData: [{ name: 'messages', data: [JSON.parse(line).messages] }],
    })
    return new Uint8Array(buffer)
  },
}

for (const [name, content] of Object.entries(packings)) {
  const register = name.endsWith('.gz') ? test : nightly
  register(`${name} is read, edited, and saved as JSONL in a Web Worker`, async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri
    assert.ok(folder, 'a folder is open')
    const at = (file: string) => vscode.Uri.joinPath(folder, file)
    const number = name.endsWith('.parquet') ? 0 : 1
    await vscode.workspace.fs.writeFile(at(name), content())
    await vscode.commands.executeCommand('openchatml.openSample', at(name), number)
    const document = await eventually('the sample', () => {
      const active = vscode.window.activeTextEditor?.document
      return active?.uri.path.endsWith(`${name}:${number}.ocm`) && active
    })
    const start = document.positionAt(document.getText().indexOf('Answer'))
    const edit = new vscode.WorkspaceEdit()
    edit.replace(document.uri, new vscode.Range(start, start.translate(0, 'Answer'.length)), 'Edited')
    await vscode.workspace.applyEdit(edit)
    await document.save()
    await eventually('that it is saved', () => !document.isDirty)
    assert.match(await textOf(at(`${name}.edits.jsonl`)), /"Edited"/)
    await vscode.commands.executeCommand('openchatml.saveAsJsonl', at(name), at(`${name}.saved.jsonl`))
    assert.equal(await textOf(at(`${name}.saved.jsonl`)), `${line.replace('Answer', 'Edited')}\n`)
    await vscode.commands.executeCommand('workbench.action.closeAllEditors')
  })
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (it) => it.charCodeAt(0))
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
}
