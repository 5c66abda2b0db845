/** The query language (S7): every term by a table, mistakes with their places, and a naive reference. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  compileQuery,
  DatasetStatistics,
  foundTexts,
  parseQuery,
  problemNames,
  readSample,
  type SampleReview,
  sampleJudge,
  viewOfSample,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const samples: Readonly<Record<string, unknown>> = {
  hello: {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Good day' },
    ],
    source: 'wiki',
  },
  sky: {
    messages: [
      { role: 'system', content: 'Answer in one sentence.' },
      { role: 'user', content: 'Why is the SKY blue?' },
      {
        role: 'assistant',
        content: 'Rayleigh scattering.',
        reasoning_content: 'They want physics; mention Lord Rayleigh.',
      },
    ],
    score: 0.25,
    meta: { lang: 'de', tags: ['physics', 'short'] },
  },
  weather: {
    messages: [
      { role: 'user', content: 'Weather in Köln and Bonn?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Köln"}' } },
          { id: 'c2', type: 'function', function: { name: 'get_time', arguments: '{"city":"Bonn"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"celsius":21}' },
      { role: 'tool', tool_call_id: 'c2', content: 'noon' },
      { role: 'assistant', content: 'It is 21 degrees.' },
      { role: 'user', content: 'Thanks' },
      { role: 'assistant', content: 'You are welcome.' },
    ],
    score: 3,
    source: 'Web forum',
  },
  image: {
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x.png' } }] }],
    score: '3',
  },
  mistake: { text: 'version: 2.2\n<|start|>assistant<|channel|> final<|message|>Hi<|return|>\n' },
  pair: {
    prompt: 'Name a colour',
    chosen: 'Teal',
    rejected: 'Seven 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',
    source: 'poll',
  },
  broken: '{"messages": [',
}

const reviews: Readonly<Record<string, SampleReview>> = {
  hello: { decision: 'keep', labels: ['good'], notes: 0, noteTexts: [], reviewers: ['Ann'], isStale: false },
  sky: {
    decision: 'reject',
    labels: ['wrong', 'refusal'],
    notes: 2,
    noteTexts: ['Blue is not a fact here', 'Too short'],
    reviewers: ['Bo Li'],
    isStale: true,
  },
}

const names = Object.keys(samples)

function view(name: string) {
  const sample = samples[name]
  const json = typeof sample === 'string' ? sample : JSON.stringify(sample)
  return viewOfSample(readSample(new TextEncoder().encode(json), {}), names.indexOf(name) + 1, {
    judge: sampleJudge({}),
    count: ({ conversation }) => conversation.messages.length * 10,
    review: () => reviews[name],
  })
}

function matcher(query: string, columns?: readonly string[]) {
  const compiled = compileQuery(query, { columns })
  assert.equal(compiled.kind, 'matcher', JSON.stringify(compiled))
  return compiled.kind === 'matcher' ? compiled.matcher : assert.fail()
}

function found(query: string): string {
  const { matches } = ((it) => ({ matches: it.matches.bind(it) }))(matcher(query))
  return names.filter((name) => matches(view(name))).join(' ')
}

/** A query, and the samples that match. */
const table: readonly (readonly [query: string, names: string])[] = [
  ['', names.join(' ')],
  ['sky', 'sky'],
  ['KÖLN', 'weather'],
  ['https://nowhere.example OR hello', 'hello'],
  ['"good day"', 'hello'],
  ['"one sentence" blue', 'sky'],
  ['hello blue', ''],
  ['hello OR blue', 'hello sky'],
  ['-hello', 'sky weather image mistake pair broken'],
  ['-(hello OR blue) weather', 'weather'],
  ['(hello OR blue) -wiki', 'sky'],
  ['blue OR hello wiki', 'hello sky'],
  ['/sk[a-z]/', ''],
  ['/sk[a-z]/i', 'sky'],
  ['/^Hello$/', 'hello'],
  ['user:blue', 'sky'],
  ['user:rayleigh', ''],
  ['assistant:rayleigh', 'sky'],
  ['assistant:physics', ''],
  ['assistant:/^It is \\d+/', 'weather'],
  ['system:sentence', 'sky'],
  ['developer:sentence', ''],
  ['tool:celsius', 'weather'],
  ['reply:noon', 'weather'],
  ['reasoning:physics', 'sky'],
  ['call:köln', 'weather'],
  ['call:noon', ''],
  ['calls:get_weather', 'weather'],
  ['calls:get_*', 'weather'],
  ['calls:weather', ''],
  ['calls:*', 'weather'],
  ['calls>1', 'weather'],
  ['calls>2', ''],
  ['tools:2..', 'weather'],
  ['turns>=2', 'weather'],
  ['turns=1', 'hello sky pair'],
  ['messages<3', 'hello image mistake pair broken'],
  ['chars<=13', 'hello image mistake broken'],
  ['chars<=17', 'hello image mistake pair broken'],
  ['tokens>40', 'weather'],
  ['line:2..3', 'sky weather'],
  ['line:..2', 'hello sky'],
  ['line=1', 'hello'],
  ['score<0.5', 'sky'],
  ['score:3', 'weather image'],
  ['source:wiki', 'hello'],
  ['source:web*', 'weather'],
  ['source:"web forum"', 'weather'],
  ['source=wiki', 'hello'],
  ['meta.lang:de', 'sky'],
  ['meta.tags:short', 'sky'],
  ['meta.tags:/^ph/', 'sky'],
  ['has:reasoning', 'sky'],
  ['has:calls', 'weather'],
  ['has:images', 'image'],
  ['has:pair', 'pair'],
  ['assistant:seven', 'pair'],
  ['assistant:teal user:colour', 'pair'],
  ['has:note', 'sky'],
  ['is:broken', 'broken'],
  ['is:undecided', 'weather image mistake pair broken'],
  ['is:stale', 'sky'],
  ['decision:keep', 'hello'],
  ['label:refusal', 'sky'],
  ['reviewer:ann OR reviewer:"bo li"', 'hello sky'],
  ['note:"too short"', 'sky'],
  ['note:/not a f.ct/', 'sky'],
  ['form:messages -form:broken', 'hello sky weather image'],
  ['problem:W-HEADER-SPACE OR problem:*', ''],
  ['-"sky" -"hello" is:broken', 'broken'],
]

