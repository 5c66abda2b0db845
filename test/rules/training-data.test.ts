/** Checks of training data: each defect is found where it was planted, and nothing is where it was not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemsOfLines, sampleOnLine } from '../../core/src/checks/problems-of-lines.ts'
import { editableSample } from '../../core/src/datasets/editable-sample.ts'
import { fixedSample } from '../../core/src/datasets/fixed-sample.ts'
import { judgedForm, sampleTraits } from '../../core/src/datasets/judged-document.ts'
import { sampleOfText } from '../../core/src/datasets/sample.ts'
import { Document } from '../../core/src/rules/document.ts'
import { personalDataIn } from '../../core/src/rules/personal-data-in.ts'
import type { Problem } from '../../core/src/rules/problem.ts'
import { rules } from '../../core/src/rules/rule-registry.ts'
import { readDocument } from '../../core/src/rules/safe-fixes.ts'
import { mojibake, restored } from '../../core/src/rules/wrong-encodings.ts'
import { secretsIn } from '../../core/src/text/secrets.ts'
import { checkMarked } from './check-rules.ts'
import { plainSamples, plantedSamples } from './training-samples.ts'

const dataCodes = new Set(rules.flatMap(({ group, code }) => (group === 'data' ? code : [])))

test('each planted defect is found, and nothing else', () => {
  assert.equal(plantedSamples.length, 40)
  for (const [code, sample] of plantedSamples) {
    const found = (problemsOfLines(JSON.stringify(sample)) ?? []).filter((it) => dataCodes.has(it.code))
    assert.deepEqual([...new Set(found.map((it) => it.code))], [code], JSON.stringify(sample))
  }
})

const frames: readonly ((messages: readonly Said[]) => string)[] = [
  framed((role) => `<|im_start|>${role}\n`, '<|im_end|>\n'),
  framed((role) => `<|start_header_id|>${role}<|end_header_id|>\n\n`, '<|eot_id|>'),
]

interface Said {
  readonly role: string
  readonly content: string
}

function framed(start: (role: string) => string, end: string): (messages: readonly Said[]) => string {
  return (messages) => messages.map(({ role, content }) => `${start(role)}${content}${end}`).join('')
}

/** The messages of `sample`, if they are nothing but texts of roles, without markup. */
function saidIn(sample: object): readonly Said[] | undefined {
  const { messages, ...others } = sample as { readonly messages?: readonly Said[] }
  const isSaid = (it: Said) =>
    Object.keys(it).join() === 'role,content' && typeof it.content === 'string' && !/<\w/.test(it.content)
  return messages?.every(isSaid) && Object.keys(others).length === 0 ? messages : undefined
}

function problemsOfText(text: string): readonly Problem[] {
  const sample = editableSample(sampleOfText(JSON.stringify({ text }), { rest: 'source' }))
  assert.ok(sample.kind === 'good', text)
  return new Document(sample.text, { sample: sampleTraits(judgedForm(sample)) }).problems().problems
}

test('a defect in the text of a message is found, too, in samples that are text with control tokens', () => {
  const ofMessages = rules.filter(({ group, scope }) => group === 'data' && scope === 'message')
  const found = new Set<string>()
  for (const [code, sample] of plantedSamples) {
    const messages = saidIn(sample)
    if (!messages || !ofMessages.some((it) => it.code === code)) continue
    for (const write of frames) {
      const codes = problemsOfText(write(messages)).map((it) => it.code)
      // An answer without text is what a prompt ends with.
      const isFound =
        codes.includes(code) || (code === 'W-DATA-EMPTY-ANSWER' && codes.includes('W-DATA-NO-ANSWER'))
      assert.ok(isFound, `${code} in ${write(messages)}: ${codes.join()}`)
      found.add(code)
    }
  }
  assert.deepEqual([...found].sort(), [
    ...['H-DATA-BOILERPLATE', 'H-DATA-PERSONAL', 'H-DATA-REFUSAL'],
    ...['W-DATA-EMPTY-ANSWER', 'W-DATA-MOJIBAKE', 'W-DATA-NO-ANSWER', 'W-DATA-ORDER', 'W-DATA-SECRET'],
  ])
  const plain = plainSamples().flatMap((it) =>
    [saidIn(it as object) ?? []].filter(({ length }) => length > 0),
  )
  assert.ok(plain.length > 20)
  for (const text of plain.flatMap((it) => frames.map((write) => write(it))))
    assert.deepEqual(problemsOfText(text), [], text)
})

test('200 samples as people write them have no problem', () => {
  const samples = plainSamples()
  assert.equal(samples.length, 200)
  for (const sample of samples) {
    const found = problemsOfLines(JSON.stringify(sample)) ?? []
    assert.deepEqual(
      found.map(({ rule, message }) => `${rule}: ${message}`),
      [],
      JSON.stringify(sample),
    )
  }
})

test('transcripts are not checked as training data, unless a setting asks for it', () => {
  checkMarked('version: 2.2\n<|start|>user<|message|>Hi<|end|>\n')
  checkMarked(
    'version: 2.2\nlint:\n  missing-answer: warning\n<|start|>user<|message|>Hi<|end|>\n         ^^^^ warning missing-answer\n',
  )
})

