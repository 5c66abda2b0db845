/** A notice that is not in the way: in the status bar, for a moment. */
import * as vscode from 'vscode'

const noticeMilliseconds = 3000 // long enough to read five words
let shown: vscode.Disposable | undefined

/** Shows `text` in the place of the last notice, and has it read out: VS Code's own messages in the status bar are silent. */
export function showNotice(text: string): void {
  shown?.dispose()
  const { Left } = vscode.StatusBarAlignment
  const item = vscode.window.createStatusBarItem('openchatml.notice', Left, Number.NEGATIVE_INFINITY)
  item.name = 'OpenChatML'
  item.text = text
  item.accessibilityInformation = { label: text, role: 'alert' }
  item.show()
  const timer = setTimeout(() => item.dispose(), noticeMilliseconds)
  shown = {
    dispose: () => {
      clearTimeout(timer)
      item.dispose()
    },
  }
}
