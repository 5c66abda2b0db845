/** The chat templates of the workspace: Jinja files, and those in `tokenizer_config.json`. */
import * as vscode from 'vscode'
import {
  chatTemplateIn,
  chatTemplateNames,
  isTemplateProblem,
  type JsonObject,
  type PromptTemplate,
  parsedTemplate,
  specialTokenNames,
} from '../../../core/src/internal.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'

const largestFile = 16 << 20 // bytes
const mostFiles = 200 // of a workspace
const configurationName = 'tokenizer_config.json'

/** A chat template. The fragment of its address is its name in a `tokenizer_config.json`. */
export interface ChatTemplateFile {
  readonly uri: vscode.Uri
  /** As people see it. */
  readonly label: string
}

/** The chat templates of the workspace, in order of their paths; none in Restricted Mode. */
export async function chatTemplateFiles(readText: ReadWorkspaceText): Promise<readonly ChatTemplateFile[]> {
  if (!vscode.workspace.isTrusted) return []
  const files = await vscode.workspace.findFiles(
    `**/{*.jinja,*.jinja2,${configurationName}}`,
    '**/node_modules/**',
    mostFiles,
  )
  const found = await Promise.all(files.map((uri) => templatesIn(uri, readText)))
  return found.flat().sort((one, other) => (one.label < other.label ? -1 : 1))
}

async function templatesIn(
  uri: vscode.Uri,
  readText: ReadWorkspaceText,
): Promise<readonly ChatTemplateFile[]> {
  const path = vscode.workspace.asRelativePath(uri)
  const text = (await readText(uri, largestFile)) ?? ''
  // Parts of prompts may be Jinja files, too.
  if (!uri.path.endsWith('.json')) return /\bmessages\b/.test(text) ? [{ uri, label: path }] : []
  return chatTemplateNames(objectIn(text) ?? {}).map((name) => ({
    uri: uri.with({ fragment: name }),
    label: name === 'default' ? path : `${path} (${name})`,
  }))
}

/** The chat template at `uri`; undefined if there is none, or it cannot be read. Names of tokens are those of the folder. */
export async function readChatTemplate(
  uri: vscode.Uri,
  readText: ReadWorkspaceText,
): Promise<PromptTemplate | undefined> {
  if (!vscode.workspace.isTrusted) return undefined
  const file = uri.with({ fragment: '' })
  const open = vscode.workspace.textDocuments.find((it) => it.uri.toString() === file.toString())
  const text = open?.getText() ?? (await readText(file, largestFile))
  if (text === undefined) return undefined
  const isConfiguration = uri.path.endsWith('.json')
  const beside = isConfiguration
    ? text
    : await readText(vscode.Uri.joinPath(file, '..', configurationName), largestFile)
  const configuration = objectIn(beside ?? '') ?? {}
  const source = isConfiguration ? chatTemplateIn(configuration, uri.fragment) : text
  const template = source === undefined ? undefined : parsedTemplate(source)
  if (!template || isTemplateProblem(template)) return undefined
  return { template, names: specialTokenNames(configuration) }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined // not a configuration
  }
}
