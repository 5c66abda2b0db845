/** The result of a stretch of a dataset: what is printed, and what is reported about its samples. */
import {
  ConversionError,
  failureText,
  type Loss,
  type PathSettings,
  type Reading,
  type ReadOptions,
  type Stretch,
} from '../../../core/src/internal.ts'
import type { FileProblem } from '../files/file-problem.ts'
import { type InputProblem, inputProblem } from '../files/input-problem.ts'
import { ByteCollector } from './byte-collector.ts'
import type { BadLines } from './dataset-source.ts'
import { beginningOf, mistakeText, positionsIn } from './mistake-place.ts'
import {
  type BrokenSample,
  type GoodSample,
  type SampleMistake,
  samplesIn,
  type WantedSamples,
} from './samples.ts'
import { placeOfSample } from './stretch.ts'

/** Something to report about a sample or a file. `text` has its place. */
export type Note =
  /** A sample that cannot be read or written, such a file, or a bug. */
  | { readonly kind: 'bad' | 'file' | 'internal'; readonly text: string; readonly input: InputProblem }
  /** A loss, or what changes no exit status. */
  | { readonly kind: 'loss' | 'remark'; readonly text: string }

/** A file that cannot be read or written, as a note. */
export function fileNote(problem: FileProblem): Note {
  return { kind: 'file', text: problem.message, input: inputProblem(problem) }
}

/** How many losses there were of each kind. */
export type LossCounts = Readonly<Partial<Record<Loss['kind'], number>>>

/** The counts of `one` and those of `other`. */
export function addedCounts(one: LossCounts, other: LossCounts): LossCounts {
  const sums = { ...one }
  for (const [kind, count] of Object.entries(other) as readonly [Loss['kind'], number][])
    sums[kind] = (sums[kind] ?? 0) + count
  return sums
}

/** The result of a stretch. */
export interface SampleResults {
  /** What is printed, as UTF-8. */
  readonly bytes: Uint8Array
  /** In the order of the samples. */
  readonly notes: readonly Note[]
  readonly nSamples: number
  /** How many losses there were; the notes have the first ones. */
  readonly nLosses: number
  /** How many of these there were of each kind. */
  readonly kinds?: LossCounts
  /** True if the run is to end here. */
  readonly isStopped: boolean
}

/** A stretch of the dataset that people see as `shown`. */
export interface ShownStretch {
  readonly shown: string
  readonly stretch: Stretch
  /** What the configuration sets for the dataset: how its columns are called, and how its samples are judged. */
  readonly settings: PathSettings
}

/** How samples are read. */
export interface SampleSetup extends WantedSamples {
  readonly badLines: BadLines
  readonly read: ReadOptions
  /** Called for each sample that cannot be read, in its turn. */
  readonly onInput?: (problem: InputProblem) => void
  /** Takes a sample that cannot be parsed; true if it handled the sample, which is not a problem then. */
  readonly takesBroken?: (sample: BrokenSample) => boolean
}

/** Losses that are listed; the kinds repeat, and who needs all of them reads one file at a time. */
export const listedLosses = 100

/** Where the results of samples go. */
interface Output {
  print(text: string): void
  tell(note: Note): void
}

/** Takes the result of a sample. */
export interface Collector extends Output {
  /** True if only losses are wanted, with their places: all else was taken before. */
  readonly isAgain: boolean
  /** Reads the sample, and takes what is lost with that. @throws ConversionError */
  read(): Reading
  /** What is lost afterwards. */
  lose(losses: readonly Loss[]): void
}

/** Does something with a sample. A `ConversionError` makes a bad line of it. */
export type SampleAct = (sample: GoodSample, where: string, collector: Collector) => void

/** What is reported of losses: all, those that change what is printed or counted, repeated keys only, or nothing. */
export type ToldLosses = 'all' | 'of-json' | 'of-tokens' | 'repeated-keys' | 'nothing'

const isTold: Readonly<Record<ToldLosses, (kind: Loss['kind']) => boolean>> = {
  all: () => true,
  'of-json': (kind) => kind === 'duplicate-key' || kind === 'rounded-number',
  'of-tokens': (kind) => kind === 'duplicate-key' || kind === 'lone-surrogate',
  'repeated-keys': (kind) => kind === 'duplicate-key',
  nothing: () => false,
}

