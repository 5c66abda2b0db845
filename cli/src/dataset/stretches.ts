/** Reads a dataset as a stream: memory holds a stretch of it, whatever the size of the whole. */
import { createReadStream } from 'node:fs'
import { fileProblem } from '../files/file-problem.ts'
import { standardInput } from '../files/read-source.ts'
import { refuseUnfitInput, standardInputNumber } from '../files/unfit-input.ts'
import { type Cutter, type CutterLimits, LineCutter } from './line-cutter.ts'
import { ListCutter } from './list-cutter.ts'
import { beginsListOfConversations, lookedAt } from './list-of-conversations.ts'
import { longestSample, type Stretch, shownPath } from './stretch.ts'

const limits: CutterLimits = {
  stretch: 1 << 19, // long enough to be worth a message to another thread, short enough to hold many
  sample: longestSample,
}

/**
 * The stretches of the dataset at `path`. `onBytes` is told how many bytes were read.
 *
 * @throws FileProblem
 */
export async function* stretchesOf(
  path: string,
  input: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => undefined,
): AsyncIterableIterator<Stretch> {
  const isInput = path === standardInput
  const shown = shownPath(path)
  refuseUnfitInput(isInput ? standardInputNumber : path, shown)
  const chunks = isInput ? input : createReadStream(path, { highWaterMark: limits.stretch })
  try {
    yield* cut(shown, chunks[Symbol.asyncIterator](), isInput, onBytes)
  } catch (error) {
    throw fileProblem(shown, error)
  }
}

async function* cut(
  shown: string,
  chunks: AsyncIterator<Uint8Array>,
  isLive: boolean,
  onBytes: (count: number) => void,
): AsyncIterableIterator<Stretch> {
  const bytes = await beginningOf(chunks, onBytes)
  const cutter = isList(bytes) ? new ListCutter(shown, limits) : new LineCutter(limits)
  yield* pushed(cutter, bytes)
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
    onBytes(next.value.length)
    yield* pushed(cutter, next.value)
  }
  if (cutter.hasSamples) yield cutter.take()
  const rest = cutter.end()
  if (rest) yield rest
}

/** As many of `chunks` as it takes to tell what they are: who writes a list into a pipe may write its bracket alone. */
async function beginningOf(
  chunks: AsyncIterator<Uint8Array>,
  onBytes: (count: number) => void,
): Promise<Uint8Array> {
  let bytes: Uint8Array = new Uint8Array()
  while (bytes.length < lookedAt && isList(bytes) === undefined) {
    const next = await chunks.next()
    if (next.done) break
    onBytes(next.value.length)
    bytes = Buffer.concat([bytes, next.value])
  }
  return bytes
}

function isList(bytes: Uint8Array): boolean | undefined {
  return beginsListOfConversations(new TextDecoder().decode(bytes, { stream: true }))
}

/** What is full once `cutter` has `bytes`. If they are no list any more, the samples before that still come. */
function* pushed(cutter: Cutter, bytes: Uint8Array): IterableIterator<Stretch> {
  try {
    cutter.push(bytes)
  } catch (error) {
    if (cutter.hasSamples) yield cutter.take()
    throw error
  }
  while (cutter.isFull) yield cutter.take()
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
