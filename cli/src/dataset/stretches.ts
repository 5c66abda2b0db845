/** Reads a dataset as a stream: memory holds a stretch of it, whatever the size of the whole. */
import {
  DatasetError,
  type DatasetKind,
  datasetKind,
  lendSearchMemory,
  lookedAt,
  type Overlay,
  OverlayRun,
  overlayPath,
  type SampleSieve,
  type Stretch,
  StretchCutter,
} from '../../../core/src/internal.ts'
import { FileProblem, fileProblem } from '../files/file-problem.ts'
import { foreignBytes } from '../files/foreign-bytes.ts'
import { standardInput } from '../files/read-source.ts'
import { refuseUnfitInput, standardInputNumber } from '../files/refuse-unfit-input.ts'
import { isJsonOverLines } from './json-over-lines.ts'
import { openSource } from './open-source.ts'
import { shownPath, stretchLimits } from './stretch.ts'

/**
 * The stretches of the dataset at `path`. `onBytes` receives how many bytes were read. With `isAnyList`, a list is one of samples
 * whatever its elements look like. With a `sieve`, only those samples come that it wants, and those that are edited.
 *
 * @throws FileProblem
 */
export async function* stretchesOf(
  path: string,
  input: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => undefined,
  {
    isAnyList = false,
    sieve,
  }: { readonly isAnyList?: boolean; readonly sieve?: SampleSieve | undefined } = {},
): AsyncIterableIterator<Stretch> {
  const isInput = path === standardInput
  const shown = shownPath(path)
  refuseUnfitInput(isInput ? standardInputNumber : path, shown)
  const lent = sieve && lendSearchMemory()
  try {
    const { chunks, packing, overlay } = await openSource(path, input, { onBytes, memory: lent?.bytes })
    const run = new OverlayRun(overlay)
    const kindOf =
      packing === 'parquet' ? () => 'rows' as const : (bytes: Uint8Array) => kindOfBytes(bytes, isAnyList)
    const unedited = sieve && withoutEdits(sieve, overlay)
    const cutting = { shown, isLive: isInput, kindOf, sieve: unedited }
    const iterator = chunks[Symbol.asyncIterator]()
    try {
      for await (const stretch of cut(iterator, cutting)) yield await run.applied(stretch)
    } finally {
      const closed = iterator.return?.()
      if (!isInput) await closed // standard input may wait for bytes that never come
    }
    const [unseen] = run.unseen
    if (unseen) {
      const place = { line: unseen.line - 1, character: 0 }
      throw new FileProblem(overlayPath(shown), `there is no sample ${unseen.row} in ${shown}`, place)
    }
  } catch (error) {
    throw error instanceof DatasetError
      ? new FileProblem(shown, whyNotAList(error))
      : fileProblem(shown, error)
  } finally {
    lent?.giveBack()
  }
}

/** `sieve` for the samples without edits. Whether an edited one is wanted is known when its edit is applied. */
function withoutEdits(sieve: SampleSieve, { edits }: Overlay): SampleSieve {
  return (bytes) => {
    const isWanted = sieve(bytes)
    return (start, end, number) => edits.has(number) || isWanted(start, end, number)
  }
}

interface Cutting {
  readonly shown: string
  readonly isLive: boolean
  readonly kindOf: (bytes: Uint8Array) => DatasetKind | undefined
  readonly sieve: SampleSieve | undefined
}

async function* cut(
  chunks: AsyncIterator<Uint8Array>,
  { shown, isLive, kindOf, sieve }: Cutting,
): AsyncIterableIterator<Stretch> {
  const bytes = await beginningOf(chunks, kindOf)
  const kind = kindOf(bytes) ?? 'lines'
  const foreign = kind === 'rows' ? undefined : foreignBytes(bytes)
  if (foreign !== undefined) throw new FileProblem(shown, foreign)
  if (kind === 'lines' && isJsonOverLines(new TextDecoder().decode(bytes.subarray(0, lookedAt)))) {
    const advice = 'write one sample per line, for example with `jq -c .`'
    throw new FileProblem(shown, `is one JSON value over several lines, not JSONL; ${advice}`)
  }
  const cutter = new StretchCutter(kind, stretchLimits, sieve)
  try {
    yield* taken(cutter, () => cutter.push(bytes))
    let asked: Promise<IteratorResult<Uint8Array>> | undefined
    for (;;) {
      asked ??= chunks.next()
      // Who writes slowly into a pipe shall not wait for a stretch to be full.
      const next = await (isLive && cutter.hasSamples ? unlessIdle(asked) : asked)
      if (next === 'idle') {
        yield cutter.take()
        continue
      }
      asked = undefined
      if (next.done) break
      yield* taken(cutter, () => cutter.push(next.value))
    }
    cutter.end()
  } catch (error) {
    while (cutter.hasSamples) yield cutter.take() // what is wrong comes after them
    throw error
  }
  while (cutter.hasSamples) yield cutter.take()
}

/** As many of `chunks` as it takes to detect what they are: the first chunk of a list in a pipe may be its bracket alone. */
async function beginningOf(
  chunks: AsyncIterator<Uint8Array>,
  kindOf: (bytes: Uint8Array) => DatasetKind | undefined,
): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array()
  while (bytes.length < lookedAt && kindOf(bytes) === undefined) {
    const next = await chunks.next()
    if (next.done) break
    bytes = Buffer.concat([bytes, next.value])
  }
  return bytes
}

function kindOfBytes(bytes: Uint8Array, isAnyList: boolean): DatasetKind | undefined {
  return datasetKind(new TextDecoder().decode(bytes, { stream: true }), { isAnyList })
}

/** What is full once `cutter` has taken the next `step`. */
function* taken(cutter: StretchCutter, step: () => void): IterableIterator<Stretch> {
  step()
  while (cutter.isFull) yield cutter.take()
}

function whyNotAList({ reason, element }: DatasetError): string {
  switch (reason) {
    case 'not-a-list':
      return 'is not a JSON list'
    case 'text-after-list':
      return 'has text after its list'
    case 'cut-off':
      return `the list is cut off${element === undefined ? '' : ` in element ${element}`}`
  }
}

const patience = 20 // milliseconds: people do not notice, and programs that write at full speed are quicker

/** What `asked` brings, if that is soon. */
async function unlessIdle<Result>(asked: Promise<Result>): Promise<Result | 'idle'> {
  let timer: NodeJS.Timeout | undefined
  const idle = new Promise<'idle'>((done) => {
    timer = setTimeout(done, patience, 'idle')
  })
  try {
    return await Promise.race([asked, idle])
  } finally {
    clearTimeout(timer)
  }
}
