/** Calls with one ID: which of them a reply answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convert, readConversation } from '../../core/src/internal.ts'

const call = (name: string) => ({ id: 'c1', type: 'function', function: { name, arguments: '{}' } })
const calling = (...names: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: names.map(call),
})
const reply = (content: string, name?: string) => ({
  role: 'tool',
  tool_call_id: 'c1',
  content,
  ...(name && { name }),
})

/** The tool and the text of each reply. */
function repliesOf(...messages: readonly object[]): readonly string[] {
  const { conversation } = readConversation(JSON.stringify({ messages }), { from: 'messages' })
  return conversation.messages
    .filter(({ role }) => role === 'tool')
    .map(({ name, content }) => `${name}: ${content.map((it) => it.text).join('')}`)
}

test('replies answer calls that were made together in their order', () => {
  assert.deepEqual(repliesOf(calling('f', 'g', 'f'), reply('1'), reply('2'), reply('3')), [
    'functions.f: 1',
    'functions.g: 2',
    'functions.f: 3',
  ])
})

test('a reply with a name answers the first call of that tool', () => {
  assert.deepEqual(repliesOf(calling('f', 'g'), reply('2', 'g'), reply('1', 'f')), [
    'functions.g: 2',
    'functions.f: 1',
  ])
})

test('a reply answers no call from before another message, and a second reply the last call', () => {
  const user = { role: 'user', content: 'Hi' }
  assert.deepEqual(repliesOf(calling('f'), user, calling('g'), reply('1'), reply('2')), [
    'functions.g: 1',
    'functions.g: 2',
  ])
})

test('a form whose calls have distinct IDs keeps who answers whom', () => {
  const messages = [calling('f', 'g'), reply('1'), reply('2')]
  const { text } = convert(JSON.stringify({ messages }), { from: 'messages', to: 'anthropic' })
  const [{ content: calls }, { content: results }] = JSON.parse(text).messages
  assert.deepEqual(
    results.map((it: { readonly tool_use_id: string; readonly content: string }) => [
      it.tool_use_id,
      it.content,
    ]),
    [
      [calls[0].id, '1'],
      [calls[1].id, '2'],
    ],
  )
})
