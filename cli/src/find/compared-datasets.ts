/** The problems that the samples of a run have among each other, such as duplicates: found in a pass before the one that needs them. */
import {
  DatasetCheck,
  type PathSettings,
  type Problem,
  type ReadOptions,
  type SampleProblem,
  samplePlaces,
} from '../../../core/src/internal.ts'
import type { ShownStretch } from '../dataset/sample-results.ts'
import { runStretches, type SampleFiles, SampleReport } from '../dataset/sample-run.ts'
import { isReadOnce, standardInput } from '../files/read-source.ts'
import { Crew } from '../parallel/crew.ts'
import { type Console, quietConsole } from '../terminal/console.ts'
import type { MarkResult } from './mark-work.ts'

/** How samples are read. */
export interface ComparisonOptions {
  readonly read: ReadOptions
  readonly jobs: number | undefined
}

/** Samples that were compared. */
export class ComparedDatasets {
  readonly #check: DatasetCheck
  readonly #found = new Map<PathSettings['rules'], ReturnType<DatasetCheck['problemsByFile']>>()

  private constructor(check: DatasetCheck) {
    this.#check = check
  }

  /** Compares all samples of `files`. What cannot be read is left out, and reported by who reads it next. */
  static async of(
    files: SampleFiles,
    { read, jobs }: ComparisonOptions,
    console: Console,
  ): Promise<ComparedDatasets> {
    const check = new DatasetCheck()
    const paths: string[] = []
    for (const path of files.paths) {
      if (!(await isReadOnce(path))) paths.push(path)
      else {
        const name = path === standardInput ? 'standard input' : path
        console.complain(`samples of ${name} are not compared, because it cannot be read twice`)
      }
    }
    const others = { ...files, paths }
    if (others.paths.length > 0) {
      const crew = new Crew('marks', { badLines: 'skip', read }, { jobs })
      const run = (input: ShownStretch) => crew.run(input)
      const take = ({ marks }: MarkResult) => {
        for (const { mark, shown, number } of marks) check.add(mark, shown, number)
      }
      const quiet = new SampleReport(quietConsole(console), 'skip')
      await runStretches<MarkResult>({ files: others, crew, run, take }, console, quiet)
    }
    return new ComparedDatasets(check)
  }

  /** The problems of the samples of a stretch, by their numbers; undefined if none of them has one. */
  of({
    shown,
    stretch,
    settings: { rules },
  }: ShownStretch): ReadonlyMap<number, readonly SampleProblem[]> | undefined {
    let byFile = this.#found.get(rules)
    if (!byFile) {
      byFile = this.#check.problemsByFile(rules)
      this.#found.set(rules, byFile)
    }
    const ofFile = byFile.get(shown)
    const found = new Map<number, readonly SampleProblem[]>()
    if (!ofFile) return undefined
    for (const { number } of samplePlaces(stretch)) {
      const problems = ofFile.get(number)
      if (problems) found.set(number, problems.map(asData))
    }
    return found.size > 0 ? found : undefined
  }
}

/** What can be sent to another thread. */
function asData({ code, rule, severity, message }: Problem): SampleProblem {
  return { code, rule, severity, message }
}
