/** A stream tells the same as the whole text, for any text, any dialect and any chunks; and it hides the same. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  Checker,
  type ParsedMessage,
  parseToJson,
  type StreamEvent,
  StreamingParser,
  Transcript,
  visibleTexts,
} from '../../../core/src/internal.ts'
import { roleOf } from '../../../core/src/vocabulary/roles.ts'
import { propertyRuns, transcriptText } from '../../helpers/arbitraries.ts'
import { shownTexts, streamed } from './streamed.ts'

type Dialect = 'auto' | '2.2' | '2.0' | '1.x' | 'harmony'

const dialects: fc.Arbitrary<Dialect> = fc.constantFrom('auto', '2.2', '2.0', '1.x', 'harmony')

/** Lengths of chunks, taken in turn: whole texts, single code units, and everything between. */
const chunkLengths = fc.oneof(
  fc.constant([1]),
  fc.constant([1_000_000]),
  fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 }),
  fc
    .array(fc.integer({ min: 0, max: 80 }), { minLength: 1, maxLength: 5 })
    .filter((it) => it.some((n) => n > 0)),
)

const runs = { numRuns: propertyRuns * 3 }

function wholeAnalysis(text: string, dialect: Dialect) {
  return analyze(Transcript.parse(text, { dialect }))
}

describe('a stream', () => {
  it('shows what the whole text shows, message by message', () => {
    fc.assert(
      fc.property(transcriptText, dialects, chunkLengths, (text, dialect, lengths) => {
        const events = streamed(text, lengths, { dialect })
        assert.deepEqual(shownTexts(events), visibleTexts(wholeAnalysis(text, dialect)))
      }),
      runs,
    )
  })

  it('has shown, at any point, only the beginning of what the whole text shows', () => {
    fc.assert(
      fc.property(transcriptText, transcriptText, dialects, (text, rest, dialect) => {
        const parser = new StreamingParser({ dialect })
        const early = textByMessage([...text].flatMap((unit) => parser.push(unit)))
        const whole = textByMessage(streamed(text + rest, [1_000_000], { dialect }))
        for (const [index, shown] of early) {
          assert.ok(whole.get(index)?.startsWith(shown), `message ${index} showed ${JSON.stringify(shown)}`)
        }
      }),
      runs,
    )
  })

  it('tells the messages that the whole text has', () => {
    fc.assert(
      fc.property(transcriptText, dialects, chunkLengths, (text, dialect, lengths) => {
        const ends = streamed(text, lengths, { dialect }).filter((it) => it.type === 'message.end')
        const { messages } = parseToJson(text, { dialect })
        const told = ends.slice(0, messages.length)
        assert.deepEqual(told.map(summaryOfEvent), messages.map(summaryOfMessage))
        assert.ok(ends.slice(messages.length).every((it) => !it.visible && it.terminator === 'none'))
        assert.ok(ends.length <= messages.length + 1, 'at most a generation prompt of 0.1 is told as well')
      }),
      runs,
    )
  })

  it('tells no text but in deltas, and there only what the whole text shows', () => {
    fc.assert(
      fc.property(secretSoup, dialects, chunkLengths, (text, dialect, lengths) => {
        const events = streamed(text, lengths, { dialect })
        assert.deepEqual(shownTexts(events), visibleTexts(wholeAnalysis(text, dialect)))
        const others = JSON.stringify(events.filter(({ type }) => type !== 'response.delta'))
        assert.ok(!others.includes('SECRET'), others)
      }),
      runs,
    )
  })

  it('does not depend on the chunks', () => {
    fc.assert(
      fc.property(transcriptText, dialects, chunkLengths, (text, dialect, lengths) => {
        assert.deepEqual(
          joined(streamed(text, lengths, { dialect })),
          joined(streamed(text, [1_000_000], { dialect })),
        )
      }),
      runs,
    )
  })

  it('reports truncation where the checker does, and is done where the end is sound', () => {
    fc.assert(
      fc.property(transcriptText, dialects, chunkLengths, (text, dialect, lengths) => {
        const events = streamed(text, lengths, { dialect })
        const checker = new Checker(wholeAnalysis(text, dialect))
        checker.advance()
        const problems = checker.problems().problems.filter(({ code }) => code === 'E-STREAM-TRUNCATED')
        assert.equal(events.filter(({ type }) => type === 'error').length, problems.length)
        const closing = events.at(-1)
        assert.ok(closing?.type === 'response.done' || closing?.type === 'error')
        assert.equal(
          events.filter(({ type }) => type === 'response.done').length,
          closing?.type === 'error' ? 0 : 1,
        )
      }),
      runs,
    )
  })

  it('says where the arguments of a call stand', () => {
    fc.assert(
      fc.property(transcriptText, dialects, chunkLengths, (text, dialect, lengths) => {
        for (const event of streamed(text, lengths, { dialect })) {
          if (event.type === 'message.start') assert.ok(text.startsWith('<|', event.offset))
          if (event.type === 'message.end' && event.terminator !== 'none') {
            assert.ok(text.endsWith('|>', event.offset))
          }
          if (event.type !== 'tool.call') continue
          assert.ok(event.start <= event.end)
          assert.ok(text.startsWith('<|', event.end), 'a terminator follows')
        }
      }),
      runs,
    )
  })

  it('reads a prefix as text that was sent before', () => {
    fc.assert(
      fc.property(transcriptText, transcriptText, dialects, (prefix, text, dialect) => {
        const all = streamed(prefix + text, [1_000_000], { dialect })
        const events = streamed(text, [3], { dialect, prefix })
        const texts = textByMessage(events)
        for (const event of events) {
          if (event.type !== 'message.end') continue
          assert.deepEqual(
            event,
            all.find((it) => it.type === 'message.end' && it.index === event.index),
          )
          assert.equal(texts.get(event.index) ?? '', textByMessage(all).get(event.index) ?? '')
        }
        assert.deepEqual(events.at(-1), all.at(-1))
      }),
      runs,
    )
  })
})

