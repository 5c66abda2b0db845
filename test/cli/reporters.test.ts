/** The reports of `ocm check` for programs other than its own JSON: SARIF, GitHub annotations, JUnit; and statistics. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JSDOM } from 'jsdom'
import { rules } from '../../core/src/internal.ts'
import { bad, fixable, folder, good, ocm } from './run-ocm.ts'

interface Region {
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}

const schemaUri = 'https://json.schemastore.org/sarif-2.1.0.json'

async function sarif(args: readonly string[], cwd?: string) {
  const run = await ocm(['check', '--format', 'sarif', ...args], cwd === undefined ? {} : { cwd })
  const log = JSON.parse(run.stdout)
  assert.equal(log.$schema, schemaUri)
  assert.equal(log.version, '2.1.0')
  assert.equal(log.runs.length, 1)
  return { ...run, log: log.runs[0] }
}

test('SARIF describes every rule', async () => {
  const { log } = await sarif(['samples/01-hello.ocm'])
  const { driver } = log.tool
  assert.equal(driver.name, 'ocm')
  assert.deepEqual(
    driver.rules.map((it: { readonly id: string }) => it.id),
    rules.map(({ name }) => name),
  )
  for (const rule of driver.rules) {
    assert.deepEqual(Object.keys(rule), [
      'id',
      'helpUri',
      'shortDescription',
      'fullDescription',
      'help',
      'defaultConfiguration',
      'properties',
    ])
    for (const text of [
      rule.shortDescription.text,
      rule.fullDescription.text,
      rule.help.text,
      rule.help.markdown,
    ])
      assert.ok(typeof text === 'string' && text.length > 0)
    assert.ok(['error', 'warning', 'note'].includes(rule.defaultConfiguration.level))
  }
})

test('SARIF results have places, related places and fixes', async (t) => {
  const cwd = folder(t, { 'a b/bad.ocm': bad, 'fixable.ocm': fixable, 'good.ocm': good })
  const { log, status } = await sarif(['.'], cwd)
  assert.equal(status, 1)
  assert.equal(log.columnKind, 'utf16CodeUnits')
  assert.deepEqual(log.invocations, [{ executionSuccessful: true }])
  assert.equal(log.results.length, 2)
  const [first, second] = log.results
  assert.equal(first.ruleId, 'repeated-channel')
  assert.equal(rules[first.ruleIndex]?.name, 'repeated-channel')
  assert.equal(first.level, 'error')
  const [place] = first.locations
  assert.deepEqual(place.physicalLocation.artifactLocation, { uri: 'a%20b/bad.ocm', uriBaseId: '%SRCROOT%' })
  const { startLine, startColumn, endLine, endColumn }: Region = place.physicalLocation.region
  assert.deepEqual([startLine, startColumn, endLine, endColumn], [2, 38, 2, 59])
  assert.equal(first.relatedLocations.length, 1)
  assert.equal(first.relatedLocations[0].message.text, 'The first channel')
  const [change] = second.fixes[0].artifactChanges
  assert.equal(change.artifactLocation.uri, 'fixable.ocm')
  assert.equal(change.replacements.length, 1)
  const { deletedRegion, insertedContent } = change.replacements[0]
  assert.equal(
    fixable.slice(deletedRegion.charOffset, deletedRegion.charOffset + deletedRegion.charLength),
    ' ',
  )
  assert.equal(insertedContent, undefined)
})

test('SARIF of nothing, and of a file that cannot be read', async (t) => {
  const cwd = folder(t, { 'good.ocm': good })
  assert.deepEqual((await sarif(['good.ocm'], cwd)).log.results, [])
  const { log, status } = await sarif(['missing.ocm'], cwd)
  assert.equal(status, 2)
  assert.equal(log.results[0].ruleId, 'unreadable-input')
  assert.equal(log.invocations[0].executionSuccessful, false)
})

test('SARIF names files elsewhere by their URI', async (t) => {
  const path = `${folder(t, { 'ä.ocm': bad })}/ä.ocm`
  const { log } = await sarif([path])
  assert.match(
    log.results[0].locations[0].physicalLocation.artifactLocation.uri,
    /^file:\/\/\/.*\/%C3%A4\.ocm$/,
  )
})

test('problems of samples stand in their dataset where editors and services show them', async (t) => {
  const sample = JSON.stringify({ text: bad })
  const cwd = folder(t, { 'data.jsonl': `{"messages":[]}\n${sample}\n` })
  const column = sample.indexOf('<|channel|>commentary') + 1
  const { stdout } = await ocm(['check', '--format', 'github', 'data.jsonl'], { cwd })
  assert.match(stdout, new RegExp(`^::error file=data\\.jsonl,line=2,col=${column},title=E-PARSE-HEADER `))
  const [result] = (await sarif(['data.jsonl'], cwd)).log.results
  assert.deepEqual(result.locations[0].physicalLocation, {
    artifactLocation: { uri: 'data.jsonl', uriBaseId: '%SRCROOT%' },
    region: { startLine: 2, startColumn: column },
  })
  assert.equal(result.fixes, undefined)
})

test('GitHub annotations', async (t) => {
  const cwd = folder(t, { 'a,b:c.ocm': `${bad}<|start|>user<|message|>100%`, 'good.ocm': good })
  const { stdout, status } = await ocm(['check', '--format', 'github', '.'], { cwd })
  assert.equal(status, 1)
  const [first, second, ...rest] = stdout.split('\n')
  assert.equal(
    first,
    '::error file=a%2Cb%3Ac.ocm,line=2,col=38,endLine=2,endColumn=58,title=E-PARSE-HEADER repeated-channel::`<|channel|>commentary` is a second channel; the message is already on `analysis`',
  )
  assert.match(second ?? '', /^::error file=.*title=E-STREAM-TRUNCATED truncated-message::/)
  assert.deepEqual(rest, [''])
})

test('a transcript cannot write GitHub commands of its own', async () => {
  const text = 'version: 2.2\n<|start|>%0A::error::x\u2028<|message|>a<|end|>\n'
  const { stdout } = await ocm(['check', '--format', 'github', '-'], { input: text })
  assert.equal(stdout.match(/^::/gm)?.length, stdout.trimEnd().split('\n').length)
  assert.doesNotMatch(stdout, /[^5]%0A/)
})

test('JUnit: a suite per file, a failure per problem that makes the run fail', async (t) => {
  const cwd = folder(t, { 'bad.ocm': bad, 'good.ocm': good, 'warn&"<.ocm': fixable })
  const suites = async (...args: string[]) => {
    const { stdout } = await ocm(['check', '--format', 'junit', ...args, '.'], { cwd })
    const { document } = new JSDOM(stdout, { contentType: 'text/xml' }).window
    assert.equal(document.documentElement.nodeName, 'testsuites')
    return [...document.querySelectorAll('testsuite')].map((it) => ({
      name: it.getAttribute('name'),
      tests: Number(it.getAttribute('tests')),
      failures: Number(it.getAttribute('failures')),
      cases: it.querySelectorAll('testcase').length,
      failed: [...it.querySelectorAll('failure')].map((failure) => failure.getAttribute('type')),
    }))
  }
  const passed = { tests: 1, failures: 0, cases: 1, failed: [] }
  const failed = (code: string) => ({ tests: 1, failures: 1, cases: 1, failed: [code] })
  assert.deepEqual(await suites(), [
    { name: 'bad.ocm', ...failed('E-PARSE-HEADER') },
    { name: 'good.ocm', ...passed },
    { name: 'warn&"<.ocm', ...passed },
  ])
  assert.deepEqual((await suites('--fail-on', 'warning'))[2], {
    name: 'warn&"<.ocm',
    ...failed('W-TOKEN-SPACE'),
  })
})

test('JUnit stays XML whatever the transcript holds', async () => {
  const input = 'version: 2.2\n<|start|>]]>\u0001\ufffe"<b>&\'<|message|>a\n'
  const { stdout } = await ocm(['check', '--format', 'junit', '-'], { input })
  const { document } = new JSDOM(stdout, { contentType: 'text/xml' }).window
  assert.ok(document.querySelectorAll('failure').length > 0)
})

test('statistics count by rule, the most frequent first', async (t) => {
  const cwd = folder(t, { 'a.ocm': bad, 'b.ocm': fixable + fixable.slice(13), 'c.ocm': good })
  assert.equal(
    (await ocm(['check', '--statistics', '.'], { cwd })).stdout,
    `2  warning  W-TOKEN-SPACE   space-after-token  (2 with \`--fix\`)
1  error    E-PARSE-HEADER  repeated-channel

1 error, 2 warnings in 3 files
2 problems can be fixed with \`--fix\`; \`--diff\` shows how
\`ocm rules NAME\` explains a rule or a code
`,
  )
  const { stdout, status } = await ocm(['check', '--statistics', '--format', 'json', '.'], { cwd })
  assert.equal(status, 1)
  assert.deepEqual(JSON.parse(stdout), {
    schemaVersion: 1,
    statistics: [
      { rule: 'space-after-token', code: 'W-TOKEN-SPACE', severity: 'warning', count: 2, fixable: 2 },
      { rule: 'repeated-channel', code: 'E-PARSE-HEADER', severity: 'error', count: 1, fixable: 0 },
    ],
    files: 3,
    errors: 1,
    warnings: 2,
  })
})

test('samples are summed up as such, and nothing is said of a fix that would be refused', async (t) => {
  const cwd = folder(t, { 'a.ocm': good, 'b.jsonl': `${JSON.stringify({ text: fixable })}\n` })
  for (const [options, sums] of [
    [['b.jsonl'], '1 warning in 1 sample'],
    [['--statistics', 'b.jsonl', 'a.ocm'], '1 warning in 1 file and 1 sample'],
  ] as const) {
    const { stdout } = await ocm(['check', ...options], { cwd })
    assert.match(stdout, new RegExp(`^${sums}$`, 'm'))
    assert.doesNotMatch(stdout, /--fix/)
  }
})

test('statistics of nothing', async (t) => {
  const cwd = folder(t, { 'c.ocm': good })
  assert.equal((await ocm(['check', '--statistics', '.'], { cwd })).stdout, 'No problems in 1 file\n')
  const { stdout } = await ocm(['check', '--statistics', '--format', 'json', '.'], { cwd })
  assert.deepEqual(JSON.parse(stdout), { schemaVersion: 1, statistics: [], files: 1, errors: 0, warnings: 0 })
})

test('--max-problems limits the list, not the counts', async (t) => {
  const cwd = folder(t, { 'a.ocm': fixable + fixable.slice(13), 'b.ocm': bad, 'c.ocm': bad })
  const { stdout, status } = await ocm(['check', '--max-problems', '3', '.'], { cwd })
  assert.equal(status, 1)
  assert.equal(stdout.match(/^\S+:\d+:\d+: /gm)?.length, 3)
  assert.match(
    stdout,
    /^2 errors, 2 warnings in 3 files\n1 more problem not shown: `--max-problems` is reached$/m,
  )
  const json = JSON.parse((await ocm(['check', '--max-problems=0', '--format=json', '.'], { cwd })).stdout)
  assert.deepEqual(
    json.files.flatMap((it: { diagnostics: unknown[] }) => it.diagnostics),
    [],
  )
  assert.deepEqual([json.errors, json.warnings, json.omitted], [2, 2, 4])
})
