/** Completion: `$0` is the cursor. What is proposed where, and what the text is after accepting. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, Checker, Transcript } from '../../core/src/internal.ts'
import { documentHeaderSchema } from '../../core/src/semantics/document-header-schema.ts'
import { accept, completionsAt, labelsAt } from '../helpers/check-completion.ts'

const headerKeys = Object.keys(documentHeaderSchema.properties ?? {}).join(', ')
const messages =
  '<|start|>, user, assistant final, assistant analysis, assistant call, tool reply, assistant preamble, developer, system, assistant call and reply, user literal block'
const roles = 'system, developer, user, assistant, tool'
const rolesWithRest =
  'user …, assistant final …, assistant analysis …, assistant call …, tool reply …, assistant preamble …, developer …, system …, assistant call and reply …, user literal block …'
const call = '<|start|>assistant to=functions.a call_id=c7<|channel|>commentary<|message|>{}<|call|>\n'

/** A text with a cursor, and the labels proposed there. */
const rows: readonly (readonly [marked: string, labels: string])[] = [
  // At the start of the document.
  ['$0', `${headerKeys}, ${messages}`],
  ['<$0', messages],
  ['<|$0', messages],
  ['<|st$0', messages],
  ['version: 2.2\n<|$0\n', messages],
  ['---\n$0\n---\n', headerKeys],
  ['---\nversion: 2.2\n---\n$0', messages],
  ['---\nversion: 2.2\n$0---\n', ''],
  ['---\nversion: 2.2\n--$0-\n', ''],
  ['version: 2.2\ninputs:\n  t: { type: string, values: [a, b], default: $0 }\n', 'a, b'],
  ['version: 2.2\ninputs:\n  t: { type: boolean, default: $0 }\n', 'true, false'],
  ['version: 2.2\ninputs:\n  t: { type: integer, default: $0 }\n', ''],
  [
    'profiles:\n  harmony:\n    tool_calls_in: $0\n<|start|>user<|message|>x<|end|>',
    'analysis, commentary, final',
  ],
  // Between messages.
  ['<|start|>user<|message|>Hi<|end|>\n$0', messages],
  ['<|start|>user<|message|>Hi<|end|>\nus$0', messages],
  ['<|start|>user<|message|>Hi<|end|>\n<|$0\n<|start|>user<|message|>Hi<|end|>', messages],
  // Roles, and with them the rest of the message where there is none.
  ['<|start|>$0', `${roles}, ${rolesWithRest}`],
  ['<|start|>as$0', `${roles}, ${rolesWithRest}`],
  ['<|start|>us$0er<|message|>x<|end|>', roles],
  ['<|start|>user<|message|>Hi\n<|start|>as$0', `${roles}, ${rolesWithRest}`],
  ['<|im_start|>$0', 'system, user, assistant, tool, system …, tool …, user …, assistant …'],
  // Behind a word that is complete, what follows; to change the word, only where the header is complete.
  [
    '<|start|>assistant$0',
    '<|channel|>, <|message|>, <|constrain|>, to=, call_id=, intent=, name=, content_type=',
  ],
  [
    '<|start|>assistant$0<|message|>',
    `${roles}, <|channel|>, <|constrain|>, to=, call_id=, intent=, name=, content_type=`,
  ],
  ['<|start|>assistant<|channel|>final$0', '<|message|>, <|constrain|>'],
  ['<|start|>assistant<|channel|>final$0<|message|>', 'analysis, commentary, final, <|constrain|>'],
  ['<|start|>assistant<|channel|>final<|constrain|>json$0', '<|message|>'],
  // Attributes that are not there yet and suit the role, then tokens.
  [
    '<|start|>assistant $0',
    'to=, call_id=, intent=, name=, content_type=, <|channel|>, <|message|>, <|constrain|>',
  ],
  [
    '<|start|>assistant to=x $0',
    'call_id=, intent=, name=, content_type=, <|channel|>, <|constrain|>, <|message|>',
  ],
  ['<|start|>assistant $0 to=x<|channel|>final<|message|>', 'call_id=, intent=, name=, content_type='],
  ['<|start|>user na$0<|message|>x', 'name=, content_type='],
  ['<|start|>user na"=x$0y<|message|>x', 'name=, content_type='],
  ['<|start|>assistant<|channel|>commentary $0', 'to=, intent=, content_type=, <|message|>, <|constrain|>'],
  ['<|im_start|>user $0', 'name='],
  // `[BOS]` ends the header, wherever the first message begins.
  ['[BOS]<|$0', '<|im_start|>, system, tool, user, assistant'],
  ['version: 2.2\n[BOS]$0', '<|im_start|>, system, tool, user, assistant'],
  ['[B$0OS]<|im_start|>user\nHi<|im_end|>', ''],
  // Tokens only at their place.
  ['<|start|><|$0', ''],
  ['<|start|>assistant<|$0', '<|channel|>, <|message|>, <|constrain|>'],
  ['<|start|>assistant<|ch$0', '<|channel|>, <|message|>, <|constrain|>'],
  ['<|start|>assistant<|channel|>final<$0', '<|message|>, <|constrain|>'],
  ['<|start|>assistant<|channel|>final<|constrain|>json<|$0', '<|message|>'],
  ['<|start|>assistant<|channel|><|$0', ''],
  ['<|start|>assistant<|channel|>final<|$0<|message|>x<|end|>', '<|constrain|>'],
  // In the middle of a token that is complete, no other one.
  ['<|start|>user<|me$0ssage|>Hi<|end|>', ''],
  ['<|start|>user<|message|>Hi<|en$0d|>', '<|end|>'],
  ['<|st$0art|>user<|message|>Hi<|end|>', ''],
  ['<|start|>assistant<|chan$0nel|>final<|message|>Hi<|end|>', ''],
  // Values.
  ['<|start|>assistant<|channel|>$0', 'analysis, commentary, final'],
  ['<|start|>assistant<|channel|>fin$0', 'analysis, commentary, final'],
  ['<|start|>assistant to=python<|channel|>$0', 'commentary, analysis, final'],
  [
    '<|start|>assistant<|channel|>final<|constrain|>$0<|message|>',
    'json, text, markdown, code, python, yaml',
  ],
  ['<|start|>assistant intent=$0', 'preamble, status, debug'],
  ['<|start|>assistant intent=pre$0<|channel|>commentary<|message|>', 'preamble, status, debug'],
  ['<|start|>user content_type=$0', 'json, text, markdown, code, python, yaml'],
  // Names that the transcript knows.
  [`${call}<|start|>assistant to=$0`, 'functions.a, browser.search, browser.open, browser.find, python'],
  ['builtin_tools: [python]\n<|start|>assistant to=$0', 'python'],
  [`${call}<|start|>tool name=$0`, 'functions.a, browser.search, browser.open, browser.find, python'],
  [`${call}<|start|>tool name=functions.a call_id=$0`, 'c7'],
  [`${call}<|start|>tool name=functions.a call_id=$0<|channel|>commentary<|message|>{}<|end|>`, 'c7'],
  [`${call}<|start|>tool name=functions.a call_id=c7$0<|channel|>commentary<|message|>{}<|end|>`, 'c7'],
  [
    `${call}<|start|>tool name=$0 call_id=c7<|channel|>commentary<|message|>{}<|end|>`,
    'functions.a, browser.search, browser.open, browser.find, python',
  ],
  [
    `${call}<|start|>assistant to=functions.$0<|channel|>commentary<|message|>{}<|call|>`,
    'functions.a, browser.search, browser.open, browser.find, python',
  ],
  [`${call}<|start|>assistant to=functions.a call_id=$0`, 'c8'],
  ['<|start|>tool name=functions.a to=$0', 'assistant'],
  [
    '<|start|>developer<|message|>namespace functions {\ntype b = (_: {x: string}) => any;\n} // namespace functions<|end|>\n<|start|>assistant to=$0',
    'functions.b, browser.search, browser.open, browser.find, python',
  ],
  // Behind a dot, tools that reply under their own name; behind such a name, what follows it.
  [`${call}<|start|>functions.$0`, 'functions.a'],
  [
    `${call}<|start|>functions.a$0`,
    '<|channel|>, <|message|>, <|constrain|>, name=, call_id=, to=, content_type=',
  ],
  ['<|start|>browser.$0', 'browser.search, browser.open, browser.find'],
  [
    '<|start|>browser.s$0<|channel|>commentary<|message|>x<|end|>',
    'browser.search, browser.open, browser.find, name=, call_id=, to=, content_type=',
  ],
  // Severities of rules, and problems that are expected.
  ['lint:\n  stray-text: $0\n', 'error, warning, information, hint, off'],
  ['---\nlint: {E-STRAY-TEXT: of$0}\n---\n', 'error, warning, information, hint, off'],
  ['expect:\n  - severity: $0\n', 'error, warning, information, hint'],
  // Bodies: only once a token is begun.
  ['<|start|>user<|message|>Hi $0<|end|>', ''],
  ['<|start|>user<|message|>Hi <|$0', '<|end|>, <|literal|>'],
  ['<|start|>user<|message|>Hi <|$0 there<|end|>', '<|literal|>'],
  ['<|start|>assistant to=python<|message|>Hi <|$0', '<|call|>, <|end|>, <|literal|>'],
  ['<|start|>assistant<|channel|>final<|message|>Hi <|$0', '<|end|>, <|return|>, <|literal|>'],
  ['<|start|>user<|message|><|literal|>a <|$0', '<|endliteral|>, <|end|>, <|literal|>'],
  ['<|start|>user<|message|><|literal|>a <|$0 <|endliteral|><|end|>', ''],
  ['<|im_start|>user\nHi <|$0', '<|im_end|>'],
]