test('an optional argument that is null is removed, and one that is required or may be null is not', () => {
  const optional = { type: 'string', enum: ['C', 'F'] }
  const inner = {
    type: 'object',
    properties: { x: { type: 'integer' }, y: { type: 'integer' } },
    required: ['y'],
  }
  const parameters = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      units: optional,
      area: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      range: inner,
      days: { type: 'array', items: { type: 'object', properties: { from: { type: 'string' } } } },
      free: { type: ['string', 'null'] },
      variant: { anyOf: [optional, { type: 'null' }] },
      open: { type: 'string', nullable: true },
      any: {},
    },
    required: ['city'],
  }
  const sampleOf = (args: object) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: 'Weather?' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: args } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'Rain' },
        { role: 'assistant', content: 'Rain.' },
      ],
      tools: [{ type: 'function', function: { name: 'weather', parameters } }],
    })
  const allowed = { free: null, variant: null, open: null, any: null }
  const days = [{ from: null }, { from: 'Monday' }]
  const nulls = { units: null, area: null, range: { x: null, y: null }, days, city: null, other: null }
  const sample = sampleOfText(sampleOf({ ...allowed, ...nulls }), { rest: 'source' })
  const fixed = sample.kind === 'good' && fixedSample(sample, {}, { read: { rest: 'source' } })
  assert.ok(fixed && fixed.kind === 'fixed')
  const kept = { ...allowed, range: { y: null }, days: [{}, { from: 'Monday' }], city: null }
  assert.equal(fixed.sample.json, sampleOf(kept))
  assert.deepEqual(
    problemsOfLines(fixed.sample.json)?.map(({ message, fixes }) => [message, fixes.length]),
    [
      ['`y` must be an integer, but is `null`', 0],
      ['`city` must be a string, but is `null`', 0],
    ],
  )
  const [problem] = problemsOfLines(sampleOf({ city: 'Oslo', units: null })) ?? []
  assert.deepEqual(
    problem?.fixes.map(({ title, isSafe, isChoice = false }) => [title, isSafe, isChoice]),
    [
      ['Remove `units`', true, false],
      ['Write `"C"`', false, true],
      ['Write `"F"`', false, true],
    ],
  )
  const plain = sampleOnLine(sampleOf({ city: 'Oslo', units: null }))
  const [found] = readDocument(plain?.text ?? '', {}, plain?.requestTools).problems().problems
  assert.equal(found?.fixes[0]?.isSafe, false, 'a transcript is not from a table')
})

test('text that was read in the wrong encoding is found with what it was, and text that looks like it is not', () => {
  const meant = [
    'Grüße',
    'crème brûlée',
    'I’m “here” – now…',
    '😀🎉',
    'Привет',
    '你好，世界。',
    'こんにちは、世界',
  ]
  const windows = new TextDecoder('windows-1252')
  for (const text of meant) {
    const bytes = new TextEncoder().encode(text)
    for (const wrong of [windows.decode(bytes), String.fromCharCode(...bytes)]) {
      const found = [...wrong.matchAll(mojibake)]
      assert.ok(found.length > 0, `${text}: ${JSON.stringify(wrong)}`)
      for (const [match] of found) {
        const was = restored(match)
        assert.ok(was !== undefined && text.includes(was), `${text}: ${match} was ${was}`)
      }
      const sample = { messages: [{ role: 'user', content: wrong }] }
      const codes = problemsOfLines(JSON.stringify(sample))?.map(({ code }) => code)
      assert.ok(codes?.includes('W-DATA-MOJIBAKE'), wrong)
    }
  }
  for (const text of [
    '« déjà » – où ça ? Voilà…',
    'NÃO É SÃO PAULO',
    'ÂM NHẠC',
    'İŞÇİ çok iyi',
    'ä, ö – „ü“ ß',
  ])
    assert.equal(restored(text.match(mojibake)?.[0] ?? '\ufffe'), undefined, text)
})

test('answers that name their model or its maker describe themselves, and those about models do not', () => {
  const found = (answer: string) => {
    const messages = [
      { role: 'user', content: 'Who?' },
      { role: 'assistant', content: answer },
    ]
    return problemsOfLines(JSON.stringify({ messages }))?.map(({ code }) => code)
  }
  for (const answer of [
    'I am ChatGPT, a model trained by OpenAI.',
    'Hello! I’m Claude, an AI assistant made by Anthropic.',
    'I was created by DeepSeek.',
    'I am a large language model, trained by Google.',
  ])
    assert.deepEqual(found(answer), ['H-DATA-BOILERPLATE'], answer)
  for (const answer of [
    'BERT is a model trained by Google. ChatGPT was made by OpenAI.',
    'I am Claude Monet, the painter.',
    'I am using ChatGPT, which was created by OpenAI.',
    'I was impressed. The tools built by Google help.',
    'I am a fan of the tools made by Google.',
  ])
    assert.deepEqual(found(answer), [], answer)
})