describe('terms', () => {
  for (const [query, expected] of table.filter(([it]) => !it.startsWith('problem'))) {
    test(query === '' ? 'nothing' : query, () => assert.equal(found(query), expected))
  }

  test('problem: by code, by rule, and any', () => {
    const [problem] = view('mistake').problems
    assert.ok(problem)
    for (const query of [`problem:${problem.code}`, `problem:${problem.rule}`])
      assert.ok(found(query).split(' ').includes('mistake'), query)
    assert.equal(found(`problem:${problem.rule}`), 'mistake')
    assert.ok(found('problem:*').split(' ').includes('mistake'))
    assert.equal(found('problem:W-DATA-SECRET'), 'pair', 'a problem of a branch that is not shown')
  })
})

describe('mistakes', () => {
  for (const [query, message, from, to] of [
    ['"open', /quotation mark/, 0, 1],
    ['a /b', /not closed with/, 2, 3],
    ['/a/x', /Unknown flags `x`/, 3, 4],
    ['/(?=a)/', /lookaround/, 0, 7],
    ['user:/(/', /not a regular expression/, 0, 8],
    ['(a', /not closed/, 0, 1],
    ['a)', /no bracket is open/, 1, 2],
    ['()', /Expected a term/, 1, 2],
    ['a OR', /Expected a term/, 4, 4],
    ['OR a', /Expected a term/, 0, 2],
    ['turns>', /Expected a number after `>`/, 6, 7],
    ['turns>=many', /Expected a number after `>=`/, 7, 11],
    ['turns:>=2', /Leave out the colon before `>=2`/, 5, 9],
    ['refund AND turns>2', /^Leave out `AND`\. Adjacent terms must all match$/, 7, 10],
    ['a && b', /Leave out `&&`/, 2, 4],
    ['a || b', /^Write `OR` instead of `\|\|`$/, 2, 4],
    ['a NOT(b)', /^Write `-` before the term instead of `NOT`$/, 2, 5],
    ['!lang:de', /^Write `-` instead of `!`$/, 0, 1],
    ['a !draft', /^Write `-` instead of `!`$/, 2, 3],
    ['!(a)', /^Write `-` instead of `!`$/, 0, 1],
    ['! a', /^Write `-` instead of `!`$/, 0, 1],
    ['lang!=de', /^Write `-` before the term instead of `!=`$/, 4, 6],
    ['score=>1', /^Write `>=` instead of `=>`$/, 5, 7],
    ['score=<1', /^Write `<=` instead of `=<`$/, 5, 7],
    ['lang==de', /^Write `=` instead of `==`$/, 4, 6],
    ['score:<0.5', /Leave out the colon/, 5, 10],
    ['turns:many', /`turns` is a number/, 0, 10],
    ['problem:no-such-rule', /^Unknown problem `no-such-rule`$/, 0, 20],
    ['problem:W-DATA-SECRETS', /Did you mean `W-DATA-SECRET`\?/, 0, 22],
    ['user:', /Expected a value/, 5, 5],
    ['user:1..2', /instead of a range/, 0, 9],
    ['has:legs', /Expected one of `reasoning`, `calls`/, 0, 8],
    ['is:1..2', /Unknown value of `is`/, 0, 7],
    ['decision:nope', /^Unknown value of `decision`\. Expected one of `keep`, .*`conflict`$/, 0, 13],
    ['form:nope', /^Unknown value of `form`\. Expected one of .*`broken`$/, 0, 9],
    ['form:/^nope/', /Unknown value of `form`/, 0, 12],
    ['turns:..', /`turns` is a number\. Expected a number or a range/, 0, 8],
    ['turns:""', /`turns` is a number/, 0, 8],
    ['turns:1.2.3', /`turns` is a number/, 0, 11],
    ['turns:2..1', /^Write `1\.\.2` instead of `2\.\.1`$/, 6, 10],
    ['/(a{1,100}){1,100}b/', /too large/, 0, 20],
    ['/a{1001}/', /too large/, 0, 9],
    ['/a{2,1}/', /not a regular expression/, 0, 8],
    ['rsoning:a', /Unknown field `rsoning`/, 0, 9],
    ['reasonin:a', /Did you mean `reasoning`\?/, 0, 10],
    ['scor>1', /Did you mean `score`\?/, 0, 6],
    ['zebra:x', /in quotation marks/, 0, 7],
    ['x'.repeat(10_001), /longer than 10000/, 10_000, 10_001],
    ['('.repeat(100), /64 brackets/, 64, 65],
  ] as const) {
    test(query.slice(0, 20), () => {
      const compiled = compileQuery(query, { columns: ['score', 'meta'], problems: problemNames })
      assert.equal(compiled.kind, 'mistake')
      if (compiled.kind !== 'mistake') return
      assert.match(compiled.message, message)
      assert.deepEqual(compiled.span, { from, to })
    })
  }

  test('a field of samples, and what is below it, is known', () => {
    for (const query of [
      'score>1',
      'meta.lang:de',
      'line:3',
      'turns:*',
      'turns:1*',
      'form:SHARE*',
      'decision:Keep',
    ])
      assert.equal(
        compileQuery(query, { columns: ['score', 'meta'], problems: problemNames }).kind,
        'matcher',
      )
    assert.deepEqual(
      [...matcher('score>1 user:a meta.lang:de -score:2').fields],
      ['score', 'user', 'meta.lang'],
    )
  })
})

