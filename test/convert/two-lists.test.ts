/** Objects with more than one of `messages`, `input` and `output`: one is the conversation, and the others are kept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConversionError, convert, type TargetForm } from '../../core/src/internal.ts'

const there = (value: unknown) => convert(JSON.stringify(value), { to: 'ocm' })
const back = (text: string, to: TargetForm) => convert(text, { from: 'ocm', to })
const messages = [{ role: 'user', content: 'a' }]
const item = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
})

test('the output beside an input, and whatever stands beside messages, is kept', () => {
  for (const [value, form] of [
    [{ input: [item('user', 'a')], output: [item('assistant', 'b')] }, 'responses'],
    [{ messages, input: 'What?', output: 'That.' }, 'messages'],
    [{ output: [item('assistant', 'b')], messages, input: [item('user', 'b')] }, 'messages'],
  ] as const) {
    const { text, losses } = there(value)
    // Nothing reads them, which is reported although they come back (F8).
    assert.deepEqual(new Set(losses.map(({ kind }) => kind)), new Set(['unread']))
    const { text: same, losses: none } = back(text, form)
    assert.deepEqual(none, [])
    assert.deepEqual(JSON.parse(same), value)
  }
  const { text } = there({ instruction: 'Do', input: 'What?', output: 'That.' })
  assert.match(text, /<\|start\|>user<\|message\|>Do\nWhat\?<\|end\|>/)
  assert.match(text, /final<\|message\|>That\.<\|end\|>\n$/)
})

test('what was kept gives way to the conversation in another form, which is told', () => {
  const { losses } = back(there({ messages, input: 'x' }).text, 'responses')
  assert.deepEqual(
    losses.map(({ message }) => message),
    ['The conversation replaces the field `input` next to it'],
  )
})

test('an output that is one text is no user message', () => {
  assert.match(there({ prompt: 'x', output: 'y' }).text, /user<\|message\|>x.*\n.*final<\|message\|>y/)
  assert.throws(() => there({ output: 'y' }), ConversionError)
})

test('losses have the place of the message that is read, whatever lists stand beside it', () => {
  for (const [value, at] of [
    [{ output: [item('assistant', 'b')], input: [{ ...item('user', 'a'), type: 'x' }] }, '{"type":"x"'],
    [{ input: null, output: [{ ...item('user', 'a'), type: 'x' }] }, '{"type":"x"'],
  ] as const) {
    const json = JSON.stringify(value)
    const [loss] = convert(json, { to: 'ocm' }).losses
    assert.equal(loss?.range?.start, json.indexOf(at))
  }
})
