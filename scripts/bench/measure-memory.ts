/** Measures how large the process of `ocm` becomes on hostile texts of 10 MB (only on Linux, which shows that). */
import { mostFor, peakSizes } from '../../test/helpers/peak-size.ts'
import { digits } from './measuring.ts'
import { assignment, atMost, report } from './row.ts'

const { program, isQuick, megabytes = isQuick ? 1 : 10, filter } = assignment()
const million = 1e6
const size = megabytes * million

/** A command of `ocm`, and its input. */
interface Trigger {
  readonly name: string
  readonly command: readonly string[]
  /** `ocm` unless it says otherwise. */
  readonly ending?: string
  /** The input of about as many bytes. */
  text(size: number): string
}

const one = ['--jobs', '1']
const user = (body: string) => `<|start|>user<|message|>${body}<|end|>\n`
const repeated = (part: string, size: number) =>
  part.repeat(Math.max(1, Math.floor(size / Buffer.byteLength(part))))
const sample = (index: number) =>
  `${JSON.stringify({ messages: [{ role: 'user', content: `Question ${index}` }] })}\n`

/** About as many bytes of random characters: most are a token of their own, or several. */
function randomText(first: number, last: number, size: number): string {
  let [text, state] = ['', 1]
  for (let left = size; left > 0; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const character = String.fromCharCode(first + Math.floor((state / 2 ** 32) * (last + 1 - first)))
    text += character
    left -= Buffer.byteLength(JSON.stringify(character)) - 2
  }
  return text
}

const triggers: readonly Trigger[] = [
  ...[
    ['messages without end', '<|start|>'],
    ['unknown tokens', '<|start|>user<|messages|>'],
  ].map(([name = '', part = '']) => ({
    name: `check, ${name}`,
    command: ['check', ...one],
    text: (size: number) => repeated(part, size),
  })),
  {
    name: 'check, calls with one ID',
    command: ['check', ...one],
    text: (size) =>
      repeated(
        '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>\n',
        size,
      ),
  },
  ...[
    ['families of emoji', '👩‍👩‍👧‍👧'],
    ['flags', '🇩🇪'],
    ['line breaks', '\r\n'],
    ['letters', 'a'],
  ].map(([name = '', part = '']) => ({
    name: `tokens, ${name}`,
    command: ['tokens', ...one],
    text: (size: number) => user(repeated(part, size)),
  })),
  ...[
    ['html', 'quotes', '> '],
    ['html', 'characters to escape', '<"'],
    ['markdown', 'carriage returns', '\r'],
    ['text', 'short lines', 'a\n'],
  ].map(([format = '', name = '', part = '']) => ({
    name: `render --format ${format}, ${name}`,
    command: ['render', '--format', format],
    text: (size: number) => user(repeated(part, size)),
  })),
  ...[
    ['signs', 0x21, 0x7e],
    ['ideographs', 0x4e00, 0x9fff],
  ].map(([name, first, last]) => ({
    name: `check --template, random ${name}`,
    command: ['check', '--template', 'harmony', ...one],
    ending: 'jsonl',
    text: (size: number) => {
      const content = randomText(Number(first), Number(last), size)
      const answer = { role: 'assistant', content: 'Hi' }
      return `${JSON.stringify({ messages: [{ role: 'user', content }, answer] })}\n`
    },
  })),
  {
    name: 'stats, fields of a sample',
    command: ['stats', ...one],
    ending: 'jsonl',
    text: (size) => {
      const fields = Array.from({ length: size / 12 }, (_, index) => [`k${index}`, 1] as const)
      return `${JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }], ...Object.fromEntries(fields) })}\n`
    },
  },
  ...['check', 'convert', 'stats'].map((name) => ({
    name: `${name}, small samples`,
    command: name === 'convert' ? ['convert', '--to', 'sharegpt', ...one] : [name, ...one],
    ending: 'jsonl',
    text: (size: number) =>
      Array.from({ length: size / sample(100_000).length }, (_, index) => sample(index)).join(''),
  })),
]

for (const { name, command, ending, text } of triggers) {
  if (filter !== undefined && !name.includes(filter)) continue
  const input = text(size)
  const sizes = peakSizes(program, command, input, ending)
  const inWords = (bytes: number) => `${digits(bytes / million)} MB`
  report({
    what: `Memory of \`ocm\`, ${name}: ${megabytes} MB`,
    ours: `${inWords(sizes.peak)}, ${inWords(sizes.start)} of which is the start`,
    ...atMost(sizes.peak, mostFor(Buffer.byteLength(input), sizes), inWords),
  })
}
