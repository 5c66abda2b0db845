/** What pages are looked at with for people who see, hear or move otherwise: the kinds of themes, and axe. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { until } from './preview-in-page.ts'

/** Themes of VS Code, and how a page knows their kind. */
export const themes = [
  ['Light Modern', 'vscode-light'],
  ['Dark Modern', 'vscode-dark'],
  ['Dark High Contrast', 'vscode-high-contrast'],
  ['Light High Contrast', 'vscode-high-contrast-light'],
] as const

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
