/** The benchmark's dataset: lines of JSONL from a fixed generator, so that every run sees the same ones. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { randomFrom } from './corpus.ts'

const words =
  'a model is trained on many conversations in which people ask for recipes, proofs, poems, code and travel plans, and somebody has to read them all to see whether Zürich, naïve or 東京 came through unharmed'.split(
    ' ',
  )

const tools = ['get_weather', 'search'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `Does what ${name} says.`,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer' } },
      required: ['query'],
    },
  },
}))

/** What is next to the messages of a sample. */
export type SideFields = 'side-fields' | 'none'

/**
 * Lines of about `size` UTF-16 code units in all: requests with two to nine messages, one in four with tools, one in three with
 * reasoning. With side fields as real data has them: a unique id, a source, a score, and nested metadata.
 */
export function* datasetLines(size: number, fields: SideFields = 'side-fields'): IterableIterator<string> {
  const random = randomFrom(20251121)
  for (let length = 0, nth = 0; length < size; nth++) {
    const sides = fields === 'none' ? {} : sideFields(nth)
    const line = `${JSON.stringify({ ...sides, ...sample(random, nth) })}\n`
    length += line.length
    yield line
  }
}

/** A word that one sample in a thousand of {@link linesWithWord} has. */
export const rareWord = 'heliotrope'

/** The same lines, and some of them with {@link rareWord}. */
export function* linesWithWord(size: number): IterableIterator<string> {
  let nth = 0
  for (const line of datasetLines(size))
    yield nth++ % 1000 === 500 ? line.replace('"content":"', `"content":"${rareWord} `) : line
}

/** Writes a file as large as the disk allows. */
export async function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(lines, { objectMode: true }), createWriteStream(path))
}

/** Other ones for each sample. */
function sideFields(nth: number): object {
  return {
    id: `sample-${String(nth).padStart(8, '0')}`,
    source: ['web', 'books', 'forum'][nth % 3],
    score: (nth % 997) / 997,
    metadata: {
      language: 'en',
      labels: ['kept', `batch-${nth % 50}`],
      review: { by: nth % 7, passed: nth % 5 > 0 },
    },
  }
}

function sample(random: () => number, nth: number): object {
  const hasTools = random() < 0.25
  const hasReasoning = random() < 0.33
  const messages: object[] = []
  if (random() < 0.5) messages.push({ role: 'system', content: prose(random, 20) })
  const nTurns = 1 + Math.floor(random() * 4)
  for (let turn = 0; turn < nTurns; turn++) {
    messages.push({ role: 'user', content: prose(random, 10 + random() * 60) })
    const reasoning = hasReasoning && { reasoning_content: prose(random, 20 + random() * 100) }
    if (hasTools && random() < 0.5) {
      const id = `call_${nth}_${turn}`
      const called = { name: 'search', arguments: JSON.stringify({ query: prose(random, 4), limit: turn }) }
      messages.push({
        role: 'assistant',
        content: null,
        ...reasoning,
        tool_calls: [{ id, type: 'function', function: called }],
      })
      messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify({ text: prose(random, 30) }) })
    }
    messages.push({ role: 'assistant', content: prose(random, 30 + random() * 250), ...reasoning })
  }
  return { ...(hasTools && { tools }), messages }
}

function prose(random: () => number, length: number): string {
  const chosen: string[] = []
  for (let index = 0; index < length; index++) {
    chosen.push(words[Math.floor(random() * words.length)] ?? '')
    if (random() < 0.02) chosen.push('"quoted"\n\n')
  }
  return chosen.join(' ')
}
