/** The tools for agents in VS Code's chat: they use the files of the open folders, as they are in the editor. */
import * as vscode from 'vscode'
import { type AgentFiles, type AgentTool, AgentToolError, runAgentTool } from '../agent/agent-tool.ts'
import { agentTools } from '../agent/agent-tools.ts'
import { ProjectSettings } from './datasets/configuration-in-force.ts'
import { openDocumentAt } from './document-in-editor.ts'
import { type ReadWorkspaceFile, textIn } from './workspace-files.ts'

/** Registers the tools. */
export function registerChatTools(context: vscode.ExtensionContext, readFile: ReadWorkspaceFile): void {
  const files = workspaceFiles(readFile)
  for (const tool of agentTools) {
    const registered = vscode.lm.registerTool(`openchatml_${tool.name}`, {
      prepareInvocation: () => confirmationOf(tool),
      invoke: async ({ input }) => {
        const texts = await runAgentTool(tool, input, files)
        return new vscode.LanguageModelToolResult(texts.map((it) => new vscode.LanguageModelTextPart(it)))
      },
    })
    context.subscriptions.push(registered)
  }
}

function confirmationOf({ isReadOnly, title }: AgentTool): vscode.PreparedToolInvocation | undefined {
  if (isReadOnly) return undefined
  const message = vscode.l10n.t('Apply the safe fixes to the transcript?')
  return { confirmationMessages: { title, message } }
}

function workspaceFiles(readFile: ReadWorkspaceFile): AgentFiles {
  return {
    async read(path, bytes) {
      const { uri, root } = placeOf(path)
      // Asked first, because it decides what may be read.
      const onDisk = textIn(await readFile(uri, bytes, { roots: [root] }))
      if (onDisk === undefined)
        throw new AgentToolError('The open folders have no such file that can be read')
      return new TextEncoder().encode(openText(uri) ?? onDisk)
    },
    async replace(path, before, text) {
      const { uri } = placeOf(path)
      const document = await vscode.workspace.openTextDocument(uri)
      if (document.getText() !== new TextDecoder('utf-8', { ignoreBOM: true }).decode(before))
        throw new AgentToolError('The file has changed in the meantime')
      const edit = new vscode.WorkspaceEdit()
      const end = document.positionAt(document.getText().length)
      edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text)
      if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save()))
        throw new AgentToolError('The file cannot be written')
    },
    async settingsFor(path) {
      const settings = new ProjectSettings(placeOf(path).uri, readFile, () => undefined)
      try {
        return await settings.read()
      } finally {
        settings.dispose()
      }
    },
  }
}

/** The file that a path names, and the open folder that it is in; a relative path is one in the first folder. @throws AgentToolError */
function placeOf(path: string): { readonly uri: vscode.Uri; readonly root: vscode.Uri } {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)
  const [first] = folders
  if (!first) throw new AgentToolError('No folder is open')
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(path)
  const absolute = isAbsolute ? first.with({ path: vscode.Uri.file(path).path }) : first
  const uri = vscode.Uri.joinPath(absolute, isAbsolute ? '.' : path.replaceAll('\\', '/'))
  const root = folders.find((it) => uri.path.startsWith(`${it.path.replace(/\/$/, '')}/`))
  if (!root) throw new AgentToolError('The file is outside of the open folders')
  return { uri, root }
}

/** The text of a file as an editor has it, saved or not. */
function openText(uri: vscode.Uri): string | undefined {
  return openDocumentAt(uri)?.getText()
}
