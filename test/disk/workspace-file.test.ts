/** Files that are read without being opened by the user: regular ones only, inside the workspace, up to a size, in time. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { inTime } from '../../client/disk/in-time.ts'
import { readWorkspaceFile } from '../../client/disk/read-workspace-file.ts'
import { openRegularFile } from '../../client/disk/regular-file.ts'
import { oddFiles, secret } from '../helpers/odd-files.ts'

const skip = process.platform === 'win32' && 'no pipes, devices and links as here'

function folders(t: TestContext) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ocm-disk-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [workspace, outside] = [join(root, 'workspace'), join(root, 'elsewhere')]
  mkdirSync(join(workspace, 'deep'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), secret)
  return { workspace, outside }
}

async function outcome(path: string, within: readonly string[] | undefined, bytes = 1000): Promise<string> {
  const reading = await readWorkspaceFile(path, { bytes, within })
  if (reading.kind === 'read') return Buffer.from(reading.bytes).toString()
  return reading.kind === 'refused' ? reading.refusal.reason : reading.kind
}

const expected: Readonly<Record<keyof typeof oddFiles, string>> = {
  'a pipe': 'special',
  'a link to a pipe': 'special',
  'a link to a device': 'outside',
  'a link to a file outside': 'outside',
  'a file of 1 GB': 'too-large',
  'a directory': 'directory',
  'a link to itself': 'error',
}

for (const [name, put] of Object.entries(oddFiles)) {
  test(`${name} is not read`, { skip }, async (t) => {
    const { workspace, outside } = folders(t)
    const path = join(workspace, 'deep', 'file')
    put(path, join(outside, 'secret'))
    const before = process.memoryUsage().arrayBuffers
    assert.equal(await outcome(path, [workspace]), expected[name])
    assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000)
  })
}

test('a device is not read even where links may lead anywhere', { skip }, async (t) => {
  const path = join(folders(t).workspace, 'file')
  symlinkSync('/dev/zero', path)
  assert.equal(await outcome(path, undefined), 'special')
  await assert.rejects(openRegularFile(path), /not a regular file/)
})

test('links are followed inside the workspace, and inside the folder of the file', { skip }, async (t) => {
  const { workspace, outside } = folders(t)
  writeFileSync(join(workspace, 'target'), 'text')
  symlinkSync('../target', join(workspace, 'deep', 'file'))
  symlinkSync(workspace, join(outside, 'workspace'))
  symlinkSync('secret', join(outside, 'beside'))
  symlinkSync(outside, join(workspace, 'out'))
  symlinkSync('nowhere', join(workspace, 'broken'))
  assert.equal(await outcome(join(workspace, 'deep', 'file'), [workspace]), 'text')
  assert.equal(
    await outcome(join(outside, 'workspace', 'deep', 'file'), [join(outside, 'workspace')]),
    'text',
  )
  assert.equal(await outcome(join(workspace, 'deep', 'file'), []), 'outside', 'no workspace is open')
  assert.equal(await outcome(join(outside, 'beside'), []), secret, 'its own folder')
  assert.equal(await outcome(join(workspace, 'broken'), [workspace]), 'missing')
  assert.equal(await outcome(join(workspace, 'target', 'below'), [workspace]), 'missing')
  assert.equal(await outcome(join(workspace, 'missing'), [join(outside, 'missing')]), 'missing')
  // A folder with a similar name is another folder.
  mkdirSync(`${workspace}-2`)
  writeFileSync(join(`${workspace}-2`, 'file'), secret)
  symlinkSync(join(`${workspace}-2`, 'file'), join(workspace, 'similar'))
  assert.equal(await outcome(join(workspace, 'similar'), [workspace]), 'outside')
})

test('a file is read up to its last byte, and one byte more is too much', async (t) => {
  const { workspace } = folders(t)
  const path = join(workspace, 'file')
  for (const size of [0, 1, 65_535, 65_536, 65_537, 200_000]) {
    writeFileSync(path, 'x'.repeat(size))
    assert.equal((await outcome(path, [workspace], size)).length, size)
    if (size > 0) assert.equal(await outcome(path, [workspace], size - 1), 'too-large')
  }
})

test('a file that grows without saying so ends at the limit', {
  skip: process.platform !== 'linux' && 'such files are those of Linux',
}, async () => {
  assert.equal(await outcome('/proc/self/maps', undefined, 100), 'too-large', 'its size is said to be 0')
})

test('what does not answer costs the deadline, and what comes later is dropped', async () => {
  let answer: (text: string) => void = assert.fail
  const hanging = new Promise<string>((done) => {
    answer = done
  })
  assert.equal(await inTime(hanging, 1, 'late'), 'late')
  answer('at last')
  assert.equal(await inTime(hanging, 60_000, 'late'), 'at last')
  await assert.rejects(inTime(Promise.reject(new Error('no')), 60_000, 'late'), /no/)
})
