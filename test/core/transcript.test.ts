/** The invariants I1 to I6 of the document, for whole, broken and random texts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { selfCheck } from '../../core/src/features/self-check.ts'
import {
  Document,
  eachToken,
  factsOf,
  messageView,
  parseToJson,
  type Segment,
  Transcript,
  tokensOf,
  toParseJson,
} from '../../core/src/internal.ts'
import { factsOfView } from '../../core/src/semantics/view-facts.ts'
import { placeEdit, propertyRuns, relativeEdit, transcriptText } from '../helpers/arbitraries.ts'

const dialects = fc.constantFrom('auto', '2.2', '1.x', 'harmony') as fc.Arbitrary<
  'auto' | '2.2' | '1.x' | 'harmony'
>

function segmentsOf(transcript: Transcript): Segment[] {
  return [...transcript.segments()].map(({ segment }) => segment)
}

/** Everything of a segment that others can see. */
function shapeOf(segment: Segment) {
  const { memory, home, framing, ...summary } = segment
  return {
    ...summary,
    framing: framing.name,
    tokens: [...eachToken(tokensOf(segment))],
  }
}

describe('a transcript', () => {
  it('is lossless: segments concatenate to the text, tokens tile their segment (I1)', () => {
    fc.assert(
      fc.property(transcriptText, dialects, (text, dialect) => {
        const segments = segmentsOf(Transcript.parse(text, { dialect }))
        assert.equal(segments.map((it) => it.text).join(''), text)
        for (const segment of segments) {
          let end = 0
          for (const token of eachToken(tokensOf(segment))) {
            assert.equal(token.from, end)
            assert.ok(token.to > token.from, 'a token is not empty')
            end = token.to
          }
          assert.equal(end, segment.text.length)
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('starts every message in the ground state: a stretch from a boundary on splits alike (I3)', () => {
    fc.assert(
      fc.property(transcriptText, (text) => {
        const transcript = Transcript.parse(text, { dialect: '2.2' })
        const segments = segmentsOf(transcript)
        const from = segments.length >> 1
        if (from === 0) return
        const rest = segments.slice(from)
        if (rest[0]?.endsInBody || segments.some((it) => it.kind === 'preamble' && it.text.includes('---')))
          return
        const tail = segmentsOf(
          Transcript.parse(`\n${rest.map((it) => it.text).join('')}`, { dialect: '2.2' }),
        )
        assert.deepEqual(tail.slice(1).map(shapeOf), rest.map(shapeOf))
      }),
      { numRuns: propertyRuns },
    )
  })

  it('binds a literal to the next end, wherever it stands (I4)', () => {
    fc.assert(
      fc.property(transcriptText, (text) => {
        const segments = segmentsOf(Transcript.parse(text, { dialect: '2.2' }))
        const lastEnd = text.lastIndexOf('<|endliteral|>')
        let start = 0
        for (const segment of segments) {
          if (segment.hasOpenLiteral) {
            const literal = segment.text.lastIndexOf('<|literal|>')
            assert.ok(lastEnd < start + literal, 'an open literal has no end behind it')
          }
          start += segment.text.length
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('is independent of the path: edited equals parsed, with facts and problems (I6)', () => {
    fc.assert(
      fc.property(
        transcriptText,
        dialects,
        fc.array(relativeEdit, { minLength: 1, maxLength: 5 }),
        (text, dialect, edits) => {
          const document = new Document(text, { dialect })
          const { analysis, checker } = document
          checker.advance()
          let current = text
          for (const relative of edits) {
            const edit = placeEdit(relative, current)
            current = current.slice(0, edit.start) + edit.text + current.slice(edit.end)
            document.edit([edit])
            assert.equal(analysis.transcript.text(), current)
            assert.equal(selfCheck(analysis, checker), undefined)
          }
          const fresh = Transcript.parse(current, { dialect })
          assert.equal(analysis.transcript.framing, fresh.framing)
          assert.deepEqual(segmentsOf(analysis.transcript).map(shapeOf), segmentsOf(fresh).map(shapeOf))
          assert.deepEqual(toParseJson(document), parseToJson(current, { dialect }))
        },
      ),
      { numRuns: propertyRuns * 3 },
    )
  })

  it('keeps the objects of untouched messages, and says which are gone and new', () => {
    fc.assert(
      fc.property(
        transcriptText,
        fc.array(relativeEdit, { minLength: 1, maxLength: 3 }),
        (text, relatives) => {
          const transcript = Transcript.parse(text)
          const before = new Set(segmentsOf(transcript))
          let current = text
          const edits = relatives.map((relative) => {
            const edit = placeEdit(relative, current)
            current = current.slice(0, edit.start) + edit.text + current.slice(edit.end)
            return edit
          })
          const { removed, inserted } = transcript.edit(edits)
          for (const segment of removed) assert.ok(before.delete(segment), 'a removed segment was there')
          for (const segment of inserted) before.add(segment)
          assert.deepEqual(new Set(segmentsOf(transcript)), before)
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  it('agrees on positions with the text documents of the language server library', () => {
    fc.assert(
      fc.property(
        transcriptText,
        relativeEdit,
        fc.nat(80),
        fc.nat(12),
        fc.nat(30),
        (text, relative, at, line, character) => {
          const edit = placeEdit(relative, text)
          const transcript = Transcript.parse(text)
          transcript.edit([edit])
          const whole = transcript.text()
          const document = TextDocument.create('untitled:1', 'openchatml', 1, whole)
          assert.equal(transcript.lineCount, document.lineCount)
          assert.deepEqual(transcript.positionAt(at), document.positionAt(at))
          assert.equal(transcript.offsetAt({ line, character }), document.offsetAt({ line, character }))
          for (const { segment, start } of transcript.segments()) {
            assert.deepEqual(transcript.positionAt(start), document.positionAt(start))
            assert.equal(transcript.locate(segment)?.start, start)
          }
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  it('knows every line after each of several edits in a message, most of which keep its lines', () => {
    const body = fc.array(fc.constantFrom('a', 'bc', ' ', '\n', '\r', '\r\n'), { maxLength: 30 })
    const typed = fc.record({
      at: fc.nat(60),
      length: fc.nat(3),
      text: fc.constantFrom('', 'x', 'yz', 'x', '\n', '\r', '<|end|>'),
    })
    fc.assert(
      fc.property(body, fc.array(typed, { minLength: 1, maxLength: 8 }), (parts, edits) => {
        const start = '<|start|>user<|message|>'.length
        const transcript = Transcript.parse(`<|start|>user<|message|>${parts.join('')}<|end|>\n`)
        for (const { at, length, text } of edits) {
          const from = Math.min(start + at, transcript.length)
          transcript.edit([{ start: from, end: Math.min(from + length, transcript.length), text }])
          const document = TextDocument.create('untitled:1', 'openchatml', 1, transcript.text())
          assert.equal(transcript.lineCount, document.lineCount)
          for (let offset = 0; offset <= transcript.length; offset++)
            assert.deepEqual(transcript.positionAt(offset), document.positionAt(offset))
          for (let line = 0; line < document.lineCount; line++)
            assert.equal(
              transcript.offsetAt({ line, character: 0 }),
              document.offsetAt({ line, character: 0 }),
            )
          assert.deepEqual(
            segmentsOf(transcript).map(shapeOf),
            segmentsOf(Transcript.parse(transcript.text())).map(shapeOf),
          )
        }
      }),
      { numRuns: propertyRuns },
    )
  })

  it('takes over the tokens of an edited body, with the same result as reading it again', () => {
    const parts = ['a', ' ', '<', '<|', '|>', '\n', '\r', '\r\n', 'user', '{', '<|end|>', 'x'.repeat(70)]
    const tokens = [
      '<|channel|>',
      '<<|end|>',
      '<|start|>',
      '<|start|> use',
      '<|start_reason|>',
      '<|end_reason|>',
    ]
    const literals = ['<|literal|>', '<|endliteral|>', '<|literal|><|end|><|endliteral|>', '<<|literal|>']
    const body = fc.array(fc.constantFrom(...parts, ...tokens, ...tokens, ...literals), { maxLength: 20 })
    const fraction = fc.nat({ max: 999 }).map((it) => it / 1000)
    const typed = fc.record({
      message: fraction,
      place: fraction,
      isAtToken: fc.boolean(),
      length: fc.constantFrom(0, 0, 1, 2, 11),
      text: fc.constantFrom(
        '',
        'x',
        'r',
        '<',
        '|',
        '>',
        '\n',
        ...tokens,
        ...literals,
        'er<|message|>',
        '<|end|>',
      ),
    })
    const before = fc.constantFrom(
      '',
      '<|start|>user<|message|>an open <|literal|><|end|>\n',
      '<|start|>user<|message|>cut off',
    )
    const after = fc.constantFrom(
      '<|end|>\n',
      '<|call|><|end|>',
      '<|return|> stray',
      '',
      '<|start|>user<|message|>',
    )
    let nTakenOver = 0
    fc.assert(
      fc.property(before, body, after, fc.array(typed, { maxLength: 4 }), dialects, (...values) => {
        const [before, parts, after, edits, dialect] = values
        const text = `${before}<|start|>assistant<|channel|>final<|message|>${parts.join('')}${after}`
        const transcript = Transcript.parse(text, { dialect })
        for (const { message, place, isAtToken, length, text: typed } of edits) {
          for (const segment of segmentsOf(transcript)) tokensOf(segment)
          const { segment, start } = transcript.segment(Math.floor(transcript.segmentCount * message))
          const { ends, count } = tokensOf(segment)
          const from =
            start + (isAtToken ? (ends[Math.floor(count * place)] ?? 0) : Math.floor(segment.length * place))
          const end = Math.min(from + length, transcript.length)
          const { rescanned } = transcript.edit([{ start: from, end, text: typed }])
          if (rescanned < segment.length) nTakenOver++
          const fresh = Transcript.parse(transcript.text(), { dialect })
          assert.deepEqual(segmentsOf(transcript).map(shapeOf), segmentsOf(fresh).map(shapeOf))
          assert.equal(transcript.lineCount, fresh.lineCount)
        }
      }),
      { numRuns: propertyRuns * 2 },
    )
    assert.ok(nTakenOver >= propertyRuns / 4, `only ${nTakenOver} edits did not read a message again`)
  })

  it('finds segments by offset', () => {
    fc.assert(
      fc.property(transcriptText, fc.nat(200), (text, at) => {
        const transcript = Transcript.parse(text)
        const offset = Math.min(at, text.length)
        const { segment, start, index } = transcript.segmentAt(offset)
        assert.ok(start <= offset && (offset < start + segment.length || offset === text.length))
        assert.equal(transcript.segment(index).segment, segment)
      }),
      { numRuns: propertyRuns },
    )
  })

  it('refuses edits outside the document', () => {
    const transcript = Transcript.parse('<|start|>user<|message|>x<|end|>')
    assert.throws(() => transcript.edit([{ start: 0, end: 99, text: '' }]), RangeError)
    assert.throws(() => transcript.text({ start: 3, end: 2 }), RangeError)
    assert.throws(() => transcript.segmentAt(-1), RangeError)
  })
})

describe('the facts of a message', () => {
  it('are the same straight from the text and from the view', () => {
    fc.assert(
      fc.property(transcriptText, (text) => {
        for (const segment of segmentsOf(Transcript.parse(text))) {
          if (segment.kind !== 'message') continue
          assert.deepEqual(factsOf(segment), factsOfView(segment, messageView(segment)))
        }
      }),
      { numRuns: propertyRuns * 2 },
    )
  })
})
