/** Growing selections, semantic tokens and quick fixes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  applyEdits,
  Checker,
  codeActions,
  type FixChoice,
  fixAll,
  fixPlan,
  selectionRanges,
  semanticTokens,
  Transcript,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { withCursor } from '../helpers/marked-text.ts'

function selectionsAt(marked: string): readonly string[] {
  const { text, offset } = withCursor(marked)
  return selectionRanges(analyze(Transcript.parse(text)), offset).map(({ start, end }) =>
    text.slice(start, end),
  )
}

test('a selection grows from the word to the document', () => {
  assert.deepEqual(
    selectionsAt(
      'version: 2.2\n<|start|>user name=Al$0ice<|message|>Hi<|end|>\n<|start|>assistant<|message|>Ho<|end|>\n',
    ),
    [
      'Alice',
      'name=Alice',
      '<|start|>user name=Alice',
      '<|start|>user name=Alice<|message|>Hi<|end|>',
      '<|start|>user name=Alice<|message|>Hi<|end|>\n',
      '<|start|>user name=Alice<|message|>Hi<|end|>\n<|start|>assistant<|message|>Ho<|end|>\n',
      'version: 2.2\n<|start|>user name=Alice<|message|>Hi<|end|>\n<|start|>assistant<|message|>Ho<|end|>\n',
    ],
  )
  assert.deepEqual(selectionsAt('<|start|>user<|message|>one tw$0o<|end|>'), [
    'two',
    'one two',
    '<|message|>one two<|end|>',
    '<|start|>user<|message|>one two<|end|>',
  ])
})

test('in the header a selection grows through keys and values', () => {
  const yaml = 'version: 2.2\nprofiles:\n  harmony:\n    enabled: tr$0ue\n    builtins_in: [analysis]\n'
  const text = yaml.replace('$0', '')
  assert.deepEqual(selectionsAt(`---\n${yaml}---\n`), [
    'true',
    'enabled: true',
    'enabled: true\n    builtins_in: [analysis]',
    'harmony:\n    enabled: true\n    builtins_in: [analysis]',
    'profiles:\n  harmony:\n    enabled: true\n    builtins_in: [analysis]',
    text,
    `---\n${text}---\n`,
  ])
  assert.deepEqual(selectionsAt('---\nbuiltin_tools: [browser, py$0thon]\n---\n').slice(0, 3), [
    'python',
    '[browser, python]',
    'builtin_tools: [browser, python]',
  ])
})

test('in Markdown a selection grows through blocks and sections, and takes a literal block with its marks', () => {
  const body = (text: string) =>
    selectionsAt(`<|start|>user<|message|>${text}<|end|>`).filter((it) => !it.includes('<|message|>'))
  assert.deepEqual(body('# A\r\n\r\nOne\r\ntw$0o.\r\n\r\n## B\r\n\r\nx\r\n'), [
    'two',
    'One\r\ntwo.',
    '# A\r\n\r\nOne\r\ntwo.\r\n\r\n## B\r\n\r\nx',
    '# A\r\n\r\nOne\r\ntwo.\r\n\r\n## B\r\n\r\nx\r\n',
  ])
  assert.deepEqual(body('Code:\n```js\nlet a$0\n\nlet b\n```\n\nbye'), [
    'a',
    'let a',
    'let a\n\nlet b',
    '```js\nlet a\n\nlet b\n```',
    'Code:\n```js\nlet a\n\nlet b\n```\n\nbye',
  ])
  assert.deepEqual(body('a <|literal|>x <|e$0nd|><|endliteral|> b'), [
    'end',
    'x <|end|>',
    '<|literal|>x <|end|><|endliteral|>',
    'a <|literal|>x <|end|><|endliteral|> b',
  ])
})

test('semantic tokens tell effect, meaning and who sees it', () => {
  const text =
    '<|start|>assistant to=functions.f call_id=c1<|channel|>analysis<|message|>a <<|end|> <|channel|><|literal|>x<|endliteral|><|call|> ?'
  const tokens = [...semanticTokens(analyze(Transcript.parse(text)), { start: 0, end: text.length })]
  assert.deepEqual(
    tokens.map(({ start, end, type, modifiers }) => [text.slice(start, end), type, ...modifiers].join(' ')),
    [
      '<|start|> keyword hidden',
      'assistant type hidden',
      'to property hidden',
      '= operator hidden',
      'functions.f function hidden',
      'call_id property hidden',
      '= operator hidden',
      'c1 variable hidden',
      '<|channel|> keyword hidden',
      'analysis enumMember hidden',
      '<|message|> keyword hidden',
      'a  text hidden',
      '< regexp hidden',
      '<|end|> string hidden',
      '  text hidden',
      '<|channel|> string hidden inactive',
      '<|literal|> keyword hidden',
      'x string hidden',
      '<|endliteral|> keyword hidden',
      '<|call|> keyword hidden',
      '? comment hidden',
    ],
  )
})

test('semantic tokens of a prompt tell the words of its templates', () => {
  const prompt = (body: string) => `inputs: {a: }\n<|start|>developer<|message|>${body}<|end|>\n`
  const tokensOf = (text: string) => {
    const start = text.indexOf('<|message|>') + '<|message|>'.length
    const range = { start: start + 1, end: text.lastIndexOf('<|end|>') - 1 }
    const tokens = [...semanticTokens(analyze(Transcript.parse(text)), range)]
    return tokens.map((it) => `${text.slice(it.start, it.end)} ${[it.type, ...it.modifiers].join(' ')}`)
  }
  const body =
    'Hi {{ a.b | upper }}<<|x|> {%- if a is not none and f(1, "x") %}?{# why #}{% raw %}{{ a }}{% endraw %}.'
  assert.deepEqual(
    tokensOf(prompt(body)).map((it) => it.replace(/ hidden$/, '')),
    [
      'Hi  text',
      '{{ keyword',
      '  text',
      'a variable',
      '. text',
      'b property',
      ' |  text',
      'upper function',
      '  text',
      '}} keyword',
      '<<|x|>  text',
      '{%- keyword',
      '  text',
      'if keyword',
      '  text',
      'a variable',
      '  text',
      'is keyword',
      '  text',
      'not keyword',
      '  text',
      'none function',
      '  text',
      'and keyword',
      '  text',
      'f function',
      '(1,  text',
      '"x" string',
      ')  text',
      '%} keyword',
      '? text',
      '{# why #} comment',
      '{% raw %} keyword',
      '{{ a }} text',
      '{% endraw %} keyword',
      '. text',
    ],
  )
  assert.deepEqual(tokensOf(`inputs: {a: }\n<|start|>user<|message|>Hi {{ a }}, {{ 1 }} {{ a<|end|>\n`), [
    '{{ keyword',
    'a variable',
    '}} keyword',
    '{{ keyword',
    '}} keyword',
    '{{ keyword',
    'a variable',
  ])
  assert.deepEqual(
    tokensOf(prompt('{{ "<<|end|>" }}'))
      .map((it) => it.replace(/ hidden$/, ''))
      .slice(2, -2),
    ['" string', '< regexp', '<|end|> string', '" string'],
  )
  assert.deepEqual(tokensOf('<|start|>user<|message|>Hi {{ a }}<|end|>\n'), [], 'not a prompt')
})

test('the words of any template are in order, do not overlap, and stay in bodies', () => {
  const piece = fc.constantFrom(
    ...'{{ }} {% %} {# #} raw endraw if for in a b . | is not ( " \\ \n <<|end|> <|literal|> <|endliteral|>'.split(
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = `inputs: {a: }\n<|start|>developer<|message|>${pieces.join(' ')}<|end|>\n`
      const tokens = [...semanticTokens(analyze(Transcript.parse(text)), { start: 0, end: text.length })]
      const whole = tokens.map(({ start, end, type }) => `${start}-${end} ${type}`)
      for (let at = 0; at < text.length; at += 7) {
        // Text between words is as long as it is asked for; words are the same wherever one begins to look.
        const words = [...semanticTokens(analyze(Transcript.parse(text)), { start: at, end: at + 3 })]
          .filter(({ type }) => type !== 'text')
          .map(({ start, end, type }) => `${start}-${end} ${type}`)
        assert.deepEqual(
          words,
          words.filter((it) => whole.includes(it)),
          text,
        )
        const expected = tokens.filter(
          (it) => it.type !== 'text' && it.start <= at + 3 && it.end >= at,
        ).length
        assert.equal(words.length, expected, text)
      }
      let end = 0
      for (const it of tokens) {
        assert.ok(end <= it.start && it.start < it.end, text)
        end = it.end
      }
      assert.ok(end <= text.length)
    }),
    { numRuns: propertyRuns },
  )
})

test('tokens of a range are those that touch it', () => {
  const text = '<|start|>user<|message|>a<|end|>\n'.repeat(3)
  const tokens = [...semanticTokens(analyze(Transcript.parse(text)), { start: 34, end: 40 })]
  assert.deepEqual(
    tokens.map(({ start, end }) => text.slice(start, end)),
    ['<|start|>'],
  )
})

test('a header with very many attributes has its tokens at once', () => {
  const text = `<|start|>user${' a=b'.repeat(100_000)} call_id=c<|message|>a<|end|>\n`
  const analysis = analyze(Transcript.parse(text))
  const before = process.cpuUsage()
  const tokens = [...semanticTokens(analysis, { start: 0, end: text.length })]
  const { user, system } = process.cpuUsage(before)
  assert.equal(tokens.find(({ type }) => type === 'variable')?.start, text.indexOf('c<|message|>'))
  assert.ok(user + system < 4_000_000, 'each value does not look through all attributes')
})

test('a plan says what it fixes and what only unsafe fixes are left for', () => {
  const text =
    'version: 2.2\n<|start|>assistant intent=preambel<|channel|>commentary<|message|>a <|channel|> b<|end|>\n<|start|>user<|message|>a <|channel|> b<|end|>\n'
  const plan = (choice: FixChoice) => {
    const { edits, ...counts } = fixPlan(new Checker(analyze(Transcript.parse(text))), choice)
    return [edits.length, counts]
  }
  assert.deepEqual(plan({}), [2, { fixed: 2, unsafe: 1, total: 3 }])
  assert.deepEqual(plan({ isUnsafe: true }), [3, { fixed: 3, unsafe: 1, total: 3 }])
  assert.deepEqual(plan({ rule: 'token-in-body' }), [2, { fixed: 2, unsafe: 0, total: 2 }])
  assert.deepEqual(plan({ rule: 'unknown-value' }), [0, { fixed: 0, unsafe: 1, total: 1 }])
  assert.deepEqual(plan({ rule: 'unknown-value', isUnsafe: true }), [1, { fixed: 1, unsafe: 1, total: 1 }])
  assert.deepEqual(plan({ rule: 'duplicate-call-id' }), [0, { fixed: 0, unsafe: 0, total: 0 }])
})

test('an unknown value is replaced by any of the known ones', () => {
  const text = 'version: 2.2\n<|start|>assistant intent=plan<|channel|>commentary<|message|>a<|end|>\n'
  const analysis = analyze(Transcript.parse(text))
  const checker = new Checker(analysis)
  checker.advance()
  const titles = codeActions(analysis, checker, { start: 0, end: text.length }).actions.map(
    ({ title }) => title,
  )
  assert.ok(titles.includes('Replace with `preamble`'), titles.join(', '))
})

test('fixes of the problems in a range, and all safe ones at once', () => {
  const text =
    'version: 2.2\n<|start|>user<|message|>a <|channel|> b<|end|>\n<|start|>user<|message|>a <|constrain|> b<|end|>\n'
  const analysis = analyze(Transcript.parse(text))
  const checker = new Checker(analysis)
  checker.advance()
  const at = text.indexOf('<|channel|>') + 2
  const {
    actions: [action],
  } = codeActions(analysis, checker, { start: at, end: at })
  assert.equal(action?.problem.rule, 'token-in-body')
  assert.equal(action?.isPreferred, true)
  assert.match(applyEdits(text, action?.edits ?? []), /a <<\|channel\|> b/)
  assert.deepEqual(codeActions(analysis, checker, { start: 0, end: 1 }), { actions: [], isComplete: true })
  assert.equal(
    applyEdits(text, fixAll(checker)),
    text.replace('<|channel|>', '<<|channel|>').replace('<|constrain|>', '<<|constrain|>'),
  )
})
