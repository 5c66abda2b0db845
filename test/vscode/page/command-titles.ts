/** The ids of commands by the titles that a person reads in the palette: those of our manifest, and a few of VS Code's own. */
import { readFileSync } from 'node:fs'

interface Command {
  readonly command: string
  readonly title: string
  readonly category?: string
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'))
const texts: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'))
const own = new Map(
  (contributes.commands as readonly Command[]).map(({ command, title, category }) => {
    const words = title.replace(/^%(.+)%$/, (_, key) => texts[key] ?? '')
    return [category === undefined ? words : `${category}: ${words}`, command]
  }),
)

const ofVSCode: Readonly<Record<string, string>> = {
  'Comments: Add Comment on Current Selection': 'workbench.action.addComment',
  'Developer: Reload Window': 'workbench.action.reloadWindow',
  'Notifications: Clear All Notifications': 'notifications.clearAll',
  'Notifications: Hide Notifications': 'notifications.hideList',
  'Notifications: Show Notifications': 'notifications.showList',
  'Test: Run Tests in Current File': 'testing.runCurrentFile',
  'View: Close All Editors': 'workbench.action.closeAllEditors',
  'View: Close Editor': 'workbench.action.closeActiveEditor',
  'View: Hide Panel': 'workbench.action.closePanel',
  'View: Hide Secondary Side Bar': 'workbench.action.closeAuxiliaryBar',
  'View: Move Editor into Right Group': 'workbench.action.moveEditorToRightGroup',
  'View: Show Explorer': 'workbench.view.explorer',
  'View: Show Testing': 'workbench.view.testing.focus',
  'View: Reopen Editor With...': 'workbench.action.reopenWithEditor',
}

/** True for the title of a command of our manifest. */
export function isOurs(title: string): boolean {
  return own.has(title)
}

/** The id of the command with a title. @throws Error if nobody knows the title */
export function idOf(title: string): string {
  const id = own.get(title) ?? ofVSCode[title]
  if (id === undefined) throw new Error(`Name the id of ${title} in command-titles.ts`)
  return id
}
