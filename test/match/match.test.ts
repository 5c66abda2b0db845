/** Matching of what an agent did with what was expected: the modes, the arguments, and texts in which anything fits. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ArgumentMode,
  comparedTexts,
  expectedText,
  MatchLimit,
  type MatchMode,
  matchConversations,
  PatternProblem,
  readConversation,
  type Step,
} from '../../core/src/internal.ts'

const call = (tool: string, args = '{}') =>
  `<|start|>assistant to=functions.${tool} call_id=c<|channel|>commentary<|constrain|>json<|message|>${args}<|call|>\n`
const reply = (tool: string, text = '1') =>
  `<|start|>tool name=functions.${tool} call_id=c<|channel|>commentary<|message|>${text}<|end|>\n`
const user = (text: string) => `<|start|>user<|message|>${text}<|end|>\n`
const answer = (text: string) => `<|start|>assistant<|channel|>final<|message|>${text}<|end|>\n`
const thought = (text: string) => `<|start|>assistant<|channel|>analysis<|message|>${text}<|end|>\n`

function match(actual: string, expected: string, mode: MatchMode = 'strict', args: ArgumentMode = 'exact') {
  const read = (text: string) => readConversation(`version: 2.2\n${text}`).conversation
  return matchConversations(read(actual), read(expected), { mode, args })
}

const shown = ({ kind, tool, text }: Step) =>
  kind === 'call' || kind === 'reply' ? `${kind} ${tool}` : `${kind} ${text}`

/** What differs, one per line. */
function differences(...args: Parameters<typeof match>): readonly string[] {
  return match(...args).steps.flatMap((it) => {
    if (it.kind === 'same') return []
    const step = it.kind === 'unexpected' ? it.actual : it.expected
    const how = it.kind === 'different' ? ` (${JSON.stringify(it.difference)})` : ''
    return [`${it.kind} ${shown(step)}${how}`]
  })
}

const abc = call('a') + call('b') + call('c')

