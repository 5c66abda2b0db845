/** What the syntax rules mark, and how they word and mend it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { messageView, Transcript } from '../../core/src/internal.ts'
import { checkMarked, fixed, problemsIn } from './check-rules.ts'

/** The message of the first problem of the rule in a message behind a header. */
function messageOf(rule: string, message: string): string | undefined {
  return problemsIn(`version: 2.2\n${message}`).find((it) => it.rule === rule)?.message
}

/** The message text after the first fix of the rule. */
function mended(rule: string, message: string): string | undefined {
  const text = `version: 2.2\n${message}`
  const fix = problemsIn(text).find((it) => it.rule === rule)?.fixes[0]
  return fix && fixed(text, fix).replace('version: 2.2\n', '')
}

describe('unknown-role', () => {
  it('marks the word and silences what hangs on it', () => {
    checkMarked(`version: 2.2
<|start|>bot to=functions.f<|message|>{}<|call|>
         ^^^ error unknown-role
`)
  })

  it('knows channels, repeated roles, glued channels and slips', () => {
    const rule = 'unknown-role'
    const final = '<|start|>final<|message|>hi<|return|>'
    assert.equal(
      messageOf(rule, final),
      '`final` is a channel, not a role; write `<|start|>assistant<|channel|>final`',
    )
    assert.equal(mended(rule, final), '<|start|>assistant<|channel|>final<|message|>hi<|return|>')
    assert.equal(
      messageOf(rule, '<|start|>assistantWe<|message|>hi<|end|>'),
      'Unknown role `assistantWe`; it starts with the role `assistant`',
    )
    assert.equal(mended(rule, '<|start|>assistantWe<|message|>hi<|end|>'), undefined)
    assert.equal(
      mended(rule, '<|start|>assistantfinal<|message|>hi<|end|>'),
      '<|start|>assistant<|channel|>final<|message|>hi<|end|>',
    )
    assert.equal(mended(rule, '<|start|>User<|message|>hi<|end|>'), '<|start|>user<|message|>hi<|end|>')
    assert.equal(
      mended(rule, '<|start|>web.search<|channel|>commentary<|message|>1<|end|>'),
      '<|start|>tool name=web.search<|channel|>commentary<|message|>1<|end|>',
    )
  })

  it('accepts a tool that the header declares as built-in', () => {
    const reply = '<|start|>web.search call_id=c1<|channel|>commentary<|message|>1<|end|>\n'
    assert.deepEqual(problemsIn(`version: 2.0\nbuiltin_tools: [web]\n${reply}`), [])
  })
})

describe('unknown-channel', () => {
  it('proposes the channel that was meant', () => {
    checkMarked(`version: 2.2
<|start|>assistant<|channel|>comentary<|message|>x<|end|>
                             ^^^^^^^^^ error unknown-channel
`)
    assert.match(
      messageOf('unknown-channel', '<|start|>user<|channel|>Final<|message|>x<|end|>') ?? '',
      /`final`\?$/,
    )
  })

  it('tells a tool in the place of the channel, with one problem for both channels', () => {
    const call = '<|start|>assistant<|channel|>bash<|channel|>commentary<|message|>{"cmd":"ls"}<|call|>'
    checkMarked(`version: 2.2
${call}
                             ^^^^ error unknown-channel
`)
    assert.match(messageOf('unknown-channel', call) ?? '', /`to=functions\.bash`/)
    assert.equal(
      mended('unknown-channel', call),
      '<|start|>assistant to=functions.bash<|channel|>commentary<|message|>{"cmd":"ls"}<|call|>',
    )
  })
})

describe('cut-header', () => {
  const rule = 'cut-header'

  it('inserts the token before the text that was left over', () => {
    assert.equal(
      mended(rule, '<|start|>assistant<|channel|>final The answer is 4.<|return|>'),
      '<|start|>assistant<|channel|>final<|message|>The answer is 4.<|return|>',
    )
  })

  it('never makes reasoning visible', () => {
    const text = '<|start|>assistant...\n\nWe must refuse.<|end|>'
    assert.equal(
      messageOf(rule, text),
      'Missing `<|message|>` before `<|end|>`; the text after `assistant` was generated without a header',
    )
    assert.equal(
      mended(rule, text),
      '<|start|>assistant<|channel|>analysis<|message|>...\n\nWe must refuse.<|end|>',
    )
    assert.equal(mended(rule, '<|start|>user Hello<|end|>'), '<|start|>user<|message|>Hello<|end|>')
  })

  it('is one problem, whatever else is wrong in the header', () => {
    checkMarked(`version: 2.2
<|start|>assistant<|channel|>?? we should answer<|end|>
                                ^^ error cut-header
<|start|>assistant to=a to=b<|channel|>commentary<|constrain|>write: edit<|end|>
                                                                     ^^^^ error cut-header
`)
    assert.match(
      messageOf(rule, '<|start|>assistant<|channel|>?? we<|end|>') ?? '',
      /and `\?\?` is not a channel$/,
    )
    assert.match(
      messageOf(rule, '<|start|>assistant<|channel|>commentary<|constrain|>write: it<|end|>') ?? '',
      /and `write:` is not a content type$/,
    )
  })

  it('reads 0.1 by its lines', () => {
    const text = '<|im_start|>user Hello<|im_end|>\n'
    const [problem] = problemsIn(text)
    assert.equal(
      problem?.message,
      'Missing line break before `<|im_end|>`; the header must be on its own line',
    )
    assert.equal(problem?.fixes[0] && fixed(text, problem.fixes[0]), '<|im_start|>user\nHello<|im_end|>\n')
  })
})

