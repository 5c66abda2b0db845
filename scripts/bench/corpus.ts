/** The benchmark's conversations: a fixed generator, so that every run and every peer sees the same text. */

/** A message as both forms need it: the text of `.ocm`, and the equivalent object for JSON. */
export interface CorpusMessage {
  readonly text: string
  readonly json: object
}

/** A corpus in both forms. */
export interface Corpus {
  /** The `.ocm` document. */
  readonly ocm: string
  /** The same conversation as JSON, for the peers that read JSON. */
  readonly json: string
  readonly messageCount: number
}

/** A small generator of pseudo-random numbers (mulberry32): the same sequence on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const words =
  'the model reads a request and answers with care about weather in Paris or Zürich while tools return data for every city and user who asks what happens next because plans change often and results need checks before they are shown as an answer'.split(
    ' ',
  )

const tools = `# Instructions

Use a friendly tone.

# Tools

## functions

namespace functions {

// Gets the current weather in the provided location.
type get_current_weather = (_: {
// The city and state, e.g. San Francisco, CA
location: string,
format?: "celsius" | "fahrenheit", // default: celsius
}) => any;

// Searches the archive.
type search_archive = (_: {
query: string,
limit?: number,
tags?: string[],
}) => any;

} // namespace functions`

/** A mixed corpus of about `size` UTF-16 code units. */
export function mixedCorpus(size: number): Corpus {
  const random = randomFrom(20251120)
  const header = 'version: 2.2\nmodel: gpt-oss-120b\ngeneration_settings:\n  reasoning_effort: medium\n\n'
  const parts: string[] = [header]
  const objects: object[] = []
  let length = header.length
  const add = ({ text, json }: CorpusMessage) => {
    parts.push(text)
    objects.push(json)
    length += text.length
  }
  add(message('system', '', sentence(random, 40)))
  add(message('developer', '', tools))
  for (let turn = 0; length < size; turn++) addTurn(random, turn, add)
  return {
    ocm: parts.join(''),
    json: JSON.stringify({ version: '2.2', messages: objects }),
    messageCount: objects.length,
  }
}

function addTurn(random: () => number, turn: number, add: (message: CorpusMessage) => void): void {
  const isLong = random() < 0.004
  add(
    message(
      'user',
      '',
      isLong ? paragraphs(random, 400) : `${sentence(random, 8 + random() * 40)} ${escapes(random)}`,
    ),
  )
  add(message('assistant', 'analysis', paragraphs(random, 1 + random() * 4)))
  const calls = random() < 0.6 ? 1 + Math.floor(random() * 2) : 0
  const called = Array.from({ length: calls }, (_, call) => toolCall(random, `call_${turn}_${call}`))
  for (const { id, recipient, body } of called) {
    add({
      text: `<|start|>assistant to=${recipient} call_id=${id}<|channel|>commentary<|constrain|>json<|message|>${body}<|call|>\n`,
      json: {
        role: 'assistant',
        channel: 'commentary',
        tool_call: { id, recipient, content_type: 'json', arguments: body },
      },
    })
  }
  for (const { id, recipient } of called) {
    const body = JSON.stringify({
      ok: true,
      content: { temperature: Math.floor(random() * 40), text: sentence(random, 30) },
    })
    add({
      text: `<|start|>tool name=${recipient} call_id=${id} to=assistant<|channel|>commentary<|message|>${body}<|end|>\n`,
      json: { role: 'tool', name: recipient, call_id: id, channel: 'commentary', content: body },
    })
  }
  add(message('assistant', 'final', paragraphs(random, 1 + random() * 5), '<|return|>'))
}

/** A call with lawful arguments; one in five hundred has an argument too many, so that there is something to report. */
function toolCall(random: () => number, id: string) {
  const isSearch = random() < 0.15
  const surplus = random() < 0.002 && { page: 2 }
  const body = isSearch
    ? { query: sentence(random, 20), limit: Math.floor(random() * 100), tags: ['a', 'b'], ...surplus }
    : { location: sentence(random, 3), format: random() < 0.5 ? 'celsius' : 'fahrenheit', ...surplus }
  const recipient = isSearch ? 'functions.search_archive' : 'functions.get_current_weather'
  return { id, recipient, body: JSON.stringify(body) }
}

function message(role: string, channel: string, body: string, terminator = '<|end|>'): CorpusMessage {
  const marker = channel === '' ? '' : `<|channel|>${channel}`
  return {
    text: `<|start|>${role}${marker}<|message|>${body}${terminator}\n`,
    json: { role, channel: channel || 'final', content: body },
  }
}

function sentence(random: () => number, length: number): string {
  const chosen: string[] = []
  for (let index = 0; index < length; index++) chosen.push(wordOf(random))
  return `${chosen.join(' ')}.`
}

function paragraphs(random: () => number, count: number): string {
  const chosen: string[] = []
  for (let index = 0; index < count; index++) {
    chosen.push(random() < 0.1 ? codeBlock(random) : `${sentence(random, 10 + random() * 50)}\n`)
  }
  return chosen.join('\n')
}

/** A few lines of code, not the same twice: an answer that repeats a thought word for word is a problem of its own. */
function codeBlock(random: () => number): string {
  const [name, first, second] = [0, 1, 2].map(() => `${wordOf(random)}${Math.floor(random() * 1e6)}`)
  return `\`\`\`ts\nexport function ${name}(${first}: number, ${second}: number): number {\n  return ${first} < ${second} ? ${first} + ${second} : ${first} | ${second}\n}\n\`\`\`\n`
}

function wordOf(random: () => number): string {
  return words[Math.floor(random() * words.length)] ?? ''
}

function escapes(random: () => number): string {
  const kind = random()
  if (kind < 0.03) return 'Write <<|end|> to finish.'
  if (kind < 0.05) return 'Print <|literal|><|start|>user<|message|>x<|end|><|endliteral|> please.'
  if (kind < 0.08) return 'Grüße aus Zürich — 東京 😀'
  return ''
}

/** `text` as it would come from a file: one flat string, not a tree of pieces. */
export function asFromFile(text: string): string {
  return Buffer.from(text).toString()
}

/** `ocm`, made by {@link mixedCorpus}, as far as Harmony can say it: without header, call ids, literal blocks and escapes. */
export function asHarmony(ocm: string): string {
  return ocm
    .slice(ocm.indexOf('<|start|>'))
    .replaceAll(/<\|literal\|>.*?<\|endliteral\|>|<<\|end\|>| call_id=\S+?(?=[ <])/g, '')
    .replaceAll('<|start|>tool name=', '<|start|>')
    .replaceAll('<|constrain|>', ' <|constrain|>')
    .replaceAll('|>\n<|start|>', '|><|start|>')
    .trimEnd()
}
