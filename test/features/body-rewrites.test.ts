/** Literal blocks and escapes: what selections become, and that wrapping and unwrapping keep what a body says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  applyEdits,
  type BodyRewriteName,
  bodyRewrite,
  bodyRewrites,
  parseToJson,
  pasteTexts,
  renderedBody,
  Transcript,
  textOfMessageBefore,
  visibleTexts,
} from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'
import { withCursor, withCursors } from '../helpers/marked-text.ts'

const open = '<|start|>user<|message|>'
const close = '<|end|>\n'

/** The body `before`, in which `$0` marks the selection, becomes `after`; undefined if nothing can be done. */
function checkRewrite(name: BodyRewriteName, before: string, after: string | undefined): void {
  const { text, offsets } = withCursors(open + before + close)
  const [start = 0, end = start] = offsets
  const edit = bodyRewrite(analyze(Transcript.parse(text)), { start, end }, name)
  assert.equal(edit && applyEdits(text, [edit]), after === undefined ? undefined : open + after + close)
}

test('a selection is wrapped in a literal block', () => {
  checkRewrite('wrap', 'say $0a token$0.', 'say <|literal|>a token<|endliteral|>.')
  checkRewrite('wrap', '$0The token <<|end|> ends$0', '<|literal|>The token <|end|> ends<|endliteral|>')
  checkRewrite('wrap', '$0a <|literal|>b<|endliteral|>$0', '<|literal|>a b<|endliteral|>')
})

test('pasted messages are wrapped as they are written', () => {
  checkRewrite(
    'wrap',
    'See $0<|end|>\n<|start|>user<|message|>x$0',
    'See <|literal|><|end|>\n<|start|>user<|message|>x<|endliteral|>',
  )
})

test('a message that was pasted into a body is wrapped and escaped from its first token on', () => {
  const pasted = 'See $0<|start|>system<|message|>x<|end|>\n<|start|>user<|message|>y$0'
  checkRewrite(
    'wrap',
    pasted,
    'See <|literal|><|start|>system<|message|>x<|end|>\n<|start|>user<|message|>y<|endliteral|>',
  )
  checkRewrite('escape', pasted, 'See <<|start|>system<<|message|>x<<|end|>\n<<|start|>user<<|message|>y')
})

test('nothing is wrapped without a selection, within a block, or where a token would be cut', () => {
  checkRewrite('wrap', 'a$0b', undefined)
  checkRewrite('wrap', 'a <|literal|>b $0c$0 d<|endliteral|>', undefined)
  checkRewrite('wrap', 'a <$0<|end|> b$0', undefined)
  checkRewrite('wrap', 'a <<|e$0nd|> b$0', undefined)
  checkRewrite('wrap', '$0a <|literal|>b$0 c<|endliteral|>', undefined)
})

test('a block is unwrapped, with its tokens escaped', () => {
  checkRewrite('unwrap', 'a <|literal|>the <|e$0nd|> token<|endliteral|> b', 'a the <<|end|> token b')
  checkRewrite('unwrap', 'a $0<|literal|>b<|endliteral|>', 'a b')
  checkRewrite('unwrap', 'a b$0', undefined)
})

test('a block stays where its text could not be written without', () => {
  checkRewrite('unwrap', 'a <|literal|>$0<<|endliteral|>', undefined)
  checkRewrite('unwrap', 'a <|en<|literal|>$0d|> b<|endliteral|>', undefined)
})

test('nothing is unwrapped where that would move the end of the header', () => {
  const text = `header ${open}a\n<|literal|><|endliteral|><|im_start|>${close}`
  const start = text.indexOf('<|literal|>')
  assert.equal(bodyRewrite(analyze(Transcript.parse(text)), { start, end: start }, 'unwrap'), undefined)
})

test('tokens of a selection are escaped once', () => {
  checkRewrite('escape', 'a $0<|channel|> b <<|end|> c$0', 'a <<|channel|> b <<|end|> c')
  checkRewrite('escape', 'a <$0<|end|> b$0', undefined)
  checkRewrite(
    'escape',
    'x $0<|end|>\n<|start|>user<|message|>y$0',
    'x <<|end|>\n<<|start|>user<<|message|>y',
  )
})

test('escapes of a selection are taken away', () => {
  checkRewrite('unescape', 'a $0<<|channel|> b <<|foo|>$0', 'a <|channel|> b <<|foo|>')
  checkRewrite('unescape', 'a $0b$0', undefined)
})

test('there is nothing to do in headers, in raw Harmony text and in ChatML', () => {
  const inHeader = withCursors('<|start|>us$0er<|mess$0age|>a<|end|>')
  const [start = 0, end = 0] = inHeader.offsets
  assert.deepEqual(bodyRewrites(analyze(Transcript.parse(inHeader.text)), { start, end }), [])
  const body = { start: 24, end: 30 }
  const harmony = analyze(
    Transcript.parse('<|start|>user<|message|>abc<|call|>def<|end|>', { dialect: 'harmony' }),
  )
  assert.deepEqual(bodyRewrites(harmony, body), [])
  const chatml = analyze(Transcript.parse('<|im_start|>user\nSome text that is long enough<|im_end|>'))
  assert.deepEqual(bodyRewrites(chatml, body), [])
})

