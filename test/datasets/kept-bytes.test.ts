/** What the list of a dataset writes changes what it was asked to: every other byte of the file stays, whatever it is. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { fileOnDisk } from '../../client/src/datasets/disk-file.ts'
import { readSample } from '../../client/src/datasets/listed-sample.ts'
import { memorySpool } from '../../client/src/datasets/unpacked-file.ts'
import { ChangeLog, editedSample } from '../../core/src/internal.ts'
import { folder } from '../cli/run-ocm.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { oddDataset, secret } from '../helpers/odd-bytes.ts'
import { memoryFile } from './memory-file.ts'

const isSafe = '[REDACTED]'
const numRuns = Math.ceil(propertyRuns / 2)

test('samples that are edited one after the other', async (t) => {
  const path = join(folder(t), 'a.jsonl')
  await fc.assert(
    fc.asyncProperty(oddDataset, async ({ before, after }) => {
      writeFileSync(path, before)
      const dataset = new Dataset(fileOnDisk(path), path)
      await dataset.load()
      for (let place = 0; place < dataset.index.size; place++) {
        const bytes = await dataset.bytesOf(place)
        const sample = readSample(bytes)
        if (sample.kind === 'bad') continue
        await dataset.replace(place, bytes, editedSample(sample, sample.text.replaceAll(secret, isSafe)).json)
      }
      assert.ok(readFileSync(path).equals(after), shown(readFileSync(path), after))
      dataset.dispose()
    }),
    { numRuns },
  )
})

test('changes that are undone', async () => {
  const kind = fc.constantFrom('delete', 'duplicate', 'up', 'down', 'deleteAll', 'changeAll')
  await fc.assert(
    fc.asyncProperty(
      oddDataset,
      fc.array(fc.tuple(kind, fc.nat()), { maxLength: 5 }),
      async ({ before }, changes) => {
        const file = memoryFile(before)
        const dataset = new Dataset(file, 'a.jsonl')
        await dataset.load()
        const states: Buffer[] = []
        for (const [kind, at] of changes) {
          const { size } = dataset.index
          if (size === 0) break
          const place = at % size
          const now = Buffer.from(file.bytes)
          const sample = await dataset.bytesOf(place)
          const log = new ChangeLog(async () => memorySpool(2 ** 24))
          if (kind === 'deleteAll') await dataset.deleteAll((it) => it % 2 === at % 2, log)
          else if (kind === 'changeAll') {
            const { start } = dataset.index.rangeOf(place)
            await log.add({
              number: dataset.index.numberOf(place),
              start,
              before: sample,
              after: Buffer.from('{}'),
            })
            await dataset.changeAll(log)
          } else if (!(await dataset.change(place, sample, { kind }))) continue
          states.push(now)
          // No sample is broken or joined: each line is one that was there, or the changed one.
          const lines = new Set(linesOf(now))
          const others = linesOf(Buffer.from(file.bytes)).filter(
            (it) => !lines.has(it) && it !== '{}' && it.trim() !== '',
          )
          assert.deepEqual(others, [], kind)
        }
        for (const state of states.reverse()) {
          assert.equal(await dataset.undoChange(), true)
          assert.ok(Buffer.from(file.bytes).equals(state), shown(Buffer.from(file.bytes), state))
        }
        dataset.dispose()
      },
    ),
    { numRuns },
  )
})

function linesOf(bytes: Buffer): readonly string[] {
  return bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .split(/\r?\n/)
}

function shown(now: Buffer, expected: Buffer): string {
  return [now, expected]
    .map((it) => JSON.stringify(it.toString('latin1').replace(/a{1000,}/g, 'a…')))
    .join('\n')
}
