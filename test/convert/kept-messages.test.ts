/** What a header keeps of messages belongs to them wherever they go, and is told when they are gone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { convert } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { chatRequest } from './conversation-arbitraries.ts'

const toOcm = (request: object) => convert(JSON.stringify(request), { from: 'messages', to: 'ocm' }).text

function back(ocm: string) {
  const { text, losses } = convert(ocm, { from: 'ocm', to: 'messages' })
  return { messages: JSON.parse(text).messages as readonly object[], losses }
}

const inserted = '<|start|>user<|message|>Inserted.<|end|>\n'
const image = (url: string) => ({ type: 'image_url', image_url: { url } })
const asks = (text: string, url: string) => ({ role: 'user', content: [{ type: 'text', text }, image(url)] })
const one = asks('What is this?', 'https://example.org/1.png')
const other = asks('And this?', 'https://example.org/2.png')
const answer = { role: 'assistant', content: 'A cat.' }

/** The lines of the messages, one each, behind the header. */
function cut(ocm: string): { header: string; lines: readonly string[] } {
  const at = ocm.indexOf('<|start|>')
  return { header: ocm.slice(0, at), lines: ocm.slice(at).trimEnd().split('\n') }
}

describe('chat_messages', () => {
  test('a message in front of all others changes none of them', () => {
    fc.assert(
      fc.property(chatRequest, (request) => {
        const ocm = toOcm(request)
        const at = ocm.search(/^<\|start\|>/m)
        if (at === -1) return
        const { messages, losses } = back(ocm.slice(0, at) + inserted + ocm.slice(at))
        assert.deepEqual(losses, [])
        assert.deepEqual(messages, [{ role: 'user', content: 'Inserted.' }, ...request.messages])
      }),
      { numRuns: propertyRuns },
    )
  })

  test('messages that change places take along what is kept of them', () => {
    const { header, lines } = cut(toOcm({ messages: [one, answer, other, answer] }))
    const [first, second, third, fourth] = lines
    const { messages, losses } = back(`${header}${[third, second, first, fourth].join('\n')}\n`)
    assert.deepEqual(messages, [other, answer, one, answer])
    assert.deepEqual(losses, [])
  })

  test('of messages that say the same, each has its own', () => {
    const same = asks('What is this?', 'https://example.org/3.png')
    const plain = { role: 'user', content: 'What is this?' }
    const all = [plain, answer, one, answer, same, answer]
    const { header, lines } = cut(toOcm({ messages: all }))
    assert.deepEqual(back(`${header}${inserted}${lines.join('\n')}\n`).messages.slice(1), all)
  })

  for (const [what, change] of Object.entries({
    'is taken out': (lines: readonly string[]) => lines.slice(1),
    'is edited': ([first = '', ...rest]: readonly string[]) => [first.replace('What', 'Who'), ...rest],
    'has another channel': ([first = '', ...rest]: readonly string[]) => [
      first.replace('user', 'user<|channel|>analysis'),
      ...rest,
    ],
  })) {
    test(`what is kept of a message that ${what} is told, and nothing else is lost`, () => {
      const { header, lines } = cut(toOcm({ messages: [one, answer, other, answer] }))
      const { messages, losses } = back(`${header}${change(lines).join('\n')}\n`)
      assert.deepEqual(messages.slice(-3), [answer, other, answer])
      assert.match(losses[0]?.message ?? losses[1]?.message ?? '', /message has changed|channel/)
      assert.ok(losses.some(({ message }) => message.includes('Data about a message in the YAML header')))
    })
  }

  test('what is no kept message is told as well', () => {
    const ocm = `version: 2.2\nchat_messages:\n  m1: 7\n${inserted}`
    assert.deepEqual(
      back(ocm).losses.map(({ kind }) => kind),
      ['field'],
    )
  })
})
