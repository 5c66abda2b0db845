/** Dims what no end user sees, in the part of the document that is on the screen. */

import * as vscode from 'vscode'
import { beginsToken, factsOf, isVisible, messageView } from '../../../core/src/internal.ts'
import { rangeIn } from '../document-range.ts'
import { type Moment, moments } from '../moments.ts'
import type { LiveAnalyses } from './live-analyses.ts'
import { toggleSetting } from './toggle-setting.ts'

const setting = 'dimHiddenText'
const linesAround = 50 // so that scrolling by a little shows nothing undimmed

/** Dims hidden text while the setting `openchatml.dimHiddenText` is on, and registers the command that toggles it. */
export function registerDimHidden(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  context.subscriptions.push(
    new DimHidden(analyses),
    vscode.commands.registerCommand('openchatml.toggleDimHiddenText', () => toggleSetting(setting)),
  )
}

class DimHidden implements vscode.Disposable {
  readonly #analyses: LiveAnalyses
  // Opacity goes with the colours of every theme.
  readonly #dimmed = vscode.window.createTextEditorDecorationType({ opacity: '0.6' })
  readonly #subscriptions: readonly vscode.Disposable[]
  readonly #timers = new Map<
    vscode.TextEditor,
    { readonly timer: ReturnType<typeof setTimeout>; readonly moment: Moment }
  >()

  constructor(analyses: LiveAnalyses) {
    this.#analyses = analyses
    this.#subscriptions = [
      this.#dimmed,
      vscode.window.onDidChangeVisibleTextEditors(() => this.#updateAll()),
      vscode.window.onDidChangeActiveColorTheme(() => this.#updateAll()),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#schedule(textEditor)),
      vscode.workspace.onDidOpenTextDocument(() => this.#updateAll()),
      vscode.workspace.onDidChangeTextDocument((event) => {
        const moment = typesToken(event) ? 'pause' : 'frame'
        for (const editor of vscode.window.visibleTextEditors) {
          if (editor.document === event.document) this.#schedule(editor, moment)
        }
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('openchatml')) this.#updateAll()
      }),
    ]
    this.#updateAll()
  }

  dispose(): void {
    for (const { timer } of this.#timers.values()) clearTimeout(timer)
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  #updateAll(): void {
    for (const editor of vscode.window.visibleTextEditors) this.#schedule(editor)
  }

  #schedule(editor: vscode.TextEditor, moment: Moment = 'frame'): void {
    if (editor.document.languageId !== 'openchatml') return
    const scheduled = this.#timers.get(editor)
    if (scheduled?.moment === 'frame' && moment === 'frame') return
    clearTimeout(scheduled?.timer)
    const update = () => {
      this.#timers.delete(editor)
      editor.setDecorations(this.#dimmed, isOn(editor.document) ? this.#hiddenIn(editor) : [])
    }
    this.#timers.set(editor, { timer: setTimeout(update, moments[moment]), moment })
  }

  #hiddenIn({ document, visibleRanges }: vscode.TextEditor): vscode.Range[] {
    const { transcript } = this.#analyses.of(document)
    const hidden: vscode.Range[] = []
    for (const range of visibleRanges) {
      const from = document.offsetAt(new vscode.Position(Math.max(0, range.start.line - linesAround), 0))
      const to = document.offsetAt(new vscode.Position(range.end.line + linesAround, 0))
      for (const { segment, start } of transcript.segments(transcript.segmentAt(from).index)) {
        if (start > to) break
        const facts = factsOf(segment)
        if (!facts || isVisible(facts)) continue
        const { body } = messageView(segment)
        if (!body || body.from === body.to) continue
        hidden.push(
          new vscode.Range(document.positionAt(start + body.from), document.positionAt(start + body.to)),
        )
      }
    }
    return hidden
  }
}

/** True if the change began a control token: until the next character, its effect on the messages around it is unknown. */
function typesToken({ document, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
  const [change] = contentChanges
  if (!change || contentChanges.length > 1) return false
  const { rangeOffset, rangeLength, text } = change
  return beginsToken({ start: rangeOffset, end: rangeOffset + rangeLength, text }, (start, end) =>
    document.getText(rangeIn(document, { start, end })),
  )
}

/** In themes of high contrast nothing is dimmed. */
function isOn(document: vscode.TextDocument): boolean {
  const { kind } = vscode.window.activeColorTheme
  if (kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight)
    return false
  return vscode.workspace.getConfiguration('openchatml', document).get(setting, true)
}
