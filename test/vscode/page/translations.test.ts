/** A VS Code in another language: the manifest, the client, the server and the preview all speak it. */

import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import { openVSCode } from '../../../scripts/vscode/open.mjs'
import { nightly } from '../../helpers/nightly.ts'
import { pseudoLocale, wide } from '../../helpers/pseudo-locale.ts'

let folder: string
let extension: string
let vscode: OpenedVSCode

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openchatml-translated-'))
  await writeFile(join(folder, 'a.ocm'), 'version: 2.2\n<|start|>user<|message|>a <|channel|> b<|end|>\n')
  extension = await translatedExtension()
  vscode = await openVSCode({ folder, extension, language: 'de' })
  await vscode.openFile('a.ocm')
})

after(async () => {
  await vscode?.close()
  await rm(folder, { recursive: true, force: true })
  await rm(extension, { recursive: true, force: true })
})

nightly('problems are translated', async () => {
  await vscode.runCommand('View: Toggle Problems')
  await problem(wide('`<|channel|>` is plain text in a body')).waitFor()
})

nightly('commands and what they ask are translated', async () => {
  await vscode.runCommand(wide('Convert Header…'))
  const form = vscode.page
    .locator('.quick-input-list')
    .filter({ hasText: wide('Version 2.2 and Capabilities') })
  await form.first().waitFor()
  await vscode.page.keyboard.press('Escape')
})

nightly('the preview is translated', async () => {
  await vscode.runCommand(wide('Open Preview to the Side'))
  const frame = await vscode.frameOf('.message')
  assert.equal(await frame.evaluate<string>('document.documentElement.lang'), 'de')
  const words = await frame.evaluate<string>(
    `document.querySelector('.message [data-action="copy-message"]').title`,
  )
  assert.equal(words, wide('Copy message'))
})

function problem(message: string) {
  return vscode.page.locator('.markers-panel').filter({ hasText: message }).first()
}

/** The extension with translations beside its texts, as a translator would put them. */
async function translatedExtension(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'openchatml-extension-'))
  for (const name of await readdir('.')) {
    if (['package.json', 'icons', 'syntaxes', 'snippets', 'language-configuration.json'].includes(name))
      await cp(name, join(copy, name), { recursive: true })
  }
  // Copies, not links: VS Code knows the extension that asks for its API by the path of the script.
  for (const name of ['client', 'server', 'webview', 'tokenizer', 'parsers']) {
    await cp(join('dist', name), join(copy, 'dist', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    })
  }
  await mkdir(join(copy, 'l10n'))
  await writeFile(join(copy, 'l10n', 'bundle.l10n.de.json'), JSON.stringify(pseudoLocale()))
  const texts: Record<string, string> = JSON.parse(await readFile('package.nls.json', 'utf8'))
  const translated = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, wide(text)]))
  await writeFile(join(copy, 'package.nls.json'), JSON.stringify(texts))
  await writeFile(join(copy, 'package.nls.de.json'), JSON.stringify(translated))
  return copy
}
