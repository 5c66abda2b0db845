/** Configuration files that extend others: what counts, what is read, and what is reported. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ConfigurationText,
  folderOf,
  ProjectConfigurations,
  readConfiguration,
} from '../../core/src/internal.ts'

/** The settings for `path` from `files`, the problems by file, and which files were read. */
async function project(
  path: string,
  files: Readonly<Record<string, string>>,
  folders: readonly string[] = [],
) {
  const read: string[] = []
  const configurations = new ProjectConfigurations({
    folders,
    parse: readConfiguration,
    read: async (file): Promise<ConfigurationText> => {
      const text = files[file]
      if (text === undefined) return { kind: 'missing' }
      read.push(file)
      return text === 'secret' ? { kind: 'refused', reason: 'is a directory' } : { kind: 'read', text }
    },
  })
  const found = await configurations.nearest(folderOf(path))
  const problems = found?.files.flatMap((it) => it.problems.map(({ message }) => `${it.path}: ${message}`))
  const settings = found?.settingsFor(path)
  const rules = Object.fromEntries(settings?.rules.flatMap((it) => [...it]) ?? [])
  return { settings, rules, problems, read }
}

test('what a file sets counts more than what it extends, and the last extended file more than the first', async () => {
  const { rules, settings, problems, read } = await project('/p/a/x.ocm', {
    '/p/a/.openchatml.yaml':
      'extends: [one.openchatml.yaml, ./two.openchatml.yml]\nrules: {unknown-role: off}\n',
    '/p/a/one.openchatml.yaml':
      'rules: {unknown-role: hint, missing-header: hint, late-attribute: hint}\nintent: history\nexclude: y.ocm\n',
    '/p/a/two.openchatml.yml': 'rules: {missing-header: error}\nintent: fixture\nexclude: x.ocm\n',
    '/p/.openchatml.yaml': 'rules: {late-attribute: off}\n',
  })
  assert.deepEqual(problems, [])
  assert.deepEqual(rules, { 'unknown-role': 'off', 'missing-header': 'error', 'late-attribute': 'hint' })
  assert.deepEqual([settings?.intent, settings?.isExcluded], ['fixture', true])
  assert.deepEqual(read, ['/p/a/.openchatml.yaml', '/p/a/one.openchatml.yaml', '/p/a/two.openchatml.yml'])
})

test('patterns are relative to the file that they are in', async () => {
  const files = {
    '/p/.openchatml.yaml': 'overrides: [{files: a/old/, rules: {unknown-role: off}}]\ninclude: "a/*.ocm"\n',
    '/p/a/.openchatml.yaml': 'extends: ../.openchatml.yaml\n',
    '/p/b/.openchatml.yaml': 'extends: ../shared/base.openchatml.yaml\n',
    '/p/shared/base.openchatml.yaml':
      'overrides: [{files: "**/old/", rules: {unknown-role: hint}}, {files: old/, rules: {unknown-role: error}}]\n',
  }
  assert.deepEqual((await project('/p/a/old/x.ocm', files, ['/p'])).rules, { 'unknown-role': 'off' })
  assert.equal((await project('/p/a/x.ocm', files, ['/p'])).settings?.isIncluded, true)
  assert.equal((await project('/p/a/old/x.ocm', files, ['/p'])).settings?.isIncluded, false)
  assert.deepEqual((await project('/p/b/old/x.ocm', files, ['/p'])).rules, { 'unknown-role': 'hint' })
})

test('a circle is reported where it closes, and each file is read once', async () => {
  const { problems, rules, read } = await project('/p/x.ocm', {
    '/p/.openchatml.yaml': 'extends: [a.openchatml.yaml, b.openchatml.yaml, .openchatml.yaml]\n',
    '/p/a.openchatml.yaml': 'extends: b.openchatml.yaml\nrules: {unknown-role: hint}\n',
    '/p/b.openchatml.yaml': 'extends: a.openchatml.yaml\nrules: {unknown-role: off}\n',
  })
  assert.deepEqual(problems, [
    '/p/b.openchatml.yaml: `a.openchatml.yaml` extends this file, directly or through others',
    '/p/.openchatml.yaml: `.openchatml.yaml` extends this file, directly or through others',
  ])
  assert.deepEqual(rules, { 'unknown-role': 'hint' })
  assert.equal(new Set(read).size, read.length)
})

test('only configuration files inside the project are read', async () => {
  const { problems, read } = await project(
    '/p/a/x.ocm',
    {
      '/p/a/.openchatml.yaml': `extends:
- ../outside.openchatml.yaml
- ../../../../../etc/.openchatml.yaml
- /etc/.openchatml.yaml
- https://example.org/.openchatml.yaml
- package/.openchatml.yaml
- secrets.yaml
- ..\\outside.openchatml.yaml
- folder.openchatml.yaml
- 7
`,
      '/p/outside.openchatml.yaml': 'rules: {unknown-role: hint}\n',
      '/etc/.openchatml.yaml': 'rules: {unknown-role: hint}\n',
      '/p/a/secrets.yaml': 'rules: {unknown-role: hint}\n',
      '/p/a/folder.openchatml.yaml': 'secret',
    },
    ['/p/b', '/q'],
  )
  const expected =
    '`extends` takes paths relative to this file, of files whose names end in `.openchatml.yaml`, `.openchatml.yml`, and `.openchatml.json`'
  assert.deepEqual(
    problems?.map((it) => it.replace('/p/a/.openchatml.yaml: ', '')),
    [
      '`../outside.openchatml.yaml` is outside the project, so it is not read',
      '`../../../../../etc/.openchatml.yaml` is outside the project, so it is not read',
      expected,
      expected,
      'There is no file `package/.openchatml.yaml`',
      expected,
      expected,
      '`folder.openchatml.yaml`: is a directory',
      expected,
    ],
  )
  assert.deepEqual(read, ['/p/a/.openchatml.yaml', '/p/a/folder.openchatml.yaml'])
})

test('the number of extended files is limited', async () => {
  const chain = Array.from({ length: 60 }, (_, at) => [
    `/p/${at}.openchatml.yaml`,
    `extends: ${at + 1}.openchatml.yaml\n`,
  ])
  const { problems, read } = await project('/p/x.ocm', {
    ...Object.fromEntries(chain),
    '/p/.openchatml.yaml': 'extends: 0.openchatml.yaml\n',
  })
  assert.equal(read.length, 21)
  assert.deepEqual(problems, [
    '/p/19.openchatml.yaml: `20.openchatml.yaml` is not read: expected at most 20 extended files',
  ])
})
