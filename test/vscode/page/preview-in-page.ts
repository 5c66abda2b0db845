/** Previews in a real VS Code, looked at from outside: opening one, reading its page, waiting for it. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { patiently } from '../../../scripts/vscode/patiently.mjs'
import type { Frame, Locator } from '../../../scripts/vscode/playwright.d.mts'

/** The page of a preview of this file alone, beside its editor; the preview has the focus. */
export async function previewOf(vscode: OpenedVSCode, name: string): Promise<Frame> {
  await vscode.runCommand('View: Close All Editors')
  await eventually('that the page of another test is gone', () => vscode.webviewFrames().length === 0)
  await vscode.openFile(name)
  await vscode.runCommand('OpenChatML: Open Preview to the Side')
  return focused(vscode)
}

/** The page of the only preview that has `selector`, once it has messages and the focus. */
export async function focused(vscode: OpenedVSCode, selector = '.message'): Promise<Frame> {
  const frame = await vscode.frameOf(selector)
  await activatePreview(vscode, frame.locator('.message').first())
  return frame
}

/** Clicks on `place`, a part or the tab of a preview, until commands go to the preview: an editor that opens late takes the focus. */
export function activatePreview(vscode: OpenedVSCode, place: Locator): Promise<void> {
  const click = async () => {
    await place.click()
    await previewIsActive(vscode, { timeout: 5000 })
  }
  return patiently(click, { attempts: 6 })
}

/** Resolves when commands go to a preview: VS Code hears a little later that it has the focus. */
export async function previewIsActive(
  { page }: OpenedVSCode,
  options?: { readonly timeout: number },
): Promise<void> {
  await page.locator('.editor-group-container.active [aria-label*="Show Source"]').first().waitFor(options)
}

/** Gives the focus to the text editor in the first column: a page that is about to be shown swallows keys. */
export function focusEditor({ page }: OpenedVSCode): Promise<void> {
  const press = async () => {
    await page.keyboard.press('Control+1')
    await editorHasFocus(page, { timeout: 5000 })
  }
  return patiently(press, { attempts: 6 })
}

/** Resolves when keys arrive in a text editor: a group is active before its editor has the focus. */
export async function editorHasFocus(
  page: OpenedVSCode['page'],
  options?: { readonly timeout: number },
): Promise<void> {
  await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor(options)
}

/**
 * The first quick fix at the cursor that has `title`, in the list of them, which is open then. A busy window closes the list again when it moves
 * the focus late; people press the keys once more.
 */
export async function offeredFix(page: OpenedVSCode['page'], title = ''): Promise<Locator> {
  const fix = page.locator('.action-widget .monaco-list-row.action').filter({ hasText: title }).first()
  const ask = async () => {
    await editorHasFocus(page)
    await page.keyboard.press('Control+.')
    await fix.waitFor({ timeout: 5000 })
  }
  await patiently(ask, { attempts: 6 })
  return fix
}

/** Chooses the entry with `name` of the menu that is open. */
export async function chooseEntry(page: OpenedVSCode['page'], name: string): Promise<void> {
  const entry = page.locator('.monaco-menu .action-label', { hasText: name }).first()
  await entry.waitFor()
  await entry.hover()
  // A menu ignores clicks for a tenth of a second after it opened, in case the button that opened it is still down.
  const click = async () => {
    await entry.click({ timeout: 5000 })
    await entry.waitFor({ state: 'detached', timeout: 1000 })
  }
  await patiently(click, { attempts: 5 })
}

/** Resolves when all editors that are about to close are closed, without saving what they hold. */
export function editorsAreClosed(page: OpenedVSCode['page']): Promise<void> {
  return eventually('that no editor is open', async () => {
    const dontSave = page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: "Don't Save" })
    if ((await dontSave.count()) > 0) await dontSave.first().click()
    return (await page.locator('.tab').count()) === 0
  })
}

/** All text of the page, and all that its attributes say. */
export function pageText(frame: Frame): Promise<string> {
  return frame.evaluate(`[...document.querySelectorAll('body > :not(script):not(style), body > :not(script):not(style) *')].flatMap((element) => [
    ...[...element.childNodes].filter((it) => it.nodeType === 3).map((it) => it.nodeValue),
    ...[...element.attributes].filter((it) => !['class', 'style', 'd', 'id', 'data-id', 'aria-labelledby', 'aria-describedby'].includes(it.name)).map((it) => it.value),
  ]).join('\\n')`)
}

/** Waits until `condition`, a JavaScript expression, holds in the page: its policy forbids waiting inside. */
export function until(frame: Frame, condition: string): Promise<void> {
  return eventually(condition, () => frame.evaluate<boolean>(`Boolean(${condition})`))
}

/** Waits until `condition` holds. @throws Error after a minute: two of these may share two slow cores */
export async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  // Each question costs several processes something: where the answer takes longer, it is asked less often.
  for (let pause = 25; !(await condition()); pause = Math.min(1.5 * pause, 150)) {
    if (performance.now() > end) throw new Error(`${what}: not within a minute`)
    await new Promise((done) => setTimeout(done, pause))
  }
}

/** Waits until a file has a text. VS Code empties a file before it writes, so one that is there, or has changed, may be empty still. */
export function isWritten(path: string, expected: string | RegExp): Promise<void> {
  return eventually(`the text of ${basename(path)}`, async () => {
    const text = await readFile(path, 'utf8').catch(() => '')
    return typeof expected === 'string' ? text === expected : expected.test(text)
  })
}