describe('words and attributes', () => {
  it('marks the first of several words once, and removes all', () => {
    checkMarked(`version: 2.2
<|start|>assistant<|channel|>commentary to=functions.f call_id=c1 need the most recent<|message|>{}<|call|>
                                                       ^^^^^^^^^^ warning late-attribute
                                                                  ^^^^ error extra-word
<|start|>user please help<|message|>x<|end|>
              ^^^^^^ error word-before-channel
`)
    assert.equal(
      mended('word-before-channel', '<|start|>user a b c<|message|>x<|end|>'),
      '<|start|>user<|message|>x<|end|>',
    )
    assert.equal(
      mended(
        'extra-word',
        '<|start|>assistant to=functions.f<|channel|>commentary so then json<|message|>{}<|call|>',
      ),
      '<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}<|call|>',
    )
  })

  it('reports an empty value and the word behind it once', () => {
    checkMarked(`version: 2.2
<|start|>user name= Ann<|message|>Hi<|end|>
              ^^^^^ error empty-attribute
`)
    assert.equal(
      mended('empty-attribute', '<|start|>user name=<|message|>x<|end|>'),
      '<|start|>user<|message|>x<|end|>',
    )
  })

  it('knows what other formats call an attribute', () => {
    const call = '<|start|>assistant to=functions.f tool_call_id=c1<|channel|>commentary<|message|>{}<|call|>'
    assert.equal(mended('unknown-attribute', call), call.replace('tool_call_id', 'call_id'))
  })

  it('takes a channel without its token for the channel', () => {
    assert.equal(
      mended('word-before-channel', '<|start|>assistant analysis<|message|>x<|end|>'),
      '<|start|>assistant<|channel|>analysis<|message|>x<|end|>',
    )
  })
})

describe('bodies', () => {
  it('marks each token, and tells a message that was wrapped twice', () => {
    const text = '<|start|>assistant<|channel|>final<|message|><|channel|>analysis<|message|>secret<|end|>'
    checkMarked(`version: 2.2
${text}
                                             ^^^^^^^^^^^ warning token-in-body
                                                                ^^^^^^^^^^^ warning token-in-body
`)
    assert.match(messageOf('token-in-body', text) ?? '', /wrapped twice/)
  })

  it('says nothing about a body that is not finished', () => {
    checkMarked(`version: 2.2
<|start|>user<|message|>a <|literal|> b <|channel|>
^^^^^^^^^^^^^ error truncated-message
`)
  })

  it('offers no escape where there is none', () => {
    const [problem] = problemsIn('<|im_start|>user\na <|im_start|> b<|im_end|>\n')
    assert.equal(problem?.rule, 'token-in-body')
    assert.deepEqual(problem?.fixes, [])
  })
})

describe('stray-text', () => {
  const before = '<|start|>user<|message|>x<|end|>'

  it('is one problem for the whole run', () => {
    checkMarked(`version: 2.2
${before}commentary to=functions.f<|message|>{}<|call|>
                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error stray-text
`)
  })

  it('says which tokens are missing', () => {
    const rule = 'stray-text'
    assert.match(
      messageOf(rule, `${before}assistant<|message|>y<|end|>`) ?? '',
      /`<\|start\|>` is missing before `assistant`/,
    )
    assert.equal(
      mended(rule, `${before}commentary to=functions.f<|message|>{}<|call|>`),
      `${before}<|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|>`,
    )
    assert.equal(
      mended(rule, `${before}<|channel|>final<|message|>y<|end|>`),
      `${before}<|start|>assistant<|channel|>final<|message|>y<|end|>`,
    )
    assert.match(messageOf(rule, `${before}assistantfinalfour`) ?? '', /special tokens skipped$/)
    assert.match(messageOf(rule, `${before}<|end|>`) ?? '', /has already ended$/)
    assert.equal(messageOf(rule, `${before}uh`), 'Text outside a message')
  })

  it('is found behind closed front matter too', () => {
    checkMarked(`---
version: 2.2
---
hello
^^^^^ error stray-text
<|start|>user<|message|>x<|end|>
`)
  })
})

describe('more mistakes in one message than anybody reads', () => {
  const text = (count: number) => `version: 2.2\n<|start|>user${' a=b'.repeat(count)}<|message|>x<|end|>\n`

  it('are explained one by one up to the limit, and counted in one problem that names it', () => {
    assert.equal(problemsIn(text(1000)).length, 1000)
    const problems = problemsIn(text(3000))
    assert.equal(problems.length, 1001)
    const closing = problems.at(-1)
    assert.equal(closing?.message, '2000 more problems in this message are not explained; the limit is 1000')
    assert.equal(closing.range.start, text(1000).indexOf('<|message|>') + 1)
  })

  it('are as bad as the worst of them', () => {
    const worse = text(1200).replace('<|message|>', '<|channel|>final<|channel|>final<|message|>')
    assert.deepEqual(
      problemsIn(worse)
        .slice(-1)
        .map(({ severity, rule }) => `${severity} ${rule}`),
      ['error repeated-channel'],
    )
  })

  it('are kept by the thousand of each kind, so that the first ones of the others are among them', () => {
    const many = `version: 2.2\n<|start|>user${' a=b'.repeat(2500)}<|message|>${'<|channel|>'.repeat(1200)}<|end|>\n`
    const { problems, surplus } = messageView(Transcript.parse(many).segment(1).segment)
    assert.equal(problems.length, 2000)
    assert.deepEqual(
      surplus.map(({ kind, count }) => `${count} ${kind}`),
      ['1500 unknown-attribute', '200 token-in-body'],
    )
    assert.match(problemsIn(many).at(-1)?.message ?? '', /^2700 more problems/)
  })
})
