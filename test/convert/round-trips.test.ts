/** There and back: what must be the same again, and what is told when it is not. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ConversionError } from '../../core/src/conversation/loss.ts'
import { convert } from '../../core/src/convert/convert.ts'
import { parseToJson } from '../../core/src/internal.ts'
import { plausible, propertyRuns, transcriptText } from '../helpers/arbitraries.ts'
import { chatRequest } from './conversation-arbitraries.ts'
import { parseableText } from './harmony-arbitraries.ts'

/** What a transcript says, without places. */
function meaning(text: string) {
  const { header, messages, visible } = parseToJson(text)
  return { header, visible, messages: messages.map(({ range: _range, ...rest }) => rest) }
}

describe('ocm → json → ocm', () => {
  test('is exact on canonical text, byte for byte', () => {
    fc.assert(
      fc.property(transcriptText, (text) => {
        const canonical = convert(text, { from: 'ocm', to: 'ocm' }).text
        const json = convert(canonical, { from: 'ocm', to: 'json' })
        const back = convert(json.text, { from: 'json', to: 'ocm' })
        assert.equal(back.text, canonical)
        assert.deepEqual(back.losses, [])
      }),
      { numRuns: propertyRuns },
    )
  })

  test('keeps the meaning of any transcript that loses nothing', () => {
    fc.assert(
      fc.property(plausible, (text) => {
        const json = convert(text, { from: 'ocm', to: 'json' })
        if (json.losses.length > 0 || !text.startsWith('version: 2.2')) return
        assert.deepEqual(meaning(convert(json.text, { to: 'ocm' }).text), meaning(text))
      }),
      { numRuns: propertyRuns },
    )
  })

  for (const file of readdirSync('samples').filter((it) => it.endsWith('.ocm'))) {
    test(`samples/${file}`, () => {
      const text = readFileSync(`samples/${file}`, 'utf8')
      const json = convert(text, { to: 'json' })
      const back = convert(json.text, { to: 'ocm' })
      assert.deepEqual(back.losses, [])
      assert.equal(convert(back.text, { from: 'ocm', to: 'json' }).losses.length, 0)
    })
  }
})

test('a header with indented keys stays one', () => {
  const text = ' version: 2.2\n model: x\n\n<|start|>user<|message|>Hi<|end|>\n'
  const canonical = convert(`\ufeff\n${text}`, { from: 'ocm', to: 'ocm' })
  assert.equal(canonical.text, text)
  assert.deepEqual(canonical.losses, [])
})

test('canonical text is canonical', () => {
  fc.assert(
    fc.property(transcriptText, (text) => {
      const once = convert(text, { from: 'ocm', to: 'ocm' }).text
      const again = convert(once, { from: 'ocm', to: 'ocm' })
      assert.equal(again.text, once)
      assert.deepEqual(again.losses, [])
    }),
    { numRuns: propertyRuns },
  )
})

test('nothing that was hidden becomes visible', () => {
  fc.assert(
    fc.property(transcriptText, (text) => {
      const before = parseToJson(text).visible.join('\n')
      const after = parseToJson(convert(text, { from: 'ocm', to: 'ocm' }).text).visible.join('\n')
      if (!text.includes('\ud83d'))
        assert.ok(
          before.includes(after) || isPartOf(after, before),
          `${JSON.stringify(after)} in ${JSON.stringify(before)}`,
        )
    }),
    { numRuns: propertyRuns },
  )
})

test('a literal block in a thought cannot end it', () => {
  const text =
    '<|start|>assistant<|channel|>final<|message|><|start_reflect|><|literal|><|end_reflect|><|endliteral|>secret<|end|>\n'
  assert.deepEqual(parseToJson(convert(text, { from: 'ocm', to: 'ocm' }).text).visible, [])
})

test('a message to somebody unknown stays hidden', () => {
  const blocks = '<|start_reflect|>thought<|end_reflect|>secret'
  for (const text of [
    '<|im_start|>assistant to=nobody\nsecret<|im_end|>\n',
    `<|im_start|>assistant to=nobody\n${blocks}<|im_end|>\n`,
    '<|im_start|>assistant to=\nsecret<|im_end|>\n',
    '<|start|>assistant to=<|channel|>final<|message|>secret<|end|>\n',
    '<|start|>assistant to= to=<|message|>secret<|end|>\n',
  ]) {
    assert.deepEqual(parseToJson(text).visible, [], text)
    const { text: canonical, losses } = convert(text, { from: 'ocm', to: 'ocm' })
    assert.deepEqual(parseToJson(canonical).visible, [], canonical)
    assert.ok(losses.some(({ kind }) => kind === 'recipient'))
    assert.match(canonical, /secret/)
  }
})

function isPartOf(after: string, before: string): boolean {
  return after.split('\n').every((line) => before.includes(line))
}

