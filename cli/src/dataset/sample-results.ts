/** What comes of a stretch of a dataset: what is printed, and what is told about its samples. */
import { ConversionError, type Loss, type ReadOptions } from '../../../core/src/index.ts'
import { describe } from '../parallel/failure.ts'
import { ByteCollector } from './byte-collector.ts'
import type { BadLines } from './dataset.ts'
import { beginningOf, mistakeText } from './mistake-place.ts'
import { type GoodSample, samplesIn } from './samples.ts'
import { placeOfSample, type Stretch } from './stretch.ts'

/** Something to tell about a sample. */
export interface Note {
  /** `bad` for a sample that cannot be read or written, `file` for such a file, `internal` for a bug, `remark` for what changes no exit status. */
  readonly kind: 'bad' | 'loss' | 'file' | 'internal' | 'remark'
  /** With its place. */
  readonly text: string
}

/** What came of a stretch. */
export interface SampleResults {
  /** What is printed, as UTF-8. */
  readonly bytes: Uint8Array
  /** In the order of the samples. */
  readonly notes: readonly Note[]
  readonly nSamples: number
  /** How many losses there were; the notes have the first ones. */
  readonly nLosses: number
  /** True if the run is to end here. */
  readonly isStopped: boolean
}

/** How samples are read. */
export interface SampleSetup {
  /** The dataset as people see it. */
  readonly shown: string
  readonly badLines: BadLines
  readonly read: ReadOptions
}

/** Losses that are listed; the kinds repeat, and who needs all of them reads one file at a time. */
export const listedLosses = 100

/** Takes what comes of a sample. */
export interface Collector {
  print(text: string): void
  tell(note: Note): void
  /** What was lost behind the reading of the sample, of which it is known. */
  lose(losses: readonly Loss[]): void
}

/** Does something with a sample. A `ConversionError` makes a bad line of it. */
export type SampleAct = (sample: GoodSample, where: string, collector: Collector) => void

/** What is told of losses: all, or only that JSON has keys twice, where nothing else that is lost changes what is printed. */
export type ToldLosses = 'all' | 'repeated-keys'

/** Does `act` for each sample of one stretch after the other, which come in their order. */
export function sampleWork(
  { shown, badLines, read }: SampleSetup,
  told: ToldLosses,
  act: SampleAct,
): (stretch: Stretch) => SampleResults {
  let nPlaced = 0
  return (stretch) => {
    const printed = new ByteCollector(2 * stretch.bytes.length + 4096)
    const notes: Note[] = []
    const out = { print: (text: string) => printed.add(text), tell: (note: Note) => notes.push(note) }
    let nSamples = 0
    let nLosses = 0
    let isStopped = false
    for (const sample of samplesIn(stretch, read)) {
      const where = placeOfSample(shown, stretch.place, sample.number)
      nSamples++
      let problem = 'problem' in sample ? sample.problem : undefined
      if (!('problem' in sample)) {
        const doing = new SampleDoing(sample, where, told, act)
        const { losses, error } = doing.outcome(out)
        if (error) problem = doing.mistake(error)
        const listed = losses.slice(0, Math.max(0, listedLosses - nLosses))
        nLosses += losses.length
        // Before the losses of this stretch, as many others are listed: nobody will see where these are.
        const texts = nPlaced < listedLosses ? doing.placed(listed) : listed.map(({ loss }) => lossText(loss))
        nPlaced += listed.length
        for (const text of texts) notes.push({ kind: 'loss', text: `${where}: ${text}` })
      }
      if (problem === undefined) continue
      notes.push({ kind: 'bad', text: `${where}: ${problem}` })
      isStopped = badLines === 'stop'
      if (isStopped) break
    }
    return { bytes: printed.end(), notes, nSamples, nLosses, isStopped }
  }
}

function lossText({ message }: Loss): string {
  return `lost: ${message}`
}

/** A loss, and whether its place is one in the JSON or in what was read from it. */
interface SampleLoss {
  readonly loss: Loss
  readonly isInJson: boolean
}

/** What came of a sample. */
interface Outcome {
  readonly losses: readonly SampleLoss[]
  /** Set if the sample is to blame for an end. */
  readonly error?: ConversionError
}

/** What is done with one sample. Places in JSON are looked for only where they are told: that takes longer than all else. */
class SampleDoing {
  readonly #sample: GoodSample
  readonly #where: string
  readonly #told: ToldLosses
  readonly #act: SampleAct

  constructor(sample: GoodSample, where: string, told: ToldLosses, act: SampleAct) {
    this.#sample = sample
    this.#where = where
    this.#told = told
    this.#act = act
  }

  /** Does it. A bug is noted, and the other samples are still done. */
  outcome({ print, tell }: Pick<Collector, 'print' | 'tell'>, hasPlaces = false): Outcome {
    const losses: SampleLoss[] = []
    const lose = (list: readonly Loss[], isInJson = false) => {
      for (const loss of list) {
        if (this.#told === 'all' || loss.kind === 'duplicate-key') losses.push({ loss, isInJson })
      }
    }
    const read = () => {
      const reading = hasPlaces ? this.#sample.readPlaced() : this.#sample.read()
      lose(reading.losses)
      return reading
    }
    lose(this.#sample.losses, true)
    try {
      this.#act({ ...this.#sample, read }, this.#where, { print, tell, lose: (list) => lose(list) })
    } catch (error) {
      if (error instanceof ConversionError) return { losses: [], error }
      tell({ kind: 'internal', text: `${this.#where}: internal problem: ${describe(error)}` })
    }
    return { losses }
  }

  /** `error` with its place. */
  mistake(error: ConversionError): string {
    const { source, places } = this.#sample
    const offset = error.offset ?? this.#again()?.error?.offset
    return mistakeText(error.message, offset === undefined ? undefined : places()?.(offset), source)
  }

  /** `losses` with their places. */
  placed(losses: readonly SampleLoss[]): readonly string[] {
    if (losses.length === 0) return []
    const { source, places } = this.#sample
    const offsetOf = places()
    const again = losses.some(({ loss }) => !loss.range) ? this.#again()?.losses : undefined
    return losses.map(({ loss, isInJson }) => {
      const isSame = ({ loss: it }: SampleLoss) => it.kind === loss.kind && it.message === loss.message
      const start = (loss.range ?? again?.find(isSame)?.loss.range)?.start
      const offset = start === undefined || isInJson ? start : offsetOf?.(start)
      return mistakeText(lossText(loss), offset ?? beginningOf(source), source)
    })
  }

  /** The same once more, with the places of messages in JSON. A text has them already. */
  #again(): Outcome | undefined {
    const silent = { print: () => undefined, tell: () => undefined }
    return this.#sample.frame === undefined ? this.outcome(silent, true) : undefined
  }
}
