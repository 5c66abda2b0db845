/** The commands in pages that are read from top to bottom: each runs in the folder that those before it left, and prints what the page says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { commandFolder } from './command-folder.ts'

const skip = process.platform === 'win32' && 'the commands are for a POSIX shell'

/** What *Copy Examples to Folder…* copies. */
const examples = [
  ...readFileSync('client/src/welcome/examples.ts', 'utf8').matchAll(/'([\w./-]+\.(?:ocm|jsonl|yaml|md))'/g),
].map(([, path = '']) => path)

const recorded = JSON.stringify({
  messages: [
    { role: 'user', content: 'How warm is it in Tokyo?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Tokyo, JP"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"celsius":20}' },
    { role: 'assistant', content: 'It is 20 °C in Tokyo.' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    },
  ],
})

const sample = (user: string, assistant: string) =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content: user },
      { role: 'assistant', content: assistant },
    ],
  })}\n`

interface Page {
  readonly files: Readonly<Record<string, string>>
  /** The exit statuses of commands that report something. */
  readonly statuses?: Readonly<Record<string, number>>
}

const pages: Readonly<Record<string, Page>> = {
  'docs/tour.md': {
    files: Object.fromEntries(examples.map((it) => [it, readFileSync(join('samples', it), 'utf8')])),
    statuses: { 'ocm check --fix 15-mistakes.ocm': 1, "ocm filter --count 'problem:*' dataset.jsonl": 2 },
  },
  'docs/fixtures.md': { files: { 'recorded.json': recorded, 'fixtures/.keep': '' } },
  'docs/training-data.md': {
    files: {
      'train.jsonl': [
        sample('What is the capital of France?', 'Paris.'),
        sample('And of Norway?', ''),
        sample('Name three primes.', '2, 3, and 5.'),
        sample('Where is the key?', `It is ${'sk_'}live_4eC39HqLyjWDarjtT1zdp7dc.`),
      ].join(''),
      'test.jsonl': sample('Name three primes.', '2, 3, and 5.'),
    },
    statuses: { 'ocm check --select W-DATA,W-PAIR --fail-on warning train.jsonl': 1 },
  },
}

/** Blocks of commands, each with what it prints if the page says so. */
function commandsIn(
  page: string,
): readonly { readonly lines: string; readonly output: string | undefined }[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```sh\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?/gms)
  return [...blocks].map(([, lines = '', output]) => ({ lines, output }))
}

for (const [page, { files, statuses = {} }] of Object.entries(pages)) {
  describe(page, { skip }, () => {
    test('its commands do what it says', (t) => {
      const { sh } = commandFolder(t, files)
      const commands = commandsIn(page)
      assert.ok(commands.length >= 3)
      for (const { lines, output } of commands) {
        const { status, stdout, stderr } = sh(`exec 2>&1\n${lines}`)
        assert.equal(status, statuses[lines.trim()] ?? 0, `${lines}\n${stdout}${stderr}`)
        if (output !== undefined) assert.match(stdout, matching(output), lines)
      }
    })
  })
}

/** What an output must be; a line with `…` alone stands for any lines. */
function matching(output: string): RegExp {
  const parts = output.trimEnd().split(/^…$/m)
  const escaped = parts.map((it) => it.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  // Linear: at most one gap, in a text of a few lines.
  return new RegExp(`^${escaped.join('[^]*')}\\s*$`)
}
