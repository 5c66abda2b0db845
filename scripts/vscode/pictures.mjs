/**
 * Takes the pictures of the documentation in a real VS Code.
 *
 *     node scripts/vscode/pictures.mjs              all
 *     node scripts/vscode/pictures.mjs preview-dark those whose name contains the word
 *
 * They go to `docs/images`. Build before: `node esbuild.mjs`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../repository.mjs'
import { openVSCode } from './open.mjs'

const largest = 250 * 1024 // bytes: a page with all pictures should still open quickly

const preview = 'OpenChatML: Open Preview to the Side'
const alone = ['OpenChatML: Open Preview']

const lines = (values) => values.map((it) => `${JSON.stringify(it)}\n`).join('')

/** A dataset to be reviewed. Reviews write next to it, so it has a folder of its own. */
const support = lines(
  [
    [
      'My parcel says delivered, but it is not here.',
      'Parcels are sometimes scanned a few hours early. Please look with your neighbors, and reply here if it does not come tomorrow.',
    ],
    ['How do I cancel my subscription?', "You can't. Subscriptions run for a year."],
    [
      'Which plan has single sign-on?',
      'The **Team** plan and the **Enterprise** plan:\n\n| Plan | Price | Single sign-on |\n|---|--:|---|\n| Basic | 5 € | no |\n| Team | 12 € | yes |\n| Enterprise | on request | yes |\n\nYou can change the plan at any time under *Settings > Plan*.',
    ],
    [
      'The app crashes when I export a report.',
      'Which version do you use? Version 4.2 fixes a crash with long reports.',
    ],
    ['Do you ship to Norway?', ''],
    ['Can I get an invoice?', 'Yes: *Orders > Invoice* has it as a PDF.'],
  ].map(([user, assistant], index) => ({
    id: index + 1,
    messages: [
      { role: 'system', content: 'You are the support assistant of a parcel service.' },
      { role: 'user', content: user },
      { role: 'assistant', content: assistant },
    ],
  })),
)
const pairs = lines([
  {
    prompt: 'Explain recursion to a beginner.',
    chosen:
      'Recursion is when a function calls itself with a smaller problem, until the problem is so small that the answer is known.',
    rejected:
      'Recursion is when a function calls another function with a bigger problem, until the computer runs out of memory.',
  },
  { prompt: 'Name a color.', chosen: 'Teal', rejected: 'Seven' },
])
const asReview = {
  theme: 'Default Light Modern',
  settings: {
    'workbench.editorAssociations': { '*.jsonl': 'openchatml.dataset' },
    'openchatml.review.name': 'Ann',
  },
  shows: 'iframe.webview',
  commands: [],
  awaits: '.body .row',
}

/** Begins the review of the list, with its first sample. */
async function review({ page, frame }) {
  await frame.locator('.body .label').first().click()
  await frame.locator('button.review').click()
  await frame.locator('.scroll .message').first().click()
  return (key, effect) => page.keyboard.press(key).then(() => frame.locator(effect).first().waitFor())
}

const call = (id, tool, values) =>
  `<|start|>assistant to=functions.${tool} call_id=${id}<|channel|>commentary<|constrain|>json<|message|>${JSON.stringify(values)}<|call|>\n`
const reply = (id, tool, value) =>
  `<|start|>tool name=functions.${tool} call_id=${id} to=assistant<|channel|>commentary<|message|>${JSON.stringify(value)}<|end|>\n`
const modules = [
  'cart',
  'checkout',
  'invoice',
  'orders',
  'payment',
  'refund',
  'returns',
  'search',
  'shipping',
  'taxes',
]

