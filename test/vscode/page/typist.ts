/** Typing in a real VS Code: what the editor shows, and which list of suggestions is open. */
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { eventually, focusEditor } from './preview-in-page.ts'
import type { SharedVSCode } from './shared-window.ts'

/** Enough for typing: each key paints the window, which costs as much as all else. */
export const smallWindow = { width: 1280, height: 560 }

const editor = '.editor-group-container.active .editor-instance'

/** The proposals of the open list, from its top; empty if there is no list. */
export function proposals({ page }: OpenedVSCode): Promise<readonly string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('.suggest-widget.visible .monaco-list-row')].map((it) => it.getAttribute('aria-label') ?? '')`,
  )
}

/** True while a list is open, or the message in its place. */
export function showsSuggestions({ page }: OpenedVSCode): Promise<boolean> {
  return page.evaluate(`document.querySelector('.suggest-widget.visible') !== null`)
}

/** The lines that the active editor shows. */
export function linesOf({ page }: OpenedVSCode): Promise<readonly string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('${editor} .view-line')]
      .sort((one, other) => Number.parseInt(one.style.top) - Number.parseInt(other.style.top))
      .map((it) => it.innerText.replaceAll('\\u00a0', ' ').replaceAll('\\u200b', ''))`,
  )
}

/** Waits until `line`, counted from one, is `text`. */
export function lineIs(vscode: OpenedVSCode, line: number, text: string): Promise<void> {
  return eventually(`${text} in line ${line}`, async () => (await linesOf(vscode))[line - 1] === text)
}

/** Types `text` as quickly as people do, then waits until the first proposal begins with `first`. */
export async function typeAndExpect(vscode: OpenedVSCode, text: string, first: string): Promise<void> {
  await vscode.page.keyboard.type(text, { delay: 50 })
  await eventually(
    `${first} after ${text}`,
    async () => (await proposals(vscode))[0]?.startsWith(first) === true,
  )
}

/** True if no list is open once nothing changes on the screen any more. */
export async function nothingOpens(vscode: OpenedVSCode): Promise<boolean> {
  await standsStill(vscode)
  return !(await showsSuggestions(vscode))
}

/** Resolves when nothing in the workbench has changed for half a second: no list is on its way any more. */
export function standsStill({ page }: OpenedVSCode): Promise<void> {
  return page.evaluate(`new Promise((done) => {
    const finish = () => {
      observer.disconnect()
      done()
    }
    let timer = setTimeout(finish, 500)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(finish, 500)
    })
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  })`)
}

/** Opens a file and puts the cursor at a line and column, counted from one. */
export async function openAt(
  vscode: SharedVSCode,
  name: string,
  line: number,
  column: number,
): Promise<void> {
  await vscode.openFile(name)
  await focusEditor(vscode)
  await vscode.goTo(line, column)
}
