/** Edits of samples of every form: an edit changes the words that it changes, and every other byte stays (F15 to F18). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ConversionError,
  editableSample,
  editedSample,
  formOf,
  readSample,
  type TranscriptSample,
} from '../../core/src/internal.ts'
import { jsonSamplesOf, wordsOf } from '../convert/sample-arbitraries.ts'

function opened(json: string, branch?: string): TranscriptSample {
  const sample = editableSample(readSample(new TextEncoder().encode(json), { rest: 'source', branch }))
  assert.equal(sample.kind, 'good', json)
  return sample as TranscriptSample
}

/** The samples, each with every branch; spaced as Python writes JSON. */
function* cases(): IterableIterator<readonly [form: string, json: string, branch: string | undefined]> {
  for (const [form, sample] of jsonSamplesOf(wordsOf(3))) {
    if ('isReadOnly' in formOf(form)) continue
    const json = JSON.stringify(sample, undefined, 1).replaceAll(/\n */g, ' ')
    for (const branch of opened(json).branches ?? [undefined]) yield [form, json, branch]
  }
}

/** What is between the common beginning and the common end of two texts. */
function difference(one: string, other: string): readonly [string, string] {
  let head = 0
  while (head < Math.min(one.length, other.length) && one[head] === other[head]) head++
  let tail = 0
  while (tail < Math.min(one.length, other.length) - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++
  return [one.slice(head, one.length - tail), other.slice(head, other.length - tail)]
}

const bodies = /<\|message\|>(?<body>[^<]*)<\|(?:end|call|return)\|>/g

test('each text of each form is edited where it is, and nothing else changes', () => {
  let nEdits = 0
  for (const [form, json, branch] of cases()) {
    const sample = opened(json, branch)
    for (const match of sample.text.matchAll(bodies)) {
      const body = match.groups?.body ?? ''
      if (body.includes('namespace functions')) continue
      const at = match.index + '<|message|>'.length
      const word = /place|degrees|warm|sentences|look|say|knows/.exec(body)
      if (!word) continue
      const start = at + word.index
      const edited = `${sample.text.slice(0, start)}EDITED${sample.text.slice(start + word[0].length)}`
      const { json: saved, losses } = editedSample(sample, edited)
      // The signature of a thought stays.
      assert.deepEqual(
        losses.filter(({ kind }) => kind !== 'stale'),
        [],
        form,
      )
      assert.equal(opened(saved, branch).text, edited, `${form} ${branch}`)
      const isImplicit = form === 'preference' && json.split(body).length > 2
      if (!isImplicit) {
        const [gone, come] = difference(json, saved)
        assert.ok(word[0].includes(gone) && come.length <= 'EDITED'.length, `${form}: ${gone} → ${come}`)
      }
      nEdits++
    }
  }
  assert.ok(nEdits > 60, `${nEdits} edits`)
})

test('an edit of an implicit prompt goes into all branches', () => {
  const user = { role: 'user', content: 'U' }
  const json = JSON.stringify({
    chosen: [user, { role: 'assistant', content: 'A' }],
    rejected: [user, { role: 'assistant', content: 'B' }],
  })
  const sample = opened(json, 'rejected')
  const edited = editedSample(sample, sample.text.replace('>U<', '>Q<'))
  assert.equal(edited.json, json.replaceAll('"U"', '"Q"'))
  const answer = editedSample(sample, sample.text.replace('>B<', '>C<'))
  assert.equal(answer.json, json.replace('"B"', '"C"'))
})

test('the text of a message is all that goes with it, or it is refused', () => {
  for (const [form, json, branch] of cases()) {
    const sample = opened(json, branch)
    const lines = sample.text.split('\n')
    for (const [index, line] of lines.entries()) {
      if (!line.startsWith('<|start|>') || !/<\|(?:end|call|return)\|>$/.test(line)) continue
      const edited = lines.toSpliced(index, 1).join('\n')
      try {
        const { json: saved } = editedSample(sample, edited)
        const again = opened(saved, branch)
        assert.equal(
          again.text.split('\n').length,
          lines.length - 1,
          `${form}: ${line}\n${saved}\n${again.text}`,
        )
      } catch (error) {
        assert.ok(error instanceof ConversionError, `${form}: ${error}`)
      }
    }
  }
})

test('a new message is written like its neighbours', () => {
  const json =
    '{"conversations": [{"from": "user", "value": "A"}, {"from": "chatgpt", "value": "B", "weight": 0}], "id": 1}'
  const sample = opened(json)
  const added = `${sample.text}<|start|>user<|message|>C<|end|>\n<|start|>assistant<|channel|>final<|message|>D<|end|>\n`
  assert.equal(
    editedSample(sample, added).json,
    '{"conversations": [{"from": "user", "value": "A"}, {"from": "chatgpt", "value": "B", "weight": 0}, {"from": "user", "value": "C"}, {"from": "chatgpt", "value": "D"}], "id": 1}',
  )
})

test('a number that is too large, and shown as null, is not taken out as one', () => {
  const input = '{"n": 1e400, "a": "x"}'
  for (const json of [
    `{"query": "U", "answers": [{"name": "f", "arguments": ${input}}], "tools": "[]"}`,
    `{"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "f", "input": ${input}}]}]}`,
    `{"messages": [{"role": "assistant", "tool_calls": [{"id": "t", "type": "function", "function": {"name": "f", "arguments": ${input}}}]}]}`,
    `{"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": ${input}}}]}]}`,
  ]) {
    const sample = opened(json)
    assert.match(sample.text, /"n":null/, json)
    const nth = json.includes('"query"') ? 2 : 1
    assert.throws(() => editedSample(sample, sample.text.replace('"n":null,', '')), {
      name: 'ConversionError',
      message: new RegExp(`^The edit of message ${nth} \\(assistant\\) can't be saved`),
    })
    assert.equal(editedSample(sample, sample.text.replace('"x"', '"y"')).json, json.replace('"x"', '"y"'))
  }
})

test('what a moved message loses is reported', () => {
  const [one, other] = [
    '{"role": "user", "content": [{"type": "text", "text": "A"}, {"type": "image_url", "image_url": {"url": "u"}}], "weight": 0}',
    '{"role": "assistant", "content": "B", "id": "b"}',
  ]
  const sample = opened(`{"messages": [${one}, ${other}, {"role": "user", "content": "C"}]}`)
  const [a = '', b = ''] = sample.text.match(/<\|start\|>.*\n/g) ?? []
  const { json, losses } = editedSample(sample, sample.text.replace(a + b, b + a))
  const lost = losses.map(({ message }) => message)
  const { messages } = JSON.parse(json) as { messages: readonly object[] }
  const [first, second] = messages as readonly { content: unknown; id?: string; weight?: number }[]
  assert.deepEqual(
    lost,
    [
      ...(Array.isArray(second?.content) ? [] : ['Moving a message removed parts of its `content`']),
      ...(second?.weight === 0 ? [] : ['Moving a message removed its `weight`']),
      ...(first?.id === 'b' ? [] : ['Moving a message removed its `id`']),
    ],
    json,
  )
  assert.notDeepEqual(lost, [])
})

test('Alpaca: an edit goes into the part that it touches', () => {
  const json = '{"instruction": "Sum", "input": "1 2", "output": "3"}'
  const sample = opened(json)
  const save = (before: string, after: string) =>
    editedSample(sample, sample.text.replace(before, after)).json
  assert.equal(save('Sum', 'Add'), json.replace('Sum', 'Add'))
  assert.equal(save('1 2', '1 3'), json.replace('1 2', '1 3'))
  assert.equal(save('1 2', '0 1 2'), json.replace('1 2', '0 1 2'))
  assert.equal(save('Sum', 'Sum up'), json.replace('Sum', 'Sum up'))
  assert.equal(save('Sum\n1 2', 'Sum 1 2'), '{"instruction": "Sum 1 2", "input": "", "output": "3"}')
  const { losses } = editedSample(sample, sample.text.replace('Sum\n1 2', 'Sum 1 2'))
  assert.deepEqual(
    losses.map(({ message }) => message),
    ['The text of `input` is now in the field before it, because the line break between them was removed'],
  )
})

test('Dolly: an edit of the context goes into it', () => {
  const json = '{"instruction": "Sum", "context": "1 2", "response": "3", "category": "closed_qa"}'
  const sample = opened(json)
  assert.equal(editedSample(sample, sample.text.replace('1 2', '1 3')).json, json.replace('1 2', '1 3'))
  const { json: joined, losses } = editedSample(sample, sample.text.replace('Sum\n1 2', 'Sum 1 2'))
  assert.equal(joined, json.replace('"Sum"', '"Sum 1 2"').replace('"1 2"', '""'))
  assert.match(losses.map(({ message }) => message).join(), /^The text of `context` is now in the field/)
})

test('markup: pieces go back between their tags', () => {
  const json = '{"instruction": "Hi", "output": "<think>\\nGreet\\n</think>\\n\\nHello \\u00e9"}'
  const sample = opened(json)
  const save = (before: string | RegExp, after: string) =>
    editedSample(sample, sample.text.replace(before, after)).json
  assert.equal(save('Greet', 'Be kind'), json.replace('Greet', 'Be kind'))
  assert.equal(save('Hello', 'Hey'), json.replace('Hello', 'Hey'))
  assert.equal(
    save(/<\|start\|>assistant<\|channel\|>analysis.*\n/, ''),
    json.replace('<think>\\nGreet\\n</think>\\n\\n', ''),
  )
})

test('markup in an answer of the Responses API: pieces go back between their tags', () => {
  const answer = (content: string) =>
    `{"input": [{"role": "user", "content": "U"}, {"type": "message", "id": "m1", "role": "assistant", "content": ${content}}], "n": 1.0}`
  for (const json of [
    answer('"<think>\\nGreet\\n</think>\\n\\nHello \\u00e9"'),
    answer(
      '[{"type": "output_text", "text": "<think>\\nGreet\\n</think>\\n\\nHello \\u00e9", "annotations": []}]',
    ),
  ]) {
    const sample = opened(json)
    const save = (before: string | RegExp, after: string) =>
      editedSample(sample, sample.text.replace(before, after)).json
    assert.equal(save('Greet', 'Be kind'), json.replace('Greet', 'Be kind'))
    assert.equal(save('Hello', 'Hey'), json.replace('Hello', 'Hey'))
    assert.equal(save('>U<', '>V<'), json.replace('"U"', '"V"'))
    assert.equal(
      save(/<\|start\|>assistant<\|channel\|>analysis.*\n/, ''),
      json.replace('<think>\\nGreet\\n</think>\\n\\n', ''),
    )
  }
})

test('calls in strings keep their spelling', () => {
  const json =
    '{"query": "Q", "answers": "[{\\"name\\": \\"f\\", \\"arguments\\": {\\"a\\": 1.0, \\"b\\": \\"x\\"}}]"}'
  const sample = opened(json)
  const saved = editedSample(sample, sample.text.replace('"x"', '"y"')).json
  assert.equal(saved, json.replace('\\"x\\"', '\\"y\\"'))
})

test('new reasoning goes into tags if the sample has them or no other place, else into its field or part', () => {
  const thought = '<|start|>assistant<|channel|>analysis<|message|>NEW<|end|>\n'
  const turns = (answer: string) => `{"messages": [{"role": "user", "content": "U"}, ${answer}], "id": 1}`
  const field = ', "reasoning_content": "NEW"'
  const tags = '<think>\\nNEW\\n</think>\\n\\n'
  for (const [before, after] of [
    [turns('{"role": "assistant", "content": "A"}'), turns(`{"role": "assistant", "content": "A"${field}}`)],
    [
      turns(
        '{"role": "assistant", "content": "<think>R</think>B"}, {"role": "user", "content": "V"}, {"role": "assistant", "content": "A"}',
      ),
      turns(
        `{"role": "assistant", "content": "<think>R</think>B"}, {"role": "user", "content": "V"}, {"role": "assistant", "content": "${tags}A"}`,
      ),
    ],
    [
      turns(
        '{"role": "assistant", "content": "B", "thinking": "R"}, {"role": "user", "content": "V"}, {"role": "assistant", "content": "A"}',
      ),
      turns(
        '{"role": "assistant", "content": "B", "thinking": "R"}, {"role": "user", "content": "V"}, {"role": "assistant", "content": "A", "thinking": "NEW"}',
      ),
    ],
    [
      turns(
        '{"role": "assistant", "content": [{"type": "thinking", "thinking": "R"}, {"type": "text", "text": "B"}]}, {"role": "user", "content": "V"}, {"role": "assistant", "content": [{"type": "text", "text": "A"}]}',
      ),
      turns(
        '{"role": "assistant", "content": [{"type": "thinking", "thinking": "R"}, {"type": "text", "text": "B"}]}, {"role": "user", "content": "V"}, {"role": "assistant", "content": [{"type": "thinking", "thinking": "NEW"}, {"type": "text", "text": "A"}]}',
      ),
    ],
    [
      '{"conversations": [{"from": "human", "value": "U"}, {"from": "gpt", "value": "A"}]}',
      `{"conversations": [{"from": "human", "value": "U"}, {"from": "gpt", "value": "${tags}A"}]}`,
    ],
    ['{"instruction": "U", "output": "A"}', `{"instruction": "U", "output": "${tags}A"}`],
    [
      '{"prompt": "U", "chosen": "A", "rejected": "B"}',
      `{"prompt": "U", "chosen": "${tags}A", "rejected": "B"}`,
    ],
    [
      '{"prompt": "U", "completions": ["A"], "labels": [true]}',
      `{"prompt": "U", "completions": ["${tags}A"], "labels": [true]}`,
    ],
    [
      '{"contents": [{"role": "user", "parts": [{"text": "U"}]}, {"role": "model", "parts": [{"text": "A"}]}]}',
      '{"contents": [{"role": "user", "parts": [{"text": "U"}]}, {"role": "model", "parts": [{"text": "NEW", "thought": true}, {"text": "A"}]}]}',
    ],
    [
      '{"steps": [{"source": "user", "message": "U"}, {"source": "agent", "message": "A"}]}',
      `{"steps": [{"source": "user", "message": "U"}, {"source": "agent", "message": "A"${field}}]}`,
    ],
    [
      '{"gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "A"}]}]}',
      '{"gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "reasoning", "content": "NEW"}, {"type": "text", "content": "A"}]}]}',
    ],
  ] as const) {
    const sample = opened(before)
    const at = sample.text.lastIndexOf('<|start|>assistant<|channel|>final')
    const edited = sample.text.slice(0, at) + thought + sample.text.slice(at)
    assert.deepEqual(editedSample(sample, edited), { json: after, losses: [] })
  }
})

test('what was made for text that is different now stays, and is reported', () => {
  const told = (json: string) => {
    const sample = opened(json)
    const saved = editedSample(sample, sample.text.replace('Old', 'New'))
    assert.equal(saved.json, json.replace('Old', 'New'))
    return saved.losses.map(({ kind, message }) => `${kind}: ${message}`)
  }
  const said = (key: string) => [`stale: \`${key}\` stays as it is, although its text changed`]
  const part = '{"type": "thinking", "thinking": "Old", "signature": "c2ln"}, {"type": "text", "text": "A"}'
  assert.deepEqual(told(`{"messages": [{"role": "assistant", "content": [${part}]}]}`), said('signature'))
  const detail = '"train_detail": [{"begin_offset": 0, "end_offset": 3, "train": false}]'
  assert.deepEqual(
    told(`{"conversations": [{"from": "gpt", "value": "Old", ${detail}}]}`),
    said('train_detail'),
  )
  assert.deepEqual(told('{"messages": [{"role": "assistant", "content": "Old", "train_detail": []}]}'), [])
})

test('segments: an edit goes into the segment that it touches', () => {
  const json =
    '{"id": 1, "segments": [{"label": false, "text": "<|im_start|>user\\nHi \\u00e9<|im_end|>\\n<|im_start|>assistant\\n"}, {"label": true, "text": "Hello<|im_end|>"}]}'
  const sample = opened(json)
  const save = (before: string, after: string) =>
    editedSample(sample, sample.text.replace(before, after)).json
  assert.equal(save('Hi', 'Good day'), json.replace('Hi', 'Good day'))
  assert.equal(save('Hello', 'Hey'), json.replace('Hello', 'Hey'))
})

test('every form that is not read only takes an edit', () => {
  const forms = new Set([...cases()].map(([form]) => form))
  for (const form of forms) assert.ok(!('isReadOnly' in formOf(form as 'messages')), form)
})

test('Responses in an envelope are edited in place', () => {
  const input = [
    '{"role": "user", "content": "Hi \\u00e9"}',
    '{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Think"}], "encrypted_content": "c2ln"}',
    '{"type": "function_call", "call_id": "c", "name": "f", "arguments": "{\\"a\\": 1.0}"}',
    '{"type": "function_call_output", "call_id": "c", "output": "Warm"}',
    '{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is "}, {"type": "output_text", "text": "warm"}]}',
  ]
  const json = `{"custom_id": "a", "body": {"instructions": "Be brief", "input": [${input.join(', ')}]}}`
  const sample = opened(json)
  const save = (before: string | RegExp, after: string) =>
    editedSample(sample, sample.text.replace(before, after))
  for (const [before, after] of [
    ['Hi', 'Hello'],
    ['Be brief', 'Be short'],
    ['Warm', 'Cold'],
    ['It is', 'It was'],
    ['warm<', 'cold<'],
  ] as const) {
    const [gone, come] = [before, after].map((it) => it.replace('<', '"'))
    assert.deepEqual(save(before, after), { json: json.replace(gone ?? '', come ?? ''), losses: [] })
  }
  assert.equal(save('1.0', '2.0').json, json.replace('1.0', '2.0'))
  const thought = save('Think', 'Ponder')
  assert.equal(thought.json, json.replace('Think', 'Ponder'))
  assert.deepEqual(
    thought.losses.map(({ kind }) => kind),
    ['stale'],
  )
  assert.equal(save(/.*analysis.*\n/, '').json, json.replace(`${input[1]}, `, ''))
  assert.equal(save(/.*Be brief.*\n/, '').json, json.replace('"instructions": "Be brief", ', ''))
  const added = `${sample.text}<|start|>user<|message|>Thanks<|end|>\n`
  assert.equal(
    editedSample(sample, added).json,
    json.replace(']}}', ', {"role": "user", "content": "Thanks"}]}}'),
  )
})

test('a batch of Responses: its question and its answer are edited, and a question that is a text', () => {
  const json =
    '{"body": {"input": "Hi"}, "response": {"status_code": 200, "body": {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello"}]}]}}}'
  const sample = opened(json)
  for (const [before, after] of [
    ['Hi', 'Good day'],
    ['Hello', 'Hey'],
  ] as const)
    assert.equal(editedSample(sample, sample.text.replace(before, after)).json, json.replace(before, after))
})

const asString = (json: string) => JSON.stringify(json)

test('conversations in envelopes that are JSON in a string are edited in that string', () => {
  const turns =
    '{"messages": [{"role": "user", "content": "Hi \\u00e9"}, {"role": "assistant", "content": "Hello"}], "temperature": 1.0}'
  const answer = '{"choices": [{"message": {"role": "assistant", "content": "Hello"}}]}'
  const question = '{"model": "m", "messages": [{"role": "user", "content": "Hi"}]}'
  for (const json of [
    `{"id": 1, "request": ${asString(turns)}}`,
    `{"id": 1, "request": {"body": ${asString(turns)}}}`,
    `{"id": 1, "body": ${asString(`{"body": ${asString(turns)}}`)}}`,
    `{"request": ${asString(question)}, "response": ${asString(`{"body": ${answer}}`)}}`,
    `{"request": ${asString(question)}, "response": {"body": ${asString(answer)}}}`,
    `{"request": ${asString(question)}, "response": ${asString(`{"body": ${asString(answer)}}`)}}`,
    `{"request": ${question}, "response": ${asString(answer)}}`,
    `{"messages": [{"role": "user", "content": "Hi"}], "response": ${asString(answer)}}`,
    `{"response": ${asString(`{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}`)}}`,
    `{"request": ${asString('{"input": "Hi"}')}, "response": ${asString('{"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello"}]}]}')}}`,
    `{"row": ${asString('{"instruction": "Hi", "output": "Hello"}')}}`,
    `{"sample": ${asString('{"prompt": "Hi", "chosen": "Hello", "rejected": "B"}')}}`,
    `{"request": ${asString('{"contents": [{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "model", "parts": [{"text": "Hello"}]}]}')}}`,
  ]) {
    const sample = opened(json)
    for (const [before, after] of [
      ['Hi', 'Good day'],
      ['Hello', 'Hey'],
    ] as const) {
      const edited = editedSample(sample, sample.text.replace(before, after))
      assert.deepEqual(edited, { json: json.replace(before, after), losses: [] })
    }
  }
  const json = `{"request": ${asString(turns)}}`
  const added = `${opened(json).text}<|start|>user<|message|>Thanks<|end|>\n`
  const more = turns.replace(']', ', {"role": "user", "content": "Thanks"}]')
  assert.equal(editedSample(opened(json), added).json, `{"request": ${asString(more)}}`)
})

test('functions are renamed in envelopes, and messages are added next to an input that is a text', () => {
  const messages =
    '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [{"type":"function","id": "c", "function": {"name": "look", "arguments": "{\\"a\\": 1.0}"}}]}, {"role": "tool", "tool_call_id": "c", "content": "Warm"}]}'
  const items =
    '{"input": [{"role": "user", "content": "Hi"}, {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{\\"a\\": 1.0}"}, {"type": "function_call_output", "call_id": "c", "output": "Warm"}]}'
  const said = (text: string) =>
    `{"type": "message","role": "user","content": [{"type": "input_text","text": "${text}"}]}`
  for (const wrapped of [
    (inner: string) => `{"custom_id":"a",  "body": ${inner}}`,
    (inner: string) => `{"custom_id":"a",  "body": ${asString(inner)}}`,
    (inner: string) => `{"data": {"body": ${asString(inner)}}}`,
  ]) {
    for (const inner of [messages, items]) {
      const sample = opened(wrapped(inner))
      const edited = editedSample(sample, sample.text.replaceAll('functions.look', 'functions.find'))
      assert.deepEqual(edited, { json: wrapped(inner.replace('"look"', '"find"')), losses: [] })
    }
    const sample = opened(wrapped('{"input": "Hi"}'))
    const edited = editedSample(sample, `${sample.text}<|start|>user<|message|>Thanks<|end|>\n`)
    assert.deepEqual(edited, { json: wrapped(`{"input": [${said('Hi')},${said('Thanks')}]}`), losses: [] })
  }
})

test('texts with frames are read only, which is said', () => {
  for (const value of [
    { chosen: '\n\nHuman: U\n\nAssistant: A', rejected: '\n\nHuman: U\n\nAssistant: B' },
    { prompt: '\n\nHuman: U\n\nAssistant:', completion: ' A' },
    { text: '\n\nHuman: U\n\nAssistant: A' },
  ]) {
    const sample = opened(JSON.stringify(value))
    assert.throws(
      () => editedSample(sample, sample.text.replace('>U<', '>V<')),
      (error) => error instanceof ConversionError && /in one text.*read-only/.test(error.message),
    )
  }
})

test('a call of ShareGPT gets another tool and other arguments, also while they are not JSON yet', () => {
  const check = (call: string, header: string, body: string, expected: string) => {
    const sampleWith = (value: string) =>
      `{"conversations": [{"from": "user", "value": "Hi"}, {"from": "function_call", "value": ${JSON.stringify(value)}, "weight": 1.0}, {"from": "observation", "value": "Warm"}], "n": 1.0}`
    const sample = opened(sampleWith(call))
    const edited = sample.text
      .replace(/to=functions\.look call_id=call_1(.*?<\|message\|>).*?<\|call\|>/, (_, rest) => {
        return `to=functions.${header}${rest}${body}<|call|>`
      })
      .replace(/name=functions\.look call_id=call_1/, `name=functions.${header}`)
    assert.notEqual(edited, sample.text)
    assert.deepEqual(editedSample(sample, edited), { json: sampleWith(expected), losses: [] })
  }
  const call = '{"name": "look", "arguments": {"a": 1.0, "b": "\\u00e9"}}'
  check(call, 'find call_id=call_1', '{"a": 1.0, "b": "é"}', call.replace('look', 'find'))
  check(call, 'find call_id=c7', '{"a": 2, "b": "é"}', call.replace('look', 'find').replace('1.0', '2'))
  check(call, 'look call_id=c7', '{"a": 1.0, "b": "é"}', call)
  check(call, 'look call_id=call_1', '{"a', '{"name": "look", "arguments": "{\\"a"}')
  check(
    '{"name": "look", "arguments": "{\\"a"}',
    'look call_id=call_1',
    '{}',
    '{"name": "look", "arguments": "{}"}',
  )
  // What only this call says would be lost.
  assert.throws(
    () => check('{"name": "look", "arguments": {}, "x": 7}', 'find call_id=call_1', '{}', ''),
    ConversionError,
  )
})
