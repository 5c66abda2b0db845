/** What the manifest promises holds in every menu. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface MenuEntry {
  readonly command?: string
  readonly when?: string
}

const manifest: { readonly contributes: { readonly menus: Readonly<Record<string, readonly MenuEntry[]>> } } =
  JSON.parse(readFileSync('package.json', 'utf8'))
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
