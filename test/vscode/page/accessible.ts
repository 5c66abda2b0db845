/** What pages are looked at with for people who see, hear or move otherwise: the kinds of themes, and axe. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { until } from './preview-in-page.ts'
import { changeSettings } from './shared-window.ts'

/** Themes of VS Code by their ids, and how a page knows their kind. */
const themes = [
  ['Light Modern', 'vscode-light'],
  ['Dark Modern', 'vscode-dark'],
  ['Default High Contrast', 'vscode-high-contrast'],
  ['Default High Contrast Light', 'vscode-high-contrast-light'],
] as const

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules of axe that the colours of a theme can break. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** Fails with what axe complains about in a page that is open, in any theme; the shared window keeps the last one until it is left. */
export async function accessibleInAllThemes(frame: Frame): Promise<void> {
  for (const [index, [theme, kind]] of themes.entries()) {
    await changeSettings({ 'workbench.colorTheme': theme })
    await until(frame, `document.body.dataset.vscodeThemeKind === '${kind}'`)
    await assertAccessible(frame, theme, { onlyColours: index > 0 })
  }
}

/** Fails with what axe complains about in a page: by all of its rules, or by those on colours alone. */
export async function assertAccessible(
  frame: Frame,
  where: string,
  { onlyColours = false }: { readonly onlyColours?: boolean } = {},
): Promise<void> {
  // Colours that are on their way to others are no colours yet.
  await until(frame, `document.getAnimations().every((it) => it instanceof CSSAnimation)`)
  await frame.evaluate(`if (!globalThis.axe) { ${axe} }; undefined`)
  const options = {
    resultTypes: ['violations'],
    ...(onlyColours ? { runOnly: { type: 'rule', values: rulesOfColours } } : {}),
  }
  const violations = await frame.evaluate<readonly object[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary) })))`,
  )
  assert.equal(JSON.stringify(violations, undefined, 1), '[]', where)
}
