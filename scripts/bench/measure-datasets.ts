/** Measures datasets: what a line costs compared with parsing and writing it, what a file of any size takes, and counting tokens. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { startCheckWork } from '../../cli/src/check/check-work.ts'
import { convertWork } from '../../cli/src/dataset/convert-work.ts'
import { stretchLimits } from '../../cli/src/dataset/stretch.ts'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import {
  noPathSettings,
  readJsonConversation,
  type Stretch,
  StretchCutter,
  type TargetForm,
  writeConversation,
} from '../../core/src/internal.ts'
import { asFromFile, mixedCorpus } from './corpus.ts'
import { datasetLines } from './dataset-lines.ts'
import { megabytesOf, memoryOf, million, perSecond, race, times, workedMilliseconds } from './measuring.ts'
import { assignment, atLeast, atMost, report } from './row.ts'

const { isQuick, megabytes = isQuick ? 50 : 200, tokenizers } = assignment()
const transcriptMegabytes = isQuick ? 50 : 200
const program = resolve('dist', 'cli', 'ocm.js')

const lines = [...datasetLines((isQuick ? 2 : 8) * million)]
if (isMainThread) {
  await measureSideFields()
  await measureLines()
  await measureTokens()
  await measurePipe('convert', ['--to', 'harmony', '--bad-lines', 'skip'])
  await measurePipe('check', ['--bad-lines', 'skip'])
  await measureTranscript()
} else parentPort?.postMessage(await raceOn(workerData as Heat))

/** Side fields are read with everything else, and nothing more is done with them: no YAML is written for them. */
async function measureSideFields(): Promise<void> {
  const size = (isQuick ? 2 : 8) * million
  const plain = stretchesOf([...datasetLines(size, 'none')])
  const full = stretchesOf([...datasetLines(size)])
  const check = await checking()
  const checkAll = (stretches: readonly Stretch[]) => async () => {
    for (const it of stretches) await check(it)
  }
  const time = await race(
    { plain: checkAll(plain), full: checkAll(full) },
    { turns: isQuick ? 1 : 3, runs: 5, clock: workedMilliseconds, sweeps: false },
  )
  const bytesOf = (stretches: readonly Stretch[]) => stretches.reduce((sum, it) => sum + it.bytes.length, 0)
  const perByte = { plain: time.plain / bytesOf(plain), full: time.full / bytesOf(full) }
  report({
    what: 'Check JSONL of messages with side fields, one core',
    ours: perSecond(bytesOf(full), time.full),
    peers: `without side fields ${perSecond(bytesOf(plain), time.plain)}`,
    ...atMost(perByte.full / perByte.plain, 1.2, times),
  })
}

/** What a thread of `ocm` does all the time: one thing, with samples of one form. */
interface Heat {
  readonly form: 'messages' | 'harmony' | 'ocm'
  readonly what: 'Convert' | 'Check'
}

/** The result of a heat: how many bytes were read, and in how many milliseconds. */
interface HeatResult {
  readonly bytes: number
  readonly json: number
  readonly ours: number
}

/** Each heat has a thread of its own, as in `ocm`: what the engine learned of other work would slow it down. */
async function measureLines(): Promise<void> {
  for (const form of ['messages', 'harmony', 'ocm'] as const) {
    for (const what of ['Convert', 'Check'] as const) {
      const heat: Heat = { form, what }
      const worker = new Worker(new URL(import.meta.url), { workerData: heat, argv: process.argv.slice(2) })
      const [{ bytes, json, ours }] = (await once(worker, 'message')) as [HeatResult]
      report({
        what: `${what} JSONL of ${form === 'messages' ? 'messages' : `\`text\` (${form})`}, one core`,
        ours: perSecond(bytes, ours),
        peers: `\`JSON.parse\` and \`JSON.stringify\` ${perSecond(bytes, json)}`,
        ...atMost(ours / json, 3, times),
      })
    }
  }
}

async function raceOn({ form, what }: Heat): Promise<HeatResult> {
  const own = form === 'messages' ? lines : asTexts(form)
  const stretches = stretchesOf(own)
  const work = what === 'Convert' ? converting(form === 'messages' ? 'ocm' : 'messages') : await checking()
  const { json, ours } = await race(
    {
      json: () => parsedAndWritten(own),
      ours: async () => {
        for (const it of stretches) await work(it)
      },
    },
    { turns: isQuick ? 1 : 3, runs: 5, clock: workedMilliseconds, sweeps: false },
  )
  return { bytes: stretches.reduce((sum, it) => sum + it.bytes.length, 0), json, ours }
}

function converting(to: TargetForm): (stretch: Stretch) => unknown {
  const writing = { purpose: undefined, headers: 'canonical', dropsReasoning: false } as const
  const convert = convertWork({ badLines: 'fail', read: {}, to, ...writing })
  return (stretch) => convert({ shown: 'data.jsonl', stretch, settings: noPathSettings })
}

async function checking(): Promise<(stretch: Stretch) => unknown> {
  const check = await startCheckWork({
    format: 'pretty',
    failOn: 'error',
    statistics: false,
    expect: false,
    fixes: 'none',
    isUnsafe: false,
    diff: false,
    badLines: 'fail',
    allowsEmpty: false,
    dialect: 'auto',
    selection: { select: undefined, ignore: undefined },
    baseline: undefined,
    checks: undefined,
    choice: undefined,
    terminal: { isColoured: false, isTerminal: false, columns: 100 },
    version: '',
  })
  const most = Number.POSITIVE_INFINITY
  return (stretch) =>
    check({ kind: 'samples', shown: 'x', stretch, settings: noPathSettings, mayFix: false, most })
}

