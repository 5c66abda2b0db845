/** What tools for agents read: a text, a file with one conversation, or a sample of a dataset. */
import {
  ConversionError,
  Document,
  type DocumentOptions,
  datasetKind,
  detectForm,
  type GoodSample,
  isDatasetName,
  isJsonSource,
  isPackedName,
  type PathSettings,
  type Problem,
  problemsOfSample,
  type Reading,
  readSample,
  type Sample,
  StretchCutter,
  samplePlaces,
  Transcript,
  transcriptOfConversation,
} from '../../core/src/internal.ts'
import { type AgentFiles, type AgentInput, AgentToolError } from './agent-tool.ts'

/** The largest file that is read, in bytes. */
const largestFile = 64 * 2 ** 20

/** A conversation. */
export interface AgentSource {
  /** Undefined for a text that the agent gave. */
  readonly path: string | undefined
  readonly transcript: Transcript
  /** What was read; undefined for a transcript. */
  readonly reading: Reading | undefined
  /** The text of a file or input that is a transcript. */
  readonly text: string | undefined
  readonly bytes: Uint8Array
  readonly settings: PathSettings | undefined
  /** What is wrong with it. */
  problems(): readonly Problem[]
}

/** The conversation that `path`, or `path` and `sample`, or `text` name. @throws AgentToolError */
export async function sourceOf(input: AgentInput, files: AgentFiles): Promise<AgentSource> {
  const { path, text, sample } = input
  if ((path === undefined) === (text === undefined)) throw new AgentToolError('Give either `path` or `text`')
  if (typeof text === 'string') return textSource(text, new TextEncoder().encode(text))
  const name = String(path)
  const bytes = await files.read(name, largestFile)
  const settings = await files.settingsFor(name)
  if (typeof sample === 'number') return sampleSource({ path: name, bytes, settings }, sample)
  if (isDatasetName(name))
    throw new AgentToolError('The file is a dataset: name one of its samples with `sample`')
  return { ...textSource(decoded(bytes), bytes, settings), path: name }
}

function textSource(text: string, bytes: Uint8Array, settings?: PathSettings): AgentSource {
  const origin = { path: undefined, bytes, settings }
  if (isJsonSource(detectForm(text)))
    return conversationSource(origin, readSample(bytes, { rest: 'source', mapping: settings?.mapping }), 0)
  const document = new Document(text, judgedBy(settings))
  const problems = () => document.problems().problems
  return { ...origin, text, transcript: document.transcript, reading: undefined, problems }
}

type Origin = Pick<AgentSource, 'path' | 'bytes' | 'settings'>

function conversationSource(origin: Origin, sample: Sample, number: number): AgentSource {
  if (sample.kind === 'bad')
    throw new AgentToolError(`${number === 0 ? 'It' : `Sample ${number}`} cannot be read as a conversation`)
  const reading = readOrFail(() => sample.read())
  const problems = () => problemsOfSample(sample, reading, judgedBy(origin.settings))
  return { ...origin, reading, transcript: transcriptOfSample(sample, reading), text: undefined, problems }
}

function sampleSource(
  origin: Origin & { path: string; settings: PathSettings },
  wanted: number,
): AgentSource {
  for (const { number, sample } of samplesOf(origin.path, origin.bytes, origin.settings)) {
    if (number === wanted) return conversationSource(origin, sample, number)
  }
  throw new AgentToolError(`The dataset has no sample ${wanted}`)
}

/** The transcript that a sample is, or becomes. */
export function transcriptOfSample({ text }: GoodSample, reading: Reading): Transcript {
  return text === undefined ? transcriptOfConversation(reading) : Transcript.parse(text)
}

/** The samples of a dataset with their numbers, as queries and the list count them. @throws AgentToolError */
export function* samplesOf(
  path: string,
  bytes: Uint8Array,
  { mapping }: PathSettings,
): IterableIterator<{ readonly number: number; readonly sample: Sample }> {
  if (isPackedName(path))
    throw new AgentToolError('Compressed datasets and Parquet are not read here; use `ocm convert`')
  const start = new TextDecoder().decode(bytes.subarray(0, 1 << 16))
  const cutter = new StretchCutter(datasetKind(start) ?? 'lines', { stretch: 1 << 19, sample: largestFile })
  cutter.push(bytes)
  cutter.end()
  while (cutter.hasSamples) {
    const stretch = cutter.take()
    for (const { start, end, number } of samplePlaces(stretch)) {
      const sample = readSample(stretch.bytes.subarray(start, end), { rest: 'source', mapping })
      yield { number, sample }
    }
  }
}

/** How documents are judged by `settings`. */
export function judgedBy(settings: PathSettings | undefined): DocumentOptions {
  if (!settings) return {}
  const { rules, templates = true, intent } = settings
  return { settings: rules, templates, intent }
}

/** The bytes of a dataset and its settings. */
export interface AgentDataset {
  readonly bytes: Uint8Array
  readonly settings: PathSettings
}

/** The dataset at `path`. @throws AgentToolError */
export async function datasetOf(path: string, files: AgentFiles): Promise<AgentDataset> {
  if (/\.ocm$/i.test(path))
    throw new AgentToolError('A transcript is not a dataset; `check` and `render` read it')
  return { bytes: await files.read(path, largestFile), settings: await files.settingsFor(path) }
}

/** Runs `read`, whose mistakes may quote what is hidden. @throws AgentToolError */
export function readOrFail<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConversionError || error instanceof RangeError)
      throw new AgentToolError(
        'The conversation cannot be read or converted; `check` or `ocm convert` says why',
      )
    throw error
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new AgentToolError('The file is not UTF-8')
  }
}
