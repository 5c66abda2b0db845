/** What a model is trained on: rendering, tokens, masks, flags, the cut. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import type { Conversation } from 'openai-harmony'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import {
  harmonySample,
  harmonyTokenizer,
  harmonyTrainingView,
  isTemplateProblem,
  type JsonObject,
  type JsonValue,
  type MaskMode,
  parsedTemplate,
  readConversation,
  readJsonConversation,
  renderingOf,
  renderingProblems,
  specialTokenIds,
  type TrainingOptions,
  type TrainingView,
  templateSample,
  trainingView,
  writeConversation,
} from '../../core/src/internal.ts'
import { lostMessages } from '../../core/src/training/lost-messages.ts'
import { reference } from '../convert/reference.ts'
import { nightly } from '../helpers/nightly.ts'

const chatml = `{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

const tagged = `{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}`

function viewOf(source: string, sample: JsonObject, options: TrainingOptions = {}): TrainingView {
  const template = parsedTemplate(source)
  assert.ok(!isTemplateProblem(template))
  const view = trainingView(template, templateSample(sample, readJsonConversation(sample)), options)
  assert.ok(!isTemplateProblem(view), JSON.stringify(view))
  return view
}

const trainedTexts = ({ text, trained }: TrainingView) =>
  trained.map(({ start, end }) => text.slice(start, end))

const talk = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'One?' },
    { role: 'assistant', content: 'First.' },
    { role: 'user', content: 'Two?' },
    { role: 'assistant', content: 'Second.' },
  ],
}

describe('a loss mask', () => {
  const expected: readonly (readonly [MaskMode, readonly string[]])[] = [
    ['assistant', ['First.<|im_end|>\n', 'Second.<|im_end|>\n']],
    ['last', ['Second.<|im_end|>\n']],
    ['completion', ['Second.<|im_end|>\n']],
    ['template', []],
  ]
  for (const [mask, texts] of expected)
    it(`of the mode ${mask}`, () => assert.deepEqual(trainedTexts(viewOf(chatml, talk, { mask })), texts))

  it('of the mode all', () => {
    const view = viewOf(chatml, talk, { mask: 'all' })
    assert.deepEqual(trainedTexts(view), [view.text])
  })

  it('of the mode completion has all of a completion that calls tools', () => {
    const sample = {
      system: 'Be brief.',
      prompt: [...talk.messages.slice(1, 3), { role: 'user', content: 'Weather?' }],
      completion: [
        { role: 'assistant', content: 'I ask.' },
        { role: 'user', content: 'Please.' },
        { role: 'assistant', content: 'Sunny.' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    }
    const turns = [
      'I ask.<|im_end|>\n',
      '<|im_start|>user\nPlease.<|im_end|>\n',
      '<|im_start|>assistant\nSunny.',
    ]
    const end = '<|im_end|>\n'
    assert.deepEqual(trainedTexts(viewOf(chatml, sample, { mask: 'completion' })), [turns.join('') + end])
    const pair = { system: 'Be brief.', prompt: sample.prompt, chosen: sample.completion, rejected: 'No.' }
    assert.deepEqual(trainedTexts(viewOf(chatml, pair, { mask: 'completion' })), [turns.join('') + end])
    const [trained = ''] = trainedTexts(
      harmonyTrainingView(harmonySample(readJsonConversation(sample).conversation), o200k, {
        mask: 'completion',
      }),
    )
    assert.match(trained, /^<\|channel\|>final<\|message\|>I ask\..*Please\..*Sunny\.<\|return\|>$/s)
    const plain = { prompt: 'Weather?', completion: 'Sunny.' }
    assert.deepEqual(trainedTexts(viewOf(chatml, plain, { mask: 'completion' })), [`Sunny.${end}`])
  })

  it('is that of the template, if it has generation tags', () => {
    const view = viewOf(tagged, talk)
    assert.equal(view.mask, 'template')
    assert.deepEqual(trainedTexts(view), ['First.</s>', 'Second.</s>'])
    assert.equal(viewOf(chatml, talk).mask, 'assistant')
  })

  it('follows flags before its mode', () => {
    const flagged = (flags: readonly JsonObject[]) => ({
      messages: talk.messages.map((it, index) => ({ ...it, ...flags[index] })),
    })
    const answers = (sample: JsonObject, mask: MaskMode = 'assistant') =>
      trainedTexts(viewOf(chatml, sample, { mask }))
    assert.deepEqual(answers(flagged([{}, {}, { weight: 0 }])), ['Second.<|im_end|>\n'])
    assert.deepEqual(answers(flagged([{}, {}, { train: false }])), ['Second.<|im_end|>\n'])
    assert.deepEqual(answers(flagged([{}, {}, { loss_mask: 0 }])), ['Second.<|im_end|>\n'])
    assert.deepEqual(answers(flagged([{}, {}, { weight: 1 }]), 'last'), [
      'First.<|im_end|>\n',
      'Second.<|im_end|>\n',
    ])
    assert.deepEqual(answers(flagged([{}, {}, {}, { train: true }])), [
      'First.<|im_end|>\n<|im_start|>user\nTwo?<|im_end|>\n',
      'Second.<|im_end|>\n',
    ])
    const detail = [{ begin_offset: 0, end_offset: 2, train: false }]
    assert.deepEqual(answers(flagged([{}, {}, { train_detail: detail }])), [
      'st.<|im_end|>\n',
      'Second.<|im_end|>\n',
    ])
  })

  it('follows flags of samples in any form', () => {
    const answers = (sample: JsonObject) => {
      const template = parsedTemplate(chatml)
      assert.ok(!isTemplateProblem(template))
      const reading = readJsonConversation(sample, { rest: 'source', isTraced: true })
      const view = trainingView(template, templateSample(sample, reading), { mask: 'assistant' })
      assert.ok(!isTemplateProblem(view))
      return trainedTexts(view)
    }
    const second = 'Second.<|im_end|>\n'
    const chat = (flag: JsonObject, content: JsonValue = 'First.') =>
      talk.messages.slice(1).map((it, index) => (index === 1 ? { ...it, content, ...flag } : it))
    const [asked, ...rest] = chat({ train: false })
    for (const flag of [{ weight: 0 }, { train: false }, { loss_mask: 0 }]) {
      const samples: readonly JsonObject[] = [
        { conversations: chat(flag) },
        { messages: JSON.stringify(chat(flag)) },
        { request: { messages: chat(flag) } },
        {
          messages: chat(flag, [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'text', text: 'First.' },
          ]),
        },
        { prompt: chat(flag).slice(0, 1), completion: chat(flag).slice(1) },
        { prompt: chat(flag).slice(0, 3), completion: chat(flag).slice(3) },
        { prompt: chat(flag).slice(0, 3), chosen: chat(flag).slice(3), rejected: 'No.' },
        {
          conversations: [
            { from: 'human', value: 'One?' },
            { from: 'gpt', value: 'First.', ...flag },
            { from: 'human', value: 'Two?' },
            { from: 'gpt', value: 'Second.' },
          ],
        },
        {
          contents: [
            { role: 'user', parts: [{ text: 'One?' }] },
            { role: 'model', parts: [{ text: 'First.' }], ...flag },
            { role: 'user', parts: [{ text: 'Two?' }] },
            { role: 'model', parts: [{ text: 'Second.' }] },
          ],
        },
        { input: chat(flag).map((it) => ({ type: 'message', ...it })) },
        {
          conversations: [
            { human: 'One?', assistant: 'First.', ...flag },
            { human: 'Two?', assistant: 'Second.' },
          ],
        },
      ]
      for (const sample of samples) assert.deepEqual(answers(sample), [second], JSON.stringify(sample))
    }
    // What becomes one message with an item that isn't trained isn't trained either.
    const parted = [asked, { role: 'assistant', reasoning: 'Hm.', weight: 0 }, ...rest.slice(1)]
    assert.deepEqual(answers({ conversations: parted as JsonObject[] }), [second])
    const train_detail = [{ begin_offset: 0, end_offset: 2, train: false }]
    const parts = ['st.<|im_end|>\n', second]
    assert.deepEqual(answers({ conversations: chat({ train_detail }) }), parts)
    const shared = chat({ train_detail }).map(({ role, content, ...flags }) => ({
      from: role,
      value: content,
      ...flags,
    }))
    assert.deepEqual(answers({ conversations: shared as JsonObject[] }), parts)
    const pairs = [
      { human: 'One?', assistant: 'First.', train_detail },
      { human: 'Two?', assistant: 'Second.' },
    ]
    assert.deepEqual(answers({ conversations: pairs }), parts)
    // Offsets of a text that is written without its reasoning are those of no text.
    const tagged = chat({ train_detail }, '<think>Hm.</think>First.')
    assert.deepEqual(answers({ conversations: tagged }), [`First.<|im_end|>\n`, second])
  })

  it('is cut at the maximal length, in tokens or characters', () => {
    const whole = viewOf(chatml, talk)
    assert.deepEqual(
      [whole.unit, whole.nTotal, whole.nTrained, whole.nCut],
      ['characters', whole.text.length, 35, 0],
    )
    const cut = viewOf(chatml, talk, { maxLength: whole.text.length - 12 })
    assert.deepEqual(trainedTexts(cut), ['First.<|im_end|>\n', 'Second'])
    assert.equal(cut.nCut, 12)
    const tokens = viewOf(chatml, talk, { tokenizer: harmonyTokenizer(o200k), maxLength: 10 })
    assert.deepEqual(
      [tokens.unit, tokens.nCut, [...tokens.tokens].filter((it) => it.isCut).length],
      ['tokens', tokens.nTotal - 10, tokens.nTotal - 10],
    )
  })

  it('names messages that a template renders differently once others follow', () => {
    const dropping = `{% for m in messages %}[{{ m.role }}]{{ m.content if not loop.last or m.role != 'assistant' else '(thought) ' ~ m.content }}{% endfor %}`
    assert.deepEqual(viewOf(dropping, talk).unstable, [2])
    assert.deepEqual(viewOf(chatml, talk).unstable, [])
  })

  it('has answers as they are in the whole, if only the last one gets what the template adds', () => {
    const thinking = `{% for m in messages %}<{{ m.role }}>{% if loop.last and m.role == 'assistant' %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}</s>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}`
    const answers = (...contents: readonly string[]) => ({
      messages: contents.flatMap((content, index) => [
        { role: 'user', content: `${index}?` },
        { role: 'assistant', content, reasoning_content: 'Yes' },
      ]),
    })
    const trained = (template: string, ...contents: readonly string[]) =>
      trainedTexts(viewOf(template, answers(...contents)))
    assert.deepEqual(trained(thinking, 'Yes', 'No', 'Yes'), [
      'Yes</s>',
      'No</s>',
      '<think>Yes</think>Yes</s>',
    ])
    assert.deepEqual(viewOf(thinking, answers('Yes', 'No', 'Yes')).unstable, [1, 3])
    // Reasoning is kept after the last question only, so that each prefix renders the calls before it differently.
    const recent = `{% set ns = namespace(last=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}{% for m in messages %}{{ '<' ~ m.role ~ '>' if m.role != 'tool' or messages[loop.index0 - 1].role != 'tool' else ' ' }}{% if m.role == 'assistant' and loop.index0 > ns.last %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}{{ m.tool_calls[0].function.name if m.tool_calls }}{{ '</s>' if m.role != 'tool' or loop.last or messages[loop.index0 + 1].role != 'tool' }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}`
    const call = {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'add', arguments: {} } }],
    }
    const reply = { role: 'tool', content: 'ok' }
    const rounds = [call, reply, reply, { role: 'assistant', content: 'ok' }]
    const question = { role: 'user', content: 'ok' }
    const view = viewOf(recent, { messages: [question, ...rounds, question, ...rounds] })
    const thought = '<think></think>'
    const answersOfRounds = ['add</s>', 'ok</s>', `${thought}add</s>`, `${thought}ok</s>`]
    assert.deepEqual(trainedTexts(view), answersOfRounds)
    assert.deepEqual(
      view.places.map(({ start, end }) => view.text.slice(start, end)),
      [0, 1].flatMap((nth) => [
        '<user>ok</s>',
        `<assistant>${answersOfRounds[2 * nth]}`,
        '<tool>ok',
        ' ok</s>',
        `<assistant>${answersOfRounds[2 * nth + 1]}`,
      ]),
    )
    // Of equal answers, each has its own place.
    const ending = `{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ '</s>' if loop.last and m.role != 'user' }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}`
    assert.deepEqual(trained(ending, 'Yes', 'Yes'), ['Yes', 'Yes</s>'])
    // What is too long to be rendered again for each message is not trained with the last one.
    const long = answers(...Array<string>(6).fill('Yes')).messages.map((it) =>
      it.role === 'user' ? { ...it, content: `Yes ${'x'.repeat(1.5 * 2 ** 20)}` } : it,
    )
    assert.equal(trainedTexts(viewOf(recent, { messages: long })).at(-1), 'Yes</s>')
    // Neither what a template ends with nor what it adds to a prompt shares a token with what is there instead.
    const prompting = thinking.replace('<assistant>{% endif %}', '<assistant><think>{% endif %}')
    assert.deepEqual(trained(prompting, '<table>', 'No'), ['<table></s>', 'Yes</think>No</s>'])
  })
})

describe('findings', () => {
  const problemsOf = (source: string, sample: JsonObject, options: TrainingOptions = {}) => {
    const given = templateSample(sample, readJsonConversation(sample))
    return renderingProblems([renderingOf(viewOf(source, sample, options), given)])
  }
  const codes = (...args: Parameters<typeof problemsOf>) => problemsOf(...args).map(({ code }) => code)
  const withoutStop = tagged.replace('</s>{% endgeneration %}', '{% endgeneration %}</s>')
  const withoutCalls = chatml
  const called = {
    messages: [
      { role: 'user', content: 'x' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'y' },
      { role: 'assistant', content: '<think>\nhm\n</think>\n\nz' },
    ],
  }

  it('are none in what is well-formed', () => {
    assert.deepEqual(codes(chatml, talk), [])
    assert.deepEqual(codes(tagged, talk), [])
    assert.deepEqual(codes('{% for m in messages %}{{ m.role }}: {{ m|tojson }}</s>{% endfor %}', called), [])
  })
  it('name what is planted', () => {
    assert.deepEqual(codes(chatml, talk, { mask: 'template' }), ['W-MASK-EMPTY'])
    assert.deepEqual(codes(chatml, { messages: talk.messages.slice(0, 2) }), ['W-MASK-EMPTY'])
    assert.deepEqual(codes(withoutStop, talk), ['W-MASK-STOP'])
    assert.deepEqual(codes(withoutCalls, called), ['W-TEMPLATE-LOST'])
    assert.deepEqual(codes(chatml, talk, { maxLength: 30, mask: 'all' }), ['W-DATA-LENGTH'])
    assert.deepEqual(
      codes(
        '{% for m in messages %}[{{ m.role }}]{{ m.content }}{{ "!" if loop.last }}x</s>{% endfor %}',
        talk,
      ),
      ['W-MASK-PREFIX'],
    )
  })
  it('name definitions of tools that are left out', () => {
    const withTools = (tool: JsonObject) => ({ ...talk, tools: [{ type: 'function', function: tool }] })
    const description = 'Get the "current" weather — anywhere'
    const weather = withTools({ name: 'get_weather', description })
    const said = (template: string, sample: JsonObject) =>
      problemsOf(template, sample).map(({ code, message }) => `${code} ${message}`)
    const missing = (name: string) =>
      `W-TEMPLATE-LOST The rendering is missing all or part of the definitions of these tools: ${name}`
    assert.deepEqual(said(chatml, weather), [missing('`get_weather`')])
    assert.deepEqual(said(`{{ tools[0].function.name }}${chatml}`, weather), [missing('`get_weather`')])
    assert.deepEqual(said(`{{ tools|tojson(ensure_ascii=true) }}${chatml}`, weather), [])
    assert.deepEqual(said(`{{ tools[0].function.description }} get_weather${chatml}`, weather), [])
    assert.deepEqual(said(`{{ tools }}${chatml}`, { ...talk, tools: [{ name: 'flat', description }] }), [])
    assert.deepEqual(said(chatml, withTools({ name: 'look_around' })), [missing('`look_around`')])
  })
})

describe('tokens of a rendering', () => {
  it('cover the text from end to end, also inside a character', () => {
    const sample = {
      messages: [
        { role: 'user', content: 'naïve 😀 家族 👩‍👩‍👧 <|end|>' },
        { role: 'assistant', content: '…' },
      ],
    }
    const { tokens, text, isExact } = viewOf(chatml, sample, { tokenizer: harmonyTokenizer(o200k) })
    assert.ok(isExact)
    let end = 0
    for (const token of tokens) {
      assert.ok(token.start <= end && token.end >= token.start && token.end >= end)
      end = token.end
    }
    assert.equal(end, text.length)
    assert.deepEqual(
      [...tokens].filter((it) => it.isSpecial).map((it) => text.slice(it.start, it.end)),
      ['<|end|>'],
    )
  })
})

describe('a sample handed to a template', () => {
  const dump = '{{ messages|tojson }}|{{ tools|tojson }}|{{ extra }}'
  it('has arguments as objects, and reasoning under both names', () => {
    const sample = {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'r',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }],
        },
      ],
      tools: '[{"type": "function", "function": {"name": "f"}}]',
      chat_template_kwargs: { extra: 5 },
    }
    assert.equal(
      viewOf(dump, sample).text,
      '[{"role": "user", "content": "x"}, {"role": "assistant", "content": null, "reasoning_content": "r", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}], "thinking": "r"}]|[{"type": "function", "function": {"name": "f"}}]|5',
    )
  })

  it('of another form is written as messages', () => {
    const sample = {
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'gpt', value: 'Ho' },
      ],
    }
    assert.deepEqual(trainedTexts(viewOf(chatml, sample)), ['Ho<|im_end|>\n'])
  })

  it('of another form has its tools apart, as Chat Completions define them, and in no message', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const definition = { name: 'weather', description: 'Get it', parameters }
    const samples: readonly JsonObject[] = [
      {
        conversations: [
          { from: 'human', value: 'Hi' },
          { from: 'gpt', value: 'Ho' },
        ],
        tools: JSON.stringify([definition]),
      },
      {
        system: [{ type: 'text', text: 'Be kind.' }],
        tools: [{ name: 'weather', description: 'Get it', input_schema: parameters }],
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: '', signature: 'x' },
              { type: 'text', text: 'Ho' },
            ],
          },
        ],
      },
      {
        input: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Ho' },
        ],
        tools: [{ type: 'function', ...definition }],
      },
      {
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ text: 'Ho' }] },
        ],
        tools: [{ functionDeclarations: [definition] }],
      },
    ]
    for (const sample of samples) {
      const { messages, context } = templateSample(sample, readJsonConversation(sample, { rest: 'source' }))
      assert.deepEqual(context.tools, [{ type: 'function', function: definition }])
      assert.deepEqual(
        messages.map(({ role, content }) => [role, content]).filter(([role]) => role !== 'system'),
        [
          ['user', 'Hi'],
          ['assistant', 'Ho'],
        ],
      )
    }
  })
})

const samplesFolder = resolve('samples') // other tests of the process are in other folders while this one awaits

describe('the Harmony template', async () => {
  const encoding = await reference()
  const samples: readonly JsonObject[] = [
    talk,
    {
      messages: [
        { role: 'developer', content: 'Use tools. <|end|> is text.' },
        { role: 'user', content: 'Weather in Zürich 😀?' },
        {
          role: 'assistant',
          reasoning_content: 'Call it.',
          content: null,
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Zürich"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c', content: '{"t":20}' },
        { role: 'assistant', reasoning_content: 'Say it.', content: '20 °C.' },
      ],
    },
  ]
  for (const [index, sample] of samples.entries())
    it(`gives the tokens of the reference's training rendering (${index})`, () => {
      const reading = readJsonConversation(sample)
      const view = harmonyTrainingView(harmonySample(reading.conversation), o200k)
      const written = JSON.parse(writeConversation(reading, { to: 'harmony-json' }).text)
      const ids = [...encoding.renderConversation(written as Conversation, { auto_drop_analysis: true })]
      // The reference's rendering for training, which its binding for JavaScript lacks, ends an answer with `<|return|>`.
      const expected = [...ids.slice(0, -1), specialTokenIds.get('<|return|>')]
      assert.deepEqual(
        [...view.tokens].map(({ id }) => id),
        expected,
      )
      assert.equal(encoding.decodeUtf8(Uint32Array.from([...view.tokens].map(({ id }) => id))), view.text)
    })

  const transcripts = readdirSync(samplesFolder).filter((it) => /^(?:0[1-9]|10|11)-.*\.ocm$/.test(it))
  for (const name of transcripts)
    it(`gives the tokens of the reference's training rendering of samples/${name}`, () => {
      const reading = readConversation(readFileSync(join(samplesFolder, name), 'utf8'))
      const view = harmonyTrainingView(harmonySample(reading.conversation), o200k)
      const written = JSON.parse(writeConversation(reading, { to: 'harmony-json' }).text) as Conversation
      const ids = [...encoding.renderConversation(written, { auto_drop_analysis: true })]
      const last = reading.conversation.messages.at(-1)
      const endsWithAnswer = last?.role === 'assistant' && (last.channel ?? 'final') === 'final'
      assert.deepEqual(
        [...view.tokens].map(({ id }) => id),
        endsWithAnswer ? [...ids.slice(0, -1), specialTokenIds.get('<|return|>')] : ids,
      )
      assert.equal(
        view.nTrained > 0,
        reading.conversation.messages.some(({ role }) => role === 'assistant'),
      )
    })

  it('follows flags of the sample before its mode, in any form', () => {
    const said = (sample: JsonObject) => {
      const { conversation } = readJsonConversation(sample, { isTraced: true })
      return trainedTexts(harmonyTrainingView(harmonySample(conversation), o200k))
    }
    const second = '<|channel|>final<|message|>Second.<|return|>'
    for (const flag of [{ weight: 0 }, { train: false }, { loss_mask: 0 }]) {
      const messages = talk.messages.map((it, index) => (index === 2 ? { ...it, ...flag } : it))
      assert.deepEqual(said({ messages }), [second])
      const conversations = [
        { from: 'human', value: 'One?' },
        { from: 'gpt', value: 'First.', ...flag },
        { from: 'human', value: 'Two?' },
        { from: 'gpt', value: 'Second.' },
      ]
      assert.deepEqual(said({ conversations }), [second])
      const pairs = [
        { input: 'One?', output: 'First.', ...flag },
        { input: 'Two?', output: 'Second.' },
      ]
      assert.deepEqual(said({ conversations: pairs }), [second])
    }
    // The flag is about the answer of a pair, and not about its question.
    const trained = said({ conversations: [{ human: 'One?', assistant: 'First.', weight: 1 }] })
    assert.deepEqual(trained, ['<|channel|>final<|message|>First.<|return|>'])
    const train_detail = [{ begin_offset: 0, end_offset: 2, train: false }]
    const messages = talk.messages.map((it, index) => (index === 2 ? { ...it, train_detail } : it))
    assert.deepEqual(said({ messages }), ['<|channel|>final<|message|>', 'st.<|end|>', second])
  })

  it('trains what the assistant writes, and not its role', () => {
    const { conversation } = readJsonConversation(talk)
    const view = harmonyTrainingView(harmonySample(conversation), o200k)
    assert.deepEqual(trainedTexts(view), [
      '<|channel|>final<|message|>First.<|end|>',
      '<|channel|>final<|message|>Second.<|return|>',
    ])
    assert.equal(view.nTrained, [...view.tokens].filter((it) => it.isTrained).length)
  })
})

describe('work for one sample', () => {
  const answers = (count: number, content: string) => ({
    messages: Array.from({ length: count }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${content}${index}`,
    })),
  })

  nightly('is limited for all renderings of its parts together', () => {
    // It looks at the last message first, so that each part has to be rendered, and takes nearly all that a rendering may.
    const source = `{{ messages[-1].role }}{% for i in range(50000) %}{{ i is odd and '' or '' }}{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}`
    const { places } = viewOf(source, answers(1000, 'x'), { mask: 'assistant' })
    assert.equal(places.length, 1000)
  })

  it('is limited for messages that its rendering does not have', () => {
    const text = 'y'.repeat(1_000_000)
    const sample = answers(2000, 'x')
    const lost = lostMessages(text, templateSample(sample, readJsonConversation(sample)))
    assert.deepEqual([lost.length, lost[0]], [51, 0])
    const few = lostMessages('xy', templateSample(sample, readJsonConversation(sample)))
    assert.equal(few.length, 2000)
  })

  it('finds messages that repeat themselves', () => {
    const sample = {
      messages: [
        { role: 'user', content: 'a'.repeat(1_000_000) },
        { role: 'assistant', content: `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}` },
      ],
    }
    const source = '{% for m in messages %}{{ m.content[:400000] }}\n{% endfor %}'
    const view = viewOf(source, sample)
    assert.deepEqual(lostMessages(view.text, templateSample(sample, readJsonConversation(sample))), [0, 1])
  })

  it('finds numbers in arguments that a template gets with other digits', () => {
    const source =
      '{% for m in messages %}{{ m.content }}{{ m.tool_calls | default([]) | tojson }}{% endfor %}'
    for (const [number, lost] of [
      ['12345678901234567890', [1]],
      ['1234567890', []],
    ] as const) {
      const call = { id: 'c', type: 'function', function: { name: 'f', arguments: `{"id":${number}}` } }
      const sample = {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '', tool_calls: [call] },
        ],
      }
      const { text } = viewOf(source, sample)
      assert.deepEqual(lostMessages(text, templateSample(sample, readJsonConversation(sample))), lost)
    }
  })
})
