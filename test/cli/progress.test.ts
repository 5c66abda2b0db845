/** The line that tells how far a run is: on terminals only, not too often, and never left behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Progress } from '../../cli/src/terminal/progress.ts'
import { folder, good, ocm } from './run-ocm.ts'

function watched(isTTY: boolean) {
  const written: string[] = []
  let now = 0
  const progress = new Progress({ isTTY, write: (text) => written.push(text) }, () => now)
  return { progress, written, wait: (milliseconds: number) => (now += milliseconds) }
}

test('a short run shows nothing', () => {
  const { progress, written } = watched(true)
  progress.show(() => '1 file')
  progress.clear()
  assert.deepEqual(written, [])
})

test('a long run shows where it is, ten times a second at most', () => {
  const { progress, written, wait } = watched(true)
  for (let count = 1; count <= 30; count++) {
    wait(10)
    progress.show(() => `${count} files`)
  }
  progress.clear()
  progress.clear()
  assert.deepEqual(
    written,
    ['10 files', '20 files', '30 files', ''].map((it) => `\r\u001b[K${it}`),
  )
})

test('nothing is shown where nobody watches', async (t) => {
  const { progress, written, wait } = watched(false)
  wait(1000)
  progress.show(() => '1 file')
  progress.clear()
  assert.deepEqual(written, [])
  const { stderr } = await ocm(['check', '.'], { cwd: folder(t, { 'a.ocm': good }) })
  assert.equal(stderr, '')
})
