/** What sets `ocm` up: a configuration to begin with, which one holds, and completion in shells. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfiguration } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { bad, folder, ocm, shell } from './run-ocm.ts'

test('a configuration to begin with sets nothing, has every key, and replaces no file', async (t) => {
  const cwd = folder(t)
  assert.deepEqual(await ocm(['init'], { cwd }), { status: 0, stdout: '.openchatml.yaml\n', stderr: '' })
  const text = readFileSync(join(cwd, '.openchatml.yaml'), 'utf8')
  const { configuration, problems } = readConfiguration(text)
  assert.deepEqual([problems, configuration.rules.size, configuration.overrides.length], [[], 0, 0])
  const inForce = readConfiguration(text.replaceAll(/^#(?! )/gm, '').replaceAll(/^#( {2,}\S)/gm, '$1'))
  assert.deepEqual(inForce.problems, [])
  const { rules, intent, templates, include, exclude, overrides, datasets, labels } = inForce.configuration
  assert.deepEqual([rules.size, intent, templates, exclude.length], [2, 'training', true, 2])
  assert.deepEqual([overrides.length, datasets.length, labels?.length, include?.length], [1, 1, 2, 2])
  assert.deepEqual(
    inForce.configuration.extends.map(({ path }) => path),
    ['../.openchatml.yaml'],
  )
  const schema = JSON.parse(readFileSync('docs/configuration.schema.json', 'utf8'))
  for (const key of Object.keys(schema.properties))
    if (key !== '$schema') assert.match(text, new RegExp(`^#${key}:`, 'm'))
  const again = await ocm(['init', '.'], { cwd })
  assert.equal(again.status, 2)
  assert.match(again.stderr, /\.openchatml\.yaml: already exists/)
  assert.equal(readFileSync(join(cwd, '.openchatml.yaml'), 'utf8'), text)
})

test('the configuration that holds for a file is printed with the file that it comes from', async (t) => {
  const cwd = folder(t, {
    'a/.openchatml.yml':
      'rules: {W-CALL-UNANSWERED: hint}\nexclude: b/\noverrides: [{files: "*.x.ocm", intent: fixture}]\n',
    'broken/.openchatml.json': '{"rules": []}',
  })
  const show = async (...args: string[]) => {
    const { stdout, status } = await ocm(['config', 'show', ...args], { cwd })
    return { status, ...JSON.parse(stdout) }
  }
  const nothing = {
    extends: [],
    rules: {},
    templates: null,
    intent: null,
    datasets: null,
    labels: null,
    isExcluded: false,
    isIncluded: true,
  }
  assert.deepEqual(await show(), { status: 0, file: null, ...nothing })
  const { file, ...found } = await show('a/b/c.x.ocm')
  assert.match(file, /a[\\/]\.openchatml\.yml$/)
  const rules = { 'unanswered-call': 'hint' }
  assert.deepEqual(found, { ...nothing, status: 0, rules, intent: 'fixture', isExcluded: true })
  assert.deepEqual(await show('--no-config', 'a/b/c.ocm'), { status: 0, file: null, ...nothing })
  assert.equal((await show('broken/a.ocm')).status, 2)
  assert.equal((await ocm(['config', 'list'], { cwd })).status, 2)
})

test('bash completes commands, options, values, and paths', async (t) => {
  const cwd = folder(t, { 'bad.ocm': bad })
  assert.equal((await shell('ocm completions bash > ocm.bash', cwd)).status, 0)
  const ask = async (...words: string[]) => {
    const script = `. ./ocm.bash
COMP_WORDS=(${words.map((it) => `'${it}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_ocm
printf '%s\\n' "\${COMPREPLY[@]}"`
    writeFileSync(join(cwd, 'ask.sh'), script)
    return (await shell('bash ask.sh', cwd)).stdout.trim().split('\n')
  }
  assert.deepEqual(await ask('ocm', 'conv'), ['convert'])
  assert.deepEqual(await ask('ocm', 'check', '--fail'), ['--fail-on'])
  assert.deepEqual(await ask('ocm', 'check', '--format', 'j'), ['json', 'junit'])
  // Bash splits words at `=`.
  assert.deepEqual(await ask('ocm', 'check', '--format', '=', 'j'), ['json', 'junit'])
  assert.deepEqual(await ask('ocm', 'match', '--args', '='), ['exact', 'subset', 'ignore'])
  assert.deepEqual(await ask('ocm', 'check', '--config', '=', 'b'), ['bad.ocm'])
  assert.deepEqual(await ask('ocm', 'check', 'b'), ['bad.ocm'])
  assert.deepEqual(await ask('ocm', 'check', '--config', 'b'), ['bad.ocm'])
  for (const [line, expected] of wordsAndPaths)
    assert.deepEqual(await ask(...line.split(' ')), expected, line)
})

/** What completes lines in a folder with a file `bad.ocm`: words where a command takes them, else paths. */
const wordsAndPaths: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ['ocm review st', ['stats']],
  ['ocm review --format json a', ['apply', 'agree']],
  ['ocm review stats b', ['bad.ocm']],
  ['ocm config sh', ['show']],
  ['ocm config show b', ['bad.ocm']],
  ['ocm completions b', ['bash']],
  ['ocm completions bash b', ['']],
  ['ocm help conv', ['convert']],
  ['ocm help check b', ['']],
  ['ocm rules unknown-r', ['unknown-role']],
  ['ocm rules E-IN', ['E-INPUT']],
  ['ocm lsp b', ['']],
  ['ocm mcp b', ['bad.ocm']],
]

