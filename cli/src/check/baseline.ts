/**
 * Known problems, which a check does not report: distinguished by file, rule, and a hash of the text that they are in, so that they
 * stay known when lines move. All of it is data that can be sent to another thread, and none of it holds text.
 */
import { createHash } from 'node:crypto'
import { relative, resolve, sep } from 'node:path'
import type { Problem, Transcript } from '../../../core/src/internal.ts'
import { shownInput } from '../files/read-source.ts'
import type { CheckedFile } from './check-source.ts'

/** How many problems there are of each kind in each file: by path, rule, and fingerprint. */
export type KnownProblems = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, number>>>

/** What a baseline is compared with. */
export interface BaselineSetup {
  /** The folder of the baseline as an absolute path: its paths are relative to that. */
  readonly folder: string
  /** What is not reported; undefined for everything, because it is to be written to the baseline. */
  readonly known: KnownProblems | undefined
}

/** Some equal problems of a file. */
export interface FoundProblems {
  readonly path: string
  readonly rule: string
  readonly fingerprint: string
  /** Of a problem that sums up samples, how many these are. */
  readonly count: number
}

/** What was found in one piece of work. */
export interface BaselineFindings {
  /** The files that were checked, as the baseline names them. */
  readonly paths: readonly string[]
  readonly found: readonly FoundProblems[]
}

/** What a baseline calls the file that people see as `shown`. */
function baselinePath(folder: string, shown: string): string {
  return shown === shownInput ? shown : relative(folder, resolve(shown)).split(sep).join('/')
}

/** Leaves known problems out of reports. One for each piece of work: of equal problems, each piece may have as many as the baseline. */
export class BaselineFilter {
  readonly #setup: BaselineSetup
  readonly #paths = new Set<string>()
  readonly #found = new Map<string, FoundProblems>()
  /** How many problems were left out. */
  nKnown = 0

  constructor(setup: BaselineSetup) {
    this.#setup = setup
  }

  /**
   * The problems of `file` that are not known, once.
   *
   * @param path the file or dataset as people see it
   * @param countOf of how many samples a problem is; it is known as long as there are no more
   */
  *unknownIn(
    { analysis, problems }: Pick<CheckedFile, 'analysis' | 'problems'>,
    {
      path,
      isSample,
      countOf = () => 1,
    }: {
      readonly path: string
      readonly isSample: boolean
      readonly countOf?: (problem: Problem) => number
    },
  ): IterableIterator<Problem> {
    const { folder, known } = this.#setup
    const file = baselinePath(folder, path)
    this.#paths.add(file)
    for (const problem of problems) {
      const { rule } = problem
      const fingerprint = fingerprintOf(problem, analysis.transcript, isSample)
      const count = this.#add({ path: file, rule, fingerprint, count: countOf(problem) })
      if (known && count > (known.get(file)?.get(rule)?.get(fingerprint) ?? 0)) yield problem
      else this.nKnown++
    }
  }

  /** What was found, known or not. */
  get findings(): BaselineFindings {
    return { paths: [...this.#paths], found: [...this.#found.values()] }
  }

  #add(found: FoundProblems): number {
    const key = [found.path, found.rule, found.fingerprint].join('\0')
    const count = (this.#found.get(key)?.count ?? 0) + found.count
    this.#found.set(key, { ...found, count })
    return count
  }
}

const fingerprintLength = 16 // hexadecimal digits: 64 bits, so that equal ones in one file mean equal text
const longestMark = 1000 // code units
const contextLength = 80 // code units on either side, within the line

/** The marked text with what is around it on its line; of a sample that is reported as a whole, all of it. */
function fingerprintOf({ rule, range }: Problem, transcript: Transcript, isSample: boolean): string {
  const hash = createHash('sha256').update(rule).update('\0')
  const isWhole = isSample && range.end === 0
  const text = isWhole ? { start: 0, end: transcript.length } : around(range, transcript)
  return hash.update(transcript.text(text)).digest('hex').slice(0, fingerprintLength)
}

function around({ start, end }: Problem['range'], transcript: Transcript): Problem['range'] {
  const last = Math.min(end, start + longestMark)
  const lineStart = transcript.offsetAt({ line: transcript.positionAt(start).line, character: 0 })
  const { line } = transcript.positionAt(last)
  const lineEnd = transcript.offsetAt({ line, character: Number.MAX_SAFE_INTEGER })
  return {
    start: Math.max(lineStart, start - contextLength),
    end: Math.max(last, Math.min(lineEnd, last + contextLength)),
  }
}
