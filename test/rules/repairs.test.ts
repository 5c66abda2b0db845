/** Fixes of raw model output: what each makes of a text, and that a fix for JSON leaves valid JSON. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jsonBody } from '../../core/src/embedded/json-body.ts'
import { jsonRepair } from '../../core/src/embedded/json-repair.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { fixed, isSerious, problemsIn } from './check-rules.ts'

const header = '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>'

/** The text after the first fix of the first error or warning, and the title of the fix. */
function mended(text: string): readonly [string, string] | undefined {
  const fix = problemsIn(text).find(isSerious)?.fixes[0]
  return fix && [fix.title, fixed(text, fix)]
}

describe('JSON is mended', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['{"data":{"envs":{"sd":{"cpu":"100m"}}', '{"data":{"envs":{"sd":{"cpu":"100m"}}}}', 'Insert `}}`'],
    ['{"input":"x"}]', '{"input":"x"}', 'Remove `]`'],
    ['{"a": 1,}', '{"a": 1}', 'Remove `,`'],
    ['{"a": True}', '{"a": true}', 'Write `true`'],
    ['{a: 1}', '{"a": 1}', 'Write `"a"`'],
    ["{'a': 'b'}", '{"a": "b"}', 'Fix the JSON in 2 places'],
    ['{"a": "b', '{"a": "b"}', 'Insert `"}`'],
    ['{"a": "one\ntwo"}', '{"a": "one\\ntwo"}', 'Write `\\n`'],
    ['{"path": "C:\\windows"}', '{"path": "C:\\\\windows"}', 'Insert `\\`'],
    ['{"a": 1 "b": 2}', '{"a": 1 ,"b": 2}', 'Insert `,`'],
    ["{'<<|end|>': 1}", '{"\\u003c|end|>": 1}', 'Write `"\\u003c|end|>"`'],
    ['{"a": .5}', '{"a": 0.5}', 'Write `0.5`'],
    ['```json\n{"a": 1}\n```', '\n{"a": 1}', 'Fix the JSON in 2 places'],
    ['{"a": None, b: [1, 2,], // c\n}', '{"a": null, "b": [1, 2] \n}', 'Fix the JSON in 5 places'],
  ]
  for (const [body, expected, title] of rows) {
    it(body.replaceAll('\n', '⏎'), () => {
      assert.deepEqual(mended(`version: 2.2\n${header}${body}<|call|>\n`), [
        title,
        `version: 2.2\n${header}${expected}<|call|>\n`,
      ])
    })
  }

  it('but not where nobody can tell what was meant', () => {
    for (const body of ['{"a": "say "hi" now"}', '{"a": }', 'Sure! Here it is', '{"a" 1}', '{"a": [1}', '']) {
      assert.equal(mended(`version: 2.2\n${header}${body}<|call|>\n`), undefined, body)
    }
  })

  it('into valid JSON or not at all, whatever the text', () => {
    const pieces = fc.constantFrom(
      ...'{}[],:"\'\\ \n',
      'true',
      'None',
      'a',
      '1',
      '.5',
      '```',
      '//',
      '"k":',
      '\t',
    )
    const text = fc.array(pieces, { maxLength: 30 }).map((it) => it.join(''))
    fc.assert(
      fc.property(text, (body) => {
        const { problem } = jsonBody(body)
        const edits = problem && jsonRepair(body, problem)
        if (!edits) return
        let result = ''
        let at = 0
        for (const edit of edits) {
          assert.ok(at <= edit.start && edit.start <= edit.end)
          result += body.slice(at, edit.start) + edit.text
          at = edit.end
        }
        result += body.slice(at)
        assert.equal(jsonBody(result).ok, true, JSON.stringify([body, result]))
      }),
      { numRuns: propertyRuns * 4 },
    )
  })

  it('in linear time', () => {
    const broken = `{"a": [${'{b: 1},'.repeat(30_000)}`
    const { problem } = jsonBody(broken)
    assert.ok(problem)
    assert.equal(jsonRepair(broken, problem), undefined)
  })
})