test('every character is found as text', () => {
  for (let code = 0x21; code < 0x7f; code++) {
    const character = String.fromCharCode(code)
    const words = JSON.stringify(`a${character}b`)
    const json = JSON.stringify({ messages: [{ role: 'user', content: `xa${character}by` }] })
    const sample = viewOfSample(readSample(new TextEncoder().encode(json), {}), 1)
    const other = viewOfSample(readSample(new TextEncoder().encode(json.replace('xa', 'xc')), {}), 1)
    for (const query of [words, `user:${words}`]) {
      assert.ok(matcher(query).matches(sample), query)
      assert.ok(!matcher(query).matches(other), query)
    }
  }
  assert.ok(matcher('e-mail').mayMatch(new TextEncoder().encode('{"text":"E-Mail"}')))
})

test('hits have their places, and say what is hidden', () => {
  const { hitsIn } = ((it) => ({ hitsIn: it.hitsIn.bind(it) }))(matcher('rayleigh -blue2 OR user:blue'))
  const hits = hitsIn(view('sky')).map(({ text, span }) => [
    text.kind,
    text.isHidden,
    text.text.slice(span.from, span.to),
  ])
  assert.deepEqual(hits, [
    ['user', false, 'blue'],
    ['reasoning', true, 'Rayleigh'],
    ['assistant', false, 'Rayleigh'],
  ])
})

