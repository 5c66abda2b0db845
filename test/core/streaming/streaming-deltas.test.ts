/** When text of a stream is shown: as soon as it is certain what it is, and no sooner. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  analyze,
  type StreamEvent,
  StreamingParser,
  Transcript,
  visibleTexts,
} from '../../../core/src/internal.ts'
import { shownTexts, streamed } from './streamed.ts'

const final = '<|start|>assistant<|channel|>final<|message|>'

/** The text of the deltas after each chunk. */
function shownAfter(...chunks: readonly string[]): readonly string[] {
  const parser = new StreamingParser({ prefix: chunks[0] ?? '' })
  return [...chunks.slice(1).map((chunk) => parser.push(chunk)), parser.end()].map(textOf)
}

function textOf(events: readonly StreamEvent[]): string {
  return events.map((event) => (event.type === 'response.delta' ? event.text : '')).join('')
}

function typesOf(events: readonly StreamEvent[]): readonly string[] {
  return events.map(({ type }) => type)
}

describe('deltas', () => {
  it('come with the chunk that brings the text', () => {
    assert.deepEqual(shownAfter(final, 'Hel', 'lo', ' there', '<|return|>'), ['Hel', 'lo', ' there', '', ''])
  })

  it('wait while a token may come', () => {
    assert.deepEqual(shownAfter(final, 'a <', 'b <|', 'en', 'de <|end', '|>'), [
      'a ',
      '<b ',
      '',
      '<|ende ',
      '',
      '',
    ])
  })

  it('wait while an escape may come', () => {
    assert.deepEqual(shownAfter(final, 'a <<|e', 'nd|> b', '<<', '<|end|>'), [
      'a ',
      '<|end|> b',
      '',
      '<<|end|>',
      '',
    ])
  })

  it('keep surrogate pairs whole, and pass lone ones on', () => {
    assert.deepEqual(shownAfter(final, 'a\ud83d', '\ude00b', '\ud83d', 'c', '\udc00\ud83d'), [
      'a',
      '😀b',
      '',
      '\ud83dc',
      '\udc00',
      '\ud83d',
    ])
  })

  it('wait for the end of a literal block, and come at once then', () => {
    assert.deepEqual(shownAfter(final, 'a<|literal|>', '<|end|>', '<|endliteral|>b', '<|end|>'), [
      'a',
      '',
      '<|end|>b',
      '',
      '',
    ])
  })

  it('treat a literal without end as text, when the stream ends (D9)', () => {
    const text = `${final}a<|literal|>b<|end|><|start|>user<|message|>c<|end|>`
    const parser = new StreamingParser()
    assert.deepEqual(textOf(parser.push(text)), 'a')
    assert.deepEqual(shownTexts([...new StreamingParser().push(text), ...parser.end()]), [
      'a<|literal|>b',
      'c',
    ])
  })

  it('leave private blocks out, wherever they are cut', () => {
    assert.deepEqual(
      shownAfter(final, 'a<|start_rea', 'son|>secret', ' <|end_re', 'flect|><|end_reason', '|>b'),
      ['a', '', '', '', 'b', ''],
    )
  })

  it('never come for a message of private blocks only', () => {
    const events = streamed(`${final}\n \n<|start_reason|>secret<|end_reason|>\n<|end|>`, [1])
    assert.deepEqual(typesOf(events), ['message.start', 'message.end', 'response.done'])
    assert.deepEqual(
      events.flatMap((event) => ('visible' in event ? [event.visible] : [])),
      [true, false],
    )
  })

  it('give white space at the start of a body when something follows, or at its end', () => {
    assert.deepEqual(shownAfter(final, '\n', ' ', 'a', ' ', 'b'), ['', '', '\n a', ' ', 'b', ''])
    assert.deepEqual(shownAfter(final, '\n', ' ', '<|end|>'), ['', '', '\n ', ''])
  })

  it('give a JSON answer at its end, where it is certain not to be a call (D11)', () => {
    assert.deepEqual(shownAfter(final, ' {"a":', '1}', '<|return|>'), ['', '', ' {"a":1}', ''])
    assert.deepEqual(shownAfter(final, ' {"a":', '1}', '<|call|>'), ['', '', '', ''])
    assert.deepEqual(shownAfter(final, 'It is', ' {"a":', '1}', '<|call|>'), [
      'It is',
      ' {"a":',
      '1}',
      '',
      '',
    ])
    assert.deepEqual(shownAfter('<|start|>user<|message|>', '{"a":', '1}', '<|call|>'), [
      '{"a":',
      '1}',
      '',
      '',
    ])
  })

  it('hold text behind a start token in a body until its role is known (D10)', () => {
    const prose = ' is how a message begins, as everybody knows who has read the text.'
    assert.deepEqual(shownAfter(final, 'A <|start|>', 'er', prose), ['A ', '', `<|start|>er${prose}`, ''])
    assert.deepEqual(shownAfter(final, 'A <|start|>', 'user<|message|>'), ['A ', '', ''])
  })

  it('come in user messages too, with the role', () => {
    const events = streamed('<|start|>user<|message|>Hi<|end|>\n<|start|>assistant<|message|>Ho<|end|>', [1])
    const roles = new Set(
      events.flatMap((it) => (it.type === 'response.delta' ? [`${it.messageIndex} ${it.role}`] : [])),
    )
    assert.deepEqual([...roles], ['0 user', '1 assistant'])
  })

  it('come for preambles (D21)', () => {
    assert.deepEqual(
      shownAfter(
        '<|start|>assistant intent=preamble<|channel|>commentary<|message|>',
        'Plan',
        ' A',
        '<|end|>',
      ),
      ['Plan', ' A', '', ''],
    )
  })

  it('come for text that stands in a header cut by its terminator, once it is over (D16)', () => {
    assert.deepEqual(shownAfter('<|start|>assistant<|channel|>final', ' Hello', ' you', '<|end|>'), [
      '',
      '',
      'Hello you',
      '',
    ])
    assert.deepEqual(shownAfter('<|start|>assistant', 'We must', ' refuse', '<|end|>'), ['', '', '', ''])
  })

  it('come in OpenChatML 0.1, without the line break of the header', () => {
    assert.deepEqual(shownAfter('<|im_start|>assistant\r', '\nHi', '\r', '\nho<|im_e', 'nd|>'), [
      'Hi',
      '\r',
      '\nho',
      '',
      '',
    ])
    assert.deepEqual(
      shownAfter('<|im_start|>assistant\n', 'Wait.', '<|function_call|>', '{"name":"f"}', '<|im_end|>'),
      ['Wait.', '', '', '', ''],
    )
  })
})