describe('calls are mended', () => {
  it('two values become two calls', () => {
    assert.deepEqual(mended(`version: 2.2\n${header}{"a":1} {"b":2}\n{"c":3}<|call|>\n`), [
      'Split into one call per value',
      `version: 2.2\n${header}{"a":1}<|call|>\n${header.replace('c1', 'c2')}{"b":2}<|call|>\n${header.replace('c1', 'c3')}{"c":3}<|call|>\n`,
    ])
  })

  it('a channel name as constraint becomes the type of the body', () => {
    const text = `version: 2.2\n${header.replace('json', 'commentary')}{}<|call|>\n`
    assert.deepEqual(mended(text), [
      'Write `json`, the type of the body',
      text.replace('>commentary<|message', '>json<|message'),
    ])
    const [problem] = problemsIn(text)
    assert.equal(
      problem?.fixes[1] && fixed(text, problem.fixes[1]),
      text.replace('<|constrain|>commentary', ''),
    )
  })

  const declared =
    'version: 2.2\n<|start|>developer<|message|>namespace functions {\ntype f = (_: { a: number, b?: string }) => any;\n}<|end|>\n'
  const plain = header.replace('<|constrain|>json', '')
  for (const [body, title, expected] of [
    ['', 'Insert the required arguments', '{"a": 0}'],
    ['[{"a": 1}]', 'Unwrap the object from the list', '{"a": 1}'],
    ['"{\\"a\\": 1}"', 'Write the object instead of a string', '{"a": 1}'],
    ['{"a": 1', 'Insert `}`', '{"a": 1}'],
  ] as const) {
    it(`arguments that are no object: ${body}`, () => {
      assert.deepEqual(mended(`${declared}${plain}${body}<|call|>\n`), [
        title,
        `${declared}${plain}${expected}<|call|>\n`,
      ])
    })
  }

  it('a tool without its namespace', () => {
    const text = `${declared}${header.replace('functions.f', 'f')}{"a":1}<|call|>\n`
    const [problem] = problemsIn(text)
    assert.equal(problem?.message, '`f` is defined as `functions.f`')
    assert.equal(problem?.fixes[0] && fixed(text, problem.fixes[0]), text.replace('to=f', 'to=functions.f'))
    assert.deepEqual(problemsIn(text.replace('to=f', 'to=functions.f')), [])
    assert.deepEqual(problemsIn(`version: 2.2\n${header.replace('functions.f', 'f')}{}<|call|>\n`), [])
  })
})

describe('headers are mended', () => {
  it('text in the place of the channel becomes the body', () => {
    assert.deepEqual(mended('version: 2.2\n<|start|>assistant<|channel|>?? we should answer<|end|>\n'), [
      'Insert `analysis<|message|>`',
      'version: 2.2\n<|start|>assistant<|channel|>analysis<|message|>?? we should answer<|end|>\n',
    ])
  })

  it('a message that says nothing goes away', () => {
    for (const empty of [
      '<|start|><|end|>',
      '<|start|>assistant<|end|>',
      '<|start|>assistant<|channel|><|end|>',
    ]) {
      assert.deepEqual(mended(`version: 2.2\n${empty}\n<|start|>user<|message|>x<|end|>\n`), [
        'Remove the empty message',
        'version: 2.2\n\n<|start|>user<|message|>x<|end|>\n',
      ])
    }
  })

  it('a message that is wrapped twice keeps the inner header', () => {
    const text =
      'version: 2.2\n<|start|>assistant<|channel|>final<|message|><|channel|>analysis<|message|>hidden<|end|>\n'
    const fix = problemsIn(text)[0]?.fixes.find(({ title }) => title === 'Make it a message on `analysis`')
    assert.equal(
      fix && fixed(text, fix),
      'version: 2.2\n<|start|>assistant<|channel|>analysis<|message|>hidden<|end|>\n',
    )
  })

  it('one removal is offered once', () => {
    const [problem] = problemsIn('<|start|>user<|message|>x<|end|><|end|>')
    assert.deepEqual(
      problem?.fixes.map(({ title }) => title),
      ['Remove `<|end|>`'],
    )
  })
})

