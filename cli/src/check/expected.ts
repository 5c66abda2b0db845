/** `--expect`: compares a report with what the writer of the transcript expects. */
import { readFile } from 'node:fs/promises'
import {
  type Analysis,
  differences,
  type Expectation,
  type ExpectationReading,
  expectationInHeader,
  nothingExpected,
  type Range,
  readExpectation,
} from '../../../core/src/index.ts'
import { FileProblem, fileProblem } from '../files/file-problem.ts'
import { placeIn } from '../files/place-in.ts'
import type { FileReport } from './check-source.ts'

/** The file with the expectations of the transcript at `path`: `chat.ocm` has `chat.expected.yaml`. */
export function expectationPath(path: string): string {
  return `${path.replace(/\.ocm$/, '')}.expected.yaml`
}

/**
 * What the file beside the transcript at `path` expects; undefined if there is none.
 *
 * @throws FileProblem if it cannot be read
 */
export async function readExpectationBeside(path: string): Promise<Expectation | undefined> {
  const file = expectationPath(path)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fileProblem(file, error)
  }
  return sound(file, readExpectation(text), ({ start }) => placeIn(text, start))
}

/**
 * `report` with the differences from `expectation`, or else from what the header expects, in the place of its problems.
 * Without expectations, no error and no warning is expected.
 *
 * @throws FileProblem if what the header expects cannot be understood
 */
export function comparedWith(report: FileReport, expectation: Expectation | undefined): FileReport {
  const { path, analysis, problems } = report
  const expected = expectation ?? inHeader(path, analysis) ?? nothingExpected
  return { ...report, problems: differences(analysis, problems, expected) }
}

function inHeader(path: string, analysis: Analysis): Expectation | undefined {
  const reading = expectationInHeader(analysis)
  return reading && sound(path, reading, ({ start }) => placeIn(analysis.transcript.text(), start))
}

function sound(
  path: string,
  { expectation, problems: [problem] }: ExpectationReading,
  placeOf: (range: Range) => string,
): Expectation {
  if (problem) throw new FileProblem(`${path}:${placeOf(problem.range)}`, problem.message)
  return expectation
}