test('harmony → ocm → harmony is exact', () => {
  fc.assert(
    fc.property(parseableText, fc.boolean(), (text, isTraining) => {
      const whole = isTraining ? `${text}<|start|>assistant<|channel|>final<|message|>x<|return|>` : text
      const ocm = convert(whole, { from: 'harmony', to: 'ocm', isStrict: true })
      assert.deepEqual(ocm.losses, [])
      assert.equal(convert(ocm.text, { from: 'ocm', to: 'harmony' }).text, whole)
    }),
    { numRuns: propertyRuns },
  )
})

for (const form of ['messages', 'responses'] as const) {
  test(`${form} never fail on transcripts, and stay the same from then on`, () => {
    fc.assert(
      fc.property(transcriptText, (text) => {
        const once = convert(text, { from: 'ocm', to: form }).text
        const ocm = convert(once, { from: form, to: 'ocm' }).text
        assert.equal(typeof convert(ocm, { from: 'ocm', to: form }).text, 'string')
      }),
      { numRuns: propertyRuns },
    )
  })
}

test('messages → ocm → messages is exact', () => {
  fc.assert(
    fc.property(chatRequest, (request) => {
      const ocm = convert(JSON.stringify(request), { from: 'messages', to: 'ocm' })
      assert.deepEqual(
        ocm.losses.filter(({ kind }) => kind !== 'name'),
        [],
      )
      const back = convert(ocm.text, { from: 'ocm', to: 'messages' })
      assert.deepEqual(back.losses, [])
      assert.deepEqual(JSON.parse(back.text), request)
      assert.equal(convert(back.text, { from: 'messages', to: 'ocm' }).text, ocm.text)
    }),
    { numRuns: propertyRuns },
  )
})

test('messages → responses → messages keeps tools, the choice among them, and calls', () => {
  const parts = (text: string) => {
    type Call = { readonly function?: unknown; readonly custom?: unknown }
    type Request = { tools?: unknown; tool_choice?: unknown; messages: { tool_calls?: readonly Call[] }[] }
    const { tools, tool_choice, messages } = JSON.parse(text) as Request
    const calls = messages.flatMap((it): readonly Call[] => it.tool_calls ?? [])
    return [tools, tool_choice, calls.map((it) => it.function ?? it.custom)]
  }
  fc.assert(
    fc.property(chatRequest, (request) => {
      const responses = convert(JSON.stringify(request), { from: 'messages', to: 'responses' }).text
      const flat = JSON.parse(responses)
      for (const it of flat.tools ?? []) assert.ok(!('function' in it) && !('custom' in it))
      const back = convert(responses, { from: 'responses', to: 'messages' }).text
      const { text } = convert(JSON.stringify(request), { from: 'messages', to: 'messages' })
      const [tools, choice, calls] = parts(text)
      const odd = request.messages.some(
        (it: object) => 'function_call' in it || JSON.stringify(it).includes('"id":""'),
      )
      assert.deepEqual(parts(back), odd ? [tools, choice, parts(back)[2]] : [tools, choice, calls])
    }),
    { numRuns: propertyRuns },
  )
})

test('every word of 0.1 is kept', () => {
  for (const file of [
    'samples/12-chatml-0.1.ocm',
    'samples/13-fill-in-the-middle.ocm',
    'samples/14-multi-file.ocm',
  ]) {
    const text = readFileSync(file, 'utf8')
    const result = convert(text, { to: 'ocm' }).text
    const words = (it: string) =>
      it.replace(/<\|\w+\|>|\[BOS\]|\[EOS\]|"(?:name|arguments|content)":/g, ' ').match(/[\p{L}\p{N}.]+/gu) ??
      []
    const kept = new Map<string, number>()
    for (const word of words(result)) kept.set(word, (kept.get(word) ?? 0) + 1)
    for (const word of words(text)) {
      assert.ok((kept.get(word) ?? 0) > 0, `${file}: ${word}`)
    }
    assert.equal(parseToJson(result).dialect, '2.2')
  }
})

test('no conversion throws anything but its own error', () => {
  const forms = ['ocm', 'json', 'harmony', 'harmony-json', 'messages', 'responses', 'markdown'] as const
  const json = fc.oneof(
    fc.json(),
    fc.json().map((it) => `{"messages":[${it}]}`),
    transcriptText,
  )
  fc.assert(
    fc.property(
      json,
      fc.constantFrom('auto' as const, ...(forms.slice(0, 6) as ('ocm' | 'json')[])),
      fc.constantFrom(...forms),
      (text, from, to) => {
        try {
          convert(text, { from, to })
        } catch (error) {
          assert.ok(error instanceof ConversionError, String((error as Error).stack))
        }
      },
    ),
    { numRuns: propertyRuns },
  )
})
