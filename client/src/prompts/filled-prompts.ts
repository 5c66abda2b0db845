/** Filled prompts as documents that cannot be edited and follow the prompt, its cases, its parts, and its chat template. */
import * as vscode from 'vscode'
import {
  type FilledSpan,
  fillPrompt,
  isTemplateProblem,
  type MeasuredItem,
  measuredItems,
  type PromptCase,
  type PromptTemplate,
  type PromptView,
  parsedTemplate,
  promptView,
  targetLanguage,
  textsToCount,
  totalTokens,
  unfilledText,
  unreadHeader,
} from '../../../core/src/internal.ts'
import { Pauses } from '../pauses.ts'
import type { CountTexts } from '../preview/context-source.ts'
import { readTemplate } from '../training/model-files.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { addressOf, type FilledAddress } from './filled-address.ts'
import { type FileVersion, type OpenPrompt, openPrompt } from './prompt-files.ts'

const pause = 200 // milliseconds without typing: a whole prompt is filled

/** Where a piece of a filled prompt comes from. */
export interface PieceOrigin extends FilledSpan {
  readonly uri: vscode.Uri
}

/** How large a filled prompt is. */
export interface PromptSizes {
  readonly total: number
  readonly items: readonly MeasuredItem[]
}

/** A filled prompt that is shown. */
export interface ShownPrompt {
  readonly view: PromptView
  readonly origins: readonly PieceOrigin[]
  /** Undefined until it is counted, and where it can't be. */
  readonly sizes: PromptSizes | undefined
}

/** What the filled prompts are made with. */
export interface PromptAccess {
  readonly readFile: ReadWorkspaceFile
  /** The versions in a commit of a prompt and its files. */
  readonly versionsAt: (prompt: vscode.Uri, commit: string) => Promise<FileVersion>
  readonly count: CountTexts
}