test('what is found for a view is visible text, and the names of hidden texts', () => {
  const foundIn = (query: string, name: string) => foundTexts(matcher(query).hitsIn(view(name)))
  assert.deepEqual(foundIn('rayleigh OR sky', 'sky'), { texts: ['SKY', 'Rayleigh'], hidden: ['reasoning'] })
  assert.deepEqual(foundIn('köln', 'weather'), { texts: ['Köln'], hidden: ['call'] })
  assert.deepEqual(foundIn('-sky', 'sky'), { texts: [], hidden: [] })
})

describe('properties', () => {
  const words = ['hello', 'day', 'blue', 'Rayleigh', 'köln', 'noon', 'nowhere']
  const term = fc.oneof(
    fc.constantFrom(...words).map((word) => ({
      text: `"${word}"`,
      test: (name: string) => {
        const sample = samples[name]
        const texts = typeof sample === 'string' ? sample : JSON.stringify(sample)
        return texts.toLowerCase().includes(word.toLowerCase())
      },
    })),
    fc.constantFrom('hello', 'sky', 'weather').map((wanted) => ({
      text: `line:${names.indexOf(wanted) + 1}`,
      test: (name: string) => name === wanted,
    })),
  )
  interface Node {
    readonly text: string
    test(name: string): boolean
  }
  const { query } = fc.letrec<{ query: Node; joined: Node }>((tie) => ({
    query: fc.oneof({ depthSize: 'small' }, term, tie('joined')),
    joined: fc
      .tuple(fc.constantFrom('all', 'any', 'not'), fc.array(tie('query'), { minLength: 1, maxLength: 3 }))
      .map(([kind, of]): Node => {
        if (kind === 'not') return { text: `-(${of[0]?.text})`, test: (name) => of[0]?.test(name) === false }
        const text = `(${of.map((it) => it.text).join(kind === 'any' ? ' OR ' : ' ')})`
        return {
          text,
          test: (name) => (kind === 'any' ? of.some((it) => it.test(name)) : of.every((it) => it.test(name))),
        }
      }),
  }))

  test('a query finds what a naive reference finds', () => {
    fc.assert(
      fc.property(query, (it) => {
        assert.equal(found(it.text), names.filter((name) => it.test(name)).join(' '), it.text)
      }),
      { numRuns: Math.min(propertyRuns, 300) },
    )
  })

  test('any text is a query or a mistake within it', () => {
    const piece = fc.constantFrom(
      '"',
      '/',
      '(',
      ')',
      '-',
      'OR',
      ' ',
      'a',
      ':',
      '>=',
      '..',
      '1',
      '\\',
      '[',
      'user',
    )
    fc.assert(
      fc.property(
        fc.array(piece).map((it) => it.join('')),
        (text) => {
          const parsed = parseQuery(text)
          if (parsed.kind === 'query') return
          assert.ok(
            parsed.span.from <= parsed.span.to && parsed.span.to <= text.length + 1,
            JSON.stringify(parsed),
          )
        },
      ),
      { numRuns: propertyRuns },
    )
  })
})

describe('integers that are too long for a number', () => {
  const messages = '"messages": [{"role": "user", "content": "Hi"}]'
  const views = [
    `{"id": 9007199254740993, "ids": [1, 9007199254740993], "meta": {"id": -9007199254740993}, ${messages}}`,
    `{"id": 9007199254740992, "ids": [9007199254740992], "meta": {"id": 1e400}, ${messages}}`,
  ].map((json, place) => viewOfSample(readSample(new TextEncoder().encode(json), {}), place))
  for (const [query, expected] of [
    ['id:9007199254740993', [0]],
    ['id:9007199254740992', [1]],
    ['id=9007199254740993', [0]],
    ['id:/3$/', [0]],
    ['id:*93', [0]],
    ['ids:9007199254740993', [0]],
    ['meta.id:-9007199254740993', [0]],
    ['id>9007199254740000', [0, 1]],
  ] as const)
    test(query, () => {
      const compiled = compileQuery(query)
      assert.equal(compiled.kind, 'matcher')
      if (compiled.kind !== 'matcher') return
      const { matcher } = compiled
      assert.deepEqual(
        views.flatMap((it, index) => (matcher.matches(it) ? [index] : [])),
        expected,
      )
      // The values of columns are numbers, which are rounded.
      if (query.startsWith('id:')) assert.equal(matcher.columns, undefined)
    })

  test('samples are grouped by all digits', () => {
    const statistics = new DatasetStatistics({ by: 'id' })
    for (const it of views) statistics.add(it)
    assert.deepEqual(
      statistics.groups.map(([value]) => value),
      ['9007199254740992', '9007199254740993'],
    )
  })
})
