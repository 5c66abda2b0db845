/** `ocm render --case`: a prompt filled with the values of cases, as a target gets it. */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  analyze,
  ConversionError,
  type DialectName,
  type FilledPrompt,
  fillPrompt,
  isCaseName,
  isTemplateProblem,
  mayHaveCases,
  overBudget,
  type PromptCase,
  type PromptProblem,
  type PromptSource,
  type PromptTarget,
  type PromptTemplate,
  parsedTemplate,
  Transcript,
  targetText,
  unreadHeader,
} from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import type { ExitStatus } from '../command.ts'
import { conversationText } from '../conversation-text.ts'
import { ConversionReport } from '../dataset/conversion-report.ts'
import { FileProblem } from '../files/file-problem.ts'
import { positionIn } from '../files/place-in.ts'
import { refuseDataset, refuseOtherText } from '../files/refuse-other-text.ts'
import { readSingleSource } from '../single-source.ts'
import { compareSnapshots, type SnapshotText } from '../snapshots.ts'
import { suggestionFor } from '../suggestion.ts'
import { styleOf } from '../terminal/colour.ts'
import type { Console } from '../terminal/console.ts'
import { displayable, displayableLine } from '../terminal/displayable.ts'
import { readTemplateFile } from '../training/training-files.ts'
import { type PromptFile, readPrompt } from './prompt-file.ts'
import { problemsOfPromptFile } from './prompt-report.ts'

/** What a filled prompt is printed as. */
export type PrintedTarget = 'conversation' | PromptTarget

/** The options of `ocm render` that count for cases. */
export interface CaseOptions {
  readonly case: string | undefined
  readonly 'all-cases': boolean
  readonly as: PrintedTarget
  readonly check: boolean
  readonly update: boolean
  readonly debug: boolean
  readonly format: string
  /** For `--as chat-template`. */
  readonly template: string | undefined
  readonly 'allow-empty': boolean
  readonly 'no-ignore': boolean
  readonly dialect: DialectName | 'auto'
}

/** Prints the cases of a prompt, or compares them with snapshots. */
export async function renderCases(
  operands: readonly string[],
  options: CaseOptions,
  console: Console,
): Promise<ExitStatus> {
  if (options.case !== undefined && options['all-cases'])
    throw new UsageError('`--case` and `--all-cases` cannot be used together')
  // A snapshot of what users see would stay the same whatever becomes of the instructions.
  if (options.as === 'conversation' && (options.check || options.update))
    throw new UsageError(
      'Snapshots of cases require `--as` with a target that contains the instructions, such as `--as ocm`',
    )
  if (options.debug || options.format !== 'text')
    throw new UsageError('`--debug` and `--format` cannot be used with cases')
  const report = new ConversionReport(console)
  let hasFailed = false
  const attempt = (snapshot: () => SnapshotText): SnapshotText | undefined => {
    try {
      return snapshot()
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      hasFailed = true
      console.complain(error.message)
      return undefined
    }
  }
  const template = await promptTemplate(options)
  if (options.check || options.update) {
    const snapshots = { isUpdate: options.update, search: options }
    let isOver = false
    const status = await compareSnapshots(operands, snapshots, console, async function* (source, { folder }) {
      refuseOtherText(source)
      const prompt = await readPrompt(source, options.dialect)
      // Folders hold other transcripts, too.
      if (folder !== undefined && !mayHaveCases(prompt.analysis)) return
      const cases = chosen(prompt, options)
      if (await reportBudgets({ ...prompt, chosen: cases }, console)) isOver = true
      for (const it of cases) {
        // The others are compared even if one cannot be filled.
        const snapshot = attempt(() => snapshotOf(prompt, it, { ...options, template }, report))
        if (snapshot) yield snapshot
      }
      if (options['all-cases']) await reportLeftSnapshots(prompt, options.as, console)
    })
    report.end()
    if (hasFailed) return 2
    return status === 0 && isOver && options.check ? 1 : status
  }
  const source = await readSingleSource(operands, console)
  refuseDataset(source)
  refuseOtherText(source)
  const prompt = await readPrompt(source, options.dialect)
  const cases = chosen(prompt, options)
  let separator = ''
  for (const it of cases) {
    const snapshot = attempt(() => snapshotOf(prompt, it, { ...options, template }, report))
    if (!snapshot) continue
    if (options['all-cases'])
      await console.output.write(console.style.strong(`${separator}==> ${displayableLine(it.name)} <==\n`))
    separator = '\n'
    await console.output.write(console.isTerminal ? displayable(snapshot.text) : snapshot.text)
  }
  report.end()
  await reportBudgets({ ...prompt, chosen: cases }, console)
  return hasFailed ? 2 : 0
}