/** Everything that means something to a scanner, with one word that only ever stands as text. */
const secretSoup = fc
  .array(
    fc.oneof(
      fc.constant(' SECRET '),
      fc.constantFrom(
        '<|start|>user<|message|>',
        '<|start|>user',
        '<|start|>',
        '<|start|>assistant<|channel|>final<|message|>',
        '<|start|>assistant<|channel|>analysis<|message|>',
        '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{',
        '<|start|>assistant<|channel|>final',
        '<|start|>tool name=functions.f<|message|>',
        '<|im_start|>user\n',
        '<|im_start|>assistant',
        '<|im_end|>',
        '<|channel|>',
        '<|message|>',
        '<|constrain|>',
        '<|literal|>',
        '<|endliteral|>',
        '<|start_reason|>',
        '<|end_reason|>',
        '<|function_call|>',
        '<|end|>',
        '<|call|>',
        '<<|end|>',
        'name=',
        '\n',
      ),
    ),
    { minLength: 2, maxLength: 30, size: 'max' },
  )
  .map((parts) => parts.join(''))

function summaryOfMessage({ role, channel, terminator, visible }: ParsedMessage) {
  const kind = terminator?.includes('end|>') ? 'end' : (terminator?.slice(2, -2) ?? 'none')
  return { role: roleOf(role ?? '') ?? null, channel, visible, terminator: kind }
}

function summaryOfEvent(event: StreamEvent & { type: 'message.end' }) {
  const { role, channel, visible, terminator } = event
  return { role: role ?? null, channel: channel ?? null, visible, terminator }
}

/** The texts shown so far, by index of their message. */
function textByMessage(events: readonly StreamEvent[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>()
  for (const event of events) {
    if (event.type !== 'response.delta') continue
    texts.set(event.messageIndex, (texts.get(event.messageIndex) ?? '') + event.text)
  }
  return texts
}

/** The events with neighbouring deltas joined: what must not depend on the chunks. */
function joined(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const result: StreamEvent[] = []
  for (const event of events) {
    const last = result.at(-1)
    if (event.type === 'response.delta' && last?.type === 'response.delta') {
      result[result.length - 1] = { ...last, text: last.text + event.text }
    } else result.push(event)
  }
  return result
}
