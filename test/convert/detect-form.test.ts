/** Forms are told in one walk over tokens or fields; here by one search per mark. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../core/src/embedded/yaml-header.ts'
import { looksLikeHarmony } from '../../core/src/forms/harmony/looks-like-harmony.ts'
import {
  convert,
  detectForm,
  formOfJson,
  looksLikeConversation,
  looksLikeConversations,
  type SourceForm,
} from '../../core/src/internal.ts'
import { propertyRuns, soup, transcriptText } from '../helpers/arbitraries.ts'
import { parseableText } from './harmony-arbitraries.ts'

function isHarmony(text: string): boolean {
  const start = text.search(/[^\s\ufeff]/)
  if (text.startsWith('<|channel|>', start)) return true
  if (!text.startsWith('<|start|>', start)) return false
  const marks = [
    /<\|literal\|>[\s\S]*<\|endliteral\|>/,
    /<<\|start\|>/,
    /<\|start\|>[^<]*\s(?:call_id|name|intent|content_type)=/,
    /<\|(?:end|call|return)\|>\s+<\|start\|>/,
  ]
  if (marks.some((it) => it.test(text))) return false
  return [/<\|(?:end|call|return)\|><\|start\|>/, / <\|constrain\|>/, /# Valid channels:/].some((it) =>
    it.test(text),
  )
}

test('a walk over the tokens finds what searches find', () => {
  const begun = soup.map((text) => `<|start|>user<|message|>Hi<|end|><|start|>assistant${text}`)
  fc.assert(
    fc.property(fc.oneof(transcriptText, begun, parseableText), (text) => {
      // What begins otherwise is JSON, a header, or a completion, which has a test of its own.
      if (!/^[\s\ufeff]*<\|(?:start|channel)\|>/.test(text)) return
      const start = text.search(/[^\s\ufeff]/)
      assert.equal(looksLikeHarmony(text, start), isHarmony(text))
    }),
    { numRuns: 3 * propertyRuns },
  )
})

test('Harmony text may speak of a literal block', () => {
  const harmony =
    '<|start|>user<|message|>What is <|literal|>?<|end|><|start|>assistant<|channel|>final<|message|>A token.<|return|>'
  assert.equal(detectForm(harmony), 'harmony')
  assert.equal(detectForm(harmony.replace('?', '<|endliteral|>?')), 'ocm')
})

test('a YAML header may look like JSON', () => {
  const messages = '<|start|>user<|message|>Hi<|end|>\n'
  assert.equal(detectForm(`{"version": 2.2}\n${messages}`), 'ocm')
  assert.equal(detectForm(`{"version": 2.2,\n "model": "m"}\n\n${messages}`), 'ocm')
  assert.equal(
    detectForm(`{"text": "${messages}${messages}`),
    'messages',
    'JSON that is broken by line breaks',
  )
  assert.equal(detectForm('{"messages": [}'), 'messages')
})

test('JSON that is no conversation does not look like one', () => {
  for (const text of [
    '[{"a": 1}]',
    '[1, 2]',
    '[]',
    '{}',
    '["a", "b"]',
    '[{"content": "x"}]',
    '{"name": "x", "version": "1"}',
    '{"text": "hello"}',
    '{"a": [}',
    '[notes]\nfoo',
    '{"a": 1}\n{"b": 2}\n',
    'Nobody speaks here.',
    '',
  ])
    assert.equal(looksLikeConversation(text), false, text)
  assert.equal(looksLikeConversation('{"a": [', { isCut: true }), true, 'nobody knows what follows')
  assert.equal(looksLikeConversations(['{"id": 1}', '{"id": 2}']), false)
  assert.equal(looksLikeConversations([]), false)
})

test('conversations look like one in every form', () => {
  const session = [
    '{"type":"summary","summary":"x","leafUuid":"b"}',
    '{"type":"user","uuid":"a","sessionId":"s","message":{"role":"user","content":"Hi"}}',
    '{"type":"assistant","uuid":"b","sessionId":"s","message":{"role":"assistant","content":[{"type":"text","text":"Yes"}]}}',
  ]
  for (const text of [
    '[{"role": "user", "content": "Hi"}]',
    '[{"from": "human", "value": "Hi"}]',
    '{"messages": [{"role": "user", "content": "Hi"}]}',
    '{"instruction": "a", "output": "b"}',
    '\ufeff{"version": 2.2}\n<|start|>user<|message|>Hi<|end|>\n',
    '[INST] Hi [/INST] Yes</s>',
    session.join('\n'),
  ])
    assert.equal(looksLikeConversation(text), true, text)
  assert.equal(looksLikeConversations(session), true)
  assert.equal(looksLikeConversations(['', '{"prompt": "a", "completion": "b"}']), true)
  assert.equal(looksLikeConversations([...session, '{"broken": "by the limit']), true)
})

function formOfItems(items: readonly JsonObject[]): SourceForm {
  const has = (keys: readonly string[]) =>
    items.some((it) => keys.some((key) => Object.hasOwn(it, key) && it[key] !== null))
  const structured = ({ content = null }: JsonObject) =>
    [content].flat().some((part) => /"type":"\w+_content"/.test(JSON.stringify(part)))
  const textOnly = ({ content = null }: JsonObject) =>
    Array.isArray(content) && content.every((part) => JSON.stringify(part).startsWith('{"type":"text"'))
  if (items.some(({ type }) => ['message', 'reasoning', 'function_call'].includes(String(type))))
    return 'responses'
  if (has(['tool_calls', 'tool_call_id', 'reasoning_content', 'reasoning'])) return 'messages'
  if (has(['tool_call', 'terminator', 'intent', 'call_id', 'constrain', 'to'])) return 'json'
  if (!has(['recipient', 'channel']) && !items.some(structured)) return 'messages'
  const isHarmony = items.some((it) => Object.hasOwn(it, 'recipient') || structured(it) || textOnly(it))
  return isHarmony && items.every((it) => !Object.hasOwn(it, 'thinking')) ? 'harmony-json' : 'json'
}

test('a walk over the fields finds what searches find', () => {
  const key = fc.constantFrom(
    ...[
      'role',
      'type',
      'tool_calls',
      'reasoning',
      'intent',
      'to',
      'recipient',
      'channel',
      'thinking',
      'name',
    ],
  )
  const content: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(
    ...[
      null,
      'Hi',
      [],
      { type: 'system_content' },
      [{ type: 'text', text: 'Hi' }],
      [{ type: 'literal' }],
      ['Hi'],
    ],
  )
  const item = fc
    .tuple(fc.uniqueArray(key, { maxLength: 2 }), fc.constantFrom('x', 'message', 'reasoning', null), content)
    .map(([keys, value, content]) => ({ ...Object.fromEntries(keys.map((it) => [it, value])), content }))
  fc.assert(
    fc.property(fc.array(item, { maxLength: 4 }), fc.boolean(), (items, isRequest) => {
      assert.equal(formOfJson(isRequest ? { messages: items } : items), formOfItems(items))
    }),
    { numRuns: 3 * propertyRuns },
  )
})

test('a text that Harmony would show more of than a transcript is a transcript', () => {
  const user = '<|start|>user<|message|>hi<|end|>'
  const answer = '<|start|>assistant<|channel|>final<|message|>Hello<|return|>'
  for (const hidden of [
    '<|start|>assistant<|channel|>commentary<|message|>SECRET<|end|>',
    '<|start|>assistant<|channel|>final<|message|>a<|start|>assistant<|channel|>analysis<|message|>SECRET<|end|>',
    '<|start|>user:Ann<|message|>SECRET<|end|>',
  ]) {
    const text = user + hidden + answer
    assert.equal(detectForm(text), 'ocm', hidden)
    for (const to of ['messages', 'markdown', 'responses', 'harmony'] as const) {
      const { text: converted } = convert(text, { to })
      if (to !== 'harmony') assert.doesNotMatch(shownIn(converted, to), /SECRET/, `${to} ${hidden}`)
    }
  }
  assert.equal(detectForm(user + answer), 'harmony')
})

/** What is not reasoning. */
function shownIn(text: string, to: string): string {
  if (to === 'markdown') return text
  return JSON.stringify(JSON.parse(text), (key, value) =>
    key === 'reasoning_content' || value?.type === 'reasoning' ? undefined : value,
  )
}
