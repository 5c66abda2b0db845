/** `ocm render --as training`: what a model is trained on. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { ocm } from './run-ocm.ts'

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
    assert.match(stderr, /data\.jsonl:2: The template fails in line 2, column 4: Begin with the user!/)
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
      /go with `--as training`/,
    )
    assert.match(
      (await render('--format', 'markdown', 'samples/01-hello.ocm')).stderr,
      /`ansi`, `json`, or `html`/,
    )
  })
})