/** Which modes two runs match in, in the order of the list. */
const modeRows: readonly (readonly [name: string, actual: string, expected: string, modes: string])[] = [
  ['the same', abc, abc, 'strict ordered unordered superset subset'],
  ['another order', call('b') + call('a') + call('c'), abc, 'unordered superset subset'],
  ['one more', abc + call('d'), abc, 'ordered superset'],
  ['one more in between', call('a') + call('d') + call('b') + call('c'), abc, 'ordered superset'],
  ['one less', call('a') + call('c'), abc, 'subset'],
  ['another one', call('a') + call('b') + call('d'), abc, ''],
  ['twice', call('a') + call('a') + call('b') + call('c'), abc, 'ordered superset'],
  ['nothing expected', call('a'), '', 'ordered superset'],
  ['nothing done', '', call('a'), 'subset'],
  ['nothing at all', '', '', 'strict ordered unordered superset subset'],
  [
    'reasoning is not compared',
    thought('x') + call('a'),
    thought('y') + call('a'),
    'strict ordered unordered superset subset',
  ],
  [
    'kinds that are not expected are not compared',
    user('u') + call('a') + reply('a') + answer('x'),
    call('a'),
    'strict ordered unordered superset subset',
  ],
  ['kinds that are expected are', user('u') + call('a') + answer('x'), call('a') + answer('y'), ''],
  [
    'partners are exchanged until as many steps as possible have one',
    call('a', '{"x":1}') + call('a', '{"x":2}') + call('a', '{"x":3}'),
    call('a', '"<any>"') + call('a', '{"x":"<re:1|2>"}') + call('a', '{"x":1}'),
    'unordered superset subset',
  ],
  ['twice expected, once done', call('a'), call('a') + call('a'), 'subset'],
  [
    'expressions are in the strings of JSON, without its escapes',
    call('a', '{"q":"a>b (1)"}'),
    call('a', '{"q":"<re:a\\\\>b> <re:\\\\(\\\\d\\\\)>"}'),
    'strict ordered unordered superset subset',
  ],
  [
    'a short expression in long arguments',
    call('a', `{"q":"abc","t":"${'x'.repeat(3000)}"}`),
    call('a', `{"q":"<re:a.c>","t":"${'x'.repeat(3000)}"}`),
    'strict ordered unordered superset subset',
  ],
  [
    'long integers that differ in their last digit',
    call('a', '{"id":12345678901234567890,"s":"1e5"}'),
    call('a', '{"id":12345678901234567891,"s":"1e5"}'),
    '',
  ],
  [
    'arguments that are nested deeply',
    call('a', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
    call('a', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
    'strict ordered unordered superset subset',
  ],
  [
    'a step that anything fits takes what is left over',
    call('a', '{"x":1}') + call('a', '{"x":2}'),
    call('a', '"<any>"') + call('a', '{"x":1}'),
    'unordered superset subset',
  ],
]

describe('modes', () => {
  for (const [name, actual, expected, modes] of modeRows) {
    test(name, () => {
      const all = ['strict', 'ordered', 'unordered', 'superset', 'subset'] as const
      assert.equal(all.filter((mode) => match(actual, expected, mode).isMatch).join(' '), modes)
    })
  }
})

/** Which argument modes fit. */
const argumentRows: readonly (readonly [actual: string, expected: string, modes: string])[] = [
  ['{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1}', 'exact subset ignore'],
  ['{"a":1,"b":2}', '{"a":1}', 'subset ignore'],
  ['{"a":1}', '{"a":1,"b":2}', 'ignore'],
  ['{"a":{"x":1,"y":2}}', '{"a":{"x":1}}', 'subset ignore'],
  ['{"a":[1,2,3]}', '{"a":[1,2]}', 'ignore'],
  ['{"a":1}', '{"a":1.0}', 'exact subset ignore'],
  ['{"a":"1"}', '{"a":1}', 'ignore'],
  ['{"a":{"deep":true}}', '{"a":"<any>"}', 'exact subset ignore'],
  ['{"a":42}', '{"a":"<re:\\\\d+>"}', 'exact subset ignore'],
  ['{"a":"Oslo, Norway"}', '{"a":"Oslo<any>"}', 'exact subset ignore'],
  ['{"a":null}', '{"a":"<re:.*>"}', 'ignore'],
  ['not json', '{"a":1}', 'ignore'],
  ['{"a":1}', '<any>', 'exact subset ignore'],
]

describe('arguments', () => {
  for (const [actual, expected, modes] of argumentRows) {
    test(`${actual} is expected to be ${expected}`, () => {
      const all = ['exact', 'subset', 'ignore'] as const
      const fits = all.filter((args) => match(call('f', actual), call('f', expected), 'strict', args).isMatch)
      assert.equal(fits.join(' '), modes)
    })
  }
})

const textRows: readonly (readonly [expected: string, actual: string, fits: boolean])[] = [
  ['Hello', ' Hello\n', true],
  ['Hello', 'hello', false],
  ['<any>', '', true],
  ['Hello <any>!', 'Hello you and\nyou!', true],
  ['Hello <any>!', 'Hello you', false],
  ['<any>a<any>b', 'xaxxb', true],
  ['<any>a<any>a', 'xa', false],
  ['a<any>', 'ba', false],
  ['It is <re:\\d+> °C', 'It is 21 °C', true],
  ['It is <re:\\d+> °C', 'It is warm °C', false],
  ['(a+b) [<re:x|y>] <any>.', '(a+b) [y] \n.', true],
  ['<re:a|b>c', 'a', false],
  ['<re:a\\>b>', 'a>b', true],
  ['a < b and <re:c>', 'a < b and c', true],
]

describe('texts', () => {
  for (const [expected, actual, fits] of textRows) {
    test(`${JSON.stringify(actual)} is expected to be ${JSON.stringify(expected)}`, () =>
      assert.equal(expectedText(expected).fits(actual), fits))
  }

  test('an expression that cannot be used is refused', () => {
    for (const source of [
      '<re:(>',
      '<re:a',
      '<re:(?=a)>',
      '<re:(a)\\1>',
      `<re:a>${'b'.repeat(3000)}`,
      '<re:)|(>',
    ]) {
      assert.throws(() => expectedText(source), PatternProblem, source.slice(0, 20))
    }
  })

  test('no expression takes more than linear time', () => {
    const text = `${'a'.repeat(100_000)}!`
    assert.equal(expectedText('<re:(a+)+(a|aa)+(.*a){5}>').fits(text), false)
    assert.equal(expectedText(`${'a<any>'.repeat(100_000)}b`).fits('a'.repeat(100_000)), false)
  })

  test('all comparisons together are limited', () => {
    const many = (text: (index: number) => string) =>
      Array.from({ length: 300 }, (_, index) => call('a', `{"q":"${text(index)}"}`)).join('')
    const actual = many((index) => 'a'.repeat(2000) + index)
    const expected = many((index) => `<re:(a|aa|aaa)*(.*a){20}(a|b){50}c${index}>`)
    assert.throws(() => match(actual, expected, 'unordered'), MatchLimit)
  })

  test('an expression that no comparison reaches is refused, too', () => {
    assert.throws(() => match(call('a', '{"x":1}'), call('a', '{"x":2,"y":["<re:(>"]}')), PatternProblem)
  })
})

test('what differs', () => {
  assert.deepEqual(
    differences(call('a', '{"x":{"y":1}}') + call('d'), call('a', '{"x":{"y":2}}') + call('b')),
    [
      'different call a ({"kind":"value","value":{"path":["x","y"],"kind":"different"}})',
      'missing call b',
      'unexpected call d',
    ],
  )
  assert.deepEqual(differences(user('Hi') + answer('21'), user('Hi') + call('f') + answer('<re:\\d\\d>')), [
    'missing call f',
  ])
  assert.deepEqual(differences(call('b') + abc, abc), ['unexpected call b'])
  assert.deepEqual(differences(call('x') + abc, abc, 'subset'), ['unexpected call x'])
  assert.deepEqual(differences(call('c') + call('a'), abc, 'superset'), ['missing call b'])
})

test('other forms of conversations are compared by the same steps', () => {
  const messages = JSON.stringify({
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'get', arguments: '{"q":"Oslo"}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: '{"t":21}' },
      { role: 'assistant', content: 'It is 21 °C.' },
    ],
  })
  const expected = `version: 2.2\n${user('Weather?')}${call('get', '{"q":"Oslo"}')}${reply('get', '{"t":"<any>"}')}${answer('It is <re:\\d+> °C.')}`
  const result = matchConversations(
    readConversation(messages).conversation,
    readConversation(expected).conversation,
    {
      mode: 'strict',
      args: 'exact',
    },
  )
  assert.ok(result.isMatch)
  assert.equal(result.steps.length, 4)
})

describe('the texts of a comparison', () => {
  const texts = (actual: string, expected: string, mode: MatchMode = 'strict') => {
    const result = match(actual, expected, mode)
    return comparedTexts(result, { mode, args: 'exact' })
  }

  test('are equal where everything fits, also what fits <any> and other white space', () => {
    const actual = user('Hi') + call('f', '{"a":1,"b":"x"}') + reply('f') + answer('Done at 12:30')
    const expected =
      user('<any>') + call('f', '{ "a": 1, "b": "<any>" }') + reply('f') + answer('Done at <re:\\d+:\\d+>')
    const { expected: left, actual: right } = texts(actual, expected)
    assert.equal(left, right)
    assert.match(left, /^strict, arguments exact: 4 of 4 steps match\n\nuser message\n {2}Hi\n/)
  })

  test('differ where a step is missing, unexpected, or different, and have no reasoning', () => {
    const actual = user('Hi') + thought('CANARY') + call('g') + call('f', '{"a":2}') + answer('Yes')
    const expected = user('Hi') + call('f', '{"a":1}') + answer('Yes')
    const { expected: left, actual: right } = texts(actual, expected)
    const only = (one: string, other: string) => {
      const lines = new Set(other.split('\n'))
      return one.split('\n').filter((it) => !lines.has(it))
    }
    assert.deepEqual(only(left, right), ['    "a": 1'])
    assert.deepEqual(only(right, left), ['    "a": 2', 'call of `g`', '  {}'])
    assert.ok(!`${left}${right}`.includes('CANARY'))
  })
})