test('an answer of characters that nobody sees is empty', () => {
  for (const [content, isEmpty] of [
    ['\u200b', true],
    [' \ufeff\n\u00ad', true],
    ['\u200b.', false],
    ['👍', false],
  ] as const) {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content },
    ]
    const codes = (problemsOfLines(JSON.stringify({ messages })) ?? []).map(({ code }) => code)
    assert.equal(codes.includes('W-DATA-EMPTY-ANSWER'), isEmpty, JSON.stringify(content))
  }
})

test('no secret is part of a message', () => {
  for (const [code, sample] of plantedSamples) {
    if (code !== 'W-DATA-SECRET' && code !== 'H-DATA-PERSONAL') continue
    for (const { message } of problemsOfLines(JSON.stringify(sample)) ?? [])
      assert.match(
        message,
        /^The message contains (?:an? [A-Za-z ]*|the [A-Za-z ]*|a secret: `[A-Z]?[\w ]{2,12}`)$/,
      )
  }
})

test('keys are found next to their names, by their prefixes, and in addresses', () => {
  const hex = 'b3f07a1c9d2e8456'
  const text = [...'aBdEcgHfjKbmNhpQnsTrvWwyZxbCzeFqhJ7302'].join('')
  for (const [what, before, secret] of [
    ['AWS', 'AWS_SECRET_ACCESS_KEY=', `${text}+/`],
    ['AWS', '"secretAccessKey": "', `${text}/9`],
    ['URL password', 'postgres://app:', 'kR7vQ2mXw9Lp'],
    ['URL password', 'redis://:', 'kR7vQ2mXw9Lp'],
    ['Groq', 'key ', `gsk_${text}${text.slice(0, 14)}`],
    ['Shopify', '', `shpat_${hex}${hex}`],
    ['DigitalOcean', '', `dop_v1_${hex.repeat(4)}`],
    ['Replicate', '', `r8_${text.slice(0, 37)}`],
    ['Linear', '', `lin_api_${text}xY`],
    ['Docker', '', `dckr_pat_${text.slice(0, 27)}`],
    ['xAI', '', `xai-${text}${text}${text.slice(0, 4)}`],
  ] as const) {
    const written = `${before}${secret}${what === 'URL password' ? '@db.internal/app' : ' '}`
    const range = { start: before.length, end: before.length + secret.length }
    assert.deepEqual(secretsIn(written), [{ range, what }], written)
  }
})

for (const text of [
  'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-proj-your-key-here-your-key-here-your-key-here-your-key',
  'AKIAIOSFODNN7EXAMPLE',
  'hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'npm_install_something_with_a_long_name_here_ok',
  'the sk-learn-contrib-long-package-name is fine',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'aws_secret_access_key = os.environ["AWS_SECRET_ACCESS_KEY"]',
  'postgres://user:password123@db.example.com/app and mysql://root:s3cretSecret@db/app',
  'postgres://app:kR7vQ2mXw9Lp@localhost:5432/app, amqp://app:kR7vQ2mXw9Lp@127.0.0.1',
  'redis://:$REDIS_PASSWORD_1@cache and http://a:<pass_word_1>@b',
  'see https://example.org:8080/users/ann@example.org and git@host:team/kR7vQ2mXw9Lp',
])
  test(`no secret: ${text.slice(0, 40)}`, () => assert.deepEqual(secretsIn(text), []))

test('the address of a machine is found, short or long', () => {
  for (const address of [
    '93.184.216.34',
    '2a02:8108:96bf:d7f4:1c2b:3d4e:5f60:7182',
    '2A00:1450:4001:81b::200e',
    '2600::1',
  ])
    for (const text of [address, `from ${address}.`, `[${address}]`])
      assert.deepEqual(
        personalDataIn(text).map(({ range, kind }) => [kind, text.slice(range.start, range.end)]),
        [['address', address]],
      )
})

for (const text of [
  'ann@example.com, noreply@shop.io, git@github.com',
  'postgres://app:kR7vQ2mXw9Lp@db.shop.io/orders and ssh://deploy@build.shop.io',
  '+1 212 555 0123 and 1-800-555-1234',
  '4111 1111 1111 1111 and 4242424242424242 and 1234 5678 9012 3456',
  'DE00 3704 0044 0532 0130 00 has wrong check digits',
  '10.0.0.1 127.0.0.1 192.168.1.20 172.16.5.4 203.0.113.9 198.51.100.1 8.8.8.8 255.255.255.0',
  'version 21.4.55.3 and 1.2.3.4 and section 4.1.2.3',
  '2024-05-06 12:30:00, 1,234,567 and 3.14159265358979',
  'order 6011000990139424 of ids 3700-0000-0000-002x',
  '2001:db8::1, 2001:4860:4860::8888, 2a02:8108::, 2a02:8108:96bf::/48, and fe80::1',
  '2024:05:06:12:30:45, 2a02::1::2, and std::f00d::2000::value',
])
  test(`no personal data: ${text.slice(0, 40)}`, () => assert.deepEqual(personalDataIn(text), []))