/** The filled prompts that are shown. */
export class FilledPrompts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #access: PromptAccess
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changed.event
  readonly #measured = new vscode.EventEmitter<void>()
  /** Fires when sizes of prompts that are shown become known. */
  readonly onDidMeasure = this.#measured.event
  readonly #pauses = new Pauses<string>(pause)
  /** By the address of the filled prompt. */
  readonly #shown = new Map<string, ShownPrompt>()
  /** By the same address, the files that it is made of. */
  readonly #files = new Map<string, ReadonlySet<string>>()
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor(access: PromptAccess) {
    this.#access = access
    const watcher = vscode.workspace.createFileSystemWatcher('**/*')
    const follow = (uri: vscode.Uri) => this.#follow(uri)
    this.#subscriptions = [
      watcher,
      watcher.onDidChange(follow),
      watcher.onDidCreate(follow),
      watcher.onDidDelete(follow),
      vscode.workspace.onDidOpenTextDocument((it) => this.#setLanguage(it)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        this.#follow(document.uri)
        this.#setLanguage(document)
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (vscode.workspace.textDocuments.includes(document)) return // it only gets another language
        const key = document.uri.toString()
        this.#shown.delete(key)
        this.#files.delete(key)
      }),
    ]
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = addressOf(uri)
    if (!address) return ''
    const { readFile, versionsAt } = this.#access
    const { source, caseName, commit, template } = address
    const version = commit === undefined ? undefined : await versionsAt(source, commit)
    const prompt = await openPrompt(source, readFile, version)
    this.#files.set(
      uri.toString(),
      new Set([...prompt.files, ...(template ? [template.with({ fragment: '' })] : [])].map(String)),
    )
    this.#shown.delete(uri.toString())
    if (!prompt.isThere)
      return commit === undefined
        ? `${vscode.l10n.t('There is no file {0}.', prompt.path)}\n`
        : `${vscode.l10n.t('The commit has no file {0}.', prompt.path)}\n`
    const unread = unreadHeader(prompt.analysis)
    if (unread) return unfilledText([unread.message])
    if (caseName === undefined) return this.#sizesText(prompt)
    const found = prompt.cases.find(({ name }) => name === caseName)
    if (!found) return `${vscode.l10n.t('There is no case {0}.', caseName)}\n`
    const view = await this.#viewOf(prompt, found, address)
    const origins = view.spans.map((it) => ({
      ...it,
      uri: it.path === undefined ? source : prompt.uriOf(it.path),
    }))
    const shown = { view, origins, sizes: undefined }
    this.#shown.set(uri.toString(), shown)
    void this.#measure(uri, shown)
    return view.text
  }

  /** The filled prompt at `uri`; undefined for other addresses, and for what is not shown. */
  shownAt(uri: vscode.Uri): ShownPrompt | undefined {
    return this.#shown.get(uri.toString())
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
    this.#pauses.dispose()
    this.#changed.dispose()
    this.#measured.dispose()
  }

  async #viewOf(
    { analysis, parts, path }: OpenPrompt,
    { values }: PromptCase,
    { target, template }: Pick<FilledAddress, 'target' | 'template'>,
  ): Promise<PromptView> {
    const filled = fillPrompt(analysis, { path, values, parts })
    return promptView(filled, target, { template: template && (await this.#read(template)) })
  }

  /** A chat template; undefined if it cannot be read, and in Restricted Mode. */
  async #read(uri: vscode.Uri): Promise<PromptTemplate | undefined> {
    const file = vscode.workspace.isTrusted ? await readTemplate(uri, this.#access.readFile) : undefined
    const template = file && parsedTemplate(file.source)
    return template && !isTemplateProblem(template) ? { template, names: file.names } : undefined
  }

  async #measure(uri: vscode.Uri, shown: ShownPrompt): Promise<void> {
    const sizes = await this.#sizesOf(shown.view)
    if (!sizes || this.#shown.get(uri.toString()) !== shown) return
    this.#shown.set(uri.toString(), { ...shown, sizes })
    this.#measured.fire()
  }

  async #sizesOf({ items, counted }: PromptView): Promise<PromptSizes | undefined> {
    const texts = textsToCount(items)
    const counts = await this.#access.count([...texts, ...counted.texts])
    if (!counts) return undefined
    const rest = counts.slice(texts.length)
    return {
      items: measuredItems(items, counts),
      total: rest.reduce((sum, it) => sum + it, counted.specials),
    }
  }

  /** The sizes of all cases, as text to compare with that of another version. */
  async #sizesText(prompt: OpenPrompt): Promise<string> {
    const lines: string[] = []
    for (const it of prompt.cases) {
      const view = await this.#viewOf(prompt, it, { target: 'ocm', template: undefined })
      const sizes = await this.#sizesOf(view)
      if (!sizes || sizes.items.length === 0) {
        lines.push(`${it.name}: ${vscode.l10n.t('not counted')}`)
        continue
      }
      lines.push(`${it.name}: ${vscode.l10n.t('{0} tokens', totalTokens(sizes.items))}`)
      for (const { kind, name, tokens } of sizes.items)
        lines.push(`  ${kind === 'message' ? '' : kind === 'section' ? '  # ' : '  '}${name}: ${tokens}`)
    }
    return `${lines.join('\n')}\n`
  }

  /** A reason that is shown instead of a filled prompt is plain text, so that no language reports errors in it. */
  #setLanguage(document: vscode.TextDocument): void {
    const address = addressOf(document.uri)
    if (address?.caseName === undefined) return
    const view = this.#shown.get(document.uri.toString())?.view
    const natural = targetLanguage(address.target)
    const hasPrompt = view !== undefined && !view.isRefused
    if (hasPrompt && document.languageId !== 'plaintext') return // a language that the reader chose stays
    const language = hasPrompt ? natural : 'plaintext'
    if (language !== document.languageId) void vscode.languages.setTextDocumentLanguage(document, language)
  }

  #follow(changed: vscode.Uri): void {
    for (const [key, files] of this.#files) {
      if (!files.has(changed.toString())) continue
      this.#pauses.after(key, () => this.#changed.fire(vscode.Uri.parse(key, true)))
    }
  }
}