/** An agent that makes 40 calls: it reads, edits, tests, and edits again what fails. */
const agent = [
  `version: 2.2\n\n<|start|>developer<|message|># Instructions\n\nYou are a coding agent. Run the tests after each change.\n\n# Tools\n\nnamespace functions {\n\ntype read_file = (_: { path: string }) => any;\n\ntype edit_file = (_: { path: string, old_string: string, new_string: string }) => any;\n\ntype run = (_: { command: string }) => any;\n\n} // namespace functions<|end|>\n`,
  '<|start|>user<|message|>Prices are floats everywhere. Make them whole cents.<|end|>\n',
  ...modules.flatMap((name, index) => {
    const path = `src/${name}.ts`
    const ids = ['read', 'edit', 'test', 'diff'].map((it) => `${it}_${index + 1}`)
    const [read, edit, test, diff] = ids
    const isFailed = index === 1
    return [
      `<|start|>assistant<|channel|>analysis<|message|>Next is ${name}: where does it round?\nEach price must become a whole number of cents.<|end|>\n`,
      call(read, 'read_file', { path }),
      reply(read, 'read_file', {
        ok: true,
        content: `export function total(price: number, count: number): number {\n  return Math.round(price * count * 100) / 100\n}\n`,
        duration_ms: 12 + index,
      }),
      call(edit, 'edit_file', {
        path,
        old_string: '  return Math.round(price * count * 100) / 100\n',
        new_string: '  return cents * count\n',
      }),
      reply(edit, 'edit_file', { ok: true, duration_ms: 9 }),
      call(test, 'run', { command: `npm test -- ${name}` }),
      reply(
        test,
        'run',
        isFailed
          ? { ok: false, error: "ReferenceError: Can't find variable: cents", duration_ms: 2140 }
          : { ok: true, content: `${name}: 14 passed`, duration_ms: 1900 + 13 * index },
      ),
      call(diff, 'run', { command: `git diff --stat ${path}` }),
      reply(diff, 'run', { ok: true, content: ` ${path} | 2 +-\n 1 file changed`, duration_ms: 31 }),
    ]
  }),
  '<|start|>assistant<|channel|>final<|message|>All ten modules count in cents now. The tests of `checkout` need a new fixture.<|return|>\n',
].join('')

const mistakes = readFileSync(join(root, 'samples', '15-mistakes.ocm'), 'utf8')

/** What each picture shows; themes are VS Code's own. */
const pictures = [
  { name: 'transcript', sample: '02-weather-tool.ocm', theme: 'Default Light Modern', commands: [] },
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
    commands: [...alone, 'OpenChatML: Show Training View'],
    awaits: '.training-counts[data-state=done]',
    act: ({ frame }) => frame.locator('mark.special').nth(2).hover(),
  })),
  {
    name: 'agent-source',
    files: { 'agent.ocm': agent },
    sample: 'agent.ocm',
    theme: 'Default Light Modern',
    line: 24,
    commands: [],
  },
  {
    name: 'agent-everything',
    files: { 'agent.ocm': agent },
    sample: 'agent.ocm',
    theme: 'Default Light Modern',
    commands: [...alone, 'OpenChatML: Show Everything'],
    awaits: '.tool-card',
    act: ({ frame }) =>
      frame.evaluate(
        `document.querySelector('.tool-card.failed').previousElementSibling.scrollIntoView({ block: 'start' })`,
      ),
  },
  {
    name: 'reading-mode-off',
    sample: '02-weather-tool.ocm',
    theme: 'Default Dark Modern',
    line: 40,
    commands: [],
  },
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
  ...['fixing', 'fixed'].map((name) => ({
    name,
    files: { '15-mistakes.ocm': mistakes },
    sample: '15-mistakes.ocm',
    theme: 'Default Light Modern',
    line: 38,
    commands: ['Problems: Focus on Problems View'],
    act: async ({ page, runCommand }) => {
      await page.keyboard.press('Control+1')
      await runCommand('OpenChatML: Fix All, Including Unsafe…')
      const apply = page.locator('.bulk-edit-panel .monaco-button').filter({ hasText: 'Apply' }).first()
      await apply.waitFor()
      await page.locator('.bulk-edit-panel .edit-checkbox').first().click() // of the file
      if (name === 'fixing') return
      await apply.click()
      await apply.waitFor({ state: 'hidden' })
      await runCommand('Problems: Focus on Problems View')
    },
  })),
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
  {
    ...asReview,
    name: 'reviewing',
    files: { 'support.jsonl': support },
    sample: 'support.jsonl',
    act: async ({ page, frame }) => {
      const press = await review({ page, frame })
      await press('k', '.title:has-text("Line 2")')
      await press('2', '[data-label="1"][aria-pressed="true"]')
      await press('x', '.title:has-text("Line 3")')
      await press('n', '.note textarea')
      await page.keyboard.type('The prices changed in June.')
      await press('Enter', '.note-text')
    },
  },
  {
    ...asReview,
    name: 'reviewing-pair',
    files: { 'pairs.jsonl': pairs },
    sample: 'pairs.jsonl',
    act: review,
  },
  {
    ...asReview,
    name: 'reviewing-notes',
    files: { 'support.jsonl': support },
    sample: 'support.jsonl',
    act: async ({ page, frame }) => {
      const press = await review({ page, frame })
      await press('ArrowRight', '.title:has-text("Line 2")')
      await frame.locator('.scroll .message').nth(1).click()
      await press('c', '.note textarea')
      await page.keyboard.type('Our terms allow to cancel every month.')
      await press('Enter', '.message-note')
      await page.keyboard.press('f')
      await page.locator('.review-widget .comment-body').first().waitFor()
    },
  },
]

