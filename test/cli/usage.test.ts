/** The general usage of `ocm`: help, version, mistakes in the arguments. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commandTable, namesElsewhere } from '../../cli/src/command-table.ts'
import { ocm } from './run-ocm.ts'

const commands = [
  'check',
  'format',
  'parse',
  'render',
  'convert',
  'tokens',
  'rules',
  'config',
  'init',
  'completions',
  'lsp',
]

test('the version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const option of ['--version', '-V']) {
    assert.deepEqual(await ocm([option]), { status: 0, stdout: `${version}\n`, stderr: '' })
  }
})

test('help is the same however it is asked for', async () => {
  const { stdout, status, stderr } = await ocm(['--help'])
  assert.equal(status, 0)
  assert.equal(stderr, '')
  for (const command of commands) assert.match(stdout, new RegExp(`^  ${command} `, 'm'))
  for (const args of [['-h'], ['help'], ['help', 'help']]) assert.equal((await ocm(args)).stdout, stdout)
})

test('without arguments the help goes to standard error', async () => {
  const { status, stdout, stderr } = await ocm([])
  assert.equal(status, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /^Usage: /m)
})

for (const command of commands) {
  test(`help of ${command}`, async () => {
    const run = await ocm([command, '--help'])
    assert.equal(run.status, 0)
    assert.match(run.stdout, new RegExp(`^Usage: ocm ${command}\\b`))
    for (const line of run.stdout.split('\n')) assert.ok(line.length <= 80, line)
    assert.deepEqual(await ocm(['help', command]), run)
    assert.deepEqual(await ocm([command, 'a', '-h', '--nonsense']), run, 'help goes before mistakes')
  })
}

test('the manual has every command, what it takes, and its options', async () => {
  const manual = readFileSync('docs/command-line.md', 'utf8')
  const sections = new Map(manual.split(/^## /m).map((it) => [it.split('\n', 1)[0], it]))
  const shared = sections.get('What all commands share')
  for (const command of commands) {
    const section = sections.get(`\`ocm ${command}\``) ?? ''
    const { stdout } = await ocm([command, '--help'])
    const [, operands = ''] = /^Usage: ocm [a-z]+ \[OPTIONS\] ?(.*)$/m.exec(stdout) ?? []
    const synopses = section.match(/^ {4}ocm .*$/gm) ?? []
    assert.ok(
      synopses.some((it) => it.replace('[OPTIONS] ', '').endsWith(operands)),
      `${command} ${operands}`,
    )
    for (const [, option] of stdout.matchAll(/^ {2}(--[a-z][\w-]*)/gim)) {
      assert.match(section + shared, new RegExp(`${option}(?![\\w-])`), `${option} of ${command}`)
    }
  }
})

test('names of other programs stand for commands', () => {
  for (const [name, command] of namesElsewhere) {
    assert.ok(!commandTable.has(name), name)
    assert.ok(commandTable.has(command.split(' ')[0] ?? '') || command === '--version', command)
  }
})

const mistakes: readonly (readonly [args: readonly string[], complaint: RegExp])[] = [
  [['chek', 'x'], /Unknown command `chek`; did you mean `check`\?/],
  [['lint', 'x'], /Unknown command `lint`; did you mean `ocm check`\?/],
  [['fix', 'x'], /Unknown command `fix`; did you mean `ocm check --fix`\?/],
  [
    ['data/train.jsonl'],
    /Unknown command `data\/train\.jsonl`; did you mean `ocm check data\/train\.jsonl`\?/,
  ],
  [['frobnicate'], /Unknown command `frobnicate`\n/],
  [['--verison'], /Unknown option `--verison`; did you mean `--version`\?/],
  [['help', 'rule'], /Unknown command `rule`; did you mean `rules`\?/],
  [['check', '--fromat', 'json', 'x'], /Unknown option `--fromat`; did you mean `--format`\?/],
  [['check', '--form=json', 'x'], /Unknown option `--form`; did you mean `--format`\?/],
  [['check', '-x', 'x'], /Unknown option `-x`/],
  [
    ['check', '--format', 'jsno', 'x'],
    /takes pretty, json, sarif, github or junit, not `jsno`; did you mean `json`\?/,
  ],
  [['check', '--fail-on'], /`--fail-on` needs a value: error, warning or hint/],
  [['check', '--fix=yes', 'x'], /`--fix` does not take a value/],
  [['check', '--select', 'W-CAL'], /unknown rule or code `W-CAL`/],
  [['check', '--ignore', ''], /unknown rule or code ``/],
  [['check', '--color', 'yes'], /`--color` takes/],
  [['check', '--fix', '-'], /`--fix` cannot write to standard input/],
  [['check', '--diff', '--format', 'json', '.'], /cannot be used with `--format json`/],
  [['check', '--expect', '--fix', '.'], /`--expect` cannot be used with `--fix`/],
  [['check', '--diff', '--statistics', '.'], /`--diff` and `--statistics` cannot be used together/],
  [
    ['check', '--statistics', '--format', 'sarif', '.'],
    /`--statistics` works with `--format pretty` and `json`/,
  ],
  [['check', '--max-problems', 'many', '.'], /`--max-problems` must be a whole number from 0 on, not `many`/],
  [['check', '--jobs', '0', '.'], /`--jobs` must be a whole number from 1 on, not `0`/],
  [['check', '--max-problems', '-1', '.'], /`--max-problems` must be a whole number from 0 on, not `-1`/],
  [['check', '--max-problems'], /`--max-problems` needs a value/],
  [['check', '--config', 'x', '--no-config', '.'], /`--config` and `--no-config` cannot be used together/],
  [['parse'], /Name a file/],
  [['parse', 'a', 'b'], /Name one file only/],
  [['parse', '--json', '--tree', 'a'], /cannot be used together/],
  [['parse', '--tree', '--no-config', 'a'], /`--config` and `--no-config` cannot be used with `--tree`/],
  [['parse', '--dialect', '3', 'a'], /takes auto, 2\.2, 2\.0, 1\.x or harmony/],
  [['convert'], /Name a file/],
  [['convert', '--for', 'training', '--to', 'messages', 'a'], /requires `--to harmony` or `--to ocm`/],
  [['convert', '--drop-reasoning', '--to', 'json', 'a'], /requires `--to ocm`/],
  [['convert', '--headers', 'harmony', '--to', 'harmony', 'a'], /requires `--to ocm`/],
  [['render', '--for', 'training', 'a'], /requires `--as next-prompt`/],
  [['render', '--as', 'training', '--check', 'a'], /`--as training` cannot be used with `--check`/],
  [
    ['render', '--as', 'training', '--update', 'a'],
    /`--as training` cannot be used with `--check`, `--update`/,
  ],
  [['render', '--check', '--jsonl', 'a'], /`--jsonl`.* cannot be used with cases, `--check`, or `--update`/],
  [['render', '--update', '--bad-lines', 'skip', 'a'], /`--bad-lines`.* cannot be used with cases/],
  [['render', '--check', '--jobs', '2', 'a'], /`--jobs` cannot be used with cases/],
  [['render', '--case', 'x', '--as', 'ocm', '--shard', '1/2', 'a'], /`--shard`.* cannot be used with cases/],
  [['render', '--as', 'training', '--debug', 'a'], /`--debug`/],
  [['render', '--as', 'training', '--for', 'history', 'a'], /`--for`/],
  [
    ['render', '--case', 'x', '--as', 'next-prompt', '--for', 'history', 'a'],
    /`--for` cannot be used with cases/,
  ],
  [
    ['render', '--all-cases', '--as', 'harmony', '--mask', 'last', 'a'],
    /`--mask`.* cannot be used with cases/,
  ],
  [['report', '--format', 'json', '--html', 'b', 'a'], /`--html` .* cannot be used with `--format json`/],
  [
    ['report', '--format', 'json', '--with-hidden', 'a'],
    /`--with-hidden` cannot be used with `--format json`/,
  ],
  [['review', 'apply', '--format', 'json', 'a'], /`--format` is for `stats` and `agree`/],
  [['review', 'agree', '--bad-lines', 'skip', 'a'], /`--bad-lines` is for `apply`/],
  [['review', 'stats', '--bad-lines', 'stop', 'a'], /`--bad-lines` is for `apply`/],
  [['review', 'agree', '--jsonl', 'a'], /`--jsonl` is for `stats` and `apply`/],
  [['review', 'agree', '--no-config', 'a'], /`--no-config` is for `stats` and `apply`/],
  [['check', '--max-length', '5', '.'], /`--max-length` requires `--template`/],
  [['rules', 'a', 'b'], /one code or rule only/],
  [['help', 'check', 'parse'], /Name one command only/],
  [['help', '-x'], /Unknown option `-x`/],
  [['lsp', 'x'], /Unexpected argument `x`/],
  [['check', '--__proto__', 'x'], /Unknown option `--__proto__`/],
  [['\u001b[31mred'], /Unknown command `␛\[31mred`/],
]

for (const [args, complaint] of mistakes) {
  test(`mistake: ocm ${JSON.stringify(args).slice(1, -1)}`, async () => {
    const { status, stdout, stderr } = await ocm(args)
    assert.equal(status, 2)
    assert.equal(stdout, '')
    assert.match(stderr, complaint)
    assert.match(stderr, /--help` shows the usage/)
  })
}
