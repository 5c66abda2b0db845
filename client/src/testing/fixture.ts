/** Transcripts with expectations, and how what is reported differs from what is expected. */

import * as vscode from 'vscode'
import {
  type Analysis,
  comparedProblems,
  Document,
  dialectNames,
  differences,
  type ExpectationReading,
  expectationInHeader,
  expectationPath,
  isMissing,
  noPathSettings,
  type Problem,
  readExpectation,
  valueAt,
} from '../../../core/src/internal.ts'
import { largestConfiguration } from '../../disk/read-limits.ts'
import { openDocumentAt } from '../document-in-editor.ts'
import { rangeIn } from '../document-range.ts'
import { nearestConfiguration } from '../nearest-configuration.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import { type ReadWorkspaceFile, textIn } from '../workspace-files.ts'

/** The most that is read of a transcript that is not open, in bytes; fixtures are small. */
const largestFixture = 4_000_000

/** A transcript with expectations. */
export interface Fixture {
  readonly document: Document
  readonly reading: ExpectationReading
  /** Where the header says what is expected; the first line, if a file next to it does. */
  readonly range: vscode.Range
}

/** How what is reported differs from what is expected. */
export interface FixtureComparison {
  /** What is different, and where; empty if nothing is. */
  readonly failures: readonly { readonly message: string; readonly range: vscode.Range }[]
  /** What is expected, a problem a line. */
  readonly expected: string
  /** What is reported, a problem a line. */
  readonly reported: string
}

/** The transcript to which the file at `uri` belongs: itself, unless it holds expectations. */
export function fixtureOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ path: uri.path.replace(/\.expected\.yaml$/, '.ocm') })
}

/** The transcript at `uri`, as it is in the editor if it is open; undefined if it cannot be read, or expects nothing. */
export async function readFixture(
  uri: vscode.Uri,
  readFile: ReadWorkspaceFile,
): Promise<Fixture | undefined> {
  const open = openDocumentAt(uri)
  const text = open?.getText() ?? textIn(await readFile(uri, largestFixture))
  if (text === undefined) return undefined
  const beside = textIn(await readFile(uri.with({ path: expectationPath(uri.path) }), largestConfiguration))
  if (beside === undefined && !/^expect\b/m.test(text)) return undefined
  const besideReading = beside === undefined ? undefined : readExpectation(beside)
  const asked = dialectNames.find((it) => it === besideReading?.expectation.dialect)
  const settings = (await nearestConfiguration(uri, readFile))?.settingsFor(uri.path) ?? noPathSettings
  const document = new Document(text, {
    dialect: asked ?? (open ? dialectOf(open) : 'auto'),
    settings: settings.rules,
    templates: settings.templates ?? true,
    intent: settings.intent,
    judgesFixtures: true,
  })
  const { analysis } = document
  const reading = besideReading ?? expectationInHeader(analysis)
  if (!reading) return undefined
  const entry = valueAt(analysis.header.yaml, ['expect'])
  const start = besideReading || !entry ? 0 : analysis.header.offset + (entry.keyRange ?? entry.range).start
  return { document, reading, range: rangeIn(analysis.transcript, { start, end: start }) }
}

/** Judges `fixture`, as `ocm check --expect` does. */
export function comparisonOf({ document, reading }: Fixture): FixtureComparison {
  const { analysis } = document
  const [unreadable] = reading.problems
  if (unreadable) {
    // The place is in the file that holds the expectations, which may be another one.
    const range = new vscode.Range(0, 0, 0, 0)
    return { failures: [{ message: unreadable.message, range }], expected: '', reported: '' }
  }
  const found = differences(analysis, document.checker.eachProblem(), reading.expectation)
  const unexpected = found.filter((it) => !isMissing(it))
  const unexpectedPlaces = new Set(unexpected.map(placeKey))
  const { problems } = document.problems(comparedProblems)
  const counted = problems.filter(({ severity }) => severity === 'error' || severity === 'warning')
  const asExpected = counted
    .filter((it) => !unexpectedPlaces.has(placeKey(it)))
    .map((it) => lineOf(analysis, it))
  return {
    failures: found.map(({ message, range }) => ({ message, range: rangeIn(analysis.transcript, range) })),
    expected: listed([...asExpected, ...found.filter(isMissing).map((it) => lineOf(analysis, it))]),
    reported: listed([...asExpected, ...unexpected.map((it) => lineOf(analysis, it))]),
  }
}

function placeKey({ rule, range }: Problem): string {
  return `${range.start} ${rule}`
}

interface ListedLine {
  readonly line: number
  readonly text: string
}

function lineOf({ transcript }: Analysis, problem: Problem): ListedLine {
  const { line } = transcript.positionAt(problem.range.start)
  const text = isMissing(problem) ? problem.message : `${problem.severity} ${problem.code} (${problem.rule})`
  return { line, text }
}

function listed(lines: readonly ListedLine[]): string {
  return [...lines]
    .sort((one, other) => one.line - other.line)
    .map(({ line, text }) => `${line + 1}: ${text}\n`)
    .join('')
}
