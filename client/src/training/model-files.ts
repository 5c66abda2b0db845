/** Chat templates and tokenizers among the files that VS Code shows: finding and reading them. */
import * as vscode from 'vscode'
import {
  chatTemplateIn,
  chatTemplateNames,
  configObject,
  isTemplateProblem,
  type JsonObject,
  maximalLength,
  parsedTemplate,
  specialTokenNames,
  type TemplateProblem,
} from '../../../core/src/internal.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { type ReadWorkspaceFile, textIn } from '../workspace-files.ts'

/** Most bytes of a file. */
const bytes = { template: 16 << 20, tokenizer: 256 << 20 }

/** The names by which files of models are found. */
export const modelFiles = '**/{*.jinja,*.jinja2,tokenizer_config.json,tokenizer.json}'

const mostFiles = 500

/** A chat template, read. */
export interface ReadTemplate {
  readonly source: string
  /** `bos_token` and its like. */
  readonly names: JsonObject
  readonly maxLength: number | undefined
  /** The `tokenizer.json` next to it, if there is one. */
  readonly tokenizer: vscode.Uri | undefined
  readonly problem: TemplateProblem | undefined
}

/** The templates and tokenizers of the workspace, those of the folders at the top first. */
export async function foundModelFiles(): Promise<readonly vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(modelFiles, '**/node_modules/**', mostFiles)
  const depth = ({ path }: vscode.Uri) => path.split('/').length
  return [...found].sort(
    (one, other) => depth(one) - depth(other) || (one.path < other.path ? -1 : Number(one.path > other.path)),
  )
}

/** The template in the file at `uri`: a Jinja file, or a configuration, where the fragment names one of several. */
export async function readTemplate(
  uri: vscode.Uri,
  readFile: ReadWorkspaceFile,
): Promise<ReadTemplate | undefined> {
  const file = uri.with({ fragment: '' })
  const folder = vscode.Uri.joinPath(file, '..')
  const configText = textIn(
    await readFile(vscode.Uri.joinPath(folder, 'tokenizer_config.json'), bytes.template),
  )
  const config = (configText === undefined ? undefined : configObject(configText)) ?? {}
  const source = file.path.endsWith('.json')
    ? chatTemplateIn(config, uri.fragment || 'default')
    : (openText(file) ?? textIn(await readFile(file, bytes.template)))
  if (source === undefined) return undefined
  const parsed = parsedTemplate(source)
  const tokenizer = vscode.Uri.joinPath(folder, 'tokenizer.json')
  return {
    source,
    names: specialTokenNames(config),
    maxLength: maximalLength(config),
    tokenizer: (await modificationOf(tokenizer)) === undefined ? undefined : tokenizer,
    problem: isTemplateProblem(parsed) ? parsed : undefined,
  }
}

/** The file of the template at `uri`, which may be the folder of a model. */
export async function templateFileAt(uri: vscode.Uri): Promise<vscode.Uri> {
  if (!(await isFolder(uri))) return uri
  const [own, config] = ['chat_template.jinja', 'tokenizer_config.json'].map((it) =>
    vscode.Uri.joinPath(uri.with({ fragment: '' }), it),
  )
  if (own && uri.fragment === '' && (await modificationOf(own)) !== undefined) return own
  return config?.with({ fragment: uri.fragment }) ?? uri
}

/** The file of the tokenizer at `uri`, which may be the folder of a model. */
export async function tokenizerFileAt(uri: vscode.Uri): Promise<vscode.Uri> {
  return (await isFolder(uri)) ? vscode.Uri.joinPath(uri, 'tokenizer.json') : uri
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri.with({ fragment: '' }))
    return (type & vscode.FileType.Directory) !== 0
  } catch {
    return false // the code that reads it reports that it is missing
  }
}

/** A chat template of the workspace. */
export interface FoundTemplate {
  /** The fragment is its name in a `tokenizer_config.json` with several. */
  readonly uri: vscode.Uri
  readonly label: string
}

/** The chat templates of the workspace; those in files that are called as those of models are come first. */
export async function foundTemplates(readFile: ReadWorkspaceFile): Promise<readonly FoundTemplate[]> {
  const files = await foundModelFiles()
  const found = (await Promise.all(files.map((uri) => templatesIn(uri, readFile)))).flat()
  const isModel = ({ path }: vscode.Uri) => !isJinja(path) || path.endsWith('/chat_template.jinja')
  return [...found.filter((it) => isModel(it)), ...found.filter((it) => !isModel(it))].map((uri) => ({
    uri,
    label: modelFileName(uri),
  }))
}

async function templatesIn(uri: vscode.Uri, readFile: ReadWorkspaceFile): Promise<readonly vscode.Uri[]> {
  const text = async () => textIn(await readFile(uri, bytes.template)) ?? ''
  // Parts of prompts are Jinja files, too.
  if (isJinja(uri.path)) return /\bmessages\b/.test(await text()) ? [uri] : []
  if (!uri.path.endsWith('tokenizer_config.json')) return []
  const config = configObject(await text())
  const names = config ? chatTemplateNames(config) : []
  return names.map((name) => (name === 'default' ? uri : uri.with({ fragment: name })))
}

function isJinja(path: string): boolean {
  return /\.jinja2?$/.test(path)
}

/** The path in the workspace, with the name of a template of several. */
export function modelFileName(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri.with({ fragment: '' }))
  return uri.fragment === '' ? path : `${path}#${uri.fragment}`
}

/** What the editor shows of a file, which may not be saved yet. */
function openText(uri: vscode.Uri): string | undefined {
  return openDocumentAt(uri)?.getText()
}

/** The files of the tokenizer at `uri`. */
export async function readTokenizer(
  uri: vscode.Uri,
  readFile: ReadWorkspaceFile,
): Promise<{ readonly json: string; readonly config: string } | undefined> {
  const json = textIn(await readFile(uri, bytes.tokenizer))
  if (json === undefined) return undefined
  const config = textIn(
    await readFile(vscode.Uri.joinPath(uri, '..', 'tokenizer_config.json'), bytes.template),
  )
  return { json, config: config ?? '{}' }
}

/** What is another one after each change of the file at `uri`; undefined if there is no such file. */
export async function modificationOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const { type, mtime, size } = await vscode.workspace.fs.stat(uri)
    return (type & vscode.FileType.File) === 0 ? undefined : `${mtime} ${size}`
  } catch {
    return undefined // most often there is none
  }
}
