/** The prompt for the next message: the same that conversions write, told message by message. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  type Analysis,
  analyze,
  factsOf,
  NextPrompt,
  type PromptMessage,
  readConversation,
  Transcript,
  tokenIds,
} from '../../core/src/internal.ts'
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

test('a reply that is sent in another place says in which', () => {
  const call = (id: string, tool = 'functions.f') =>
    `<|start|>assistant to=${tool} call_id=${id}<|channel|>commentary<|message|>{}<|call|>`
  const reply = (id: string, tool = 'functions.f') =>
    `<|start|>tool name=${tool} call_id=${id}<|message|>${id}<|end|>`
  const places = (text: string) => {
    const analysis = analyze(Transcript.parse(text))
    const prompt = new NextPrompt(analysis)
    return [...analysis.transcript.segments()].flatMap((located) =>
      prompt
        .messagesOf(located)
        .flatMap(({ content, insteadOf }) => (insteadOf ? `${content} at ${insteadOf}` : [])),
    )
  }
  const calls = call('a') + call('b') + call('c')
  assert.deepEqual(places(calls + reply('a') + reply('b') + reply('c')), [])
  assert.deepEqual(places(calls + reply('c') + reply('a') + reply('b')), ['c at b', 'a at c', 'b at a'])
  // Replies of another tool, and those behind another message, stay where they are.
  const others = call('a') + call('g', 'functions.g') + call('b')
  assert.deepEqual(places(others + reply('b') + reply('g', 'functions.g') + reply('a', 'f')), [
    'b at a',
    'a at b',
  ])
  assert.deepEqual(places(call('a') + call('b') + reply('b') + question + reply('a')), [])
})

/** A character is a token, so that every character counts. */
const characters = { encode: (text: string) => [...text].map((it) => it.codePointAt(0) ?? 0) }

/** The messages in the order in which they are sent, as far as ids tell the places apart. */
function inOrder(analysis: Analysis): {
  readonly messages: readonly PromptMessage[]
  readonly isExact: boolean
} {
  const prompt = new NextPrompt(analysis)
  const all = [...analysis.transcript.segments()].flatMap((located) =>
    prompt.messagesOf(located).map((message) => ({ message, id: factsOf(located.segment)?.callId })),
  )
  const isReply = ({ message }: (typeof all)[number]) =>
    !/^(?:user|assistant|system|developer)$/.test(message.author)
  const ids = all.filter(isReply).flatMap(({ id }) => id ?? [])
  const messages = all.map(({ message }) => message)
  for (const { message } of all) {
    const place = all.findIndex((it) => isReply(it) && it.id === message.insteadOf)
    if (message.insteadOf !== undefined) messages[place] = message
  }
  return { messages, isExact: new Set(ids).size === ids.length }
}

/** The tokens that the conversion has, in its order where ids tell the places apart. */
function assertSame(text: string): void {
  const analysis = analyze(Transcript.parse(text))
  const prompt = new NextPrompt(analysis)
  const { messages, isExact } = inOrder(analysis)
  const sent = messages.filter(({ fate }) => fate !== 'dropped').flatMap(({ pieces }) => pieces)
  const ids = [...sent, ...prompt.start].flatMap(({ isSpecial, text: piece }) =>
    isSpecial ? [0] : characters.encode(piece),
  )
  const { conversation } = readConversation(text, {
    from: analysis.dialect === 'harmony' ? 'harmony' : 'ocm',
  })
  const expected = tokenIds(conversation, characters, 'completion').map((it) => (it >= 200_000 ? 0 : it))
  if (isExact) assert.deepEqual(ids, expected, text)
  else assert.deepEqual(ids.toSorted(), expected.toSorted(), text)
}

test('it is what a conversion for completion writes, in whatever order the replies stand', () => {
  const tools = fc.constantFrom('functions.f', 'functions.g', 'python')
  const shuffled = fc
    .array(tools, { minLength: 2, maxLength: 6 })
    .chain((names) => fc.tuple(fc.constant(names), fc.shuffledSubarray([...names.keys()], { minLength: 1 })))
  fc.assert(
    fc.property(shuffled, ([names, order]) => {
      const calls = names.map(
        (name, id) =>
          `<|start|>assistant to=${name} call_id=c${id}<|channel|>commentary<|message|>{}<|call|>`,
      )
      const replies = order.map(
        (id) => `<|start|>tool name=${names[id]} call_id=c${id}<|channel|>commentary<|message|>${id}<|end|>`,
      )
      assertSame([question, ...calls, ...replies].join('\n'))
    }),
  )
})

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
