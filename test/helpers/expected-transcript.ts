/**
 * Fixtures: a transcript `NAME.ocm` beside `NAME.expected.yaml`, which says what parsing it must give.
 *
 * The expectations are written from the specification, never from what the parser answers; `test/fixtures/README.md` describes
 * the format. What is compared has the shape of `ocm parse --json`, so the library and the command line can both be judged.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse as parseYaml } from 'yaml'

/** A position as in LSP: zero-based, UTF-16 code units. */
export type Position = { readonly line: number; readonly character: number }

/** A half-open range of positions. */
export type PositionRange = { readonly start: Position; readonly end: Position }

/** One message of `ocm parse --json`. */
export type ParsedMessage = { readonly [key in (typeof messageKeys)[number]]: string | null } & {
  readonly body: string
  readonly visible: boolean
  readonly range: PositionRange
}

/** One diagnostic of `ocm parse --json`. */
export type ParsedDiagnostic = {
  readonly code: string
  readonly rule?: string
  readonly severity: string
  readonly message: string
  readonly range: PositionRange
}

/** The object that `ocm parse --json` prints. */
export type ParsedTranscript = {
  readonly dialect: string
  readonly header: unknown
  readonly messages: readonly ParsedMessage[]
  readonly diagnostics: readonly ParsedDiagnostic[]
  readonly visible: readonly string[]
  readonly fim?: unknown
  readonly files?: readonly string[]
}

/** A message as an expectation describes it; an attribute that is not named must be null. */
type ExpectedMessage = {
  readonly [key in (typeof messageKeys)[number]]?: string | null
} & {
  readonly body?: string
  readonly visible?: boolean
  readonly body_contains?: string
  readonly body_trimmed?: string
  readonly open?: readonly string[]
  readonly optional?: boolean
  readonly range?: string
}

/** A problem as an expectation describes it: a code, a severity, and as much of the place as the texts settle. */
export type ExpectedProblem = {
  readonly code: string | readonly string[]
  readonly severity: string
  readonly at?: string
  readonly text?: string | readonly string[]
  readonly line?: number
  readonly lines?: readonly [number, number]
  readonly optional?: boolean
  readonly why?: string
}

/** The content of an `.expected.yaml`. */
export type Expectation = {
  readonly dialect?: string
  readonly options?: { readonly dialect: '2.2' | '2.0' | '1.x' | 'harmony' }
  readonly header?: unknown
  readonly messages: readonly ExpectedMessage[]
  readonly problems: readonly ExpectedProblem[]
  readonly hints?: readonly (string | ExpectedProblem)[]
  readonly visible?: readonly string[]
  readonly visible_trimmed?: readonly string[]
  readonly never_visible?: readonly string[]
  readonly fim?: unknown
  readonly files?: readonly (string | null)[]
  readonly ignore?: readonly string[]
  readonly lenient?: string
}

/** A transcript and what parsing it must give. */
export type Fixture = {
  /** The path below `test/fixtures`, without its ending: `decisions/d06-doubled`. */
  readonly name: string
  readonly text: string
  readonly expected: Expectation
}

const fixtureFolder = join('test', 'fixtures')
const messageKeys = [
  'role',
  'name',
  'channel',
  'to',
  'call_id',
  'intent',
  'content_type',
  'constrain',
  'terminator',
] as const
const knownKeys = {
  expectation:
    'dialect options header messages problems hints visible visible_trimmed never_visible fim files ignore lenient',
  message: `${messageKeys.join(' ')} body body_contains body_trimmed visible open optional range`,
  problem: 'code severity at text line lines optional why',
}