for (const [marked, labels] of rows) {
  test(JSON.stringify(marked), () => assert.equal(labelsAt(marked), labels))
}

/** What is accepted where, and the text after it. */
const acceptances: readonly (readonly [marked: string, label: string, result: string])[] = [
  ['<|$0', 'user', '<|start|>user<|message|>$0<|end|>'],
  ['us$0', 'user', '<|start|>user<|message|>$0<|end|>'],
  ['<|start|>as$0er<|message|>x', 'assistant', '<|start|>assistant<|message|>x'],
  ['<|start|>assistant<|ch$0', '<|channel|>', '<|start|>assistant<|channel|>'],
  ['<|start|>assistant<|ch$0|>final', '<|channel|>', '<|start|>assistant<|channel|>final'],
  ['<|start|>assistant$0<|message|>', 'intent=', '<|start|>assistant intent=<|message|>'],
  ['<|start|>assistant<|$0', '<|message|>', '<|start|>assistant<|message|>$0<|end|>'],
  ['<|start|>assistant to=f<|$0', '<|message|>', '<|start|>assistant to=f<|message|>$0<|call|>'],
  [
    '<|start|>user<|message|>a <|$0 b',
    '<|literal|>',
    '<|start|>user<|message|>a <|literal|>$0<|endliteral|> b',
  ],
  ['<|start|>user<|message|>a <<|$0', '<|end|>', '<|start|>user<|message|>a <<|end|>'],
  [
    `${call}<|start|>$0`,
    'tool reply …',
    `${call}<|start|>tool name=\${1:functions.a} call_id=\${2:c7}<|channel|>commentary<|message|>$0<|end|>`,
  ],
  ['<|im_start|>as$0', 'assistant …', '<|im_start|>assistant\n$0<|im_end|>'],
  ['<|start|>user<|message|>Hi<|en$0d|>', '<|end|>', '<|start|>user<|message|>Hi<|end|>'],
  ['<|start|>user<|message|>Hi<$0|end|>', '<|end|>', '<|start|>user<|message|>Hi<|end|>'],
  ['<|start|>assistant $0to=f<|message|>', 'intent=', '<|start|>assistant intent=$0 to=f<|message|>'],
  ['<|start|>assistant n$0ame=x to=f<|message|>', 'intent=', '<|start|>assistant intent=x to=f<|message|>'],
  ['<|start|>assistant $0 to=f<|message|>', 'intent=', '<|start|>assistant intent= to=f<|message|>'],
  ['<|start|>user<|message|>Hi<|end|$0>', '<|end|>', '<|start|>user<|message|>Hi<|end|>'],
  ['profiles: {harmony: {tool_calls_in:$0}}', 'final', 'profiles: {harmony: {tool_calls_in: final}}'],
  ['version: 2.2\nli$0', 'lint', 'version: 2.2\nlint:\n  $0'],
  ['lint:\n  stray-$0', 'stray-text', 'lint:\n  stray-text: $0'],
  ['lint:\n  E-S$0', 'E-STRAY-TEXT', 'lint:\n  E-STRAY-TEXT: $0'],
  ['expect:\n  - $0', 'E-STRAY-TEXT', 'expect:\n  - "E-STRAY-TEXT"'],
  ['expect:\n  - co$0', 'code', 'expect:\n  - code: $0'],
]

