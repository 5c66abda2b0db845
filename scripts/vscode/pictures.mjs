/**
 * Takes the pictures of the documentation in a real VS Code.
 *
 *     node scripts/vscode/pictures.mjs              all
 *     node scripts/vscode/pictures.mjs preview-dark those whose name contains the word
 *
 * They go to `docs/images`. Build before: `node esbuild.mjs`.
 */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../repository.mjs'
import { openVSCode } from './open.mjs'

const largest = 250 * 1024 // bytes: a page with all pictures should still open quickly

const preview = 'OpenChatML: Open Preview to the Side'
const alone = ['OpenChatML: Open Preview']

/** What each picture shows; themes are VS Code's own. */
const pictures = [
  { name: 'preview', sample: '02-weather-tool.ocm', theme: 'Default Light Modern', commands: [preview] },
  { name: 'preview-light', sample: '09-agent-session.ocm', theme: 'Default Light Modern', commands: alone },
  { name: 'preview-dark', sample: '09-agent-session.ocm', theme: 'Default Dark Modern', commands: alone },
  {
    name: 'preview-high-contrast',
    sample: '09-agent-session.ocm',
    theme: 'Default High Contrast',
    commands: alone,
  },
  {
    name: 'everything',
    sample: '09-agent-session.ocm',
    theme: 'Default Light Modern',
    commands: [...alone, 'OpenChatML: Show Everything'],
  },
  {
    name: 'next-prompt',
    sample: '02-weather-tool.ocm',
    theme: 'Default Light Modern',
    commands: [...alone, 'OpenChatML: Show What the Model Gets Next'],
    awaits: '[data-state=done]',
  },
  ...[
    ['training', 'Default Light Modern'],
    ['training-dark', 'Default Dark Modern'],
    ['training-high-contrast', 'Default High Contrast'],
    ['training-high-contrast-light', 'Default High Contrast Light'],
  ].map(([name, theme]) => ({
    name,
    sample: '02-weather-tool.ocm',
    theme,
    commands: [...alone, 'OpenChatML: Show What a Model Is Trained On'],
    awaits: '.training-counts[data-state=done]',
    act: ({ frame }) => frame.locator('mark.special').nth(2).hover(),
  })),
  {
    name: 'reading-mode',
    sample: '02-weather-tool.ocm',
    theme: 'Default Dark Modern',
    line: 40,
    commands: ['OpenChatML: Toggle Reading Mode'],
  },
  {
    name: 'prompt',
    sample: '16-prompt.ocm',
    theme: 'Default Light Modern',
    commands: ['OpenChatML: Show Filled Prompt…'],
    act: async ({ page }) => {
      for (const choice of ['refund', 'ocm']) {
        await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: choice }).first().click()
      }
      await page.locator('.codelens-decoration').filter({ hasText: 'Orders: ' }).waitFor()
    },
  },
  {
    name: 'problems',
    sample: '15-mistakes.ocm',
    theme: 'Default Light Modern',
    line: 38,
    commands: ['Problems: Focus on Problems View'],
  },
  {
    name: 'dataset',
    sample: 'dataset.jsonl',
    theme: 'Default Light Modern',
    commands: ['OpenChatML: Open as Dataset'],
    awaits: '.row:last-child .tokens:not(:empty)', // which are counted in order
    act: async ({ page, frame }) => {
      await page.locator('.tab:not(.active)').first().click({ button: 'middle' }) // the text of the file
      await frame.locator('.label').nth(2).click()
      for (const key of ['Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
      await frame.locator('.label').nth(5).hover()
    },
  },
]

/** In pixels; others are 1000 × 760. */
const sizes = {
  everything: { width: 1000, height: 1000 },
  'next-prompt': { width: 1000, height: 1000 },
  preview: { width: 1400, height: 800 },
  prompt: { width: 1400, height: 800 },
  problems: { width: 1160, height: 680 },
  dataset: { width: 1100, height: 760 },
}

const filter = process.argv[2] ?? ''
const folder = join(root, 'docs', 'images')
mkdirSync(folder, { recursive: true })
for (const picture of pictures.filter(({ name }) => name.includes(filter))) await take(picture)

async function take({ name, sample, theme, line, commands, awaits, act }) {
  const vscode = await openVSCode({
    folder: join(root, 'samples'),
    size: sizes[name] ?? { width: 1000, height: 760 },
    settings: {
      'workbench.colorTheme': theme,
      'editor.minimap.enabled': false,
      'breadcrumbs.enabled': false,
      'window.commandCenter': false,
      'workbench.layoutControl.enabled': false,
      'workbench.activityBar.location': 'hidden',
    },
  })
  try {
    await vscode.openFile(sample)
    await vscode.page.keyboard.press('Control+B')
    if (line !== undefined) {
      await vscode.page.keyboard.press('Control+G')
      await vscode.page.keyboard.type(String(line))
      await vscode.page.keyboard.press('Enter')
    }
    for (const command of commands) {
      await vscode.runCommand(command)
      if (command.includes('Preview')) await vscode.frameOf('.message')
    }
    const frame = awaits && (await vscode.frameOf(awaits))
    await vscode.page.mouse.move(500, 2) // nothing is hovered there
    if (act) await act({ page: vscode.page, frame })
    await vscode.settled()
    const path = join(folder, `${name}.png`)
    await vscode.page.screenshot({ path })
    const { size } = statSync(path)
    console.log(`  ${name.padEnd(24)} ${String(Math.ceil(size / 1024)).padStart(4)} KiB`)
    if (size > largest) throw new Error(`${path} is larger than ${largest / 1024} KiB`)
  } finally {
    await vscode.close()
  }
}
