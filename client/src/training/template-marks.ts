/** Marks the lines of a chat template, in editors that show it, that wrote what a reader of the training view points at. */
import * as vscode from 'vscode'
import { type Range, withLineFeeds } from '../../../core/src/internal.ts'

/** Parts of a template, the outermost first. */
export interface MarkedParts {
  /** The file, which is a template of its own. */
  readonly uri: vscode.Uri
  /** The template as it was rendered. */
  readonly source: string
  readonly parts: readonly Range[]
}

/** The marks. They stay while the reader looks at the template, until something else is pointed at. */
export class TemplateMarks implements vscode.Disposable {
  /** The part that wrote it. */
  readonly #inner = marked('Strong')
  /** Calls of the macros that the part is in. */
  readonly #outer = marked('')
  readonly #subscription = vscode.window.onDidChangeVisibleTextEditors((editors) => {
    for (const it of editors) this.#mark(it)
  })
  #shown: MarkedParts | undefined

  /** Marks the parts, and nothing else; undefined to mark nothing. */
  show(shown: MarkedParts | undefined): void {
    this.#shown = shown
    for (const it of vscode.window.visibleTextEditors) {
      const lines = this.#mark(it)
      if (lines) it.revealRange(lines, vscode.TextEditorRevealType.InCenterIfOutsideViewport)
    }
  }

  dispose(): void {
    for (const it of [this.#inner, this.#outer, this.#subscription]) it.dispose()
  }

  /** @returns the lines of the innermost part, if the editor shows the template */
  #mark(editor: vscode.TextEditor): vscode.Range | undefined {
    const shown = this.#shown
    const isMeant = shown && editor.document.uri.toString() === shown.uri.toString()
    // What was typed since has other lines.
    const isSame = isMeant && withLineFeeds(editor.document.getText()) === shown.source
    const lines = isSame ? shown.parts.map((it) => linesOf(shown.source, it)) : []
    const inner = lines.at(-1)
    editor.setDecorations(this.#inner, inner ? [inner] : [])
    editor.setDecorations(this.#outer, lines.slice(0, -1))
    return inner
  }
}

function linesOf(source: string, { start, end }: Range): vscode.Range {
  const first = source.slice(0, start).split('\n').length - 1
  // Of a text, the line of its first character.
  const inside = source.slice(start, end)
  const isTag = inside.startsWith('{')
  const last = first + (isTag ? inside.split('\n').length - 1 : 0)
  return new vscode.Range(first, 0, last, Number.MAX_SAFE_INTEGER)
}

function marked(strength: 'Strong' | ''): vscode.TextEditorDecorationType {
  const color = (name: string) => new vscode.ThemeColor(name)
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: color(`editor.wordHighlight${strength}Background`),
    overviewRulerColor: color(`editorOverviewRuler.wordHighlight${strength}Foreground`),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
    // High-contrast themes have no backgrounds; others have no such border.
    outlineColor: color(`editor.wordHighlight${strength}Border`),
    outlineStyle: strength === '' ? 'dotted' : 'solid',
    outlineWidth: '1px',
  })
}