/** Does `act` for each sample of one stretch after the other, which come in their order. */
export function sampleWork(
  { badLines, read, shard, onInput, takesBroken }: SampleSetup,
  told: ToldLosses,
  act: SampleAct,
): (input: ShownStretch) => SampleResults {
  let nPlaced = 0
  return ({ shown, stretch, settings: { mapping } }) => {
    const printed = new ByteCollector(2 * stretch.bytes.length + 4096)
    const notes: Note[] = []
    const tell = (note: Note) => {
      notes.push(note)
      if ('input' in note) onInput?.(note.input)
    }
    const output = { print: (text: string) => printed.add(text), tell }
    let nSamples = 0
    let nLosses = 0
    const kinds: Partial<Record<Loss['kind'], number>> = {}
    let isStopped = false
    for (const sample of samplesIn(stretch, { ...read, mapping }, { shard })) {
      const where = placeOfSample(shown, stretch.place, sample.number)
      nSamples++
      if ('problem' in sample && takesBroken?.(sample)) continue
      let problem = 'problem' in sample ? sample.problem : undefined
      if (!('problem' in sample)) {
        const attempt = new Attempt(sample, where, { shown, told, act, output })
        attempt.run()
        const { losses, error } = attempt
        if (error) problem = attempt.mistake(error)
        const listed = losses.slice(0, Math.max(0, listedLosses - nLosses))
        nLosses += losses.length
        for (const { loss } of losses) kinds[loss.kind] = (kinds[loss.kind] ?? 0) + 1
        // Before the losses of this stretch, as many others are listed, so that the places of these are not needed.
        const texts =
          nPlaced < listedLosses
            ? attempt.placed(listed)
            : listed.map(({ loss }) => `${where}: ${lossText(loss)}`)
        nPlaced += listed.length
        for (const text of texts) notes.push({ kind: 'loss', text })
      }
      if (problem === undefined) continue
      const { message, offset, source } = problem
      const severity = badLines === 'skip' ? 'information' : 'error'
      const position = positionsIn(source)(offset ?? 0)
      const input = { path: shown, where, position, message, severity } as const
      tell({ kind: 'bad', text: mistakeText({ shown, where, source }, message, offset), input })
      isStopped = badLines === 'stop'
      if (isStopped) break
    }
    return { bytes: printed.end(), notes, nSamples, nLosses, kinds, isStopped }
  }
}

/** What is said of a loss after its place. */
export function lossText({ message }: Loss): string {
  return `lost: ${message}`
}

/** A loss, and whether its place is one in the JSON or in what was read from it. */
interface SampleLoss {
  readonly loss: Loss
  readonly isInJson: boolean
}

/** What is done with a sample, and where the result goes. */
interface Task {
  /** The dataset as people see it. */
  readonly shown: string
  readonly told: ToldLosses
  readonly act: SampleAct
  readonly output: Output
}

/** One sample and its result. Positions in JSON are searched only if they are reported, because that takes longer than everything else. */
class Attempt implements Collector {
  readonly #sample: GoodSample
  readonly #where: string
  readonly #task: Task
  readonly #hasPlaces: boolean
  #losses = noLosses
  /** Set if the sample is to blame for an end. */
  error: ConversionError | undefined

  constructor(sample: GoodSample, where: string, task: Task, hasPlaces = false) {
    this.#sample = sample
    this.#where = where
    this.#task = task
    this.#hasPlaces = hasPlaces
  }

  get isAgain(): boolean {
    return this.#hasPlaces
  }

  /** What was lost; nothing if there was an end, because nothing came of the sample. */
  get losses(): readonly SampleLoss[] {
    return this.error ? noLosses : this.#losses
  }

  /** Does it. A bug is noted, and the other samples are still done. */
  run(): void {
    this.#lose(this.#sample.sample.losses, true)
    try {
      this.#task.act(this.#sample, this.#where, this)
    } catch (error) {
      if (error instanceof ConversionError) this.error = error
      else {
        const message = `internal problem: ${failureText(error)}`
        const { source } = this.#sample
        const position = positionsIn(source)(0)
        const input = { path: this.#task.shown, where: this.#where, position, message } as const
        this.tell({
          kind: 'internal',
          text: `${this.#where}: ${message}`,
          input: { ...input, severity: 'error' },
        })
      }
    }
  }

  read(): Reading {
    const reading = this.#sample.sample.read(this.#hasPlaces)
    this.lose(reading.losses)
    return reading
  }

  print(text: string): void {
    this.#task.output.print(text)
  }

  tell(note: Note): void {
    this.#task.output.tell(note)
  }

  lose(losses: readonly Loss[]): void {
    this.#lose(losses, false)
  }

  #lose(losses: readonly Loss[], isInJson: boolean): void {
    for (const loss of losses) {
      if (!isTold[this.#task.told](loss.kind)) continue
      if (this.#losses === noLosses) this.#losses = []
      this.#losses.push({ loss, isInJson })
    }
  }

  /** `error` with its place. */
  mistake(error: ConversionError): SampleMistake {
    const { source, sample } = this.#sample
    const offset = error.offset ?? this.#again()?.error?.offset
    const place = offset === undefined ? undefined : sample.places()?.(offset)
    return { message: error.message, offset: place, source }
  }

  /** `losses` with their places. */
  placed(losses: readonly SampleLoss[]): readonly string[] {
    if (losses.length === 0) return []
    const { source, sample } = this.#sample
    const offsetOf = sample.places()
    const again = losses.some(({ loss }) => !loss.range) ? this.#again()?.losses : undefined
    return losses.map(({ loss, isInJson }) => {
      const isSame = ({ loss: it }: SampleLoss) => it.kind === loss.kind && it.message === loss.message
      const start = (loss.range ?? again?.find(isSame)?.loss.range)?.start
      const offset = start === undefined || isInJson ? start : offsetOf?.(start)
      const named = { shown: this.#task.shown, where: this.#where, source }
      return mistakeText(named, lossText(loss), offset ?? beginningOf(source))
    })
  }

  /** The same once more, with the places of messages in JSON. A text has them already. */
  #again(): Attempt | undefined {
    if (this.#sample.sample.frame !== undefined) return undefined
    const again = new Attempt(this.#sample, this.#where, { ...this.#task, output: nowhere }, true)
    again.run()
    return again
  }
}

const noLosses: SampleLoss[] = [] // one for all: most samples lose nothing

const nowhere: Output = { print: () => undefined, tell: () => undefined }