describe('before the first message', () => {
  it('nothing is certain until a line begins with a start token (D1)', () => {
    const parser = new StreamingParser()
    assert.deepEqual(parser.push('tokens: ["<|start|>"] <|start|>user<|message|>no'), [])
    assert.deepEqual(parser.push(`\n${final}Hi`).length, 2)
  })

  it('front matter settles where it ends, also inside a line', () => {
    const parser = new StreamingParser()
    assert.deepEqual(parser.push('---\nversion: 2.2\ntokens: ["<|start|>"]\n---'), [])
    assert.equal(textOf(parser.push(`\n  "<|start|>" ${final}Hi`)), 'Hi')
  })

  it('a token between quotes begins no message', () => {
    assert.deepEqual(typesOf(streamed('---\na: 1\n---\nb: "<|start|>" x', [1])), ['response.done'])
  })

  it('a text without such a line is settled at its end', () => {
    const text = `stray ${final}Hi<|end|>`
    const parser = new StreamingParser()
    assert.deepEqual(parser.push(text), [])
    assert.equal(textOf(parser.end()), 'Hi')
  })

  it('agrees with the whole text, wherever it is cut', () => {
    const texts = [
      '\ufeff<|start|>user<|message|>a<|end|>',
      '\ufeff---\nversion: 2.2\n---\n <|start|>user<|message|>a<|end|>',
      '---\r\nversion: 2.2\r\n...\r\nx <|start|>user<|message|>a<|end|>\n<|start|>user<|message|>b',
      '---\n<|start|>user<|message|>a\n---\n<|start|>user<|message|>b<|end|>',
      '\n\n---\n---x\n ---\n--- \t\n"<|start|>"<|start|>user<|message|>a',
      '...\n---\n---\n x<|start|>user<|message|>a',
      `---${' '.repeat(80)}\n---\nx<|start|>user<|message|>a`,
      `---\n---${' '.repeat(80)}\nx<|start|>user<|message|>a\n...\ny<|start|>user<|message|>b`,
      'x [BOS]<|im_start|>user\na<|im_end|>',
      '[BOS] <|start|>user<|message|>x<|im_start|>user\na<|im_end|>',
      'x [BOS]\n<|start|>user<|message|>a',
      '---\n---\nx [BOS] <|start|> <|im_start|>user\na',
      'a.txt\n<|file_separator|>b <|im_start|>user\na<|im_end|>',
      '[BOS',
      '',
    ]
    for (const text of texts) {
      const whole = visibleTexts(analyze(Transcript.parse(text)))
      for (const length of [1, 2, 3, 5, 1000]) {
        assert.deepEqual(shownTexts(streamed(text, [length])), whole, `${JSON.stringify(text)} by ${length}`)
      }
    }
  })
})