function parsedAndWritten(own: readonly string[]): number {
  let length = 0
  for (const line of own) length += JSON.stringify(JSON.parse(line)).length
  return length
}

function asTexts(to: 'harmony' | 'ocm'): readonly string[] {
  return lines.map((line) => {
    const { text } = writeConversation(readJsonConversation(JSON.parse(line)), { to })
    return asFromFile(`${JSON.stringify({ text })}\n`)
  })
}

/** Stretches of half a megabyte, as they are handed to threads. */
function stretchesOf(own: readonly string[]): readonly Stretch[] {
  const cutter = new StretchCutter('lines', stretchLimits)
  const stretches: Stretch[] = []
  for (const line of own) {
    cutter.push(Buffer.from(line))
    while (cutter.isFull) stretches.push(cutter.take())
  }
  cutter.end()
  if (cutter.hasSamples) stretches.push(cutter.take())
  return stretches
}

/** The vocabulary is that of gpt-tokenizer, the fastest so far. */
async function measureTokens(): Promise<void> {
  const texts = lines.flatMap((line) => {
    const { messages } = JSON.parse(line) as { messages: { content?: string }[] }
    return messages.flatMap(({ content }) => content ?? [])
  })
  const own = texts.slice(0, isQuick ? 2000 : 6000)
  const bytes = own.reduce((sum, it) => sum + Buffer.byteLength(it), 0)
  const tiktoken = await jsTiktoken()
  const ordinary = { disallowedSpecial: new Set<string>() }
  const sum = (count: (text: string) => number) => () => own.reduce((total, it) => total + count(it), 0)
  const time = await race(
    {
      ours: sum((it) => o200k.count?.(it) ?? 0),
      gptTokenizer: sum((it) => countTokens(it, ordinary)),
      jsTiktoken: sum((it) => tiktoken(it).length),
    },
    { turns: 3, runs: isQuick ? 1 : 3, clock: workedMilliseconds },
  )
  report({
    what: 'Count tokens',
    ours: perSecond(bytes, time.ours),
    peers: `gpt-tokenizer ${perSecond(bytes, time.gptTokenizer)}, js-tiktoken ${perSecond(bytes, time.jsTiktoken)}`,
    ...atLeast(Math.min(time.gptTokenizer, time.jsTiktoken) / time.ours, 1, times),
  })
}

async function jsTiktoken(): Promise<(text: string) => readonly number[]> {
  const load = (path: string) =>
    import(pathToFileURL(join(tokenizers ?? '', 'js-tiktoken', 'dist', path)).href)
  const { Tiktoken } = (await load('lite.js')) as {
    Tiktoken: new (
      ranks: unknown,
    ) => { encode(text: string, allowed: string[], forbidden: string[]): number[] }
  }
  const { default: ranks } = (await load('ranks/o200k_base.js')) as { default: unknown }
  const encoding = new Tiktoken(ranks)
  return (text) => encoding.encode(text, [], [])
}

/** A dataset of any size through a pipe: time grows with it, memory does not. */
async function measurePipe(command: string, args: readonly string[]): Promise<void> {
  const unit = Buffer.from(lines.join(''))
  const sizes = [megabytes / 2, megabytes]
  const [small, large] = [await pour(unit, sizes[0] ?? 0), await pour(unit, sizes[1] ?? 0)]
  report({
    what: `\`ocm ${command}\` on a pipe of ${megabytesOf(large.bytes)}, all cores`,
    ours: `${perSecond(large.bytes, large.time)}, peak ${megabytesOf(large.peak)}`,
    peers: `peak with half of it ${megabytesOf(small.peak)}`,
    ...atMost(large.peak / small.peak, 1.3, times),
  })

  async function pour(bytes: Buffer, size: number) {
    const child = spawn(process.execPath, [program, command, '--jsonl', ...args, '-'], {
      stdio: ['pipe', 'ignore', 'ignore'], // losses are reported there
    })
    const begun = performance.now()
    const peak = watch(child.pid)
    let written = 0
    for (; written < size * million; written += bytes.length) {
      if (!child.stdin.write(bytes)) await once(child.stdin, 'drain')
    }
    child.stdin.end()
    await once(child, 'close')
    return { bytes: written, time: performance.now() - begun, peak: peak.end() }
  }
}

/** One transcript, large enough to be held several times by a machine of today. */
async function measureTranscript(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ocm-bench-'))
  try {
    const path = join(folder, 'large.ocm')
    const text = mixedCorpus(transcriptMegabytes * million).ocm
    writeFileSync(path, text)
    const bytes = Buffer.byteLength(text)
    const child = spawn(process.execPath, [program, 'check', '--statistics', path], { stdio: 'ignore' })
    const begun = performance.now()
    const watching = watch(child.pid)
    await once(child, 'close')
    const time = performance.now() - begun
    const peak = watching.end()
    report({
      what: `\`ocm check\` on a transcript of ${megabytesOf(bytes)}`,
      ours: `${perSecond(bytes, time)}, peak ${megabytesOf(peak)}`,
      ...atMost(peak, 8 * bytes + 80 * million, megabytesOf),
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Looks at the greatest resident size of a process, which Linux reports. */
function watch(pid: number | undefined): { end(): number } {
  let peak = Number.NaN
  const look = () => {
    peak = memoryOf(pid)?.peak || peak
  }
  const timer = setInterval(look, 20)
  return {
    end() {
      clearInterval(timer)
      return peak
    },
  }
}
