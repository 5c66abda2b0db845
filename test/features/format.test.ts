/** Formatting: what it changes, what it leaves alone, and that it never changes what a transcript means. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  applyEdits,
  convert,
  formatEdits,
  gapEdits,
  messageView,
  parseToJson,
  type Range,
  Transcript,
} from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

interface Options {
  readonly blankLines?: boolean
  readonly range?: Range
}

function formatted(text: string, { blankLines = false, range }: Options = {}): string {
  const analysis = analyze(Transcript.parse(text))
  const edits = [...formatEdits(analysis, range ?? { start: 0, end: text.length }, { blankLines })]
  return applyEdits(text, edits)
}

function checkFormat(text: string, expected: string, options: Options = {}): void {
  assert.equal(formatted(text, options), expected)
  assert.equal(formatted(expected, { blankLines: options.blankLines ?? false }), expected)
}

const header = 'version: 2.2\n'

test('headers have single spaces and attributes in their order', () => {
  checkFormat(
    `${header}<|start|>assistant  call_id=c1\t to=functions.f <|channel|>commentary <|constrain|>json <|message|>{"a": 1}<|call|>\n`,
    `${header}<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a": 1}<|call|>\n`,
  )
})

test('the attributes of a reply begin with the name', () => {
  checkFormat(
    `${header}<|start|>tool to=assistant call_id=c1 name=functions.f<|channel|>commentary<|message|>{}<|end|>\n`,
    `${header}<|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{}<|end|>\n`,
  )
})

test('attributes behind the channel stay there, unknown ones keep their order', () => {
  checkFormat(
    `${header}<|start|>assistant zeta=1 alpha=2 intent=status<|channel|>commentary  to=functions.f  json<|message|>{}<|call|>\n`,
    `${header}<|start|>assistant intent=status zeta=1 alpha=2<|channel|>commentary to=functions.f json<|message|>{}<|call|>\n`,
  )
})

test('between messages there is one line break, or an empty line where that is wanted; the file ends in one', () => {
  const text = `${header}<|start|>user<|message|>a<|end|>  <|start|>user<|message|>b<|end|>\n\n\n<|start|>user<|message|>c<|end|>`
  checkFormat(
    text,
    `${header}<|start|>user<|message|>a<|end|>\n<|start|>user<|message|>b<|end|>\n<|start|>user<|message|>c<|end|>\n`,
  )
  checkFormat(
    text,
    `${header}<|start|>user<|message|>a<|end|>\n\n<|start|>user<|message|>b<|end|>\n\n<|start|>user<|message|>c<|end|>\n`,
    { blankLines: true },
  )
})

test('line breaks are those of the file', () => {
  checkFormat(
    'version: 2.2\r\n<|start|>user<|message|>a\nb<|end|><|start|>user<|message|>c<|end|>',
    'version: 2.2\r\n<|start|>user<|message|>a\nb<|end|>\r\n<|start|>user<|message|>c<|end|>\r\n',
  )
})

test('a line break in a header, which goes, stands for none', () => {
  checkFormat(
    '<|start|>user\n name=a<|message|>a\rb<|end|><|start|>user<|message|>c<|end|>',
    '<|start|>user name=a<|message|>a\rb<|end|>\r<|start|>user<|message|>c<|end|>\r',
  )
})

for (const [what, text] of [
  ['bodies', `${header}<|start|>user<|message|>  a \n\n <|literal|> x <|endliteral|> <<|end|> <|end|>\n`],
  ['a YAML header with a mistake', 'version:   2.2  \nmodel:  [\n\n\n<|start|>user<|message|>a<|end|>\n'],
  [
    'the space before the first message, where no message begins a line',
    'tokens: ["<|start|>"]\n <|start|>user<|message|>a<|end|>',
  ],
  ['a value of many lines', 'version: 2.2\nnote: |\n  a  \n\n\n  b:   c\n<|start|>user<|message|>a<|end|>\n'],
  [
    'a message that is cut off',
    `${header}<|start|>user<|message|>a<|end|>\n<|start|>assistant<|message|>b \n\n`,
  ],
  ['a generation prompt', `${header}<|start|>user<|message|>a<|end|>\n<|start|>assistant`],
  ['a header that is not understood', `${header}<|start|>assistant  to=a  to=b<|message|>x<|end|>\n`],
  ['stray text', `${header}<|start|>user<|message|>a<|end|>  stray  \n<|start|>user<|message|>a<|end|>\n`],
  ['a text without lines', 'hello <|start|>user<|message|>a<|end|> <|start|>user<|message|>a<|end|>'],
] as const) {
  test(`${what} stays as it is`, () => checkFormat(text, text))
}

test('the YAML header has no white space that says nothing; comments, indentation and values stay', () => {
  checkFormat(
    '\n\nversion :   2.2  \nmodel:\tx   # the   model  \n\n\n\nprofiles:  \n    harmony: {enabled:   true,  x: "a   b"}  \n\n\n<|start|>user<|message|>a<|end|>\n',
    '\nversion: 2.2\nmodel: x   # the   model  \n\nprofiles:\n    harmony: {enabled: true,  x: "a   b"}\n\n<|start|>user<|message|>a<|end|>\n',
  )
  checkFormat(
    '---\nversion:  2.2\n\n\n---\n<|start|>user<|message|>a<|end|>\n',
    '---\nversion: 2.2\n\n---\n<|start|>user<|message|>a<|end|>\n',
  )
})

test('a part of a header is formatted where that alone changes nothing', () => {
  const text = ' \n\t\n---\nversion:  2.2\n'
  checkFormat(text, '\n---\nversion: 2.2\n')
  assert.equal(formatted(text, { range: { start: 3, end: 5 } }), text)
  assert.equal(formatted(text, { range: { start: 10, end: 20 } }), text.replace(':  ', ': '))
})

test('a file with a header alone ends in one line break', () => {
  for (const [text, wanted] of [
    ['version: 2.2', 'version: 2.2\n'],
    ['version:  2.2\r\nmodel: x\r\n \r\n\r\n', 'version: 2.2\r\nmodel: x\r\n'],
    ['---\nversion: 2.2\n---', '---\nversion: 2.2\n---\n'],
    ['version: 2.2\nnote: |+\n  a\n\n\n', 'version: 2.2\nnote: |+\n  a\n\n\n'],
    ['version: 2.2\nnote: a\u00a0\n\n', 'version: 2.2\nnote: a\u00a0\n\n'],
    ['', ''],
    ['\n\n', '\n\n'],
  ] as const) {
    checkFormat(text, wanted)
  }
})

test('only the white space between messages is changed where that is asked for, there and back', () => {
  const text = `${header}<|start|>user  <|message|>a\n\n b<|end|>\n<|start|>user<|message|>c<|end|>\n`
  const gaps = (it: string, blankLines: boolean) =>
    applyEdits(it, [...gapEdits(analyze(Transcript.parse(it)), { blankLines })])
  const spread = gaps(text, true)
  assert.equal(spread, text.replace('b<|end|>\n', 'b<|end|>\n\n'))
  assert.equal(gaps(spread, false), text)
})

test('raw Harmony text stays as it is', () => {
  const text = '<|start|>user<|message|>a<|end|> <|start|>user<|message|>b<|end|>'
  const analysis = analyze(Transcript.parse(text, { dialect: 'harmony' }))
  assert.deepEqual([...formatEdits(analysis, { start: 0, end: text.length }, { blankLines: false })], [])
})

test('turns of ChatML stand on lines of their own', () => {
  checkFormat(
    '<|im_start|>user\n a <|im_end|><|im_start|>assistant\nb<|im_end|>\n\n',
    '<|im_start|>user\n a <|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n',
  )
})

test('a range is formatted alone', () => {
  const line = '<|start|>user  <|message|>a<|end|>'
  const text = `${header}${line}\n\n${line}\n\n${line}\n\n`
  const tidy = '<|start|>user<|message|>a<|end|>'
  const second = header.length + line.length + 2
  const behind = second + line.length
  for (const [start, end, wanted] of [
    [second, behind, `${line}\n\n${tidy}\n\n${line}\n\n`], // what borders on a selection is outside of it
    [second + 13, second + 14, `${line}\n\n${tidy}\n\n${line}\n\n`],
    [second + 15, behind, `${line}\n\n${line}\n\n${line}\n\n`],
    [second, behind + 1, `${line}\n\n${tidy}\n${line}\n\n`], // a part of the gap stands for the gap
    [second, second, `${line}\n${line}\n\n${line}\n\n`], // a cursor is in the gap that it borders on
  ] as const) {
    assert.equal(formatted(text, { range: { start, end } }), header + wanted, `${start} to ${end}`)
  }
})

test('the samples are formatted in one of the two ways, but for raw Harmony text and the one full of mistakes', () => {
  for (const name of readdirSync('samples').filter((it) => it.endsWith('.ocm'))) {
    if (name === '10-harmony-capture.ocm' || name === '15-mistakes.ocm') continue
    const text = readFileSync(`samples/${name}`, 'utf8')
    const ways = [formatted(text), formatted(text, { blankLines: true })]
    assert.ok(ways.includes(text), name)
  }
})

/** Everything that a formatter must not change. */
function meaningOf(text: string): unknown {
  const analysis = analyze(Transcript.parse(text))
  const { messages, dialect, header, visible, fim, files, diagnostics } = parseToJson(text)
  const bodies = [...analysis.transcript.segments()].map(({ segment }) => {
    const body = segment.kind === 'message' ? messageView(segment).body : undefined
    return body ? segment.text.slice(body.from, body.to) : segment.kind
  })
  return {
    messages: messages.map(({ range: _, ...rest }) => rest),
    bodies,
    preamble: analysis.header.yaml.value,
    problemsOfHeader: analysis.header.yaml.problems.length,
    dialect,
    header,
    visible,
    fim,
    files,
    // Spaces behind tokens are what formatting takes away.
    problems: diagnostics.map(({ rule }) => rule).filter((it) => it !== 'space-after-token'),
  }
}

