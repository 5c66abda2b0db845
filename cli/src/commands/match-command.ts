/** `ocm match`: what an agent did, compared with what was expected. */
import {
  argumentModes,
  type DialectName,
  MatchLimit,
  matchConversations,
  matchModes,
  PatternProblem,
  type Position,
  type ReadOptions,
  readConversation,
  type Step,
  stepsOf,
  Transcript,
} from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { configurationOptions } from '../configuration/configurations.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { conversionProblem } from '../dataset/conversion-report.ts'
import { dialectOption } from '../dialect-option.ts'
import { FileProblem } from '../files/file-problem.ts'
import { dialectFor } from '../files/json-conversation.ts'
import { readSource, type Source, standardInput } from '../files/read-source.ts'
import { refuseDataset, refuseOtherText } from '../files/refuse-other-text.ts'
import { jsonReport, junitReport, type MatchReport, prettyReport } from '../match/match-report.ts'
import type { Console } from '../terminal/console.ts'
import { untilReaderLeaves } from '../terminal/output.ts'

const options = {
  mode: {
    kind: 'choice',
    values: matchModes,
    default: 'strict',
    summary:
      'How steps are compared: strict for the same steps in the same order; see docs/command-line.md for the other modes',
  },
  args: {
    kind: 'choice',
    values: argumentModes,
    default: 'exact',
    summary: 'How arguments of calls are compared: all, those that EXPECTED gives, or none',
  },
  format: {
    kind: 'choice',
    values: ['pretty', 'json', 'junit'],
    default: 'pretty',
    summary: 'The format of the report: pretty for people, json for programs, junit for build servers',
  },
  ...configurationOptions,
  dialect: dialectOption,
} as const

/** The command. */
export const matchCommand = defineCommand({
  name: 'match',
  operands: 'ACTUAL EXPECTED',
  description: [
    'Compares an agent run with the expected one: user messages, tool calls, tool replies, and answers, but not reasoning.',
    'In EXPECTED, <any> matches any text, and <re:EXPRESSION> matches a regular expression. Kinds of steps that EXPECTED does not contain are not compared, except for calls.',
  ],
  options,
  statuses: ['1  ACTUAL does not match'],
  examples: [
    ['ocm match run.ocm expected.ocm', 'compare all steps in order'],
    ['ocm match --mode superset --args subset run.json expected.ocm', 'allow more calls and arguments'],
    ['ocm match --format junit run.ocm expected.ocm > match.xml', 'write a report for a build server'],
  ],
  async run({ values, operands }, console) {
    const [actualPath, expectedPath, ...others] = operands
    if (actualPath === undefined || expectedPath === undefined || others.length > 0)
      throw new UsageError('Name two files: the actual run and the expected one')
    if (actualPath === standardInput && expectedPath === standardInput)
      throw new UsageError('Only one of the files can be standard input')
    const { mode, args, dialect } = values
    const settings = datasetSettings(values)
    const side = async (path: string) =>
      readSide(path, { dialect, mapping: await settings.mappingOf(path) }, console)
    const [actual, expected] = [await side(actualPath), await side(expectedPath)]
    const report: MatchReport = {
      actual: actual.source.path,
      expected: expected.source.path,
      mode,
      args,
      result: compared(actual, expected, { mode, args }),
      placeOf: (which, step) => (which === 'actual' ? actual : expected).placeOf(step),
    }
    const { format } = values
    await untilReaderLeaves(async () => {
      if (format === 'json') await console.output.write(jsonReport(report))
      else if (format === 'junit') await console.output.write(junitReport(report))
      else await console.output.write(prettyReport(report, console.style))
    })
    return report.result.isMatch ? 0 : 1
  },
})

interface Side {
  readonly source: Source
  readonly conversation: ReturnType<typeof readConversation>['conversation']
  placeOf(step: Step): Position | undefined
}

/** @throws FileProblem if it is not a conversation */
async function readSide(
  path: string,
  read: ReadOptions & { readonly dialect: DialectName | 'auto' },
  console: Console,
): Promise<Side> {
  const source = await readSource(path, console.input())
  refuseDataset(source)
  refuseOtherText(source)
  try {
    const dialect = dialectFor(source, read.dialect)
    const { conversation } = readConversation(source.text, { ...read, dialect })
    let transcript: Transcript | undefined
    const placeOf = ({ range }: Step) => {
      if (!range) return undefined
      transcript ??= Transcript.parse(source.text)
      return transcript.positionAt(range.start)
    }
    return { source, conversation, placeOf }
  } catch (error) {
    throw conversionProblem(source.path, error, source.text)
  }
}

function compared(
  actual: Side,
  expected: Side,
  options: Parameters<typeof matchConversations>[2],
): ReturnType<typeof matchConversations> {
  // Anything would match it, so the file is probably another one than was meant.
  if (stepsOf(expected.conversation).length === 0)
    throw new FileProblem(expected.source.path, 'there are no steps to compare with')
  try {
    return matchConversations(actual.conversation, expected.conversation, options)
  } catch (error) {
    if (error instanceof PatternProblem || error instanceof MatchLimit)
      throw new FileProblem(expected.source.path, error.message)
    throw error
  }
}
