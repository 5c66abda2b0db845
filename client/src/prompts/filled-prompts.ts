/** Filled prompts as documents that cannot be edited and follow the prompt, its cases, and its parts. */
import * as vscode from 'vscode'
import {
  ConversionError,
  convert,
  type FilledPrompt,
  type FilledSpan,
  fillPrompt,
  type TargetForm,
  targetForms,
} from '../../../core/src/internal.ts'
import type { ReadWorkspaceText } from '../workspace-files.ts'
import { type FileVersion, openPrompt } from './prompt-files.ts'

/** The scheme of their addresses. */
export const filledScheme = 'openchatml-filled'

/** What a filled prompt is shown as. */
export type ShownTarget = TargetForm | 'next-prompt'

/** What a document of this scheme shows. */
export interface FilledAddress {
  readonly source: vscode.Uri
  readonly caseName: string
  readonly target: ShownTarget
  /** True for the last commit. */
  readonly isCommitted: boolean
}

/** The address of a filled prompt. The names are for people; what counts is the query. */
export function filledUri({ source, caseName, target, isCommitted }: FilledAddress): vscode.Uri {
  const name = (source.path.split('/').at(-1) || source.path).replace(/\.ocm$/, '')
  const extension = target === 'ocm' || target === 'harmony' || target === 'next-prompt' ? 'ocm' : 'json'
  const path = `/${name} · ${caseName} → ${target}.${extension}`
  const query = JSON.stringify([source.toString(), caseName, target, isCommitted])
  return vscode.Uri.from({ scheme: filledScheme, path, query })
}

/** What `uri` shows; undefined if it is no such address. */
export function addressOf({ scheme, query }: vscode.Uri): FilledAddress | undefined {
  if (scheme !== filledScheme) return undefined
  const [source, caseName, asked, isCommitted]: unknown[] = JSON.parse(query)
  const target = shownTargets.find((it) => it === asked)
  if (typeof source !== 'string' || typeof caseName !== 'string' || !target) return undefined
  return { source: vscode.Uri.parse(source, true), caseName, target, isCommitted: isCommitted === true }
}

/** All targets, that of the model's next message first. */
export const shownTargets: readonly ShownTarget[] = [
  'ocm',
  'next-prompt',
  ...targetForms.filter((it) => it !== 'ocm'),
]

const pause = 200 // milliseconds without typing: a whole prompt is filled

/** Where a piece of a filled prompt comes from. */
export interface PieceOrigin extends FilledSpan {
  readonly uri: vscode.Uri
}

/** The filled prompts that are shown. */
export class FilledPrompts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #readText: ReadWorkspaceText
  readonly #committed: FileVersion
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changed.event
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** By the address of the filled prompt: the files that it was made of, and where its pieces come from. */
  readonly #shown = new Map<
    string,
    { readonly files: ReadonlySet<string>; readonly origins: readonly PieceOrigin[] }
  >()
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor(readText: ReadWorkspaceText, committed: FileVersion) {
    this.#readText = readText
    this.#committed = committed
    const watcher = vscode.workspace.createFileSystemWatcher('**/*')
    const follow = (uri: vscode.Uri) => this.#follow(uri)
    this.#subscriptions = [
      watcher,
      watcher.onDidChange(follow),
      watcher.onDidCreate(follow),
      watcher.onDidDelete(follow),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#follow(document.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(uri.toString())),
    ]
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri)
    if (!address) return ''
    const { source, caseName, target, isCommitted } = address
    const prompt = await openPrompt(source, this.#readText, isCommitted ? this.#committed : undefined)
    const found = prompt.cases.find(({ name }) => name === caseName)
    const files = new Set(prompt.files.map(String))
    if (!found) {
      this.#shown.set(uri.toString(), { files, origins: [] })
      return `${vscode.l10n.t('There is no case {0}.', caseName)}\n`
    }
    const { analysis, parts, path, uriOf } = prompt
    const filled = fillPrompt(analysis, { path, values: found.values, parts })
    const spans = target === 'ocm' && filled.problems.length === 0 ? filled.spans : []
    const origins = spans.map((it) => ({ ...it, uri: it.path === undefined ? source : uriOf(it.path) }))
    this.#shown.set(uri.toString(), { files, origins })
    return shownText(filled, target)
  }

  /** Where the pieces of the filled prompt at `uri` come from; empty for other forms than `ocm`. */
  originsOf(uri: vscode.Uri): readonly PieceOrigin[] {
    return this.#shown.get(uri.toString())?.origins ?? []
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#changed.dispose()
  }

  #follow(changed: vscode.Uri): void {
    for (const [key, { files }] of this.#shown) {
      if (!files.has(changed.toString())) continue
      clearTimeout(this.#timers.get(key))
      this.#timers.set(
        key,
        setTimeout(() => {
          this.#timers.delete(key)
          this.#changed.fire(vscode.Uri.parse(key, true))
        }, pause),
      )
    }
  }
}

function shownText({ text, problems }: FilledPrompt, target: ShownTarget): string {
  if (problems.length > 0) {
    const lines = problems.map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`))
    return `${[vscode.l10n.t('This prompt cannot be filled:'), ...lines].join('\n')}\n`
  }
  if (target === 'ocm') return text
  try {
    const options =
      target === 'next-prompt' ? { to: 'harmony' as const, purpose: 'completion' as const } : { to: target }
    return convert(text, { from: 'ocm', ...options }).text
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return `${error.message}\n`
  }
}