test('formatting never changes what a transcript says, and formatting again changes nothing', () => {
  fc.assert(
    fc.property(transcriptText, fc.boolean(), (text, blankLines) => {
      const once = formatted(text, { blankLines })
      assert.deepEqual(meaningOf(once), meaningOf(text))
      assert.equal(formatted(once, { blankLines }), once)
    }),
    { numRuns: propertyRuns },
  )
})

test('the edits of a range are those of the whole that have a part in it', () => {
  fc.assert(
    fc.property(transcriptText, fc.nat(1000), fc.nat(1000), (text, one, other) => {
      const [from = 0, to = 0] = [one, other]
        .map((it) => Math.round((it / 1000) * text.length))
        .sort((a, b) => a - b)
      const analysis = analyze(Transcript.parse(text))
      const all = [...formatEdits(analysis, { start: 0, end: text.length }, { blankLines: false })]
      const some = [...formatEdits(analysis, { start: from, end: to }, { blankLines: false })]
      const { length: preamble } = analysis.transcript.segment(0).segment
      const taken = new Set(some.map(({ start }) => start))
      assert.deepEqual(
        some,
        all.filter(({ start }) => taken.has(start)),
      )
      for (const { start, end } of all) {
        // Of a header, edits are made together or not at all, where one alone would change what it says.
        if (start < to && end > from && start >= preamble) assert.ok(taken.has(start))
        if (start > to || end < from) assert.ok(!taken.has(start))
      }
    }),
    { numRuns: Math.ceil(propertyRuns / 3) },
  )
})

