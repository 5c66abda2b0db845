/** Merge conflicts: one problem each, whatever they cut through. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Document } from '../../core/src/internal.ts'
import { shown } from './check-rules.ts'

const first = 'version: 2.2\n<|start|>user<|message|>Hi<|end|>\n'
const call = (id: string, day: string) =>
  `<|start|>assistant to=functions.f call_id=${id}<|channel|>commentary<|constrain|>json<|message|>{"day":"${day}"}<|call|>\n`

const found: readonly (readonly [title: string, text: string, problems: readonly string[]])[] = [
  [
    'between messages',
    `${first}<<<<<<< HEAD\n${call('a', '1')}=======\n${call('a', '2')}>>>>>>> feature\n`,
    ['error merge-conflict «<<<<<<< HEAD»'],
  ],
  [
    'with what both changed, and Windows line breaks',
    `${first}<<<<<<< HEAD\n${call('a', '1')}||||||| 1a2b\n=======\n>>>>>>> feature\n`.replaceAll(
      '\n',
      '\r\n',
    ),
    ['error merge-conflict «<<<<<<< HEAD»'],
  ],
  [
    'in a header',
    '<<<<<<< HEAD\nversion: 2.2\n=======\nversion: 2.1\n>>>>>>> feature\n<|start|>user<|message|>Hi<|end|>\n',
    ['error merge-conflict «<<<<<<< HEAD»'],
  ],
  [
    'that cuts bodies in two',
    'version: 2.2\n<|start|>user<|message|>One\n<<<<<<< HEAD\ntwo<|end|>\n=======\nzwei<|end|>\n>>>>>>> feature\n',
    ['error merge-conflict «<<<<<<< HEAD»'],
  ],
  [
    'in a body, which may be about it',
    'version: 2.2\n<|start|>user<|message|>What is this?\n<<<<<<< HEAD\ntwo\n=======\nzwei\n>>>>>>> feature\n<|end|>\n',
    ['hint merge-conflict «<<<<<<< HEAD»'],
  ],
  [
    'two of them',
    `${first}<<<<<<< A\n${call('a', '1')}=======\n>>>>>>> B\n<<<<<<< A\n=======\n${call('b', '1')}>>>>>>> B\n`,
    ['error merge-conflict «<<<<<<< A»', 'error merge-conflict «<<<<<<< A»'],
  ],
  ['a marker without the others', `${first}>>>>>>> feature\n`, ['error stray-text «>>>>>>> feature»']],
  ['a heading', 'version: 2.2\n<|start|>user<|message|>Title\n=======\n<|end|>\n', []],
]

for (const [title, text, problems] of found) {
  test(`a conflict: ${title}`, () => assert.deepEqual(shown(text), problems))
}

test('a conflict that is resolved, and one that comes back', () => {
  const text = `${first}<<<<<<< HEAD\n${call('a', '1')}=======\n${call('a', '2')}>>>>>>> feature\n`
  const document = new Document(text)
  const rules = () => document.problems().problems.map((it) => it.rule)
  assert.deepEqual(rules(), ['merge-conflict'])
  const start = text.indexOf('<<<<<<<')
  const length = '<<<<<<< HEAD\n'.length
  document.edit([{ start, end: start + length, text: '' }])
  assert.deepEqual(rules(), ['stray-text', 'duplicate-call-id', 'stray-text'])
  document.edit([{ start, end: start, text: '<<<<<<< HEAD\n' }])
  assert.deepEqual(rules(), ['merge-conflict'])
})
