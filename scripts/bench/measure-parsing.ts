/** Measures the core in one process compared with the peers that read the same conversations: speed, growth, memory held. */
import { analyze, Checker, factsOf, reasonOf, releaseTexts, Transcript } from '../../core/src/internal.ts'
import { asFromFile, asHarmony, mixedCorpus } from './corpus.ts'
import { digits, heldBytes, million, perSecond, race, times } from './measuring.ts'
import { conversationSchema, countOpenings, harmonyReference, lezerMarkdown, validateJson } from './peers.ts'
import { assignment, atLeast, atMost, report } from './row.ts'

const { isQuick, peers } = assignment()
const sizes = isQuick ? [1, 10] : [1, 10, 50]
const parseMarkdown = await lezerMarkdown(peers)

const shortText = asFromFile(mixedCorpus(million / 10).ocm)
/** Keeps the engine from forgetting, between two runs, the shape of our objects and the code compiled for it. */
export const aliveMeanwhile = checkFully(shortText)

/** Milliseconds per megabyte, by size. */
const parseTimes = new Map<number, number>()
for (const size of sizes) await measureSpeed(size)
reportGrowth()
for (const size of sizes.slice(1)) reportMemory(size)

async function measureSpeed(size: number): Promise<void> {
  const corpus = mixedCorpus(size * million)
  const text = asFromFile(corpus.ocm)
  const json = asFromFile(corpus.json)
  const time = await race(
    {
      scan: () => countOpenings(text),
      open: () => Transcript.parse(text),
      parse: () => parseFully(text),
      check: () => checkFully(text),
      jsonParse: () => JSON.parse(json),
      jsonService: () => validateJson(json),
      jsonSchema: () => validateJson(json, conversationSchema),
      markdown: () => parseMarkdown(text),
    },
    { turns: isQuick ? 1 : 3, runs: Math.max(3, Math.round(25 / size)) },
  )
  const bytes = Buffer.byteLength(text)
  const jsonBytes = Buffer.byteLength(json)
  const speed = {
    scan: bytes / time.scan,
    open: bytes / time.open,
    parse: bytes / time.parse,
    check: bytes / time.check,
    jsonParse: jsonBytes / time.jsonParse,
    jsonService: jsonBytes / time.jsonService,
    jsonSchema: jsonBytes / time.jsonSchema,
    markdown: bytes / time.markdown,
  }
  parseTimes.set(size, time.parse / size)
  report({
    what: `Open, ${size} MB`,
    ours: perSecond(speed.open, 1),
    peers: `\`indexOf\` scan ${perSecond(speed.scan, 1)}`,
    ...atLeast(speed.open / speed.scan, 0.2, times),
  })
  report({
    what: `Full parse, ${size} MB`,
    ours: perSecond(speed.parse, 1),
    peers: [
      `\`JSON.parse\` ${perSecond(speed.jsonParse, 1)}`,
      `Lezer Markdown ${perSecond(speed.markdown, 1)}`,
      ...(size === 1 ? [`openai-harmony ${await harmonySpeed(text)}`] : []),
    ].join(', '),
    ...atLeast(speed.parse / speed.jsonParse, 0.6, times),
  })
  report({
    what: `Full parse and every rule, ${size} MB`,
    ours: perSecond(speed.check, 1),
    peers: `vscode-json-languageservice ${perSecond(speed.jsonService, 1)}, with a schema ${perSecond(speed.jsonSchema, 1)}`,
    ...atLeast(speed.check / speed.jsonService, size >= 50 ? 2 : 2.5, times),
  })
  report({
    what: `Every rule, against the full parse alone, ${size} MB`,
    ours: `${digits(time.check / size)} against ${digits(time.parse / size)} ms/MB`,
    ...atMost(time.check / time.parse, 3, times),
  })
}

/** The speed of the reference implementation; the reason if it cannot be had. */
async function harmonySpeed(text: string): Promise<string> {
  try {
    const parseHarmony = await harmonyReference(peers)
    const harmony = asFromFile(asHarmony(text))
    const { reference } = await race({ reference: () => parseHarmony(harmony) }, { turns: 1, runs: 3 })
    return perSecond(Buffer.byteLength(harmony), reference)
  } catch (error) {
    return `not measured (${reasonOf(error)})`
  }
}

function reportGrowth(): void {
  const small = parseTimes.get(1) ?? Number.NaN
  const size = sizes.at(-1) ?? 1
  const large = parseTimes.get(size) ?? Number.NaN
  report({
    what: `Full parse, time per MB: 1 to ${size} MB`,
    ours: `${digits(small)} to ${digits(large)} ms/MB`,
    ...atMost(large / small, 1.5, times),
  })
}

function reportMemory(size: number): void {
  const text = asFromFile(mixedCorpus(size * million).ocm)
  const bytes = Buffer.byteLength(text)
  releaseTexts() // what is remembered of the last document is not held by the next one
  const parsed = heldBytes(() => parseFully(text)) / bytes
  const checked = heldBytes(() => checkFully(text)) / bytes
  const perByte = (value: number) => `${digits(value)} B/B`
  report({
    what: `Memory held beside the text, ${size} MB: tokens and facts`,
    ours: perByte(parsed),
    ...atMost(parsed, 1, perByte),
  })
  report({
    what: `Memory held beside the text, ${size} MB: exchanges and problems as well`,
    ours: perByte(checked),
    ...atMost(checked, 1, perByte),
  })
}

function parseFully(text: string): Transcript {
  const transcript = Transcript.parse(text)
  transcript.forEachSegment((segment) => void factsOf(segment))
  return transcript
}

function checkFully(text: string): unknown {
  const analysis = analyze(Transcript.parse(text))
  const checker = new Checker(analysis)
  checker.advance()
  return [checker, checker.problems(1000)]
}
