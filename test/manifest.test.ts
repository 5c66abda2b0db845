/** What the manifest promises holds in every menu. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface MenuEntry {
  readonly command?: string
  readonly submenu?: string
  readonly when?: string
  readonly group?: string
}

interface Command {
  readonly command: string
  readonly icon?: unknown
}

const manifest: {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] }
  }
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> }
    readonly commands: readonly Command[]
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>
    readonly submenus: readonly { readonly id: string; readonly icon?: string }[]
  }
} = JSON.parse(readFileSync('package.json', 'utf8'))
const { commands, submenus } = manifest.contributes
const { commandPalette = [], ...menus } = manifest.contributes.menus

test('a command that changes a text is offered in no read-only editor, in no menu and not in the palette', () => {
  const changing = new Set(
    Object.values(menus)
      .flat()
      .flatMap(({ command, when }) =>
        command !== undefined && when?.includes('!editorReadonly') ? command : [],
      ),
  )
  assert.ok(changing.size > 10)
  const unguarded = [...changing].filter(
    (command) => !commandPalette.some((it) => it.command === command && it.when?.includes('!editorReadonly')),
  )
  assert.deepEqual(unguarded, [])
})

test('a command has an icon where VS Code shows one', () => {
  const shown = (menus['editor/title'] ?? []).filter(({ group }) => group?.startsWith('navigation'))
  assert.ok(shown.length >= 2)
  const bare = shown.filter(({ command, submenu }) =>
    submenu === undefined
      ? !commands.find((it) => it.command === command)?.icon
      : !submenus.find(({ id }) => id === submenu)?.icon,
  )
  assert.deepEqual(bare, [])
})

test('every entry of a menu names a command that there is, and says when it is offered', () => {
  const all = Object.entries(menus).flatMap(([menu, entries]) => entries.map((it) => ({ menu, ...it })))
  const known = new Set(commands.map(({ command }) => command))
  assert.deepEqual(
    all.filter(({ command }) => command !== undefined && !known.has(command)),
    [],
  )
  const always = all.filter(({ menu, command, when }) => command && !when && menu.startsWith('editor/'))
  assert.deepEqual(always, [])
})

test('a command on transcripts is not offered in the palette of every other file', () => {
  const general = new Set([
    'openchatml.newTranscript',
    'openchatml.openExample',
    'openchatml.copyExamples',
    'openchatml.restartServer',
    'openchatml.showOutput',
  ])
  const unguarded = commands
    .map(({ command }) => command)
    .filter((it) => !general.has(it) && !commandPalette.some(({ command, when }) => command === it && when))
  assert.deepEqual(unguarded, [])
})

test('a command that folds is offered where there is folding, which diff editors lack', () => {
  const folding = [...commandPalette, ...(menus['openchatml.look'] ?? [])].filter(({ command }) =>
    ['openchatml.foldHidden', 'openchatml.toggleHiddenText'].includes(command ?? ''),
  )
  assert.equal(folding.length, 4)
  for (const { when } of folding) assert.match(when ?? '', /\bfoldingEnabled\b/)
})

/** Settings that a workspace may make before it is trusted, and why. */
const harmlessSettings: Readonly<Record<string, string>> = {
  'openchatml.codeLens': 'a note above the text',
  'openchatml.format.blankLines': 'acts when the user formats, on white space only',
  'openchatml.inlayHints.calls': 'a note beside the text',
  'openchatml.inlayHints.channels': 'a note beside the text',
  'openchatml.inlayHints.tokens': 'a note beside the text',
  'openchatml.tokenCount': 'a number in the status',
}

test('every setting is restricted in a workspace that is not trusted, or harmless', () => {
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces
  assert.deepEqual(
    [...restrictedConfigurations, ...Object.keys(harmlessSettings)].sort(),
    Object.keys(manifest.contributes.configuration.properties).sort(),
  )
})

test('no menu of this extension has more than eight entries', () => {
  const own = Object.entries(menus).filter(([menu]) => menu.startsWith('openchatml.'))
  assert.ok(own.length >= 6)
  assert.deepEqual(
    own.filter(([, entries]) => entries.length > 8).map(([menu]) => menu),
    [],
  )
})
