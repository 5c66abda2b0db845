/** Prompts as targets get them: the text, where its pieces come from, and how large its parts are. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  analyze,
  ConversionError,
  casesInHeader,
  type FilledPrompt,
  fillPrompt,
  isTemplateProblem,
  measuredItems,
  type PromptTemplate,
  parsedTemplate,
  promptOutline,
  promptTargets,
  promptView,
  readCases,
  readParts,
  Transcript,
  targetSpans,
  targetText,
  textsToCount,
  totalTokens,
  tracedRanges,
} from '../../core/src/internal.ts'

const sample = analyze(Transcript.parse(readFileSync('samples/16-prompt.ocm', 'utf8')))

async function filledSample(name: string): Promise<FilledPrompt> {
  const parts = await readParts(sample, '16-prompt.ocm', async (path) => ({
    kind: 'read',
    text: readFileSync(`samples/${path}`, 'utf8'),
  }))
  const cases = [
    ...casesInHeader(sample),
    ...readCases(readFileSync('samples/16-prompt.cases.yaml', 'utf8'), sample).cases,
  ]
  const values = cases.find((it) => it.name === name)?.values ?? {}
  return fillPrompt(sample, { path: '16-prompt.ocm', values, parts })
}

const template = parsedTemplate(
  '{{ bos_token }}{% for m in messages %}[{{ m.role }}] {{ m.content | trim }}\n{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}',
)
assert.ok(!isTemplateProblem(template))
const options: { readonly template: PromptTemplate } = { template: { template, names: { bos_token: '<s>' } } }

describe('the text for a target', () => {
  for (const target of promptTargets) {
    test(`${target} has each value once, and leads from it to its input`, async () => {
      const filled = await filledSample('refund')
      const { text } = targetText(filled.text, target, options)
      const spans = targetSpans(filled, text, target, options)
      assert.ok(spans.length > 0, 'no piece is found again')
      for (const { range, names, kind } of spans) {
        const written = text.slice(range.start, range.end)
        assert.notEqual(written, '')
        if (kind === 'input' && names.includes('customer')) assert.equal(written, 'Grace Hopper')
        if (kind === 'input' && names.includes('question')) assert.match(written, /^I would like/)
      }
    })
  }

  test('is written by a chat template with the names of its tokenizer', async () => {
    const { text } = await filledSample('greeting')
    const written = targetText(text, 'chat-template', options).text
    assert.ok(written.startsWith('<s>[system] You are the assistant'), written)
    assert.ok(written.endsWith('[user] Hello, is anybody there?\n[assistant] '), written)
  })

  test('is refused with the place in the chat template', async () => {
    const broken = parsedTemplate('{{ messages.nothing.here }}')
    assert.ok(!isTemplateProblem(broken))
    const refused = { template: { template: broken, names: {} } }
    const { text } = await filledSample('greeting')
    assert.throws(() => targetText(text, 'chat-template', refused), ConversionError)
    assert.throws(() => targetText(text, 'chat-template'), ConversionError)
  })
})

describe('traced ranges', () => {
  const traced = (text: string, words: readonly string[], write: (text: string) => string) => {
    const written = write(text)
    const ranges = words.map((word) => {
      const start = text.indexOf(word)
      return { start, end: start + word.length }
    })
    return tracedRanges({ text, written }, ranges, write).map(({ index, range }) => [
      words[index],
      written.slice(range.start, range.end),
    ])
  }

  test('are found in what repeats, trims, or quotes the text', () => {
    assert.deepEqual(
      traced(' ab c ', [' ab', 'b'], (it) => `${it.trim()}|${JSON.stringify(it)}`),
      [
        [' ab', 'ab'],
        ['b', 'b'],
        [' ab', 'ab'],
        ['b', 'b'],
      ],
    )
  })

  test('are left out where the text is not copied, and only there', () => {
    const counting = (it: string) => `${it.slice(0, it.indexOf('!')).length} ${it}`
    assert.deepEqual(traced('abc! def', ['a', 'def'], counting), [['def', 'def']])
    const throwing = (it: string) => (it.startsWith('abc') ? it : assert.fail())
    assert.deepEqual(traced('abc def', ['a', 'def'], throwing), [['def', 'def']])
  })

  test('cost a bounded number of writes', () => {
    let writes = 0
    const text = 'x '.repeat(1000)
    const ranges = Array.from({ length: 1000 }, (_, index) => ({ start: 2 * index, end: 2 * index + 1 }))
    const write = (it: string) => {
      writes++
      return String(it.length)
    }
    assert.deepEqual(tracedRanges({ text, written: write(text) }, ranges, write), [])
    assert.ok(writes < 20, String(writes))
  })
})

test('an outline has messages, sections, and tools with their sizes', () => {
  const text = `version: 2.2
<|start|>developer<|message|># Instructions

Be kind.

## Style

Short.

# Tools

## functions

namespace functions {

// Looks up
type search = (_: {
query: string,
}) => any;

} // namespace functions<|end|>
<|start|>user<|message|>Hi<|end|>
`
  const items = promptOutline(analyze(Transcript.parse(text)))
  const lengths = textsToCount(items).map((it) => it.length)
  const measured = measuredItems(items, lengths)
  assert.deepEqual(
    measured.map(({ kind, name, start }) => [kind, name, text.slice(start, start + 7).split(/[\n<]/)[0]]),
    [
      ['message', 'developer', '# Instr'],
      ['section', 'Instructions', '# Instr'],
      ['section', 'Style', '## Styl'],
      ['section', 'Tools', '# Tools'],
      ['section', 'functions', '## func'],
      ['tool', 'search', 'type se'],
      ['message', 'user', 'Hi'],
    ],
  )
  const [developer, , style, , , search, user] = measured
  assert.ok(developer && style && search && user)
  assert.equal(style.tokens, '## Style\n\nShort.\n\n'.length)
  assert.ok(search.tokens < developer.tokens)
  assert.equal(totalTokens(measured), developer.tokens + user.tokens)
})

describe('the view of a prompt', () => {
  for (const target of [
    'ocm',
    'next-prompt',
    'harmony',
    'messages',
    'anthropic',
    'responses',
    'chat-template',
  ] as const) {
    test(`${target} has the sizes of messages and sections at their places`, async () => {
      const { text, items, counted } = promptView(await filledSample('refund'), target, options)
      const sizes = measuredItems(
        items,
        textsToCount(items).map((it) => it.length),
      )
      const at = (name: string) =>
        sizes.filter((it) => it.name === name).map(({ start }) => text.slice(start, start + 8))
      assert.deepEqual(at('Orders'), ['# Orders'])
      assert.deepEqual(at('user'), ['I would '])
      assert.ok(counted.texts.length > 0)
    })
  }

  test('has what the target cannot express', async () => {
    const { losses, items } = promptView(await filledSample('refund'), 'gemini', {})
    assert.deepEqual(
      losses.map(({ message }) => message),
      ['Developer messages become part of the system prompt'],
    )
    assert.deepEqual(
      items.filter(({ kind }) => kind === 'message').map(({ name }) => name),
      ['system', 'developer', 'user'],
    )
  })

  test('has what an API refuses in the middle of a conversation', () => {
    const text = `version: 2.2
<|start|>user<|message|>Hi<|end|>
<|start|>developer<|message|>Be brief.<|end|>
<|start|>user<|message|>Go on<|end|>
`
    const losses = (target: 'gemini' | 'anthropic') =>
      promptView({ text, spans: [], problems: [] }, target, {}).losses.map(({ message }) => message)
    assert.deepEqual(losses('gemini'), [
      'A message with the role `developer` cannot be represented and is left out',
    ])
    assert.deepEqual(losses('anthropic'), [
      'The API does not accept messages with the role `developer` after the beginning',
    ])
  })

  test('has all instructions where an API has one place for them', async () => {
    const filled = await filledSample('refund')
    const requests = (['gemini', 'anthropic'] as const).map((it) =>
      JSON.parse(promptView(filled, it, {}).text),
    )
    const [{ systemInstruction, contents }, { system, messages }] = requests
    assert.match(
      system,
      /^You are the assistant of a stationery shop\.\n.*\n\n# Instructions\n\nYou help Grace/s,
    )
    assert.deepEqual(systemInstruction, { parts: [{ text: system }] })
    const roles = [contents, messages].map((list: { role: string }[]) => list.map(({ role }) => role))
    assert.deepEqual(roles, [['user'], ['user']])
  })

  test('says why there is no text', async () => {
    const { text, items } = promptView(await filledSample('nothing'), 'ocm', {})
    assert.match(text, /cannot be filled.*customer/s)
    assert.deepEqual(items, [])
    assert.match(promptView(await filledSample('refund'), 'chat-template', {}).text, /No chat template/)
  })
})

test('a case costs two writes for its text and its marks, and 100 cases cost 100 times that', async () => {
  const filled = await filledSample('refund')
  for (const target of ['harmony', 'messages', 'chat-template'] as const) {
    let writes = 0
    const write = (text: string) => {
      writes++
      return targetText(text, target, options).text
    }
    const written = write(filled.text)
    const ranges = filled.spans.map(({ range }) => range)
    assert.equal(tracedRanges({ text: filled.text, written }, ranges, write).length > 0, true)
    assert.equal(writes, 2, target)
  }
})
