/**
 * One window of a real VS Code for all test files of a process: opening one costs more than most files need. Each file finds
 * it as new: an empty workspace, no editors, the settings it asks for.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { after } from 'node:test'
import type { OpenedVSCode, OpenOptions } from '../../../scripts/vscode/open.d.mts'
import { focusedEditor, openVSCode } from '../../../scripts/vscode/open.mjs'
import { patiently } from '../../../scripts/vscode/patiently.mjs'
import type { Locator } from '../../../scripts/vscode/playwright.d.mts'
import { idOf, isOurs } from './command-titles.ts'
import { type OtherProgram, otherProgram, type Request } from './other-program.ts'
import { editorsAreClosed, eventually } from './preview-in-page.ts'

/** A window beside whose extension there is that of `other-program.ts`. */
export interface SharedVSCode extends OpenedVSCode {
  /** Lets the other extension do something. */
  ask(request: Request): Promise<void>
  /** Reloads the window, and waits for its extensions. */
  reload(): Promise<void>
  /** Puts the cursor at a line and column, counted from one, of the active text editor, which has the focus. */
  goTo(line: number, column: number): Promise<void>
}

/** The window, and the folder that is its workspace. */
export interface SharedWindow {
  readonly vscode: SharedVSCode
  readonly folder: string
}

type Settings = Readonly<Record<string, unknown>>

interface Opened extends SharedWindow {
  readonly parent: string
  readonly program: OtherProgram
}

let opening: Promise<Opened> | undefined
let taken: Settings = {}
let nChanges = 0
/** Files that the window has had. */
const used = new Set<string>()
const closeAll = 'View: Close All Editors'

/**
 * Takes the window with `settings` and `size`; the folder is empty. Whoever takes it calls `leaveWindow` afterwards. Beside our
 * extension there is that of `other-program.ts`, which opens files: that costs a third of looking for them.
 */
export async function takeWindow({
  settings = {},
  size = { width: 1280, height: 800 },
}: Pick<OpenOptions, 'settings' | 'size'> = {}): Promise<SharedWindow> {
  opening ??= openWindow()
  const { vscode, folder } = await opening
  await vscode.page.setViewportSize(size)
  taken = settings
  await changeSettings({})
  return { vscode, folder }
}

/** Adds `settings` to those that the window was taken with, and waits until it follows them. */
export async function changeSettings(settings: Settings): Promise<void> {
  if (opening === undefined) throw new Error('nobody has taken the window')
  const { vscode } = await opening
  const title = `window ${++nChanges}` // shown once all settings are followed
  vscode.server.useSettings({ ...taken, ...settings, 'window.title': title })
  await eventually('the settings', async () => (await vscode.page.title()).includes(title))
}

/** The notification that says `text`, once it is there: the window lets none pop up, so their list is opened. */
export async function notification({ page, runCommand }: SharedVSCode, text: string): Promise<Locator> {
  const found = page
    .locator('.notifications-center .notification-list-item')
    .filter({ hasText: text })
    .first()
  // A list that was empty when it was opened stays so.
  const show = async () => {
    await runCommand('Notifications: Hide Notifications')
    await runCommand('Notifications: Show Notifications')
    await found.waitFor({ timeout: 1000 })
  }
  await patiently(show, { attempts: 60 })
  return found
}

/**
 * Leaves the window as it was: editors are closed without saving them, and the files of the workspace are deleted.
 *
 * @throws Error if an earlier test file had a file of the same name: for minutes, VS Code may show the text that it had then
 */
export async function leaveWindow(): Promise<void> {
  if (opening === undefined) return
  const { vscode, folder, program } = await opening
  await closeEditors(vscode, program)
  await vscode.runCommand('Notifications: Clear All Notifications')
  for (const part of ['panel', 'auxiliarybar']) await hide(vscode, part)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    await rm(join(folder, entry.name), { recursive: true, force: true })
    if (entry.isDirectory() || entry.name.startsWith('.')) continue
    if (used.has(entry.name)) throw new Error(`${entry.name} is a file of an earlier test, too`)
    used.add(entry.name)
  }
}