for (const [marked, label, result] of acceptances) {
  test(`${JSON.stringify(marked)} with ${label}`, () => assert.equal(accept(marked, label), result))
}

test('in Harmony messages are written as its models write them', () => {
  const call =
    '<|start|>assistant to=functions.look<|channel|>commentary <|constrain|>json<|message|>{}<|call|>'
  const found = completionsAt(`${call}$0`, { dialect: 'harmony' }).filter(({ kind }) => kind === 'message')
  const reply = (name: string) => `<|start|>${name} to=assistant<|channel|>commentary<|message|><|end|>`
  const text = (label: string) => found.find((it) => it.label === label)?.text
  assert.equal(text('assistant call'), call.replace('look', 'name'))
  assert.equal(text('tool reply'), reply('functions.look'))
  assert.equal(text('assistant call and reply'), call.replace('look', 'name') + reply('functions.name'))
  assert.ok(found.every((it) => !/call_id|intent|name=|literal/.test(it.text)))
  const labels = (marked: string) =>
    completionsAt(marked, { dialect: 'harmony' }).flatMap(({ kind, label }) =>
      kind === 'message' ? [] : label,
    )
  assert.deepEqual(labels('<|start|>assistant $0'), ['to=', '<|channel|>', '<|message|>', '<|constrain|>'])
  assert.deepEqual(labels(`${call}<|start|>$0`), ['system', 'developer', 'user', 'assistant'])
  assert.deepEqual(labels(`${call}<|start|>functions.$0`), ['functions.look'])
})

