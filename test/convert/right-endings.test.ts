/** Canonical transcripts end each message with the token that belongs there, and nothing else changes by that. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Conversation } from '../../core/src/conversation/conversation.ts'
import { LossList } from '../../core/src/conversation/loss.ts'
import { withRightEndings } from '../../core/src/conversation/right-endings.ts'
import { convert, readConversation } from '../../core/src/convert/convert.ts'
import { parseToJson } from '../../core/src/internal.ts'
import { plausible, propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

function checkEndings(before: string, after: string, nLosses = 0, header = 'version: 2.2\n\n'): void {
  const { text, losses } = convert(header + before, { from: 'ocm', to: 'ocm' })
  assert.equal(text, `${header}${after}\n`)
  assert.deepEqual(
    losses.map(({ kind }) => kind),
    Array.from({ length: nLosses }, () => 'terminator'),
  )
}

const call = '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}'
const reply = '<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>1'
const answer = '<|start|>assistant<|channel|>final<|message|>Hello'
const asked = '<|start|>user<|message|>Hi'

describe('a message that ends like one of another kind', () => {
  it('ends as it should: calls, replies, thoughts, users', () => {
    checkEndings(`${call}<|end|>`, `${call}<|call|>`, 1)
    checkEndings(`${call}<|return|>`, `${call}<|call|>`, 1)
    checkEndings(`${call}<|call|>\n${reply}<|call|>`, `${call}<|call|>\n${reply}<|end|>`, 1)
    checkEndings(`${asked}<|return|>`, `${asked}<|end|>`, 1)
    checkEndings(`${asked}<|call|><|end|>`, `${asked}<|end|>`, 1)
    const thought = '<|start|>assistant<|channel|>analysis<|message|>Hm.'
    checkEndings(`${thought}<|return|>`, `${thought}<|end|>`, 1)
  })

  it('is told where it stands', () => {
    const [loss] = convert(`${call}<|end|>`, { from: 'ocm', to: 'ocm' }).losses
    assert.equal(loss?.message, '`<|end|>` ended a message of another kind and is replaced with `<|call|>`')
    assert.deepEqual(loss.range, { start: 0, end: call.length + '<|end|>'.length })
  })

  it('becomes no call where it names nobody', () => {
    checkEndings(`${answer}<|call|>`, `${answer}<|call|>`)
    checkEndings(
      '<|start|>assistant<|channel|>commentary<|message|>{"a":1}<|call|>',
      '<|start|>assistant<|channel|>commentary<|message|>{"a":1}<|call|>',
    )
    const toUser = '<|start|>assistant to=user<|channel|>final<|message|>Hello'
    checkEndings(`${toUser}<|call|>`, `${toUser}<|call|>`)
  })

  it('stays cut off', () => {
    const cut = convert(`version: 2.2\n\n${call}`, { from: 'ocm', to: 'ocm' }).text
    assert.equal(cut, `version: 2.2\n\n${call}`)
    const inside = convert(`version: 2.2\n\n${call}${asked}<|end|>`, { from: 'ocm', to: 'ocm' }).text
    assert.equal(inside, `version: 2.2\n\n${call}${asked}<|end|>\n`)
  })

  it('stays as it is where its role is unknown, and in JSON', () => {
    const unknown = '<|start|>narrator<|message|>Once'
    checkEndings(`${unknown}<|return|>`, `${unknown}<|return|>`)
    const json = convert(`version: 2.2\n\n${call}<|end|>\n`, { from: 'ocm', to: 'json' }).text
    assert.equal(convert(json, { to: 'ocm' }).text, `version: 2.2\n\n${call}<|end|>\n`)
  })
})

describe('answers end as the intent in the header wants it', () => {
  const both = (one: string, other: string) => `${answer}${one}\n${asked}<|end|>\n${answer}${other}`
  const header = (intent: string) => `version: 2.2\nprofiles: {intent: ${intent}}\n\n`

  it('without one, either token stays', () => {
    checkEndings(both('<|return|>', '<|return|>'), both('<|return|>', '<|return|>'))
    checkEndings(both('<|end|>', '<|end|>'), both('<|end|>', '<|end|>'), 0, header('fixture'))
  })

  it('history has no stop', () => {
    checkEndings(both('<|return|>', '<|return|>'), both('<|end|>', '<|end|>'), 0, header('history'))
  })

  it('a training sample has one, at its end', () => {
    checkEndings(both('<|return|>', '<|end|>'), both('<|end|>', '<|return|>'), 0, header('training'))
    checkEndings(
      `${answer}<|end|>\n${call}<|call|>`,
      `${answer}<|end|>\n${call}<|call|>`,
      0,
      header('training'),
    )
  })

  it('before a prompt for the next message, no answer is the end of a sample', () => {
    const sample = (token: string) => `${header('training')}${answer}${token}\n<|start|>assistant`
    for (const token of ['<|end|>', '<|return|>']) {
      assert.equal(convert(sample(token), { from: 'ocm', to: 'ocm' }).text, sample('<|end|>'))
    }
  })

  it('and what a purpose asks for comes last', () => {
    const source = `${header('training')}${both('<|end|>', '<|return|>')}\n`
    const { text } = convert(source, { from: 'ocm', to: 'ocm', purpose: 'history' })
    assert.ok(text.endsWith(`${both('<|end|>', '<|end|>')}\n`))
  })
})

/** Texts in which most messages end wrong. */
const misended = fc
  .tuple(
    fc.oneof(plausible, transcriptText),
    fc.array(fc.constantFrom('<|end|>', '<|call|>', '<|return|>'), { minLength: 1, maxLength: 5 }),
    fc.constantFrom('', 'profiles: {intent: training}\n', 'profiles: {intent: history}\n'),
  )
  .map(([text, tokens, profile]) => {
    let index = 0
    const body = text.replace(/<\|(?:end|call|return)\|>/g, () => tokens[index++ % tokens.length] ?? '')
    return body.startsWith('version: 2.2\n') ? body.replace('\n', `\n${profile}`) : body
  })