/** In pixels; others are 1000 × 760. */
const sizes = {
  everything: { width: 1000, height: 1000 },
  'next-prompt': { width: 1000, height: 1000 },
  preview: { width: 1400, height: 800 },
  prompt: { width: 1400, height: 800 },
  'agent-source': { width: 1000, height: 1000 },
  'agent-everything': { width: 1000, height: 1000 },
  problems: { width: 1160, height: 680 },
  fixing: { width: 1160, height: 680 },
  fixed: { width: 1160, height: 680 },
  dataset: { width: 1100, height: 760 },
  reviewing: { width: 1160, height: 640 },
  'reviewing-pair': { width: 1160, height: 560 },
  'reviewing-notes': { width: 1160, height: 560 },
}

const filter = process.argv[2] ?? ''
const folder = join(root, 'docs', 'images')
mkdirSync(folder, { recursive: true })
for (const picture of pictures.filter(({ name }) => name.includes(filter))) await take(picture)

async function take({ name, sample, theme, line, commands, awaits, act, files, settings, shows }) {
  const own = files && mkdtempSync(join(tmpdir(), 'openchatml-pictures-'))
  for (const [file, text] of Object.entries(files ?? {})) writeFileSync(join(own, file), text)
  const vscode = await openVSCode({
    folder: own ?? join(root, 'samples'),
    isForTests: false,
    size: sizes[name] ?? { width: 1000, height: 760 },
    settings: {
      'workbench.colorTheme': theme,
      'editor.minimap.enabled': false,
      'breadcrumbs.enabled': false,
      'window.commandCenter': false,
      'workbench.layoutControl.enabled': false,
      'workbench.activityBar.location': 'hidden',
      ...settings,
    },
  })
  try {
    await vscode.page.locator('.explorer-folders-view').waitFor()
    await vscode.page.keyboard.press('Control+B')
    await vscode.page.locator('.explorer-folders-view').waitFor({ state: 'hidden' })
    await vscode.openFile(sample, shows && { shows })
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
    if (act) await act({ page: vscode.page, frame, runCommand: vscode.runCommand })
    await vscode.settled()
    const path = join(folder, `${name}.png`)
    await vscode.page.screenshot({ path })
    const { size } = statSync(path)
    console.log(`  ${name.padEnd(24)} ${String(Math.ceil(size / 1024)).padStart(4)} KiB`)
    if (size > largest) throw new Error(`${path} is larger than ${largest / 1024} KiB`)
  } finally {
    await vscode.close()
    if (own) rmSync(own, { recursive: true })
  }
}
