/** Where a wrong shape stands in the JSON that was read: at the value that has another type than expected. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  ConversionError,
  convert,
  type JsonValue,
  readConversation,
  readJsonConversation,
} from '../../core/src/internal.ts'

/** Checks that `json`, without its `$0`, is refused there. */
function checkRefused(marked: string, options: Parameters<typeof readConversation>[1] = {}): void {
  const offset = marked.indexOf('$0')
  const text = marked.replace('$0', '')
  const isAtMark = (error: unknown) => {
    assert.ok(error instanceof ConversionError)
    assert.equal(error.offset, offset, `${error.message} in ${text}`)
    return true
  }
  assert.throws(() => readConversation(text, options), isAtMark)
  assert.throws(() => convert(text, { ...options, to: 'ocm' }), isAtMark)
  if (text.startsWith('\ufeff')) return
  const value = JSON.parse(text) as JsonValue
  assert.throws(() => readJsonConversation(value, { ...options, text }), isAtMark)
  assert.throws(
    () => readJsonConversation(value, options),
    (error) => error instanceof ConversionError && error.offset === undefined,
  )
}

test('chat messages', () => {
  checkRefused('{"id": 1, "messages": $0{"role": "user"}}')
  checkRefused('{"messages": [{"role": "user", "content": "a"}, $042]}')
  checkRefused('[{"role": "user", "content": "a"}, $0null]', { from: 'messages' })
  checkRefused('{"messages": [{"role": $07, "content": "role"}]}')
  checkRefused('{"messages": [{"role": "user"}, $0{"content": "x"}]}', { from: 'messages' })
  checkRefused('{"messages": [{"role": "user", "content": $042}]}')
  checkRefused('{"messages": [{"role": "user", "content": ["a", $01]}]}')
  checkRefused('{"messages": [{"role": "assistant", "tool_calls": $0"f"}]}')
  checkRefused('{"messages": [{"role": "assistant", "tool_calls": [{"function": {}}, $0"f"]}]}')
  checkRefused('{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": $01}}]}]}')
  checkRefused('{\n  "messages": [\n    {"role": "user", "name": $0[]}\n  ]\n}')
  checkRefused('$0{"model": "m"}', { from: 'messages' })
})

test('other forms', () => {
  checkRefused('{"input": [{"type": "message", "role": $0{}}]}')
  checkRefused('{"input": [{"type": "message", "role": "user", "content": $05}]}')
  checkRefused('{"input": [{"type": "reasoning", "summary": ["a", 1]}]}'.replace('"a"', '$0"a"'))
  checkRefused('{"messages": [{"role": "user", "channel": $01, "recipient": "x", "content": ""}]}', {
    from: 'harmony-json',
  })
  checkRefused(
    '{"messages": [{"role": "user", "recipient": "x", "content": [{"type": $0"system_content"}]}]}',
    { from: 'harmony-json' },
  )
  checkRefused('{"messages": [{"role": "user", "terminator": $0"x"}]}')
  checkRefused('{"messages": [{"role": "user", "intent": "a", "content": [{"type": "text", "text": $01}]}]}')
})

test('a byte order mark, keys that repeat, and `__proto__`', () => {
  checkRefused('\ufeff{"messages": $01}')
  checkRefused('\ufeff{"messages": [$0}]}')
  checkRefused('{"messages": [], "a": {"messages": 2}, "messages": $01}')
  checkRefused('{"__proto__": {"messages": 1}, "messages": $01}')
  checkRefused('{"messages": [{"__proto__": [], "role": "user", "content": $0false}]}')
})

test('what is nested too deep to be looked through is refused without a place', () => {
  const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`
  assert.throws(
    () => readConversation(`{"x": ${deep}, "messages": 1}`, { from: 'messages' }),
    (error) => error instanceof ConversionError && error.offset === undefined,
  )
})

test('whatever the shape, a place is inside the text', () => {
  const shape = fc.record({ role: fc.jsonValue(), content: fc.jsonValue(), tool_calls: fc.jsonValue() })
  fc.assert(
    fc.property(
      fc.oneof(fc.array(shape), fc.jsonValue()),
      fc.constantFrom(undefined, 1),
      (messages, space) => {
        const text = JSON.stringify({ messages }, undefined, space)
        try {
          readConversation(text)
        } catch (error) {
          assert.ok(error instanceof ConversionError)
          assert.ok(error.offset !== undefined && error.offset < text.length)
        }
      },
    ),
  )
})
