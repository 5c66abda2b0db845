/** Commands that write files of users change what they were asked to: every other byte of a file stays, whatever it is. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { appendOnDisk } from '../../client/disk/append-on-disk.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { type Expected, invalid, oddDataset, oddText, oddTranscript } from '../helpers/odd-bytes.ts'
import { folder, ocm } from './run-ocm.ts'

const atOnce = 8 // files for one command
const options = { numRuns: Math.ceil(propertyRuns / atOnce) }

for (const [args, extension, file] of [
  [
    ['check', '--fix', '--select', 'space-after-token'],
    'ocm',
    oddTranscript('<|channel|> final<|message|>', '<|channel|>final<|message|>', oddText),
  ],
  [
    ['format', '--write'],
    'ocm',
    oddTranscript(
      '  intent=a <|channel|>final<|message|>',
      ' intent=a<|channel|>final<|message|>',
      fc.constant(undefined), // which is formatted
    ),
  ],
  [['check', '--fix', '--unsafe-fixes', '--in-place', '--select', 'secret'], 'jsonl', oddDataset],
  [['render', '--update'], 'ocm', oddTranscript('<|message|>', '<|message|>', oddText)],
] as const)
  test(`ocm ${args.join(' ')} keeps all other bytes`, async (t) => {
    const cwd = folder(t)
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: atOnce }), async (files) => {
        const names = files.map((_, index) => `${index}.${extension}`)
        for (const [index, { before }] of files.entries())
          writeFileSync(join(cwd, names[index] ?? ''), before)
        try {
          const { stderr } = await ocm([...args, ...names], { cwd })
          for (const [index, { before, after }] of files.entries()) {
            const now = readFileSync(join(cwd, names[index] ?? ''))
            if (!now.equals(after)) assert.fail(differenceOf({ before, after }, now) + stderr)
          }
        } finally {
          for (const name of names) rmSync(join(cwd, name))
        }
      }),
      options,
    )
  })

function differenceOf({ before, after }: Expected, now: Buffer): string {
  const shown = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1').replace(/a{1000,}/g, 'a…'))
  return ['before', shown(before), 'expected', shown(after), 'now', shown(now), ''].join('\n')
}

test('lines are appended to any file, after all of its bytes', async (t) => {
  const path = join(folder(t), 'review.jsonl')
  const content = fc.tuple(oddText, fc.option(invalid), oddText)
  await fc.assert(
    fc.asyncProperty(content, async ([start, wrong, end]) => {
      const before = Buffer.concat([Buffer.from(start), Buffer.from(wrong ?? []), Buffer.from(end)])
      writeFileSync(path, before)
      await appendOnDisk(path, '{"a":1}\n', { isSynced: false })
      const gap = before.length === 0 || before.at(-1) === 0x0a ? '' : '\n'
      assert.ok(readFileSync(path).equals(Buffer.concat([before, Buffer.from(`${gap}{"a":1}\n`)])))
    }),
    { numRuns: propertyRuns },
  )
})
