/** When the rules on headers, messages and exchanges apply, how severely, and what they mark. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkMarked, fixed, problemsIn, shown } from './check-rules.ts'

describe('the header', () => {
  it('is missed at the first start token, only where 2.x is used, and not in Harmony', () => {
    checkMarked(`
<|start|>assistant<|channel|>final<|message|>x<|end|>
^^^^^^^^^ warning missing-header
`)
    assert.deepEqual(shown('<|start|>user<|message|>x<|end|>'), [])
    assert.deepEqual(shown('<|start|>assistant<|channel|>final<|message|>x<|end|>', 'harmony'), [])
  })

  it('gets a version where one can be inserted', () => {
    const mend = (text: string) => {
      const fix = problemsIn(text).find(({ rule }) => rule === 'missing-version')?.fixes[0]
      return fix && fixed(text, fix)
    }
    const message = '<|start|>user<|message|>x<|end|>'
    assert.equal(mend(`---\n---\n${message}`), `---\nversion: 2.2\n---\n${message}`)
    assert.equal(mend(`---\nmodel: a\n---\n${message}`), `---\nversion: 2.2\nmodel: a\n---\n${message}`)
    assert.equal(mend(`# about\nmodel: a\n${message}`), `# about\nversion: 2.2\nmodel: a\n${message}`)
    assert.equal(mend(`{model: a}\n${message}`), undefined)
  })

  it('is told from raw output of a model', () => {
    for (const output of [
      '<|channel|>analysis<|message|>The user asks: why?<|end|>\n<|start|>assistant<|channel|>final<|message|>x<|end|>',
      'We must refuse.<|end|>\n<|start|>assistant<|message|>x<|end|>',
    ]) {
      const problem = problemsIn(output).find(({ severity }) => severity === 'error')
      assert.equal(problem?.rule, 'headless-output')
      assert.ok(problem?.fixes[0] && fixed(output, problem.fixes[0]).startsWith('<|start|>assistant'))
    }
    const broken = 'tokens: ["<|message|>", "<|end|>"\n<|start|>user<|message|>x<|end|>'
    assert.deepEqual(
      problemsIn(broken).map(({ rule }) => rule),
      ['invalid-header'],
    )
  })

  it('is told from a message that has lost its start, although a colon makes it a key', () => {
    const rest = '\n<|start|>assistant<|channel|>final<|message|>4<|return|>'
    for (const lost of [
      'user<|message|>Question: 2+2?<|end|>',
      'assistant<|channel|>final<|message|>It is: 4<|end|>',
    ]) {
      const text = `version: 2.2\n${lost}${rest}`
      const [problem, ...others] = problemsIn(text)
      assert.equal(problem?.rule, 'headless-output', lost)
      assert.deepEqual(others, [])
      assert.equal(
        problem?.fixes[0] && fixed(text, problem.fixes[0]),
        `version: 2.2\n<|start|>${lost}${rest}`,
      )
    }
    for (const entry of [
      '"a<|message|>": 1',
      'model: x <|message|> y',
      'generation_settings: {stop: <|end|>}',
    ]) {
      const rules = problemsIn(`version: 2.2\n${entry}${rest}`).map(({ rule }) => rule)
      assert.ok(!rules.includes('headless-output'), entry)
    }
  })

  it('gets what stood before the output of the model', () => {
    for (const [output, missing] of [
      ['<|channel|>analysis<|message|>x<|end|>', '<|start|>assistant'],
      ['assistant<|channel|>final<|message|>x<|end|>', '<|start|>'],
      ['asistant<|channel|>final<|message|>x<|end|>', '<|start|>'],
      ['analysis<|message|>x<|end|>', '<|start|>assistant<|channel|>'],
      ['commentary to=functions.f<|message|>{}<|call|>', '<|start|>assistant<|channel|>'],
      ['to=functions.f<|channel|>commentary<|message|>{}<|call|>', '<|start|>assistant '],
      ['We must refuse.<|end|>', '<|start|>assistant<|channel|>analysis<|message|>'],
    ] as const) {
      const fix = problemsIn(output)[0]?.fixes[0]
      assert.equal(fix?.title, `Insert \`${missing.trim()}\``)
      assert.equal(fix && fixed(output, fix), missing + output)
    }
  })

  it('is recognised as text that has lost its tokens', () => {
    const [problem] = problemsIn('analysisWe need to answer "four".assistantfinalfour')
    assert.match(problem?.message ?? '', /special tokens skipped$/)
  })
})

describe('missing-channel (D4)', () => {
  const header = 'version: 2.0\nprofiles: {harmony: {enabled: true}}\n'

  it('is an error for the assistant, a warning for tools, and nothing for others', () => {
    checkMarked(`${header}<|start|>system<|message|>x<|end|>
<|start|>developer<|message|>x<|end|>
<|start|>user<|message|>x<|end|>
<|start|>assistant to=functions.f<|message|>{}<|call|>
         ^^^^^^^^^ error missing-channel
<|start|>tool name=functions.f<|message|>1<|end|>
         ^^^^ warning missing-channel
`)
  })

  it('is switched off by an empty list, and silenced by a malformed header', () => {
    const message = '<|start|>assistant<|message|>x<|end|>\n'
    const off = 'version: 2.2\nprofiles: {harmony: {enabled: true, require_channels: []}}\n'
    assert.deepEqual(shown(off + message), [])
    checkMarked(`${header}<|start|>assistant foo<|message|>x<|end|>
                   ^^^ error word-before-channel
`)
  })
})

describe('missing-call-id (D12)', () => {
  const call = '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>\n'
  const severities = (text: string, dialect: 'auto' | '2.0' | 'harmony' = 'auto') =>
    problemsIn(text, dialect)
      .filter(({ rule }) => rule === 'missing-call-id')
      .map(({ severity }) => severity)

  it('depends on the version, the profile and the other messages', () => {
    const withId = call.replace('<|channel|>', ' call_id=c1<|channel|>')
    assert.deepEqual(severities(`version: 2.2\n${call}`), ['error'])
    assert.deepEqual(severities(`version: 2.1\n${call}`), ['error'])
    assert.deepEqual(severities(`version: 2.0\n${call}`), [])
    assert.deepEqual(severities(`version: 2.2\nprofiles: {harmony: {enabled: true}}\n${call}`), ['warning'])
    assert.deepEqual(severities(call), [])
    assert.deepEqual(severities(withId + call), ['warning'])
    assert.deepEqual(severities(`version: 2.2\n${call}`, '2.0'), [])
    assert.deepEqual(severities(withId + call, 'harmony'), [])
  })

  it('takes over the id of the other end', () => {
    const text = `version: 2.2
<|start|>assistant to=functions.f call_id=c7<|channel|>commentary<|message|>{}<|call|>
<|start|>tool name=functions.f to=assistant<|channel|>commentary<|message|>1<|end|>
`
    const [problem] = problemsIn(text)
    assert.equal(
      problem?.fixes[0] && fixed(text, problem.fixes[0]),
      text.replace('f to=assistant', 'f call_id=c7 to=assistant'),
    )
  })

  it('is silenced by a malformed header, which still answers its call (D16)', () => {
    checkMarked(`version: 2.2
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
<|start|>tool name=functions.f what<|channel|>commentary<|message|>1<|end|>
                               ^^^^ error word-before-channel
<|start|>assistant<|channel|>final<|message|>x<|return|>
`)
  })
})

describe('exchanges', () => {
  it('point at the other end', () => {
    const text = `version: 2.2
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>1<|end|>
<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>2<|end|>
`
    const [problem] = problemsIn(text)
    assert.equal(problem?.message, 'The call `c1` already has a reply')
    assert.deepEqual(
      problem?.related.map(({ range, message }) => `${message}: ${text.slice(range.start, range.end)}`),
      ['The call: call_id=c1', 'The first reply to it: call_id=c1'],
    )
  })

  it('report a reply without id that no call waits for, but not an excerpt', () => {
    const reply = '<|start|>functions.f to=assistant<|channel|>commentary<|message|>1<|end|>\n'
    checkMarked(`version: 2.0
<|start|>functions.f to=assistant<|channel|>commentary<|message|>1<|end|>
         ^^^^^^^^^^^ error unmatched-call-id
`)
    assert.deepEqual(
      problemsIn(reply).map(({ rule }) => rule),
      ['missing-header'],
    )
  })

  it('show events on the reply and on its call', () => {
    checkMarked(`version: 2.2
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
                   ^^^^^^^^^^^^^^ information reported-timeout
<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>E-TOOL-TIMEOUT<|end|>
                                                                         ^^^^^^^^^^^^^^ information reported-timeout
<|start|>user<|message|>What is E-TOOL-TIMEOUT?<|end|>
`)
  })
})

describe('reported-timeout (D20)', () => {
  it('knows the code from others that begin like it', () => {
    checkMarked(`version: 2.2
<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>E-TOOL-TIMEOUT-SOFT, THE-TOOL-TIMEOUTS<|end|>
<|start|>assistant to=functions.f call_id=c2<|channel|>commentary<|message|>{}<|call|>
                   ^^^^^^^^^^^^^^ information reported-timeout
<|start|>tool name=functions.f call_id=c2<|channel|>commentary<|message|>E-TOOL-TIMEOUT-SOFT, E-TOOL-TIMEOUT.<|end|>
                                                                                              ^^^^^^^^^^^^^^ information reported-timeout
`)
  })
})

describe('misrouted-call (D14)', () => {
  it('asks functions for commentary and built-in tools for commentary or analysis', () => {
    checkMarked(`version: 2.0
builtin_tools: [web]
<|start|>assistant to=functions.f<|channel|>analysis<|message|>{}<|call|>
                                            ^^^^^^^^ error misrouted-call
<|start|>assistant to=functions.f<|message|>{}<|call|>
                   ^^^^^^^^^^^^^^ error misrouted-call
<|start|>assistant to=python<|channel|>analysis<|message|>1<|call|>
<|start|>assistant to=functions.web.search<|channel|>analysis<|message|>1<|call|>
<|start|>assistant to=browser.open<|channel|>final<|message|>1<|call|>
                                             ^^^^^ error misrouted-call
<|start|>assistant to=container.exec<|channel|>analysis<|message|>1<|call|>
`)
  })

  it('leaves a channel that the profile asks for to that rule', () => {
    checkMarked(`version: 2.0
profiles: {harmony: {enabled: true}}
<|start|>assistant to=functions.f<|message|>{}<|call|>
         ^^^^^^^^^ error missing-channel
`)
  })
})

describe('constraint-violation', () => {
  const header = '<|start|>assistant<|channel|>final<|constrain|>json<|message|>'

  it('marks the place in the source, behind escapes and literal blocks', () => {
    checkMarked(`version: 2.2
${header}{"a": "<<|end|>", "b": x}<|end|>
                                                                                     ^ error constraint-violation
${header}{"a": "<|literal|><|end|><|endliteral|>", "b": y}<|end|>
                                                                                                             ^ error constraint-violation
`)
  })

  it('marks the terminator of an empty body', () => {
    checkMarked(`version: 2.2
${header}<|end|>
                                                              ^^^^^^^ error constraint-violation
`)
  })

  it('stands on the line of the body where the mistake is', () => {
    checkMarked(`version: 2.2
${header}{
  "a": 1,
        ^ error constraint-violation
}<|end|>
`)
  })

  it('explains two calls in one message', () => {
    const text =
      'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":1} {"b":2}<|call|>'
    assert.match(problemsIn(text)[0]?.message ?? '', /one call$/)
  })

  it('does not enforce a content type', () => {
    checkMarked(`version: 2.2
<|start|>assistant content_type=json<|channel|>final<|message|>x<|end|>
`)
  })
})

describe('terminators', () => {
  it('replace an absorbed end together with the call token', () => {
    const text = 'version: 2.2\n<|start|>user<|message|>x<|call|><|end|>\n'
    const [problem] = problemsIn(text)
    assert.equal(problem?.rule, 'wrong-terminator')
    assert.equal(problem?.fixes[0] && fixed(text, problem.fixes[0]), text.replace('<|call|>', ''))
  })

  it('are not judged in a malformed or cut header', () => {
    checkMarked(`version: 2.2
<|start|>assistant to=functions.f to=functions.g<|channel|>commentary<|message|>{}<|end|>
                                  ^^^^^^^^^^^^^^ error duplicate-attribute
<|start|>user Hello<|return|>
              ^^^^^ error cut-header
`)
  })
})

describe('OpenChatML 0.1', () => {
  it('knows no calls, ids, channels or tool names', () => {
    checkMarked(`<|im_start|>assistant to=functions.f intent=preamble
                      ^^ warning unknown-attribute
                                     ^^^^^^ warning unknown-attribute
{}<|im_end|>
<|im_start|>tool
1<|im_end|>
`)
  })

  it('checks the payload of a call of the assistant only', () => {
    checkMarked(`<|im_start|>system
Write <|function_call|> and an object.<|im_end|>
<|im_start|>assistant
<|function_call|>
{"name": 7, "arguments": {}}
         ^ error malformed-function-call
<|im_end|>
`)
  })
})

describe('visibility', () => {
  it('is an error where thought would be seen, and nowhere else', () => {
    checkMarked(`version: 2.2
<|start|>assistant<|channel|>final<|message|><|start_reason|>a<|end_reason|>b<|end|>
                                             ^^^^^^^^^^^^^^^^ error visible-thought
<|start|>assistant<|channel|>analysis<|message|><|start_reason|>a<|end_reason|>b<|end|>
<|start|>assistant<|channel|>final<|message|><|literal|><|start_reason|><|endliteral|>b<|end|>
`)
  })

  it('is an error for a preamble that is none', () => {
    checkMarked(`version: 2.2
<|start|>assistant intent=preamble<|channel|>analysis<|message|>x<|end|>
                   ^^^^^^^^^^^^^^^ error forbidden-preamble
<|start|>user intent=preamble<|message|>x<|end|>
              ^^^^^^^^^^^^^^^ error forbidden-preamble
<|start|>assistant intent=preamble<|channel|>commentary<|message|>x<|end|>
<|start|>assistant intent=preamble<|channel|>final<|message|>x<|end|>
`)
  })
})

describe('a message that is too long to be examined as a whole', () => {
  const long = 2_000_000
  const foundIn = (text: string) =>
    problemsIn(`version: 2.2\n${text}\n`).map(
      ({ rule, message, severity }) => `${severity} ${rule}: ${message}`,
    )

  it('is examined for hidden characters at its beginning, and says so if there are more', () => {
    const rest =
      'information hidden-character: Only the first 2000000 characters of this message are examined for hidden ones; more of them follow'
    const plain = 'a'.repeat(long)
    assert.deepEqual(foundIn(`<|start|>user<|message|>${plain}<|end|>`), [])
    assert.deepEqual(foundIn(`<|start|>user<|message|>${plain}\u202e<|end|>`), [rest])
    const found = foundIn(`<|start|>user<|message|>\u202e${plain}\u202e<|end|>`)
    assert.equal(found.length, 2)
    assert.match(found[0] ?? '', /Bidirectional/)
    assert.equal(found[1], rest)
  })

  it('defines no tools, and says so', () => {
    const definitions = (comment: string) =>
      `<|start|>developer<|message|>namespace functions {\n//${comment}\ntype f = (_: { a: string }) => any;\n}<|end|>\n<|start|>assistant to=functions.g call_id=c1<|channel|>commentary<|message|>{}<|call|>`
    assert.match(foundIn(definitions('a')).join(), /unknown-tool/)
    assert.deepEqual(foundIn(definitions('a'.repeat(500_000))), [
      'information broken-tool-definition: Definitions are not read in a message of more than 500000 characters',
    ])
    const inJson = (description: string) =>
      `<|start|>developer<|message|>{"type":"function","function":{"name":"f","description":"${description}","parameters":{"type":"object"}}}<|end|>\n<|start|>assistant to=functions.g call_id=c1<|channel|>commentary<|message|>{}<|call|>`
    assert.match(foundIn(inJson('a')).join(), /unknown-tool/)
    assert.deepEqual(foundIn(inJson('a'.repeat(250_000))), [
      'information broken-tool-definition: Definitions are not read in a message of more than 250000 characters',
    ])
  })

  it('is not checked for mistakes in a long definition, and says so', () => {
    const definitions = (comment: string) =>
      `<|start|>developer<|message|>namespace functions {\ntype f = (_: { /* ${comment} */ a: strin }) => any;\ntype g = (_: { a: strin }) => any;\n}<|end|>`
    assert.equal(foundIn(definitions('a')).length, 2)
    const found = foundIn(definitions('a'.repeat(100_000)))
    assert.equal(found.length, 2)
    assert.equal(
      found[0],
      'information broken-tool-definition: The definition is not checked: it has more than 100000 characters',
    )
    assert.match(found[1] ?? '', /strin/)
  })
})

describe('more problems of one kind in one message than anybody reads', () => {
  const limit = 10_000
  const texts: readonly (readonly [rule: string, text: (count: number) => string])[] = [
    [
      'hidden-character',
      (count) => `version: 2.2\n<|start|>user<|message|>${'a\u202e'.repeat(count)}<|end|>\n`,
    ],
    [
      'duplicate-argument',
      (count) =>
        `version: 2.2\n<|start|>assistant to=browser.find call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":1${',"a":1'.repeat(count)}}<|call|>\n`,
    ],
    [
      'visible-thought',
      (count) =>
        `version: 2.2\n<|start|>assistant<|channel|>final<|message|>${'<|start_reason|>a<|end_reason|>b'.repeat(count)}<|return|>\n`,
    ],
  ]
  for (const [rule, text] of texts) {
    it(`are listed up to the limit, and one more says so: ${rule}`, () => {
      const ofRule = (count: number) => problemsIn(text(count)).filter((it) => it.rule === rule)
      assert.equal(ofRule(limit).length, limit)
      const problems = ofRule(limit + 500)
      assert.equal(problems.length, limit + 1)
      const message = 'This message has more problems of this kind; the first 10000 are listed'
      assert.equal(problems.at(-1)?.message, message)
      assert.notEqual(problems.at(-2)?.message, message)
    })
  }
})
