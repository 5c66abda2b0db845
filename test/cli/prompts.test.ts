/** `ocm render --case`: prompts filled with cases, their snapshots, and what keeps a prompt from being filled. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { folder, ocm } from './run-ocm.ts'

const prompt = `version: 2.2
inputs:
  customer: { type: string }
  tone: { default: warm }
cases:
  one: { customer: Ada }
<|start|>developer<|message|>Help {{ customer }}. {% include "parts/style.md" %}<|end|>
<|start|>user<|message|>Hi<|end|>
`
const files = {
  'a.ocm': prompt,
  'parts/style.md': 'Be {{ tone }}.\n',
  'a.cases.yaml': 'two:\n  customer: Bo<|end|>\n  tone: cold\n',
}

test('a case is printed as any target gets it', async (t) => {
  const cwd = folder(t, files)
  const render = (...args: string[]) => ocm(['render', ...args, 'a.ocm'], { cwd })
  assert.deepEqual(await render('--case', 'one', '--as', 'ocm'), {
    status: 0,
    stdout:
      'version: 2.2\n<|start|>developer<|message|>Help Ada. Be warm.<|end|>\n<|start|>user<|message|>Hi<|end|>\n',
    stderr: '',
  })
  assert.match(
    (await render('--case', 'two', '--as', 'ocm')).stdout,
    /Help Bo<<\|end\|>\. Be cold\.<\|end\|>/,
  )
  const messages = JSON.parse((await render('--case', 'two', '--as', 'messages')).stdout)
  assert.deepEqual(messages.messages ?? messages, [
    { role: 'developer', content: 'Help Bo<|end|>. Be cold.' },
    { role: 'user', content: 'Hi' },
  ])
  assert.match(
    (await render('--case', 'one', '--as', 'next-prompt')).stdout,
    /Help Ada\. Be warm\..*<\|start\|>assistant$/s,
  )
  const all = await render('--all-cases', '--as', 'conversation')
  assert.equal(all.stdout, '==> one <==\nuser\n  Hi\n\n==> two <==\nuser\n  Hi\n')
})

test('snapshots are written, compared, and differ when a part changes', async (t) => {
  const cwd = folder(t, { ...files, 'other.ocm': 'version: 2.2\n<|start|>user<|message|>{{ x }}<|end|>\n' })
  const render = (...args: string[]) => ocm(['render', '--all-cases', '--as', 'ocm', ...args, '.'], { cwd })
  assert.deepEqual((await render('--check')).stdout, 'Snapshots: 2 missing\n')
  assert.equal((await render('--update')).stdout, 'Snapshots: 2 written\n')
  assert.deepEqual(
    readdirSync(cwd).filter((it) => it.endsWith('.txt')),
    ['a.one.ocm.txt', 'a.two.ocm.txt'],
  )
  assert.deepEqual(await render('--check'), { status: 0, stdout: 'Snapshots: 2 same\n', stderr: '' })
  writeFileSync(join(cwd, 'parts/style.md'), 'Be very {{ tone }}.\n')
  const { status, stdout } = await render('--check')
  assert.equal(status, 1)
  assert.match(stdout, /^\+.*Be very warm\./m)
  assert.match(stdout, /^Snapshots: 2 different$/m)
})

test('a prompt whose header cannot be read is not passed over, nor said to have no cases', async (t) => {
  const broken = prompt.replace('{ type: string }', '{{} type: string }')
  const transcript = 'a: {{} b\n<|start|>user<|message|>Hi<|end|>\n' // not a prompt
  const cwd = folder(t, { ...files, 'broken.ocm': broken, 'transcript.ocm': transcript })
  const complaint = 'ocm: broken.ocm:3:17: the header cannot be read: Unexpected text after the value\n'
  assert.deepEqual(await ocm(['render', '--case', 'one', '--as', 'ocm', 'broken.ocm'], { cwd }), {
    status: 2,
    stdout: '',
    stderr: complaint,
  })
  const render = (...args: string[]) => ocm(['render', '--all-cases', '--as', 'ocm', ...args, '.'], { cwd })
  assert.deepEqual(await render('--update'), {
    status: 2,
    stdout: 'Snapshots: 2 written\n',
    stderr: complaint,
  })
  assert.deepEqual(await render('--check'), { status: 2, stdout: 'Snapshots: 2 same\n', stderr: complaint })
})

test('what keeps a prompt from being filled is reported with its place', async (t) => {
  const failing = async (changes: Readonly<Record<string, string>>, name = 'one') => {
    const cwd = folder(t, { ...files, ...changes })
    const { status, stdout, stderr } = await ocm(['render', '--case', name, '--as', 'ocm', 'a.ocm'], { cwd })
    assert.deepEqual([status, stdout], [2, ''])
    return stderr
  }
  assert.equal(await failing({}, 'oen'), 'ocm: a.ocm: unknown case `oen`; did you mean `one`?\n')
  assert.match(
    await failing({ 'parts/style.md': '{{ tnoe }}' }),
    /^ocm: parts\/style\.md:1:4: `tnoe` is not declared/,
  )
  assert.match(
    await failing({ 'a.ocm': prompt.replace('parts/', '../') }),
    /^ocm: a\.ocm:7:\d+: A part must be in the workspace folder/,
  )
  const misfit = { 'a.cases.yaml': 'two: { customr: Bo }\n' }
  assert.match(await failing(misfit, 'two'), /^ocm: a\.cases\.yaml:1:1: `two` is missing a value/)
  const inHeader = { 'a.ocm': prompt.replace('customer: Ada', 'customer: 7') }
  assert.match(await failing(inHeader), /^ocm: a\.ocm:6:20: /)
  const list = { 'a.cases.yaml': '- two\n' }
  assert.match(await failing(list), /^ocm: a\.cases\.yaml:1:1: A file of cases must be a YAML mapping/)
  assert.match(
    await failing({ 'a.ocm': prompt.replace('{{ customer }}', '{{ customer | nofilter }}') }),
    /^ocm: a\.ocm:7:\d+: .*nofilter/,
  )
})

test('a case that does not fit keeps no other from being printed, compared, or checked', async (t) => {
  const cases =
    'two: { customr: Bo }\nthree: { customer: 3 }\nfour: { customer: Cy }\nfive: &five { customer: Di }\nsix: *five\n'
  const cwd = folder(t, { ...files, 'a.cases.yaml': cases })
  const render = (...args: string[]) => ocm(['render', '--as', 'ocm', ...args, 'a.ocm'], { cwd })
  assert.equal((await render('--case', 'one')).status, 0)
  assert.equal((await render('--case', 'six')).status, 0)
  const places = ['a.cases.yaml:1:1: ', 'a.cases.yaml:2:20: ']
  for (const args of [['--all-cases'], ['--all-cases', '--update'], ['--all-cases', '--check']]) {
    const { status, stdout, stderr } = await render(...args)
    assert.equal(status, 2)
    assert.deepEqual(
      places.map((it) => stderr.includes(it)),
      [true, true],
      stderr,
    )
    if (args.length === 1) assert.deepEqual(stdout.match(/(?<===> )\w+/g), ['one', 'four', 'five', 'six'])
  }
  assert.equal(readdirSync(cwd).filter((it) => it.endsWith('.ocm.txt')).length, 4)
  const { stdout } = await ocm(['check', 'a.ocm'], { cwd })
  const found = stdout.match(/^a\.cases\.yaml:\d+:\d+/gm)
  assert.deepEqual(found, ['a.cases.yaml:1:1', 'a.cases.yaml:1:8', 'a.cases.yaml:2:20'])
})

test('a case that a target cannot write keeps no other from being written', async (t) => {
  const cwd = folder(t, { ...files, 'a.cases.yaml': `${files['a.cases.yaml']}three: { customer: Cy }\n` })
  const { status, stdout, stderr } = await ocm(['render', '--all-cases', '--as', 'harmony', 'a.ocm'], { cwd })
  assert.deepEqual(stdout.match(/(?<===> )\w+/g), ['one', 'three'])
  assert.equal(status, 2)
  assert.match(stderr, /^ocm: a\.ocm, case two: A body contains/)
})

test('snapshots whose case is gone are named', async (t) => {
  const cwd = folder(t, files)
  const render = (...args: string[]) =>
    ocm(['render', '--all-cases', '--as', 'ocm', ...args, './a.ocm'], { cwd })
  await render('--update')
  writeFileSync(join(cwd, 'a.cases.yaml'), 'three: { customer: Bo }\n')
  const { status, stderr } = await render('--update')
  assert.equal(status, 0)
  assert.match(stderr, /^ocm: a\.two\.ocm\.txt: the prompt has no case `two`/)
  assert.ok(!stderr.includes('a.one.'))
})

test('snapshots of cases are refused for a target without the instructions', async (t) => {
  const cwd = folder(t, files)
  for (const args of [['--check'], ['--update'], ['--check', '--as', 'conversation']]) {
    const { status, stderr } = await ocm(['render', '--all-cases', ...args, 'a.ocm'], { cwd })
    assert.equal(status, 2)
    assert.match(stderr, /^ocm: Snapshots of cases require `--as`/)
  }
})

test('a link out of the folder is no part', {
  skip: process.platform === 'win32' && 'no links as here',
}, async (t) => {
  const outside = folder(t, { secret: 'SECRET' })
  const cwd = folder(t, files)
  symlinkSync(outside, join(cwd, 'linked'))
  writeFileSync(join(cwd, 'a.ocm'), prompt.replace('parts/style.md', 'linked/secret'))
  const { status, stdout, stderr } = await ocm(['render', '--case', 'one', '--as', 'ocm', 'a.ocm'], { cwd })
  assert.equal(status, 2)
  assert.ok(!`${stdout}${stderr}`.includes('SECRET'))
})

test('the sample is filled in all its cases', async () => {
  const names = ['greeting', 'no-order', 'refund', 'several-orders', 'injection']
  const { status, stdout, stderr } = await ocm([
    'render',
    '--all-cases',
    '--as',
    'ocm',
    'samples/16-prompt.ocm',
  ])
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  for (const name of names) assert.ok(stdout.includes(`==> ${name} <==`), name)
  assert.ok(stdout.includes('- A-1024: 12.50 €, delivered'))
  assert.ok(!readFileSync('samples/16-prompt.ocm', 'utf8').includes('A-1024'))
})

test('a case is printed as a chat template writes it', async (t) => {
  const cwd = folder(t, {
    ...files,
    'model/tokenizer_config.json': JSON.stringify({
      bos_token: '<s>',
      chat_template: '{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}',
    }),
  })
  const render = (...args: string[]) => ocm(['render', '--case', 'two', ...args, 'a.ocm'], { cwd })
  assert.deepEqual(await render('--as', 'chat-template', '--template', 'model'), {
    status: 0,
    stdout: '<s><developer>Help Bo<|end|>. Be cold.<user>Hi',
    stderr: '',
  })
  assert.match((await render('--as', 'chat-template')).stderr, /requires `--template FILE`/)
  assert.match((await render('--as', 'ocm', '--template', 'model')).stderr, /requires `--as chat-template`/)
})

test('budgets, parts, and cases are checked wherever prompts are', async (t) => {
  const cwd = folder(t, {
    ...files,
    'a.ocm': prompt.replace('cases:', 'budgets:\n  prompt: 12\n  messages: { user: 100 }\ncases:'),
    'b.ocm': prompt.replace('style.md', 'missing.md'),
    'b.cases.yaml': 'two: { customr: Bo }\n',
    'c.ocm': prompt,
  })
  const check = await ocm(['check', '.'], { cwd })
  assert.equal(check.status, 2, check.stdout)
  assert.match(check.stdout, /a\.ocm:6:11: .*The prompt has \d\d tokens in the case `two`, more than 12/s)
  assert.match(check.stdout, /b\.cases\.yaml/)
  assert.ok(!check.stdout.includes('c.ocm:'), check.stdout)
  const missing = await ocm(['check', '--select', 'unfillable-prompt', 'd.ocm'], {
    cwd: folder(t, { 'd.ocm': prompt }),
  })
  assert.match(missing.stdout, /d\.ocm:7:\d+: .*parts\/style\.md: this part does not exist/s)
  const render = (...args: string[]) =>
    ocm(['render', '--as', 'ocm', '--all-cases', ...args, 'a.ocm'], { cwd })
  const { status, stderr } = await render()
  assert.equal(status, 0)
  assert.match(stderr, /^ocm: a\.ocm:6:11: The prompt has \d\d tokens/)
  assert.equal((await render('--update')).status, 0)
  assert.equal((await render('--check')).status, 1)
})

test('only the chosen case has to be within the budget', async (t) => {
  const cwd = folder(t, {
    'a.ocm': `version: 2.2
inputs:
  customer: { type: string }
cases:
  short: { customer: Bo }
  long: { customer: "Ada Lovelace, Countess of Lovelace, and her friends, all of them from London" }
budgets:
  messages: { developer: 14 }
  sections: { Long: 100 }
<|start|>developer<|message|>Help {{ customer }}.
{% if customer != "Bo" %}
# Long

Yes
{% endif %}<|end|>
`,
  })
  const render = (...args: string[]) => ocm(['render', '--as', 'ocm', ...args, 'a.ocm'], { cwd })
  assert.equal((await render('--all-cases', '--update')).status, 0)
  const ofShort = await render('--case', 'short', '--check')
  assert.equal(ofShort.status, 0)
  assert.doesNotMatch(ofShort.stderr, /a\.ocm:/) // a section of another case isn't missing either
  assert.doesNotMatch((await render('--case', 'short')).stderr, /a\.ocm:/)
  for (const args of [['--case', 'long'], ['--all-cases']]) {
    const { status, stderr } = await render(...args, '--check')
    assert.equal(status, 1)
    assert.match(stderr, /a\.ocm:8:\d+: A message of `developer` has \d\d tokens in the case `long`/)
  }
})

test('a case cannot be in the header and in the file of cases', async (t) => {
  const cwd = folder(t, { ...files, 'a.cases.yaml': 'one: { customer: Bo }\n' })
  const { status, stderr } = await ocm(['render', '--all-cases', '--as', 'ocm', '--update', '.'], { cwd })
  assert.equal(status, 2)
  assert.match(stderr, /a\.cases\.yaml:1:1: The header already has a case `one`/)
  assert.match(readFileSync(join(cwd, 'a.one.ocm.txt'), 'utf8'), /Help Ada/)
})
