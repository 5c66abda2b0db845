/** `ocm render --as training`: what a model is trained on. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { nightly } from '../helpers/nightly.ts'
import { ocm, ocmProcess } from './run-ocm.ts'

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'training-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write(
    'chat_template.jinja',
    `{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}{{ eos_token }}\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`,
  )
  write('tokenizer_config.json', '{"eos_token": {"content": "<|im_end|>"}, "model_max_length": 1000}')
  cpSync('test/training/tokenizers/byte-level.json', join(folder, 'tokenizer.json'))
  mkdirSync(join(folder, 'other'))
  write(
    'other/alternating.jinja',
    `{% if messages[0].role != 'user' %}\n{{ raise_exception('Begin with the user!') }}{% endif %}x`,
  )
  write('broken.jinja', '{% if x %}\n{{ y }')
  const sample = (...roles: string[]) =>
    `${JSON.stringify({ messages: roles.map((role) => ({ role, content: `I am ${role}.` })) })}\n`
  write('data.jsonl', sample('user', 'assistant') + sample('system', 'user', 'assistant'))
})
after(() => rmSync(folder, { recursive: true }))

const render = (...args: string[]) => ocm(['render', '--as', 'training', ...args])

describe('a tokenizer with an expression that backtracks', () => {
  for (const [command, ...more] of [['stats'], ['render', '--as', 'training'], ['check']] as const)
    it(`does not hold up ocm ${command}`, async () => {
      const tokenizer = JSON.parse(readFileSync('test/training/tokenizers/byte-level.json', 'utf8'))
      const pattern = { Regex: '(a+)+$' }
      tokenizer.pre_tokenizer = { type: 'Split', pattern, behavior: 'Isolated', invert: false }
      const [file, data] = [join(folder, 'backtracking.json'), join(folder, 'letters.jsonl')]
      writeFileSync(file, JSON.stringify(tokenizer))
      const content = `${'a'.repeat(40)}!`
      const messages = [
        { role: 'user', content },
        { role: 'assistant', content: 'Yes.' },
      ]
      writeFileSync(data, JSON.stringify({ messages }))
      const { status } = await ocmProcess([command, ...more, '--template', folder, '--tokenizer', file, data])
      assert.equal(status, 0)
    })
})

describe('the training view of a dataset', () => {
  it('is text with the trained part marked, where there are no colors', async () => {
    const { status, stdout, stderr } = await render('--template', folder, join(folder, 'data.jsonl'))
    assert.deepEqual([status, stderr], [0, ''])
    assert.ok(stdout.includes('<|im_start|>assistant\n⟦I am assistant.<|im_end|>\n⟧'), stdout)
    assert.match(stdout, /data\.jsonl:2: \d+ of \d+ tokens trained \(mask: assistant\)/)
  })

  it('is colored if that is asked for', async () => {
    const { stdout } = await render('--format', 'ansi', '--template', folder, join(folder, 'data.jsonl'))
    assert.ok(stdout.includes('\u001b[32mI am assistant.<|im_end|>\u001b[0m'))
    assert.ok(stdout.includes('\u001b[2m<|im_start|>user\u001b[0m'))
  })

  it('is an object a line with ids, places and the mask', async () => {
    const { stdout } = await render(
      '--format',
      'json',
      '--template',
      folder,
      '--max-length',
      '20',
      join(folder, 'data.jsonl'),
    )
    const [first, second] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual([first.line, second.line, first.unit, first.exact], [1, 2, 'tokens', true])
    assert.equal(first.ids.length, first.total)
    const trained = first.offsets.filter((_: unknown, index: number) => first.loss_mask[index] === 1)
    assert.equal(trained.length, first.trained)
    assert.ok(
      trained.every(([start, end]: [number, number]) =>
        'I am assistant.<|im_end|>\n'.includes(first.text.slice(start, end)),
      ),
    )
    assert.equal(second.cut, second.total - 20)
  })

  it('is an object with all tokens, however many', async () => {
    for (const count of [1, 4000, 4090, 9000]) {
      const messages = [{ role: 'user', content: 'a b'.repeat(count) }]
      writeFileSync(join(folder, 'long.jsonl'), `${JSON.stringify({ messages })}\n`)
      const { stdout } = await render('--format', 'json', join(folder, 'long.jsonl'))
      const { text, total, trained, ids, offsets, loss_mask: mask } = JSON.parse(stdout)
      assert.deepEqual([ids.length, offsets.length, mask.length], [total, total, total])
      assert.equal(offsets.map(([start, end]: [number, number]) => text.slice(start, end)).join(''), text)
      assert.equal(mask.filter((it: number) => it === 1).length, trained)
      assert.ok(stdout.endsWith('}\n'))
    }
  })

  it('is a page that loads nothing', async () => {
    const one = join(folder, 'one.json')
    writeFileSync(
      one,
      '{"messages":[{"role":"user","content":"<script>"},{"role":"assistant","content":"<b>"}]}',
    )
    const { stdout } = await render('--format', 'html', '--template', folder, one)
    assert.ok(stdout.includes("default-src 'none'") && stdout.includes('<mark>&lt;b&gt;&lt;|im_end|&gt;'))
    assert.ok(!stdout.includes('<script>'))
  })

  it('reports samples that the template refuses, in its own words, and goes on', async () => {
    const { status, stdout, stderr } = await render(
      '--template',
      join(folder, 'other/alternating.jinja'),
      join(folder, 'data.jsonl'),
    )
    assert.equal(status, 2)
    assert.match(stderr, /data\.jsonl:2:1: The template fails in line 2, column 4: Begin with the user!/)
    assert.ok(stdout.includes('x'))
  })

  it('counts characters without a tokenizer, and says so', async () => {
    const { stdout } = await render(
      '--template',
      join(folder, 'other/alternating.jinja'),
      '--bad-lines',
      'skip',
      join(folder, 'data.jsonl'),
    )
    assert.match(stdout, /characters trained/)
  })
})

describe('the training view of a transcript', () => {
  it('is Harmony unless a template is named', async () => {
    const { status, stdout } = await render('samples/02-weather-tool.ocm')
    assert.equal(status, 0)
    assert.match(stdout, /\d+ of \d+ tokens trained \(mask: assistant\)/)
    assert.match(stdout, /<\|start\|>assistant⟦<\|channel\|>final<\|message\|>[^⟧]*<\|return\|>⟧/)
  })
})

describe('files that are no templates', () => {
  it('are refused with line and column', async () => {
    const { status, stderr } = await render(
      '--template',
      join(folder, 'broken.jinja'),
      'samples/01-hello.ocm',
    )
    assert.equal(status, 2)
    assert.match(stderr, /broken\.jinja: line 2, column \d+:/)
    assert.match(
      (await render('--template', join(folder, 'no.jinja'), 'samples/01-hello.ocm')).stderr,
      /no such file/,
    )
    assert.match(
      (await render('--template', folder, '--tokenizer', 'no.json', 'samples/01-hello.ocm')).stderr,
      /no such file/,
    )
  })

  it('and options of other views are refused', async () => {
    assert.match(
      (await ocm(['render', '--mask', 'all', 'samples/01-hello.ocm'])).stderr,
      /require `--as training`/,
    )
    assert.match(
      (await render('--format', 'markdown', 'samples/01-hello.ocm')).stderr,
      /`ansi`, `json`, or `html`/,
    )
  })
})

describe('training data', () => {
  const lines = (...samples: object[]) => samples.map((it) => `${JSON.stringify(it)}\n`).join('')
  const sample = (question: string, answer: string) => ({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  })

  it('is checked as a template renders it', async () => {
    writeFileSync(
      join(folder, 'system.jsonl'),
      lines({ messages: [{ role: 'system', content: 'x' }, ...sample('Hi', 'Ho').messages] }),
    )
    const refused = await ocm([
      'check',
      '--template',
      join(folder, 'other/alternating.jinja'),
      join(folder, 'system.jsonl'),
    ])
    assert.match(
      refused.stdout,
      /error: The template fails in line 2, column \d+: Begin with the user! \[E-TEMPLATE-FAILS failing-template\]/,
    )
    assert.equal(refused.status, 1)
    const cut = await ocm(['check', '--template', folder, '--max-length', '5', join(folder, 'data.jsonl')])
    assert.match(
      cut.stdout,
      /The maximum length cuts \d+ tokens, some of them from an answer \[W-DATA-LENGTH/,
    )
    const fine = await ocm(['check', '--template', folder, join(folder, 'data.jsonl')])
    assert.equal(fine.stdout, 'No problems in 2 samples\n')
  })

  it('is compared with another dataset', async () => {
    writeFileSync(join(folder, 'test-set.jsonl'), lines(sample('2 + 2?', '4'), sample('Hi', 'Hello')))
    writeFileSync(join(folder, 'train-set.jsonl'), lines(sample('3 + 3?', '6'), sample('2 + 2?', '4')))
    const { stdout } = await ocm(['check', '--against', 'test-set.jsonl', 'train-set.jsonl'], { cwd: folder })
    assert.match(
      stdout,
      /as well: 1 \(`train-set\.jsonl:2 = test-set\.jsonl:1`\) \[W-DATA-LEAK leaked-sample\]\n\n1 warning in 2 samples/,
    )
  })

  it('has its repeated samples summed up once, and its null arguments removed', async () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } },
      },
    ]
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: { a: 'x', b: null } } }
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ]
    writeFileSync(
      join(folder, 'repeated.jsonl'),
      lines({ messages, tools }, sample('Hi', 'Ho'), sample('Hi', 'Ho')),
    )
    const { stdout } = await ocm(['check', '--fix', '--output', 'fixed.jsonl', 'repeated.jsonl'], {
      cwd: folder,
    })
    assert.match(stdout, /earlier one: 1 \(`repeated\.jsonl:3 = repeated\.jsonl:2`\)/)
    assert.match(readFileSync(join(folder, 'fixed.jsonl'), 'utf8'), /"arguments":\{"a":"x"\}/)
  })

  it('has a column of what is trained, by the tokens of the template', async () => {
    const filter = ['filter', '--count', '--template', folder]
    assert.equal((await ocm([...filter, 'trained>0', join(folder, 'data.jsonl')])).stdout, '2\n')
    const all = await ocm([...filter, '--mask', 'all', 'trained<20', join(folder, 'data.jsonl')])
    const tokens = await ocm([...filter, 'tokens<20', join(folder, 'data.jsonl')])
    assert.equal(all.stdout, tokens.stdout)
    const stats = await ocm([
      'stats',
      '--format',
      'json',
      '--columns',
      'tokens,trained',
      '--template',
      folder,
      join(folder, 'data.jsonl'),
    ])
    assert.match(stats.stdout, /"trained"/)
  })

  it('is checked by a module that the command line names, as the documentation has it', async () => {
    writeFileSync(join(folder, 'loud.jsonl'), lines(sample('Hi', 'HELLOOOOOOOOOO'), sample('Bye', 'Bye')))
    const args = ['check', '--checks', resolve('docs/examples/checks.mjs'), 'loud.jsonl']
    const { stdout, status } = await ocm(args, { cwd: folder })
    assert.match(stdout, /^loud\.jsonl:1:\d+: hint: The assistant shouts \[CUSTOM shouting\]$/m)
    assert.match(stdout, /^1 hint in 2 samples$/m)
    assert.equal(status, 0)
    const { runs } = JSON.parse((await ocm([...args, '--format', 'sarif'], { cwd: folder })).stdout)
    const [{ tool, results }] = runs
    const [{ ruleId }] = results
    const descriptor = tool.driver.rules.find(({ id }: { id: string }) => id === ruleId)
    assert.deepEqual(descriptor.properties, { code: 'CUSTOM', severity: 'hint' })
    writeFileSync(
      join(folder, 'odd.mjs'),
      `export const checks = [
        { name: 'later', check: async () => 'Late' },
        { name: 'number', check: () => 42 },
        { name: 'throwing', check() { throw new Error('CANARY') } },
        { name: 'right', check: () => ['One', 'Two'] },
      ]`,
    )
    const odd = await ocm(['check', '--checks', 'odd.mjs', 'loud.jsonl'], { cwd: folder })
    const wanted = 'must return a string, an array of strings, or nothing, but returns a value of type'
    assert.ok(odd.stderr.includes(`loud.jsonl:1: the check later ${wanted} \`promise\`\n`), odd.stderr)
    assert.ok(odd.stderr.includes(`loud.jsonl:2: the check number ${wanted} \`number\`\n`))
    assert.match(odd.stderr, /the check throwing failed: Error\n/)
    assert.doesNotMatch(odd.stderr, /CANARY/)
    assert.match(odd.stdout, /^4 warnings in 2 samples$/m)
    const missing = await ocm(['check', '--checks', 'nothing.mjs', 'loud.jsonl'], { cwd: folder })
    assert.deepEqual([missing.status, missing.stdout], [2, ''])
    assert.match(missing.stderr, /nothing\.mjs: can't be loaded: /)
    if (process.platform === 'win32') return // no devices as here
    symlinkSync('/dev/zero', join(folder, 'endless.mjs'))
    const endless = await ocm(['check', '--checks', 'endless.mjs', 'loud.jsonl'], { cwd: folder })
    assert.match(endless.stderr, /endless\.mjs: can't be loaded: not a regular file/)
  })
})

describe('a report', () => {
  const lines = (...samples: object[]) => samples.map((it) => `${JSON.stringify(it)}\n`).join('')
  const sample = (question: string, answer: string) => ({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  })
  const run = (...args: string[]) => ocm(['report', ...args], { cwd: folder })

  it('shows no words of a sample with a secret, whichever other problems it has', async () => {
    const key = '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'
    const pair = { prompt: 'Hi', chosen: '', rejected: `It is ${key}` }
    writeFileSync(
      join(folder, 'key.jsonl'),
      lines(pair, sample(`My token is ${key}`, ''), sample('CANARY', '')),
    )
    const { stdout } = await run('--with-hidden', 'key.jsonl')
    assert.match(stdout, /W-DATA-SECRET[\s\S]*W-DATA-EMPTY-ANSWER|W-DATA-EMPTY-ANSWER[\s\S]*W-DATA-SECRET/)
    assert.match(stdout, /CANARY/)
    assert.doesNotMatch(stdout, /hf_/)
  })

  it('quotes no hidden words in messages, unless it is asked to', async () => {
    const tools = [
      {
        type: 'function',
        function: { name: 'f', parameters: { type: 'object', properties: { unit: { enum: ['celsius'] } } } },
      },
    ]
    const called = (input: string) => ({
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: input } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'ok' },
        { role: 'assistant', content: 'Ho <|channel|>' },
      ],
      tools,
    })
    const inBranch = { prompt: 'Hi', chosen: 'Ho', rejected: called('{"unit": CANARY}').messages.slice(1) }
    writeFileSync(
      join(folder, 'quotes.jsonl'),
      lines(
        called('{"unit":"CANARY"}'),
        called('{"unit": CANARY}'),
        called('{"CANARY":1,"CANARY":2}'),
        inBranch,
        {
          text: 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n<|channel|>analysis<|message|>CANARY<|end|>\n',
        },
      ),
    )
    writeFileSync(
      join(folder, 'echo.jinja'),
      '{{ raise_exception(messages[1].tool_calls[0].function.arguments) }}',
    )
    const { stdout } = await run('quotes.jsonl')
    assert.match(stdout, /`…` must be `…`, but is the string `…`/)
    assert.doesNotMatch(stdout, /CANARY/)
    assert.doesNotMatch((await run('--template', 'echo.jinja', 'quotes.jsonl')).stdout, /CANARY/)
    assert.match(
      (await run('--with-hidden', 'quotes.jsonl')).stdout,
      /but is the string `&quot;CANARY&quot;`/,
    )
  })

  it('shows no secret among the values of a column', async () => {
    const key = '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'
    const withId = (id: string) => ({ id, ...sample('Hi', 'Ho') })
    writeFileSync(join(folder, 'key-id.jsonl'), lines(withId(`key ${key}`), withId('plain')))
    const { stdout } = await run('key-id.jsonl')
    assert.match(stdout, />plain</)
    assert.doesNotMatch(stdout, /hf_/)
  })

  it('is a page with what is wrong, without hidden text, that loads nothing', async () => {
    const thinking = sample('<b>2 + 2?</b>', '<think>CANARY</think>')
    writeFileSync(join(folder, 'report.jsonl'), lines(thinking, sample('Hi', 'Ho'), sample('Hi', 'Ho')))
    const { status, stderr } = await run('--html', 'report.html', '--fail-on', 'warning', 'report.jsonl')
    assert.deepEqual([status, stderr], [1, ''])
    const page = readFileSync(join(folder, 'report.html'), 'utf8')
    assert.match(
      page,
      /W-DATA-DUPLICATE<\/th><td>warning<\/td><td class="words">Samples that repeat an earlier one: 1 \(`report\.jsonl:3 = report\.jsonl:2`\)/,
    )
    assert.match(page, /W-DATA-EMPTY-ANSWER <code>empty-answer<\/code>: warning, 1<\/summary>/)
    assert.match(page, /<td class="words">&lt;b&gt;2 \+ 2\?&lt;\/b&gt;<\/td>/)
    assert.doesNotMatch(page, /CANARY|<script|src=|href=|url\(|@import/)
    assert.match(page, /default-src 'none'/)
    assert.match((await run('--with-hidden', 'report.jsonl')).stdout, /CANARY/)
  })

  it('of parts is that of the whole, with duplicates across them and leaks', async () => {
    writeFileSync(join(folder, 'one.jsonl'), lines(sample('Hi', 'Ho'), sample('2 + 2?', '4')))
    writeFileSync(join(folder, 'two.jsonl'), lines(sample('Hi', 'Ho'), sample('3 + 3?', '')))
    const whole = await run('--format', 'json', '--against', 'data.jsonl', 'one.jsonl', 'two.jsonl')
    for (const name of ['one', 'two']) {
      const part = await run('--format', 'json', '--against', 'data.jsonl', `${name}.jsonl`)
      writeFileSync(join(folder, `${name}.json`), part.stdout)
    }
    const merged = await run('--merge', '--format', 'json', 'one.json', 'two.json')
    assert.equal(merged.stdout, whole.stdout)
    assert.match((await run('--merge', 'one.json', 'two.json')).stdout, /two\.jsonl:1 = one\.jsonl:1/)
    assert.equal((await run('--merge', 'one.jsonl')).status, 2)
  })

  nightly(
    'of shards is that of the file: its title, examples in order, and the later of two equal samples',
    async () => {
      const samples = Array.from({ length: 2500 }, (_, nth) =>
        sample(`Question ${nth}`, nth % 400 === 399 ? '' : `Answer ${nth}`),
      )
      writeFileSync(
        join(folder, 'large.jsonl'),
        lines(...samples.with(1500, sample('Same', 'Same')).with(2200, sample('Same', 'Same'))),
      )
      for (const part of [1, 2]) {
        const { stdout } = await run('--format', 'json', '--shard', `${part}/2`, 'large.jsonl')
        writeFileSync(join(folder, `shard-${part}.json`), stdout)
      }
      const whole = await run('large.jsonl')
      assert.match(whole.stdout, /<title>Report on large\.jsonl<[\s\S]*large\.jsonl:2201 = large\.jsonl:1501/)
      const merged = await run('--merge', 'shard-1.json', 'shard-2.json')
      assert.equal(merged.stdout, whole.stdout)
      const warned = await run('--merge', '--fail-on', 'warning', 'shard-1.json', 'shard-2.json')
      assert.deepEqual([warned.status, merged.status], [1, 0])
    },
  )
})
