/**
 * Reading mode: control tokens and what else message headers say are small until the cursor is on their line, a bar in the
 * color of the role is at the left, and hidden messages are folded, or small if they have one line. The text stays what it is.
 */
import * as vscode from 'vscode'
import {
  factsOf,
  isVisible,
  kindOf,
  type MessageKind,
  messageView,
  type Segment,
} from '../../../core/src/internal.ts'
import { moments } from '../moments.ts'
import { Pauses } from '../pauses.ts'
import type { LiveAnalyses } from './live-analyses.ts'

const linesAround = 50 // so that scrolling by a little shows nothing undecorated

/** Colors of the bars; VS Code's own, so that they go with every theme. */
const colors = {
  user: 'charts.green',
  answer: 'charts.blue',
  tool: 'charts.orange',
  reasoning: 'charts.purple',
  instructions: 'charts.yellow',
} as const

type Bar = keyof typeof colors

/** Registers `openchatml.toggleReadingMode`. The mode is that of the window, and off at its start. */
export function registerReadingMode(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  const mode = new ReadingMode(analyses)
  context.subscriptions.push(
    mode,
    vscode.commands.registerCommand('openchatml.toggleReadingMode', () => mode.toggle()),
  )
}

class ReadingMode implements vscode.Disposable {
  readonly #analyses: LiveAnalyses
  // An editor has no font size for decorations; this property ends the one before it and begins another.
  readonly #small = vscode.window.createTextEditorDecorationType({
    opacity: '0.55',
    textDecoration: 'none; font-size: 0.7em',
  })
  readonly #bars = new Map(
    (Object.keys(colors) as Bar[]).map((bar) => [
      bar,
      vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        borderStyle: 'solid',
        borderWidth: '0 0 0 2px',
        borderColor: new vscode.ThemeColor(colors[bar]),
        overviewRulerColor: new vscode.ThemeColor(colors[bar]),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
      }),
    ]),
  )
  readonly #subscriptions: readonly vscode.Disposable[]
  readonly #pauses = new Pauses<vscode.TextEditor>(moments.frame)
  #isOn = false

  constructor(analyses: LiveAnalyses) {
    this.#analyses = analyses
    this.#subscriptions = [
      vscode.window.onDidChangeVisibleTextEditors(() => this.#updateAll()),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#schedule(textEditor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#schedule(textEditor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        for (const editor of vscode.window.visibleTextEditors) {
          if (editor.document === document) this.#schedule(editor)
        }
      }),
    ]
  }

  /** Switches the mode, and folds or unfolds what is hidden in the active editor. */
  async toggle(): Promise<void> {
    this.#isOn = !this.#isOn
    this.#updateAll()
    await vscode.commands.executeCommand(this.#isOn ? 'openchatml.foldHidden' : 'editor.unfoldAll')
  }

  dispose(): void {
    this.#pauses.dispose()
    for (const disposable of [...this.#subscriptions, this.#small, ...this.#bars.values()]) {
      disposable.dispose()
    }
  }

  #updateAll(): void {
    for (const editor of vscode.window.visibleTextEditors) this.#schedule(editor)
  }

  #schedule(editor: vscode.TextEditor): void {
    if (editor.document.languageId !== 'openchatml') return
    this.#pauses.after(editor, () => this.#decorate(editor))
  }

  #decorate(editor: vscode.TextEditor): void {
    const small: vscode.Range[] = []
    const bars = new Map<Bar, vscode.Range[]>([...this.#bars.keys()].map((bar) => [bar, []]))
    if (this.#isOn) {
      const { document } = editor
      const cursorLines = new Set(editor.selections.map(({ active }) => active.line))
      for (const { segment, start } of this.#visibleSegments(editor)) {
        const view = segment.kind === 'message' ? messageView(segment) : undefined
        if (!view) continue
        const range = (from: number, to: number) =>
          new vscode.Range(document.positionAt(start + from), document.positionAt(start + to))
        const { from = view.end, to = view.end } = view.body ?? {}
        const whole = range(0, segment.length)
        // VS Code folds two lines or more.
        const isUnfoldable = isHidden(segment) && range(0, view.end).isSingleLine
        for (const it of isUnfoldable ? [whole] : [range(0, from), range(to, segment.length)]) {
          if (!it.isEmpty && !cursorLines.has(it.start.line)) small.push(it)
        }
        const bar = barOf(segment)
        if (bar) bars.get(bar)?.push(range(0, to))
      }
    }
    editor.setDecorations(this.#small, small)
    for (const [bar, type] of this.#bars) editor.setDecorations(type, bars.get(bar) ?? [])
  }

  /** The segments on the screen and around it. */
  *#visibleSegments({ document, visibleRanges }: vscode.TextEditor) {
    const { transcript } = this.#analyses.of(document)
    let done = -1
    for (const range of visibleRanges) {
      const from = document.offsetAt(new vscode.Position(Math.max(0, range.start.line - linesAround), 0))
      const to = document.offsetAt(new vscode.Position(range.end.line + linesAround, 0))
      for (const located of transcript.segments(transcript.segmentAt(from).index)) {
        if (located.start > to) break
        if (located.index <= done) continue
        done = located.index
        yield located
      }
    }
  }
}

function isHidden(segment: Segment): boolean {
  const facts = factsOf(segment)
  return facts !== undefined && !isVisible(facts)
}

function barOf(segment: Segment): Bar | undefined {
  const facts = factsOf(segment)
  if (!facts) return undefined
  return isVisible(facts) && facts.role === 'assistant' ? 'answer' : barOfKind[kindOf(facts)]
}

const barOfKind: Readonly<Partial<Record<MessageKind, Bar>>> = {
  user: 'user',
  answer: 'answer',
  call: 'tool',
  reply: 'tool',
  reasoning: 'reasoning',
  'hidden-commentary': 'reasoning',
  instructions: 'instructions',
}