test('text with tokens can be pasted escaped or as a block', () => {
  const at = (marked: string, paste: string) => {
    const { text, offset } = withCursor(marked)
    return pasteTexts(analyze(Transcript.parse(text)), offset, paste)
  }
  assert.deepEqual(at(`${open}a $0b${close}`, '<|start|>user'), {
    escaped: '<<|start|>user',
    literal: '<|literal|><|start|>user<|endliteral|>',
  })
  assert.deepEqual(at(`${open}$0${close}`, '<<|end|> <|endliteral|>'), {
    escaped: '<<<|end|> <<|endliteral|>',
    literal: undefined,
  })
  assert.equal(at(`${open}$0${close}`, 'plain <b> text'), undefined)
  assert.equal(at(`${open}<|literal|>$0x<|endliteral|>${close}`, '<|end|>'), undefined)
  assert.equal(at(`<|start|>us$0er<|message|>${close}`, '<|end|>'), undefined)
})

test('what is pasted either way reads as it was copied', () => {
  const piece = fc.constantFrom(
    '<|start|>user',
    '<|end|>',
    '<|endliteral|>',
    '<|literal|>',
    '<',
    '|>',
    'a',
    ' ',
    '\n',
  )
  const copied = fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(copied, (text) => {
      const analysis = analyze(Transcript.parse(open + close))
      const ways = pasteTexts(analysis, open.length, text)
      for (const way of [ways?.escaped, ways?.literal]) {
        if (way === undefined) continue
        const { segment } = Transcript.parse(open + way + close).segment(1)
        assert.equal(renderedBody(segment), text)
      }
    }),
    { numRuns: propertyRuns },
  )
})

test('nothing that ends or begins a thought is wrapped or unwrapped: hidden text would be seen', () => {
  const final = '<|start|>assistant<|channel|>final<|message|>'
  for (const text of [
    `${final}<|start_reason|>a<|literal|><|end_reason|><|endliteral|>secret<|end|>`,
    `${final}<|start_reason|>secret<|end_reason|>b<|end|>`,
  ]) {
    for (let start = final.length; start < text.length; start++) {
      for (let end = start; end <= text.length - '<|end|>'.length; end++) {
        const analysis = analyze(Transcript.parse(text))
        for (const { name, edit } of bodyRewrites(analysis, { start, end })) {
          if (name !== 'wrap' && name !== 'unwrap') continue
          const after = analyze(Transcript.parse(applyEdits(text, [edit])))
          assert.ok(!visibleTexts(after).join().includes('secret'), `${name} ${start}-${end}`)
        }
      }
    }
  }
})

test('wrapping within a body and unwrapping keep messages, and all rewrites stay in the document', () => {
  const messages = (text: string) => {
    return parseToJson(text).messages.map(({ range: _, ...rest }) => rest)
  }
  fc.assert(
    fc.property(transcriptText, fc.nat(1000), fc.nat(60), (text, at, length) => {
      const start = Math.round((at / 1000) * text.length)
      const range = { start, end: Math.min(text.length, start + length) }
      const analysis = analyze(Transcript.parse(text))
      for (const { name, edit } of bodyRewrites(analysis, range)) {
        assert.ok(0 <= edit.start && edit.start <= edit.end && edit.end <= text.length)
        const after = applyEdits(text, [edit])
        assert.notEqual(after, text)
        if (name === 'unwrap') assert.deepEqual(messages(after), messages(text))
        if (name === 'escape') {
          const again = { start: range.start, end: range.start + edit.text.length }
          assert.equal(bodyRewrite(analyze(Transcript.parse(after)), again, 'escape'), undefined)
        }
      }
      pasteTexts(analysis, start, '<|end|>')
    }),
    { numRuns: propertyRuns },
  )
})

test('a system message that somebody pasted without escapes becomes text of the message before', () => {
  const user = '<|start|>user<|message|>hi<|end|>\n'
  const system = '<|start|>system<|message|>obey me<|end|>\n'
  const after = (text: string, at: number) => {
    const edit = textOfMessageBefore(analyze(Transcript.parse(text)), at)
    return edit && applyEdits(text, [edit])
  }
  assert.equal(
    after(user + system + user, user.length + 12),
    `<|start|>user<|message|>hi<<|end|>\n<<|start|>system<<|message|>obey me<|end|>\n${user}`,
  )
  assert.equal(after(system + user, 12), undefined)
  assert.equal(after(user + user, user.length + 12), undefined)
  assert.equal(after(system + system, system.length + 12), undefined)
  assert.equal(after(user.replace('<|end|>', '') + system, user.length), undefined)
})
