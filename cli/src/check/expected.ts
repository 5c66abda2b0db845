/** `--expect`: compares a report with what the writer of the transcript expects. */

import { largestConfiguration } from '../../../client/disk/read-limits.ts'
import {
  type Analysis,
  differences,
  type Expectation,
  type ExpectationReading,
  expectationInHeader,
  expectationPath,
  nothingExpected,
  type Position,
  type Range,
  readExpectation,
} from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import { positionIn } from '../files/place-in.ts'
import { readTextBeside } from '../files/read-beside.ts'
import type { CheckedFile } from './check-source.ts'

/**
 * What the file next to the transcript at `path` expects; undefined if there is none.
 *
 * @throws FileProblem if it cannot be read
 */
export async function readExpectationBeside(path: string): Promise<Expectation | undefined> {
  const file = expectationPath(path)
  const text = await readTextBeside(file, { bytes: largestConfiguration })
  if (text === undefined) return undefined
  return sound(file, readExpectation(text), ({ start }) => positionIn(text, start))
}

/**
 * `file` with the differences from `expectation`, or else from what the header expects, in the place of its problems.
 * Without expectations, no error and no warning is expected.
 *
 * @throws FileProblem if what the header expects cannot be understood
 */
export function comparedWith(file: CheckedFile, expectation: Expectation | undefined): CheckedFile {
  const { path, analysis, problems } = file
  const expected = expectation ?? inHeader(path, analysis) ?? nothingExpected
  return { ...file, problems: differences(analysis, problems, expected) }
}

function inHeader(path: string, analysis: Analysis): Expectation | undefined {
  const reading = expectationInHeader(analysis)
  return reading && sound(path, reading, ({ start }) => positionIn(analysis.transcript.text(), start))
}

function sound(
  path: string,
  { expectation, problems: [problem] }: ExpectationReading,
  placeOf: (range: Range) => Position,
): Expectation {
  if (problem) throw new FileProblem(path, problem.message, placeOf(problem.range))
  return expectation
}