/** Every fixture in `folder`, which is a path below `test/fixtures`, and in the folders below it; sorted by name. */
export function fixturesIn(folder = ''): Fixture[] {
  const names = readdirSync(join(fixtureFolder, folder), { recursive: true, encoding: 'utf8' })
  return names
    .filter((it) => it.endsWith('.ocm') && existsSync(join(fixtureFolder, folder, expectationOf(it))))
    .map((it) => readFixture(join(folder, it).replaceAll('\\', '/').slice(0, -'.ocm'.length)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The fixture of that name, its expectation checked for keys that would be overlooked. */
export function readFixture(name: string): Fixture {
  const text = readFileSync(join(fixtureFolder, `${name}.ocm`), 'utf8')
  const expected: Expectation = parseYaml(readFileSync(join(fixtureFolder, `${name}.expected.yaml`), 'utf8'))
  requireKnownKeys(name, expected, knownKeys.expectation)
  for (const it of expected.messages) requireKnownKeys(name, it, knownKeys.message)
  for (const it of [...expected.problems, ...(expected.hints ?? [])]) {
    if (typeof it !== 'string') requireKnownKeys(name, it, knownKeys.problem)
  }
  return { name, text, expected }
}

/**
 * What `actual` does differently from what the fixture expects, one sentence each; nothing if it conforms.
 * Hints and information may be added freely; of the hints that a fixture lists, only those with a code are required.
 */
export function differences({ text, expected }: Fixture, actual: ParsedTranscript): string[] {
  return [
    ...differencesAt('dialect', expected.dialect ?? actual.dialect, actual.dialect),
    ...('header' in expected ? differencesAt('header', expected.header, asJson(actual.header)) : []),
    ...messageDifferences(expected.messages, actual.messages),
    ...problemDifferences(text, expected, actual.diagnostics),
    ...visibleDifferences(expected, actual.visible),
    ...differencesAt('fim', expected.fim, 'fim' in expected ? asJson(actual.fim) : undefined),
    ...fileDifferences(expected.files, actual.files),
  ]
}

/** The gists of recommended hints for which no hint or information was given at all. */
export function missingHints({ expected }: Fixture, actual: ParsedTranscript): string[] {
  const gists = (expected.hints ?? []).filter((it) => typeof it === 'string')
  return actual.diagnostics.some((it) => !isProblem(it)) ? [] : gists
}

/** The differences as a message for a failing test, with the problems that were found. */
export function explain(
  { name, text, expected }: Fixture,
  actual: ParsedTranscript,
  found: readonly string[],
): string {
  const problems = actual.diagnostics.map((it) => `  ${describeDiagnostic(text, it)} (${it.message})`)
  return [
    `${join(fixtureFolder, name)}.ocm differs from its expectation:`,
    ...found.map((it) => `  ${it}`),
    ...(expected.lenient ? [`Left open: ${expected.lenient}`] : []),
    'Diagnostics given:',
    ...(problems.length > 0 ? problems : ['  none']),
  ].join('\n')
}

function expectationOf(path: string): string {
  return path.replace(/\.ocm$/, '.expected.yaml')
}

function requireKnownKeys(name: string, value: object, known: string): void {
  const unknown = Object.keys(value).filter((it) => !known.split(' ').includes(it))
  if (unknown.length > 0)
    throw new TypeError(`Unknown keys in the expectation of ${name}: ${unknown.join(', ')}`)
}

function differencesAt(place: string, expected: unknown, actual: unknown): string[] {
  if (isDeepStrictEqual(expected, actual)) return []
  return [`${place}: expected ${show(expected)}, got ${show(actual)}`]
}

function messageDifferences(
  expected: readonly ExpectedMessage[],
  actual: readonly ParsedMessage[],
): string[] {
  const required = expected.filter((it) => !it.optional)
  if (actual.length !== expected.length && actual.length !== required.length) {
    const roles = actual.map((it) => show(it.role)).join(', ')
    return [`messages: expected ${expected.length}, got ${actual.length}: ${roles}`]
  }
  const compared = actual.length === expected.length ? expected : required
  return compared.flatMap((it, index) => oneMessageDifferences(`messages[${index}]`, it, actual[index]))
}

function oneMessageDifferences(
  place: string,
  expected: ExpectedMessage,
  actual: ParsedMessage | undefined,
): string[] {
  if (!actual) return [`${place}: missing`]
  if (expected.optional) return differencesAt(`${place}.role`, expected.role, actual.role)
  const keys = messageKeys.filter((it) => !expected.open?.includes(it))
  const found = keys.flatMap((it) => differencesAt(`${place}.${it}`, expected[it] ?? null, actual[it]))
  for (const it of ['body', 'visible'] as const) {
    if (it in expected) found.push(...differencesAt(`${place}.${it}`, expected[it], actual[it]))
  }
  const { body } = actual
  if (expected.body_trimmed !== undefined) {
    found.push(...differencesAt(`${place}.body, trimmed`, expected.body_trimmed, body.trim()))
  }
  if (expected.body_contains !== undefined && !body.includes(expected.body_contains)) {
    found.push(`${place}.body: expected it to contain ${show(expected.body_contains)}, got ${show(body)}`)
  }
  if (expected.range !== undefined) {
    found.push(...differencesAt(`${place}.range`, expected.range, describeRange(actual.range)))
  }
  return found
}

function problemDifferences(
  text: string,
  expected: Expectation,
  diagnostics: readonly ParsedDiagnostic[],
): string[] {
  const rest = diagnostics.filter((it) => !expected.ignore?.includes(it.code))
  const coded = (expected.hints ?? []).filter((it) => typeof it !== 'string')
  const inOrder = [...expected.problems, ...coded].sort((a, b) => Number(!!a.optional) - Number(!!b.optional))
  const missing = inOrder.filter((it) => {
    const index = rest.findIndex((diagnostic) => isMatch(text, it, diagnostic))
    if (index >= 0) rest.splice(index, 1)
    return index < 0 && !it.optional
  })
  return [
    ...missing.map((it) => `problem not reported: ${describeExpected(it)}`),
    ...rest.filter(isProblem).map((it) => `problem not expected: ${describeDiagnostic(text, it)}`),
    ...(isSorted(diagnostics) ? [] : ['diagnostics: not in the order of the text']),
  ]
}

function isMatch(text: string, expected: ExpectedProblem, actual: ParsedDiagnostic): boolean {
  const { line } = actual.range.start
  const codes = [expected.code].flat()
  if (!codes.includes(actual.code) || actual.severity !== expected.severity) return false
  if (expected.at !== undefined && expected.at !== describeRange(actual.range)) return false
  if (expected.line !== undefined && expected.line !== line) return false
  if (expected.lines && !(expected.lines[0] <= line && line <= expected.lines[1])) return false
  return expected.text === undefined || [expected.text].flat().includes(textAt(text, actual.range))
}

function isProblem(diagnostic: ParsedDiagnostic): boolean {
  return diagnostic.severity === 'error' || diagnostic.severity === 'warning'
}

function isSorted(diagnostics: readonly ParsedDiagnostic[]): boolean {
  return diagnostics.every((it, index) => {
    const before = diagnostics[index - 1]?.range.start ?? { line: 0, character: 0 }
    const { line, character } = it.range.start
    return before.line < line || (before.line === line && before.character <= character)
  })
}

function visibleDifferences(expected: Expectation, actual: readonly string[]): string[] {
  const found: string[] = []
  if (expected.visible) found.push(...differencesAt('visible', expected.visible, actual))
  if (expected.visible_trimmed) {
    const trimmed = actual.map((it) => it.trim())
    found.push(
      ...differencesAt(
        'visible, trimmed',
        expected.visible_trimmed.map((it) => it.trim()),
        trimmed,
      ),
    ) // prettier-ignore
  }
  for (const hidden of expected.never_visible ?? []) {
    if (actual.some((it) => it.includes(hidden))) found.push(`visible: must never contain ${show(hidden)}`)
  }
  return found
}

function fileDifferences(
  expected: readonly (string | null)[] | undefined,
  actual: readonly string[] | undefined,
): string[] {
  if (!expected) return []
  if (expected.length !== actual?.length) return differencesAt('files', expected, actual)
  return expected.flatMap((it, index) =>
    it === null ? [] : differencesAt(`files[${index}]`, it, actual[index]),
  )
}

function textAt(text: string, { start, end }: PositionRange): string {
  return text.slice(offsetAt(text, start), offsetAt(text, end))
}

/** Written apart from the product's own line counting, which it judges. */
function offsetAt(text: string, { line, character }: Position): number {
  const lineBreak = /\r\n|\n|\r/g
  for (let passed = 0; passed < line; passed++) {
    if (!lineBreak.exec(text)) return text.length
  }
  return lineBreak.lastIndex + character
}

function describeRange({ start, end }: PositionRange): string {
  return `${start.line}:${start.character}-${end.line}:${end.character}`
}

function describeDiagnostic(text: string, it: ParsedDiagnostic): string {
  return `${it.severity} ${it.code} at ${describeRange(it.range)} ${show(textAt(text, it.range))}`
}

function describeExpected(it: ExpectedProblem): string {
  const place = it.at ?? (it.lines ? `lines ${it.lines.join(' to ')}` : `line ${it.line}`)
  const marked = it.text === undefined ? '' : ` ${[it.text].flat().map(show).join(' or ')}`
  return `${it.severity} ${[it.code].flat().join(' or ')} at ${place}${marked}`
}

/** What `value` is once it has been printed and read: mappings without a prototype become plain objects. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}
