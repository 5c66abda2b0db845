/** Sessions of coding agents. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isTextOfProgram, withoutReminders } from '../../core/src/forms/samples/agent-session.ts'
import {
  ConversionError,
  convert,
  detectForm,
  editableSample,
  editedSample,
  parseToJson,
  readConversation,
  readSample,
  sampleJudge,
} from '../../core/src/internal.ts'
import { read } from './reading.ts'

const lines = (...entries: readonly object[]) => `${entries.map((it) => JSON.stringify(it)).join('\n')}\n`

const user = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}) => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
  ...more,
})
const assistant = (uuid: string, parentUuid: string, id: string, part: object, more: object = {}) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: { id, role: 'assistant', content: [part] },
  ...more,
})

const claude = [
  { type: 'file-history-snapshot', messageId: 'x', snapshot: {} },
  user('1', null, '<command-name>/init</command-name>'),
  user('2', '1', 'List the files'),
  assistant('3', '2', 'm1', { type: 'thinking', thinking: 'Use ls.', signature: 's' }),
  assistant('4', '3', 'm1', { type: 'text', text: 'Listing.' }),
  assistant('5', '4', 'm1', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }),
  user('6', '5', [{ type: 'tool_result', tool_use_id: 't1', content: 'a.txt' }]),
  assistant('7', '6', 'm2', { type: 'text', text: 'One file.' }),
  user('8', '2', 'Never mind'),
  user('s1', null, 'Search', { isSidechain: true, agentId: 'a1' }),
  assistant('s2', 's1', 'm9', { type: 'text', text: 'Found' }, { isSidechain: true, agentId: 'a1' }),
  { type: 'attachment', uuid: '9' },
]

test('Claude Code: the path to the last message, branches, and agents', () => {
  const main = [claude[0], ...claude.slice(1, 7), claude[8], claude[7], ...claude.slice(9)]
  const actual = read(main)
  assert.equal(actual.form, 'claude-code')
  assert.deepEqual(actual.lines, [
    'developer: <command-name>/init</command-name>',
    'user: List the files',
    'assistant/analysis: Use ls.',
    'assistant/preamble: Listing.',
    'call functions.Bash#t1: {"command":"ls"}',
    'reply functions.Bash#t1: a.txt',
    'assistant: One file.',
  ])
  assert.deepEqual(actual.told, ['content-part'])
  assert.deepEqual(actual.branches, ['main', 'branch-1', 'agent:a1'])
  assert.deepEqual(read(main, 'branch-1').lines.at(-1), 'user: Never mind')
  assert.deepEqual(read(main, 'agent:a1').lines, ['developer: Search', 'assistant/analysis: Found'])
})

test('a file of lines is recognized and converted, also while it is written', () => {
  const text = lines(...claude)
  assert.equal(detectForm(text), 'claude-code')
  assert.match(convert(text, { to: 'ocm' }).text, /List the files/)
  assert.equal(detectForm(`${text}{"type": "us`), 'claude-code')
  assert.doesNotThrow(() => readConversation(`${text}{"type": "us`))
})

test('a last line that is cut off is reported, and all else is read', () => {
  const sessions = [
    lines(user('1', null, 'Hi'), assistant('2', '1', 'm', { type: 'text', text: 'Ho' })),
    lines(
      { type: 'session_meta', payload: { id: 's' } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      },
    ),
  ]
  for (const whole of sessions) {
    const cut = `${whole}{"type":"user","message":{"content":"More questi`
    const loss = {
      kind: 'unreadable',
      message: "The last line can't be read as JSON and is left out",
      range: { start: whole.length, end: cut.length },
    }
    assert.deepEqual(readConversation(whole).losses, [])
    assert.deepEqual(readConversation(cut).losses, [loss])
    const { text, losses } = convert(cut, { to: 'messages' })
    assert.deepEqual(losses.slice(0, 1), [loss])
    assert.equal(text, convert(whole, { to: 'messages' }).text)
    const sample = readSample(new TextEncoder().encode(cut), { rest: 'source' })
    assert.ok(sample.kind === 'good')
    const problems = sampleJudge({})(sample, sample.read())
    assert.deepEqual(
      problems.map(({ rule, message }) => [rule, message]).filter(([, it]) => it === loss.message),
      [['unreadable-call', loss.message]],
    )
  }
})

test('a session is read only', () => {
  const sample = editableSample(readSample(new TextEncoder().encode(lines(...claude)), { rest: 'source' }))
  assert.equal(sample.kind, 'good')
  if (sample.kind === 'good')
    assert.throws(() => editedSample(sample, sample.text.replace('Never mind', 'Go on')), ConversionError)
})

test('Codex: items, instructions, and what the program says', () => {
  const entries = [
    { type: 'session_meta', payload: { id: 's', base_instructions: { text: 'Be careful.' } } },
    { type: 'turn_context', payload: {} },
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>x' }],
      },
    },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it' }] },
    },
    { type: 'event_msg', payload: { type: 'user_message', message: 'Fix it' } },
    {
      type: 'response_item',
      payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look.' }], content: null },
    },
    {
      type: 'response_item',
      payload: { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
    },
    { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c1', output: 'a' } },
    {
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Once more' }],
        phase: 'commentary',
      },
    },
    {
      type: 'response_item',
      payload: {
        type: 'local_shell_call',
        call_id: 'c2',
        status: 'completed',
        action: { type: 'exec', command: ['ls'], timeout_ms: 1000, working_directory: null },
      },
    },
    { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c2', output: 'b' } },
    {
      type: 'response_item',
      payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] },
    },
  ]
  assert.equal(detectForm(lines(...entries)), 'codex')
  assert.deepEqual(read(entries).lines, [
    'developer: Be careful.',
    'developer: <environment_context>x',
    'user: Fix it',
    'assistant/analysis: Look.',
    'call functions.shell#c1: {"command":["ls"]}',
    'reply functions.shell#c1: a',
    'assistant/preamble: Once more',
    'call functions.local_shell#c2: {"type":"exec","command":["ls"],"timeout_ms":1000,"working_directory":null}',
    'reply functions.local_shell#c2: b',
    'assistant: Done',
  ])
  const events = [
    entries[0] ?? {},
    ...entries.slice(4, 5),
    { type: 'event_msg', payload: { type: 'agent_message', message: 'Done' } },
  ]
  assert.deepEqual(read(events).lines, ['developer: Be careful.', 'user: Fix it', 'assistant: Done'])
})

test('Pi: the path to the last entry, and what is for the model alone', () => {
  const message = (id: string, parentId: string | null, it: object) => ({
    type: 'message',
    id,
    parentId,
    message: it,
  })
  const entries = [
    { type: 'session', version: 3, id: 's', cwd: '/' },
    message('1', null, { role: 'user', content: 'Hi' }),
    message('2', '1', {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'T' },
        { type: 'toolCall', id: 'c', name: 'ls', arguments: {} },
      ],
    }),
    message('3', '2', {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'ls',
      content: [{ type: 'text', text: 'a' }],
    }),
    message('4', '3', { role: 'bashExecution', command: 'pwd', output: '/' }),
    message('5', '1', { role: 'assistant', content: 'Other' }),
    { type: 'compaction', id: '6', parentId: '4', summary: 'Short' },
    message('7', '6', { role: 'assistant', content: [{ type: 'text', text: 'Bye' }] }),
  ]
  assert.equal(detectForm(lines(...entries)), 'pi')
  assert.deepEqual(read(entries).lines, [
    'user: Hi',
    'assistant/analysis: T',
    'call functions.ls#c: {}',
    'reply functions.ls#c: a',
    'developer: pwd\n/',
    'developer: Short',
    'assistant: Bye',
  ])
  assert.deepEqual(read(entries, 'branch-1').lines, ['user: Hi', 'assistant: Other'])
})

/** What a user of the program saw, and the other branches, of a session as the program writes it. */
const recorded = {
  'claude-code': {
    visible: [
      'Add a price column\n',
      'I look at the exporter first.',
      'and in euros',
      'Like in this picture',
      'The column is there, in euros.',
      'Thanks',
      'You are welcome.',
    ],
    branches: ['main', 'agent:ag1'],
  },
  codex: {
    visible: ['Run the tests', 'I run them.', 'All tests pass.', 'Good', 'Anything else?'],
    branches: undefined,
  },
  pi: {
    visible: ['Which files are there?', 'I list them.', 'Two files.', 'Keep both', 'Kept.'],
    branches: ['main', 'branch-1'],
  },
} as const