test('what is typed to end a message is no question', () => {
  assert.equal(labelsAt('<|start|>user<|message|>Hi<|end|>$0', '>'), '')
  assert.equal(labelsAt('<|start|>user<|message|>a <$0', '<'), '')
  assert.equal(labelsAt('<|start|>user<|message|>Hi<|end|>\n<$0', '<'), messages)
})

test('the plain text of a snippet has no tab stops', () => {
  const found = completionsAt('$0').find(({ label }) => label === 'assistant call')
  assert.equal(
    found?.text,
    '<|start|>assistant to=functions.name call_id=call_1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>',
  )
})

test('a call comes with its reply, and both with the same id', () => {
  assert.equal(
    accept(`${call}$0`, 'assistant call and reply'),
    `${call}<|start|>assistant to=\${1:functions.name} call_id=\${2:c8}<|channel|>commentary<|constrain|>json<|message|>{$3\\}<|call|>\n<|start|>tool name=$1 call_id=$2 to=assistant<|channel|>commentary<|message|>$0<|end|>`,
  )
  const found = completionsAt('$0').find(({ label }) => label === 'assistant call and reply')
  assert.equal(
    found?.text,
    '<|start|>assistant to=functions.name call_id=call_1<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n<|start|>tool name=functions.name call_id=call_1 to=assistant<|channel|>commentary<|message|><|end|>',
  )
})

test('whole messages say nothing that a checker would find, but for what is left to fill in', () => {
  for (const { kind, text, label } of completionsAt('$0')) {
    if (kind !== 'message') continue
    const checker = new Checker(analyze(Transcript.parse(`version: 2.2\n${text}\n`)))
    checker.advance()
    const codes = checker.problems().problems.map(({ code }) => code)
    // A reply alone does not answer a call.
    assert.deepEqual(codes, label === 'tool reply' ? ['E-CALL-ID-UNMATCHED'] : [], label)
  }
})

test('what has no gaps to fill in is no snippet, so that Enter behind it can be a line break', () => {
  const [value] = completionsAt('version: 2.2$0')
  assert.equal(value?.text, '2.2')
  assert.equal(value?.snippet, undefined)
  assert.equal(completionsAt('generation_settings:\n  $0')[0]?.snippet?.startsWith('temperature: '), true)
})

test('a token that is finished already is replaced whole, so that nothing is doubled', () => {
  assert.equal(accept('<|start|>user<|message|>Hi <|$0|>', '<|end|>'), '<|start|>user<|message|>Hi <|end|>')
})

test('tokens, roles, channels, attributes and types of content are explained in the list', () => {
  for (const marked of [
    '<|start|>$0',
    '<|start|>assistant $0',
    '<|start|>assistant<|channel|>$0',
    '<|start|>assistant<|channel|>final<|constrain|>$0',
    '<|start|>user<|message|>Hi <|$0',
  ]) {
    const explained = completionsAt(marked).filter(({ kind }) => kind !== 'message')
    assert.ok(explained.length > 1)
    const bare = explained.filter(({ documentation }) => !documentation)
    assert.deepEqual(bare, [], marked)
  }
})