after(async () => {
  if (opening === undefined) return
  const { vscode, parent, program } = await opening
  await vscode.close()
  program.close()
  await rm(parent, { recursive: true, force: true })
})

async function openWindow(): Promise<Opened> {
  const parent = await mkdtemp(join(tmpdir(), 'openchatml-window-'))
  const folder = join(parent, 'workspace')
  const other = join(parent, 'other')
  await mkdir(folder)
  const program = await otherProgram(other)
  const opened = await openVSCode({ folder, extension: ['.', other], env: program.env })
  const vscode: SharedVSCode = {
    ...opened,
    ask: program.ask,
    reload: () => program.restarts(() => program.ask({ command: idOf('Developer: Reload Window') })),
    runCommand: (title, row) => runCommand(opened, program, title, row),
    openFile: (path, options) => openFile(opened, program, relative(folder, resolve(folder, path)), options),
    goTo: (line, column) => goTo(opened, program, line, column),
  }
  // Once the server has answered, all that a file needs is there.
  await writeFile(join(folder, 'ready.ocm'), '<|start|>user<|message|>Hi<|end|>\n')
  await vscode.openFile('ready.ocm')
  await vscode.page.locator('.monaco-breadcrumb-item').filter({ hasText: 'Turn 1' }).first().waitFor()
  await vscode.runCommand('View: Close All Editors')
  await rm(join(folder, 'ready.ocm'))
  return { vscode, folder, parent, program }
}

/** Titles of our commands that the palette has shown. */
const shown = new Set<string>()

/** As with F1; a command that is known to be found there, and any of VS Code's own, is run without opening the palette again. */
async function runCommand(
  vscode: OpenedVSCode,
  program: OtherProgram,
  title: string,
  row?: string,
): Promise<void> {
  if (isOurs(title) && !shown.has(title)) {
    await vscode.runCommand(title, row)
    shown.add(title)
    return
  }
  const run = () => program.ask({ command: idOf(title) })
  if (row !== undefined) return vscode.chooseFrom(run, row)
  await run()
  // What is opened next must not be closed, too.
  if (title === closeAll)
    await eventually('that no editor is open', async () => (await vscode.page.locator('.tab').count()) === 0)
}

async function openFile(
  vscode: OpenedVSCode,
  program: OtherProgram,
  name: string,
  { shows = focusedEditor }: { readonly shows?: string } = {},
): Promise<void> {
  await program.ask({ name })
  const tab = `.editor-group-container.active .tab.active[data-resource-name=${JSON.stringify(basename(name))}]`
  await vscode.page.locator(tab).first().waitFor()
  await vscode.page.locator(shows).first().waitFor()
}

async function goTo(
  vscode: OpenedVSCode,
  program: OtherProgram,
  line: number,
  column: number,
): Promise<void> {
  await program.ask({ cursor: { line, column } })
  const position = vscode.page.locator('[id="status.editor.selection"]')
  await position
    .filter({ hasText: `Ln ${line}, Col ${column}` })
    .first()
    .waitFor()
}

async function closeEditors({ page }: SharedVSCode, program: OtherProgram): Promise<void> {
  await page.keyboard.press('Escape')
  await program.ask({ command: idOf(closeAll) })
  await editorsAreClosed(page)
}

/** Hides a part of the workbench that a test has shown. */
async function hide(vscode: OpenedVSCode, part: string): Promise<void> {
  const isVisible = () => vscode.page.locator(`.part.${part}`).isVisible()
  if (!(await isVisible())) return
  await vscode.runCommand(part === 'panel' ? 'View: Hide Panel' : 'View: Hide Secondary Side Bar')
  await eventually(`that there is no ${part}`, async () => !(await isVisible()))
}
