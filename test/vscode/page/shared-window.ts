/**
 * One window of a real VS Code for all test files of a process: opening one costs more than most files need. Each file finds
 * it as new: an empty workspace, no editors, the settings it asks for.
 */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { OpenedVSCode, OpenOptions } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { writeOtherProgram } from './other-program.ts'
import { eventually } from './preview-in-page.ts'

/** The window, and the folder that is its workspace. */
export interface SharedWindow {
  readonly vscode: OpenedVSCode
  readonly folder: string
}

let opening: Promise<SharedWindow & { readonly parent: string }> | undefined
let nTaken = 0

/**
 * Takes the window with `settings` and `size`; the folder is empty. Whoever takes it calls `leaveWindow` afterwards. Beside our
 * extension there is that of `other-program.ts`.
 */
export async function takeWindow({
  settings = {},
  size = { width: 1280, height: 800 },
}: Pick<OpenOptions, 'settings' | 'size'> = {}): Promise<SharedWindow> {
  opening ??= openWindow()
  const { vscode, folder } = await opening
  await vscode.page.setViewportSize(size)
  const title = `window ${++nTaken}` // shown once all settings are followed
  vscode.server.useSettings({ ...settings, 'window.title': title })
  await eventually('the settings', async () => (await vscode.page.title()).includes(title))
  return { vscode, folder }
}

/** Leaves the window as it was: editors are closed without saving them, and the files of the workspace are deleted. */
export async function leaveWindow(): Promise<void> {
  if (opening === undefined) return
  const { vscode, folder } = await opening
  await closeEditors(vscode)
  await vscode.runCommand('Notifications: Clear All Notifications')
  for (const part of ['panel', 'auxiliarybar']) await hide(vscode, part)
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

after(async () => {
  if (opening === undefined) return
  const { vscode, parent } = await opening
  await vscode.close()
  await rm(parent, { recursive: true, force: true })
})

async function openWindow(): Promise<SharedWindow & { readonly parent: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'openchatml-window-'))
  const folder = join(parent, 'workspace')
  const other = join(parent, 'other')
  await mkdir(folder)
  await writeOtherProgram(other)
  return { vscode: await openVSCode({ folder, extension: ['.', other] }), folder, parent }
}

async function closeEditors(vscode: OpenedVSCode): Promise<void> {
  const { page } = vscode
  const count = (selector: string) => page.locator(selector).count()
  await page.keyboard.press('Escape')
  if ((await count('.tab')) > 0) await vscode.runCommand('View: Close All Editors')
  await eventually('that no editor is open', async () => {
    const dontSave = page.locator('.monaco-dialog-box .monaco-button').filter({ hasText: "Don't Save" })
    if ((await dontSave.count()) > 0) await dontSave.first().click()
    return (await count('.tab')) === 0
  })
}

/** Hides a part of the workbench that a test has shown. */
async function hide(vscode: OpenedVSCode, part: string): Promise<void> {
  const isVisible = () => vscode.page.locator(`.part.${part}`).isVisible()
  if (!(await isVisible())) return
  await vscode.runCommand(part === 'panel' ? 'View: Hide Panel' : 'View: Hide Secondary Side Bar')
  await eventually(`that there is no ${part}`, async () => !(await isVisible()))
}
