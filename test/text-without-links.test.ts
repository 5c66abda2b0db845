/** Text of files is shown as it is where VS Code makes links and icons of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutIcons, withoutLinks } from '../client/src/text-without-links.ts'

/** The text of `label` in VS Code, with icons in angle brackets (`renderLabelWithIcons`). */
function drawn(label: string): string {
  return label.replaceAll(/(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g, (_, mark, name) => {
    return mark ? `$(${name})` : `<${name}>`
  })
}

test('names of icons are text', () => {
  assert.equal(drawn('$(trash) all'), '<trash> all')
  for (const text of ['$(trash) all', '$(sync~spin)$(x)', '\\$(a) $(no icon) $5 $( ) $(', 'C:\\$(x)\\'])
    assert.equal(drawn(withoutIcons(text)), text)
})

test('addresses are no links', () => {
  assert.equal(withoutLinks('[Details](command:a)'), '[Details] (command:a)')
})
