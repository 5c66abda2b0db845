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

/** All that VS Code tells a page of a theme: its kind and its colours. */
interface Look {
  readonly style: string
  readonly classes: readonly string[]
  readonly kind: string
}

/** The themes as the first page had them from VS Code. */
const looks: Look[] = []

/**
 * Fails with what axe complains about in a page that is open, in any theme. The first page is looked at while VS Code has each
 * theme in turn; the others are given what VS Code told that page, because the whole window would be painted anew each time.
 */
export async function accessibleInAllThemes(frame: Frame): Promise<void> {
  const known = looks.length === themes.length ? [...looks] : []
  looks.length = 0
  for (const [index, [theme, kind]] of themes.entries()) {
    let look = known[index]
    if (look === undefined) {
      await changeSettings({ 'workbench.colorTheme': theme })
      await until(frame, `document.body.dataset.vscodeThemeKind === '${kind}'`)
      look = await frame.evaluate<Look>(lookNow)
    } else await frame.evaluate(`(${takeOn})(${JSON.stringify(look)})`)
    looks.push(look)
    await assertAccessible(frame, theme, { onlyColours: index > 0 })
  }
}

const lookNow = `({
  style: document.documentElement.getAttribute('style'),
  classes: [...document.body.classList].filter((it) => it.startsWith('vscode-')),
  kind: document.body.dataset.vscodeThemeKind,
})`
const takeOn = `({ style, classes, kind }) => {
  document.documentElement.setAttribute('style', style)
  const own = [...document.body.classList].filter((it) => !it.startsWith('vscode-'))
  document.body.className = [...own, ...classes].join(' ')
  document.body.dataset.vscodeThemeKind = kind
}`

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
