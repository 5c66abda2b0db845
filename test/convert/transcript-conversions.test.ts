/** Whole transcripts converted to what they are for: what changes, what never does, and that rules agree afterwards. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  applyEdits,
  Checker,
  conversionEdits,
  factsOf,
  headerStyleEdit,
  type MessageFacts,
  renderedBody,
  Transcript,
  type TranscriptConversion,
  transcriptConversions,
  visibleTexts,
} from '../../core/src/internal.ts'
import { plausible, propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

function converted(text: string, name: TranscriptConversion): string {
  return applyEdits(text, [...conversionEdits(analyze(Transcript.parse(text)), name)])
}

const user = '<|start|>user<|message|>Hi<|end|>\n'
const thought = '<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>\n'
const answer = (end: string) => `<|start|>assistant<|channel|>final<|message|>Hello<|${end}|>\n`
const call =
  '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n'
const reply =
  '<|start|>tool name=functions.f call_id=c to=assistant<|channel|>commentary<|message|>1<|end|>\n'

describe('a training sample', () => {
  it('ends with the stop, and only there; reasoning stays; the header says so', () => {
    assert.equal(
      converted(
        `version: 2.2\n${user}${thought}${answer('return')}${user}${thought}${answer('end')}`,
        'training',
      ),
      `version: 2.2\nprofiles:\n  intent: training\n${user}${thought}${answer('end')}${user}${thought}${answer('return')}`,
    )
  })

  it('keeps other keys of the header, and needs none', () => {
    const header =
      '---\nversion: 2.2 # the newest\nprofiles: {harmony: {enabled: true}, intent: history}\n---\n'
    assert.equal(
      converted(header + user + answer('end'), 'training'),
      header.replace('history', 'training') + user + answer('return'),
    )
    assert.equal(converted(user + answer('end'), 'training'), user + answer('return'))
    assert.equal(converted(`a: [\n${user}${answer('end')}`, 'training'), `a: [\n${user}${answer('return')}`)
  })

  it('may end with a call, and a prompt for the next message does not count', () => {
    assert.equal(converted(user + call, 'training'), user + call)
    assert.equal(
      converted(`${user}${answer('end')}<|start|>assistant`, 'training'),
      `${user}${answer('return')}<|start|>assistant`,
    )
  })
})

describe('stored history', () => {
  it('has no stop', () => {
    assert.equal(
      converted(user + answer('return') + user + thought + answer('return'), 'history'),
      user + answer('end') + user + thought + answer('end'),
    )
  })

  it('is what the rules on intents want', () => {
    for (const intent of ['training', 'history'] as const) {
      for (const end of ['end', 'return']) {
        const text = converted(`version: 2.2\n${user}${answer(end)}${user}${thought}${answer(end)}`, intent)
        const checker = new Checker(analyze(Transcript.parse(text)))
        checker.advance()
        assert.deepEqual(checker.problems().problems, [], text)
      }
    }
  })
})

describe('spent reasoning', () => {
  it('is dropped where its turn has come to an answer', () => {
    assert.equal(
      converted(user + thought + call + reply + thought + answer('end') + user + thought, 'drop-reasoning'),
      user + call + reply + answer('end') + user + thought,
    )
  })

  it('is kept where a call is open, where it calls, and where it is broken', () => {
    const search = '<|start|>assistant to=browser.search call_id=b<|channel|>analysis<|message|>{}<|call|>\n'
    for (const kept of [
      user + thought + call,
      user + search + answer('end'),
      user + thought + user + answer('end'),
      `${user}${thought.trimEnd()} lost\n${answer('end')}`,
      user + thought.replace('analysis', 'analysi') + answer('end'),
      user + thought.replace('assistant', 'tool name=f') + answer('end'),
    ]) {
      assert.equal(converted(kept, 'drop-reasoning'), kept)
    }
  })
})

describe('reasoning behind a message that is cut off', () => {
  it('is kept: without it, what follows would be a part of that message', () => {
    const thought = '<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>'
    const text = `<|start|>user<|message|>cut off ${thought}<|start|>assistantstray <|start|>assistant<|message|>Hi<|end|>`
    assert.equal(converted(text, 'drop-reasoning'), text)
  })
})

describe('headers', () => {
  const rows: readonly (readonly [canonical: string, harmony: string])[] = [
    [
      '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>',
      '<|start|>assistant call_id=c<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>',
    ],
    [
      '<|start|>tool name=functions.f call_id=c to=assistant<|channel|>commentary<|message|>1<|end|>',
      '<|start|>functions.f to=assistant call_id=c<|channel|>commentary<|message|>1<|end|>',
    ],
    [
      '<|start|>tool name=python to=assistant<|channel|>analysis<|message|>1<|end|>',
      '<|start|>python to=assistant<|channel|>analysis<|message|>1<|end|>',
    ],
    [
      '<|start|>assistant to=python<|channel|>analysis code<|message|>print()<|call|>',
      '<|start|>assistant<|channel|>analysis to=python code<|message|>print()<|call|>',
    ],
    [
      '<|start|>assistant intent=preamble<|channel|>commentary<|message|>Let me see.<|end|>',
      '<|start|>assistant intent=preamble<|channel|>commentary<|message|>Let me see.<|end|>',
    ],
  ]
  for (const [canonical, harmony] of rows) {
    it(canonical, () => {
      assert.equal(converted(canonical, 'harmony-headers'), harmony)
      assert.equal(converted(harmony, 'canonical-headers'), canonical)
      assert.equal(converted(canonical, 'canonical-headers'), canonical)
      assert.equal(converted(harmony, 'harmony-headers'), harmony)
      const edit = headerStyleEdit(analyze(Transcript.parse(canonical)), 12, 'harmony-headers')
      assert.equal(edit ? applyEdits(canonical, [edit]) : canonical, harmony)
    })
  }

  it('of chat templates become canonical', () => {
    assert.equal(
      converted(
        '<|start|>assistant<|channel|>commentary to=functions.f json<|message|>{}<|call|>',
        'canonical-headers',
      ),
      '<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>{}<|call|>',
    )
  })

  it('with a bare type get no constraint that the body breaks', () => {
    assert.equal(
      converted(
        '<|start|>assistant<|channel|>commentary to=functions.f json<|message|>no JSON<|call|>',
        'canonical-headers',
      ),
      '<|start|>assistant to=functions.f<|channel|>commentary json<|message|>no JSON<|call|>',
    )
  })

  it('that are broken stay as they are', () => {
    for (const broken of [
      '<|start|>assistant to=a to=b<|channel|>final<|message|>x<|end|>',
      '<|start|>assistant<|channel|>final extra words<|message|>x<|end|>',
      '<|start|>asistant  <|channel|>final<|message|>x<|end|>',
      '<|start|>tool name=lookup to=assistant<|channel|>commentary<|message|>x<|end|>',
    ]) {
      assert.equal(converted(broken, 'harmony-headers'), broken)
    }
  })
})

describe('conversions', () => {
  const meaning = (facts: MessageFacts | undefined) =>
    facts && [facts.role, facts.channel, facts.callId, facts.intent, facts.constraint ?? facts.contentType]

  it('of headers keep every message, its body and who sees it', () => {
    fc.assert(
      fc.property(
        fc.oneof(transcriptText, plausible),
        fc.constantFrom('canonical-headers' as const, 'harmony-headers' as const),
        (text, name) => {
          const before = Transcript.parse(text)
          const result = converted(text, name)
          const after = Transcript.parse(result, { dialect: before.forcedDialect })
          assert.equal(after.segmentCount, before.segmentCount)
          for (const { segment, index } of before.segments()) {
            const other = after.segment(index).segment
            assert.deepEqual(meaning(factsOf(other)), meaning(factsOf(segment)), segment.text)
            if (segment.kind === 'message') assert.equal(renderedBody(other), renderedBody(segment))
          }
          assert.deepEqual(visibleTexts(analyze(after)), visibleTexts(analyze(before)))
          assert.equal(converted(result, name), result)
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  it('change what is to be done once, and never what users see', () => {
    fc.assert(
      fc.property(
        fc.oneof(transcriptText, plausible),
        fc.constantFrom(...transcriptConversions.map(({ name }) => name)),
        (text, name) => {
          const result = converted(text, name)
          assert.equal(converted(result, name), result)
          assert.deepEqual(
            visibleTexts(analyze(Transcript.parse(result))),
            visibleTexts(analyze(Transcript.parse(text))),
          )
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  it('leave 0.1 alone', () => {
    const text = '<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>\n'
    for (const { name } of transcriptConversions) assert.equal(converted(text, name), text)
  })
})
