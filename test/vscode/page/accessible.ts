/** What pages are looked at with for people who see, hear or move otherwise: the kinds of themes, and axe. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { until } from './preview-in-page.ts'

/** Themes of VS Code, and how a page knows their kind. */
export const themes = [
  ['Light Modern', 'vscode-light'],
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light High Contrast', 'vscode-high-contrast-light'],
] as const

/** Gives VS Code another theme, by its command; once more if something else takes the focus from the list, which then closes. */
export async function chooseTheme(vscode: OpenedVSCode, theme: string, attempts = 3): Promise<void> {
  const { page } = vscode
  await vscode.runCommand('Preferences: Color Theme')
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: theme }).first()
  try {
    // Not the list of commands, which may still be closing.
    const input = page.locator('.quick-input-widget:visible input[placeholder*="Color Theme"]').first()
    await input.fill(theme, { timeout: 10_000 })
    await row.click({ timeout: 10_000 })
  } catch (error) {
    if (attempts === 1) throw error
    await page.keyboard.press('Escape')
    await chooseTheme(vscode, theme, attempts - 1)
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails with what axe complains about in a page. */
export async function assertAccessible(frame: Frame, where: string): Promise<void> {
  // Colours that are on their way to others are no colours yet.
  await until(frame, `document.getAnimations().every((it) => it instanceof CSSAnimation)`)
  await frame.evaluate(`${axe}; undefined`)
  const violations = await frame.evaluate<readonly object[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary) })))`,
  )
  assert.equal(JSON.stringify(violations, undefined, 1), '[]', where)
}