describe('properties', () => {
  it('canonical is canonical, and no rule about terminators has a safe fix left', () => {
    fc.assert(
      fc.property(misended, (text) => {
        const once = convert(text, { from: 'ocm', to: 'ocm' }).text
        const again = convert(once, { from: 'ocm', to: 'ocm' })
        assert.equal(again.text, once)
        assert.deepEqual(again.losses, [])
        const codes = parseToJson(once).diagnostics.map(({ code }) => code)
        assert.ok(!codes.includes('W-TERMINATOR') && !codes.includes('W-INTENT-RETURN'))
      }),
      { numRuns: propertyRuns },
    )
  })

  it('nothing but endings differs, so replies answer the same calls', () => {
    const withoutEndings = ({ messages }: Conversation) => messages.map(({ ending: _, ...rest }) => rest)
    fc.assert(
      fc.property(misended, (text) => {
        const { conversation } = readConversation(text, { from: 'ocm' })
        const ended = withRightEndings(conversation, new LossList())
        assert.deepEqual(withoutEndings(ended), withoutEndings(conversation))
      }),
      { numRuns: propertyRuns },
    )
  })

  it('what users see and what is cut off stays', () => {
    fc.assert(
      fc.property(misended, (text) => {
        // Once written, a transcript has its calls numbered and its headers mended: now only endings can differ.
        const mended = convert(text, { from: 'ocm', to: 'json' })
        const written = convert(mended.text, { from: 'json', to: 'ocm' }).text
        const before = parseToJson(written)
        const after = parseToJson(convert(written, { from: 'ocm', to: 'ocm' }).text)
        assert.deepEqual(after.visible, before.visible)
        assert.deepEqual(
          after.messages.map(({ terminator, visible, body }) => [terminator === null, visible, body]),
          before.messages.map(({ terminator, visible, body }) => [terminator === null, visible, body]),
        )
        const severe = ({ diagnostics }: typeof before) =>
          diagnostics.filter(({ severity }) => severity === 'error' || severity === 'warning').length
        assert.ok(severe(after) <= severe(before), `${severe(after)} after ${severe(before)}`)
      }),
      { numRuns: propertyRuns },
    )
  })
})
