/** What is wrong with prompts once they are filled, for `ocm check` and `ocm render`. */
import {
  Checker,
  type CheckerOptions,
  checkPrompt,
  type Problem,
  type PromptSource,
} from '../../../core/src/internal.ts'
import { type CheckedFile, type CheckOptions, documentOptions, problemsOf } from '../check/check-source.ts'
import type { FileProblem } from '../files/file-problem.ts'
import type { Source } from '../files/read-source.ts'
import { promptOf } from './prompt-file.ts'

/**
 * `file` with what is wrong with the prompt in `source`, which must be one.
 *
 * @param on receives the files that belong to the prompt, and the problems of its file of cases
 * @throws FileProblem if that file cannot be read
 */
export async function withPromptProblems(
  file: CheckedFile,
  source: Source,
  options: CheckOptions,
  on: { readonly files: (files: readonly string[]) => void; readonly problem: (it: FileProblem) => void },
): Promise<CheckedFile> {
  const { analysis } = file
  const prompt = await promptOf({ ...source, text: analysis.transcript.text() }, analysis)
  on.files(prompt.files)
  for (const [it, problems] of prompt.misfits) if (!it.isInHeader) problems.forEach(on.problem)
  return { ...file, problems: await problemsOfPromptFile(prompt, documentOptions(options)) }
}

/** What is wrong with `prompt`, filled or not. */
export async function problemsOfPromptFile(
  prompt: PromptSource,
  options: CheckerOptions,
): Promise<Iterable<Problem>> {
  const check = checkPrompt(prompt)
  const checker = new Checker(prompt.analysis, options)
  checker.fill(check.cases(await counted(check.texts)))
  return problemsOf(checker)
}

/** The vocabulary is loaded only for prompts with budgets. */
async function counted(texts: readonly string[]): Promise<readonly number[]> {
  if (texts.length === 0) return []
  const { o200k } = await import('#tokenizer')
  return texts.map((it) => o200k.count?.(it) ?? o200k.encode(it).length)
}