for (const [form, { visible, branches }] of Object.entries(recorded))
  test(`a session with every kind of entry that ${form} writes shows what its user saw, and nothing else`, () => {
    const text = readFileSync(`test/fixtures/sessions/${form}.jsonl`, 'utf8')
    assert.equal(detectForm(text), form)
    const { conversation } = readConversation(text, { rest: 'source' })
    assert.deepEqual(conversation.branches, branches)
    const transcript = convert(text, { to: 'ocm' }).text
    const shown = parseToJson(transcript).visible
    assert.deepEqual(shown, visible)
    assert.ok(!shown.join().includes('SECRET'))
    // What was thought, called, and answered is there, hidden.
    assert.match(transcript, /<\|channel\|>analysis<\|message\|>SECRET/)
    assert.match(transcript, /<\|start\|>tool name=functions\.\w+ .*SECRET/)
  })

test('a tag of the program, in a part of its own or inside of a text, is not of the user', () => {
  for (const tag of ['<ide_selection>', '<user_shell_command>', '<teammate-message id="a">', '<skill>'])
    assert.ok(isTextOfProgram(`\n${tag}SECRET`), tag)
  for (const text of ['<div>', '<my-component>', 'a <skill>', '<T>', '<a_', '< skill >'])
    assert.ok(!isTextOfProgram(text), text)
  assert.deepEqual(
    withoutReminders('a<system-reminder>R</system-reminder>b<system-reminder>S').map(({ text }) => text),
    ['a', '<system-reminder>R</system-reminder>', 'b', '<system-reminder>S'],
  )
})