/** Complains about budgets that a chosen case exceeds, or that no case has; true if there are any. */
async function reportBudgets(prompt: PromptFile & PromptSource, console: Console): Promise<boolean> {
  const { source } = prompt
  let isExceeded = false
  for (const { message, range } of await problemsOfPromptFile(prompt, { rules: [overBudget] })) {
    const { line, character } = positionIn(source.text, range.start)
    console.complain(`${source.path}:${line + 1}:${character + 1}: ${message}`)
    isExceeded = true
  }
  return isExceeded
}

/** The chat template that the prompt is written by. @throws UsageError, FileProblem */
async function promptTemplate({ as, template: path }: CaseOptions): Promise<PromptTemplate | undefined> {
  if (as !== 'chat-template') {
    if (path !== undefined) throw new UsageError('With cases, `--template` requires `--as chat-template`')
    return undefined
  }
  const file = await readTemplateFile(path)
  const template = file && parsedTemplate(file.source)
  if (!template || isTemplateProblem(template))
    throw new UsageError(
      path === 'harmony'
        ? '`--as chat-template` requires a template file; `--as next-prompt` writes Harmony'
        : '`--as chat-template` requires `--template FILE`',
    )
  return { template, names: file.names }
}

/** @throws FileProblem if there is no such case */
function chosen({ analysis, cases, source }: PromptFile, options: CaseOptions): readonly PromptCase[] {
  const { case: name } = options
  const unread = unreadHeader(analysis)
  if (unread) {
    const place = positionIn(source.text, analysis.header.offset + unread.range.start)
    throw new FileProblem(source.path, `the header cannot be read: ${unread.message}`, place)
  }
  if (cases.length === 0) throw new FileProblem(source.path, 'the prompt has no cases')
  if (name === undefined) return cases
  const found = cases.find((it) => it.name === name)
  const names = cases.map((it) => it.name)
  if (!found) throw new FileProblem(source.path, `unknown case \`${name}\`${suggestionFor(name, names)}`)
  return [found]
}

/** Names the snapshots whose case was renamed or removed. */
async function reportLeftSnapshots(
  { source, cases }: PromptFile,
  as: PrintedTarget,
  console: Console,
): Promise<void> {
  const folder = dirname(source.path)
  const [start, end] = [`${basename(source.path).replace(/\.ocm$/i, '')}.`, `.${as}.txt`]
  const names = new Set(cases.map(({ name }) => name))
  for (const file of (await readdir(folder)).sort()) {
    if (!file.startsWith(start) || !file.endsWith(end)) continue
    const name = file.slice(start.length, -end.length)
    if (isCaseName(name) && !names.has(name))
      console.complain(
        `${join(folder, file)}: the prompt has no case \`${name}\`, so nothing is compared with this snapshot`,
      )
  }
}

/** A case as `support.refund.harmony.txt` has it. @throws FileProblem if it cannot be filled */
function snapshotOf(
  prompt: PromptFile,
  it: PromptCase,
  target: Omit<Target, 'where'>,
  report: ConversionReport,
): SnapshotText {
  const { source, analysis, parts, path, misfits } = prompt
  const { name, values } = it
  const [misfit] = misfits.get(it) ?? []
  if (misfit) throw misfit
  const filled = fillPrompt(analysis, { path, values, parts })
  const [problem] = filled.problems
  if (problem) throw problemIn(prompt, name, problem)
  const file = `${source.path.replace(/\.ocm$/i, '')}.${name}.${target.as}.txt`
  return { file, text: textFor(filled, { ...target, where: `${source.path}, case ${name}` }, report) }
}

function problemIn(
  { source, parts }: PromptFile,
  name: string,
  { path, range, message }: PromptProblem,
): FileProblem {
  const text = path === undefined ? source.text : (parts.byPath.get(path)?.text ?? '')
  return new FileProblem(
    path ?? source.path,
    `${message} (case \`${name}\`)`,
    range && positionIn(text, range.start),
  )
}

interface Target {
  readonly as: PrintedTarget
  readonly dialect: DialectName | 'auto'
  readonly template: PromptTemplate | undefined
  /** For what is lost. */
  readonly where: string
}

function textFor(
  { text }: FilledPrompt,
  { as, dialect, where, template }: Target,
  report: ConversionReport,
): string {
  if (as === 'conversation') {
    const analysis = analyze(Transcript.parse(text, { dialect }))
    return [...conversationText(analysis, styleOf(false), { hidden: false })].join('')
  }
  try {
    const { text: written, losses } = targetText(text, as, { dialect, template })
    report.add(where, losses)
    return written
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    throw new FileProblem(where, error.message) // its offset is in the filled prompt, which is in no file
  }
}
