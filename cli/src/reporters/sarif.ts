/** The reporter in SARIF 2.1.0, which code scanning services and editors read: rules with their documentation, results with fixes. */
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Problem,
  type ProblemFix,
  type Range,
  type Rule,
  rules,
  type Severity,
  type Transcript,
} from '../../../core/src/internal.ts'
import type { FileReport, SampleOrigin } from '../check/check-source.ts'
import { customCode } from '../check/custom-checks.ts'
import { type InputProblem, inputCode } from '../files/input-problem.ts'
import { documentationOf } from '../rule-documentation.ts'
import { safeJson } from '../terminal/displayable.ts'
import type { Reporter, ReportOptions } from './reporter.ts'

/** One run; a result per line. */
export const sarifReporter: Reporter = {
  separator: ',',
  begin({ version, custom }) {
    const descriptors = [...rules.map(descriptorOf), ...custom.map(descriptorOfCheck)]
    const driver = { name: 'ocm', fullName: 'OpenChatML checker', version, rules: descriptors }
    const schema = 'https://json.schemastore.org/sarif-2.1.0.json'
    const head = `{"$schema":${json(schema)},"version":"2.1.0","runs":[{"tool":{"driver":${json(driver)}}`
    return `${head},"columnKind":"utf16CodeUnits","results":[`
  },
  *file(report) {
    for (const [nth, problem] of report.problems.entries()) {
      yield `${nth === 0 ? '' : ','}\n${json(resultOf(problem, report))}`
    }
  },
  *input(problem) {
    const { message, severity } = problem
    const { code, rule } = inputCode
    const result = {
      ruleId: rule,
      level: levels[severity],
      message: { text: message },
      locations: [inputLocation(problem)],
      properties: { code, severity },
    }
    yield `\n${json(result)}`
  },
  end({ hasFailed, inputs }) {
    const toolExecutionNotifications = inputs.map((problem) => ({
      descriptor: { id: inputCode.code },
      level: levels[problem.severity],
      message: { text: problem.message },
      locations: [inputLocation(problem)],
    }))
    const invocation = {
      executionSuccessful: !hasFailed,
      ...(inputs.length > 0 && { toolExecutionNotifications }),
    }
    return `\n],"invocations":[${json(invocation)}]}]}\n`
  },
}

type Level = 'error' | 'warning' | 'note'

const levels: Readonly<Record<Severity, Level>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
}

function descriptorOf({ name, code, severity, section, summary, why, bad, good }: Rule): object {
  const markdown = `${why}\n\n**Wrong**\n\n${fenced(bad)}\n\n**Right**\n\n${fenced(good)}\n\nSpecification: ${section}`
  const helpUri = documentationOf(name)
  return {
    id: name,
    ...(helpUri !== undefined && { helpUri }),
    shortDescription: { text: `${summary}.` },
    fullDescription: { text: why.replaceAll('\n', ' ') },
    help: { text: `${why}\n\nWrong:\n${bad}\nRight:\n${good}\nSpecification: ${section}`, markdown },
    defaultConfiguration: { level: levels[severity] },
    properties: { code, section, severity },
  }
}

function descriptorOfCheck({ name, severity = 'warning' }: ReportOptions['custom'][number]): object {
  return {
    id: name,
    shortDescription: { text: `The custom check ${name}.` },
    defaultConfiguration: { level: levels[severity] },
    properties: { code: customCode, severity },
  }
}

function fenced(text: string): string {
  return `\`\`\`\n${text.replace(/\n$/, '')}\n\`\`\``
}

const ruleIndexes: ReadonlyMap<string, number> = new Map(rules.map(({ name }, index) => [name, index]))

function resultOf(problem: Problem, { path, analysis: { transcript }, dataset }: FileReport): object {
  const { rule, code, severity, message, range, related, fixes } = problem
  const artifactLocation = locationOf(dataset?.path ?? path)
  const physicalLocation = (place: Range) => ({
    artifactLocation,
    region: dataset ? pointIn(dataset, place) : regionOf(place, transcript),
  })
  const ruleIndex = ruleIndexes.get(rule)
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level: levels[severity],
    message: { text: message },
    locations: [{ physicalLocation: physicalLocation(range) }],
    ...(related.length > 0 && {
      relatedLocations: related.map((it, index) => ({
        id: index + 1,
        physicalLocation: physicalLocation(it.range),
        message: { text: it.message },
      })),
    }),
    // A fix of a sample's transcript is not an edit of its dataset.
    ...(fixes.length > 0 &&
      !dataset && {
        fixes: fixes.map((fix) => fixOf(fix, artifactLocation, transcript)),
      }),
    properties: { code, severity },
  }
}

function inputLocation({ path, position }: InputProblem): object {
  const region = position && { startLine: position.line + 1, startColumn: position.character + 1 }
  return { physicalLocation: { artifactLocation: locationOf(path), ...(region && { region }) } }
}

function fixOf({ title, edits }: ProblemFix, artifactLocation: object, transcript: Transcript): object {
  const replacements = edits.map(({ start, end, text }) => ({
    deletedRegion: regionOf({ start, end }, transcript),
    ...(text !== '' && { insertedContent: { text } }),
  }))
  return { description: { text: title }, artifactChanges: [{ artifactLocation, replacements }] }
}

/** Lines and columns count from 1; the end column is the one after the last character. */
function regionOf({ start, end }: Range, transcript: Transcript): object {
  const from = transcript.positionAt(start)
  const to = transcript.positionAt(end)
  return {
    startLine: from.line + 1,
    startColumn: from.character + 1,
    endLine: to.line + 1,
    endColumn: to.character + 1,
    charOffset: start,
    charLength: end - start,
  }
}

/** Where a sample's place begins in its dataset. */
function pointIn({ positionAt }: SampleOrigin, { start }: Range): object {
  const { line, character } = positionAt(start)
  return { startLine: line + 1, startColumn: character + 1 }
}

function locationOf(path: string): object {
  if (isAbsolute(path)) return { uri: pathToFileURL(path).href }
  const parts = path.split(/[/\\]/).filter((part) => part !== '.')
  return { uri: parts.map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' }
}

function json(value: unknown): string {
  return safeJson(JSON.stringify(value))
}
