/** Marks in filled prompts: what a variable or a part wrote, with a link to where it comes from. */

import * as vscode from 'vscode'
import { rangeIn } from '../document-range.ts'
import { addressOf, filledScheme } from './filled-address.ts'
import type { FilledPrompts, PieceOrigin } from './filled-prompts.ts'

/** Shows the marks, and leads from them to their sources. */
export class PieceMarks implements vscode.DefinitionProvider, vscode.HoverProvider, vscode.Disposable {
  readonly #prompts: FilledPrompts
  readonly #types: Readonly<Record<PieceOrigin['kind'], vscode.TextEditorDecorationType>>
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor(prompts: FilledPrompts) {
    this.#prompts = prompts
    this.#types = {
      input: vscode.window.createTextEditorDecorationType({
        backgroundColor: new vscode.ThemeColor('editor.wordHighlightBackground'),
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      }),
      part: vscode.window.createTextEditorDecorationType({
        borderColor: new vscode.ThemeColor('editorIndentGuide.activeBackground1'),
        borderStyle: 'dotted',
        borderWidth: '0 0 1px 0',
        rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
      }),
    }
    const selector = { scheme: filledScheme }
    this.#subscriptions = [
      vscode.languages.registerDefinitionProvider(selector, this),
      vscode.languages.registerHoverProvider(selector, this),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const it of editors) this.#mark(it)
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const editor of vscode.window.visibleTextEditors)
          if (editor.document === document) this.#mark(editor)
      }),
      ...Object.values(this.#types),
    ]
  }

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const origin = this.#at(document, position)
    if (!origin) return undefined
    const source = await vscode.workspace.openTextDocument(origin.uri)
    return [
      {
        originSelectionRange: rangeIn(document, origin.range),
        targetUri: origin.uri,
        targetRange: rangeIn(source, origin.source),
      },
    ]
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const origin = this.#at(document, position)
    if (!origin) return undefined
    const names = origin.names.join(', ')
    const text =
      origin.kind === 'part'
        ? vscode.l10n.t('From the part {0}', names)
        : vscode.l10n.t('From the input {0}', names)
    const shown = origin.kind === 'input' && names === '' ? vscode.l10n.t('From an expression') : text
    return new vscode.Hover(new vscode.MarkdownString().appendText(shown), rangeIn(document, origin.range))
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  /** The innermost piece there. */
  #at(document: vscode.TextDocument, position: vscode.Position): PieceOrigin | undefined {
    const offset = document.offsetAt(position)
    return this.#prompts
      .shownAt(document.uri)
      ?.origins.findLast(({ range }) => range.start <= offset && offset <= range.end)
  }

  #mark(editor: vscode.TextEditor): void {
    const { document } = editor
    if (!addressOf(document.uri)) return
    const origins = this.#prompts.shownAt(document.uri)?.origins.slice(0, marksAtMost) ?? []
    for (const kind of ['input', 'part'] as const) {
      const ranges = origins.flatMap((it) => (it.kind === kind ? [rangeIn(document, it.range)] : []))
      editor.setDecorations(this.#types[kind], ranges)
    }
  }
}

const marksAtMost = 5000 // that an editor draws