const headerLine = fc.constantFrom(
  ...[
    'version:  2.2 ',
    'a :  b',
    'list:',
    '  -  x ',
    '- y',
    'deep:',
    '  k:   [ 1,  2 ]  # note',
    '    z: "a  b"  ',
  ],
  ...[
    '',
    '   ',
    '# comment  ',
    'text: |',
    '  one  ',
    'folded: >-',
    '  two',
    "q: 'it''s'  ",
    '? x',
    ': y',
    '{ f:  1 }',
  ],
  ...['---', '...', '\tt: 1', 'long: one', '   two', 'anchor: &a  1', 'alias:  *a', '"k" :  v'],
)

test('a header says the same when it is formatted, and formatting it again changes nothing', () => {
  fc.assert(
    fc.property(
      fc.array(headerLine, { maxLength: 9 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      (lines, lineBreak, hasMessage) => {
        const message = `<|start|>user<|message|>a<|end|>${lineBreak}`
        const text = lines.join(lineBreak) + (hasMessage ? lineBreak + message : '')
        const once = formatted(text)
        assert.deepEqual(meaningOf(once), meaningOf(text))
        assert.equal(formatted(once), once)
        assert.deepEqual(
          once.match(/#.*/g)?.map((it) => it.trim()),
          text.match(/#.*/g)?.map((it) => it.trim()),
        )
      },
    ),
    { numRuns: propertyRuns },
  )
})

test('empty lines between messages come and go without a trace', () => {
  const gaps = (text: string, blankLines: boolean) =>
    applyEdits(text, [...gapEdits(analyze(Transcript.parse(text)), { blankLines })])
  fc.assert(
    fc.property(transcriptText, (text) => {
      const close = gaps(text, false)
      const spread = gaps(text, true)
      assert.deepEqual(meaningOf(spread), meaningOf(text))
      assert.equal(gaps(spread, false), close)
      assert.equal(gaps(close, true), spread)
    }),
    { numRuns: propertyRuns },
  )
})

test('what is converted to the canonical form is formatted', () => {
  for (const name of readdirSync('samples').filter((it) => it.endsWith('.ocm'))) {
    const converted = convert(readFileSync(`samples/${name}`, 'utf8'), { to: 'ocm' })
    assert.equal(formatted(converted.text), converted.text, name)
  }
})
