/** Parts of prompts: which are read, and which are refused. Nothing outside of the folder of the workspace ever is. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { partReader } from '../../cli/src/prompts/prompt-file.ts'
import {
  analyze,
  deepestPart,
  inclusionEdits,
  inclusionsIn,
  type PartReading,
  partPath,
  readParts,
  Transcript,
} from '../../core/src/internal.ts'
import { applyEdits } from '../../core/src/rules/apply-fix.ts'
import { oddFiles, secret } from '../helpers/odd-files.ts'

const pathRows: readonly (readonly [from: string, written: string, path: string | undefined])[] = [
  ['p.ocm', 'style.md', 'style.md'],
  ['a/b/p.ocm', 'style.md', 'a/b/style.md'],
  ['a/b/p.ocm', '../style.md', 'a/style.md'],
  ['a/b/p.ocm', './c/.././d.md', 'a/b/d.md'],
  ['a/p.ocm', 'c//d.md', 'a/c/d.md'],
  ['p.ocm', '../style.md', undefined],
  ['a/p.ocm', '../../style.md', undefined],
  ['a/p.ocm', 'b/../../../x', undefined],
  ['p.ocm', '/etc/passwd', undefined],
  ['p.ocm', 'C:/secret.txt', undefined],
  ['p.ocm', 'C:\\secret.txt', undefined],
  ['p.ocm', '..\\secret.txt', undefined],
  ['p.ocm', '\\\\host\\share', undefined],
  ['p.ocm', '//host/share', undefined],
  ['p.ocm', 'file:///etc/passwd', undefined],
  ['p.ocm', 'https://example.com/x', undefined],
  ['p.ocm', '~/secret', undefined],
  ['p.ocm', 'a\0b', undefined],
  ['p.ocm', '', undefined],
  ['p.ocm', '.', undefined],
  ['p.ocm', 'x'.repeat(1000), undefined],
]

describe('paths', () => {
  for (const [from, written, path] of pathRows) {
    test(`${JSON.stringify(written.slice(0, 30))} in ${from}`, () => {
      const found = partPath(from, written)
      assert.equal(found.kind === 'path' ? found.path : undefined, path)
    })
  }
})

const prompt = (body: string) =>
  analyze(Transcript.parse(`version: 2.2\ninputs:\n<|start|>user<|message|>${body}<|end|>\n`))

async function read(body: string, files: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const reader = async (path: string): Promise<PartReading> => {
    asked.push(path)
    const text = files[path]
    return text === undefined ? { kind: 'missing' } : { kind: 'read', text }
  }
  const { byPath, problems } = await readParts(prompt(body), 'a/p.ocm', reader)
  return { asked, paths: [...byPath.keys()], messages: problems.map(({ message }) => message), problems }
}

test('parts are read once, relative to the file that includes them', async () => {
  const { asked, messages } = await read('{% include "x/1.md" %}{% include "x/1.md" %}', {
    'a/x/1.md': '{% include "2.md" %}{% include "../3.md" %}',
    'a/x/2.md': '{% include "../3.md" %}',
    'a/3.md': 'three',
  })
  assert.deepEqual(asked, ['a/x/1.md', 'a/x/2.md', 'a/3.md'])
  assert.deepEqual(messages, [])
})

test('circles are reported where they close', async () => {
  const { messages, problems } = await read('{% include "1.md" %}', {
    'a/1.md': '{% include "2.md" %}',
    'a/2.md': 'x {% include "1.md" %}',
  })
  assert.deepEqual(messages, ['a/1.md → a/2.md → a/1.md: parts include each other'])
  assert.equal(problems[0]?.path, 'a/2.md')
  assert.equal((await read('{% include "p.ocm" %}', {})).messages.length, 1)
})

test('depth and number are limited', async () => {
  const chain = (n: number) =>
    Object.fromEntries(
      Array.from({ length: n }, (_, index) => [`a/${index}.md`, `{% include "${index + 1}.md" %}`]),
    )
  const deepest = await read('{% include "0.md" %}', {
    ...chain(deepestPart - 1),
    [`a/${deepestPart - 1}.md`]: 'end',
  })
  assert.deepEqual(deepest.messages, [])
  const deeper = await read('{% include "0.md" %}', { ...chain(deepestPart), [`a/${deepestPart}.md`]: 'end' })
  assert.deepEqual(deeper.messages, ['Parts are nested more than 16 levels deep'])
  // Each part includes the next one twice: 2^15 inclusions.
  const doubling = Object.fromEntries(
    Array.from({ length: 16 }, (_, index) => [`a/${index}.md`, `{% include "${index + 1}.md" %}`.repeat(2)]),
  )
  const { asked, messages } = await read('{% include "0.md" %}', doubling)
  assert.ok(asked.length <= 17)
  assert.ok(messages.some((it) => it.startsWith('A prompt has at most')))
})

test('a path that is not a string is refused', async () => {
  assert.deepEqual((await read('{% set p = "x" %}{% include p %}', {})).messages, [
    'The path of a part must be a string in quotes',
  ])
})

test('a part that would not get the inputs is refused, and not read', async () => {
  const { asked, messages } = await read('{% include "a.md" ignore missing without context %}', {
    'a.md': '{{ name }}',
  })
  assert.deepEqual(asked, [])
  assert.deepEqual(messages, [
    'Parts always get the inputs and variables of the prompt; remove `without context`',
  ])
})

const skip = process.platform === 'win32' && 'no pipes, devices and links as here'

function workspace(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ocm-parts-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'workspace')
  mkdirSync(join(folder, 'parts'), { recursive: true })
  mkdirSync(join(root, 'elsewhere'))
  writeFileSync(join(root, 'elsewhere', 'secret'), secret)
  return { folder, outside: join(root, 'elsewhere') }
}

for (const [name, put] of Object.entries(oddFiles)) {
  test(`${name} is not read as a part`, { skip }, async (t) => {
    const { folder, outside } = workspace(t)
    put(join(folder, 'parts', 'x.md'), join(outside, 'secret'))
    const reading = await partReader(folder)('parts/x.md')
    assert.equal(reading.kind, 'refused')
  })
}

test('a folder that is a link out of the workspace is not read from', { skip }, async (t) => {
  const { folder, outside } = workspace(t)
  symlinkSync(outside, join(folder, 'linked'))
  assert.deepEqual(await partReader(folder)('linked/secret'), {
    kind: 'refused',
    reason: 'Not read: this link leads out of the workspace',
  })
  assert.notEqual((await partReader(folder)('../elsewhere/secret')).kind, 'read')
})

test('links inside the workspace are followed, and text must be UTF-8', { skip }, async (t) => {
  const { folder } = workspace(t)
  writeFileSync(join(folder, 'parts', 'style.md'), 'Be kind.')
  symlinkSync(join(folder, 'parts'), join(folder, 'other'))
  assert.deepEqual(await partReader(folder)('other/style.md'), { kind: 'read', text: 'Be kind.' })
  writeFileSync(join(folder, 'bad.md'), Buffer.from([0xff, 0xfe]))
  assert.equal((await partReader(folder)('bad.md')).kind, 'refused')
  assert.equal((await partReader(folder)('none.md')).kind, 'missing')
})

describe('includes when files are renamed', () => {
  const text =
    'version: 2.2\n<|start|>user<|message|>A {% include "parts/style.md" %} {% include "../other.md" %}<|end|>\n'
  const renamed = (path: string, source: string, names: Readonly<Record<string, string>>) =>
    applyEdits(
      source,
      inclusionEdits(path, inclusionsIn(source, path), (it) => names[it] ?? it),
    )

  test('follow the part, wherever it goes in the folder', () => {
    const to = (name: string) => renamed('prompts/a.ocm', text, { 'prompts/parts/style.md': name })
    assert.ok(to('prompts/parts/tone.md').includes('"parts/tone.md"'))
    assert.ok(to('prompts/tone.md').includes('"tone.md"'))
    assert.ok(to('tone.md').includes('"../tone.md"'))
    assert.ok(to('shared/deep/tone.md').includes('"../shared/deep/tone.md"'))
    assert.equal(to('other/"quoted".md'), text)
    assert.equal(renamed('prompts/a.ocm', text, { 'unrelated.md': 'x.md' }), text)
  })

  test('of a file that moves still lead to the same parts', () => {
    const moved = renamed('prompts/a.ocm', text, { 'prompts/a.ocm': 'deep/down/a.ocm' })
    assert.ok(moved.includes('"../../prompts/parts/style.md"'), moved)
    assert.ok(moved.includes('"../../other.md"'), moved)
    assert.equal(renamed('prompts/a.ocm', text, { 'prompts/a.ocm': 'prompts/b.ocm' }), text)
  })

  test('of parts follow, too, also those that use other line breaks', () => {
    const part = 'x\r\n{% include \'inner.md\' %}\r\n{# {% include "no.md" %} #}'
    assert.equal(
      renamed('parts/style.md', part, { 'parts/inner.md': 'parts/deep/inner.md' }),
      part.replace('inner.md', 'deep/inner.md'),
    )
    assert.deepEqual(inclusionsIn('{% include "/etc/passwd" %}{% include x %}', 'a.md'), [])
  })
})