const has = (shell: string) => !spawnSync(shell, ['--version']).error

nightly('fish completes words and paths', { skip: !has('fish') && 'there is no fish here' }, async (t) => {
  const cwd = folder(t, { 'bad.ocm': bad })
  assert.equal((await shell('ocm completions fish > ocm.fish', cwd)).status, 0)
  for (const [line, expected] of wordsAndPaths) {
    const script = `source ocm.fish; complete -C '${line}'`
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { cwd, encoding: 'utf8' })
    const found = stdout
      .trim()
      .split('\n')
      .map((it) => it.split('\t')[0])
    assert.deepEqual(found.sort(), [...expected].sort(), line)
  }
})

nightly('zsh completes words and paths', { skip: !has('zsh') && 'there is no zsh here' }, async (t) => {
  const cwd = folder(t, { 'files/bad.ocm': bad })
  assert.equal((await shell('ocm completions zsh > _ocm', cwd)).status, 0)
  // A shell in a terminal, in which tab is pressed before the line is run.
  const script = `zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u; cd files'
zpty -w inner 'ocm() { print "GOT""<$*>" }; print READ""Y'
zpty -r inner seen '*READY*'
for line in "$@"; do
  zpty -w -n inner "$line"$'\\t\\n'
  zpty -r inner seen '*GOT<*>*'
  print -r -- "ocm \${\${seen##*GOT<}%%>*}"
done
`
  const one = wordsAndPaths.filter(([, expected]) => expected.length === 1)
  const lines = one.map(([line]) => line)
  const { stdout } = spawnSync('zsh', ['-f', '-c', script, 'zsh', ...lines], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
  })
  const expected = one.map(([line, [word = '']]) => (word === '' ? line : line.replace(/\S+$/, word)))
  assert.deepEqual(stdout.trim().split('\n'), expected)
})

test('the manual page has every command and option, and no line that troff takes for a request', async () => {
  const text = readFileSync('man/ocm.1', 'utf8')
  const requests = new Set(['.TH', '.SH', '.TP', '.B', '.I', '.PP', '.EX', '.EE'])
  for (const line of text.split('\n'))
    if (/^[.']/.test(line)) assert.ok(requests.has(line.split(' ')[0] ?? ''), line)
  for (const command of ['check', 'config', 'filter']) {
    const [, section = ''] = text.split(`.SH OCM ${command.toUpperCase()}\n`)
    const { stdout: help } = await ocm([command, '--help'])
    for (const [, option = ''] of help.matchAll(/^ {2}(--(?!help)[\w-]+)/gm))
      assert.match(section, new RegExp(`^\\\\fB${option.replaceAll('-', '\\\\-')}\\b`, 'm'), option)
  }
})

test('the scripts of other shells have every command and option', async () => {
  const { stdout: help } = await ocm(['check', '--help'])
  const options = [...help.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, it = '']) => it)
  for (const name of ['zsh', 'fish', 'powershell']) {
    const { stdout } = await ocm(['completions', name])
    for (const it of options)
      assert.ok(stdout.includes(name === 'fish' ? `-l ${it.slice(2)}` : it), `${name}: ${it}`)
    for (const it of ['review', 'completions']) assert.match(stdout, new RegExp(`\\b${it}\\b`))
  }
  assert.equal((await ocm(['completions', 'csh'])).status, 2)
})
