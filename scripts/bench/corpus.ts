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

const code =
  '```ts\nexport function add(a: number, b: number): number {\n  return a < b ? a + b : a | b\n}\n```\n'

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
  for (let index = 0; index < length; index++) chosen.push(words[Math.floor(random() * words.length)] ?? '')
  return `${chosen.join(' ')}.`
}

function paragraphs(random: () => number, count: number): string {
  const chosen: string[] = []
  for (let index = 0; index < count; index++) {
    chosen.push(random() < 0.1 ? code : `${sentence(random, 10 + random() * 50)}\n`)
  }
  return chosen.join('\n')
}

function escapes(random: () => number): string {
  const kind = random()
  if (kind < 0.03) return 'Write <<|end|> to finish.'
  if (kind < 0.05) return 'Print <|literal|><|start|>user<|message|>x<|end|><|endliteral|> please.'
  if (kind < 0.08) return 'Grüße aus Zürich — 東京 😀'
  return ''
}

/** Texts that try to make a state of the automaton slow, each of about `size` code units. */
export function hostileTexts(size: number): ReadonlyMap<string, string> {
  const repeat = (part: string) => part.repeat(Math.max(1, Math.ceil(size / part.length)))
  return new Map([
    ['unclosed literals', `<|start|>user<|message|>${repeat('<|literal|>')}`],
    ['unclosed literal per message', repeat('<|start|>user<|message|><|literal|>x<|end|>')],
    ['runs of less-than', `<|start|>user<|message|>${repeat('<')}`],
    ['token openings without end', `<|start|>user<|message|>${repeat('<|')}`],
    ['bare starts', repeat('<|start|>')],
    ['headers that never end', repeat('<|start|>user ')],
    ['a million attributes', `<|start|>user${repeat(' to=f')}<|message|>x<|end|>`],
    ['unknown attributes', `<|start|>user${repeat(' a=b')}<|message|>x<|end|>`],
    ['channels without end', `<|start|>user${repeat('<|channel|>final')}<|message|>x<|end|>`],
    ['words in a header', `<|start|>user${repeat(' word')}<|message|>x<|end|>`],
    ['stray terminators', `<|start|>user<|message|>x<|end|>${repeat('<|end|>')}`],
    ['tokens in a body', `<|start|>user<|message|>${repeat('<|channel|>')}`],
    ['starts in a body', `<|start|>user<|message|>${repeat('<|start|>nobody')}`],
    ['escapes', `<|start|>user<|message|>${repeat('<<|end|>')}`],
    ['ends of literals', `<|start|>user<|message|>${repeat('<|endliteral|>')}`],
    ['truncated messages', repeat('<|start|>user<|message|>x')],
    ['no token at all', repeat('lorem ipsum ')],
    ['dashes', `---\n${repeat('--\n')}`],
    ['YAML flow', `a: ${repeat('[')}`],
    ['YAML aliases', `a: &a [x,x,x,x]\n${repeat('b: [*a,*a,*a,*a]\n')}<|start|>user`],
    [
      'deep JSON',
      `<|start|>assistant to=f<|channel|>commentary<|constrain|>json<|message|>${repeat('[')}<|call|>`,
    ],
    ['line breaks', `<|start|>user<|message|>${repeat('\n')}`],
    ['carriage returns', `<|start|>user<|message|>${repeat('\r')}`],
    [
      'duplicate ids',
      repeat('<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|>'),
    ],
    ['replies without id', repeat('<|start|>tool name=functions.f<|message|>{}<|end|>')],
    [
      'unanswered calls',
      repeat(
        '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|><|start|>user<|message|>x<|end|>',
      ),
    ],
    ['0.1 headers', repeat('<|im_start|>user ')],
    ['0.1 thoughts', `<|im_start|>assistant\n${repeat('<|start_reason|>')}`],
    ['0.1 marks', repeat('[BOS][EOS]')],
    ['0.1 files', repeat('<|file_separator|>')],
  ])
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