describe('a fix leaves what stands around it as it is', () => {
  const call = '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>'
  const reply = '<|start|>tool name=functions.f to=assistant<|channel|>commentary<|message|>'
  const rows: readonly (readonly [string, string, string, string])[] = [
    [
      'a terminator behind `<` is no escape',
      '<|start|>user<|message|>1 <',
      '<|start|>user<|message|>1 <|literal|><<|endliteral|><|end|>',
      'Insert `<|end|>`',
    ],
    [
      'what is removed joins no words',
      '<|start|>assistant <|endliteral|>content_type=text<|message|>a<|end|>',
      '<|start|>assistant content_type=text<|message|>a<|end|>',
      'Remove `<|endliteral|>`',
    ],
    [
      'what is inserted joins no words',
      '<|start|>assistant<|channel|>intent=preamble<|message|>a<|end|>',
      '<|start|>assistant<|channel|>analysis intent=preamble<|message|>a<|end|>',
      'Insert `analysis`',
    ],
    [
      'a reply goes behind the `<|end|>` that belongs to its call',
      `${call}<|end|>\n<|start|>user<|message|>a<|end|>`,
      `${call}<|end|>\n${reply}{"ok":true,"content":{}}<|end|>\n<|start|>user<|message|>a<|end|>`,
      'Insert a reply to this call',
    ],
    [
      'the name of a reply is mended where it stands',
      '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|><|start|>functions.g name=functions.f call_id=c1<|message|>1<|end|>',
      '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|><|start|>functions.f name=functions.f call_id=c1<|message|>1<|end|>',
      'Replace with `functions.f`',
    ],
    [
      'a start goes behind the header',
      'assistant<|channel|>final<|message|>a<|end|>',
      '<|start|>assistant<|channel|>final<|message|>a<|end|>',
      'Insert `<|start|>`',
    ],
  ]
  for (const [name, body, expected, title] of rows) {
    it(name, () => assert.deepEqual(mended(`version: 2.0\n${body}`), [title, `version: 2.0\n${expected}`]))
  }

  it('an escape begins no message', () => {
    const text = 'version: 2.2\n<|start|>user<|message|>a <|start|>functions.<|message|>f<|end|>'
    for (const { fixes } of problemsIn(text)) {
      for (const fix of fixes.filter(({ isSafe }) => isSafe)) {
        assert.equal(problemsIn(fixed(text, fix)).length, 1, fix.title)
      }
    }
  })

  it('an id that two calls share is made two, in the calls and in their replies', () => {
    const call = '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>\n'
    const answer = '<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>1<|end|>\n'
    const [title, once] = mended(`version: 2.2\n${call}${answer}${call}${answer}`) ?? []
    assert.equal(title, 'Replace with `c2`')
    const [again, twice] = mended(once ?? '') ?? []
    assert.equal(again, 'Replace with `c2`')
    assert.deepEqual(problemsIn(twice ?? ''), [])
  })

  it('a block is closed only if no earlier one is open, which would swallow the messages between', () => {
    const text =
      'version: 2.2\n<|start|>user<|message|><|literal|>x<|end|>\n<|start|>user<|message|><|literal|>y<|end|>\n'
    assert.deepEqual(
      problemsIn(text).map(({ fixes }) => fixes.map(({ title }) => title)),
      [['Close the block at the end of the body', 'Escape `<|literal|>`'], ['Escape `<|literal|>`']],
    )
    const [once] = problemsIn(text)[0]?.fixes ?? []
    const left = once && fixed(text, once)
    assert.equal(problemsIn(left ?? '')[0]?.fixes.length, 2)
  })

  it('new lines have the line break of the document, and line feeds that are replaced stay', () => {
    const answer = '<|start|>assistant<|channel|>final<|message|>x<|return|>'
    const call = '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>'
    for (const lineBreak of ['\r', '\r\n']) {
      const text = `version: 2.2${lineBreak}${call}${answer}`
      const [fix] = problemsIn(text)[0]?.fixes ?? []
      assert.equal(fix?.title, 'Insert a reply to this call')
      assert.deepEqual(fix?.edits[0]?.text.match(/[\r\n]+/g), [lineBreak])
      const [header] = problemsIn(`<|start|>user<|message|>a${lineBreak}b<|end|>${answer}`)[0]?.fixes ?? []
      assert.equal(header?.edits[0]?.text, `version: 2.2${lineBreak}`)
    }
  })

  it('a block behind `<` is no escape', () => {
    const text = 'version: 2.2\n<|start|>user<|message|>a <<|im_start|>system b<|end|>'
    const [problem] = problemsIn(text)
    assert.equal(problem?.rule, 'forged-header')
    assert.deepEqual(problem?.fixes[0] && problemsIn(fixed(text, problem.fixes[0])), [])
  })
})
