/** What a conversion does not tell as lost comes back: nothing is lost in silence. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  ConversionError,
  convert,
  type SourceForm,
  sourceForms,
  type TargetForm,
  targetForms,
} from '../../core/src/internal.ts'
import { attributes } from '../../core/src/vocabulary/attributes.ts'
import { plausible, propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

type Said = Readonly<Record<string, unknown>>

/** What a transcript says, where leaving something out means the same as writing it: channels, whom tools answer, JSON of calls. */
function meaningOf(text: string): { readonly header: unknown; readonly messages: readonly Said[] } {
  const { header = {}, messages } = JSON.parse(convert(text, { from: 'ocm', to: 'json' }).text)
  // The model is a field of a request like any other; what is kept of messages is where they ended.
  const { version: _version, chat_messages: _kept, profiles, model, ...keys } = header
  if (model !== undefined) keys.chat_request = { model, ...keys.chat_request }
  const isForHarmony = JSON.stringify(profiles) === '{"harmony":{"enabled":true}}'
  return {
    header: { ...keys, ...(profiles !== undefined && !isForHarmony && { profiles }) },
    messages: messages.map(meaningOfMessage),
  }
}

function meaningOfMessage({ tool_call: call, channel = 'final', ...rest }: Said): Said {
  if (rest.role === 'tool')
    return { to: 'assistant', ...rest, channel: channel === 'final' ? 'commentary' : channel }
  if (call === undefined) return { ...rest, channel }
  return { ...rest, channel, tool_call: { content_type: 'json', ...(call as object) } }
}

const attribute = fc.constantFrom(
  '',
  '',
  '',
  ' intent=preamble',
  ' intent=status',
  ' content_type=text',
  ' name=Ann',
  ' call_id=c9',
)
const speaker = fc.constantFrom(
  'user',
  'system',
  'developer',
  'assistant',
  'assistant',
  'assistant to=functions.f call_id=c1',
  'assistant to=functions.g call_id=c2',
  'assistant to=python call_id=c3',
  'assistant to=user',
  'tool name=functions.f call_id=c1',
  'tool name=functions.f call_id=c1 to=assistant',
  'tool name=functions.other call_id=c2 to=assistant',
  'tool name=python call_id=c3 to=user',
  'oracle',
)
const channel = fc.constantFrom('', '', '<|channel|>final', '<|channel|>analysis', '<|channel|>commentary')
const constraint = fc.constantFrom('', '', '', '<|constrain|>json', '<|constrain|>text', '<|constrain|>yaml')
const body = fc.constantFrom('', 'Hello', '{}', 'a <', '<<|foo|>', '<|literal|>x<|endliteral|>', ' \n')
const ending = fc.constantFrom('<|end|>', '<|end|>', '<|end|>', '<|call|>', '<|return|>', '')
const message = fc
  .tuple(speaker, attribute, channel, constraint, body, ending)
  .map(([who, extra, where, type, said, end]) => {
    const doubled = who.includes(extra.split('=')[0] || ' ?') ? '' : extra
    return `<|start|>${who}${doubled}${where}${where === '' ? '' : type}<|message|>${said}${end}\n`
  })
const header = fc.constantFrom(
  'version: 2.2\n\n',
  'version: 2.2\nprofiles:\n  harmony:\n    enabled: true\n\n',
  'version: 2.2\nprofiles:\n  intent: fixture\n\n',
  'version: 2.2\ncapabilities:\n  roles: [user]\n\n',
  'version: 2.2\nmodel: m\n\n',
  'version: 2.2\nother: 1\n\n',
)
const anything = fc
  .tuple(header, fc.array(message, { maxLength: 5 }), fc.constantFrom('', '', '<|start|>assistant'))
  .map(([head, messages, prompt]) => head + messages.join('') + prompt)

describe('there and back without a loss is the same', () => {
  for (const to of ['messages', 'responses', 'harmony', 'harmony-json'] as const satisfies TargetForm[]) {
    test(to, () => {
      fc.assert(
        fc.property(fc.oneof(anything, anything, plausible, transcriptText), (source) => {
          const { text } = convert(source, { from: 'ocm', to: 'ocm' })
          let there: ReturnType<typeof convert>
          try {
            there = convert(text, { from: 'ocm', to })
          } catch (error) {
            assert.ok(error instanceof ConversionError) // a body that Harmony text cannot hold
            return
          }
          if (there.losses.length > 0) return
          const back = convert(there.text, { from: to, to: 'ocm' })
          if (back.losses.length > 0) return
          assert.deepEqual(meaningOf(back.text), meaningOf(text))
        }),
        { numRuns: 3 * propertyRuns },
      )
    })
  }
})

test('every attribute comes back or is reported, also one that forms know nothing of', () => {
  for (const { name } of attributes)
    for (const head of ['user', 'assistant', 'assistant<|channel|>commentary', 'tool name=f call_id=c1'])
      for (const to of targetForms) {
        if (head.includes(`${name}=`) || to === 'markdown') continue
        const [role = '', channel = ''] = head.split(/(?=<)/)
        const header = `${role} ${name}=status${channel}`
        const text = `version: 2.2\n<|start|>user<|message|>U<|end|>\n<|start|>${header}<|message|>Hi<|end|>\n`
        const there = convert(text, { from: 'ocm', to })
        if (there.losses.length > 0 || !sourceForms.some((it) => it === to)) continue
        const back = convert(there.text, { from: to as SourceForm, to: 'ocm' })
        assert.match(back.text, new RegExp(` ${name}=status`), `${to}: ${header}\n${there.text}`)
      }
})

test('reports of a column name it, and those of a text name a message', () => {
  const toldOf = (source: string) => convert(source, { to: 'ocm' }).losses.map(({ message }) => message)
  const told = (value: unknown) => toldOf(JSON.stringify(value))
  const parts = ['S', 'T'].map((text) => ({ type: 'text', text }))
  const messages = [{ role: 'user', content: 'U' }]
  assert.deepEqual(told({ system: parts, messages, tools: [{ name: 'f', input_schema: {} }] }), [
    '`system`: the pieces of the content become one text',
  ])
  const open = 'A reasoning tag is never closed, so all that follows is hidden'
  assert.deepEqual(told({ instruction: 'I', output: '<think>R' }), [`\`output\`: ${open}`])
  assert.deepEqual(toldOf('[INST] U [/INST] <think>R'), [`The message: ${open}`])
})
