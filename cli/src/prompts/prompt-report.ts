/** What is wrong with prompts once they are filled, for `ocm check` and `ocm render`. */
import {
  checkPrompt,
  isPrompt,
  type Problem,
  type Rule,
  type RuleSettings,
} from '../../../core/src/internal.ts'
import type { CheckOptions, FileReport } from '../check/check-source.ts'
import type { Source } from '../files/read-source.ts'
import { type PromptFile, readPrompt } from './prompt-file.ts'

/** `report` with what is wrong with the prompt in `source`, if it is one. @throws FileProblem if its cases cannot be read */
export async function withPromptProblems(
  report: FileReport,
  source: Source,
  { dialect = 'auto', settings, rules }: CheckOptions,
): Promise<FileReport> {
  if (!isPrompt(report.analysis)) return report
  const found = await problemsOfPromptFile(await readPrompt(source, dialect), settings?.rules, rules)
  if (found.length === 0) return report
  const problems = [...report.problems, ...found]
  return { ...report, problems: problems.sort((one, other) => one.range.start - other.range.start) }
}

/** What is wrong with `prompt`. */
export async function problemsOfPromptFile(
  prompt: PromptFile,
  settings: readonly RuleSettings[] = [],
  rules?: readonly Rule[],
): Promise<readonly Problem[]> {
  const check = checkPrompt(prompt)
  return check.problems(await counted(check.texts), settings, rules)
}

/** The vocabulary is loaded only for prompts with budgets. */
async function counted(texts: readonly string[]): Promise<readonly number[]> {
  if (texts.length === 0) return []
  const { o200k } = await import('#tokenizer')
  return texts.map((it) => o200k.count?.(it) ?? o200k.encode(it).length)
}
