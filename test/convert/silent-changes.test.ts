/** What used to change on the way through another form without a word: it comes back, or it is a loss. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convert, type TargetForm } from '../../core/src/internal.ts'
import { through } from './through.ts'

/** `source` after `to` and back, and the kinds of what was lost on both ways. */
function thereAndBack(messages: string, to: TargetForm): { text: string; kinds: readonly string[] } {
  const source = `version: 2.2\n\n${messages}\n`
  const there = convert(source, { from: 'ocm', to })
  const back = convert(there.text, { from: to as 'json', to: 'ocm' })
  const text = back.text.slice(back.text.indexOf('<|start|>')).trimEnd()
  return { text, kinds: [...there.losses, ...back.losses].map(({ kind }) => kind) }
}

describe('constraints of calls', () => {
  const calls = [
    '<|start|>assistant to=python call_id=c1<|channel|>commentary<|message|>print(1)<|call|>',
    '<|start|>assistant to=browser.search call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>',
    '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|><|call|>',
    '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>',
  ]
  for (const to of ['messages', 'responses'] as const)
    for (const call of calls)
      test(`${to}: ${call}`, () => assert.deepEqual(thereAndBack(call, to), { text: call, kinds: [] }))

  test('one that does not come back is told', () => {
    const call =
      '<|start|>assistant to=python call_id=c1<|channel|>commentary<|constrain|>code<|message|>1+<|call|>'
    assert.deepEqual(thereAndBack(call, 'messages').kinds, ['content-type'])
    assert.deepEqual(thereAndBack(call.replace('code', 'json'), 'responses').kinds, ['content-type'])
  })

  test('empty arguments of a request get none', () => {
    const request = {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
        },
      ],
    }
    assert.deepEqual(through(request, 'messages'), { value: request, kinds: [] })
    assert.doesNotMatch(convert(JSON.stringify(request), { to: 'ocm' }).text, /<\|constrain\|>/)
  })
})

describe('Harmony', () => {
  for (const text of [
    '<|start|>user<|message|>Hi<|end|><|start|>assistant<|channel|>analysis<|message|>x<|return|>',
    '<|start|>assistant<|channel|>commentary<|message|>x<|return|>',
    '<|start|>user<|message|>Hi<|return|>',
    '<|start|>assistant to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>1<|end|>',
  ])
    test(`comes back without a loss: ${text}`, () => {
      const { text: written, losses } = convert(text, { from: 'harmony', to: 'harmony' })
      assert.equal(written, text)
      assert.deepEqual(losses, [])
    })

  test('its JSON has no ids that could be lost', () => {
    const messages = [
      { role: 'assistant', recipient: 'functions.f', channel: 'commentary', content: '{}' },
      { role: 'tool', name: 'functions.f', recipient: 'assistant', channel: 'commentary', content: '1' },
    ]
    assert.deepEqual(
      convert(JSON.stringify({ messages }), { from: 'harmony-json', to: 'harmony' }).losses,
      [],
    )
  })
})

test('a message without a role is told', () => {
  const { losses } = convert('version: 2.2\n<|start|><|message|>x<|end|>', { from: 'ocm', to: 'ocm' })
  assert.ok(losses.some(({ kind, range }) => kind === 'role' && range?.start === 13))
})

test('a reply without a name that gets one is told', () => {
  const { kinds } = thereAndBack(
    '<|start|>tool call_id=c9 to=assistant<|channel|>commentary<|message|>1<|end|>',
    'messages',
  )
  assert.ok(kinds.includes('name'))
})

test('the model of the header stays the model of the header', () => {
  const source = 'version: 2.2\nmodel: gpt-oss\n\n<|start|>user<|message|>Hi<|end|>\n'
  for (const to of ['messages', 'responses'] as const) {
    const { text, losses } = convert(source, { from: 'ocm', to })
    assert.equal(JSON.parse(text).model, 'gpt-oss')
    assert.deepEqual(losses, [])
    assert.equal(convert(text, { from: to, to: 'ocm' }).text, source)
  }
})

test('empty content beside reasoning comes back', () => {
  for (const content of ['', null]) {
    const value = {
      messages: [
        { role: 'assistant', content, reasoning_content: 'Hm' },
        { role: 'user', content: 'x' },
      ],
    }
    assert.deepEqual(through(value, 'messages'), { value, kinds: [] })
  }
})
