/** How samples of every form become messages: each sample of `fixtures/forms.yaml`. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { forms } from '../../core/src/internal.ts'
import { readTold } from './reading.ts'

/** A sample, and how it is read. */
interface FormFixture {
  readonly name: string
  readonly sample: unknown
  readonly form: string
  /** One line for each message; absent for a sample that is refused, and for one with branches. */
  readonly messages?: readonly string[]
  /** The messages of each branch, by its name. */
  readonly branches?: Readonly<Record<string, readonly string[]>>
  /** What is reported: severity and rule, or why the sample is refused. */
  readonly told?: readonly string[]
}

const file = readFileSync('test/fixtures/forms.yaml', 'utf8')
const sections = Object.entries(parse(file) as Record<string, readonly FormFixture[]>)

for (const [section, samples] of sections)
  test(section, () => {
    for (const { name, sample, form, messages, branches = {}, told = [] } of samples) {
      const names = Object.keys(branches)
      const lines = messages ?? Object.values(branches)[0] ?? []
      const actual = readTold(sample)
      assert.deepEqual(actual, { form, lines, told, branches: names.length > 0 ? names : undefined }, name)
      for (const it of names) assert.deepEqual(readTold(sample, it).lines, branches[it], `${name}: ${it}`)
    }
  })

test('every form of JSON has a fixture', () => {
  const shown = new Set(sections.flatMap(([, samples]) => samples.map(({ form }) => form)))
  for (const { name, holds } of forms) if (holds === 'json') assert.ok(shown.has(name), name)
})
