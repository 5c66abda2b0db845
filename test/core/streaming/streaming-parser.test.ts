/** What a stream is told to be: its events, whatever its chunks are. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type StreamEvent,
  StreamingParser,
  streamEvents,
  streamVisibleText,
} from '../../../core/src/internal.ts'
import { shownTexts, streamed } from './streamed.ts'

const final = '<|start|>assistant<|channel|>final<|message|>'

function textOf(events: readonly StreamEvent[]): string {
  return events.map((event) => (event.type === 'response.delta' ? event.text : '')).join('')
}

function typesOf(events: readonly StreamEvent[]): readonly string[] {
  return events.map(({ type }) => type)
}

describe('events', () => {
  const call =
    '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":1}<|call|>'

  it('tell a conversation without its hidden text', () => {
    const text = `<|start|>assistant<|channel|>analysis<|message|>Think.<|end|>${call}<|start|>tool name=functions.f call_id=c1<|message|>2<|end|>${final}Two.<|return|>`
    assert.deepEqual(streamed(text), [
      { type: 'message.start', index: 0, role: 'assistant', channel: 'analysis', visible: false, offset: 0 },
      {
        type: 'message.end',
        index: 0,
        role: 'assistant',
        channel: 'analysis',
        visible: false,
        terminator: 'end',
        offset: 61,
      },
      {
        type: 'message.start',
        index: 1,
        role: 'assistant',
        channel: 'commentary',
        recipient: 'functions.f',
        callId: 'c1',
        visible: false,
        offset: 61,
      },
      {
        type: 'message.end',
        index: 1,
        role: 'assistant',
        channel: 'commentary',
        recipient: 'functions.f',
        callId: 'c1',
        visible: false,
        terminator: 'call',
        offset: 61 + call.length,
      },
      {
        type: 'tool.call',
        index: 1,
        callId: 'c1',
        recipient: 'functions.f',
        contentType: 'json',
        isMalformed: false,
        start: 61 + call.indexOf('{'),
        end: 61 + call.indexOf('<|call|>'),
      },
      {
        type: 'message.start',
        index: 2,
        role: 'tool',
        channel: 'final',
        name: 'functions.f',
        callId: 'c1',
        visible: false,
        offset: 61 + call.length,
      },
      {
        type: 'message.end',
        index: 2,
        role: 'tool',
        channel: 'final',
        name: 'functions.f',
        callId: 'c1',
        visible: false,
        terminator: 'end',
        offset: 121 + call.length,
      },
      {
        type: 'message.start',
        index: 3,
        role: 'assistant',
        channel: 'final',
        visible: true,
        offset: 121 + call.length,
      },
      { type: 'response.delta', text: 'Two.', messageIndex: 3, role: 'assistant' },
      {
        type: 'message.end',
        index: 3,
        role: 'assistant',
        channel: 'final',
        visible: true,
        terminator: 'return',
        offset: text.length,
      },
      { type: 'response.done', terminator: 'return' },
    ])
  })

  it('report a call only when it is complete', () => {
    const cut = streamed(call.slice(0, -1), [4])
    assert.deepEqual(typesOf(cut), ['message.start', 'message.end', 'error'])
  })

  it('flag a call whose header has mistakes', () => {
    const text = '<|start|>assistant to=f to=g<|channel|>commentary<|message|>{}<|call|>'
    const event = streamed(text).find(({ type }) => type === 'tool.call')
    assert.ok(event?.type === 'tool.call' && event.isMalformed)
  })

  it('take no stray word of a header for a content type', () => {
    const text = '<|start|>assistant to=f<|channel|>commentary<|constrain|>Maybe<|message|>{}<|call|>'
    assert.ok(!JSON.stringify(streamed(text)).includes('Maybe'))
  })

  it('say where a message breaks off (D18)', () => {
    const text = `${final}Hel<|start|>user<|message|>Hi<|end|>${final}lo`
    const errors = streamed(text, [1]).flatMap((it) => (it.type === 'error' ? [it] : []))
    assert.deepEqual(
      errors.map(({ code, messageIndex, offset }) => ({ code, messageIndex, offset })),
      [
        { code: 'E-STREAM-TRUNCATED', messageIndex: 0, offset: final.length + 3 },
        { code: 'E-STREAM-TRUNCATED', messageIndex: 2, offset: text.length },
      ],
    )
    assert.equal(streamed(text).at(-1)?.type, 'error')
  })

  it('report a stream that ends in a header, but no generation prompt', () => {
    assert.deepEqual(typesOf(streamed('<|start|>assistant<|channel|>fin')), ['error'])
    assert.deepEqual(streamed('<|start|>assistant'), [{ type: 'response.done', terminator: 'none' }])
    assert.deepEqual(streamed(''), [{ type: 'response.done', terminator: 'none' }])
    const prompt = streamed('<|im_start|>assistant\n', [1])
    assert.deepEqual(typesOf(prompt), ['message.start', 'message.end', 'response.done'])
    assert.deepEqual(shownTexts(prompt), [])
  })

  it('count a header that a terminator cuts at once as a message (D16)', () => {
    assert.deepEqual(typesOf(streamed('<|start|><|end|>')), ['message.start', 'message.end', 'response.done'])
  })

  it('hint at blank lines between paragraphs, whatever the chunks', () => {
    for (const lineBreak of ['\n', '\r\n', '\r']) {
      const body = ['', 'One', 'goes on', ' \t', '', 'Two', '', ''].join(lineBreak)
      for (const length of [1, 2, 3, 100]) {
        const shown = streamed(`${final}${body}<|end|>`, [length])
          .map((it) =>
            it.type === 'response.delta' ? it.text : it.type === 'response.delta.flush' ? '¶' : '',
          )
          .join('')
        const [first = '', second, ...rest] = shown.split('¶')
        assert.equal(shown.replaceAll('¶', ''), body)
        assert.ok(first.endsWith(`goes on${lineBreak} \t${lineBreak}`), JSON.stringify(first))
        assert.ok(second?.startsWith(`${lineBreak}Two${lineBreak}`), JSON.stringify(second))
        assert.ok(rest.join('').trim() === '')
      }
    }
  })

  it('stop with a cancellation', () => {
    const parser = new StreamingParser({ prefix: final })
    assert.equal(textOf(parser.push('Hello <')), 'Hello ')
    assert.deepEqual(parser.cancel('the user left'), [{ type: 'response.cancel', reason: 'the user left' }])
    assert.deepEqual([...parser.push('|x'), ...parser.end(), ...parser.cancel('again')], [])
    assert.deepEqual(parser.cancelTool('c1', 'late'), [])
  })

  it('pass on that a tool was canceled, and go on', () => {
    const parser = new StreamingParser()
    parser.push(call)
    assert.deepEqual(parser.cancelTool('c1', 'deadline'), [
      { type: 'tool.cancel', call_id: 'c1', reason: 'deadline' },
    ])
    assert.equal(textOf(parser.push(`${final}Sorry.`)), 'Sorry.')
  })

  it('end once', () => {
    const parser = new StreamingParser()
    assert.equal(parser.end().length, 1)
    assert.deepEqual([...parser.end(), ...parser.push(final)], [])
  })
})

describe('a prefix', () => {
  it('is the beginning of the message that follows', () => {
    const parser = new StreamingParser({ prefix: '<|start|>assistant' })
    assert.equal(textOf(parser.push('<|channel|>final<|message|>Hi')), 'Hi')
  })

  it('is not reported, but for the message that it leaves unfinished', () => {
    const parser = new StreamingParser({ prefix: `<|start|>user<|message|>Hi<|end|>${final}The answer` })
    const events = parser.push(' is 4')
    assert.deepEqual(typesOf(events), ['message.start', 'response.delta', 'response.delta'])
    assert.ok(
      events.every((it) => ('index' in it ? it.index : 'messageIndex' in it && it.messageIndex) === 1),
    )
    assert.equal(textOf(events), 'The answer is 4')
  })
})

describe('async streams', () => {
  async function* chunksOf(text: string): AsyncGenerator<string> {
    for (const unit of text) yield unit
  }

  it('give the assistant’s text, or all events', async () => {
    const text = `<|start|>user<|message|>Hi<|end|>${final}Hello<|return|>`
    const pieces: string[] = []
    for await (const piece of streamVisibleText(chunksOf(text))) pieces.push(piece)
    assert.deepEqual(pieces, [...'Hello'])
    const events: StreamEvent[] = []
    for await (const event of streamEvents([text])) events.push(event)
    assert.deepEqual(events, streamed(text))
  })

  it('close their source when the reader leaves', async () => {
    let isClosed = false
    async function* endless(): AsyncGenerator<string> {
      try {
        yield final
        for (;;) yield 'more '
      } finally {
        isClosed = true
      }
    }
    for await (const piece of streamVisibleText(endless())) {
      assert.equal(piece, 'more ')
      break
    }
    assert.ok(isClosed)
  })
})
