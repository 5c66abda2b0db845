/** The prompt for the next message: the same that conversions write, told message by message. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { analyze, NextPrompt, readConversation, Transcript, tokenIds } from '../../core/src/index.ts'
import { transcripts } from '../preview/transcripts.ts'

/** Author, channel and fate of each message. */
function fates(text: string): string[] {
  const analysis = analyze(Transcript.parse(text))
  const prompt = new NextPrompt(analysis)
  return [...analysis.transcript.segments()].flatMap((located) =>
    prompt.messagesOf(located).map(({ author, channel, fate }) => `${author} ${channel ?? '-'}: ${fate}`),
  )
}

const thought = '<|start|>assistant<|channel|>analysis<|message|>Hm.<|end|>'
const call = '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|>'
const reply = '<|start|>tool name=functions.f call_id=c<|message|>{}<|end|>'
const answer = '<|start|>assistant<|channel|>final<|message|>Yes.<|return|>'
const question = '<|start|>user<|message|>So?<|end|>'

test('reasoning that an answer has spent is dropped', () => {
  assert.deepEqual(fates(question + thought + answer + question), [
    'user -: sent',
    'assistant analysis: dropped',
    'assistant final: sent',
    'user -: sent',
  ])
})

test('reasoning that leads to an unresolved call is kept', () => {
  for (const text of [question + thought + call, question + thought + call + reply, question + thought]) {
    assert.equal(fates(text)[1], 'assistant analysis: unresolved')
  }
  assert.equal(fates(question + thought + call + reply)[3], 'functions.f -: sent')
})

test('reasoning behind the first answer is kept, as the reference does', () => {
  assert.deepEqual(
    fates(thought + answer + question + thought + answer).filter((it) => it.includes('analysis')),
    ['assistant analysis: dropped', 'assistant analysis: behind-answer'],
  )
})

test('a prompt at the end is no message, and says who speaks', () => {
  const analysis = analyze(Transcript.parse(`${question}<|start|>assistant`))
  const prompt = new NextPrompt(analysis)
  assert.equal([...analysis.transcript.segments()].flatMap((it) => prompt.messagesOf(it)).length, 1)
  assert.deepEqual(
    prompt.start.map(({ text }) => text),
    ['<|start|>', 'assistant'],
  )
})

/** A character is a token, so that every character counts. */
const characters = { encode: (text: string) => [...text].map((it) => it.codePointAt(0) ?? 0) }

/** As many tokens as the conversion has; replies may stand in another order there. */
function assertSame(text: string): void {
  const analysis = analyze(Transcript.parse(text))
  const prompt = new NextPrompt(analysis)
  const sent = [...analysis.transcript.segments()]
    .flatMap((located) => prompt.messagesOf(located))
    .filter(({ fate }) => fate !== 'dropped')
    .flatMap(({ pieces }) => pieces)
  const ids = [...sent, ...prompt.start].flatMap(({ isSpecial, text: piece }) =>
    isSpecial ? [0] : characters.encode(piece),
  )
  const { conversation } = readConversation(text, {
    from: analysis.dialect === 'harmony' ? 'harmony' : 'ocm',
  })
  const expected = tokenIds(conversation, characters, 'completion').map((it) => (it >= 200_000 ? 0 : it))
  assert.deepEqual(ids.toSorted(), expected.toSorted(), text)
}

test('it is what a conversion for completion writes, for every sample', () => {
  for (const name of readdirSync('samples').filter((it) => it.endsWith('.ocm'))) {
    const text = readFileSync(`samples/${name}`, 'utf8')
    assertSame(text)
  }
})

test('it is what a conversion for completion writes, whatever is written', () => {
  fc.assert(fc.property(transcripts, (text) => assertSame(text)))
})

test('after edits it is what a fresh one is', () => {
  fc.assert(
    fc.property(
      transcripts,
      fc.constantFrom(thought, answer, call, '<|start|>', 'x', ''),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (text, inserted, place) => {
        const analysis = analyze(Transcript.parse(text))
        const all = (it: typeof analysis) => {
          const prompt = new NextPrompt(it)
          return [...it.transcript.segments()].map((located) => [
            prompt.fatesOf(located),
            prompt.messagesOf(located),
          ])
        }
        all(analysis)
        const offset = Math.floor(place * text.length)
        analysis.edit([{ start: offset, end: offset, text: inserted }])
        const fresh = analyze(Transcript.parse(text.slice(0, offset) + inserted + text.slice(offset)))
        assert.deepEqual(all(analysis), all(fresh))
      },
    ),
  )
})
