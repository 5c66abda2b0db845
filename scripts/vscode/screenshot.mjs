/**
 * Takes pictures of the extension in a real VS Code.
 *
 *     node scripts/vscode/screenshot.mjs OUT.png [options] [PATH]
 *
 *     PATH               a folder, or a file to open (default: samples)
 *     --command TITLE    runs a command first; may be repeated, in order
 *     --keys KEYS        presses keys (`Control+Home`, `F8`); may be repeated, after the commands
 *     --theme NAME       a colour theme, for example `Default Dark Modern`
 *     --size WxH         default 1280x800
 *     --scale N          device pixels for each pixel; 2 for sharp pictures
 *     --wait SELECTOR    waits for an element, in the workbench or in a webview
 *     --no-sidebar       hides the side bar
 */
import { statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../repository.mjs'
import { openVSCode } from './open.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    command: { type: 'string', multiple: true, default: [] },
    keys: { type: 'string', multiple: true, default: [] },
    theme: { type: 'string' },
    size: { type: 'string', default: '1280x800' },
    scale: { type: 'string', default: '1' },
    wait: { type: 'string' },
    'no-sidebar': { type: 'boolean', default: false },
  },
})
const [out, path = join(root, 'samples')] = positionals.map((it) => resolve(it))
if (out === undefined) {
  console.error('Usage: screenshot.mjs OUT.png [options] [PATH]; the options are at the top of the script')
  process.exit(2)
}
const [width, height] = values.size.split('x').map(Number)
const isFolder = statSync(path).isDirectory()
const vscode = await openVSCode({
  folder: isFolder ? path : dirname(path),
  isForTests: false,
  size: { width, height },
  scale: Number(values.scale),
  settings: values.theme ? { 'workbench.colorTheme': values.theme } : {},
})
try {
  if (!isFolder) await vscode.openFile(basename(path))
  if (values['no-sidebar']) await vscode.page.keyboard.press('Control+B')
  for (const title of values.command) await vscode.runCommand(title)
  for (const keys of values.keys) await vscode.page.keyboard.press(keys)
  if (values.wait) await anywhere(values.wait)
  await vscode.settled()
  await vscode.page.screenshot({ path: out })
} finally {
  await vscode.close()
}

/** Waits for the element in the workbench or in a webview, wherever it comes first. */
function anywhere(selector) {
  return Promise.any([
    vscode.page.locator(selector).first().waitFor({ timeout: 20_000 }),
    vscode.frameOf(selector, { timeout: 20_000 }),
  ])
}
