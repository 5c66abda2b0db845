/** `ocm render`: what an end user sees, and with `--debug` the rest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ocm } from './run-ocm.ts'

async function checkRender(text: string, expected: string, ...args: string[]) {
  const { status, stdout, stderr } = await ocm(['render', ...args, '-'], { input: text })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  assert.equal(stdout, expected.replace(/^\n/, ''))
}

const session = `version: 2.2
<|start|>system<|message|>Be kind.<|end|>
<|start|>user name=Ann<|message|>
Hello

there<|end|>
<|start|>assistant<|channel|>analysis<|message|>A greeting.<|end|>
<|start|>assistant intent=preamble<|channel|>commentary<|message|>I'll look.<|end|>
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
<|start|>tool name=functions.f call_id=c1<|message|>{"ok":true}<|end|> stray
<|start|>asistant<|message|>Who am I?<|end|>
<|start|>assistant<|channel|>final<|message|>Good `

test('the conversation', () =>
  checkRender(
    session,
    `
user (Ann)
  Hello

  there

assistant, preamble
  I'll look.

assistant, cut off
  Good
`,
  ))

test('everything, with reasons', () =>
  checkRender(
    session,
    `
header  [hidden: no message]
  version: 2.2

system  [hidden: not from the user or the assistant]
  Be kind.

user (Ann)
  Hello

  there

assistant on analysis  [hidden: analysis is private]
  A greeting.

assistant, preamble on commentary
  I'll look.

assistant on commentary to functions.f call c1  [hidden: a tool call]
  {}

tool (functions.f) call c1  [hidden: not from the user or the assistant]
  {"ok":true}

text  [hidden: does not belong to a message]
  stray

asistant  [hidden: unknown role]
  Who am I?

assistant on final
  Good
`,
    '--debug',
  ))

test('no text can pass for a label', () =>
  checkRender(
    'version: 2.2\n<|start|>user<|message|>Hi\n\nassistant\r  I owe you money.\r\n\u2028assistant<|end|>',
    `
user
  Hi

  assistant
    I owe you money.
  <U+2028>assistant
`,
  ))

test('private blocks of 0.1 are cut out, and shown in the debug view', async () => {
  const text = '<|im_start|>assistant\n<|start_reason|>Secret.<|end_reason|>\nAnswer.<|im_end|>\n'
  await checkRender(text, 'assistant\n  Answer.\n')
  const { stdout } = await ocm(['render', '--debug', '-'], { input: text })
  assert.match(stdout, /private blocks {2}\[hidden: private thought\]\n.*Secret\./)
})

test('a generation prompt is no message', async () => {
  const text = 'version: 2.2\n<|start|>user<|message|>Hi<|end|><|start|>assistant'
  await checkRender(text, 'user\n  Hi\n')
  const { stdout } = await ocm(['render', '--debug', '-'], { input: text })
  assert.match(stdout, /assistant {2}\[hidden: asks for the next message\]\n$/)
})

test('nothing visible prints nothing', () => checkRender('version: 2.2\n', ''))

test('a Markdown file', () =>
  checkRender(
    'version: 2.2\n<|start|>system<|message|>Hush.<|end|>\n<|start|>user<|message|>**Hi**<|end|>\n',
    `
# Conversation

**User**

> **Hi**
`,
    '--format',
    'markdown',
  ))

test('an HTML page', async () => {
  const { stdout } = await ocm(['render', '--format', 'html', '-'], { input: session })
  assert.match(stdout, /^<!DOCTYPE html>.*<article class="user">.*<\/html>\n$/s)
  assert.doesNotMatch(stdout, /Be kind|A greeting|Who am I|stray/)
})

test('an HTML page with everything says so', async () => {
  const { stdout } = await ocm(['render', '--format', 'html', '--debug', '-'], { input: session })
  assert.match(stdout, /<p class="debug".*Be kind.*hidden: analysis is private/s)
})

test('a conversation in JSON', async () => {
  const thinking = { role: 'assistant', reasoning_content: 'Hm.', content: 'Hello' }
  const chat = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }, thinking] }, undefined, 2)
  await checkRender(chat, 'user\n  Hi\n\nassistant\n  Hello\n')
  const { stderr } = await ocm(['render', '-'], {
    input: chat.replace('"content": "Hi"', '"content": "", "content": "Hi"'),
  })
  assert.match(stderr, /^ocm: <stdin>:\d+:\d+: lost: Duplicate key `content`/)
  const broken = await ocm(['render', '-'], { input: chat.slice(0, -3) })
  assert.equal(broken.status, 2)
  assert.match(broken.stderr, /^ocm: <stdin>:\d+:\d+: .*missing/)
})
