/** What a list finds when its samples are compared with each other, and deleting many samples as one change. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { ChangedFileError } from '../../client/src/datasets/byte-file.ts'
import { Dataset } from '../../client/src/datasets/dataset.ts'
import { findDatasetProblems } from '../../client/src/datasets/dataset-problems.ts'
import { viewOf } from '../../client/src/datasets/sample-views.ts'
import { memorySpool } from '../../client/src/datasets/unpacked-file.ts'
import { ChangeLog, compileQuery, isAboutSamples, ruleSettingsFrom } from '../../core/src/internal.ts'
import { folder, ocm } from '../cli/run-ocm.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { memoryFile, textIn } from './memory-file.ts'

const sample = (question: string, extra = {}) =>
  JSON.stringify({
    ...extra,
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: `Answer to ${question}` },
    ],
  })

async function datasetOf(name: string, content: string): Promise<Dataset> {
  const dataset = new Dataset(memoryFile(content), name)
  await dataset.load()
  return dataset
}

/** The problems of one file, or of files in one list. */
function problemsOf(datasets: readonly Dataset[], names = ['a.jsonl', 'b.jsonl'], settings = {}) {
  let first = 0
  const files = datasets.map((dataset, nth) => {
    const file = { address: { path: `/data/${names[nth]}` }, dataset, first }
    first += dataset.index.size
    return file
  })
  const options = { settings: [ruleSettingsFrom(settings)] }
  return findDatasetProblems({ files, options, onSample: () => undefined })
}

const repeated = [
  sample('one'),
  '{"messages": 1',
  sample('two'),
  sample('one', { id: 3 }),
  sample('two', { id: 4 }),
].join('\n')

test('repeated samples are found, the first of each excepted, as ocm check reports them', async (t: TestContext) => {
  const { problems, bySample, nSamples, nOmitted } = await problemsOf([await datasetOf('a.jsonl', repeated)])
  assert.deepEqual([...bySample.keys()], [3, 4])
  assert.deepEqual([nSamples, nOmitted], [4, 1])
  assert.deepEqual(
    problems.map(({ code, message }) => [code, message]),
    [
      [
        'W-DATA-DUPLICATE',
        'Samples that repeat an earlier one: 2 (`a.jsonl:4 = a.jsonl:1`, `a.jsonl:5 = a.jsonl:3`)',
      ],
    ],
  )
  const { stdout } = await ocm(['check', 'a.jsonl'], { cwd: folder(t, { 'a.jsonl': repeated }) })
  assert.ok(stdout.includes(problems[0]?.message ?? '?'), stdout)
})

test('samples of several files are compared with each other', async () => {
  const datasets = [
    await datasetOf('a.jsonl', sample('one')),
    await datasetOf('b.jsonl', `\n${sample('one')}`),
  ]
  const { problems, bySample } = await problemsOf(datasets)
  assert.deepEqual([...bySample.keys()], [1])
  assert.ok(problems[0]?.message.includes('`b.jsonl:2 = a.jsonl:1`'), problems[0]?.message)
})

test('what settings turn off is not found, and their severity counts', async () => {
  const dataset = await datasetOf('a.jsonl', repeated)
  const off = await problemsOf([dataset], undefined, { 'duplicate-sample': 'off' })
  assert.deepEqual([off.problems.length, off.bySample.size], [0, 0])
  const { bySample } = await problemsOf([dataset], undefined, { 'duplicate-sample': 'error' })
  assert.deepEqual(
    bySample.get(3)?.map(({ severity }) => severity),
    ['error'],
  )
})

test('a problem of all samples is about none of them', async () => {
  const call = (given: unknown) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: `Look for ${JSON.stringify(given)}` },
        { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: given } }] },
      ],
    })
  const content = `${call('{"a": 1}')}\n${call({ a: 2 })}`
  const { problems, bySample } = await problemsOf([await datasetOf('a.jsonl', content)])
  assert.deepEqual(problems.map(isAboutSamples), [false])
  assert.equal(bySample.size, 0)
})

test('a query finds the samples concerned', async () => {
  const dataset = await datasetOf('a.jsonl', repeated)
  const { bySample } = await problemsOf([dataset])
  const query = compileQuery('problem:W-DATA-DUPLICATE')
  assert.equal(query.kind, 'matcher')
  const problemsAmong = (number: number) => bySample.get(dataset.index.placeOf(number) ?? -1) ?? []
  const found: number[] = []
  for await (const read of dataset.samples()) {
    const number = dataset.index.numberOf(read.place)
    if (
      query.kind === 'matcher' &&
      query.matcher.matches(viewOf(read, number, { dialect: 'auto', problemsAmong }))
    )
      found.push(number)
  }
  assert.deepEqual(found, [4, 5])
})

const log = () => new ChangeLog(async () => memorySpool(2 ** 20))

test('deleting many samples leaves the others and what separates them', async () => {
  const places = fc.uniqueArray(fc.nat(5))
  await fc.assert(
    fc.asyncProperty(
      places,
      fc.constantFrom('\n', '\r\n', '\n\n'),
      fc.boolean(),
      async (gone, end, isList) => {
        const all = ['{"n":0}', ' {"n":1}', '{"n":2} ', '{"n":3}', '{"n":4}', '{"n":5}']
        const content = isList ? `[${all.join(`,${end}`)}]${end}` : all.join(end) + end
        const file = memoryFile(content)
        const dataset = new Dataset(file, isList ? 'a.json' : 'a.jsonl')
        await dataset.load()
        await dataset.deleteAll((place) => gone.includes(place), log())
        const text = textIn(file.bytes)
        const left = isList
          ? (JSON.parse(text) as { n: number }[])
          : text.split(/\s*\n/).flatMap((it) => (it === '' ? [] : [JSON.parse(it) as { n: number }]))
        assert.deepEqual(
          left.map(({ n }) => n),
          all.map((_, n) => n).filter((n) => !gone.includes(n)),
        )
        assert.equal(dataset.index.size, left.length)
        if (gone.length === 0) return
        assert.equal(await dataset.undoChange(), true)
        assert.equal(textIn(file.bytes), content)
      },
    ),
    { numRuns: propertyRuns },
  )
})

test('nothing is deleted from a file that another program changed', async () => {
  const file = memoryFile(repeated)
  const dataset = new Dataset(file, 'a.jsonl')
  await dataset.load()
  const other = `${repeated}\n`
  file.overwrite(other)
  await assert.rejects(
    dataset.deleteAll(() => true, log()),
    ChangedFileError,
  )
  assert.equal(textIn(file.bytes), other)
})
